//! Tests of the driver itself: it must find known violations, and must report no violation in correct algorithms.

use interlock_algorithm::mutual_exclusion::centralised::{Centralised, CentralisedMessage};
use interlock_algorithm::mutual_exclusion::dijkstra_ring::DijkstraRing;
use interlock_algorithm::mutual_exclusion::lamport::Lamport;
use interlock_algorithm::{Algorithm, LockId, NodeId, Outcome, RequestId, Value};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;

use crate::driver::Scene;
use crate::driver::clients::{listed, lockers};
use crate::driver::costs::{costs, count};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{Draws, Rules, USUAL, breaks, exclusion, holds, play, shrunk};
use crate::driver::run::Run;
use crate::driver::script::Script;

/// Returns rules that every run satisfies.
const fn anything<A: Algorithm>() -> Rules<A> {
    Rules { always: |_| Ok(()), in_the_end: |_| Ok(()) }
}

fn scene<A: Algorithm>(faults: Faults) -> Scene<A> {
    Scene::new(A::ENTRY.variants[0].name, 3, faults, lockers(3))
}

#[test]
fn what_is_right_keeps_the_rules_and_everybody_enters() {
    let copies = Faults { copies: 5, ..OVERTAKING };
    holds(&scene::<Centralised>(copies), 0..100, USUAL, &exclusion());
    holds(&scene::<Lamport>(FIFO), 0..100, USUAL, &exclusion());
    let entered = |(_, outcome): &(NodeId, Outcome)| matches!(outcome, Outcome::Entered { .. });
    let seen = |run: &Run<'_, _>| (run.told().into_iter().filter(entered).count(), run.faults.copies);
    let played = play(&scene::<Centralised>(copies), &mut Draws::new(0), USUAL, &exclusion(), seen);
    assert_eq!(played, Ok((9, 0)));
}

#[test]
fn what_is_wrong_is_caught() {
    breaks(&scene::<Lamport>(OVERTAKING), 0..1_000, USUAL, &exclusion(), "two in the section");
    breaks(&scene::<Centralised>(Faults { losses: 1, ..FIFO }), 0..1_000, USUAL, &exclusion(), "stuck");
    let crash = Faults { crashes: 1, memory: Some(RestartState::None), ..FIFO };
    breaks(&scene::<Centralised>(crash), 0..1_000, USUAL, &exclusion(), "");
}

#[test]
fn the_same_seed_is_the_same_run() {
    let faults = Faults { losses: 2, copies: 2, crashes: 2, memory: Some(RestartState::Stored), ..OVERTAKING };
    let log = |seed| {
        play(&scene::<Lamport>(faults), &mut Draws::new(seed), USUAL, &anything(), |run| run.log().to_vec())
            .expect("no rule is broken")
    };
    assert_eq!(log(7), log(7));
    assert_ne!(log(7), log(8));
}

#[test]
fn what_arrives_at_a_node_that_is_down_is_lost() {
    let mut stage = Script::<Centralised>::begin("arrival-order", 2);
    stage.crash(0);
    stage.acquire(1);
    assert_eq!(stage.deliver("REQUEST", 1, 0).outcomes, []);
    stage.restart(0, RestartState::None);
    stage.deliver_all();
    assert_eq!((stage.sent("REQUEST"), stage.sent("GRANT")), (1, 0));
}

#[test]
fn a_script_can_lose_forge_and_look() {
    let mut stage = Script::<Centralised>::begin("arrival-order coordinator=1", 2);
    stage.acquire(0);
    stage.lose("REQUEST", 0, 1);
    stage.deliver_all_but(|_, _| false);
    assert_eq!(stage.variable(1, "busy"), Value::Flag(false));
    let request = stage.view(0).request.expect("a request").clock;
    let entered = stage.forge(1, 0, CentralisedMessage::Grant { clock: 7, request, fence: None }).outcomes;
    assert_eq!(entered, [Outcome::Entered { lock: LockId(0), request: RequestId(1), fence: None }]);
}

#[test]
fn the_timer_that_is_due_first_runs_out_first() {
    let mut stage = Script::<DijkstraRing>::begin("message-passing", 3);
    let Some((node, timer)) = stage.run_out_first() else { panic!("no timer") };
    assert!(node < 3);
    stage.run_out(0, timer);
}

#[test]
fn a_client_gives_its_commands_in_order() {
    let (lock, hold) = (LockId(0), None);
    let wanted = |node| Choice::Acquire { node: NodeId(node), lock, hold };
    let leave = |node| Choice::Release { node: NodeId(node), lock };
    let orders = vec![wanted(1), wanted(0), leave(1), leave(0)];
    let scene = Scene::<Centralised>::new("arrival-order", 2, FIFO, listed(orders));
    let ordered = |run: &Run<'_, _>| run.ordered(NodeId(1)).to_vec();
    assert_eq!(play(&scene, &mut Draws::new(3), USUAL, &anything(), ordered), Ok(vec![wanted(1), leave(1)]));
}

#[test]
fn forged_messages_are_survived() {
    survives(&scene::<Centralised>(OVERTAKING));
}

#[test]
fn draws_that_are_not_needed_are_left_out() {
    let fails = |list: &[u64]| list.contains(&3) && list.iter().filter(|&&number| number == 7).count() >= 2;
    assert_eq!(shrunk([3, 5, 7, 1].repeat(25), &fails), [7, 3, 7]);
}

#[test]
#[should_panic(expected = "cost: {\"GRANT\": ")]
fn a_wrong_cost_is_reported() {
    costs::<Centralised>("arrival-order", 2..=2, FIFO, &exclusion(), |sent, _, _| count(sent, "GRANT") == 0);
}
