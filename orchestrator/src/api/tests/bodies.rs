//! What is wrong with a body is told with its place.

use axum::body::Body;
use axum::http::{Method, Request, header};
use serde_json::{Value, json};

use super::{HOST, Server, request};
use crate::specification::Draft;

/// The problem that a body of `POST /runs` makes.
async fn refused(server: &Server, body: &str, status: u16, kind: &str) -> Value {
    server.send(request(Method::POST, "/api/v1/runs", Some(body.to_owned()))).await.problem(status, kind)
}

#[tokio::test]
async fn what_is_no_json_is_malformed() {
    let server = Server::start().await;
    let deep = format!("{{\"parameters\":{}", "[".repeat(100_000));
    for body in ["{", "nonsense", "{\"algorithm\":5,}", "{} {}", "{\"algorithm\":5} x", "\u{feff}{}", &deep] {
        refused(&server, body, 400, "malformed").await;
    }
    // Well-formed, but too deep to be read.
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let body = format!("{{\"algorithm\":\"lamport\",\"parameters\":{{\"tree\":{deep}}}}}");
    refused(&server, &body, 400, "malformed").await;
}

#[tokio::test]
async fn the_place_of_what_is_wrong_is_told() {
    let server = Server::start().await;
    let link = |link: Value| json!({"algorithm": "lamport", "links": [{"from": 0, "to": 1}, link]});
    let table = [
        (json!({}), "/algorithm", "missing field `algorithm`"),
        (json!([]), "", "an object is expected"),
        (json!("lamport"), "", "an object is expected"),
        (json!({"algorithm": 5}), "/algorithm", "invalid type: integer `5`, expected a string"),
        (json!({"algorithm": "lamport", "nodes": -1}), "/nodes", "invalid value: integer `-1`, expected u32"),
        (json!({"algorithm": "lamport", "network": {"delay": "slow"}}), "/network/delay", "`slow` is no distribution"),
        (json!({"algorithm": "lamport", "command": "sh"}), "/command", "unknown field `command`"),
        (json!({"algorithm": "lamport", "workload": {"x": 1}}), "/workload/x", "unknown field `x`"),
        (link(json!({"from": 0, "to": 2, "los": 0.1})), "/links/1/los", "unknown field `los`"),
        (link(json!({"from": 0, "to": 2, "loss": "much"})), "/links/1/loss", "invalid type: string \"much\""),
        (link(json!({"from": 0})), "/links/1/to", "missing field `to`"),
    ];
    for (body, pointer, detail) in table {
        let problem = refused(&server, &body.to_string(), 422, "invalid-run").await;
        let error = &problem["errors"][0];
        assert_eq!(error["pointer"], pointer, "{problem}");
        assert!(error["detail"].as_str().is_some_and(|said| said.starts_with(detail)), "{problem}");
        assert!(!problem.to_string().contains(" at line "), "{problem}");
    }
}

#[tokio::test]
async fn what_would_be_right_is_listed() {
    let server = Server::start().await;
    let unknown = refused(&server, r#"{"algorithm":"ricart"}"#, 422, "invalid-run").await;
    let expected = json!([{
        "pointer": "/algorithm",
        "detail": "no algorithm is called `ricart`",
        "allowed": interlock_algorithm::catalogue::ENTRIES.iter().map(|entry| entry.name).collect::<Vec<_>>(),
    }]);
    assert_eq!(unknown["errors"], expected);
    assert_eq!(unknown["title"], "the run cannot be started");
    let channel = refused(&server, r#"{"algorithm":"lamport","channel":"pipe"}"#, 422, "invalid-run").await;
    assert_eq!(channel["errors"][0]["pointer"], "/channel");
    assert_eq!(channel["errors"][0]["allowed"], json!(["raw"]));
    let field = refused(&server, r#"{"algorithm":"lamport","network":{"lag":1}}"#, 422, "invalid-run").await;
    assert_eq!(field["errors"][0]["allowed"], json!(["delay", "fifo", "loss", "duplicate", "hold"]));
}

/// A simulation may take what real processes cannot do: the same document is one for it.
#[tokio::test]
async fn what_only_a_simulation_can_run_is_refused() {
    let server = Server::start().await;
    let body = json!({"algorithm": "dijkstra-ring", "variant": "composite"});
    let problem = refused(&server, &body.to_string(), 422, "invalid-run").await;
    assert_eq!(problem["errors"][0]["pointer"], "/variant");
    let detail = problem["errors"][0]["detail"].as_str().expect("a detail");
    assert!(detail.contains("which no network can do: only a simulation runs it"), "{detail}");
    assert_eq!(problem["errors"][0]["allowed"], json!(["message-passing"]));
    let draft: Draft = serde_json::from_value(body).expect("a draft");
    assert_eq!(draft.complete_simulated().expect("a specification").variant, "composite");
}

#[tokio::test]
async fn all_that_makes_no_sense_is_told_at_once() {
    let server = Server::start().await;
    let body = json!({
        "version": 2, "algorithm": "lamport", "nodes": 201, "seed": 1_u64 << 53,
        "network": {"loss": 1.5}, "links": [{"from": 0, "to": 0}], "slow_after_ms": 0,
    });
    let problem = refused(&server, &body.to_string(), 422, "invalid-run").await;
    let pointers: Vec<_> =
        problem["errors"].as_array().expect("errors").iter().map(|error| &error["pointer"]).collect();
    for pointer in ["/version", "/nodes", "/seed", "/network/loss", "/links/0", "/slow_after_ms"] {
        assert!(pointers.iter().any(|found| *found == pointer), "{pointer}: {problem}");
    }
    assert_eq!(server.get("/api/v1/runs").await.json()["items"], json!([]));
}

#[tokio::test]
async fn a_field_given_twice_is_refused() {
    let server = Server::start().await;
    let problem = refused(&server, r#"{"algorithm":"lamport","algorithm":"lamport"}"#, 422, "invalid-run").await;
    assert_eq!(problem["detail"], "/algorithm: duplicate field `algorithm`");
}

#[tokio::test]
async fn numbers_have_bounds() {
    let server = Server::start().await;
    let run = server.failed_run().await;
    let table = [
        ("nodes/0/acquire", json!({"wait_ms": 60_001}), "/wait_ms", "60001 ms are outside 0 … 60000"),
        ("nodes/0/acquire", json!({"hold": 3_600_001}), "/hold", "3600001 ms are outside 0 … 3600000"),
        ("nodes/0/acquire", json!({"hold": -1}), "/hold", "-1 ms are outside 0"),
        ("nodes/0/acquire", json!({"lock": "a"}), "/lock", "invalid type: string \"a\""),
        ("nodes/0/pause", json!({"for_ms": 3_600_001}), "/for_ms", "3600001 ms are outside 0 … 3600000"),
        ("nodes/0/restart", json!({"state": "some"}), "/state", "unknown variant `some`"),
        ("nodes/0/crash", json!({"signal": 9}), "/signal", "unknown field `signal`"),
        ("nodes/0/fire", json!({}), "/timer", "missing field `timer`"),
        ("wait", json!({"until": "idle", "timeout_ms": 60_001}), "/timeout_ms", "60001 ms are outside 0 … 60000"),
        ("wait", json!({"until": "rain"}), "/until", "unknown variant `rain`"),
        ("wait", json!({"until": {"entered": {"nod": 1}}}), "/until", "unknown field `nod`"),
        ("wait", json!({"until": {"entered": {"node": 9}}}), "/until/entered/node", "there is no node 9"),
        ("stop", json!({"now": true}), "/now", "unknown field `now`"),
    ];
    for (path, body, pointer, detail) in table {
        let answer = server.post(&format!("/api/v1/runs/{run}/{path}"), &body).await;
        let problem = answer.problem(422, "invalid-document");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
        assert!(problem["errors"][0]["detail"].as_str().is_some_and(|said| said.starts_with(detail)), "{problem}");
    }
}

#[tokio::test]
async fn unknown_fields_of_the_network_are_refused() {
    let server = Server::start().await;
    let run = server.failed_run().await;
    let table = [
        (Method::PATCH, "default", json!({"lag": 1}), "/lag"),
        (Method::PUT, "links/0/1", json!({"from": 0, "loss": 0.5}), "/from"),
        (Method::POST, "partitions", json!({"groups": [[0], [1]], "name": "x"}), "/name"),
        (Method::POST, "rules", json!({"match": {"form": 1}, "action": "drop"}), "/match/form"),
        (Method::POST, "rules", json!({"action": "explode"}), "/action"),
    ];
    for (method, path, body, pointer) in table {
        let path = format!("/api/v1/runs/{run}/network/{path}");
        let problem =
            server.send(request(method, &path, Some(body.to_string()))).await.problem(422, "invalid-document");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
}

#[tokio::test]
async fn events_may_be_larger_than_documents_but_not_without_bounds() {
    let server = Server::start().await;
    let sent = async |path: &str, kind: &str, length: u64| {
        let request = Request::post(path)
            .header(header::HOST, HOST)
            .header(header::CONTENT_TYPE, kind)
            .header(header::CONTENT_LENGTH, length)
            .body(Body::from("{}"));
        server.send(request.expect("a request")).await
    };
    let (events, most) = ("application/x-ndjson", 1 << 30);
    sent("/api/v1/runs/import", events, most).await.problem(422, "invalid-events");
    let problem = sent("/api/v1/runs/import", events, most + 1).await.problem(413, "too-large");
    assert_eq!(problem["detail"], "the body is larger than 1024 MiB");
    sent("/api/v1/runs", "application/json", (1 << 20) + 1).await.problem(413, "too-large");
    sent("/api/v1/runs", events, 2).await.problem(415, "unsupported-media-type");
    sent("/api/v1/runs/import", "application/json", 2).await.problem(415, "unsupported-media-type");
    assert_eq!(std::fs::read_dir(&server.folder).expect("a folder").count(), 0);
}
