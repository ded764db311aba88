//! Tests of the failure detectors of live processes: perfect, or with heartbeats.

use serde_json::json;

use crate::support::{Playground, Run};

async fn three<'a>(playground: &'a Playground, variant: &str, detector: serde_json::Value) -> Run<'a> {
    let run =
        json!({ "algorithm": "ricart-agrawala", "variant": variant, "nodes": 3, "seed": 5, "detector": detector });
    playground.run(run).await
}

/// A process is killed in the critical section. The other processes must be notified, and make progress without
/// the killed process. After its restart, the killed process must take part again.
#[tokio::test(flavor = "multi_thread")]
async fn the_dead_are_removed_and_who_is_back_joins_again() {
    let playground = Playground::open();
    for detector in [json!("perfect"), json!({ "heartbeat": { "interval": 50, "timeout": 500 } })] {
        let run = three(&playground, "remove-dead", detector).await;
        run.enter(2).await;
        run.acquire(0, json!({})).await;
        run.post("/nodes/2/crash", json!({})).await;
        run.wait(json!({ "entered": { "node": 0 } })).await;
        let suspected = run.events("suspected").await;
        assert!(suspected.iter().any(|event| event["node"] == 0 && event["whom"] == 2), "{suspected:?}");
        run.post("/nodes/2/restart", json!({ "state": "none" })).await;
        run.wait_since(&json!(0), json!({ "event": { "kind": "trusted", "node": 0 } })).await;
        run.release(0).await;
        run.enter(2).await;
        let metrics = run.metrics().await;
        assert_eq!(metrics["violations"], 0, "{metrics}");
        assert_eq!((&metrics["detector"]["undetected"], &metrics["repair_messages"]["JOIN"]), (&json!(0), &json!(2)));
    }
}

/// A manual action causes a wrong suspicion. The suspicion leads to a violation of mutual exclusion, which must be
/// reported.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_suspicion_lets_two_in_and_is_told() {
    let playground = Playground::open();
    let run = three(&playground, "remove-dead", json!("none")).await;
    run.enter(0).await;
    run.acquire(1, json!({})).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "delivered", "node": 1, "from": 2 } })).await;
    let answer = run.post("/nodes/1/suspect", json!({ "whom": "holder" })).await;
    assert_eq!(answer["taken"], true, "{answer}");
    run.wait_since(&json!(0), json!({ "event": { "kind": "suspected", "node": 1 } })).await;
    let nodes = run.state().await["nodes"].clone();
    assert_eq!((&nodes[1]["suspected"], &nodes[0]["suspected"]), (&json!([0]), &json!(null)), "{nodes}");
    run.wait(json!({ "entered": { "node": 1 } })).await;
    assert_eq!(run.verdict().await, "violated");
    let refused = run.refused(reqwest::Method::POST, "/nodes/1/suspect", Some(json!({ "whom": 1 })), 409).await;
    assert!(refused.to_string().contains("P1 cannot suspect or trust itself"), "{refused}");
}
