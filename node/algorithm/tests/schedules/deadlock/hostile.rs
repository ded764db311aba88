//! Whatever a peer says, nobody fails.

use interlock_algorithm::Discipline;
use interlock_algorithm::deadlock::banker::Banker;
use interlock_algorithm::deadlock::central_detection::CentralDetection;
use interlock_algorithm::deadlock::edge_chasing::EdgeChasing;
use interlock_algorithm::deadlock::prevention::Prevention;
use interlock_algorithm::deadlock::wait_die::WaitDie;
use interlock_algorithm::deadlock::wound_wait::WoundWait;

use super::loads::{mixed, transactions};
use crate::driver::Scene;
use crate::driver::faults::OVERTAKING;
use crate::driver::forged::survives;

#[test]
fn forged_messages_are_survived_by_prevention() {
    for (variant, discipline) in [
        ("ordered", Discipline::Ascending),
        ("together", Discipline::Together),
        ("give-way", Discipline::AsPlanned),
        ("none", Discipline::AsPlanned),
    ] {
        survives(&Scene::<Prevention>::new(variant, 4, OVERTAKING, transactions(mixed, 9, discipline)));
    }
}

#[test]
fn forged_messages_are_survived_by_detection() {
    let load = || transactions(mixed, 9, Discipline::AsPlanned);
    survives(&Scene::<CentralDetection>::new("original", 4, OVERTAKING, load()));
    for variant in ["original", "highest", "forwards-unblocked"] {
        let load = transactions(mixed, 9, Discipline::AsPlanned);
        survives(&Scene::<EdgeChasing>::new(variant, 4, OVERTAKING, load));
        let load = transactions(mixed, 9, Discipline::Together);
        survives(&Scene::<EdgeChasing>::new(&format!("{variant} requests=at-once"), 4, OVERTAKING, load));
    }
}

#[test]
fn forged_messages_are_survived_by_ages_and_the_banker() {
    let plan = || Discipline::AsPlanned;
    survives(&Scene::<WaitDie>::new("original", 4, OVERTAKING, transactions(mixed, 9, plan())));
    survives(&Scene::<WoundWait>::new("original", 4, OVERTAKING, transactions(mixed, 9, plan())));
    survives(&Scene::<Banker>::new("original", 4, OVERTAKING, transactions(mixed, 9, plan())));
}
