use interlock_algorithm::{Operation, Outcome, Response};
use interlock_machine::message_id::MessageId;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Metrics, MetricsDocument};
use crate::monitor::stuck;
use crate::monitor::waits::Passed;
use crate::state::Locks;
use crate::state::test_stream::{IDLE, TestStream, play};
use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::Draft;

fn document(stream: &TestStream) -> Value {
    serde_json::to_value(stream.metrics().document()).expect("JSON")
}

/// Returns the statistics of `count` durations, each of which is `all`. The histogram is exact to three digits, so
/// the tests use durations that the histogram represents exactly.
fn delay(count: u64, all: f64) -> Value {
    json!({ "count": count, "mean": all, "p50": all, "p99": all, "max": all })
}

/// `node` requests the lock. It sends no message.
fn asks(stream: &mut TestStream, node: u32, at_us: u64) {
    stream.at(at_us).request(node);
}

/// `node` enters in a new step. In this step it receives a message from the next node.
fn enters(stream: &mut TestStream, node: u32, at_us: u64) {
    let nodes = stream.specification.nodes;
    let word = stream.at(at_us).send((node + 1) % nodes, node, "REPLY");
    stream.deliver(word);
    stream.enter(node);
}

#[test]
fn nothing_yet() {
    let messages_by_kind = ["REPLY", "REQUEST"].map(|kind| (kind.to_owned(), 0)).into();
    let expected = MetricsDocument {
        messages_by_kind,
        order_inversions: Some(0),
        real_time_inversions: Some(0),
        handled_per_node: vec![0, 0],
        ..MetricsDocument::default()
    };
    assert_eq!(TestStream::new(2).metrics().document(), expected);
}

#[test]
fn what_came_of_operations_is_counted_and_how_long_those_took_that_were_done() {
    let mut stream = TestStream::new(2);
    for (began_us, response) in [
        (1_000, Response::Done {}),
        (10_000, Response::Refused { code: 22 }),
        (20_000, Response::Unknown {}),
        (30_000, Response::Value(None)),
    ] {
        stream.at(began_us).invoke(0, Operation::Read { key: 0 });
        stream.at(began_us + 3_000).told(0, response);
    }
    stream.invoke(1, Operation::Generate {});
    let expected = json!({ "invoked": 5, "done": 2, "refused": 1, "unknown": 1, "latency": delay(2, 3.0) });
    assert_eq!(document(&stream)["operations"], expected);
}

#[test]
fn one_entry_alone() {
    let mut stream = TestStream::new(2);
    asks(&mut stream, 0, 1_000);
    let request = stream.send(0, 1, "REQUEST");
    stream.at(3_000).deliver(request);
    enters(&mut stream, 0, 5_000);
    stream.at(11_000).exit(0);
    let mut expected = json!(MetricsDocument::default());
    for (name, value) in [
        ("entries", json!(1)),
        ("messages", json!(2)),
        ("messages_per_entry", json!(2.0)),
        ("messages_by_kind", json!({ "REPLY": 1, "REQUEST": 1 })),
        ("client_delay", delay(1, 4.0)),
        ("response_time", delay(1, 10.0)),
        ("throughput", json!(100.0)),
        ("fairness", json!(1.0)),
        ("order_inversions", json!(0)),
        ("real_time_inversions", json!(0)),
        ("longest_gap", json!(4.0)),
        ("handled_per_node", json!([1, 1])),
    ] {
        expected[name] = value;
    }
    assert_eq!(document(&stream), expected);
}

#[test]
fn copies_are_handled_but_were_not_sent() {
    let mut stream = TestStream::new(2);
    asks(&mut stream, 0, 0);
    let request = stream.send(0, 1, "REQUEST");
    let copy = stream.duplicate(request);
    stream.deliver(request);
    stream.deliver(copy);
    let other = stream.send(1, 0, "ODD");
    stream.lose(other);
    let document = document(&stream);
    assert_eq!(document["messages"], 2);
    assert_eq!(document["messages_by_kind"], json!({ "ODD": 1, "REPLY": 0, "REQUEST": 1 }));
    assert_eq!(document["handled_per_node"], json!([0, 2]));
}

#[test]
fn a_busy_section_has_a_synchronisation_delay_and_no_client_delay() {
    let mut stream = TestStream::new(2);
    asks(&mut stream, 0, 1_000);
    asks(&mut stream, 1, 1_500);
    enters(&mut stream, 0, 2_000);
    stream.at(5_000).exit(0);
    enters(&mut stream, 1, 7_000);
    stream.at(8_000).exit(1);
    let document = document(&stream);
    assert_eq!(document["client_delay"]["count"], 0, "each had company: P1 when it asked, P0 while it waited");
    assert_eq!(document["synchronisation_delay"], delay(1, 2.0));
    assert_eq!(document["response_time"]["mean"], json!(5.25));
    assert_eq!(document["response_time"]["max"], json!(6.5));
}

#[test]
fn a_free_section_has_a_client_delay_and_no_synchronisation_delay() {
    let mut stream = TestStream::new(2);
    for round in 0..3 {
        asks(&mut stream, 0, round * 10_000);
        enters(&mut stream, 0, round * 10_000 + 2_000);
        stream.at(round * 10_000 + 3_000).exit(0);
    }
    let document = document(&stream);
    assert_eq!(document["client_delay"], delay(3, 2.0));
    assert_eq!(document["synchronisation_delay"]["count"], 0);
}

/// Returns a run of the banker's algorithm in which the resources have these numbers of units.
fn units(nodes: u32, existing: &str) -> TestStream {
    let document = json!({ "algorithm": "banker", "nodes": nodes, "parameters": { "existing": existing } });
    let draft: Draft = serde_json::from_value(document).expect("a document");
    let mut stream = TestStream::new(nodes);
    stream.specification = draft.complete().expect("a specification");
    stream
}

/// Both units are taken, and processes wait. The first exit counts towards the synchronisation delay. The second exit
/// does not count, since a unit is already free.
#[test]
fn with_several_places_an_exit_counts_that_frees_the_first_of_them() {
    let delays = |existing: &str| {
        let mut stream = units(5, existing);
        for node in 0..4 {
            asks(&mut stream, node, 0);
        }
        enters(&mut stream, 0, 1_000);
        enters(&mut stream, 1, 1_000);
        stream.at(5_000).exit(0);
        stream.at(6_000).exit(1);
        enters(&mut stream, 2, 7_000);
        enters(&mut stream, 3, 8_000);
        let document = document(&stream);
        (document["synchronisation_delay"].clone(), document["longest_gap"].clone())
    };
    assert_eq!(delays("2"), (delay(1, 2.0), json!(2.0)), "from 5 to 7");
    assert_eq!(delays("3").0["count"], 0, "a third place was free all the time");
    assert_eq!(delays("3").1, json!(6.0), "from 1, when the second entered and two waited, to 7");
    assert_eq!(delays("1").0, delay(1, 1.0), "from 6 to 7: before, one was inside who should not have been");
}

#[test]
fn who_finds_a_place_free_is_not_kept_waiting_by_those_inside() {
    let client_delay = |existing: &str| {
        let mut stream = units(3, existing);
        asks(&mut stream, 0, 0);
        enters(&mut stream, 0, 2_000);
        asks(&mut stream, 1, 3_000);
        enters(&mut stream, 1, 5_000);
        document(&stream)["client_delay"].clone()
    };
    assert_eq!(client_delay("2"), delay(2, 2.0));
    assert_eq!(client_delay("1"), delay(1, 2.0), "P0's only");
}

/// A node may have several requests at the same time. The times of each request are measured separately.
#[test]
fn each_section_of_a_node_has_its_own_times() {
    let mut stream = units(2, "2");
    asks(&mut stream, 0, 0);
    enters(&mut stream, 0, 1_000);
    let (first, second) = (stream.events[stream.events.len() - 1].clone(), 4_000);
    asks(&mut stream, 0, second);
    enters(&mut stream, 0, 5_000);
    stream.at(6_000).exit(0);
    let What::Outcome { at, outcome: Outcome::Entered { lock, request, .. } } = first.what else { panic!("an entry") };
    stream.at(10_000).outcome(at, Outcome::Exited { lock, request });
    let document = document(&stream);
    assert_eq!(document["response_time"]["count"], 2);
    assert_eq!(document["response_time"]["mean"], json!(6.0), "2 and 10");
}

#[test]
fn who_asked_before_an_exit_that_was_learnt_of_earlier_did_wait_for_it() {
    let mut stream = TestStream::new(2);
    asks(&mut stream, 0, 1_000);
    enters(&mut stream, 0, 2_000);
    stream.at(5_000).exit(0);
    asks(&mut stream, 1, 4_999);
    enters(&mut stream, 1, 6_000);
    let document = document(&stream);
    assert_eq!(document["client_delay"], delay(1, 1.0), "P0's only");
    assert_eq!(document["synchronisation_delay"], delay(1, 1.0));
}

#[test]
fn a_crash_ends_what_is_measured() {
    let mut stream = TestStream::new(3);
    asks(&mut stream, 0, 1_000);
    asks(&mut stream, 1, 1_000);
    enters(&mut stream, 0, 2_000);
    stream.at(3_000).crash(0);
    enters(&mut stream, 1, 9_000);
    stream.at(10_000).exit(1);
    let document = document(&stream);
    assert_eq!(document["synchronisation_delay"]["count"], 0, "P0 did not leave");
    assert_eq!(document["response_time"], delay(1, 9.0));
}

#[test]
fn fairness_is_jains_index_over_those_who_asked() {
    let mut stream = TestStream::new(4);
    for (time, node) in (1..).zip([0, 0, 0, 1]) {
        asks(&mut stream, node, time * 1_000);
        enters(&mut stream, node, time * 1_000);
        stream.at(time * 1_000 + 500).exit(node);
    }
    assert_eq!(document(&stream)["fairness"], json!(0.8), "(3 + 1)² / (2 (9 + 1))");
    asks(&mut stream, 2, 9_000);
    assert_eq!(document(&stream)["fairness"], json!(16.0 / 30.0));
}

#[test]
fn quantiles_are_those_of_the_samples() {
    let mut stream = TestStream::new(2);
    for (round, delay_us) in (0..100_u64).map(|round| (round, (round + 1) * 10)) {
        asks(&mut stream, 0, round * 10_000);
        enters(&mut stream, 0, round * 10_000 + delay_us);
        stream.exit(0);
    }
    let delay = json!({ "count": 100, "mean": 0.505, "p50": 0.5, "p99": 0.99, "max": 1.0 });
    assert_eq!(document(&stream)["client_delay"], delay);
}

/// P0 sends its request to all others, and `arrive` delivers some of these messages. P1 enters `passed` times, and
/// then P0 enters. Returns `bypass_max`.
fn bypass(nodes: u32, passed: u64, arrive: impl Fn(&mut TestStream, Vec<MessageId>)) -> Value {
    let mut stream = TestStream::new(nodes);
    asks(&mut stream, 0, 0);
    let requests = stream.multicast(0, "REQUEST");
    arrive(&mut stream, requests);
    for round in 1..=passed {
        asks(&mut stream, 1, round * 1_000);
        enters(&mut stream, 1, round * 1_000);
        stream.exit(1);
    }
    enters(&mut stream, 0, 50_000);
    document(&stream)["bypass_max"].clone()
}

#[test]
fn bypass_counts_from_when_the_request_was_received_everywhere() {
    let all = |stream: &mut TestStream, requests: Vec<MessageId>| {
        for request in requests {
            stream.deliver(request);
        }
    };
    let not_all = |stream: &mut TestStream, requests: Vec<MessageId>| _ = stream.deliver(requests[0]);
    let by_copy = |stream: &mut TestStream, requests: Vec<MessageId>| {
        for request in requests {
            let copy = stream.duplicate(request);
            stream.lose(request);
            stream.deliver(copy);
        }
    };
    assert_eq!(bypass(3, 2, all), 2);
    assert_eq!(bypass(3, 2, not_all), 0);
    assert_eq!(bypass(3, 2, by_copy), 2);
    assert_eq!(bypass(3, 0, all), 0);
}

#[test]
fn the_requests_are_those_of_the_requesting_step_even_if_sent_before_it_says_so() {
    let bypass = |received: bool| {
        let mut stream = TestStream::new(3);
        stream.fire(0, IDLE);
        stream.send(0, 2, "EARLIER");
        stream.fire(0, IDLE);
        let request = stream.send(0, 1, "REQUEST");
        stream.ask(0);
        if received {
            stream.deliver(request);
        }
        asks(&mut stream, 1, 1_000);
        enters(&mut stream, 1, 1_000);
        document(&stream)["bypass_max"].clone()
    };
    assert_eq!(bypass(true), 1);
    assert_eq!(bypass(false), 0);
}

#[test]
fn an_exit_is_followed_by_one_entry() {
    let mut stream = TestStream::new(3);
    (0..3).for_each(|node| asks(&mut stream, node, 1_000));
    enters(&mut stream, 0, 2_000);
    stream.at(5_000).exit(0);
    enters(&mut stream, 1, 7_000);
    enters(&mut stream, 2, 9_000);
    assert_eq!(document(&stream)["synchronisation_delay"], delay(1, 2.0), "P2 broke in on P1, it did not follow P0");
}

#[test]
fn getting_stuck_is_counted_apart() {
    let mut stream = TestStream::new(2);
    for monitor in ["mutual-exclusion", "mutual-exclusion", stuck::NAME] {
        let (arguments, events) = (Value::Null, Vec::new());
        let violation = Violation { monitor: monitor.into(), code: "code".into(), arguments, events };
        stream.push(What::Violated { violation });
    }
    let document = document(&stream);
    assert_eq!((&document["violations"], &document["stuck"]), (&json!(3), &json!(1)));
}

/// Computes the bypass counts directly from their definition: searches the whole stream once for each request.
fn bypass_by_definition(events: &[Event]) -> Passed {
    let mut most = Passed { since_request: 0, since_arrival: 0 };
    for (start, event) in events.iter().enumerate() {
        let Some((asked, Outcome::Requested { .. })) = event.outcome() else { continue };
        let is_end =
            |event: &Event| matches!(event.outcome(), Some((at, Outcome::Entered { .. })) if at.node == asked.node);
        let end = events[start..].iter().position(is_end).map_or(events.len(), |place| start + place);
        let own = events.iter().filter_map(|event| match event.what {
            What::Sent { at, message, .. } if at == *asked => Some(message),
            _ => None,
        });
        let mut arrival = own.map(|sent| {
            let arrives = |event: &Event| matches!(event.what, What::Delivered { message, .. } if message == sent);
            events.iter().position(arrives)
        });
        let entries = |from: usize| {
            let entered = |event: &&Event| event.kind() == "entered";
            events[from.min(end)..end].iter().filter(entered).count() as u64
        };
        let arrival = arrival.try_fold(start, |last, place| Some(last.max(place?)));
        let since_arrival = arrival.map_or(0, entries);
        most = most.max(Passed { since_request: entries(start), since_arrival });
    }
    most
}

proptest! {
    #[test]
    fn bypass_is_that_of_the_definition(nodes in 1..6_u32, choices in prop::collection::vec(any::<u32>(), 0..400)) {
        let stream = play(nodes, choices);
        let document = stream.metrics().document();
        let found = Passed { since_request: document.bypass_from_request_max, since_arrival: document.bypass_max };
        prop_assert_eq!(found, bypass_by_definition(&stream.events));
    }
}

#[test]
fn figures_that_are_not_shown_messages_learn_nothing_from_them() {
    let mut stream = TestStream::new(2);
    stream.request(0);
    let reply = stream.send(1, 0, "REPLY");
    stream.deliver(reply);
    stream.enter(0);
    let others = |metrics: &Metrics| format!("{:?} {:?} {:?}", metrics.sections, metrics.gaps, metrics.operations);
    let (mut metrics, mut locks) = (Metrics::new(&stream.specification), Locks::default());
    let mut messages = 0;
    for event in &stream.events {
        locks.apply(event);
        if event.what.is_exchange() {
            let before = others(&metrics);
            metrics.sections.observe(event, &locks);
            metrics.gaps.observe(event, &locks);
            metrics.operations.observe(event);
            assert!(others(&metrics) == before, "{event:?}");
            messages += 1;
        }
        metrics.observe(event, &locks);
    }
    assert_eq!(messages, 2);
}
