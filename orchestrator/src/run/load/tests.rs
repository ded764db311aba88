//! Tests of loading: valid events are accepted, and invalid events are rejected.

use std::io::Cursor;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::journal::Reader;
use crate::run::PastView;
use interlock_model::specification::Draft;
use interlock_simulation::simulation::{Simulation, Watch};

fn specification(nodes: u32) -> Value {
    let draft: Draft = serde_json::from_value(json!({ "algorithm": "lamport" })).expect("a draft");
    let mut specification = serde_json::to_value(draft.complete().expect("a specification")).expect("JSON");
    specification["nodes"] = nodes.into();
    specification
}

fn created(nodes: u32) -> Value {
    json!({ "seq": 1, "at_us": 0, "kind": "created", "specification": specification(nodes) })
}

fn requested(seq: u64, node: u32) -> Value {
    json!({ "seq": seq, "at_us": seq, "kind": "requested", "node": node, "incarnation": 1, "step": seq, "lock": 0,
        "request": 1 })
}

fn lines(events: &[Value]) -> String {
    events.iter().flat_map(|event| [event.to_string(), "\n".to_owned()]).collect()
}

fn loaded(text: &str) -> (TempDir, Result<PastRun, LoadError>) {
    let folder = TempDir::new().expect("a folder");
    let run = load(folder.path(), None, Cursor::new(text));
    (folder, run)
}

/// Loads events that must be rejected. Checks that no file is left, and returns the number of the invalid line and
/// its error.
#[track_caller]
fn refused(text: &str) -> (u64, FieldError) {
    let (folder, run) = loaded(text);
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0, "something remains");
    match run {
        Err(LoadError::Refused { line, error }) => (line, error),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_thousand_nodes_can_be_loaded() {
    let events: Vec<Value> =
        (2..=12_001).map(|seq| requested(seq, u32::try_from(seq % 1_000).expect("small"))).collect();
    let (folder, run) = loaded(&(lines(&[created(1_000)]) + "\r\n" + lines(&events).trim_end()));
    let run = run.expect("a run");
    let reader = Reader::open(folder.path(), run.header.id).expect("its journal");
    assert_eq!(reader.latest().expect("a seq"), 12_001);
    assert!(reader.snapshot_before(u64::MAX).expect("a journal").is_some_and(|(seq, _)| seq >= 10_000));
    let state = |at| PastView::at(&reader, Some(at)).expect("the past").state;
    let waiting = |at| state(at).locks().iter().map(|(_, lock)| lock.waiting.len()).sum::<usize>();
    assert_eq!((waiting(1), waiting(500), waiting(12_001)), (0, 499, 1_000));
    assert_eq!(state(12_001).nodes().len(), 1_000);
    assert!(PastView::metrics(&reader, None).is_ok());
}

#[test]
fn what_makes_no_sense_together_is_passed_over() {
    let step = |seq: u64, kind: &str, more: Value| {
        let mut event = json!({ "seq": seq, "at_us": 9, "kind": kind, "node": 1, "incarnation": 7, "step": 9 });
        event.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        event
    };
    let message = json!({ "message": "0.1.99", "from": 0, "message_kind": "ODD", "unknown": true });
    let section = json!({ "lock": 3, "request": u64::MAX });
    let events = [
        created(2),
        step(2, "delivered", message),
        step(3, "exited", section.clone()),
        step(4, "entered", section.clone()),
        step(5, "requested", section),
        json!({ "seq": 6, "at_us": 1, "kind": "duplicated", "message": "0.1.5", "from": 0, "to": 1, "message_kind": "ODD",
            "copy": "0.1.5.1", "by": "chance" }),
        json!({ "seq": 7, "at_us": 1, "kind": "ended", "why": "stopped" }),
    ];
    let (folder, run) = loaded(&lines(&events));
    let reader = Reader::open(folder.path(), run.expect("a run").header.id).expect("its journal");
    let state = PastView::at(&reader, None).expect("the past").state;
    assert_eq!((state.seq(), state.network().in_flight()), (7, 0));
    assert_eq!(PastView::metrics(&reader, None).expect("metrics").document().handled_per_node, [0, 1]);
}

#[test]
fn the_line_and_the_place_are_told() {
    let with = |name: &str, value: Value| {
        let mut event = requested(2, 0);
        event[name] = value;
        event
    };
    let mut without = requested(2, 0);
    without.as_object_mut().expect("an object").remove("lock");
    let sent = json!({ "seq": 2, "at_us": 0, "kind": "sent", "node": 0, "incarnation": 1, "step": 1, "message": "0.2.1",
        "to": 1, "message_kind": "REQUEST", "body": {} });
    let lost = |message: &str, to: u32| {
        json!({ "seq": 2, "at_us": 0, "kind": "dropped", "message": message, "from": 0, "to": to,
            "message_kind": "REQUEST", "why": "loss" })
    };
    let table = [
        (with("seq", json!(3)), "/seq", "event 3 is in the place of event 2", 1),
        (with("seq", json!(-1)), "/seq", "-1 is not a whole number", 0),
        (with("at_us", json!(u64::MAX)), "/at_us", "18446744073709551615 is not a whole number", 0),
        (with("node", json!("P1")), "/node", "\"P1\" is not a whole number", 0),
        (with("node", json!(2)), "/node", "there is no node 2: the run has nodes 0 … 1", 0),
        (with("lock", json!("first")), "/lock", "\"first\" is not a whole number", 0),
        (with("kind", json!("danced")), "/kind", "there is no event \"danced\"", What::KINDS.len()),
        (with("kind", json!("created")), "/specification", "missing field `specification`", 0),
        (without, "/lock", "missing field `lock`", 0),
        (sent, "/message", "there is no node 2", 0),
        (lost("0.1.1", 2), "/to", "there is no node 2", 0),
        (lost("0.2.1", 1), "/message", "there is no node 2", 0),
        (json!([1]), "", "expected an object", 0),
        (created(2), "/seq", "event 1 is in the place of event 2", 1),
    ];
    for (event, pointer, detail, allowed) in table {
        let (line, error) = refused(&lines(&[created(2), event.clone(), requested(3, 0)]));
        assert_eq!((line, &*error.pointer, error.allowed.len()), (2, pointer, allowed), "{event}: {error:?}");
        assert!(error.detail.starts_with(detail), "{error:?}");
    }
    let (line, error) = refused(&(lines(&[created(2)]) + "\n{\"seq\":2,"));
    assert!(line == 3 && error.detail.starts_with("the line is not JSON: EOF"), "{error:?}");
}

#[test]
fn the_first_event_carries_a_specification() {
    let altered = |name: &str, value: Value| {
        let mut event = created(2);
        event["specification"][name] = value;
        event
    };
    let table = [
        (altered("nodes", json!(0)), "/specification/nodes", "0 nodes are outside 1 … 10000", "1"),
        (altered("nodes", json!(10_001)), "/specification/nodes", "10001 nodes are outside", "10000"),
        (altered("version", json!(2)), "/specification/version", "version 2 is unknown", "1"),
        (
            altered("channel", json!("pipe")),
            "/specification/channel",
            "`pipe` is not one of the possible values",
            "raw",
        ),
        (altered("name", json!("")), "/specification/name", "the name is empty", ""),
        (altered("name", json!(" ")), "/specification/name", "the name is empty", ""),
        (requested(1, 0), "/kind", "the first event, and no other, must be `created`", "created"),
    ];
    for (event, pointer, detail, right) in table {
        let (line, error) = refused(&lines(&[event]));
        let first = error.allowed.first().map_or("", String::as_str);
        assert_eq!((line, &*error.pointer, first), (1, pointer, right), "{error:?}");
        assert!(error.detail.starts_with(detail), "{error:?}");
    }
    assert!(refused("").1.detail.starts_with("there is no event"));
    assert!(refused("\n\n").1.detail.starts_with("there is no event"));
}

#[test]
fn numbers_that_size_a_run_are_bounded() {
    let error = |changes: &[(&str, u64)]| {
        let mut event = created(2);
        for (name, value) in changes {
            event["specification"][name] = (*value).into();
        }
        let (line, error) = refused(&lines(&[event]));
        assert_eq!((line, &*error.pointer), (1, &*format!("/specification/{}", changes[0].0)));
        error.detail
    };
    let locks = error(&[("locks", u32::MAX.into())]);
    assert!(locks.starts_with("4294967295 locks are outside 0 … 1000"), "{locks}");
    let pairs = error(&[("locks", 1_000), ("nodes", 10_000)]);
    assert!(pairs.starts_with("10000 nodes with 1000 locks are 10000000 pairs"), "{pairs}");
    let known = error(&[("nodes", 1_000), ("locks", 41)]);
    assert_eq!(known, "cannot judge 1000 nodes with 41 locks: nodes² × locks must be at most 40000000");
    let mut largest = created(1_000);
    largest["specification"]["locks"] = 40.into();
    assert!(loaded(&lines(&[largest])).1.is_ok());
}

#[test]
fn a_line_has_an_end() {
    let endless = lines(&[created(2)]) + &" ".repeat(usize::try_from(LONGEST_LINE).expect("small") + 1);
    let (line, error) = refused(&endless);
    assert_eq!((line, &*error.detail), (2, "the line is longer than 16 MiB"));
}

#[test]
fn what_breaks_off_leaves_nothing_behind() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }
    let folder = TempDir::new().expect("a folder");
    let text = lines(&[created(2), requested(2, 0)]);
    let source = io::BufReader::new(Cursor::new(text).chain(Broken));
    assert!(matches!(load(folder.path(), None, source), Err(LoadError::Read(_))));
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 0);
}

/// Returns the events of two processes that are users' programs. The second process enters while the first process
/// is in its critical section or, if not `together`, after a message from the first process.
fn two_sections(together: bool) -> Vec<Value> {
    let step = |seq: u64, kind: &str, node: u32| {
        json!({ "seq": seq, "at_us": 1_000 * seq, "kind": kind, "node": node, "incarnation": 1, "step": seq,
            "lock": 0, "request": 1 })
    };
    let word = |seq: u64, kind: &str, node: u32, more: Value| {
        let mut event = json!({ "seq": seq, "at_us": 1_000 * seq, "kind": kind, "node": node, "incarnation": 1,
            "step": seq, "message": "0.1.1", "message_kind": "RELEASE" });
        event.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        event
    };
    let mut kinds = vec![("entered", 0), ("exited", 0), ("entered", 1), ("exited", 1)];
    if together {
        kinds.swap(1, 2);
        let steps = (2..).zip(kinds).map(|(seq, (kind, node))| step(seq, kind, node));
        return [created(2)].into_iter().chain(steps).collect();
    }
    vec![
        created(2),
        step(2, "entered", 0),
        step(3, "exited", 0),
        word(4, "sent", 0, json!({ "to": 1, "body": {}, "due_us": 5_000 })),
        word(5, "delivered", 1, json!({ "from": 0 })),
        step(6, "entered", 1),
        step(7, "exited", 1),
    ]
}

/// A violation in a journal: its `seq`, the name of its monitor, and its events.
type Found = (u64, String, Vec<u64>);

/// Loads events. Returns the verdict, and the violations in the resulting journal.
fn judged(events: &[Value]) -> (&'static str, Vec<Found>) {
    let (folder, run) = loaded(&lines(events));
    let run = run.expect("a run");
    let reader = Reader::open(folder.path(), run.header.id).expect("its journal");
    let violations =
        reader.events_after(0).map(|event| event.expect("an event")).filter_map(|event| match event.what {
            What::Violated { violation } => Some((event.seq, violation.monitor.to_string(), violation.events)),
            _ => None,
        });
    (run.outcome.expect("an outcome").verdict.name(), violations.collect())
}

#[test]
fn sections_in_a_log_without_messages_are_judged_by_their_overlap_alone() {
    let without = |overlap: bool| {
        let mut events = vec![created(2)];
        let order = if overlap {
            ["entered", "entered", "exited", "exited"]
        } else {
            ["entered", "exited", "entered", "exited"]
        };
        for (place, kind) in (0_u64..).zip(order) {
            let node = if overlap { place % 2 } else { place / 2 };
            let mut event = requested(place + 2, u32::try_from(node).expect("small"));
            event["kind"] = json!(kind);
            events.push(event);
        }
        judged(&events).1.iter().filter(|(_, monitor, _)| monitor == "mutual-exclusion").count()
    };
    assert_eq!((without(true), without(false)), (1, 0));
}

/// Before the second process enters, a message from the first process must have told it that the first process has
/// left. A message in the other direction is not enough.
#[test]
fn sections_in_a_log_with_messages_are_judged_by_happened_before() {
    let informed = two_sections(false);
    let mut uninformed = informed.clone();
    for (place, node, peer) in [(3, 1, "to"), (4, 0, "from")] {
        let event = &mut uninformed[place];
        event["message"] = json!("1.0.1");
        event["node"] = json!(node);
        event[peer] = json!(1 - node);
    }
    assert_eq!((judged(&informed).1, judged(&uninformed).1.len()), (vec![], 1));
    assert_eq!(judged(&uninformed).1[0].1, "mutual-exclusion");
}

#[test]
fn loaded_events_are_judged_by_the_monitors() {
    assert_eq!(judged(&two_sections(false)), ("ok", vec![]));
    let (verdict, violations) = judged(&two_sections(true));
    assert_eq!(verdict, "violated");
    let found = [(6, "mutual-exclusion".to_owned(), vec![2, 3]), (7, "real-time".to_owned(), vec![2, 3, 4, 5])];
    assert_eq!(violations, found);
}

#[test]
fn a_violation_that_the_events_report_is_not_counted_twice() {
    let mut events = two_sections(true);
    let arguments = json!({ "lock": 0, "first": 0, "second": 1 });
    let reported = json!({ "seq": 6, "at_us": 5_000, "kind": "violated", "violation": {
        "monitor": "mutual-exclusion", "code": "concurrent-sections", "arguments": arguments, "events": [2, 3] } });
    events.push(reported);
    let (verdict, violations) = judged(&events);
    let monitors: Vec<&str> = violations.iter().map(|(_, monitor, _)| monitor.as_str()).collect();
    assert_eq!((verdict, monitors), ("violated", vec!["mutual-exclusion", "real-time"]));
}

/// Simulates a run and returns its events in the form of an import, without the events that report violations.
fn events_of(document: Value, until_ms: Option<u64>) -> Vec<Value> {
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().expect("a run");
    let until = until_ms.map(|until_ms| 1_000 * until_ms);
    let simulation = Simulation { until, watch: Watch::Events, ..Simulation::new(specification, 0) };
    let report = simulation.run().expect("a report");
    let kept = report.events.into_iter().filter(|event| event.kind() != "violated");
    let numbered = (1..).zip(kept).map(|(seq, event)| Event { seq, ..event });
    numbered.map(|event| serde_json::to_value(event).expect("JSON")).collect()
}

/// Loads events. Returns the verdict, and the names of the monitors that have found violations.
fn found(events: &[Value]) -> (&'static str, Vec<String>) {
    let (verdict, violations) = judged(events);
    (verdict, violations.into_iter().map(|(_, monitor, _)| monitor).collect())
}

/// Returns a run in which P0 requests a lock but needs a reply from P1, which has crashed. With `restart_ms`, P1
/// restarts at that time.
fn unanswered(restart_ms: Option<u64>) -> Value {
    let mut script = vec![
        json!({ "at": 1, "do": { "crash": { "node": 1 } } }),
        json!({ "at": 5, "do": { "acquire": { "node": 0, "hold": 1 } } }),
    ];
    script.extend(restart_ms.map(|at| json!({ "at": at, "do": { "restart": { "node": 1 } } })));
    json!({ "algorithm": "lamport", "nodes": 2, "seed": 1, "network": { "delay": 1 }, "script": script })
}

#[test]
fn a_loaded_run_that_was_stopped_while_nothing_moved_is_stuck() {
    let events = events_of(unanswered(None), None);
    assert_eq!(found(&events), ("stuck", vec!["stuck".to_owned()]));
    let broken_off = &events[..events.len() - 1];
    assert_eq!(found(broken_off).1, [""; 0], "nobody knows how it goes on");
}

#[test]
fn a_loaded_run_whose_script_was_still_to_act_is_not_stuck() {
    assert_eq!(found(&events_of(unanswered(Some(5_000)), Some(1_000))).1, [""; 0]);
}

/// Returns a run with an election. If `coord_is_lost`, a rule drops the message that notifies P1 of the
/// coordinator.
fn election(coord_is_lost: bool) -> Value {
    let rule = json!({ "match": { "message_kind": "COORD" }, "action": "drop", "skip": 1, "count": 1 });
    let mut script = vec![json!({ "at": 1, "do": { "elect": { "node": 2 } } })];
    if coord_is_lost {
        script.insert(0, json!({ "at": 0, "do": { "rule": rule } }));
    }
    json!({ "algorithm": "bully", "nodes": 3, "seed": 1, "network": { "delay": 1 }, "script": script,
        "parameters": { "initiators": "none" } })
}

#[test]
fn the_end_of_a_loaded_election_is_judged() {
    assert_eq!(found(&events_of(election(true), None)), ("violated", vec!["leaders".to_owned()]));
    assert_eq!(found(&events_of(election(false), None)), ("ok", vec![]));
}

#[test]
fn a_loaded_run_with_steps_still_to_come_is_not_judged_at_rest() {
    let mut events = events_of(unanswered(None), None);
    let planned =
        |until_us: Value| json!({ "acts": [{ "kind": "restart", "node": 1, "from_us": 0, "until_us": until_us }] });
    for (until_us, monitors) in [(Value::Null, 0), (json!(9_000_000), 0)] {
        events[0]["specification"]["planned"] = planned(until_us);
        assert_eq!(found(&events).1.len(), monitors);
    }
}
