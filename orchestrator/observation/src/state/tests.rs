use interlock_algorithm::{AbortCause, NodeId, Operation, Outcome, RequestId, Response};
use interlock_machine::detector::HEARTBEAT;

use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::test_stream::{DELAY_US, HOLD, IDLE, LOCK, TestStream, contended, document, play};
use super::{MessageStatus, State, Status};
use crate::monitor::stuck::Stuck;
use interlock_model::event::{Ending, Json, RestartState, StepId, What};
use interlock_model::process_status::ProcessStatus;

#[test]
fn the_document_is_that_of_the_api() {
    let stream = contended();
    let view = json!({ "clock": 1 });
    let expected = json!({
        "run": Uuid::nil(), "seq": 8, "at_us": 5_000,
        "locks": [ { "lock": 0, "holders": [0], "waiting": [ { "node": 1, "request": 1, "since_us": 20 } ], "entries": 1 } ],
        "nodes": [
            { "node": 0, "incarnation": 1, "process": "running", "pid": 1_000, "phase": "in-section", "wants": [], "holds": [0],
              "view": view },
            { "node": 1, "incarnation": 1, "process": "running", "pid": 1_001, "phase": "wanting", "wants": [0], "holds": [],
              "view": view },
        ],
        "messages": { "in_flight": 1, "held": 0 },
        "verdict": { "status": "ok", "violations": 0, "because": null },
    });
    assert_eq!(document(&stream, 5_000), expected);
}

#[test]
fn whom_a_node_takes_for_dead_is_shown_until_it_trusts_them_or_dies() {
    let mut stream = TestStream::new(3);
    let at = StepId { node: NodeId(0), incarnation: 1, step: 2 };
    let suspected = |stream: &TestStream| document(stream, 50)["nodes"][0]["suspected"].clone();
    assert_eq!(suspected(&stream), Value::Null);
    stream.at(10).push(What::Suspected { at, whom: NodeId(2) });
    stream.push(What::Suspected { at, whom: NodeId(1) });
    assert_eq!(suspected(&stream), json!([1, 2]));
    stream.at(20).push(What::Trusted { at, whom: NodeId(2) });
    assert_eq!(suspected(&stream), json!([1]));
    stream.at(30).crash(0);
    assert_eq!(suspected(&stream), Value::Null);
}

#[test]
fn timers_are_shown_where_somebody_has_to_let_them_run_out() {
    let shown = |timers| {
        let mut stream = TestStream::new(2);
        stream.specification.timers = timers;
        let at = StepId { node: NodeId(0), incarnation: 1, step: 2 };
        stream.at(10).push(What::Armed { at, timer: HOLD, delay_us: 5_000 });
        stream.push(What::Armed { at, timer: IDLE, delay_us: 9_000 });
        let both = document(&stream, 50)["nodes"][0]["timers"].clone();
        stream.at(20).push(What::Cancelled { at, timer: IDLE });
        (both, document(&stream, 50)["nodes"][0]["timers"].clone())
    };
    let (idle, hold) = (json!({ "client": "idle" }), json!({ "client": "hold" }));
    assert_eq!(shown(false), (json!([hold, idle]), json!([hold])));
    assert_eq!(shown(true), (Value::Null, Value::Null), "nobody can do anything about them");
}

#[test]
fn before_the_first_event_every_node_is_starting() {
    let document = document(&TestStream::unstarted(1), 0);
    assert_eq!(document["nodes"][0]["process"], "starting");
    assert_eq!(document["nodes"][0]["view"], Value::Null);
    assert_eq!(document["locks"], json!([{ "lock": 0, "holders": [], "waiting": [], "entries": 0 }]));
}

#[test]
fn messages_are_listed_until_they_are_taken_or_lost() {
    let mut stream = TestStream::new(3);
    stream.at(10).request(0);
    let messages = stream.multicast(0, "REQUEST");
    let copy = stream.at(15).duplicate(messages[0]);
    stream.at(20).hold(messages[1]);
    let listed = serde_json::to_value(stream.state().messages(Some(MessageStatus::Held))).expect("JSON");
    let body = json!({ "clock": 1, "process": 0 });
    assert_eq!(
        listed,
        json!([{ "message": "0.2.1", "from": 0, "to": 2, "message_kind": "REQUEST", "body": body,
                 "status": "held", "since_us": 20, "due_us": null }])
    );
    let on_the_way = stream.state().messages(Some(MessageStatus::OnTheWay));
    assert_eq!(on_the_way.iter().map(|message| message.message).collect::<Vec<_>>(), [messages[0], copy]);
    assert_eq!((on_the_way[1].message_kind.as_ref(), on_the_way[1].due_us), ("REQUEST", Some(15 + DELAY_US)));

    stream.at(30).push(What::forwarded(messages[1], "REQUEST".into()));
    assert_eq!(stream.state().network().held(), 0);
    assert_eq!(stream.state().network().find(messages[1]).and_then(|message| message.due_us), Some(30));
    stream.deliver(messages[0]);
    stream.lose(copy);
    assert_eq!(stream.state().network().in_flight(), 1);
    stream.deliver(messages[1]);
    assert_eq!(stream.state().messages(None), []);
}

#[test]
fn what_is_only_counted_is_held_and_moves_like_what_is_remembered() {
    let counts = |stream: &TestStream| {
        let both = [State::new(&stream.specification), State::new(&stream.specification).without_messages()];
        let [one, other] = both.map(|mut state| {
            stream.events.iter().for_each(|event| state.apply(event));
            (state.messages.held(), state.messages.receivers().any(|to| to == NodeId(1)))
        });
        assert_eq!(one, other);
        one
    };
    let mut stream = TestStream::new(2);
    stream.request(0);
    let held = ["ONE", "TWO"].map(|kind| stream.sent(0, 1, kind, None));
    for message in held {
        stream.hold(message);
    }
    assert_eq!(counts(&stream), (2, false));
    stream.push(What::forwarded(held[0], "ONE".into()));
    assert_eq!(counts(&stream), (1, true), "it goes on");
    stream.deliver(held[0]);
    assert_eq!(counts(&stream), (1, false));
    stream.lose(held[1]);
    assert_eq!(counts(&stream), (0, false), "it is lost where it was held");
}

#[test]
fn messages_that_are_only_counted_are_not_stored() {
    let mut state = State::new(&contended().specification).without_messages();
    contended().events.iter().for_each(|event| state.apply(event));
    assert_eq!((state.network().in_flight(), contended().state().network().in_flight()), (0, 1));
    assert!(
        state.network().receivers().any(|to| to == NodeId(0)) && !state.network().receivers().any(|to| to == NodeId(1))
    );
}

#[test]
fn a_counted_copy_moves_like_its_original() {
    let moves = |duplicated: bool| {
        let mut stream = TestStream::new(2);
        stream.request(0);
        let original = stream.send(0, 1, "REQUEST");
        if duplicated {
            stream.duplicate(original);
        }
        stream.lose(original);
        let mut state = State::new(&stream.specification).without_messages();
        stream.events.iter().for_each(|event| state.apply(event));
        state.network().receivers().any(|to| to == NodeId(1))
    };
    assert_eq!((moves(false), moves(true)), (false, true));
}

#[test]
fn a_copy_of_a_held_message_is_in_transit_from_when_it_was_made() {
    let mut stream = TestStream::new(2);
    stream.at(10).request(0);
    let held = stream.sent(0, 1, "REQUEST", None);
    stream.hold(held);
    let copy = stream.at(50).duplicate(held);
    let state = stream.state();
    let found = |id| state.network().find(id).map(|message| (message.status, message.since_us, message.due_us));
    assert_eq!(found(held), Some((MessageStatus::Held, 10, None)));
    assert_eq!(found(copy), Some((MessageStatus::OnTheWay, 50, Some(50 + DELAY_US))));
}

#[test]
fn heartbeats_and_circulating_tokens_are_background_traffic() {
    let foreground = |algorithm: &str, kind: &str| {
        let mut stream = TestStream::new(2);
        stream.specification.algorithm = algorithm.to_owned();
        let messages = [stream.send(0, 1, kind), stream.send(0, 1, kind)];
        let before = (stream.state().network().foreground(), stream.state().network().flows_anyway());
        stream.lose(messages[0]);
        assert_eq!(stream.state().network().foreground(), before.0.saturating_sub(1));
        before
    };
    assert_eq!(foreground("ricart-agrawala", "REQUEST"), (2, false));
    assert_eq!(foreground("ricart-agrawala", HEARTBEAT), (0, false));
    assert_eq!(foreground("le-lann", "TOKEN"), (0, true));
    assert_eq!(foreground("le-lann", "ODD"), (2, true));
    assert_eq!(foreground("le-lann", HEARTBEAT), (0, true));
}

#[test]
fn a_state_is_written_as_it_is_read() {
    let state = contended().state();
    let text = state.to_json().expect("JSON");
    assert_eq!(State::from_json(&text).expect("a state"), state);
    assert_eq!(state.at_us(), 20);
}

#[test]
fn values_are_kept_once_their_broadcast_is_acknowledged() {
    let mut stream = TestStream::new(2);
    let acknowledged =
        |stream: &TestStream| stream.state().broadcast().acknowledged().iter().copied().collect::<Vec<_>>();
    stream.invoke(0, Operation::Broadcast { value: 7 });
    assert!(acknowledged(&stream).is_empty());
    stream.invoke(1, Operation::Broadcast { value: 8 });
    stream.told(1, Response::Refused { code: 11 });
    stream.told(0, Response::Done {});
    assert_eq!(acknowledged(&stream), [7], "the broadcast of 8 was refused");
    stream.invoke(1, Operation::Generate {});
    stream.told(1, Response::Done {});
    assert_eq!(acknowledged(&stream), [7], "another operation was done");
}

#[test]
fn a_copy_outlives_its_lost_original() {
    let mut stream = TestStream::new(2);
    stream.request(0);
    let lost = stream.sent(0, 1, "REQUEST", None);
    stream.lose(lost);
    let copy = stream.duplicate(lost);
    assert_eq!(stream.state().messages(None).first().map(|message| message.message), Some(copy));
}

#[test]
fn a_refused_message_has_ended() {
    let mut stream = contended();
    let message = stream.state().messages(None)[0].message;
    let at = StepId { node: NodeId(0), incarnation: 1, step: 2 };
    stream.push(What::Refused { at, message: Some(message), detail: "no such kind".into() });
    assert_eq!(stream.state().network().in_flight(), 0);
}

#[test]
fn waiting_is_ordered_by_when_they_asked_not_by_when_it_was_learnt() {
    let mut stream = TestStream::new(3);
    stream.at(30).request(0);
    stream.at(10).request(1);
    stream.at(20).request(2);
    let state = stream.state();
    let waiting = &state.locks().find(LOCK).expect("lock 0").waiting;
    assert_eq!(waiting.iter().map(|waiting| waiting.node.0).collect::<Vec<_>>(), [1, 2, 0]);
}

#[test]
fn an_aborted_request_waits_no_more() {
    let mut stream = contended();
    let waiting = |stream: &TestStream| stream.state().locks().find(LOCK).expect("lock 0").waiting.len();
    let at = StepId { node: NodeId(1), incarnation: 1, step: 9 };
    for (request, still) in [(2, 1), (1, 0)] {
        stream.outcome(at, Outcome::Aborted { request: RequestId(request), cause: AbortCause::Victim });
        assert_eq!(waiting(&stream), still);
    }
}

#[test]
fn a_value_is_decided_once_a_node_has_learnt_it() {
    let mut stream = TestStream::new(1);
    assert!(!stream.state().agreement().is_decided(3, None));
    let at = StepId { node: NodeId(0), incarnation: 1, step: 1 };
    stream.outcome(at, Outcome::Decided { instance: 3, value: "v".into() });
    assert!(stream.state().agreement().is_decided(3, Some("v")));
}

#[test]
fn a_crash_takes_what_was_the_process_and_leaves_what_was_stored() {
    let mut stream = contended();
    stream.arm(0, HOLD, 50_000);
    let at = StepId { node: NodeId(0), incarnation: 1, step: 1 };
    stream.push(What::Stored { at, state: Json::of(&json!({ "seen": 3 })).expect("JSON") });
    stream.crash(0);
    let state = stream.state();
    let node = state.node(NodeId(0)).expect("P0");
    assert_eq!(
        (node.process, node.pid, node.timers.len(), node.view.is_none()),
        (ProcessStatus::Crashed, None, 0, true)
    );
    assert_eq!((node.entries, node.next_request), (1, RequestId(2)));
    assert_eq!(node.stored.as_ref().map(Json::as_str), Some(r#"{"seen":3}"#));
    assert!(state.locks().find(LOCK).expect("lock 0").holders.is_empty());

    stream.restart(0, RestartState::None);
    let state = stream.state();
    let node = state.node(NodeId(0)).expect("P0");
    assert_eq!((node.process, node.incarnation, &node.stored), (ProcessStatus::Starting, 2, &None));
    stream.start(0);
    assert_eq!(stream.state().nodes()[0].process, ProcessStatus::Running);
}

#[test]
fn a_waiting_node_that_crashes_waits_no_more() {
    let mut stream = contended();
    stream.crash(1);
    assert!(stream.state().locks().find(LOCK).expect("lock 0").waiting.is_empty());
}

#[test]
fn a_timer_is_pending_until_it_fires_or_is_set_again() {
    let mut stream = TestStream::new(1);
    stream.at(10).arm(0, IDLE, 5);
    stream.at(20).arm(0, IDLE, 5);
    let due =
        |stream: &TestStream| stream.state().nodes()[0].timers.iter().map(|timer| timer.due_us).collect::<Vec<_>>();
    assert_eq!(due(&stream), [25]);
    stream.fire(0, HOLD);
    assert_eq!(due(&stream), [25]);
    stream.fire(0, IDLE);
    assert!(due(&stream).is_empty());
}

#[test]
fn everything_stops_with_the_run_but_the_dead() {
    let mut stream = contended();
    stream.crash(0);
    stream.push(What::Ended { why: Ending::Stopped });
    let state = stream.state();
    assert_eq!([state.nodes()[0].process, state.nodes()[1].process], [ProcessStatus::Crashed, ProcessStatus::Stopped]);
    assert_eq!(state.verdict(9_000_000, 0).status, Status::Ok);
}

/// Appends an arbitrary event to the stream, selected by `action`. The event need not be possible for any algorithm.
fn act(stream: &mut TestStream, action: u32, node: u32) {
    let in_network = stream.state().messages(None);
    let message = in_network.get(action as usize % in_network.len().max(1)).map(|message| message.message);
    match (action % 12, message) {
        (0, _) => _ = stream.request(node),
        (1, _) => _ = stream.enter(node),
        (2, _) => _ = stream.exit(node),
        (3, _) => _ = stream.multicast(node, "REQUEST"),
        (4, _) => _ = stream.crash(node),
        (5, _) => {
            stream.restart(node, RestartState::Stored);
            stream.start(node);
        }
        (6, _) => stream.pause(node),
        (7, _) => stream.arm(node, HOLD, u64::from(action)),
        (8, Some(message)) => _ = stream.duplicate(message),
        (9, Some(message)) => stream.hold(message),
        (10, Some(message)) => stream.lose(message),
        (_, Some(message)) => _ = stream.deliver(message),
        (_, None) => stream.resume(node),
    }
}

fn snapshot_and_rest(stream: &TestStream, cut: usize) -> State {
    let (before, after) = stream.events.split_at(cut.min(stream.events.len()));
    let mut state = State::new(&stream.specification);
    for event in before {
        state.apply(event);
    }
    let snapshot = serde_json::to_string(&state).expect("a snapshot");
    let mut state: State = serde_json::from_str(&snapshot).expect("the same state");
    for event in after {
        state.apply(event);
    }
    state
}

proptest! {
    #[test]
    fn a_snapshot_and_the_rest_make_the_same_state(
        actions in prop::collection::vec((any::<u16>(), 0..4_u32), 0..60),
        cut in 0..400_usize,
    ) {
        let mut stream = TestStream::new(4);
        for (time, (action, node)) in (1..).zip(actions) {
            act(stream.at(time * 10), u32::from(action), node);
        }
        prop_assert_eq!(snapshot_and_rest(&stream, cut), stream.state());
    }

    #[test]
    fn counts_agree_with_what_is_counted(actions in prop::collection::vec((any::<u16>(), 0..4_u32), 0..60)) {
        let mut stream = TestStream::new(4);
        for (time, (action, node)) in (1..).zip(actions) {
            act(stream.at(time * 10), u32::from(action), node);
        }
        let state = stream.state();
        let of = |status| state.messages(Some(status));
        prop_assert_eq!(state.network().held(), of(MessageStatus::Held).len());
        for node in (0..4).map(NodeId) {
            let moving = of(MessageStatus::OnTheWay).iter().any(|message| message.to == node);
            prop_assert_eq!(state.network().receivers().any(|to| to == node), moving);
        }
    }

    #[test]
    fn a_right_algorithm_never_gets_stuck(choices in prop::collection::vec(any::<u32>(), 0..200)) {
        let stream = play(3, choices);
        let (mut state, mut monitor) = (State::new(&stream.specification), Stuck::default());
        for (event, next) in stream.events.iter().zip(stream.events.iter().skip(1)) {
            state.apply(event);
            let between_steps = matches!(next.what, What::Commanded { .. } | What::Delivered { .. });
            prop_assert!(!between_steps || monitor.judge(&state, 0).is_none());
        }
    }
}

#[test]
fn parts_that_are_not_shown_messages_learn_nothing_from_them() {
    let mut stream = TestStream::new(2);
    stream.request(0);
    let reply = stream.send(1, 0, "REPLY");
    stream.deliver(reply);
    stream.enter(0);
    let others = |state: &State| format!("{:?} {:?} {:?}", state.locks, state.agreement, state.broadcast);
    let mut state = State::new(&stream.specification);
    let mut messages = 0;
    for event in &stream.events {
        if event.what.is_exchange() {
            let before = others(&state);
            state.locks.apply(event);
            state.agreement.apply(event);
            state.broadcast.apply(event);
            assert_eq!(others(&state), before, "{event:?}");
            messages += 1;
        }
        state.apply(event);
    }
    assert_eq!(messages, 2);
}
