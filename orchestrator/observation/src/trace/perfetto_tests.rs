use interlock_algorithm::{AbortCause, LockId, NodeId, Operation, Outcome, RequestId, Response};
use interlock_model::event::{Change, Json, RestartState, StepId, What};
use interlock_model::write::Write;
use serde_json::{Value, json};

use super::Form;
use crate::state::test_stream::{TestStream, violated};

/// Returns a stream whose first event creates the run.
fn created(nodes: u32) -> TestStream {
    let mut stream = TestStream::unstarted(nodes);
    let specification = Json::of(&stream.specification).expect("JSON");
    stream.push(What::Created { specification, warnings: Vec::new() });
    stream
}

fn records(stream: &TestStream) -> Vec<Value> {
    let mut out = Vec::new();
    Form::Perfetto.write(&stream.events, &mut out).expect("a run");
    let document: Value = serde_json::from_slice(&out).expect("JSON");
    document["traceEvents"].as_array().expect("a list").clone()
}

/// Returns the slices of these categories: the name, the beginning, the duration, and how the slice ended if it ended
/// in an unusual way.
fn slices(stream: &TestStream, categories: &[&str]) -> Vec<(String, u64, u64, Option<String>)> {
    let figure = |record: &Value, name: &str| record[name].as_u64().expect("a figure");
    let of = |record: &&Value| record["ph"] == "X" && categories.iter().any(|category| record["cat"] == *category);
    let shown = |record: &Value| {
        let ended = record["args"]["ended"].as_str().map(str::to_owned);
        (record["name"].as_str().expect("a name").to_owned(), figure(record, "ts"), figure(record, "dur"), ended)
    };
    records(stream).iter().filter(of).map(shown).collect()
}

fn tell(stream: &mut TestStream, at_us: u64, outcome: Outcome) {
    stream.at(at_us).outcome(StepId { node: NodeId(0), incarnation: 1, step: 1 }, outcome);
}

fn slice(name: &str, start: u64, duration: u64, ended: Option<&str>) -> (String, u64, u64, Option<String>) {
    (name.to_owned(), start, duration, ended.map(str::to_owned))
}

#[test]
fn threads_are_named_and_numbered() {
    let named: Vec<_> =
        records(&created(2)).iter().map(|record| (record["ph"].clone(), record["tid"].clone())).collect();
    assert_eq!(named, [(json!("M"), Value::Null), (json!("M"), json!(1)), (json!("M"), json!(2))]);
}

#[test]
fn a_message_is_an_arrow_between_the_steps_at_its_ends() {
    let mut stream = created(2);
    stream.at(10).request(0);
    let message = stream.send(0, 1, "REQUEST");
    stream.at(25).deliver(message);
    let ends: Vec<_> =
        records(&stream).into_iter().filter(|record| record["ph"] == "s" || record["ph"] == "f").collect();
    let args = json!({ "message": "0.1.1" });
    let end = |ph: &str, ts: u64, tid: u64| json!({ "name": "REQUEST", "cat": "message", "ph": ph, "ts": ts, "pid": 1, "tid": tid, "id": 1, "args": args });
    let mut arrives = end("f", 25, 2);
    arrives["bp"] = "e".into();
    assert_eq!(ends, [end("s", 10, 1), arrives]);
    assert_eq!(slices(&stream, &["step"]), [slice("sends REQUEST", 10, 1, None), slice("receives ANY", 25, 1, None)]);
}

#[test]
fn a_refused_message_arrives_at_the_step_that_refuses_it() {
    let mut stream = created(2);
    stream.at(10).request(0);
    let message = stream.send(0, 1, "REQUEST");
    let at = StepId { node: NodeId(1), incarnation: 1, step: 1 };
    stream.at(25).push(What::Refused { at, message: Some(message), detail: "no such kind".into() });
    let names = slices(&stream, &["step"]);
    assert_eq!(names, [slice("sends REQUEST", 10, 1, None), slice("refuses a message", 25, 1, None)]);
    assert_eq!(records(&stream).iter().filter(|record| record["ph"] == "f").count(), 1);
}

#[test]
fn waits_and_sections_end_with_their_own_requests() {
    let mut stream = created(1);
    let asked = |lock, request| Outcome::requested(LockId(lock), RequestId(request));
    let entered = |lock, request| Outcome::Entered { lock: LockId(lock), request: RequestId(request), fence: None };
    let exited = |lock, request| Outcome::Exited { lock: LockId(lock), request: RequestId(request) };
    tell(&mut stream, 10, asked(0, 1));
    tell(&mut stream, 11, asked(1, 2));
    tell(&mut stream, 20, entered(0, 1));
    tell(&mut stream, 25, entered(1, 2));
    tell(&mut stream, 30, exited(1, 2));
    tell(&mut stream, 50, exited(0, 1));
    let expected = [
        slice("waits for lock 0", 10, 10, None),
        slice("waits for lock 1", 11, 14, None),
        slice("in the section of lock 0", 20, 30, None),
        slice("in the section of lock 1", 25, 5, None),
    ];
    assert_eq!(slices(&stream, &["wait", "section"]), expected);
}

#[test]
fn a_wait_that_begins_again_is_two_waits() {
    let mut stream = created(1);
    let asked = |request| Outcome::requested(LockId(0), RequestId(request));
    tell(&mut stream, 10, asked(1));
    tell(&mut stream, 20, asked(2));
    tell(&mut stream, 30, asked(1));
    let waits = |start, duration| slice("waits for lock 0", start, duration, Some("not yet"));
    assert_eq!(slices(&stream, &["wait"]), [slice("waits for lock 0", 10, 20, None), waits(20, 10), waits(30, 0)]);
}

#[test]
fn an_aborted_request_is_given_up_and_no_other() {
    let mut stream = created(1);
    for (lock, request) in [(0, 1), (1, 1), (2, 2)] {
        tell(&mut stream, 10, Outcome::requested(LockId(lock), RequestId(request)));
    }
    tell(&mut stream, 12, Outcome::Entered { lock: LockId(0), request: RequestId(1), fence: None });
    tell(&mut stream, 20, Outcome::Invoked { request: RequestId(1), operation: Operation::Generate {} });
    tell(&mut stream, 30, Outcome::Aborted { request: RequestId(1), cause: AbortCause::Victim });
    tell(&mut stream, 40, Outcome::called(1));
    let mut ended: Vec<_> = slices(&stream, &["wait", "section", "call"])
        .into_iter()
        .map(|(name, _, duration, ended)| (name, duration, ended.unwrap_or_default()))
        .collect();
    ended.sort();
    let expected = [
        ("calls the service", 20, "not yet"),
        ("in the section of lock 0", 18, "given up"),
        ("waits for lock 0", 2, ""),
        ("waits for lock 1", 20, "given up"),
        ("waits for lock 2", 30, "not yet"),
    ];
    assert_eq!(ended, expected.map(|(name, duration, ended)| (name.to_owned(), duration, ended.to_owned())));
}

#[test]
fn a_call_lasts_until_its_own_response() {
    let mut stream = created(1);
    for (at_us, request) in [(10, 1), (20, 2)] {
        tell(&mut stream, at_us, Outcome::Invoked { request: RequestId(request), operation: Operation::Generate {} });
    }
    tell(&mut stream, 50, Outcome::Returned { request: RequestId(1), response: Response::Done {} });
    tell(&mut stream, 60, Outcome::Returned { request: RequestId(2), response: Response::Done {} });
    let calls = slices(&stream, &["call"]);
    assert_eq!(calls, [slice("calls the service", 10, 40, None), slice("calls the service", 20, 40, None)]);
}

#[test]
fn a_pause_lasts_until_the_resumption_and_a_crash_until_the_restart() {
    let mut stream = created(1);
    stream.at(10).pause(0);
    stream.at(30).resume(0);
    stream.at(40).pause(0);
    stream.at(45).crash(0);
    stream.at(60).restart(0, RestartState::Stored);
    stream.at(90).request(0);
    let expected =
        [slice("paused", 10, 20, None), slice("paused", 40, 5, Some("crashed")), slice("crashed", 45, 15, None)];
    assert_eq!(slices(&stream, &["fault"]), expected);
}

#[test]
fn other_events_are_instants_of_their_thread_or_of_the_run() {
    let mut stream = created(1);
    let (lock, request) = (LockId(0), RequestId(1));
    tell(&mut stream, 1, Outcome::called(1));
    tell(&mut stream, 2, Outcome::elected(NodeId(0), 1));
    tell(&mut stream, 3, Outcome::Proposed { instance: 0, value: "v".into() });
    tell(&mut stream, 4, Outcome::Decided { instance: 0, value: "v".into() });
    tell(&mut stream, 5, Outcome::Expired { lock, holder: NodeId(0), request });
    tell(&mut stream, 6, Outcome::Reported { cycle: vec![NodeId(0)], victim: NodeId(0) });
    let write = |node| Write { resource: "disk".into(), value: 5, node, fence: None, read: None, version: None };
    stream.at(7).push(What::Put { write: write(Some(NodeId(0))) });
    stream.at(8).push(What::Put { write: write(None) });
    let change = Change { subject: "rule".into(), id: Some("4".into()), value: None };
    stream.at(9).push(What::Configured { change });
    stream.at(10).push(violated("mutual-exclusion"));
    let instants: Vec<_> = records(&stream)
        .into_iter()
        .filter(|record| record["ph"] == "i")
        .map(|record| {
            let word = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
            (word("cat"), word("name"), word("s"), record["ts"].as_u64(), record["tid"].as_u64())
        })
        .collect();
    let expected = [
        ("election", "called", "t", 1),
        ("election", "elected", "t", 2),
        ("agreement", "proposed", "t", 3),
        ("agreement", "decided", "t", 4),
        ("lock", "expired", "t", 5),
        ("lock", "reported", "t", 6),
        ("resource", "put", "t", 7),
        ("resource", "put", "p", 8),
        ("network", "configured", "p", 9),
        ("rule", "mutual-exclusion", "p", 10),
    ];
    let expected = expected.map(|(category, name, scope, at_us)| {
        let thread = (scope == "t").then_some(1);
        (category.to_owned(), name.to_owned(), scope.to_owned(), Some(at_us), thread)
    });
    assert_eq!(instants, expected);
}

#[test]
fn the_time_of_a_thread_does_not_go_back() {
    let mut stream = created(2);
    stream.at(50).request(0);
    let message = stream.send(0, 1, "REQUEST");
    stream.at(20).deliver(message);
    tell(&mut stream, 30, Outcome::called(1));
    assert_eq!(slices(&stream, &["step"])[1], slice("receives ANY", 50, 1, None), "not before it was sent");
    let at_us = records(&stream).iter().find(|record| record["ph"] == "i").and_then(|record| record["ts"].as_u64());
    assert_eq!(at_us, Some(50), "not before the request");
}

#[test]
fn slices_that_overlap_partially_are_on_separate_threads() {
    let mut stream = created(1);
    tell(&mut stream, 10, Outcome::Invoked { request: RequestId(1), operation: Operation::Generate {} });
    tell(&mut stream, 20, Outcome::Invoked { request: RequestId(2), operation: Operation::Generate {} });
    tell(&mut stream, 30, Outcome::Returned { request: RequestId(1), response: Response::Done {} });
    tell(&mut stream, 40, Outcome::Returned { request: RequestId(2), response: Response::Done {} });
    let slices: Vec<_> = records(&stream).into_iter().filter(|record| record["ph"] == "X").collect();
    assert_eq!(slices.iter().map(|slice| slice["tid"].clone()).collect::<Vec<_>>(), [1, 2]);
}
