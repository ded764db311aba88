//! Tests that no message of a peer makes a process fail.

use interlock_algorithm::deadlock::banker::Banker;
use interlock_algorithm::deadlock::central_detection::CentralDetection;
use interlock_algorithm::deadlock::edge_chasing::EdgeChasing;
use interlock_algorithm::deadlock::prevention::Prevention;
use interlock_algorithm::deadlock::wait_die::WaitDie;
use interlock_algorithm::deadlock::wound_wait::WoundWait;

use super::loads::mixed;
use crate::driver::Scene;
use crate::driver::clients::nobody;
use crate::driver::faults::OVERTAKING;
use crate::driver::forged::survives;

#[test]
fn forged_messages_are_survived_by_prevention() {
    for variant in ["ordered", "together", "give-way", "none"] {
        survives(&Scene::<Prevention>::new(variant, 4, OVERTAKING, nobody()).working(9, mixed));
    }
}

#[test]
fn forged_messages_are_survived_by_detection() {
    survives(&Scene::<CentralDetection>::new("original", 4, OVERTAKING, nobody()).working(9, mixed));
    for variant in ["original", "highest", "forwards-unblocked"] {
        survives(&Scene::<EdgeChasing>::new(variant, 4, OVERTAKING, nobody()).working(9, mixed));
        survives(
            &Scene::<EdgeChasing>::new(&format!("{variant} requests=at-once"), 4, OVERTAKING, nobody())
                .working(9, mixed),
        );
    }
}

#[test]
fn forged_messages_are_survived_by_ages_and_the_banker() {
    survives(&Scene::<WaitDie>::new("original", 4, OVERTAKING, nobody()).working(9, mixed));
    survives(&Scene::<WoundWait>::new("original", 4, OVERTAKING, nobody()).working(9, mixed));
    survives(&Scene::<Banker>::new("original", 4, OVERTAKING, nobody()).working(9, mixed));
}
