//! What the papers claim, by real processes: LAM-1, RIC-1, RIC-2.

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

/// With T = 20 ms on every link: 2T from asking to entering when nobody else wants the section, T from one's exit to
/// the next one's entry when somebody waits.
#[tokio::test(flavor = "multi_thread")]
async fn ric_2_client_delay_2t_and_synchronisation_delay_t() {
    let playground = Playground::open();
    let network = json!({ "delay": "const:20" });
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 5, "network": network })).await;
    for turn in 0..10 {
        run.enter(turn % 5).await;
        run.release(turn % 5).await;
        run.wait(json!("idle")).await;
    }
    let alone = run.metrics().await;
    let delay = alone["client_delay"]["mean"].as_f64().expect("a mean");
    assert!((36.0..=44.0).contains(&delay), "client delay {delay} ms is not 2T = 40 ms within 10 %");

    let workload = json!({ "idle": "0", "hold": "const:5", "entries": 10 });
    let run = playground
        .run(json!({ "algorithm": "ricart-agrawala", "nodes": 5, "network": network, "workload": workload }))
        .await;
    run.wait(json!("idle")).await;
    let crowded = run.metrics().await;
    let delay = crowded["synchronisation_delay"]["mean"].as_f64().expect("a mean");
    assert!((18.0..=22.0).contains(&delay), "synchronisation delay {delay} ms is not T = 20 ms within 10 %");
}
