//! Tests of a node, driven by inputs.

mod anything_said;

use interlock_algorithm::plausibility::HIGHEST_NUMBER;
use interlock_algorithm::{NodeId, Outcome, RequestId};
use proptest::prelude::*;
use serde_json::json;

use super::test_support::{LOCK, Text, echo, initialization, read, take};
use super::{LiveNode, Steps, catalogue_node};
use crate::wire::{ClientTimer, Initialization, Step, StepEffect, StepInput, TimerName};

const START: &str = r#"{"start":{}}"#;
const PING: &str = r#"{"message":{"id":"0.1.1","from":0,"kind":"PING","body":{"number":7}}}"#;
const ACQUIRE: &str = r#"{"command":{"id":1,"acquire":{"lock":0,"hold_us":null}}}"#;
const RELEASE: &str = r#"{"command":{"id":2,"release":{"lock":0}}}"#;

fn node() -> Box<dyn LiveNode> {
    echo(&initialization("echo", 3))
}

/// Converts a step to JSON, because JSON values are easier to compare than text.
fn shown(step: &Step<Text>) -> serde_json::Value {
    serde_json::to_value(step).expect("a step")
}

fn refusal(step: &Step<Text>) -> Option<&str> {
    match step.effects.as_slice() {
        [StepEffect::Refused { detail }] => Some(detail),
        _ => None,
    }
}

/// Makes all timers expire that are due at `now_us`. Returns the resulting steps.
fn fire_all(node: &mut dyn LiveNode, now_us: u64) -> Vec<Step<Text>> {
    let mut steps = Steps::default();
    while node.fire(now_us, &mut steps) {}
    read(&mut steps, node)
}

#[test]
fn every_input_gives_one_step_in_order_and_the_last_has_the_view() {
    let steps = take(&mut *node(), &[START, PING, r#"{"message":{"id":"2.1.5","from":2,"kind":"DONE","body":{}}}"#]);
    assert_eq!(steps.iter().map(|step| (step.step, step.at_us)).collect::<Vec<_>>(), [(1, 0), (2, 1000), (3, 2000)]);
    assert_eq!(
        shown(&steps[1]),
        json!({"step":2,"at_us":1000,"input":{"message":"0.1.1"},"effects":[
            {"store":1},{"send":{"to":[0],"kind":"DONE","body":{}}}],"because":[{"code":"pinged","number":7}]})
    );
    assert_eq!(shown(&steps[2])["view"]["clock"], json!(1));
    assert!(steps[2].effects.is_empty());
}

#[test]
fn outcomes_and_reasons_are_told_and_a_multicast_is_one_effect_without_the_sender() {
    let steps = take(&mut *node(), &[START, ACQUIRE, RELEASE]);
    assert_eq!(
        shown(&steps[1])["effects"],
        json!([{"outcome":{"requested":{"lock":0,"request":1}}},{"outcome":{"entered":{"lock":0,"request":1,"fence":1}}}])
    );
    assert_eq!(
        shown(&steps[2])["effects"],
        json!([{"outcome":{"exited":{"lock":0,"request":1}}},{"send":{"to":[0,2],"kind":"PING","body":{"number":1}}}])
    );
}

#[test]
fn algorithm_timers_are_drawn_set_run_out_and_are_cancelled() {
    let mut node = node();
    let steps = take(&mut *node, &[START]);
    let drawn = shown(&steps[0])["effects"][1]["set_timer"]["delay_us"].as_u64().expect("a delay");
    assert!((1000..=9000).contains(&drawn), "{drawn}");
    assert_eq!(node.due_us(), Some(1000));
    assert_eq!(fire_all(&mut *node, 999), []);
    let steps = fire_all(&mut *node, 100_000);
    assert_eq!(steps.len(), 1, "timer 1 cancels timer 2, and its set is only the others: {steps:?}");
    assert_eq!(
        shown(&steps[0])["effects"],
        json!([{"cancel_timer":{"timer":{"algorithm":2}}},{"send":{"to":[0],"kind":"DONE","body":{}}}])
    );
    assert_eq!(node.due_us(), None);
}

#[test]
fn the_same_inputs_give_the_same_bytes_and_another_seed_others() {
    let text = |seed| {
        let mut node = echo(&Initialization { seed, ..initialization("echo", 3) });
        let mut steps = Steps::default();
        node.take(START, 5, &mut steps);
        node.take(PING, 6, &mut steps);
        steps.report(1, 1, &*node)
    };
    assert_eq!(text(1), text(1));
    assert_ne!(text(1), text(2));
}

#[test]
fn with_timers_switched_off_they_run_out_only_by_order() {
    let mut node = echo(&Initialization { timers: false, ..initialization("echo", 3) });
    let order = r#"{"timer":{"algorithm":1}}"#;
    let steps = take(&mut *node, &[START]);
    assert_eq!(shown(&steps[0])["effects"][0], json!({"set_timer":{"timer":{"algorithm":1},"delay_us":1000}}));
    assert_eq!((node.due_us(), fire_all(&mut *node, u64::MAX).len()), (None, 0));
    let steps = take(&mut *node, &[order, order]);
    assert_eq!(shown(&steps[0])["effects"][0], json!({"cancel_timer":{"timer":{"algorithm":2}}}));
    assert_eq!(refusal(&steps[1]), Some("no such timer is pending"));
}

#[test]
fn the_client_loop_asks_in_the_step_of_its_timer() {
    let client_loop = serde_json::from_str(r#"{"idle":"const:2","hold":"const:3","entries":1}"#).expect("a loop");
    let mut node = echo(&Initialization { client_loop, ..initialization("echo", 1) });
    take(&mut *node, &[START]);
    let steps = fire_all(&mut *node, 2000);
    let asked = steps.last().expect("a step");
    assert_eq!(asked.input, StepInput::Timer(TimerName::Client(ClientTimer::Idle)), "after the echo's own timer");
    assert_eq!(asked.effects[0], StepEffect::Outcome(Outcome::requested(LOCK, RequestId(1))));
    let hold = StepEffect::SetTimer { timer: TimerName::Client(ClientTimer::Hold), delay_us: 3000 };
    assert_eq!(asked.effects.last(), Some(&hold));
    let steps = fire_all(&mut *node, 5000);
    assert_eq!(steps[0].effects[0], StepEffect::Outcome(Outcome::Exited { lock: LOCK, request: RequestId(1) }));
    assert_eq!(node.due_us(), None, "its only entry is used up");
}

#[test]
fn a_restarted_node_gets_what_it_had_stored_or_nothing() {
    for (item, clock) in [(r#"{"restart":{"stored":5}}"#, 5), (r#"{"restart":{"stored":null}}"#, 0)] {
        let steps = take(&mut *node(), &[item]);
        assert_eq!(shown(&steps[0])["view"]["clock"], json!(clock));
        assert_eq!(shown(&steps[0])["input"], json!({"restart":{"stored":clock > 0}}));
    }
}

#[test]
fn what_no_run_comes_to_does_not_reach_the_algorithm() {
    let ping =
        |number: u64| json!({"message":{"id":"0.1.1","from":0,"kind":"PING","body":{"number":number}}}).to_string();
    let tell = |clock: u64| json!({"message":{"id":"0.1.2","from":0,"kind":"TELL","body":{"clock":clock}}}).to_string();
    let items = [START.to_owned(), ping(HIGHEST_NUMBER), ping(u64::MAX), tell(HIGHEST_NUMBER), tell(u64::MAX)];
    let steps = take(&mut *node(), &items.each_ref().map(String::as_str));
    let unbelievable = "18446744073709551615 is too large; the maximum is 9007199254740991";
    let refusals: Vec<_> = steps.iter().map(refusal).collect();
    assert_eq!(refusals, [None, None, Some(unbelievable), None, Some(unbelievable)]);
    assert_eq!(shown(&steps[4])["view"]["clock"], json!(1), "one PING has been heard");
}

#[test]
fn what_the_contract_forbids_does_not_reach_the_algorithm() {
    let elsewhere = r#"{"command":{"id":3,"acquire":{"lock":4,"hold_us":1}}}"#;
    let steps = take(&mut *node(), &[PING, START, START, RELEASE, elsewhere, ACQUIRE, ACQUIRE]);
    let refusals: Vec<_> = steps.iter().map(refusal).collect();
    assert_eq!(
        refusals,
        [
            Some("this incarnation of the node has not started yet"),
            None,
            Some("this incarnation of the node has started already"),
            Some("the node is not in the critical section"),
            Some("there is no lock 4: the run has lock 0"),
            None,
            Some("request 1 is still open; only an idle node can send a request"),
        ]
    );
}

#[test]
fn a_corrupt_input_is_refused_alone_and_named_as_far_as_it_can_be() {
    let message = json!({"message":"0.1.9"});
    let strayed = json!({"message":"0.2.9"});
    let unreadable = json!({"unreadable":{}});
    let cases = [
        (r#"{"message":{"id":"0.1.9","from":0,"kind":"PING","body":{}}}"#, &message, "missing field `number`"),
        (
            r#"{"message":{"id":"0.1.9","from":0,"kind":"PONG","body":{}}}"#,
            &message,
            "`PONG` is not one of the possible values",
        ),
        (r#"{"message":{"id":"0.1.9","from":"0","kind":3}}"#, &message, "cannot read the input"),
        (r#"{"message":{"id":"0.1.9","from":2,"kind":"DONE","body":{}}}"#, &message, "is not a message from P2 to P1"),
        (r#"{"message":{"id":"0.2.9","from":0,"kind":"DONE","body":{}}}"#, &strayed, "is not a message from P0 to P1"),
        (r#"{"message":{"id":"zero","from":0,"kind":"DONE","body":{}}}"#, &unreadable, "is not a message id"),
        (r#"{"surprise":{}}"#, &unreadable, "`surprise` is not one of the possible values"),
        ("17", &unreadable, "cannot read the input"),
        (r#"{"timer":{"algorithm":"x"}}"#, &json!({"timer":{"algorithm":"x"}}), "no such timer"),
    ];
    for (item, input, detail) in cases {
        let steps = take(&mut *node(), &[START, item, PING]);
        assert_eq!(&shown(&steps[1])["input"], input, "{item}");
        assert!(refusal(&steps[1]).is_some_and(|refusal| refusal.contains(detail)), "{item}: {:?}", steps[1]);
        assert_eq!(steps[2].effects.len(), 2, "the next one is taken");
    }
}

#[test]
fn a_refusal_quotes_only_so_much() {
    let item = format!(r#"{{"message":{{"id":"0.1.9","from":0,"kind":"{}","body":{{}}}}}}"#, "é".repeat(9_999));
    let steps = take(&mut *node(), &[START, &item]);
    assert!(refusal(&steps[1]).is_some_and(|detail| detail.len() <= 300));
}

#[test]
fn time_never_runs_backwards_in_the_records() {
    let mut node = node();
    let mut steps = Steps::default();
    node.take(START, 50, &mut steps);
    node.take(PING, 40, &mut steps);
    assert_eq!(read(&mut steps, &*node).iter().map(|step| step.at_us).collect::<Vec<_>>(), [50, 50]);
}

/// Generates inputs of a node: valid inputs, and inputs with a small error.
fn item() -> impl Strategy<Value = String> {
    let number = prop_oneof![Just("0"), Just("1"), Just("2"), Just("-1"), Just("18446744073709551615"), Just("null")];
    let kind = prop_oneof![Just("REQUEST"), Just("REPLY"), Just("TOKEN")];
    let message = (number.clone(), number.clone(), number.clone(), kind).prop_map(|(from, clock, process, kind)| {
        let body = format!(r#"{{"clock":{clock},"process":{process}}}"#);
        format!(r#"{{"message":{{"id":"{from}.1.4","from":{from},"kind":"{kind}","body":{body}}}}}"#)
    });
    let reply = (number.clone(), number.clone()).prop_map(|(from, clock)| {
        format!(r#"{{"message":{{"id":"{from}.1.4","from":{from},"kind":"REPLY","body":{{"clock":{clock}}}}}}}"#)
    });
    let command = number
        .prop_map(|number| format!(r#"{{"command":{{"id":{number},"acquire":{{"lock":0,"hold_us":{number}}}}}}}"#));
    let fixed =
        [START, ACQUIRE, RELEASE, r#"{"timer":{"client":"hold"}}"#, r#"{"timer":{"algorithm":null}}"#, "{}", "[[]]"];
    let fixed = proptest::sample::select(fixed.map(str::to_owned).to_vec());
    prop_oneof![message, reply, command, fixed, json_text()]
}

/// Generates any JSON value.
fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|value| json!(value)),
        any::<f64>().prop_map(|value| json!(value)),
        any::<u64>().prop_map(|value| json!(value)),
        ".*".prop_map(|value| json!(value)),
    ];
    let name = prop_oneof![Just("message".to_owned()), Just("command".to_owned()), Just("id".to_owned()), ".{0,4}"];
    let value = leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| json!(items)),
            prop::collection::hash_map(name.clone(), inner, 0..4).prop_map(|fields| json!(fields)),
        ]
    });
    value.prop_map(|value| value.to_string())
}

proptest! {
    #[test]
    fn whatever_comes_in_gives_one_step_each(items in prop::collection::vec(item(), 0..40)) {
        let mut node = catalogue_node(&initialization("ricart-agrawala", 3)).expect("a node");
        let items: Vec<&str> = std::iter::once(START).chain(items.iter().map(String::as_str)).collect();
        let steps = take(&mut *node, &items);
        prop_assert_eq!(steps.len(), items.len());
        for (place, step) in steps.iter().enumerate() {
            prop_assert_eq!(step.step, place as u64 + 1);
            prop_assert_eq!(step.view.is_some(), place + 1 == items.len());
        }
    }

    #[test]
    fn the_records_of_a_right_node_name_only_other_nodes(items in prop::collection::vec(item(), 0..40)) {
        let mut node = catalogue_node(&initialization("ricart-agrawala", 3)).expect("a node");
        let items: Vec<&str> = std::iter::once(START).chain(items.iter().map(String::as_str)).collect();
        for step in take(&mut *node, &items) {
            for effect in step.effects {
                if let StepEffect::Send { to, .. } = effect {
                    prop_assert!(to.iter().all(|&node| node == NodeId(0) || node == NodeId(2)), "{:?}", to);
                }
            }
        }
    }
}
