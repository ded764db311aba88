//! Tests of the end of runs. A run ends by itself after a time limit or when its end condition is met. It must not
//! end earlier.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Playground, Run};

async fn ending(playground: &Playground, stop: Value) -> Run<'_> {
    playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "stop": stop })).await
}

async fn status(run: &Run<'_>) -> Value {
    run.get("").await["status"].clone()
}

/// Waits until the run has ended. Returns the text of the note that reports the end.
async fn last_words(run: &Run<'_>) -> String {
    run.wait_since(&json!(0), json!({ "event": { "kind": "ended" } })).await;
    assert_eq!(status(run).await, "stopped");
    let noted = run.events("noted").await;
    assert_eq!(noted.len(), 1, "{noted:?}");
    noted[0]["detail"].as_str().expect("a text").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_ends_after_its_time() {
    let playground = Playground::open();
    let run = ending(&playground, json!({ "after": "300ms", "when": "violation" })).await;
    assert_eq!(last_words(&run).await, "the run ends: its time limit is reached: 0.3 s");
    let ended_us = run.events("ended").await[0]["at_us"].as_u64().expect("a time");
    assert!(ended_us >= 300_000, "{ended_us}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_ends_when_it_is_said_to_and_not_by_something_like_it() {
    let playground = Playground::open();
    let run = ending(&playground, json!({ "when": { "entered": { "node": 1 } } })).await;
    run.enter(0).await;
    run.release(0).await;
    assert_eq!((status(&run).await, run.events("noted").await), (json!("running"), Vec::new()));
    let entry = run.acquire(1, json!({})).await;
    assert_eq!(entry["node"], 1);
    let said = last_words(&run).await;
    let entered = run.events("entered").await;
    assert_eq!(said, format!("the run ends: its end condition was met by event {}", entered[1]["seq"]));
}

/// A stuck run must end only if its end condition is `stuck`. Any other end condition may still be met after a
/// manual action.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_stuck_ends_only_if_that_is_to_end_it() {
    let playground = Playground::open();
    let stuck = ending(&playground, json!("stuck")).await;
    let other = ending(&playground, json!({ "when": { "event": { "kind": "crashed" } } })).await;
    for run in [&stuck, &other] {
        run.post("/network/rules", json!({ "match": { "message_kind": "REPLY" }, "action": "drop" })).await;
        run.acquire(0, json!({})).await;
        run.wait_since(&json!(0), json!({ "event": { "kind": "violated" } })).await;
    }
    assert!(last_words(&stuck).await.starts_with("the run ends: its end condition was met"));
    assert_eq!((status(&other).await, other.verdict().await), (json!("running"), "stuck".to_owned()));
    other.post("/nodes/1/crash", json!({})).await;
    last_words(&other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_that_cannot_be_is_refused() {
    let playground = Playground::open();
    for (stop, pointer) in [
        (json!({}), "/stop"),
        (json!(5), "/stop"),
        (json!("stuk"), "/stop/when"),
        (json!({ "afer": 5 }), "/stop/afer"),
        (json!({ "after": "soon" }), "/stop/after"),
        (json!({ "when": "stuk" }), "/stop/when"),
        (json!({ "when": { "entered": { "node": 9 } } }), "/stop/when/entered/node"),
        (json!({ "when": { "event": { "kind": "sent", "message_kind": "ACK" } } }), "/stop/when/event/message_kind"),
    ] {
        let run = json!({ "algorithm": "ricart-agrawala", "nodes": 2, "stop": stop });
        let problem = playground.refused(Method::POST, "/runs", Some(run), 422).await;
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    assert_eq!(playground.get("/runs").await["items"], json!([]));
}
