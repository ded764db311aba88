//! Application messages: one process requests and sends an application message to another, which then requests. If
//! application messages carry the clock, the later request has the later time. Nevertheless, the later request may
//! be granted first.

use interlock_algorithm::Algorithm;
use interlock_algorithm::mutual_exclusion::carvalho_roucairol::CarvalhoRoucairol;
use interlock_algorithm::mutual_exclusion::centralised::Centralised;
use interlock_algorithm::mutual_exclusion::lamport::Lamport;
use interlock_algorithm::mutual_exclusion::maekawa::Maekawa;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_algorithm::mutual_exclusion::sanders::Sanders;

use crate::driver::costs::{breaks_at_random, costs};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::random::exclusion_and_order;
use crate::driver::script::Script;

const TOLD: Faults = Faults { tells: 6, ..FIFO };
const TOLD_AND_OVERTAKING: Faults = Faults { tells: 6, ..OVERTAKING };

/// Returns a run in which process 1 requests and sends an application message to process 0, and 0 then requests.
fn told<A: Algorithm>(variant: &str) -> Script<A> {
    let mut stage = Script::<A>::begin(variant, 3);
    stage.acquire(1);
    stage.tell(1, 0);
    stage.acquire(0);
    stage
}

#[track_caller]
fn has_the_later_time<A: Algorithm>(variant: &str) {
    let stage = told::<A>(variant);
    assert!(stage.time(1) < stage.time(0), "{variant}");
    let mut silent = Script::<A>::begin(variant, 3);
    silent.acquire(1);
    silent.acquire(0);
    assert_eq!(silent.time(1), silent.time(0), "{variant}: nobody told");
}

#[test]
fn who_was_told_of_a_request_asks_later() {
    has_the_later_time::<Lamport>("any-later-message");
    has_the_later_time::<RicartAgrawala>("lamport-clock");
    has_the_later_time::<CarvalhoRoucairol>("original");
    has_the_later_time::<Maekawa>("corrected");
    has_the_later_time::<Sanders>("ricart-agrawala");
    has_the_later_time::<Centralised>("timestamp-order coordinator=2");
    let stages = [told::<RicartAgrawala>("sequence-numbers"), told("modulo")];
    assert!(stages.iter().all(|stage| stage.time(0) == stage.time(1)), "a number knows nothing of what was told");
}

/// Returns the processes that are in the critical section after all messages have arrived.
fn first<A: Algorithm>(variant: &str) -> Vec<u32> {
    let mut stage = told::<A>(variant);
    stage.deliver_all();
    stage.inside()
}

#[test]
fn who_was_told_of_a_request_enters_later_where_the_order_is_kept() {
    assert_eq!(first::<Lamport>("any-later-message"), [1]);
    assert_eq!(first::<RicartAgrawala>("lamport-clock"), [1]);
    assert_eq!(first::<RicartAgrawala>("sequence-numbers"), [0]);
}

#[test]
fn whatever_is_told_the_order_is_kept_where_the_catalogue_says_so() {
    for variant in Lamport::ENTRY.keeps_order {
        costs::<Lamport>(variant, 1..=5, TOLD, &exclusion_and_order(), |_, _, _| true);
    }
    for variant in RicartAgrawala::ENTRY.keeps_order {
        costs::<RicartAgrawala>(variant, 1..=5, TOLD_AND_OVERTAKING, &exclusion_and_order(), |_, _, _| true);
    }
}

#[test]
fn what_is_told_shows_who_does_not_keep_the_order() {
    breaks_at_random::<RicartAgrawala>("sequence-numbers", 3, TOLD, &exclusion_and_order(), "out of order");
    breaks_at_random::<CarvalhoRoucairol>("original", 3, TOLD, &exclusion_and_order(), "out of order");
    breaks_at_random::<Maekawa>("corrected", 3, TOLD, &exclusion_and_order(), "out of order");
    breaks_at_random::<Centralised>("arrival-order", 3, TOLD, &exclusion_and_order(), "out of order");
    breaks_at_random::<Centralised>("timestamp-order", 3, TOLD, &exclusion_and_order(), "out of order");
}

/// Process 0, the coordinator, is in the critical section. Process 2 requests and sends an application message to
/// process 1, which then requests. The request of 1 arrives first, although it is later. The request of 2 arrives
/// while 0 is still in the section if `older_arrives_in_time` is true, else after the grant. Returns the process
/// that enters next.
fn next(variant: &str, older_arrives_in_time: bool) -> Vec<u32> {
    let mut stage = Script::<Centralised>::begin(variant, 3);
    stage.acquire(0);
    stage.acquire(2);
    stage.tell(2, 1);
    stage.acquire(1);
    stage.deliver("REQUEST", 1, 0);
    if older_arrives_in_time {
        stage.deliver("REQUEST", 2, 0);
    }
    stage.release(0);
    stage.deliver_all();
    stage.inside()
}

#[test]
fn the_coordinator_keeps_the_order_by_timestamps_only_among_those_who_wait() {
    assert_eq!(next("arrival-order", true), [1]);
    assert_eq!(next("arrival-order", false), [1]);
    assert_eq!(next("timestamp-order", true), [2]);
    assert_eq!(next("timestamp-order", false), [1]);
}
