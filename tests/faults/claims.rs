//! What the papers claim, by real processes: LAM-1, RIC-1. RIC-2 is about time and has a program to itself.

use serde_json::{Value, json};

use crate::support::Playground;

async fn drained(algorithm: &str, nodes: u32, entries: u32) -> Value {
    let playground = Playground::open();
    let run = playground
        .run(json!({
            "algorithm": algorithm, "nodes": nodes, "network": { "delay": "uniform:0..3" },
            "workload": { "idle": "exp:2", "hold": "exp:1", "entries": entries },
        }))
        .await;
    run.wait(json!("idle")).await;
    let metrics = run.metrics().await;
    assert_eq!(metrics["entries"], nodes * entries, "{metrics}");
    assert_eq!((&metrics["violations"], &metrics["stuck"]), (&json!(0), &json!(0)), "{metrics}");
    assert_eq!(run.verdict().await, "ok");
    metrics
}

#[tokio::test(flavor = "multi_thread")]
async fn ric_1_twice_as_many_messages_as_others_for_each_entry() {
    let metrics = drained("ricart-agrawala", 5, 40).await;
    assert_eq!(metrics["messages"], 200 * 2 * 4, "{metrics}");
    assert_eq!(metrics["messages_by_kind"], json!({ "REQUEST": 800, "REPLY": 800 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn lam_1_three_times_as_many_messages_as_others_for_each_entry() {
    let metrics = drained("lamport", 5, 40).await;
    assert_eq!(metrics["messages"], 200 * 3 * 4, "{metrics}");
    assert_eq!(metrics["messages_by_kind"], json!({ "REQUEST": 800, "ACK": 800, "RELEASE": 800 }));
}
