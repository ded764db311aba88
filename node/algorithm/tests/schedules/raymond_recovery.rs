//! Raymond's algorithm with crashes. A restarted process asks its neighbours for the state that it has lost.

use interlock_algorithm::mutual_exclusion::raymond::{Raymond, Reason};
use interlock_algorithm::{NodeId, Value};
use interlock_model::event::RestartState;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::exhaustive::holds;
use crate::driver::faults::{FIFO, Faults};
use crate::driver::random::{Rules, USUAL, breaks, holds as holds_at_random};
use crate::driver::run::{Run, Verdict};
use crate::driver::script::Script;

type Stage = Script<Raymond>;

const MORTAL: Faults = Faults { crashes: 1, memory: Some(RestartState::None), ..FIFO };

/// Checks that at most one process is in the critical section at a time. The check considers the current states of
/// the processes, not happened-before. If a process leaves and then crashes, happened-before does not show that the
/// process left before the next entry.
fn one_at_a_time(run: &Run<'_, Raymond>) -> Verdict {
    let inside = run.inside();
    if inside.len() > 1 { Err(format!("two in the section: {inside:?}")) } else { Ok(()) }
}

const RULES: Rules<Raymond> = Rules { always: one_at_a_time, in_the_end: |run| run.nobody_waits() };

#[test]
fn every_schedule_of_a_small_run_is_right() {
    for (variant, nodes, entries) in
        [("recovery", 1, 2), ("recovery", 2, 2), ("recovery tree=line", 3, 1), ("recovery tree=line holder=1", 3, 1)]
    {
        holds::<Raymond>(variant, nodes, entries, FIFO);
    }
    for (variant, nodes) in [("recovery", 2), ("recovery tree=line holder=1", 3)] {
        holds::<Raymond>(variant, nodes, 1, MORTAL);
    }
}

#[test]
fn whoever_dies_and_comes_back_nobody_waits_for_ever() {
    for variant in ["recovery tree=line", "recovery tree=star", "recovery holder=3", "recovery tree=random:5"] {
        holds_at_random(&Scene::<Raymond>::new(variant, 5, MORTAL, lockers(3)), 0..100, USUAL, &RULES);
    }
}

#[test]
fn who_acts_on_the_first_answer_breaks_it() {
    let scene = Scene::<Raymond>::new("hasty-recovery tree=line holder=2", 3, MORTAL, lockers(3));
    let safety = Rules { in_the_end: |_| Ok(()), ..RULES };
    breaks(&scene, 0..1_000, USUAL, &safety, "two in the section");
    breaks(&scene, 11..12, USUAL, &RULES, "stuck");
}

/// On the line P0, P1, P2, P1 crashes in the critical section while the requests of P0 and P2 are pending. After
/// its restart, P1 is outside the section, has the privilege, and grants both requests.
#[test]
fn who_dies_inside_has_the_privilege_when_it_is_back() {
    let mut stage = Stage::begin("recovery tree=line holder=1", 3);
    for node in [1, 0, 2] {
        stage.acquire(node);
        stage.deliver_all();
    }
    stage.crash(1);
    stage.restart(1, RestartState::None);
    stage.deliver("RESTART", 1, 0);
    stage.deliver("RESTART", 1, 2);
    assert_eq!(stage.deliver("ADVISE", 0, 1).sent, [], "not all have advised");
    assert_eq!(stage.deliver("ADVISE", 2, 1).reasons[0], Reason::Recovered { holder: NodeId(1) });
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.waiting()), (vec![0], vec![2]));
    stage.release(0);
    stage.deliver_all();
    assert_eq!(stage.inside(), [2]);
}

/// Two cases of a privilege in transit to P1. The privilege from P2 arrives while P1 is down. Later, P1 crashes and
/// restarts while the privilege from P0 is in transit, and this privilege arrives after P0 has sent ADVISE.
#[test]
fn a_privilege_under_way_is_neither_lost_nor_doubled() {
    let mut stage = Stage::begin("recovery tree=line holder=2", 3);
    stage.acquire(0);
    stage.deliver("REQUEST", 0, 1);
    stage.deliver("REQUEST", 1, 2);
    stage.crash(1);
    stage.deliver("PRIVILEGE", 2, 1);
    stage.restart(1, RestartState::None);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0]);
    stage.release(0);
    stage.acquire(2);
    stage.deliver("REQUEST", 2, 1);
    stage.deliver("REQUEST", 1, 0);
    stage.crash(1);
    stage.restart(1, RestartState::None);
    stage.deliver("RESTART", 1, 0);
    stage.deliver("PRIVILEGE", 0, 1);
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.variable(1, "HOLDER")), (vec![2], Value::Number(2)));
}
