//! The bully algorithm.

use interlock_algorithm::election::bully::{Bully, BullyMessage, Timer};
use interlock_algorithm::{Command, NodeId, Outcome, Value};

use super::rules::{all, callers, in_the_end};
use crate::driver::Scene;
use crate::driver::faults::{Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{Phases, USUAL, breaks, holds};
use crate::driver::script::Script;
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;

const CRASHES: Faults = Faults { crashes: 4, down_at_once: 3, copies: 3, ..OVERTAKING };
const LENGTH: Phases = Phases { wild: 250, kind: 5_000, ..USUAL };

fn scene(variant: &str, faults: Faults) -> Scene<Bully> {
    Scene::new(variant, 5, faults, callers(&[0, 2, 4], 2))
}

#[test]
fn where_time_outs_are_long_enough_there_is_one_coordinator_a_term_and_all_agree() {
    for memory in [Some(RestartState::Stored), Some(RestartState::None), None] {
        let scene = scene("original", Faults { memory, ..CRASHES });
        holds(&scene, 0..60, LENGTH.in_time(), &all());
    }
}

#[test]
fn where_they_are_not_all_agree_in_the_end() {
    holds(&scene("original", CRASHES), 0..60, LENGTH, &in_the_end());
    holds(&scene("original", Faults { memory: Some(RestartState::Stored), ..CRASHES }), 0..60, LENGTH, &in_the_end());
    breaks(&scene("original", CRASHES), 0..500, LENGTH, &all(), "two coordinators");
}

#[test]
fn who_believes_an_older_term_goes_back() {
    let broken = Faults { memory: Some(RestartState::Stored), ..CRASHES };
    breaks(&scene("older-term", broken), 0..500, USUAL, &in_the_end(), "");
}

#[test]
fn forged_messages_are_survived() {
    survives(&scene("original", Faults { memory: Some(RestartState::Stored), ..CRASHES }));
}

fn elected(leader: u32, term: u64) -> Outcome {
    Outcome::elected(NodeId(leader), term)
}

/// The lecture's example: P3 notices that P7 has crashed.
#[test]
fn p3_notices_that_p7_is_dead() {
    let mut stage = Script::<Bully>::begin("original initiators=none", 8);
    stage.crash(7);
    assert_eq!(stage.elect(3).outcomes, [Outcome::called(1)]);
    stage.deliver_all();
    assert_eq!(stage.view(3).waits_for.len(), 1);
    assert_eq!(stage.run_out(6, Timer::Answer).outcomes, [elected(6, 1)]);
    stage.deliver_all();
    assert!((0..7).all(|node| stage.variable(node, "coordinator") == Value::Number(6)));
}

/// BUL-2: P6 answers the election of P3, and then crashes. P3 receives no COORD in time, and calls another
/// election.
#[test]
fn who_got_an_ok_but_no_coord_starts_again() {
    let mut stage = Script::<Bully>::begin("original initiators=none", 8);
    stage.crash(7);
    stage.elect(3);
    stage.deliver("ELECT", 3, 6);
    stage.crash(6);
    stage.deliver("OK", 6, 3);
    let busy = stage.objection(3, &Command::Elect);
    assert_eq!(busy.as_deref(), Some("the election of term 1 is in progress here; wait for its end"));
    assert_eq!(stage.run_out(3, Timer::Coordinator).outcomes, [Outcome::called(2)]);
    stage.deliver_all();
    assert_eq!(stage.run_out(5, Timer::Answer).outcomes, [elected(5, 2)]);
}

/// BUL-4: a restarted process with a higher id than the coordinator requests the current term from the others. It
/// then takes over as the coordinator, with or without stored state.
#[test]
fn a_returning_higher_process_takes_over() {
    for memory in [RestartState::Stored, RestartState::None] {
        let mut stage = Script::<Bully>::begin("original initiators=none", 4);
        stage.elect(3);
        stage.deliver_all();
        stage.crash(3);
        stage.elect(1);
        stage.deliver_all();
        stage.run_out(2, Timer::Answer);
        stage.deliver_all();
        assert_eq!(stage.restart(3, memory).outcomes, []);
        let asking = stage.objection(3, &Command::Elect).expect("it is busy");
        assert!(asking.contains("back after a crash"), "{asking}");
        stage.deliver_all();
        assert_eq!(stage.run_out(3, Timer::Answer).outcomes, [Outcome::called(3), elected(3, 3)]);
        stage.deliver_all();
        assert!((0..4).all(|node| stage.variable(node, "coordinator") == Value::Number(3)));
    }
}

/// If a process with a lower id than the coordinator's restarts, the coordinator remains in office.
#[test]
fn a_returning_lower_process_learns_who_is_coordinator() {
    let mut stage = Script::<Bully>::begin("original initiators=0", 3);
    stage.deliver_all();
    stage.crash(1);
    stage.restart(1, RestartState::None);
    stage.deliver_all();
    assert_eq!(stage.run_out(1, Timer::Answer).outcomes, [elected(2, 1)]);
    assert_eq!(stage.objection(1, &Command::Elect), None);
}

fn suspect(node: u32, whom: u32) -> Choice {
    Choice::Suspect { node: NodeId(node), whom: NodeId(whom) }
}

/// P2 announces itself as the coordinator and crashes. The failure detector reports the crash before the
/// announcement arrives.
#[test]
fn an_announcement_that_arrives_after_its_senders_death_starts_an_election() {
    for (variant, leader) in [("original", 1), ("dead-announcer", 2)] {
        let mut stage = Script::<Bully>::begin(&format!("{variant} initiators=none"), 3);
        stage.elect(2);
        stage.crash(2);
        for node in 0..2 {
            stage.take(&suspect(node, 2));
        }
        stage.deliver_all();
        while stage.run_out_first().is_some() {
            stage.deliver_all();
        }
        assert!((0..2).all(|node| stage.variable(node, "coordinator") == Value::Number(leader)), "{variant}");
    }
}

/// P0 learns the coordinator from a TERM message, although the coordinator has crashed. The sender of the TERM has
/// not noticed the crash, and P0 has just restarted.
#[test]
fn a_dead_coordinator_that_a_returning_process_hears_of_is_not_accepted() {
    for (variant, outcomes) in [("original", &[Outcome::called(2)][..]), ("dead-announcer", &[elected(2, 1)])] {
        let mut stage = Script::<Bully>::begin(&format!("{variant} initiators=none"), 3);
        stage.elect(2);
        stage.deliver_all();
        stage.crash(0);
        stage.restart(0, RestartState::Stored);
        stage.deliver_all();
        stage.crash(2);
        stage.take(&suspect(0, 2));
        assert_eq!(stage.run_out(0, Timer::Answer).outcomes, outcomes, "{variant}");
    }
}

#[test]
fn a_process_that_is_trusted_again_is_accepted_as_coordinator() {
    let mut stage = Script::<Bully>::begin("original initiators=none", 2);
    stage.take(&suspect(0, 1));
    stage.take(&Choice::Trust { node: NodeId(0), whom: NodeId(1) });
    stage.elect(1);
    assert_eq!(stage.deliver("COORD", 1, 0).outcomes, [elected(1, 1)]);
}

#[test]
fn one_alone_elects_itself_without_a_word() {
    let stage = Script::<Bully>::begin("original", 1);
    assert_eq!(stage.sent_in_all(), 0);
    assert_eq!(stage.variable(0, "coordinator"), Value::Number(0));
}

/// A message has no effect if its sender cannot have sent it, or if it belongs to a finished election.
#[test]
fn what_nobody_can_have_sent_is_ignored() {
    let mut stage = Script::<Bully>::begin("original initiators=0", 3);
    stage.deliver_all();
    let before = stage.state(1).clone();
    for (from, message) in [
        (2, BullyMessage::Elect { term: 9 }),
        (0, BullyMessage::Ok { term: 1 }),
        (2, BullyMessage::Ok { term: 1 }),
        (2, BullyMessage::Coord { term: 1 }),
        (2, BullyMessage::Coord { term: 0 }),
        (0, BullyMessage::Coord { term: 1 }),
        (0, BullyMessage::Term { term: 1, leader: Some(NodeId(9)) }),
    ] {
        assert_eq!(stage.forge(from, 1, message).outcomes, [], "{message:?}");
        assert_eq!(*stage.state(1), before, "{message:?}");
    }
}
