//! Tests with a correct algorithm: the counts are exact, the order of events extends the happened-before order,
//! and no monitor reports a violation.

use std::collections::BTreeSet;

use interlock_algorithm::NodeId;
use interlock_machine::catalogue_node;
use serde_json::json;

use super::fixture::Fixture;
use interlock_model::event::{CrashCause, DropReason, What};

async fn world(entries: u64) -> Fixture {
    let specification = json!({
        "algorithm": "ricart-agrawala", "nodes": 4, "seed": 3,
        "workload": { "idle": "0", "hold": "0", "entries": entries },
    });
    Fixture::new(specification, |initialization| catalogue_node(initialization).expect("a node")).await
}

#[tokio::test]
async fn the_messages_of_ricart_and_agrawala_are_exactly_as_many_as_they_say() {
    let mut world = world(25).await;
    world.play(|_| false);
    let metrics = serde_json::to_value(world.core.metrics().document()).expect("metrics");
    assert_eq!((&metrics["entries"], &metrics["messages"]), (&json!(100), &json!(600)), "2(N-1) for each of 100");
    assert_eq!((&metrics["violations"], &metrics["stuck"]), (&json!(0), &json!(0)));
    assert_eq!(world.core.violations().len(), 0);
}

#[tokio::test]
async fn no_event_stands_before_its_cause_and_no_number_is_missing() {
    let mut world = world(10).await;
    world.play(|_| false);
    let (mut sent, mut steps) = (BTreeSet::new(), BTreeSet::new());
    for (place, event) in world.events().into_iter().enumerate() {
        assert_eq!(event.seq, place as u64 + 1);
        match event.what {
            What::Sent { at, message, .. } => {
                assert!(steps.contains(&at), "a message is sent by a step that was told before");
                assert!(sent.insert(message), "{message} is sent once");
            }
            What::Delivered { at, message, .. } => {
                assert!(sent.remove(&message), "{message} is delivered once, after it was sent");
                steps.insert(at);
            }
            What::Fired { at, .. } | What::Initialized { at, .. } => {
                steps.insert(at);
            }
            _ => {}
        }
    }
    assert_eq!(sent, BTreeSet::new(), "everything has arrived");
}

#[tokio::test]
async fn a_crash_loses_what_was_on_its_way_and_the_others_get_stuck() {
    let mut world = world(1000).await;
    world.play(|core| core.latest() > 500);
    world.core.exited(NodeId(2), 1, "signal 9");
    world.play(|_| false);
    let document = serde_json::to_value(world.core.document()).expect("a state");
    assert_eq!(document["verdict"]["status"], "stuck", "{document}");
    let events = world.events();
    let crashed = events.iter().any(|event| {
        matches!(&event.what, What::Crashed { node: NodeId(2), cause: CrashCause::Unexpected(how), .. } if how == "signal 9")
    });
    assert!(crashed);
    let lost = |what: &What| matches!(what, What::Dropped { message, why: DropReason::Crashed, .. } if message.to == NodeId(2));
    assert!(events.iter().any(|event| lost(&event.what)), "what the others sent to the dead one is lost");
    let violation = events.iter().find_map(|event| match &event.what {
        What::Violated { violation } => Some(violation.monitor.to_string()),
        _ => None,
    });
    assert_eq!(violation.as_deref(), Some("stuck"));
}
