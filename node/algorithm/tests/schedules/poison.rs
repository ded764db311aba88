//! Two processes send numbers that cannot occur in a run. The other processes behave as if these messages had been
//! lost.

use interlock_algorithm::Algorithm;
use interlock_algorithm::agreement::paxos::Paxos;
use interlock_algorithm::agreement::replicated_lock::ReplicatedLock;
use interlock_algorithm::deadlock::banker::Banker;
use interlock_algorithm::deadlock::central_detection::CentralDetection;
use interlock_algorithm::deadlock::edge_chasing::EdgeChasing;
use interlock_algorithm::deadlock::prevention::Prevention;
use interlock_algorithm::deadlock::wait_die::WaitDie;
use interlock_algorithm::deadlock::wound_wait::WoundWait;
use interlock_algorithm::election::acknowledged_ring::AcknowledgedRing;
use interlock_algorithm::election::bully::Bully;
use interlock_algorithm::election::chang_roberts::ChangRoberts;
use interlock_algorithm::election::hirschberg_sinclair::HirschbergSinclair;

use crate::agreement;
use crate::deadlock::loads::{LONG, mixed};
use crate::deadlock::truth::all_finish;
use crate::driver::Scene;
use crate::driver::clients::nobody;
use crate::driver::faults::OVERTAKING;
use crate::driver::forged::{is_not_poisoned, poisons_the_credulous};
use crate::driver::random::{Phases, USUAL};
use crate::election::rules::{all, callers};
use crate::replicated_lock;

/// Returns the correct variants of an algorithm.
fn right<A: Algorithm>() -> impl Iterator<Item = &'static str> {
    A::ENTRY.variants.iter().filter(|variant| variant.broken.is_none()).map(|variant| variant.name)
}

fn election<A: Algorithm>(variant: &str) -> Scene<A> {
    Scene::new(&format!("{variant} initiators=none"), 4, OVERTAKING, callers(&[0, 1], 2))
}

fn elect_all_the_same<A: Algorithm>() {
    for variant in right::<A>() {
        is_not_poisoned(&election::<A>(variant), TIMED.in_time(), &all());
    }
}

/// Phases of a schedule in which timers expire only when no message is in transit.
const TIMED: Phases = Phases { wild: 150, kind: 20_000, ..USUAL };

#[test]
fn elections_are_not_poisoned_by_terms() {
    elect_all_the_same::<ChangRoberts>();
    elect_all_the_same::<HirschbergSinclair>();
    elect_all_the_same::<AcknowledgedRing>();
    elect_all_the_same::<Bully>();
}

#[test]
fn whoever_believes_such_a_term_cannot_elect() {
    poisons_the_credulous(election::<ChangRoberts>("original"), TIMED.in_time(), &all(), "");
    poisons_the_credulous(election::<Bully>("original"), TIMED.in_time(), &all(), "");
}

fn deals<A: Algorithm>(variant: &str) -> Scene<A> {
    Scene::new(variant, 4, OVERTAKING, nobody()).working(2, mixed)
}

fn finish_all_the_same<A: Algorithm>(variant: &str) {
    is_not_poisoned(&deals::<A>(variant), LONG, &all_finish());
}

#[test]
fn transactions_are_not_poisoned_by_ages_tickets_turns_and_probes() {
    finish_all_the_same::<WaitDie>("original");
    finish_all_the_same::<WoundWait>("original");
    finish_all_the_same::<CentralDetection>("original");
    for variant in right::<EdgeChasing>() {
        finish_all_the_same::<EdgeChasing>(variant);
        finish_all_the_same::<EdgeChasing>(&format!("{variant} requests=at-once"));
    }
    for variant in ["ordered", "together", "give-way"] {
        finish_all_the_same::<Prevention>(variant);
    }
    finish_all_the_same::<Banker>("original existing=1,1,1,1");
}

#[test]
fn whoever_believes_such_a_ticket_waits_for_ever() {
    poisons_the_credulous(deals::<WaitDie>("original"), LONG, &all_finish(), "");
    poisons_the_credulous(deals::<EdgeChasing>("highest"), LONG, &all_finish(), "");
}

#[test]
fn agreement_is_not_poisoned_by_ballots_and_instances() {
    for nodes in [3, 5] {
        let scene = agreement::scene("single-decree", nodes, OVERTAKING);
        is_not_poisoned::<Paxos>(&scene, USUAL, &agreement::AGREEMENT);
        let scene = replicated_lock::scene("leased", nodes, OVERTAKING);
        let length = replicated_lock::LONG;
        is_not_poisoned::<ReplicatedLock>(&scene, length, &replicated_lock::SERVICE);
    }
}
