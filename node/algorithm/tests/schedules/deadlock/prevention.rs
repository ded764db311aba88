//! Deadlock prevention: each variant removes one of the four conditions of a deadlock, and the negative control
//! removes none.

use interlock_algorithm::deadlock::prevention::Prevention;
use interlock_algorithm::{AbortCause, Command, LockId, Outcome, RequestId};

use super::loads::{LONG, mixed, philosophers};
use super::truth::{all_finish, nobody_waits};
use crate::driver::Scene;
use crate::driver::clients::nobody;
use crate::driver::faults::{Faults, OVERTAKING};
use crate::driver::random::{Rules, breaks, holds};
use crate::driver::script::Script;

/// Messages may overtake each other, and some may be duplicated.
const COPIES: Faults = Faults { copies: 5, ..OVERTAKING };

fn acquire(lock: u32, request: u64) -> Command {
    Command::Acquire { lock: LockId(lock), request: RequestId(request) }
}

#[test]
fn philosophers_deadlock_when_all_four_conditions_hold() {
    let scene = Scene::<Prevention>::new("none", 5, COPIES, nobody()).working(3, philosophers);
    let seed = breaks(&scene, 0..1_000, LONG, &all_finish(), "stuck");
    assert!(seed < 100, "{seed}");
}

#[test]
fn without_one_of_them_they_do_not() {
    for variant in ["ordered", "together", "give-way"] {
        for plan in [philosophers, mixed] {
            let scene = Scene::<Prevention>::new(variant, 5, COPIES, nobody()).working(2, plan);
            holds(&scene, 0..60, LONG, &all_finish());
        }
    }
    let scene = Scene::<Prevention>::new("shared", 5, COPIES, nobody()).working(3, philosophers);
    holds(&scene, 0..60, LONG, &Rules { always: |_| Ok(()), in_the_end: nobody_waits });
}

/// A request for a resource with a lower number than a held resource is refused. So a client cannot cause a cycle.
#[test]
fn a_lower_resource_is_not_asked_for_by_who_has_a_higher_one() {
    let mut stage = Script::<Prevention>::begin("ordered", 5);
    stage.acquire_lock(1, 3);
    stage.deliver_all();
    let objection = stage.objection(1, &acquire(2, 1)).expect("an objection");
    assert_eq!(objection, "resources must be requested in ascending order, but it has resource 3, which comes after 2");
    assert_eq!(stage.objection(1, &acquire(4, 1)), None);
}

#[test]
fn what_a_transaction_cannot_do_is_objected_to() {
    let mut stage = Script::<Prevention>::begin("none", 3);
    assert_eq!(stage.objection(0, &acquire(3, 1)).as_deref(), Some("there is no resource 3; the resources are 0 … 2"));
    stage.acquire_lock(1, 0);
    assert_eq!(
        stage.objection(1, &acquire(2, 1)).as_deref(),
        Some("it still waits for resource 0; it requests one at a time")
    );
    stage.deliver_all();
    stage.acquire_lock(1, 2);
    stage.deliver_all();
    assert_eq!(
        stage.objection(1, &acquire(1, 2)).as_deref(),
        Some("it has resource 0 with request 1; it has one transaction at a time")
    );
    assert_eq!(stage.objection(1, &acquire(0, 1)).as_deref(), Some("it has resource 0 already"));
    stage.release_lock(1, 0);
    assert_eq!(
        stage.objection(1, &acquire(1, 1)).as_deref(),
        Some("it has begun to release; it can request again when it has released resource 2")
    );
    stage.release_lock(1, 2);
    assert_eq!(stage.objection(1, &acquire(1, 2)), None);
}

#[test]
fn together_means_all_or_nothing_and_nothing_more() {
    let mut stage = Script::<Prevention>::begin("together", 3);
    stage.acquire_together(1, &[0, 1]);
    stage.deliver_all();
    stage.acquire_together(2, &[1, 2]);
    stage.deliver_all();
    assert_eq!(
        stage.objection(1, &acquire(2, 1)).as_deref(),
        Some("all resources must be requested at once, but it already has resource 0")
    );
    assert_eq!((stage.held(1), stage.held(2)), (vec![0, 1], vec![]));
    stage.release_lock(1, 1);
    stage.deliver_all();
    assert_eq!(stage.held(2), [1, 2]);
}

#[test]
fn who_gives_way_gives_back_what_it_has() {
    let mut stage = Script::<Prevention>::begin("give-way", 2);
    stage.acquire_lock(0, 0);
    stage.acquire_lock(1, 1);
    stage.acquire_lock(0, 1);
    stage.deliver("REQUEST", 0, 1);
    let told = stage.deliver("BUSY", 1, 0).outcomes;
    let request = RequestId(1);
    assert_eq!(
        told,
        [Outcome::Exited { lock: LockId(0), request }, Outcome::Aborted { request, cause: AbortCause::GaveWay }]
    );
    stage.acquire_lock(1, 0);
    stage.deliver_all();
    assert_eq!(stage.view(1).variables["has"], interlock_algorithm::Value::Numbers(vec![1, 0]));
}
