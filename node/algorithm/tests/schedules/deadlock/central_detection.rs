//! Central detection of deadlocks. The coordinator detects all cycles, some of them too late, and reports cycles
//! that never existed.

use interlock_algorithm::deadlock::central_detection::{CentralDetection, Timer};
use interlock_algorithm::{AbortCause, LockId, NodeId, Outcome, RequestId, Value};

use super::loads::{LONG, mixed, philosophers};
use super::truth::{all_finish, all_finish_and_reports_are_true};
use crate::driver::Scene;
use crate::driver::clients::nobody;
use crate::driver::faults::{Faults, OVERTAKING};
use crate::driver::random::{breaks, holds};
use crate::driver::script::Script;

#[test]
fn every_deadlock_is_found_and_broken() {
    for plan in [philosophers, mixed] {
        let scene = Scene::<CentralDetection>::new("original", 5, Faults { copies: 5, ..OVERTAKING }, nobody())
            .working(2, plan);
        holds(&scene, 0..60, LONG, &all_finish());
    }
}

/// The reports to the coordinator may be outdated, so some of the detected cycles never existed (phantom
/// deadlocks).
#[test]
fn some_are_phantoms() {
    let scene = Scene::<CentralDetection>::new("original", 5, OVERTAKING, nobody()).working(3, mixed);
    breaks(&scene, 0..2_000, LONG, &all_finish_and_reports_are_true(), "phantom");
}

/// The wait-for graph of neither site has a cycle, but the union of both graphs has a cycle. Only the coordinator
/// detects this cycle.
#[test]
fn only_the_coordinator_sees_a_circle_over_two_sites() {
    let mut stage = Script::<CentralDetection>::begin("original coordinator=2", 3);
    for (node, own, other) in [(0, 0, 1), (1, 1, 0)] {
        stage.acquire_lock(node, own);
        stage.acquire_lock(node, other);
    }
    stage.deliver_all();
    stage.run_out(0, Timer::Report);
    assert_eq!(stage.deliver("REPORT", 0, 2).outcomes, []);
    assert_eq!(stage.variable(2, "waiting"), Value::Numbers(vec![1]));
    stage.run_out(1, Timer::Report);
    let cycle = vec![NodeId(0), NodeId(1)];
    assert_eq!(stage.deliver("REPORT", 1, 2).outcomes, [Outcome::Reported { cycle, victim: NodeId(1) }]);
    let told = stage.deliver("ABORT", 2, 1).outcomes;
    let aborted = Outcome::Aborted { request: RequestId(1), cause: AbortCause::Victim };
    assert_eq!(told, [Outcome::Exited { lock: LockId(1), request: RequestId(1) }, aborted]);
    stage.deliver_all();
    assert_eq!(stage.variable(0, "has"), Value::Numbers(vec![0, 1]));
}

/// Process 0 waits for process 1, and a site reports this wait. Process 1 releases the resource, and begins to wait
/// for 0 at the other site. The report of the second wait arrives before the report that 0 no longer waits.
#[test]
fn a_phantom_is_a_circle_that_never_was() {
    let mut stage = Script::<CentralDetection>::begin("original coordinator=2", 3);
    stage.acquire_lock(1, 1);
    stage.acquire_lock(0, 0);
    stage.acquire_lock(0, 1);
    stage.deliver("REQUEST", 0, 1);
    stage.run_out(1, Timer::Report);
    assert_eq!(stage.deliver("REPORT", 1, 2).outcomes, []);
    stage.release_lock(1, 1);
    stage.acquire_lock(1, 0);
    stage.deliver_all();
    stage.run_out(0, Timer::Report);
    let reported = stage.deliver("REPORT", 0, 2).outcomes;
    assert_eq!(reported, [Outcome::Reported { cycle: vec![NodeId(0), NodeId(1)], victim: NodeId(1) }]);
    assert!(matches!(stage.deliver("ABORT", 2, 1).outcomes[..], [Outcome::Aborted { cause: AbortCause::Victim, .. }]));
}

/// The same schedule with reports in order: the report that process 0 no longer waits arrives before the report of
/// the second wait.
#[test]
fn news_in_time_makes_no_phantom() {
    let mut stage = Script::<CentralDetection>::begin("original coordinator=2", 3);
    stage.acquire_lock(1, 1);
    stage.acquire_lock(0, 0);
    stage.acquire_lock(0, 1);
    stage.deliver("REQUEST", 0, 1);
    stage.run_out(1, Timer::Report);
    stage.deliver("REPORT", 1, 2);
    stage.release_lock(1, 1);
    stage.run_out(1, Timer::Report);
    stage.deliver("REPORT", 1, 2);
    stage.acquire_lock(1, 0);
    stage.deliver_all();
    stage.run_out(0, Timer::Report);
    assert_eq!(stage.deliver("REPORT", 0, 2).outcomes, []);
}

#[test]
fn where_nothing_changes_no_timer_is_set() {
    let mut stage = Script::<CentralDetection>::begin("original", 3);
    stage.acquire_lock(1, 0);
    stage.deliver_all();
    assert_eq!(stage.pending(), [], "nobody waits for anybody");
    stage.acquire_lock(2, 0);
    stage.deliver_all();
    assert_eq!(stage.run_out_first(), Some((0, Timer::Report)));
    stage.deliver_all();
    assert_eq!(stage.pending(), [], "what has been reported is not reported again");
}
