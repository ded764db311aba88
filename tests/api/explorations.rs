//! Tests of explorations through the API: scripts start, watch and end explorations, and real processes play the
//! schedules that an exploration finds.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{PATIENCE_MS, Playground};

/// Waits until the exploration has ended, and returns its document.
async fn ended(playground: &Playground, begun: &Value) -> Value {
    let id = begun["id"].as_str().expect("an id");
    playground.get(&format!("/explorations/{id}?wait_ms={PATIENCE_MS}")).await
}

fn exploration(algorithm: &str, variant: &str, nodes: u32) -> Value {
    json!({ "specification": { "algorithm": algorithm, "variant": variant, "nodes": nodes } })
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_found_is_played_between_real_processes() {
    let playground = Playground::open();
    let begun = playground.post("/explorations", exploration("lamport", "no-ack", 2)).await;
    assert_eq!((&begun["nodes"], &begun["properties"][0]), (&json!(2), &json!("mutual-exclusion")), "{begun}");
    let found = ended(&playground, &begun).await;
    assert_eq!((&found["status"], &found["verdict"]), (&json!("ended"), &json!("violated")), "{found}");
    assert_eq!(found["property"], "mutual-exclusion", "{found}");
    let schedule = &found["schedule"];
    assert_eq!(schedule["choices"].as_array().map(Vec::len), Some(2), "{schedule}");
    let run = playground.run(json!({ "replay": schedule, "until": 2 })).await;
    let violations = run.get("/violations").await;
    assert_eq!(violations["items"][0]["monitor"], "mutual-exclusion", "{violations}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_holds_holds_in_a_configuration_that_is_told() {
    let playground = Playground::open();
    let begun = playground.post("/explorations", exploration("ricart-agrawala", "lamport-clock", 2)).await;
    let holds = ended(&playground, &begun).await;
    assert_eq!(
        (&holds["verdict"], &holds["schedule"], &holds["because"]),
        (&json!("holds"), &Value::Null, &Value::Null)
    );
    let words = holds["environment_in_words"].as_str().unwrap_or_default();
    assert!(words.starts_with("each client requests once, messages can overtake"), "{holds}");
    assert!(holds["states"].as_u64() > Some(10) && holds["depth"].as_u64() > Some(5), "{holds}");
    let listed = playground.get("/explorations").await;
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_cut_off_is_unfinished_and_there_are_never_too_many() {
    let playground = Playground::open();
    let endless = || exploration("ricart-agrawala", "lamport-clock", 6);
    let mut bounded = endless();
    bounded["states"] = json!(2_000);
    let begun = playground.post("/explorations", bounded).await;
    let cut = ended(&playground, &begun).await;
    assert_eq!(
        (&cut["verdict"], &cut["because"]),
        (&json!("unfinished"), &json!("there are more than 2000 states")),
        "{cut}"
    );
    let first = playground.post("/explorations", endless()).await;
    assert_eq!((&first["status"], &first["verdict"]), (&json!("running"), &Value::Null), "{first}");
    playground.post("/explorations", endless()).await;
    let problem = playground.refused(Method::POST, "/explorations", Some(endless()), 429).await;
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("DELETE")), "{problem}");
    let path = format!("/explorations/{}", first["id"].as_str().expect("an id"));
    assert_eq!(playground.request(Method::DELETE, &path, None).await.0, StatusCode::NO_CONTENT);
    let problem = playground.refused(Method::GET, &path, None, 404).await;
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("no exploration")), "{problem}");
    playground.post("/explorations", endless()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_refused_at_its_place() {
    let playground = Playground::open();
    let lamport = json!({ "algorithm": "lamport" });
    for (document, pointer) in [
        (json!({ "specification": { "algorithm": "lamprot" } }), "/specification/algorithm"),
        (json!({ "specification": { "algorithm": "lamport", "nodes": 17 } }), "/specification/nodes"),
        (json!({ "specification": { "algorithm": "lamport", "workload": {} } }), "/specification/workload"),
        (json!({ "specification": { "algorithm": "lamport", "detector": "heartbeat" } }), "/specification/detector"),
        (json!({ "specification": lamport, "loose": 1 }), "/loose"),
        (json!({ "specification": lamport, "lose": 256 }), "/lose"),
        (json!({ "specification": lamport, "timers": "soon" }), "/timers"),
        (json!({ "specification": lamport, "properties": ["fairness"] }), "/properties/0"),
        (json!({ "specification": lamport, "memory_limit": "64GiB" }), "/memory_limit"),
        (json!({ "specification": lamport, "memory_limit": "lots" }), "/memory_limit"),
        (json!({ "specification": lamport, "requests": [] }), "/requests"),
    ] {
        let problem = playground.refused(Method::POST, "/explorations", Some(document.clone()), 422).await;
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{document}: {problem}");
        assert_eq!(problem["type"], "/problems/invalid-exploration", "{problem}");
    }
    playground.refused(Method::GET, "/explorations/latest", None, 404).await;
    playground.refused(Method::GET, "/explorations?wait_ms=1", None, 400).await;
}
