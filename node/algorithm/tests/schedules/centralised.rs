//! The central coordinator.

use interlock_algorithm::mutual_exclusion::centralised::{Centralised, Reason, Timer};
use interlock_algorithm::{NodeId, Outcome, Value};

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::costs::{costs, count};
use crate::driver::exhaustive::{Broken, breaks, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::exclusion_and_order;
use crate::driver::script::Script;

type Stage = Script<Centralised>;

const VARIANTS: [&str; 3] = ["arrival-order", "timestamp-order", "arrival-order coordinator=1"];

#[test]
fn every_schedule_of_a_small_run_is_right_whatever_overtakes_or_comes_twice() {
    for variant in VARIANTS {
        for channel in [FIFO, OVERTAKING, Faults { copies: 1, ..OVERTAKING }] {
            holds::<Centralised>(variant, 2, 2, channel);
            holds::<Centralised>(variant, 3, 1, channel);
        }
    }
    holds::<Centralised>("arrival-order", 1, 2, FIFO);
    holds::<Centralised>("arrival-order", 3, 2, OVERTAKING);
}

/// If processes exchange no application messages, the coordinator also grants in the happened-before order of
/// requests.
#[test]
fn schedules_drawn_at_random_are_right_and_three_messages_are_the_price_of_all_but_the_coordinator() {
    for variant in ["arrival-order", "timestamp-order"] {
        for channel in [FIFO, OVERTAKING] {
            costs::<Centralised>(variant, 1..=6, channel, &exclusion_and_order(), |sent, nodes, entries| {
                ["REQUEST", "GRANT", "RELEASE"].iter().all(|kind| count(sent, kind) == (nodes - 1) * entries)
            });
        }
    }
}

#[test]
fn an_entry_alone_costs_three_messages_or_none() {
    let mut stage = Stage::begin("arrival-order coordinator=2", 4);
    assert_eq!([0, 1, 2, 3].map(|node| stage.enter_alone(node)), [3, 3, 0, 3]);
}

#[test]
fn a_lost_message_is_missed() {
    let steps = breaks::<Centralised>("arrival-order", 2, 1, Faults { losses: 1, ..FIFO }, Broken::Progress);
    assert!(steps.iter().any(|step| step.starts_with("lose")), "{steps:?}");
}

/// While process 0 is in the critical section, processes 1 and 2 request it. The request of 2 is younger but
/// arrives first. Returns the process that enters after 0.
fn next(variant: &str) -> Vec<u32> {
    let mut stage = Stage::begin(variant, 3);
    stage.enter_alone(2);
    stage.acquire(0);
    assert_eq!(stage.inside(), [0]);
    stage.acquire(1);
    stage.acquire(2);
    let clock = |stage: &Stage, node| stage.view(node).request.expect("a request").clock;
    assert!(clock(&stage, 1) < clock(&stage, 2));
    stage.deliver("REQUEST", 2, 0);
    stage.deliver("REQUEST", 1, 0);
    assert_eq!(stage.view(1).waits_for, [NodeId(0)]);
    assert_eq!(stage.variable(0, "holder"), Value::Number(0));
    stage.release(0);
    stage.deliver_all();
    stage.inside()
}

#[test]
fn who_is_next_depends_on_the_order_of_the_queue() {
    assert_eq!(next("arrival-order"), [2]);
    assert_eq!(next("timestamp-order"), [1]);
}

/// The coordinator orders only waiting requests. An older request that arrives after a grant cannot change this
/// grant.
#[test]
fn an_older_request_that_arrives_after_the_grant_is_late() {
    let mut stage = Stage::begin("timestamp-order", 3);
    stage.enter_alone(2);
    stage.acquire(1);
    stage.acquire(2);
    stage.deliver("REQUEST", 2, 0);
    stage.deliver("REQUEST", 1, 0);
    stage.deliver_all();
    assert_eq!(stage.inside(), [2]);
}

#[test]
fn copies_are_recognised() {
    let mut stage = Stage::begin("arrival-order", 2);
    stage.acquire(1);
    stage.copy("REQUEST", 1, 0);
    stage.deliver("REQUEST", 1, 0);
    let copy = stage.deliver("REQUEST", 1, 0);
    assert!(matches!(copy.reasons[..], [Reason::Outdated { .. }]), "{copy:?}");
    stage.copy("GRANT", 0, 1);
    stage.deliver("GRANT", 0, 1);
    assert_eq!(stage.deliver("GRANT", 0, 1).reasons, [Reason::UnexpectedGrant { from: NodeId(0) }]);
}

#[test]
fn forged_messages_are_survived() {
    survives(&Scene::<Centralised>::new("arrival-order", 3, OVERTAKING, lockers(20)));
    survives(&Scene::<Centralised>::new("timestamp-order", 3, OVERTAKING, lockers(20)));
}

/// Returns the fencing tokens of all entries so far.
fn fences(stage: &Stage) -> Vec<u64> {
    let fence = |(_, outcome)| if let Outcome::Entered { fence, .. } = outcome { fence } else { None };
    stage.told().into_iter().filter_map(fence).collect()
}

/// Returns a run in which P1 is in the critical section and P2 waits.
fn leased() -> Stage {
    let mut stage = Stage::begin("lease", 3);
    for node in [1, 2] {
        stage.acquire(node);
        stage.deliver_all();
    }
    assert_eq!(stage.inside(), [1]);
    stage
}

#[test]
fn a_lease_is_taken_back_from_the_dead() {
    let mut stage = leased();
    stage.crash(1);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0; 0], "nobody knows");
    stage.run_out(0, Timer::Lease);
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.at_most_one_inside(), fences(&stage)), (vec![2], Ok(()), vec![1, 2]));
}

/// The lease of a slow process is revoked, and another process enters with a newer fencing token. The RELEASE that
/// the slow process later sends must not let a third process enter.
#[test]
fn a_lease_that_is_taken_back_from_the_slow_lets_two_in() {
    let mut stage = leased();
    stage.run_out(0, Timer::Lease);
    stage.deliver_all();
    assert_eq!((stage.inside(), fences(&stage)), (vec![1, 2], vec![1, 2]));
    assert!(stage.at_most_one_inside().is_err());
    stage.acquire(0);
    stage.release(1);
    stage.deliver_all();
    assert_eq!(stage.inside(), [2], "the lease of P2 goes on");
    stage.release(2);
    stage.deliver_all();
    assert_eq!((stage.inside(), fences(&stage)), (vec![0], vec![1, 2, 3]));
}

#[test]
fn a_lease_that_ends_in_time_is_not_taken_back() {
    let mut stage = leased();
    stage.release(1);
    stage.deliver_all();
    assert_eq!(stage.inside(), [2]);
    stage.release(2);
    stage.deliver_all();
    assert!(stage.pending().is_empty());
}
