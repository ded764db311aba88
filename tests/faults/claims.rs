//! Claims of the papers, checked with real processes: LAM-1, RIC-1. RIC-2 is about time, and is tested by a
//! separate program.

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

/// Runs all algorithms of the catalogue that have locks, with real processes. Every process must enter as often as
/// its client requests, without a violation. The banker is excluded, because its processes cannot all claim all
/// units.
#[tokio::test(flavor = "multi_thread")]
async fn every_algorithm_lets_everybody_in() {
    let playground = Playground::open();
    let algorithms = playground.get("/algorithms").await;
    let takes_lock_0 = |algorithm: &&Value| algorithm["locks"] != "none" && algorithm["name"] != "banker";
    for algorithm in algorithms["items"].as_array().expect("items").iter().filter(takes_lock_0) {
        let name = algorithm["name"].as_str().expect("a name");
        let waits_for_answers =
            algorithm["parameters"].as_array().expect("parameters").iter().any(|p| p["name"] == "answer");
        // The time-out is so long that no process is suspected on a busy machine. With a short time-out, there
        // might be two coordinators.
        let parameters = if waits_for_answers { json!({ "answer": "1m" }) } else { json!({}) };
        let run = playground
            .run(json!({
                "algorithm": name, "nodes": 4, "network": { "delay": "uniform:0..3" }, "parameters": parameters,
                "workload": { "idle": "exp:2", "hold": "exp:1", "entries": 8 },
            }))
            .await;
        run.wait(json!("idle")).await;
        let metrics = run.metrics().await;
        // If a request is aborted while its process is in the critical section, the process must enter again.
        let [entries, aborts] = ["entries", "aborts"].map(|count| metrics[count].as_u64().unwrap_or_default());
        assert!(entries >= 32 && entries <= 32 + aborts, "{name}: {metrics}");
        assert_eq!((&metrics["violations"], &metrics["stuck"]), (&json!(0), &json!(0)), "{name}: {metrics}");
        assert_eq!(run.events("misbehaved,refused").await, Vec::<Value>::new(), "{name}");
        run.post("/stop", json!({})).await;
    }
}

/// LEL-1, LEL-4: a circulating token serves waiting processes. After the token is lost, no process can ever enter
/// again.
#[tokio::test(flavor = "multi_thread")]
async fn a_circling_token_serves_until_it_is_lost() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "le-lann", "nodes": 3, "network": { "delay": "const:2" } })).await;
    run.enter(2).await;
    run.release(2).await;
    run.wait(json!("idle")).await;
    run.post("/network/rules", json!({ "match": { "message_kind": "TOKEN" }, "action": "drop", "count": 1 })).await;
    run.wait_since(&json!(0), json!({ "event": { "kind": "dropped" } })).await;
    run.acquire(1, json!({})).await;
    run.wait(json!("stuck")).await;
}
