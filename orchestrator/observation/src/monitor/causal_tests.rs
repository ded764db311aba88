use interlock_algorithm::{NodeId, Outcome, RequestId};
use serde_json::json;

use super::Monitors;
use crate::state::test_stream::{LOCK, TestStream};
use interlock_model::event::{StepId, Violation};

/// Returns the codes of the violations that the monitors find if the stream contains the messages of the run, or if it
/// does not.
fn codes(stream: &TestStream, is_causal: bool) -> Vec<String> {
    let (mut monitors, mut found) = (Monitors::new(&stream.specification), Vec::<Violation>::new());
    monitors.set_causal(is_causal);
    stream.events.iter().for_each(|event| monitors.observe(event, &mut found));
    found.iter().map(|violation| violation.code.to_string()).collect()
}

#[test]
fn without_messages_only_sections_that_were_open_at_the_same_time_are_violations() {
    let mut stream = TestStream::new(2);
    for node in [0, 1] {
        stream.at(100 * (1 + u64::from(node))).request(node);
        stream.enter(node);
        stream.at(100 * (1 + u64::from(node)) + 50).exit(node);
    }
    assert_eq!(codes(&stream, true), ["concurrent-sections"]);
    assert_eq!(codes(&stream, false), [""; 0], "a message that is not shown may have made the order");
    let mut stream = TestStream::new(2);
    for node in [0, 1] {
        stream.at(100).request(node);
        stream.enter(node);
    }
    assert_eq!(codes(&stream, true), ["concurrent-sections"]);
    assert_eq!(codes(&stream, false), ["concurrent-sections"]);
}

#[test]
fn without_messages_a_holder_whose_lease_was_taken_back_is_inside_until_it_leaves() {
    let codes = |leaves: bool| {
        let mut stream = TestStream::new(3);
        stream.specification.algorithm = "replicated-lock".to_owned();
        stream.at(100).request(1);
        stream.enter(1);
        let at = StepId { node: NodeId(0), incarnation: 1, step: 1 };
        stream.at(400).outcome(at, Outcome::Expired { lock: LOCK, holder: NodeId(1), request: RequestId(1) });
        if leaves {
            stream.at(450).exit(1);
        }
        stream.at(500).request(2);
        stream.enter(2);
        codes(&stream, false)
    };
    assert_eq!(codes(false), ["concurrent-sections"]);
    assert_eq!(codes(true), [""; 0]);
}

#[test]
fn an_act_of_the_scenario_is_to_come_until_it_has_happened() {
    let mut stream = TestStream::new(2);
    assert!(!Monitors::new(&stream.specification).is_act_to_come());
    let acts = json!({ "acts": [{ "kind": "crash", "node": 1, "from_us": 0 }] });
    stream.specification.planned = serde_json::from_value(acts).expect("acts");
    let mut monitors = Monitors::new(&stream.specification);
    assert!(monitors.is_act_to_come());
    stream.crash(1);
    stream.events.iter().for_each(|event| monitors.observe(event, &mut Vec::new()));
    assert!(!monitors.is_act_to_come());
}
