//! The election algorithms for rings.

use interlock_algorithm::election::acknowledged_ring::{AcknowledgedRing, AcknowledgedRingMessage, Timer};
use interlock_algorithm::election::chang_roberts::{ChangRoberts, ChangRobertsMessage};
use interlock_algorithm::election::hirschberg_sinclair::{Direction, HirschbergSinclair, HirschbergSinclairMessage};
use interlock_algorithm::{Algorithm, Command, NodeId, Outcome, Value};

use super::rules::{all, callers};
use crate::driver::Scene;
use crate::driver::clients::nobody;
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{Phases, USUAL, breaks, holds};
use crate::driver::script::Script;
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;

const COPIES: Faults = Faults { copies: 5, ..OVERTAKING };
const CRASHES: Faults = Faults { crashes: 4, down_at_once: 3, copies: 3, ..OVERTAKING };

fn scene<A: Algorithm>(variant: &str, nodes: u32, faults: Faults) -> Scene<A> {
    Scene::new(variant, nodes, faults, callers(&[0, 2, 4], 2))
}

fn is_right<A: Algorithm>() {
    for nodes in 1..=6 {
        for ring in ["ascending", "descending", "random:1"] {
            let variant = format!("original initiators=none ring={ring}");
            holds(&scene::<A>(&variant, nodes, COPIES), 0..40, USUAL, &all());
        }
    }
    holds(&scene::<A>("original initiators=all", 5, COPIES), 0..60, USUAL, &all());
}

#[test]
fn chang_and_roberts_elect_one_whom_all_know() {
    is_right::<ChangRoberts>();
}

#[test]
fn hirschberg_and_sinclair_elect_one_whom_all_know() {
    is_right::<HirschbergSinclair>();
}

/// P0 receives its own id. P0 wins only if it has itself sent this id in the current term.
#[test]
fn only_a_participant_wins_when_its_id_comes_back() {
    let me = NodeId(0);
    let own_id = ChangRobertsMessage::Elect { term: 1, candidate: me };
    let mut stage = Script::<ChangRoberts>::begin("original initiators=none", 3);
    let taken = stage.forge(2, 0, own_id);
    assert_eq!((taken.outcomes, taken.sent), (vec![], vec![(NodeId(1), own_id)]), "it passes its id on");
    assert_eq!(stage.forge(2, 0, own_id).outcomes, [Outcome::elected(me, 1)]);
}

/// P0 receives a PROBE with its own id. P0 wins only if it is a candidate, because only a candidate sends such a
/// PROBE.
#[test]
fn only_a_candidate_wins_when_its_probe_comes_back() {
    let me = NodeId(0);
    let own_id = |term| {
        let direction = Direction::Forward;
        HirschbergSinclairMessage::Probe { term, candidate: me, phase: 0, hops: 1, direction }
    };
    let mut stage = Script::<HirschbergSinclair>::begin("original initiators=none", 3);
    let taken = stage.forge(2, 0, own_id(1));
    assert_eq!((taken.outcomes, taken.sent), (vec![], vec![]));
    assert_eq!(stage.elect(0).outcomes, [Outcome::called(2)]);
    assert_eq!(stage.forge(2, 0, own_id(2)).outcomes, [Outcome::elected(me, 2)]);
}

/// The id of P0 comes back to P0. If P0 has passed on a greater id in the meantime, the owner of that id wins.
#[test]
fn an_id_that_comes_back_loses_to_a_greater_one() {
    let elect = |candidate, hops| AcknowledgedRingMessage::Elect { term: 1, candidate: NodeId(candidate), hops };
    for (is_outbid, outcomes) in [(false, vec![Outcome::elected(NodeId(0), 1)]), (true, vec![])] {
        let mut stage = Script::<AcknowledgedRing>::begin("original initiators=none", 3);
        stage.elect(0);
        if is_outbid {
            stage.forge(2, 0, elect(1, 2));
        }
        assert_eq!(stage.forge(2, 0, elect(0, 3)).outcomes, outcomes, "{is_outbid}");
    }
}

/// P0 suspects P2, trusts P2 again if `is_trusted_again` is true, and then receives an announcement of P2. Returns
/// the outcomes at P0.
fn announced<A: Algorithm>(message: A::Message, is_trusted_again: bool) -> Vec<Outcome> {
    let (node, whom) = (NodeId(0), NodeId(2));
    let mut stage = Script::<A>::begin("original initiators=none", 3);
    stage.take(&Choice::Suspect { node, whom });
    if is_trusted_again {
        stage.take(&Choice::Trust { node, whom });
    }
    stage.forge(2, 0, message).outcomes
}

#[test]
fn an_announcement_of_a_suspected_process_starts_an_election_in_each_ring() {
    let (term, leader) = (1, NodeId(2));
    for (is_trusted_again, outcome) in [(false, Outcome::called(2)), (true, Outcome::elected(leader, 1))] {
        let found = [
            announced::<ChangRoberts>(ChangRobertsMessage::Coord { term, leader }, is_trusted_again),
            announced::<HirschbergSinclair>(HirschbergSinclairMessage::Coord { term, leader }, is_trusted_again),
            announced::<AcknowledgedRing>(AcknowledgedRingMessage::Coord { term, leader }, is_trusted_again),
        ];
        for outcomes in found {
            assert_eq!(outcomes, std::slice::from_ref(&outcome));
        }
    }
}

#[test]
fn whoever_swallows_always_lets_the_election_die() {
    let scene = Scene::<ChangRoberts>::new("swallow-always initiators=0", 4, FIFO, nobody());
    breaks(&scene, 0..1, USUAL, &all(), "nobody is elected");
    let right = Scene::<ChangRoberts>::new("original initiators=0", 4, FIFO, nobody());
    holds(&right, 0..1, USUAL, &all());
}

#[test]
fn the_acknowledged_ring_survives_crashes() {
    let length = Phases { wild: 250, kind: 20_000, ..USUAL };
    for memory in [Some(RestartState::Stored), Some(RestartState::None), None] {
        for (variant, initiators) in
            [("original", "all"), ("original", "none"), ("no-swallowing", "all"), ("no-swallowing", "none")]
        {
            let variant = format!("{variant} initiators={initiators}");
            let scene = scene::<AcknowledgedRing>(&variant, 5, Faults { memory, ..CRASHES });
            holds(&scene, 0..40, length.in_time(), &all());
        }
    }
}

/// If the time-outs are too short, the ring skips a live process, so not all processes agree.
#[test]
fn where_time_outs_are_too_short_they_do_not_agree() {
    let scene = scene::<AcknowledgedRing>("original", 5, OVERTAKING);
    breaks(&scene, 0..500, USUAL, &all(), "");
}

#[test]
fn forged_messages_are_survived() {
    survives(&scene::<ChangRoberts>("original", 4, COPIES));
    survives(&scene::<HirschbergSinclair>("original", 4, COPIES));
    for variant in ["original", "no-swallowing"] {
        survives(&scene::<AcknowledgedRing>(variant, 4, Faults { memory: Some(RestartState::Stored), ..CRASHES }));
    }
}

#[test]
fn one_alone_elects_itself_without_a_word() {
    fn alone<A: Algorithm>() {
        let stage = Script::<A>::begin("original initiators=all", 1);
        assert_eq!(stage.sent_in_all(), 0);
        assert_eq!(stage.variable(0, "coordinator"), Value::Number(0));
        assert_eq!(stage.objection(0, &Command::Elect), None);
    }
    alone::<ChangRoberts>();
    alone::<HirschbergSinclair>();
    alone::<AcknowledgedRing>();
}

#[test]
fn who_takes_part_objects_and_says_in_which_term() {
    fn objects<A: Algorithm>() {
        let stage = Script::<A>::begin("original initiators=1", 3);
        let busy = "the election of term 1 is in progress here; wait for its end";
        assert_eq!(stage.objection(1, &Command::Elect).as_deref(), Some(busy));
        assert_eq!(stage.objection(0, &Command::Elect), None);
    }
    objects::<ChangRoberts>();
    objects::<HirschbergSinclair>();
    objects::<AcknowledgedRing>();
}

/// RNG-1: the ring skips a crashed successor, also while the COORD circulates.
#[test]
fn a_dead_successor_is_skipped() {
    let mut stage = Script::<AcknowledgedRing>::begin("original initiators=none", 8);
    stage.crash(7);
    stage.elect(3);
    stage.deliver_all();
    stage.run_out(6, Timer::Answer { candidate: NodeId(6) });
    stage.deliver_all();
    assert!((0..7).all(|node| stage.variable(node, "coordinator") == Value::Number(6)));
    let sent = ["ELECT", "OK", "COORD"].map(|kind| stage.sent(kind));
    assert_eq!(sent, [3 + 8, 3 + 7, 7], "d = 3; one ELECT is not acknowledged");
}

/// A candidate crashes while its id circulates. When a process receives this id a second time, it calls another
/// election.
#[test]
fn the_id_of_a_dead_candidate_does_not_circle_for_ever() {
    let mut stage = Script::<AcknowledgedRing>::begin("original initiators=2", 3);
    stage.deliver("ELECT", 2, 0);
    stage.crash(2);
    stage.deliver_all();
    stage.run_out(1, Timer::Answer { candidate: NodeId(2) });
    let called = stage.deliver("ELECT", 1, 0).outcomes;
    assert_eq!(called, [Outcome::called(2)]);
}

/// In the lecture's variant, a process compares a received id only with its own id. So it replaces each smaller id
/// with its own, even if it has already sent a greater id.
#[test]
fn without_swallowing_everybody_sends_its_own_id_on_each_time() {
    for (variant, sent) in [("original", 0), ("no-swallowing", 1)] {
        let mut stage = Script::<AcknowledgedRing>::begin(&format!("{variant} initiators=0,1"), 3);
        let before = stage.sent("ELECT");
        stage.deliver("ELECT", 0, 1);
        assert_eq!(stage.sent("ELECT") - before, sent, "1 takes part, and 0 is smaller: {variant}");
    }
}

/// In the variant `no-swallowing`, processes do not remember which ids they have forwarded. If an id has made more
/// hops than the ring has processes, the candidate with this id has crashed.
#[test]
fn without_swallowing_the_id_of_a_dead_candidate_does_not_circle_for_ever() {
    let mut stage = Script::<AcknowledgedRing>::begin("no-swallowing initiators=2", 3);
    stage.deliver("ELECT", 2, 0);
    stage.crash(2);
    stage.deliver_all();
    stage.run_out(1, Timer::Answer { candidate: NodeId(2) });
    stage.deliver_all();
    let called = stage.told().into_iter().filter(|(_, told)| matches!(told, Outcome::Called { term: 2, .. })).count();
    assert!(called > 0, "{:?}", stage.told());
}

#[test]
fn only_the_predecessor_is_heard() {
    let mut stage = Script::<ChangRoberts>::begin("original initiators=none", 4);
    let before = stage.state(1).clone();
    for message in [
        ChangRobertsMessage::Elect { term: 1, candidate: NodeId(3) },
        ChangRobertsMessage::Coord { term: 1, leader: NodeId(3) },
    ] {
        assert_eq!(stage.forge(2, 1, message).outcomes, []);
        assert_eq!(*stage.state(1), before);
    }
}
