//! Each of the four conditions taken away, and none.

use interlock_algorithm::deadlock::prevention::Prevention;
use interlock_algorithm::{AbortCause, Command, Discipline, LockId, Outcome, RequestId};

use super::loads::{LONG, mixed, philosophers, transactions};
use super::truth::{all_finish, nobody_waits};
use crate::driver::Scene;
use crate::driver::faults::{Faults, OVERTAKING};
use crate::driver::play::{Rules, breaks, holds};
use crate::driver::script::Script;

/// Messages overtake and are doubled.
const COPIES: Faults = Faults { copies: 5, ..OVERTAKING };

fn acquire(lock: u32, request: u64) -> Command {
    Command::Acquire { lock: LockId(lock), request: RequestId(request) }
}

fn release(lock: u32, request: u64) -> Command {
    Command::Release { lock: LockId(lock), request: RequestId(request) }
}

#[test]
fn philosophers_deadlock_when_all_four_conditions_hold() {
    let scene = Scene::<Prevention>::new("none", 5, COPIES, transactions(philosophers, 3, Discipline::AsPlanned));
    let seed = breaks(&scene, 0..1_000, LONG, &all_finish(), "stuck");
    assert!(seed < 100, "{seed}");
}

#[test]
fn without_one_of_them_they_do_not() {
    for (variant, discipline) in
        [("ordered", Discipline::Ascending), ("together", Discipline::Together), ("give-way", Discipline::AsPlanned)]
    {
        for plan in [philosophers, mixed] {
            let scene = Scene::<Prevention>::new(variant, 5, COPIES, transactions(plan, 2, discipline));
            holds(&scene, 0..60, LONG, &all_finish());
        }
    }
    let scene = Scene::<Prevention>::new("shared", 5, COPIES, transactions(philosophers, 3, Discipline::AsPlanned));
    holds(&scene, 0..60, LONG, &Rules { always: |_| Ok(()), in_the_end: nobody_waits });
}

/// The wrong order is objected to, so nobody can be talked into it.
#[test]
fn a_lower_resource_is_not_asked_for_by_who_has_a_higher_one() {
    let mut stage = Script::<Prevention>::new("ordered", 5);
    stage.command(1, acquire(3, 1));
    stage.deliver_all();
    let objection = stage.objection(1, &acquire(2, 1)).expect("an objection");
    assert_eq!(objection, "resources are asked for in ascending order: resource 2 comes before 3, which it has");
    assert_eq!(stage.objection(1, &acquire(4, 1)), None);
}

#[test]
fn what_a_transaction_cannot_do_is_objected_to() {
    let mut stage = Script::<Prevention>::new("none", 3);
    assert_eq!(stage.objection(0, &acquire(3, 1)).as_deref(), Some("there is no resource 3: they are 0 … 2"));
    stage.command(1, acquire(0, 1));
    assert_eq!(
        stage.objection(1, &acquire(2, 1)).as_deref(),
        Some("it still waits for resource 0: it asks for one at a time")
    );
    stage.deliver_all();
    stage.command(1, acquire(2, 1));
    stage.deliver_all();
    assert_eq!(
        stage.objection(1, &acquire(1, 2)).as_deref(),
        Some("it has resource 0 by request 1: one transaction at a time")
    );
    assert_eq!(stage.objection(1, &acquire(0, 1)).as_deref(), Some("it has resource 0 already"));
    stage.command(1, release(0, 1));
    assert_eq!(
        stage.objection(1, &acquire(1, 1)).as_deref(),
        Some("it has begun to give back: it asks again when it has given back resource 2")
    );
    stage.command(1, release(2, 1));
    assert_eq!(stage.objection(1, &acquire(1, 2)), None);
}

#[test]
fn together_means_all_or_nothing_and_nothing_more() {
    let together = |locks: &[u32], request| Command::AcquireTogether {
        locks: locks.iter().copied().map(LockId).collect(),
        request: RequestId(request),
    };
    let mut stage = Script::<Prevention>::new("together", 3);
    stage.command(1, together(&[0, 1], 1));
    stage.deliver_all();
    stage.command(2, together(&[1, 2], 1));
    stage.deliver_all();
    assert_eq!(
        stage.objection(1, &acquire(2, 1)).as_deref(),
        Some("all resources are asked for at once: it has resource 0 already")
    );
    let entered = |stage: &Script<Prevention>, node| {
        let entries =
            stage.world.told().filter(|(of, outcome)| of.0 == node && matches!(outcome, Outcome::Entered { .. }));
        entries.count()
    };
    assert_eq!((entered(&stage, 1), entered(&stage, 2)), (2, 0));
    stage.command(1, release(1, 1));
    stage.deliver_all();
    assert_eq!(entered(&stage, 2), 2);
}

#[test]
fn who_gives_way_gives_back_what_it_has() {
    let mut stage = Script::<Prevention>::new("give-way", 2);
    stage.command(0, acquire(0, 1));
    stage.command(1, acquire(1, 1));
    stage.command(0, acquire(1, 1));
    stage.deliver("REQUEST", 0, 1);
    let told = stage.deliver("BUSY", 1, 0);
    let request = RequestId(1);
    assert_eq!(
        told,
        [Outcome::Exited { lock: LockId(0), request }, Outcome::Aborted { request, cause: AbortCause::GaveWay }]
    );
    stage.command(1, acquire(0, 1));
    stage.deliver_all();
    assert_eq!(stage.view(1).variables["has"], interlock_algorithm::Value::Numbers(vec![1, 0]));
}
