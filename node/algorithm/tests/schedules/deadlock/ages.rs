//! The algorithms wait-die and wound-wait: no cycle of waits occurs, and no process remains the youngest forever.

use interlock_algorithm::deadlock::wait_die::WaitDie;
use interlock_algorithm::deadlock::wound_wait::WoundWait;
use interlock_algorithm::{AbortCause, Algorithm, LockId, Outcome};

use super::loads::{LONG, mixed, philosophers};
use super::truth::all_finish;
use crate::driver::Scene;
use crate::driver::clients::nobody;
use crate::driver::faults::{Faults, OVERTAKING};
use crate::driver::random::{breaks, holds};
use crate::driver::script::Script;

/// Messages may overtake each other, and some may be duplicated.
const COPIES: Faults = Faults { copies: 5, ..OVERTAKING };

fn everybody_finishes<A: Algorithm>() {
    for plan in [philosophers, mixed] {
        let scene = Scene::<A>::new("original", 5, COPIES, nobody()).working(2, plan);
        holds(&scene, 0..60, LONG, &all_finish());
    }
}

fn deadlocks_if_ages_are_not_compared_again<A: Algorithm>() {
    let scene = Scene::<A>::new("ages-not-compared-again", 5, OVERTAKING, nobody()).working(3, mixed);
    breaks(&scene, 0..2_000, LONG, &all_finish(), "stuck");
}

#[test]
fn everybody_finishes_with_wait_die() {
    everybody_finishes::<WaitDie>();
}

#[test]
fn everybody_finishes_with_wound_wait() {
    everybody_finishes::<WoundWait>();
}

#[test]
fn ages_must_be_compared_again_in_wait_die() {
    deadlocks_if_ages_are_not_compared_again::<WaitDie>();
}

#[test]
fn ages_must_be_compared_again_in_wound_wait() {
    deadlocks_if_ages_are_not_compared_again::<WoundWait>();
}

/// Returns the timestamp of a node's current transaction.
fn began<A: Algorithm>(stage: &Script<A>, node: u32) -> u64 {
    stage.view(node).request.expect("a transaction").clock
}

fn aborted(told: &[Outcome]) -> Option<AbortCause> {
    told.iter().find_map(|outcome| match outcome {
        Outcome::Aborted { cause, .. } => Some(*cause),
        _ => None,
    })
}

/// A wounded transaction is repeated with its old timestamp. In the faulty variant, it is repeated with a new
/// timestamp.
#[test]
fn the_wounded_begins_again_as_old_as_it_was() {
    for (variant, kept) in [("original", true), ("timestamp-renewed", false)] {
        let mut stage = Script::<WoundWait>::begin(variant, 2);
        stage.acquire_lock(1, 1);
        stage.acquire_lock(0, 0);
        let before = began(&stage, 1);
        stage.acquire_lock(0, 1);
        assert_eq!(aborted(&stage.deliver("REQUEST", 0, 1).outcomes), Some(AbortCause::Wounded));
        stage.ask_again(1);
        assert_eq!(began(&stage, 1) == before, kept);
    }
}

/// A transaction that died is repeated with its old timestamp. In the faulty variant, it is repeated with a new
/// timestamp.
#[test]
fn a_timestamp_is_kept_when_a_transaction_begins_again() {
    for (variant, kept) in [("original", true), ("timestamp-renewed", false)] {
        let mut stage = Script::<WaitDie>::begin(variant, 2);
        stage.acquire_lock(0, 0);
        stage.acquire_lock(1, 1);
        stage.acquire_lock(1, 0);
        stage.deliver("REQUEST", 1, 0);
        let before = began(&stage, 1);
        assert_eq!(
            aborted(&stage.deliver("ABORT", 0, 1).outcomes),
            Some(AbortCause::Died),
            "1 is younger: the larger id"
        );
        stage.ask_again(1);
        assert_eq!(began(&stage, 1) == before, kept);
    }
}

#[test]
fn the_older_wounds_the_younger() {
    let mut stage = Script::<WoundWait>::begin("original", 2);
    stage.acquire_lock(1, 1);
    stage.acquire_lock(0, 0);
    stage.acquire_lock(0, 1);
    assert_eq!(
        aborted(&stage.deliver("REQUEST", 0, 1).outcomes),
        Some(AbortCause::Wounded),
        "1 keeps the resource itself"
    );
    let told = stage.deliver("GRANT", 1, 0).outcomes;
    assert!(matches!(told[..], [Outcome::Entered { lock: LockId(1), .. }]));
}

/// A process that has begun to release its resources waits for no resource. So it is not wounded, and may finish.
#[test]
fn who_is_giving_back_is_not_wounded() {
    let mut stage = Script::<WoundWait>::begin("original", 3);
    for lock in [1, 2] {
        stage.acquire_lock(2, lock);
        stage.deliver_all();
    }
    stage.acquire_lock(0, 0);
    stage.release_lock(2, 2);
    stage.acquire_lock(0, 1);
    stage.deliver("REQUEST", 0, 1);
    assert_eq!(stage.deliver("ABORT", 1, 2).outcomes, []);
    stage.release_lock(2, 1);
    stage.deliver_all();
    assert_eq!(stage.sent("ABORT"), 1);
}
