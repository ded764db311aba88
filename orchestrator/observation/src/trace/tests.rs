//! Compares the traces of a run with its events.

use std::collections::{BTreeMap, BTreeSet};

use interlock_algorithm::{NodeId, Outcome};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::clocks::{Clock, Clocks};
use super::{Form, Story};
use crate::monitor::precedence::Precedence;
use crate::state::test_stream::TestStream;
use interlock_model::event::{DropReason, Event, Json, StepId, What};
use interlock_model::specification::Draft;
use interlock_simulation::schedule::{Schedule, ScheduleDraft};
use interlock_simulation::simulation::{Simulation, Watch};

fn written(form: Form, events: &[Event]) -> String {
    let mut out = Vec::new();
    form.write(events, &mut out).expect("a run");
    String::from_utf8(out).expect("text")
}

fn schedule(document: Value) -> Schedule {
    let draft: ScheduleDraft = serde_json::from_value(document).expect("a schedule");
    draft.complete().expect("a schedule")
}

/// Replays the schedule in this document and returns the events of the run.
fn played(document: Value) -> Vec<Event> {
    let schedule = schedule(document);
    let report = Simulation::of_schedule(&schedule).replay(&schedule).expect("a configuration");
    report.expect("it can happen").events
}

/// Returns the events of a run in which two processes make requests. Before its own request, the second process does
/// not know of the first request.
fn two_ask(variant: &str) -> Vec<Event> {
    played(json!({
        "specification": { "algorithm": "lamport", "variant": variant, "nodes": 2, "timers": false },
        "choices": [
            { "do": { "acquire": { "node": 0 } } }, { "do": { "acquire": { "node": 1 } } },
            { "do": { "deliver": "0.1.1" } }, { "do": { "lose": "1.0.1" } },
        ],
    }))
}

/// Returns the events of a random run with all kinds of faults.
fn eventful(seed: u64) -> Vec<Event> {
    let draft: Draft = serde_json::from_value(json!({
        "algorithm": "ricart-agrawala", "nodes": 4, "seed": seed,
        "network": { "delay": "uniform:1..9", "loss": 0.05, "duplicate": 0.2 },
        "workload": { "idle": "exp:10", "hold": "const:3" },
        "script": [
            { "at": 20, "do": { "partition": { "groups": [[0, 1], [2, 3]] } } },
            { "at": 25, "do": { "crash": { "node": 3 } } }, { "at": 40, "do": { "restart": { "node": 3 } } },
            { "at": 50, "do": { "pause": { "node": 2 } } }, { "at": 70, "do": { "heal": {} } },
        ],
    }))
    .expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let simulation = Simulation { watch: Watch::Events, ..Simulation::new(specification, 20) };
    simulation.run().expect("a run").events
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

fn number(events: &[Event], is: impl Fn(&What) -> bool) -> usize {
    events.iter().filter(|event| is(&event.what)).count()
}

#[test]
fn a_step_is_one_sentence_with_its_reason_and_the_state_before_and_after() {
    let events = played(json!({
        "specification": { "algorithm": "ricart-agrawala", "nodes": 2, "timers": false },
        "choices": [
            { "do": { "acquire": { "node": 0 } } }, { "do": { "acquire": { "node": 1 } } }, { "do": { "deliver": "1.0.1" } },
        ],
    }));
    let told = Story::default().tell(&events);
    assert_eq!(told.len(), 3, "{told:#?}");
    assert_eq!(told[0].sentence, "P0 requests lock 0 and sends REQUEST to P1 (0.1.1)");
    assert_eq!(told[2].sentence, "P0 receives REQUEST 1.0.1 from P1");
    let details = &told[2].details;
    assert_eq!(details.len(), 3, "{details:?}");
    assert_eq!(details[0], "because: deferred younger (ours 1@P0, theirs 1@P1)");
    assert!(details[1].starts_with("before: clock 1") && details[2].starts_with("after:  clock "), "{details:?}");
    assert_ne!(details[1]["before: ".len()..], details[2]["after:  ".len()..]);
}

/// If a story is printed in several parts, as in a presentation, it has the same sentences as a story that is
/// printed at once.
#[test]
fn a_story_that_is_told_in_parts_knows_what_was_before() {
    let events = two_ask("explicit-ack");
    let whole = Story::default().tell(&events);
    let mut story = Story::default();
    let cut = events.iter().position(|event| matches!(event.what, What::Delivered { .. })).expect("a message");
    let parts = [story.tell(&events[..cut]), story.tell(&events[cut..])].concat();
    assert_eq!(parts, whole);
    assert_ne!([Story::default().tell(&events[..cut]), Story::default().tell(&events[cut..])].concat(), whole);
}

#[test]
fn what_is_lost_is_told_with_why() {
    let story = written(Form::Story, &two_ask("explicit-ack"));
    assert!(story.contains("message 1.0.1 is lost: dropped manually") && !story.contains("0.1.1 is lost"), "{story}");
}

/// Parses a log for ShiViz. Returns the host and the clock of each entry, in order.
fn log(text: &str) -> Vec<(String, BTreeMap<String, u64>)> {
    let mut lines = text.lines().skip(2);
    let mut entries = Vec::new();
    while let (Some(head), Some(said)) = (lines.next(), lines.next()) {
        let (host, clock) = head.split_once(' ').expect("a host and a clock");
        assert!(!said.is_empty());
        entries.push((host.to_owned(), serde_json::from_str(clock).expect("a clock")));
    }
    entries
}

/// Checks the requirements of ShiViz. Each host counts its own events from 1 without a gap. The clock of an entry
/// never includes an event of another host that comes later in the log.
#[test]
fn a_log_for_shiviz_has_clocks_without_gaps() {
    for events in [two_ask("explicit-ack"), eventful(3)] {
        let text = written(Form::Shiviz, &events);
        assert_eq!(text.lines().next(), Some(r"(?<host>\S*) (?<clock>\{.*\})\n(?<event>.*)"));
        assert_eq!(text.lines().nth(1), Some(""));
        let mut latest: BTreeMap<String, u64> = BTreeMap::new();
        for (host, clock) in log(&text) {
            *latest.entry(host.clone()).or_default() += 1;
            assert_eq!(clock[&host], latest[&host], "{text}");
            assert!(clock.iter().all(|(other, count)| count <= &latest[other]), "{text}");
        }
        assert!(!latest.is_empty());
    }
}

/// Returns the pairs of requests that were granted in the opposite order, computed by vector clocks alone.
fn inversions_by_clocks(stream: &TestStream) -> BTreeSet<[u64; 3]> {
    let mut clocks = Clocks::new(stream.specification.nodes);
    let mut waiting: BTreeMap<NodeId, (u64, Clock)> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for event in &stream.events {
        let clock = clocks.observe(&event.what, true).map(|(_, clock)| clock.clone());
        match &event.what {
            What::Outcome { at, outcome: Outcome::Requested { .. } } => {
                waiting.insert(at.node, (event.seq, clock.expect("a process")));
            }
            What::Outcome { at, outcome: Outcome::Entered { .. } } => {
                if let Some((asked, mine)) = waiting.remove(&at.node) {
                    let before = |(node, (_, theirs)): &(&NodeId, &(u64, Clock))| theirs.get(node) <= mine.get(node);
                    found.extend(waiting.iter().filter(before).map(|(_, (first, _))| [*first, asked, event.seq]));
                }
            }
            What::Crashed { node, .. } => _ = waiting.remove(node),
            _ => {}
        }
    }
    found
}

fn inversions(stream: &TestStream) -> BTreeSet<[u64; 3]> {
    let mut precedence = Precedence::new(stream.specification.nodes).expect("few nodes");
    let mut found = BTreeSet::new();
    stream.events.iter().for_each(|event| precedence.observe(event, |inversion| _ = found.insert(inversion.events)));
    found
}

/// Returns a run whose processes request, enter, send and receive in an arbitrary order.
fn heedless(actions: &[(u32, u32, usize)]) -> TestStream {
    let mut stream = TestStream::new(4);
    let (mut waits, mut under_way) = ([false; 4], Vec::new());
    for &(action, node, drawn) in actions {
        let waits = &mut waits[node as usize];
        match action {
            0 if *waits => {
                stream.enter(node);
                *waits = false;
            }
            0 => {
                stream.request(node);
                *waits = true;
            }
            1 if drawn % 4 != node as usize => {
                let to = u32::try_from(drawn % 4).expect("a small number");
                under_way.push(stream.send(node, to, "TELL"));
            }
            2 if !under_way.is_empty() => {
                let message = under_way.swap_remove(drawn % under_way.len());
                stream.deliver(message);
            }
            3 if !under_way.is_empty() => {
                let copy = stream.duplicate(under_way[drawn % under_way.len()]);
                under_way.push(copy);
            }
            _ => {}
        }
    }
    stream
}

proptest! {
    #[test]
    fn vector_clocks_agree_with_who_has_heard_of_whom(
        actions in prop::collection::vec((0..4_u32, 0..4_u32, any::<usize>()), 0..120),
    ) {
        let stream = heedless(&actions);
        prop_assert_eq!(inversions_by_clocks(&stream), inversions(&stream));
    }
}

/// In the two cases of this test, P1 either receives the message or does not. Everything else is the same.
#[test]
fn a_message_makes_the_order_and_only_a_message_does() {
    for heard in [true, false] {
        let mut stream = TestStream::new(2);
        stream.request(0);
        let word = stream.send(0, 1, "TELL");
        if heard {
            stream.deliver(word);
        } else {
            stream.lose(word);
        }
        stream.request(1);
        stream.enter(1);
        assert_eq!((inversions_by_clocks(&stream).len(), inversions(&stream).len()), (heard.into(), heard.into()));
    }
}

fn states(events: &[Event]) -> Vec<Value> {
    let document: Value = serde_json::from_str(&written(Form::Itf, events)).expect("JSON");
    let variables: BTreeSet<&str> =
        document["vars"].as_array().expect("variables").iter().filter_map(Value::as_str).collect();
    let states = document["states"].as_array().expect("states").clone();
    for (index, state) in states.iter().enumerate() {
        let keys: BTreeSet<&str> = state.as_object().expect("a state").keys().map(String::as_str).collect();
        assert_eq!(keys, variables.iter().copied().chain(["#meta"]).collect());
        assert_eq!(state["#meta"]["index"], index);
    }
    states
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(fields) => fields.values().any(has_null),
        _ => false,
    }
}

fn asked_by_both() -> Value {
    json!([{ "do": { "acquire": { "node": 0 } } }, { "do": { "acquire": { "node": 1 } } }])
}

/// In the variant without acknowledgements, both processes are in the section after their requests. In the variant
/// with acknowledgements, neither process is.
#[test]
fn the_last_state_violates_if_the_run_does() {
    for (variant, violates) in [("no-ack", true), ("explicit-ack", false)] {
        let events = played(json!({
            "specification": { "algorithm": "lamport", "variant": variant, "nodes": 2, "timers": false },
            "choices": asked_by_both(),
        }));
        let states = states(&events);
        let (first, last) = (&states[0], &states[states.len() - 1]);
        assert_eq!(states.len(), 3, "{states:#?}");
        assert_eq!(first["violated"], json!([]));
        let inside = if violates { json!([0, 1]) } else { json!([]) };
        assert_eq!(last["holders"], json!({ "#map": [[0, inside]] }));
        assert_eq!(last["violated"].as_array().map(Vec::is_empty), Some(!violates), "{last}");
        assert_eq!(last["under_way"].as_array().map(Vec::len), Some(2), "{last}");
        assert!(!states.iter().any(has_null));
    }
}

/// Plays a schedule with a part that is repeated. Returns the index at which the trace's loop starts, and all states.
fn endless(document: Value) -> (Value, Vec<Value>) {
    let draft: ScheduleDraft = serde_json::from_value(document).expect("a schedule");
    let from = draft.repeat.expect("a part that is repeated").from;
    let schedule = draft.complete().expect("a schedule");
    let report = Simulation::of_schedule(&schedule).replay(&schedule).expect("a configuration").expect("it can happen");
    let mut out = Vec::new();
    Form::Itf.write_endless(&report.events, report.marks[from], &mut out).expect("a run");
    let document: Value = serde_json::from_slice(&out).expect("JSON");
    assert!(states(&report.events) == *document["states"].as_array().expect("states"), "they are as ever");
    (document["loop"].clone(), states(&report.events))
}

/// In the repeated part, the holder of the token enters and leaves.
#[test]
fn a_run_without_end_returns_to_where_its_part_begins() {
    for times in [1, 3] {
        let (start, states) = endless(json!({
            "specification": { "algorithm": "raymond", "nodes": 2, "timers": false },
            "choices": [
                { "do": { "deliver": "0.1.1" } }, { "do": { "acquire": { "node": 0 } } }, { "do": { "release": { "node": 0 } } },
            ],
            "repeat": { "from": 1, "times": times },
        }));
        let start = usize::try_from(start.as_u64().expect("a loop")).expect("a small number");
        assert_eq!(states[start]["action"], "P0 requests lock 0 and enters the section of lock 0");
        assert_eq!(states.len(), start + 2 * times, "the loop is all of the rounds");
        // If the last state equals the state before the loop, the trace can continue with the first state of the loop
        // again.
        for name in ["processes", "views", "under_way", "holders", "waiting", "violated"] {
            assert_eq!(states[states.len() - 1][name], states[start - 1][name], "{name}");
        }
        assert_ne!(states[start]["holders"], states[start - 1]["holders"]);
    }
}

/// In each repetition a clock advances, or the message with the token gets a new id. No state therefore occurs twice.
#[test]
fn a_run_without_end_that_never_looks_the_same_has_no_loop() {
    for (algorithm, nodes, choices) in [
        ("lamport", 1, json!([{ "do": { "acquire": { "node": 0 } } }, { "do": { "release": { "node": 0 } } }])),
        ("le-lann", 2, json!([{ "do": { "deliver": "0.1.1" } }, { "do": { "deliver": "1.0.1" } }])),
    ] {
        let (start, states) = endless(json!({
            "specification": { "algorithm": algorithm, "nodes": nodes, "timers": false },
            "choices": choices, "repeat": { "from": 0, "times": 3 },
        }));
        assert_eq!(start, Value::Null, "{algorithm}");
        assert!(states.len() > 6, "{states:#?}");
    }
}

#[test]
fn numbers_that_not_everybody_can_hold_are_written_apart() {
    for (value, expected) in [
        (json!(9_007_199_254_740_991_u64), json!(9_007_199_254_740_991_u64)),
        (json!(9_007_199_254_740_992_u64), json!({ "#bigint": "9007199254740992" })),
        (json!(null), json!({ "#unserializable": "null" })),
        (json!({ "#set": 1 }), json!({ "#map": [["#set", 1]] })),
    ] {
        let mut stream = created(1);
        let at = first_step(0);
        let view = Json::of(&json!({ "seen": value })).ok();
        stream.push(What::Initialized { at, stored: None, because: Vec::new(), view });
        assert_eq!(states(&stream.events)[0]["views"][0]["seen"], expected);
    }
}

fn first_step(node: u32) -> StepId {
    StepId { node: NodeId(node), incarnation: 1, step: 1 }
}

/// Returns a stream whose first event creates the run.
pub(super) fn created(nodes: u32) -> TestStream {
    let mut stream = TestStream::unstarted(nodes);
    let specification = Json::of(&stream.specification).expect("JSON");
    stream.push(What::Created { specification, warnings: Vec::new() });
    stream
}

#[test]
fn what_does_not_begin_as_a_run_is_refused() {
    let stream = TestStream::new(2);
    for form in [Form::Shiviz, Form::Itf, Form::Svg] {
        assert!(form.write(&stream.events, &mut Vec::new()).is_err());
        assert!(form.write(&created(2).events, &mut Vec::new()).is_ok());
    }
}

/// The arrow of a received message has a tip, and the arrow of a lost message ends in a cross. The arrow of a
/// duplicate is dashed.
#[test]
fn every_message_has_its_arrow() {
    for events in [two_ask("explicit-ack"), eventful(3), eventful(4)] {
        let picture = written(Form::Svg, &events);
        let taken = number(&events, |what| matches!(what, What::Delivered { .. }));
        let on_the_way = |what: &What| matches!(what, What::Dropped { why, .. } if *why != DropReason::Ended);
        let messages = number(&events, |what| matches!(what, What::Sent { .. } | What::Duplicated { .. }));
        let copies = number(&events, |what| matches!(what, What::Duplicated { .. }));
        assert_eq!(count(&picture, "marker-end="), taken);
        assert_eq!(count(&picture, r#"class="lost""#), number(&events, on_the_way));
        assert_eq!(count(&picture, r#"class="message""#), messages);
        assert_eq!(count(&picture, r#"stroke-dasharray="5 3""#), copies);
        let entries = number(&events, |what| what.kind() == "entered");
        assert_eq!(count(&picture, r#"class="section""#), entries);
        assert_eq!(count(&picture, r#"class="dead""#), number(&events, |what| matches!(what, What::Crashed { .. })));
    }
}

#[test]
fn a_broken_rule_is_in_the_picture_and_only_then() {
    for (variant, expected) in [("no-ack", 1), ("explicit-ack", 0)] {
        let specification = json!({ "algorithm": "lamport", "variant": variant, "nodes": 2, "timers": false });
        let events = played(json!({ "specification": specification, "choices": asked_by_both() }));
        assert_eq!(count(&written(Form::Svg, &events), r#"class="wrong""#), expected);
    }
}

/// Names that contain markup, control characters or quotation marks must not end an element, a line or a quotation.
#[test]
fn hostile_names_are_escaped() {
    let hostile = "</title><script>alert('x')</script>\u{1b}[31m\n\u{202e}\"&";
    for (kind, expected) in [(hostile, false), ("REQUEST", true)] {
        let mut stream = created(2);
        stream.request(0);
        let message = stream.send(0, 1, kind);
        stream.deliver(message);
        stream.push(What::Noted { detail: kind.into() });
        stream.enter(0);
        let picture = written(Form::Svg, &stream.events);
        assert!(!picture.contains("<script"), "{picture}");
        assert_eq!(count(&picture, "<title>"), count(&picture, "</title>"));
        assert_eq!(picture.contains("&lt;script&gt;"), !expected);
        assert_eq!(picture.contains(r"\u{1b}[31m\n\u{202e}"), !expected, "{picture}");
        let story = written(Form::Story, &stream.events);
        let log = written(Form::Shiviz, &stream.events);
        for form in [&picture, &story, &log] {
            assert!(!form.contains(['\u{1b}', '\u{202e}']), "{form}");
        }
        assert_eq!(log.lines().count() % 2, 0);
        let states = states(&stream.events);
        assert!(states.iter().all(|state| state["action"].is_string()));
    }
}

#[test]
fn forms_have_names_and_what_has_none_is_refused() {
    for (name, form) in Form::ALL {
        assert_eq!(name.parse(), Ok(form));
        assert_eq!(serde_json::from_value::<Form>(json!(name)).ok(), Some(form));
    }
    let refused = "shivis".parse::<Form>().expect_err("no form").to_string();
    assert!(refused.contains("did you mean") && refused.contains("story, events"), "{refused}");
}

/// Returns the records of a run for Perfetto: metadata, slices, instants, beginnings and ends of arrows.
fn perfetto(events: &[Event]) -> Vec<Value> {
    let document: Value = serde_json::from_str(&written(Form::Perfetto, events)).expect("JSON");
    document["traceEvents"].as_array().expect("a list").clone()
}

fn of_phase<'a>(records: &'a [Value], phase: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["ph"] == phase).collect()
}

fn figure(record: &Value, name: &str) -> u64 {
    record[name].as_u64().unwrap_or_else(|| panic!("no {name}: {record}"))
}

#[test]
fn every_section_is_a_slice_and_every_delivery_an_arrow() {
    for seed in 0..20 {
        let events = eventful(seed);
        let records = perfetto(&events);
        let slices = of_phase(&records, "X");
        let of = |category: &str| slices.iter().filter(|slice| slice["cat"] == category).count();
        assert_eq!(of("section"), number(&events, |what| what.kind() == "entered"));
        assert_eq!(of("wait"), number(&events, |what| what.kind() == "requested"));
        assert_eq!(of("fault"), 2, "one pause and one crash");
        let (begun, ended) = (of_phase(&records, "s"), of_phase(&records, "f"));
        assert_eq!(ended.len(), number(&events, |what| matches!(what, What::Delivered { .. })));
        let times = |ends: &[&Value]| -> BTreeMap<u64, u64> {
            ends.iter().map(|end| (figure(end, "id"), figure(end, "ts"))).collect()
        };
        let (begun_us, ended_us) = (times(&begun), times(&ended));
        assert_eq!((begun_us.len(), ended_us.len()), (begun.len(), ended.len()), "each has its own number");
        assert!(ended_us.iter().all(|(id, arrived_us)| begun_us[id] <= *arrived_us));
    }
}

/// On one thread, two slices are either nested or disjoint, since viewers require this.
#[test]
fn no_slice_overlaps_another_by_half_nor_ends_after_the_run() {
    for seed in 0..20 {
        let events = eventful(seed);
        let last_us = events.last().expect("an event").at_us;
        let mut open: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for slice in of_phase(&perfetto(&events), "X") {
            let (start, end) = (figure(slice, "ts"), figure(slice, "ts") + figure(slice, "dur"));
            let thread = open.entry(figure(slice, "tid")).or_default();
            thread.retain(|&ends| ends > start);
            assert!(thread.iter().all(|&ends| end <= ends), "{slice} is not within {thread:?}");
            assert!(end <= last_us + 1, "{slice} ends after {last_us}");
            thread.push(end);
        }
    }
}

#[test]
fn who_still_waits_at_the_end_is_shown_to_wait() {
    let records = perfetto(&two_ask("any-later-message"));
    let names = |phase: &str| -> Vec<String> {
        of_phase(&records, phase).iter().map(|record| format!("{} {}", record["tid"], record["name"])).collect()
    };
    let threads: Vec<&Value> = of_phase(&records, "M").into_iter().map(|record| &record["args"]["name"]).collect();
    assert_eq!(threads[1..], ["P0", "P1"]);
    let slices = of_phase(&records, "X");
    let waits: Vec<_> = slices.iter().filter(|slice| slice["cat"] == "wait").collect();
    assert!(waits.iter().all(|wait| wait["args"]["ended"] == "not yet"), "{waits:?}");
    assert_eq!(waits.len(), 2);
    assert_eq!((names("s"), names("f")), (vec!["1 \"REQUEST\"".to_owned()], vec!["2 \"REQUEST\"".to_owned()]));
}
