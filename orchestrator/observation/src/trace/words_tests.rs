use std::sync::Arc;

use interlock_algorithm::{AbortCause, Ballot, LockId, NodeId, Operation, Outcome, RequestId, Response};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{CommandItem, DetectorTimer, Order, TimerName};
use interlock_model::event::{Change, CrashCause, DropReason, Event, Hand, Json, RestartState, StepId, What};
use interlock_model::write::{RejectReason, Rejection, Write};
use serde_json::{Value, json};

use super::words::{reason, sentence, view};
use super::{Form, Story};
use crate::state::test_stream::{HOLD, violated};

const P0: NodeId = NodeId(0);
const AT: StepId = StepId { node: P0, incarnation: 1, step: 1 };
const MESSAGE: MessageId = MessageId { from: NodeId(1), to: P0, number: 7, copy: 0 };
const COPY: MessageId = MessageId { copy: 1, ..MESSAGE };

fn said(what: &What) -> String {
    sentence(what).unwrap_or_else(|| panic!("no sentence: {what:?}"))
}

fn commanded(order: Order) -> What {
    What::Commanded { at: AT, command: CommandItem { id: 1, order }, because: Vec::new(), view: None }
}

fn sent(to: u32, number: u64, copy: u32, kind: &'static str) -> What {
    let message = MessageId { from: P0, to: NodeId(to), number, copy };
    What::Sent {
        at: AT,
        message,
        to: NodeId(to),
        message_kind: kind.into(),
        body: Json::NULL,
        due_us: Some(1),
        rule: None,
    }
}

fn outcome(outcome: Outcome) -> What {
    What::Outcome { at: AT, outcome }
}

/// Returns the sentences of a story of these events.
fn story(whats: impl IntoIterator<Item = What>) -> Vec<String> {
    let events: Vec<_> = (1..).zip(whats).map(|(seq, what)| Event { seq, at_us: seq, what }).collect();
    Story::default().tell(&events).into_iter().map(|told| told.sentence).collect()
}

#[test]
fn the_inputs_of_a_step_have_their_words() {
    let (message_kind, because) = (|| "REQUEST".into(), Vec::new);
    let from = NodeId(1);
    for (what, expected) in [
        (What::Initialized { at: AT, stored: None, because: because(), view: None }, "P0 starts"),
        (
            What::Fired { at: AT, timer: HOLD, because: because(), view: None },
            "P0 handles the expiry of its timer (client hold)",
        ),
        (
            What::Fired { at: AT, timer: TimerName::Detector(DetectorTimer::Beat), because: because(), view: None },
            "P0 handles the expiry of its timer (detector beat)",
        ),
        (
            What::Delivered {
                at: AT,
                message: MESSAGE,
                from,
                message_kind: message_kind(),
                because: because(),
                view: None,
            },
            "P0 receives REQUEST 1.0.7 from P1",
        ),
        (
            What::Taken { at: AT, message: MESSAGE, from, message_kind: message_kind() },
            "P0 receives REQUEST 1.0.7 from P1 through its channel",
        ),
        (
            What::Refused { at: AT, message: Some(MESSAGE), detail: "no such kind".into() },
            "P0 refuses 1.0.7: no such kind",
        ),
        (What::Refused { at: AT, message: None, detail: "it holds it".into() }, "P0 refuses the input: it holds it"),
        (What::Misbehaved { node: P0, detail: "no JSON".into() }, "P0 violates the protocol: no JSON"),
        (What::Suspected { at: AT, whom: from }, "P0 suspects P1"),
        (What::Trusted { at: AT, whom: from }, "P0 trusts P1 again"),
        (sent(1, 2, 0, "REPLY"), "P0 sends REPLY 0.1.2 to P1"),
    ] {
        assert_eq!(said(&what), expected);
    }
}

#[test]
fn orders_have_their_words() {
    let (lock, hold_us) = (LockId(3), None);
    for (order, expected) in [
        (Order::Acquire { lock, hold_us }, "P0 is told to request lock 3"),
        (Order::AcquireTogether { locks: vec![lock, LockId(4)], hold_us }, "P0 is told to request locks 3 and 4"),
        (Order::Release { lock }, "P0 is told to release lock 3"),
        (Order::Elect {}, "P0 is told to call an election"),
        (Order::Suspect { whom: NodeId(1) }, "P0 is told to suspect P1"),
        (Order::Trust { whom: NodeId(1) }, "P0 is told to trust P1 again"),
        (Order::Propose { instance: 2, value: "v".into() }, "P0 is told to propose v in instance 2"),
        (Order::Tell { to: NodeId(1), asks: false, hold_us }, "P0 is told to send an application message to P1"),
        (
            Order::Tell { to: NodeId(1), asks: true, hold_us },
            "P0 is told to send an application message to P1, which then requests a lock",
        ),
        (Order::Corrupt { choice: 5 }, "P0 has its memory overwritten with state 5"),
    ] {
        assert_eq!(said(&commanded(order)), expected);
    }
}

#[test]
fn what_happens_to_a_process_has_its_words() {
    let (node, incarnation) = (P0, 1);
    for (what, expected) in [
        (What::crashed(node, incarnation, CrashCause::Ordered), "P0 crashes"),
        (
            What::crashed(node, incarnation, CrashCause::Unexpected("signal 9".into())),
            "P0 crashes unexpectedly: signal 9",
        ),
        (What::paused(node, incarnation), "P0 is paused"),
        (What::Resumed { node, incarnation }, "P0 is resumed"),
        (What::Restarted { node, incarnation, state: RestartState::Stored }, "P0 restarts with its stored state"),
        (What::Restarted { node, incarnation, state: RestartState::None }, "P0 restarts without its stored state"),
    ] {
        assert_eq!(said(&what), expected);
    }
    assert_eq!(sentence(&What::Started { node, incarnation, pid: None }), None);
    assert_eq!(sentence(&violated("mutual-exclusion")), None);
}

#[test]
fn what_happens_in_the_network_has_its_words() {
    let kind = || "REQUEST".into();
    let change = |id: Option<&str>, value: Option<Value>| {
        let id = id.map(Arc::from);
        What::Configured { change: Change { subject: "rule".into(), id, value } }
    };
    for (what, expected) in [
        (What::duplicated(MESSAGE, kind(), COPY, Hand::Chance, None), "message 1.0.7 is duplicated as 1.0.7.1"),
        (What::held(MESSAGE, kind()), "message 1.0.7 is held"),
        (What::forwarded(MESSAGE, kind()), "message 1.0.7 is released"),
        (What::dropped(MESSAGE, kind(), DropReason::Full), "message 1.0.7 is lost: its link is full"),
        (change(Some("4"), None), "the network configuration changes, rule 4: removed"),
        (change(None, Some(json!(1))), "the network configuration changes, rule: 1"),
        (What::Noted { detail: "a remark".into() }, "noted: a remark"),
    ] {
        assert_eq!(said(&what), expected);
    }
}

#[test]
fn writes_have_their_words() {
    let put = |node| {
        let write = Write { resource: "disk".into(), value: 5, node, fence: None, read: None, version: None };
        said(&What::Put { write })
    };
    assert_eq!(put(Some(P0)), "P0 writes 5 to disk");
    assert_eq!(put(None), "an external writer writes 5 to disk");
    let rejected = |node| {
        let why = RejectReason::Unfenced { newest: 3 };
        said(&What::Rejected { rejection: Rejection { resource: "disk".into(), value: 5, node, why } })
    };
    let why = "it has no fencing token, and the newest seen is 3";
    assert_eq!(rejected(Some(P0)), format!("P0 cannot write 5 to disk: {why}"));
    assert_eq!(rejected(None), format!("a write of 5 to disk is rejected: {why}"));
}

#[test]
fn outcomes_have_their_words() {
    let (lock, request, instance) = (LockId(3), RequestId(1), 2);
    let (ballot, value) = (Ballot { round: 4, proposer: NodeId(1) }, || "v".into());
    for (what, expected) in [
        (Outcome::requested(lock, request), "P0 requests lock 3".to_owned()),
        (Outcome::Entered { lock, request, fence: None }, "P0 enters the section of lock 3".to_owned()),
        (Outcome::Exited { lock, request }, "P0 leaves the section of lock 3".to_owned()),
        (
            Outcome::Blocked { lock, request, on: vec![NodeId(1), NodeId(2)] },
            "P0 waits for lock 3, held by P1 and P2".to_owned(),
        ),
        (
            Outcome::Aborted { request, cause: AbortCause::Victim },
            "P0 gives up its request: it was chosen to break a deadlock".to_owned(),
        ),
        (
            Outcome::Aborted { request, cause: AbortCause::GaveWay },
            "P0 gives up its request: a lock that it requested was not free".to_owned(),
        ),
        (
            Outcome::Expired { lock, holder: NodeId(1), request },
            "P0 takes lock 3 back from P1: its lease has expired".to_owned(),
        ),
        (
            Outcome::Reported { cycle: vec![P0, NodeId(1), NodeId(2)], victim: NodeId(2) },
            "P0 reports a deadlock of P0, P1 and P2, with P2 as the victim".to_owned(),
        ),
        (Outcome::called(6), "P0 calls an election for term 6".to_owned()),
        (Outcome::elected(NodeId(1), 6), "P0 accepts P1 as the coordinator of term 6".to_owned()),
        (Outcome::Proposed { instance, value: value() }, "P0 proposes v in instance 2".to_owned()),
        (Outcome::Promised { instance, ballot }, format!("P0 promises ballot {ballot} in instance 2")),
        (
            Outcome::Accepted { instance, ballot, value: value() },
            format!("P0 accepts v in ballot {ballot} of instance 2"),
        ),
        (Outcome::Decided { instance, value: value() }, "P0 learns that v is chosen in instance 2".to_owned()),
    ] {
        assert_eq!(said(&outcome(what)), expected);
    }
    assert!(said(&outcome(Outcome::Invoked { request, operation: Operation::Generate {} })).starts_with("P0 asks to "));
    assert!(said(&outcome(Outcome::Returned { request, response: Response::Done {} })).starts_with("P0 is told "));
}

#[test]
fn a_reason_is_its_code_with_its_figures() {
    let reason = |value: Value| reason(&Json::of(&value).expect("JSON"));
    assert_eq!(reason(json!({ "code": "has-token" })), "has token");
    let figures = json!({ "code": "deferred", "holder": 2, "term": 2, "ours": { "clock": 1, "process": 0 } });
    assert_eq!(reason(figures), "deferred (holder P2, ours 1@P0, term 2)");
    let figures = json!({ "code": "odd", "a": { "clock": 1, "term": 0 }, "b": { "clock": 1, "process": "P0" } });
    assert_eq!(reason(figures), "odd (a clock 1, term 0, b clock 1, process P0)");
    assert_eq!(reason(json!({ "code": "odd", "a": { "clock": 1 }, "to": "P1" })), "odd (a clock 1, to P1)");
    assert_eq!(reason(json!("free text")), "\"free text\"");
}

#[test]
fn a_view_is_shown_by_its_fields() {
    let view = |value: Value| view(&Json::of(&value).expect("JSON"));
    assert_eq!(view(json!({})), "no state to show");
    assert_eq!(view(json!({ "clock": 3 })), "clock 3");
    let whole = json!({
        "clock": 3, "request": { "clock": 2, "process": 0 },
        "queue": [{ "node": 0, "clock": 2 }, { "node": 1 }], "waits_for": [1, 2],
        "variables": { "flag": true, "list": [1, 2], "name": "v", "number": 5 },
        "locks": [{ "clock": 1 }, { "waits_for": [1] }],
    });
    let expected = "clock 3, request 2@P0, queue 2@P0 P1, waits for P1 and P2, flag true, list [1 2], name v, \
                    number 5, lock 0 [clock 1], lock 1 [waits for P1]";
    assert_eq!(view(whole), expected);
    assert_eq!(view(json!(["no view"])), r#"["no view"]"#);
}

#[test]
fn an_order_is_told_only_if_its_effects_do_not_tell_it() {
    let acquire = || commanded(Order::Acquire { lock: LockId(3), hold_us: None });
    let requested = || outcome(Outcome::requested(LockId(3), RequestId(1)));
    assert_eq!(story([acquire(), requested()]), ["P0 requests lock 3"]);
    assert_eq!(story([acquire()]), ["P0 is told to request lock 3"]);
    assert_eq!(
        story([acquire(), outcome(Outcome::called(1))]),
        ["P0 is told to request lock 3 and calls an election for term 1"]
    );
}

#[test]
fn messages_of_one_kind_are_sent_in_one_phrase_and_copies_in_another() {
    let told = commanded(Order::Elect {});
    let told = story([told, sent(1, 1, 0, "A"), sent(2, 1, 0, "A"), sent(1, 2, 0, "B"), sent(1, 1, 1, "A")]);
    let expected = "P0 is told to call an election, sends A to P1 and P2 (0.1.1, 0.2.1), sends B to P1 (0.1.2) and sends \
                    A to P1 again (0.1.1.1)";
    assert_eq!(told, [expected]);
}

#[test]
fn a_process_that_only_starts_has_no_sentence() {
    let starts = |because: Vec<Json>| What::Initialized { at: AT, stored: None, because, view: None };
    assert_eq!(story([starts(Vec::new())]), [] as [&str; 0]);
    assert_eq!(story([starts(Vec::new()), sent(1, 1, 0, "A")]), ["P0 starts and sends A to P1 (0.1.1)"]);
    assert_eq!(story([starts(vec![Json::NULL])]), ["P0 starts"]);
}

#[test]
fn what_becomes_of_a_message_at_once_is_told_with_its_sending() {
    let acquire = || commanded(Order::Elect {});
    let id = |copy| MessageId { from: P0, to: NodeId(1), number: 1, copy };
    let lost = |id| What::dropped(id, "A".into(), DropReason::Loss);
    let sends = "P0 is told to call an election and sends A to P1 (0.1.1)";
    let told = story([acquire(), sent(1, 1, 0, "A"), lost(id(0))]);
    assert_eq!(told, [format!("{sends}; message 0.1.1 is lost: random loss")]);
    let copied = What::duplicated(id(0), "A".into(), id(1), Hand::Chance, None);
    let told = story([acquire(), sent(1, 1, 0, "A"), copied, What::held(id(1), "A".into())]);
    assert_eq!(told, [format!("{sends}; message 0.1.1 is duplicated as 0.1.1.1; message 0.1.1.1 is held")]);
    let told = story([acquire(), sent(1, 1, 0, "A"), What::held(MESSAGE, "A".into())]);
    assert_eq!(told, [sends, "message 1.0.7 is held"], "another message");
    let told = story([acquire(), sent(1, 1, 0, "A"), What::forwarded(id(0), "A".into())]);
    assert_eq!(told, [sends, "message 0.1.1 is released"], "a later decision");
}

#[test]
fn the_effects_of_another_step_are_another_moment() {
    let other = StepId { node: NodeId(1), ..AT };
    let told = story([
        commanded(Order::Elect {}),
        outcome(Outcome::called(1)),
        What::Outcome { at: other, outcome: Outcome::called(1) },
    ]);
    assert_eq!(told, ["P0 calls an election for term 1", "P1 calls an election for term 1"]);
}

#[test]
fn a_suspicion_belongs_to_the_step_that_it_was_made_in() {
    let whom = NodeId(1);
    for (order, what, said) in [
        (Order::Suspect { whom }, What::Suspected { at: AT, whom }, "suspects P1"),
        (Order::Trust { whom }, What::Trusted { at: AT, whom }, "trusts P1 again"),
    ] {
        let told = story([commanded(order), what, outcome(Outcome::called(1)), sent(2, 1, 0, "ELECT")]);
        assert_eq!(told, [format!("P0 {said}, calls an election for term 1 and sends ELECT to P2 (0.2.1)")]);
    }
}

#[test]
fn a_view_that_does_not_change_is_shown_once() {
    let step = |(step, clock): (u64, u64)| {
        let view = Json::of(&json!({ "clock": clock })).ok();
        What::Initialized { at: StepId { step, ..AT }, stored: None, because: vec![Json::NULL], view }
    };
    let steps = [(1, 1), (2, 1), (3, 2)].map(step);
    let events: Vec<_> = (1..).zip(steps).map(|(seq, what)| Event { seq, at_us: seq, what }).collect();
    let told = Story::default().tell(&events);
    let details: Vec<_> = told.iter().map(|told| told.details[1..].to_vec()).collect();
    assert_eq!(details, [vec!["after:  clock 1"], vec!["same:   clock 1"], vec!["before: clock 1", "after:  clock 2"]]);
}

#[test]
fn each_form_has_its_media_type() {
    let (text, json) = ("text/plain; charset=utf-8", "application/json");
    let expected = [text, "application/x-ndjson", text, json, json, "image/svg+xml"];
    assert_eq!(Form::ALL.map(|(_, form)| form.media_type()), expected);
}

#[test]
fn events_are_written_as_lines_of_json() {
    let events =
        [Event { seq: 1, at_us: 2, what: violated("tokens") }, Event { seq: 2, at_us: 3, what: sent(1, 1, 0, "A") }];
    let mut lines = Vec::new();
    Form::Events.write(&events, &mut lines).expect("lines");
    let read = String::from_utf8(lines).expect("text");
    let read: Vec<Event> = read.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    assert_eq!(read, events);
}
