//! Tests of invalid input. Each request must be rejected with a clear problem and a pointer to the invalid value,
//! and must have no other effect.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::Playground;

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_cannot_be_is_refused_with_the_places_and_what_is_allowed() {
    let playground = Playground::open();
    let cases: &[(Value, &str, &str)] = &[
        (json!({}), "", "algorithm"),
        (json!({ "algorithm": "ricart" }), "/algorithm", "there is no algorithm `ricart`"),
        (json!({ "algorithm": "lamport", "variant": "best" }), "/variant", "no variant `best`"),
        (json!({ "algorithm": "lamport", "nodes": 0 }), "/nodes", "outside 1"),
        (json!({ "algorithm": "lamport", "nodes": 100_000 }), "/nodes", "outside 1"),
        (json!({ "algorithm": "lamport", "nodes": -1 }), "/nodes", "not a whole number"),
        (json!({ "algorithm": "lamport", "nodes": "five" }), "/nodes", "not a whole number"),
        (json!({ "algorithm": "lamport", "version": 2 }), "/version", "version 2 is unknown"),
        (json!({ "algorithm": "lamport", "seed": 9_007_199_254_740_992_u64 }), "/seed", "outside 0"),
        (json!({ "algorithm": "lamport", "network": { "loss": 1.5 } }), "/network/loss", "not a probability"),
        (json!({ "algorithm": "lamport", "network": { "delay": "soon" } }), "/network/delay", "not a distribution"),
        (json!({ "algorithm": "lamport", "network": { "delay": "const:-1" } }), "/network/delay", "outside 0"),
        (json!({ "algorithm": "lamport", "network": { "speed": 1 } }), "/network", "unknown field `speed`"),
        (json!({ "algorithm": "lamport", "links": [{ "from": 0, "to": 9 }] }), "/links/0/to", "no node 9"),
        (
            json!({ "algorithm": "lamport", "links": [{ "from": 1, "to": 1 }] }),
            "/links/0",
            "the ends of a link must differ",
        ),
        (
            json!({ "algorithm": "lamport", "links": [{ "from": 1, "to": 0, "lag": 1 }] }),
            "/links/0",
            "unknown field `lag`",
        ),
        (json!({ "algorithm": "lamport", "workload": { "nodes": [7] } }), "/workload/nodes/0", "no node 7"),
        (json!({ "algorithm": "lamport", "parameters": { "k": 3 } }), "/parameters/k", "no parameter `k`"),
        (json!({ "algorithm": "lamport", "command": "/bin/sh" }), "", "unknown field `command`"),
        (json!({ "algorithm": "lamport", "channel": "pipe" }), "/channel", "`pipe` is not one of the possible values"),
    ];
    for (document, pointer, detail) in cases {
        let problem = playground.refused(Method::POST, "/runs", Some(document.clone()), 422).await;
        let found = problem["errors"].as_array().expect("errors").iter().any(|error| {
            error["pointer"].as_str().is_some_and(|found| found.starts_with(pointer))
                && error["detail"].as_str().is_some_and(|found| found.contains(detail))
        });
        assert!(found, "{document} should be refused at {pointer:?} with {detail:?}: {problem}");
    }
    let problem = playground.refused(Method::POST, "/runs", Some(json!({ "algorithm": "ricart" })), 422).await;
    assert_eq!(problem["type"], "/problems/invalid-run");
    assert!(problem["errors"][0]["allowed"].as_array().is_some_and(|names| names.contains(&json!("ricart-agrawala"))));
    assert_eq!(playground.get("/runs").await["items"], json!([]), "nothing was started");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_is_wrong_is_told_at_once() {
    let playground = Playground::open();
    let document = json!({ "algorithm": "x", "nodes": 0, "network": { "loss": 2, "duplicate": -1 } });
    let problem = playground.refused(Method::POST, "/runs", Some(document), 422).await;
    let pointers: Vec<_> =
        problem["errors"].as_array().expect("errors").iter().map(|error| &error["pointer"]).collect();
    assert_eq!(pointers, ["/nodes", "/network/loss", "/network/duplicate", "/algorithm"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_not_found_and_what_cannot_be_done_is_named() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    let nobody = "/runs/01900000-0000-7000-8000-000000000000";
    for (method, path, status) in [
        (Method::GET, nobody.to_owned(), 404),
        (Method::GET, "/runs/not-an-id".to_owned(), 404),
        (Method::GET, format!("{nobody}/state"), 404),
        (Method::GET, format!("{nobody}/events"), 404),
        (Method::GET, "/nothing".to_owned(), 404),
        (Method::GET, run.path("/nodes/2"), 404),
        (Method::GET, run.path("/nodes/x"), 404),
        (Method::GET, run.path("/network/messages?status=lost"), 400),
        (Method::GET, run.path("/events?since=-1"), 400),
        (Method::GET, run.path("/events?limit=0"), 400),
        (Method::GET, run.path("/events?colour=red"), 400),
        (Method::DELETE, run.path("/network/rules/3"), 404),
        (Method::DELETE, run.path("/network/partitions/3"), 404),
        (Method::DELETE, run.path("/network/links/0/1"), 404),
    ] {
        playground.refused(method, &path, None, status).await;
    }
    for (path, body, status) in [
        ("/nodes/0/acquire", json!({ "hold": -1 }), 422),
        ("/nodes/0/acquire", json!({ "wait_ms": 99_999_999 }), 422),
        ("/nodes/0/restart", json!({ "state": "half" }), 422),
        ("/nodes/0/pause", json!({ "for_ms": 1e12 }), 422),
        ("/network/messages/x/deliver", json!({}), 404),
        ("/network/messages/0.1.99/drop", json!({}), 404),
        ("/network/partitions", json!({ "groups": [[0]] }), 422),
        ("/network/partitions", json!({ "groups": [[0], [0]] }), 422),
        ("/network/partitions", json!({ "groups": [[0], [7]] }), 422),
        ("/network/rules", json!({ "match": { "message_kind": "GOSSIP" }, "action": "drop" }), 422),
        ("/network/rules", json!({ "action": "explode" }), 422),
        ("/network/rules", json!({ "action": "drop", "count": 0 }), 422),
        ("/wait", json!({ "until": "doomsday" }), 422),
        ("/wait", json!({ "until": { "event": { "colour": "red" } } }), 422),
        ("/heal", json!({ "really": true }), 422),
    ] {
        run.refused(Method::POST, path, Some(body), status).await;
    }
    assert_eq!(run.verdict().await, "ok");
    run.enter(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_that_is_not_there_is_refused_with_those_that_are() {
    let playground = Playground::open();
    let response = reqwest::Client::new().delete(playground.api("/runs")).send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
    let allow = response.headers()["allow"].to_str().expect("a list").to_owned();
    assert!(allow.contains("GET") && allow.contains("POST"), "{allow}");
    assert_eq!(response.headers()["content-type"], "application/problem+json");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_has_ended_can_be_read_but_not_changed() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2 })).await;
    assert_eq!(run.post("/stop", json!({})).await["status"], "stopped");
    assert_eq!(run.state().await["nodes"][0]["process"], "stopped");
    for path in ["/nodes/0/acquire", "/nodes/0/crash", "/heal", "/network/messages/release"] {
        run.refused(Method::POST, path, Some(json!({})), 409).await;
    }
}

/// The network compares each message with all rules and partitions. Their number must therefore be bounded, so
/// that one client cannot slow down the runs of other clients.
#[tokio::test(flavor = "multi_thread")]
async fn rules_and_partitions_have_a_bound_and_one_that_is_removed_makes_room() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    for (kind, draft) in [
        ("rules", json!({ "match": { "message_kind": "REQUEST" }, "action": "drop" })),
        ("partitions", json!({ "groups": [[0], [1]] })),
    ] {
        let path = format!("/network/{kind}");
        let first = run.post(&path, draft.clone()).await;
        for _ in 1..200 {
            run.post(&path, draft.clone()).await;
        }
        let problem = run.refused(Method::POST, &path, Some(draft.clone()), 429).await;
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains(kind)), "{problem}");
        let (status, _) = playground.request(Method::DELETE, &run.path(&format!("{path}/{}", first["id"])), None).await;
        assert!(status.is_success(), "{status}");
        run.post(&path, draft).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_a_stream_as_for_a_document_is_told_how_it_is_read() {
    let playground = Playground::open();
    let run = playground.run(json!({ "algorithm": "lamport", "nodes": 2 })).await;
    let problem = run.refused(Method::GET, "/stream", None, 426).await;
    assert_eq!(problem["type"], "/problems/upgrade-required");
}
