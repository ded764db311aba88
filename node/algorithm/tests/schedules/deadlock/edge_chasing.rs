//! Edge chasing: a process detects a deadlock if its own probe comes back. Some probes do not come back.

use interlock_algorithm::deadlock::edge_chasing::EdgeChasing;
use interlock_algorithm::{AbortCause, Command, LockId, NodeId, Outcome, RequestId, Value};

use super::loads::{LONG, mixed, philosophers};
use super::truth::all_finish_and_reports_are_true;
use crate::driver::Scene;
use crate::driver::clients::nobody;
use crate::driver::faults::{Faults, OVERTAKING};
use crate::driver::random::{breaks, holds};
use crate::driver::script::Script;

fn acquire(lock: u32, request: u64) -> Command {
    Command::Acquire { lock: LockId(lock), request: RequestId(request) }
}

#[test]
fn every_deadlock_is_found_and_none_that_never_was() {
    for variant in ["original", "highest"] {
        for plan in [philosophers, mixed] {
            let scene =
                Scene::<EdgeChasing>::new(variant, 5, Faults { copies: 5, ..OVERTAKING }, nobody()).working(2, plan);
            holds(&scene, 0..60, LONG, &all_finish_and_reports_are_true());
        }
    }
}

/// If processes request all resources at the same time, a process may wait for several others. Probes travel along
/// all waits of such a process.
#[test]
fn every_deadlock_is_found_where_several_resources_are_waited_for() {
    for variant in ["original", "highest"] {
        for plan in [philosophers, mixed] {
            let variant = format!("{variant} requests=at-once");
            let scene =
                Scene::<EdgeChasing>::new(&variant, 5, Faults { copies: 5, ..OVERTAKING }, nobody()).working(2, plan);
            holds(&scene, 0..100, LONG, &all_finish_and_reports_are_true());
        }
    }
}

fn together(locks: &[u32]) -> Command {
    Command::AcquireTogether { locks: locks.iter().copied().map(LockId).collect(), request: RequestId(1) }
}

/// P0 waits for resources of P1 and P2. P1 waits for no process, and P2 waits for P0. A probe that travels along
/// only one wait of P0 may miss the cycle.
#[test]
fn a_probe_goes_on_along_every_wait() {
    let mut stage = Script::<EdgeChasing>::begin("original requests=at-once", 3);
    for (node, locks) in [(1, &[1][..]), (2, &[0, 2]), (0, &[0, 1, 2])] {
        stage.acquire_together(node, locks);
    }
    stage.deliver_all_but(|from, to| (from, to) == (2, 0));
    stage.deliver("WAIT", 2, 0);
    stage.deliver_all_but(|from, to| (from, to) == (2, 0));
    assert_eq!(stage.view(0).variables["blocked_on"], Value::Numbers(vec![1, 2]), "it waits for both");
    stage.deliver("REQUEST", 2, 0);
    stage.deliver("WAIT", 0, 2);
    let before = stage.sent("PROBE");
    stage.deliver("PROBE", 2, 0);
    assert_eq!(stage.sent("PROBE") - before, 2, "one along each of its waits");
    assert_eq!(stage.deliver("PROBE", 0, 1).outcomes, [], "1 is not blocked");
    let told = stage.deliver("PROBE", 0, 2).outcomes;
    assert_eq!(told.first(), Some(&Outcome::Reported { cycle: vec![NodeId(2), NodeId(0)], victim: NodeId(2) }));
}

/// By default, a client must not request a resource while another request is pending. With `at-once`, it may do so,
/// but not twice for the same resource.
#[test]
fn how_many_it_may_wait_for_is_a_parameter() {
    let mut one = Script::<EdgeChasing>::begin("original", 3);
    one.acquire_lock(1, 0);
    let objection = one.objection(1, &acquire(2, 1));
    assert_eq!(objection.as_deref(), Some("it still waits for resource 0; it requests one at a time"));
    let mut several = Script::<EdgeChasing>::begin("original requests=at-once", 3);
    several.acquire_lock(1, 0);
    assert_eq!(several.objection(1, &acquire(2, 1)), None);
    assert_eq!(several.objection(1, &acquire(0, 1)).as_deref(), Some("it waits for resource 0 already"));
    assert_eq!(several.objection(1, &together(&[0, 2])).as_deref(), Some("it waits for resource 0 already"));
    let other = several.objection(1, &acquire(2, 2));
    assert_eq!(other.as_deref(), Some("it waits for resource 0 with request 1; it has one transaction at a time"));
}

#[test]
fn who_is_not_blocked_must_not_send_probes_on() {
    let scene = Scene::<EdgeChasing>::new("forwards-unblocked", 5, OVERTAKING, nobody()).working(3, mixed);
    breaks(&scene, 0..2_000, LONG, &all_finish_and_reports_are_true(), "phantom");
}

/// P0 waits for P1. P1 and P2 wait for each other, so P1 gives up. Only then does P2 request a resource of P0. P1
/// has forwarded a probe of P0 to P2. Returns the outcomes when this probe comes back to P0. If `is_told_in_time` is
/// true, P0 was notified of the new holder before the probe comes back.
fn probe_by_way_of_who_gave_up(is_told_in_time: bool) -> Vec<Outcome> {
    let mut stage = Script::<EdgeChasing>::begin("original", 3);
    for node in 0..3 {
        stage.acquire_lock(node, node);
    }
    for (node, lock) in [(2, 1), (0, 1), (1, 2)] {
        stage.acquire_lock(node, lock);
        stage.deliver("REQUEST", node, lock);
        stage.deliver("WAIT", lock, node);
    }
    stage.deliver("PROBE", 0, 1);
    stage.deliver("PROBE", 1, 2);
    stage.deliver("PROBE", 2, 1);
    let told = stage.deliver("PROBE", 2, 1).outcomes;
    assert_eq!(told.first(), Some(&Outcome::Reported { cycle: vec![NodeId(1), NodeId(2)], victim: NodeId(1) }));
    stage.deliver("GRANT", 1, 2);
    stage.acquire_lock(2, 0);
    stage.deliver("REQUEST", 2, 0);
    stage.deliver("WAIT", 0, 2);
    stage.deliver("PROBE", 1, 2);
    if is_told_in_time {
        stage.deliver("WAIT", 1, 0);
    }
    stage.deliver("PROBE", 2, 0);
    stage.deliver("PROBE", 2, 0).outcomes
}

/// The paper assumes that a blocked process stays blocked, but here P1 gives up. So P0 reports a cycle of P0, P1 and
/// P2 that never existed.
#[test]
fn a_probe_may_outlive_the_wait_of_who_gave_up() {
    let circle = Outcome::Reported { cycle: vec![NodeId(0), NodeId(1), NodeId(2)], victim: NodeId(0) };
    assert_eq!(probe_by_way_of_who_gave_up(false).first(), Some(&circle));
    assert_eq!(probe_by_way_of_who_gave_up(true), [], "it knows that it waits for P2 now, and its probe went to P1");
}

/// Returns a run in which each philosopher has one fork and requests the next fork. No probe has arrived yet.
fn circle(variant: &str, nodes: u32) -> Script<EdgeChasing> {
    let mut stage = Script::begin(variant, nodes);
    for node in 0..nodes {
        stage.acquire_lock(node, node);
    }
    for node in 0..nodes {
        stage.acquire_lock(node, (node + 1) % nodes);
    }
    // All processes are notified that they are blocked before any probe arrives.
    for node in 0..nodes {
        stage.deliver("REQUEST", node, (node + 1) % nodes);
    }
    for node in 0..nodes {
        stage.deliver("WAIT", (node + 1) % nodes, node);
    }
    stage
}

fn victims(stage: &Script<EdgeChasing>) -> Vec<u32> {
    let aborted = |outcome: &Outcome| matches!(outcome, Outcome::Aborted { cause: AbortCause::Victim, .. });
    stage.told().into_iter().filter(|(_, outcome)| aborted(outcome)).map(|(node, _)| node.0).collect()
}

/// Repeatedly delivers the first probe on each link in turn, until a probe can have gone round the cycle. So all
/// probes advance at the same speed.
fn probes_go_round(stage: &mut Script<EdgeChasing>, nodes: u32) {
    for node in 0..nodes * nodes {
        let (from, to) = (node % nodes, (node + 1) % nodes);
        if !stage.link(from, to).is_empty() {
            stage.deliver("PROBE", from, to);
        }
    }
}

#[test]
fn begun_by_several_at_once_several_give_up() {
    let mut stage = circle("original", 3);
    probes_go_round(&mut stage, 3);
    assert!(victims(&stage).len() > 1, "{:?}", victims(&stage));
}

#[test]
fn by_the_rule_only_the_highest_gives_up() {
    let mut stage = circle("highest", 3);
    stage.deliver_all();
    assert_eq!(victims(&stage), [2]);
}

/// The process that blocks last detects the cycle. Its probe lists the waiting processes.
#[test]
fn a_probe_names_the_circle() {
    let mut stage = Script::<EdgeChasing>::begin("original", 2);
    stage.acquire_lock(0, 0);
    stage.acquire_lock(1, 1);
    stage.acquire_lock(0, 1);
    stage.deliver("REQUEST", 0, 1);
    let blocked = Outcome::Blocked { lock: LockId(1), request: RequestId(1), on: vec![NodeId(1)] };
    assert_eq!(stage.deliver("WAIT", 1, 0).outcomes, [blocked]);
    assert_eq!(stage.deliver("PROBE", 0, 1).outcomes, [], "1 is not blocked: the probe ends there");
    stage.acquire_lock(1, 0);
    stage.deliver("REQUEST", 1, 0);
    stage.deliver("WAIT", 0, 1);
    stage.deliver("PROBE", 1, 0);
    let told = stage.deliver("PROBE", 0, 1).outcomes;
    assert_eq!(told.first(), Some(&Outcome::Reported { cycle: vec![NodeId(1), NodeId(0)], victim: NodeId(1) }));
    assert_eq!(told.len(), 3, "it leaves what it has, and gives up: {told:?}");
}
