use interlock_algorithm::{AbortCause, LockId, NodeId, Outcome, RequestId};
use interlock_model::event::{StepId, TELL};
use serde_json::json;

use super::{Metrics, MetricsDocument};
use crate::state::test_stream::TestStream;

fn document(stream: &TestStream) -> MetricsDocument {
    stream.metrics().document()
}

fn tell(stream: &mut TestStream, node: u32, outcome: Outcome) {
    stream.outcome(StepId { node: NodeId(node), incarnation: 1, step: 1 }, outcome);
}

/// Returns a run with this many aborts, elections and decisions.
fn happened([aborts, elections, decisions]: [u64; 3]) -> Metrics {
    let mut stream = TestStream::new(2);
    for request in 0..aborts {
        tell(&mut stream, 0, Outcome::Aborted { request: RequestId(request), cause: AbortCause::Victim });
    }
    for term in 0..elections {
        tell(&mut stream, 0, Outcome::called(term));
    }
    for instance in 0..decisions {
        tell(&mut stream, 0, Outcome::Decided { instance, value: "v".into() });
    }
    stream.metrics()
}

fn counts(metrics: &Metrics) -> [u64; 3] {
    let MetricsDocument { aborts, elections, decisions, .. } = metrics.document();
    [aborts, elections, decisions]
}

#[test]
fn aborts_elections_and_decisions_are_counted_apart() {
    assert_eq!(counts(&happened([2, 3, 4])), [2, 3, 4]);
}

#[test]
fn the_counts_of_a_warm_up_are_kept() {
    assert_eq!(counts(&happened([2, 3, 4]).with_counts_of(&happened([5, 6, 7]))), [7, 9, 11]);
}

#[test]
fn before_the_first_entry_there_are_no_ratios() {
    let mut stream = TestStream::new(2);
    stream.request(0);
    stream.send(0, 1, "REQUEST");
    let MetricsDocument { messages_per_entry, fairness, throughput, .. } = document(&stream);
    assert_eq!((messages_per_entry, fairness, throughput), (None, None, None));
}

#[test]
fn messages_of_the_application_and_of_repairs_are_not_the_cost_of_the_algorithm() {
    let mut stream = TestStream::new(2);
    assert!(document(&stream).repair_messages.is_empty());
    for kind in ["REQUEST", TELL, "JOIN", "JOIN", "WELCOME"] {
        stream.send(0, 1, kind);
    }
    let document = document(&stream);
    assert_eq!((document.messages, document.messages_by_kind.get("REQUEST")), (1, Some(&1)));
    assert_eq!(document.messages_by_kind.get(TELL), None);
    assert_eq!(json!(document.repair_messages), json!({ "JOIN": 2, "WELCOME": 1 }));
}

#[test]
fn the_crash_of_the_holder_leaves_a_gap_until_the_next_entry() {
    let mut stream = TestStream::new(3);
    stream.at(1_000).request(0);
    stream.enter(0);
    stream.at(2_000).request(1);
    stream.at(5_000).crash(2);
    assert_eq!(document(&stream).longest_gap, Some(0.0), "P2 held nothing");
    stream.at(6_000).crash(0);
    stream.at(9_000).enter(1);
    assert_eq!(document(&stream).longest_gap, Some(3.0));
}

/// P0 requests locks 0 and 1 with one request, and lock 2 with another one, and enters lock 0.
fn three_locks() -> TestStream {
    let mut stream = TestStream::new(1);
    for (lock, request) in [(0, 1), (1, 1), (2, 2)] {
        tell(stream.at(1_000), 0, Outcome::requested(LockId(lock), RequestId(request)));
    }
    enters(stream.at(2_000), 0, 1);
    stream
}

fn enters(stream: &mut TestStream, lock: u32, request: u64) {
    tell(stream, 0, Outcome::Entered { lock: LockId(lock), request: RequestId(request), fence: None });
}

fn exits(stream: &mut TestStream, lock: u32, request: u64) {
    tell(stream, 0, Outcome::Exited { lock: LockId(lock), request: RequestId(request) });
}

#[test]
fn an_abort_ends_the_measurement_of_the_waits_of_its_request() {
    let mut stream = three_locks();
    tell(&mut stream, 0, Outcome::Aborted { request: RequestId(1), cause: AbortCause::Victim });
    exits(stream.at(4_000), 1, 1);
    assert_eq!(document(&stream).response_time.count, 0, "the wait for lock 1 was aborted");
    exits(stream.at(5_000), 0, 1);
    assert_eq!(document(&stream).response_time.max, Some(4.0), "the section of lock 0 was not");
    enters(stream.at(6_000), 2, 2);
    exits(stream.at(8_000), 2, 2);
    assert_eq!(document(&stream).response_time.max, Some(7.0), "nor was the other request");
}

#[test]
fn a_crash_ends_all_measurements_of_its_process() {
    let responses = |crashed: Option<u32>| {
        let mut stream = TestStream::new(2);
        stream.at(1_000).request(0);
        stream.enter(0);
        if let Some(node) = crashed {
            stream.crash(node);
        }
        stream.at(4_000).exit(0);
        document(&stream).response_time.count
    };
    assert_eq!([None, Some(1), Some(0)].map(responses), [1, 1, 0]);
}

#[test]
fn an_exit_at_the_time_of_a_request_is_not_after_it() {
    let client_delays = |requested_us: u64| {
        let mut stream = TestStream::new(2);
        stream.at(1_000).request(0);
        stream.enter(0);
        stream.at(5_000).exit(0);
        stream.at(requested_us).request(1);
        stream.at(7_000).enter(1);
        let document = document(&stream);
        (document.client_delay.count, document.synchronisation_delay.count)
    };
    assert_eq!(client_delays(4_999), (1, 1), "P1 waited for the exit");
    assert_eq!(client_delays(5_000), (2, 0));
}
