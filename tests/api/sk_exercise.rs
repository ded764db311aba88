//! Test of an exercise: Suzuki and Kasami's algorithm, executed step by step over the API.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{PATIENCE_MS, Playground, Run};

/// Returns the held messages of a kind: their ids and contents.
async fn held(run: &Run<'_>, kind: &str) -> Vec<(String, Value)> {
    let answer = run.get("/network/messages?status=held").await;
    let items = answer["items"].as_array().expect("items");
    let of_kind = items.iter().filter(|item| item["message_kind"] == kind);
    of_kind.map(|item| (item["message"].as_str().expect("an id").to_owned(), item["body"].clone())).collect()
}

/// Delivers all held messages of a kind, and waits until their receivers have handled them.
async fn deliver(run: &Run<'_>, kind: &str) {
    for (id, _) in held(run, kind).await {
        let before = run.state().await["seq"].clone();
        run.post(&format!("/network/messages/{id}/deliver"), json!({})).await;
        run.wait_since(&before, json!({ "event": { "kind": "delivered", "message": id } })).await;
    }
}

/// Returns the token, which the network holds: the id of its message, its queue, and the latest served requests.
async fn token(run: &Run<'_>) -> (String, Value, Value) {
    let found = held(run, "TOKEN").await;
    let [(id, body)] = found.as_slice() else { panic!("there is one token: {found:?}") };
    (id.clone(), body["Q"].clone(), body["last"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn sk_exercise() {
    let playground = Playground::open();
    let run = playground
        .run(json!({
            "algorithm": "suzuki-kasami", "nodes": 5, "name": "sk", "network": { "hold": true },
            "workload": { "nodes": [] },
        }))
        .await;
    assert_eq!(run.acquire(0, json!({ "wait_ms": PATIENCE_MS })).await["entered"], true);
    run.acquire(1, json!({})).await;
    run.acquire(2, json!({})).await;
    deliver(&run, "REQUEST").await;
    run.release(0).await;
    assert_eq!(token(&run).await, ("0.1.1".to_owned(), json!([2]), json!([1, 0, 0, 0, 0])));
    run.acquire(0, json!({})).await;
    run.acquire(3, json!({})).await;
    deliver(&run, "REQUEST").await;
    deliver(&run, "TOKEN").await;
    run.release(1).await;
    let (id, queue, last) = token(&run).await;
    assert!(id.starts_with("1.2."), "{id}");
    assert_eq!((queue, last), (json!([0, 3]), json!([1, 1, 0, 0, 0])));
    for node in run.state().await["nodes"].as_array().expect("nodes") {
        assert_eq!(node["view"]["variables"]["req"], json!([2, 1, 1, 1, 0]), "{node}");
    }
    let (status, _) = playground.request(Method::DELETE, &run.path(""), None).await;
    assert!(status.is_success(), "{status}");
}
