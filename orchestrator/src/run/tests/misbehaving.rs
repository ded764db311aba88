//! Tests of nodes that send invalid reports: an event reports each fault, and the rest of the run continues as
//! usual.

use axum::body::Bytes;
use interlock_algorithm::{LockId, NodeId};
use interlock_machine::catalogue_node;
use interlock_machine::wire::Order;
use serde_json::{Value, json};
use tokio::sync::oneshot::error::TryRecvError;

use super::fixture::Fixture;
use crate::run::ReportError;
use interlock_model::event::{DropReason, Ending, What};

const A: NodeId = NodeId(0);
const B: NodeId = NodeId(1);

async fn world() -> Fixture {
    let specification = json!({
        "algorithm": "ricart-agrawala", "nodes": 3, "workload": { "idle": "0", "hold": "0", "entries": 5 },
    });
    Fixture::new(specification, |initialization| catalogue_node(initialization).expect("a node")).await
}

fn changed(bytes: &Bytes, change: impl Fn(&mut Value)) -> Bytes {
    let mut report: Value = serde_json::from_slice(bytes).expect("a report");
    change(&mut report);
    serde_json::to_vec(&report).expect("a report").into()
}

#[tokio::test]
async fn a_repeated_report_changes_nothing_and_one_that_says_something_else_is_told() {
    let mut world = world().await;
    let report = world.hand(A).expect("a report");
    world.take(A, &report).expect("taken");
    let latest = world.core.latest();
    world.take(A, &report).expect("recognised");
    assert_eq!(world.core.latest(), latest);
    let other = changed(&report, |report| report["steps"][0]["at_us"] = json!(1));
    world.take(A, &other).expect("recognised");
    assert_eq!(world.blames(), ["report 1 arrived again with other content"]);
}

#[tokio::test]
async fn reports_are_taken_in_their_order_whichever_way_they_come() {
    let mut world = world().await;
    let first = world.hand(A).expect("a report");
    let second = world.fire(A).expect("another");
    let before = world.core.latest();
    world.take(A, &second).expect("kept");
    assert_eq!(world.core.latest(), before, "it waits for the one before it");
    world.take(A, &first).expect("taken");
    assert!(world.core.latest() > before + 2);
    world.play(|_| false);
    assert_eq!(world.blames(), [""; 0]);
}

#[tokio::test]
async fn reports_of_another_life_and_far_ahead_are_refused() {
    let mut world = world().await;
    let report = world.hand(A).expect("a report");
    let dead = changed(&report, |report| report["incarnation"] = json!(7));
    assert_eq!(world.take(A, &dead), Err(ReportError::OtherLife(7, 1)));
    for batch in 2..66 {
        let early = changed(&report, |report| report["batch"] = json!(batch));
        world.take(A, &early).expect("kept");
    }
    let late = changed(&report, |report| report["batch"] = json!(1_000));
    assert_eq!(world.take(A, &late), Err(ReportError::Missing(1_000, 1)));
}

#[tokio::test]
async fn nonsense_in_a_report_is_told_and_has_no_effect() {
    let step = |input: Value, effects: Value| json!({ "step": 2, "at_us": 0, "input": input, "effects": effects });
    let fired = json!({ "timer": { "client": "idle" } });
    let cases = [
        (step(json!({ "message": "1.0.9" }), json!([])), "it handled message 1.0.9, which was not delivered to it"),
        (
            step(json!({ "command": { "id": 9, "release": { "lock": 0 } } }), json!([])),
            "it executed command 9, which the run had not given it",
        ),
        (
            step(fired.clone(), json!([{ "send": { "to": [1], "kind": "GOSSIP", "body": {} } }])),
            "it sent a `GOSSIP`, which its algorithm does not have",
        ),
        (
            step(fired.clone(), json!([{ "send": { "to": [0], "kind": "REPLY", "body": {} } }])),
            "it sent a REPLY to node 0, which is not possible",
        ),
        (
            step(fired.clone(), json!([{ "send": { "to": [77], "kind": "REPLY", "body": {} } }])),
            "it sent a REPLY to node 77, which is not possible",
        ),
        (json!({ "step": 9, "at_us": 0, "input": fired }), "it reported step 9 instead of step 2"),
    ];
    for (step, blame) in cases {
        let mut world = world().await;
        let report = world.hand(A).expect("a report");
        world.take(A, &report).expect("taken");
        let nonsense = json!({ "incarnation": 1, "batch": 2, "steps": [step] });
        world.take(A, &serde_json::to_vec(&nonsense).expect("a report").into()).expect("taken");
        let events = world.events();
        assert!(!events.iter().any(|event| matches!(event.what, What::Sent { .. })), "{blame}");
        assert_eq!(world.blames(), [blame]);
    }
}

#[tokio::test]
async fn what_a_node_does_not_answer_is_lost_and_the_next_batch_is_handed_over() {
    let mut world = world().await;
    for report in [world.hand(A), world.fire(A)].into_iter().flatten() {
        world.take(A, &report).expect("taken");
    }
    let report = world.hand(B).expect("the request of the first is handed over, and never answered");
    drop(report);
    world.core.batch_unanswered(B, 1, "its answer is not a report");
    let events = world.events();
    let lost = events.iter().filter(
        |event| matches!(event.what, What::Dropped { message, why: DropReason::Unanswered, .. } if message.to == B),
    );
    assert_eq!(lost.count(), 1);
    assert_eq!(world.blames(), ["its answer is not a report"]);
    let document = serde_json::to_value(world.core.document()).expect("a state");
    assert_eq!(document["messages"]["in_flight"], 1, "only the one to the third is left: {document}");
}

#[tokio::test]
async fn what_a_dead_node_had_not_reported_has_not_happened() {
    for end_of_all in [false, true] {
        let mut world = world().await;
        let report = world.hand(A).expect("a report that is still on its way");
        if end_of_all {
            world.core.end(Ending::Stopped);
        } else {
            world.core.exited(A, 1, "signal 9");
        }
        let latest = world.core.latest();
        assert_eq!(world.take(A, &report), Err(ReportError::Over));
        assert_eq!(world.core.latest(), latest, "nothing stands after the end");
    }
}

#[tokio::test]
async fn a_command_that_still_waits_is_taken_after_a_batch_that_was_not_answered() {
    let specification = json!({ "algorithm": "ricart-agrawala", "nodes": 3 });
    let mut world = Fixture::new(specification, |initialization| catalogue_node(initialization).expect("a node")).await;
    let _never_reported = world.core.next_batch(B, 1);
    let order = Order::Acquire { lock: LockId(0), hold_us: None };
    let mut taken = world.core.order(B, order).expect("it is given");
    world.core.batch_unanswered(B, 1, "its answer is not a report");
    assert_eq!(taken.try_recv().err(), Some(TryRecvError::Empty), "it has not been taken yet, and is not lost");
    assert_eq!(world.core.nodes[B].inputs.pending(), 1, "only the command is expected");
}

#[tokio::test]
async fn a_node_that_begins_twice_is_told_and_counts_nothing() {
    let mut world = world().await;
    let report = world.hand(A).expect("a report");
    world.take(A, &report).expect("taken");
    let again = json!({ "incarnation": 1, "batch": 2, "steps": [{ "step": 2, "at_us": 0, "input": { "start": {} } }] });
    world.take(A, &serde_json::to_vec(&again).expect("a report").into()).expect("taken");
    assert_eq!(world.blames(), ["it reported a start that the run had not ordered"]);
}
