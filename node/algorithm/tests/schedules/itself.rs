//! The driver itself: it finds what is known to break, and lets what is right be.

use interlock_algorithm::mutual_exclusion::centralised::{Centralised, CentralisedMessage};
use interlock_algorithm::mutual_exclusion::dijkstra_ring::DijkstraRing;
use interlock_algorithm::mutual_exclusion::lamport::Lamport;
use interlock_algorithm::{Algorithm, Command, LockId, NodeId, Outcome, RequestId, Value};

use crate::driver::Scene;
use crate::driver::clients::{Doing, doing, listed, lockers};
use crate::driver::faults::{Faults, Memory, NONE, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::play::{Rules, USUAL, Verdict, breaks, holds, play};
use crate::driver::script::Script;
use crate::driver::world::World;

const LOCK: LockId = LockId(0);

fn at_most_one<A: Algorithm>(world: &World<A>) -> Verdict {
    let inside = |node: &NodeId| matches!(doing(world, *node, LOCK), Doing::InSection(_));
    let inside: Vec<_> = world.up().map(|(node, _)| node).filter(inside).collect();
    if inside.len() > 1 { Err(format!("two in the section: {inside:?}")) } else { Ok(()) }
}

fn nobody_waits<A: Algorithm>(world: &World<A>) -> Verdict {
    let waits = |node: &NodeId| matches!(doing(world, *node, LOCK), Doing::Wanting(_));
    let waiting: Vec<_> = world.up().map(|(node, _)| node).filter(waits).collect();
    if waiting.is_empty() { Ok(()) } else { Err(format!("stuck: {waiting:?}")) }
}

const fn exclusion<A: Algorithm>() -> Rules<A> {
    Rules { always: at_most_one, in_the_end: nobody_waits }
}

fn scene<A: Algorithm>(faults: Faults) -> Scene<A> {
    Scene::new(A::ENTRY.variants[0].name, 3, faults, lockers(LOCK, 3))
}

#[test]
fn what_is_right_keeps_the_rules_and_everybody_enters() {
    let copies = Faults { copies: 5, ..OVERTAKING };
    holds(&scene::<Centralised>(copies), 0..200, USUAL, &exclusion());
    holds(&scene::<Lamport>(NONE), 0..200, USUAL, &exclusion());
    let world = play(&scene::<Centralised>(copies), 0, USUAL, &exclusion()).expect("a run that is right");
    let entered = world.told().filter(|(_, outcome)| matches!(outcome, Outcome::Entered { .. })).count();
    assert_eq!((entered, world.faults.copies), (9, 0));
}

#[test]
fn what_is_wrong_is_caught() {
    breaks(&scene::<Lamport>(OVERTAKING), 0..1_000, USUAL, &exclusion(), "two in the section");
    breaks(&scene::<Centralised>(Faults { losses: 1, ..NONE }), 0..1_000, USUAL, &exclusion(), "stuck");
    let crash = Faults { crashes: 1, memory: Some(Memory::Nothing), ..NONE };
    breaks(&scene::<Centralised>(crash), 0..1_000, USUAL, &exclusion(), "");
}

#[test]
fn the_same_seed_is_the_same_run() {
    let faults = Faults { losses: 2, copies: 2, crashes: 2, memory: Some(Memory::Stored), ..OVERTAKING };
    let anything = Rules { always: |_| Ok(()), in_the_end: |_| Ok(()) };
    let log = |seed| play(&scene::<Lamport>(faults), seed, USUAL, &anything).expect("no rule is broken").log;
    assert_eq!(log(7), log(7));
    assert_ne!(log(7), log(8));
}

#[test]
fn what_arrives_at_a_node_that_is_down_is_lost() {
    let mut stage = Script::<Centralised>::new("arrival-order", 2);
    stage.crash(0);
    stage.command(1, Command::Acquire { lock: LOCK, request: RequestId(1) });
    assert_eq!(stage.deliver("REQUEST", 1, 0), []);
    stage.restart(0, Memory::Nothing);
    stage.deliver_all();
    assert_eq!((stage.sent("REQUEST"), stage.sent("GRANT")), (1, 0));
}

#[test]
fn a_script_can_lose_forge_and_look() {
    let mut stage = Script::<Centralised>::new("arrival-order coordinator=1", 2);
    stage.command(0, Command::Acquire { lock: LOCK, request: RequestId(1) });
    stage.lose("REQUEST", 0, 1);
    stage.deliver_all_but(|_, _| false);
    assert_eq!(stage.variable(1, "busy"), Value::Flag(false));
    let request = stage.view(0).request.expect("a request").clock;
    let entered = stage.forge(1, 0, CentralisedMessage::Grant { clock: 7, request });
    assert_eq!(entered, [Outcome::Entered { lock: LOCK, request: RequestId(1), fence: None }]);
}

#[test]
fn the_timer_that_is_due_first_runs_out_first() {
    let mut stage = Script::<DijkstraRing>::new("message-passing", 3);
    let Some((node, timer)) = stage.run_out_first() else { panic!("no timer") };
    assert!(node < 3);
    stage.run_out(0, timer);
}

#[test]
fn a_client_gives_its_commands_in_order() {
    let wanted = |request| Command::Acquire { lock: LOCK, request: RequestId(request) };
    let leave = Command::Release { lock: LOCK, request: RequestId(1) };
    let commands = vec![(1, wanted(1)), (0, wanted(1)), (1, leave.clone())];
    let scene = Scene::<Centralised>::new("arrival-order", 2, NONE, listed(commands));
    let world = play(&scene, 3, USUAL, &Rules { always: |_| Ok(()), in_the_end: |_| Ok(()) }).expect("no rule");
    assert!(world.commanded(NodeId(1)).eq([&wanted(1), &leave]));
}

#[test]
fn forged_messages_are_survived() {
    survives(&scene::<Centralised>(OVERTAKING));
}
