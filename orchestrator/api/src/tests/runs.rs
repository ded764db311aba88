//! Tests of runs whose processes could not be started: read from memory, and read from their journals.

use std::path::Path;

use axum::http::Method;
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Server, fields, request};
use interlock_model::event::{Event, Json, Violation, What};
use interlock_model::specification::Draft;
use interlock_observation::metrics::MetricsDocument;
use interlock_orchestrator::journal::{Header, Journal, Origin, Status};

#[tokio::test]
async fn a_run_whose_processes_cannot_be_started_is_a_problem_and_stays_as_failed() {
    let server = Server::start().await;
    let refused = server.post("/api/v1/runs", &json!({"algorithm": "ricart-agrawala"})).await;
    refused.problem(503, "no-process");
    let runs = server.get("/api/v1/runs").await.json();
    assert_eq!(fields(&runs), ["items", "next"]);
    assert_eq!(runs["next"], Value::Null);
    let run = &runs["items"][0];
    let expected = [
        "because",
        "created_at",
        "entries",
        "events",
        "id",
        "journal",
        "name",
        "origin",
        "specification",
        "status",
        "verdict",
    ];
    assert_eq!(fields(run), expected);
    assert_eq!((&run["status"], &run["verdict"], &run["entries"]), (&json!("failed"), &json!("failed"), &json!(0)));
    assert!(run["events"].as_u64().is_some_and(|events| events >= 2), "{run}");
    assert_eq!(fields(&run["journal"]), ["bytes"], "only what is still written has a bound");
    let path = format!("/api/v1/runs/{}", run["id"].as_str().expect("an id"));
    assert_eq!(&server.get(&path).await.json(), run);
    let specification = &run["specification"];
    assert_eq!(specification["version"], 1);
    assert_eq!(specification["nodes"], 5);
    let network = json!({"delay": "const:0", "fifo": false, "loss": 0.0, "duplicate": 0.0, "hold": false});
    assert_eq!(specification["network"], network);
    assert_eq!(specification["workload"], Value::Null);
}

#[tokio::test]
async fn pages_of_runs_follow_each_other() {
    let server = Server::start().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.insert(0, json!(server.failed_run().await));
    }
    let first = server.get("/api/v1/runs?limit=2").await.json();
    assert_eq!([&first["items"][0]["id"], &first["items"][1]["id"]], [&ids[0], &ids[1]]);
    assert_eq!(first["next"], ids[1]);
    let path = format!("/api/v1/runs?limit=2&after={}", ids[1].as_str().expect("an id"));
    let second = server.get(&path).await.json();
    assert_eq!(second["items"].as_array().map(Vec::len), Some(1));
    assert_eq!((&second["items"][0]["id"], &second["next"]), (&ids[2], &Value::Null));
    let exactly = server.get("/api/v1/runs?limit=3").await.json();
    assert_eq!(exactly["next"], Value::Null);
}

#[tokio::test]
async fn a_run_has_another_name_from_then_on() {
    let server = Server::start().await;
    let id = server.failed_run().await;
    let rename = async |server: &Server, path: &str, name: &str| {
        server.send(request(Method::PATCH, path, Some(json!({ "name": name }).to_string()))).await
    };
    let renamed = rename(&server, "/api/v1/runs/one", "Übung 3").await;
    assert_eq!((renamed.status.as_u16(), &renamed.json()["name"]), (200, &json!("Übung 3")), "{}", renamed.text);
    assert_eq!(server.get("/api/v1/runs").await.json()["items"], json!([renamed.json()]));
    server.get("/api/v1/runs/one").await.problem(404, "not-found");

    let path = format!("/api/v1/runs/{id}");
    let server = server.restarted().await;
    assert_eq!(server.get(&path).await.json()["name"], "Übung 3");
    assert_eq!(rename(&server, &path, "two").await.json()["name"], "two", "one of an earlier life, too");
    assert_eq!(server.get("/api/v1/runs/two").await.json()["id"], json!(id));

    for (name, said) in [(" ", "empty"), (&*"x".repeat(201), "longer than 200 characters")] {
        let problem = rename(&server, &path, name).await.problem(422, "invalid-document");
        let error = &problem["errors"][0];
        assert!(
            error["pointer"] == "/name" && error["detail"].as_str().is_some_and(|it| it.contains(said)),
            "{problem}"
        );
    }
    let unknown = format!("/api/v1/runs/{}", Uuid::now_v7());
    rename(&server, &unknown, "three").await.problem(404, "not-found");
}

/// A trace cannot end before the first event, because that event contains the specification of the run.
#[tokio::test]
async fn what_happened_is_told_from_the_first_event_on() {
    let server = Server::start().await;
    let id = server.failed_run().await;
    for form in ["story", "events", "shiviz", "itf", "perfetto", "svg"] {
        let path = format!("/api/v1/runs/{id}/trace?as={form}&until=");
        let problem = server.get(&format!("{path}0")).await.problem(400, "invalid-query");
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.starts_with("until: ")), "{problem}");
        assert_eq!(server.get(&format!("{path}1")).await.status, 200, "{form}");
    }
}

/// Returns the documents of a run that the API can read both from memory and from the journal.
async fn documents(server: &Server, path: &str) -> [Value; 4] {
    let state = server.get(&format!("{path}/state")).await.json();
    let metrics = server.get(&format!("{path}/metrics")).await.json();
    let violations = server.get(&format!("{path}/violations")).await.json();
    let nodes = server.get(&format!("{path}/nodes")).await.json();
    [state, metrics, violations, nodes]
}

#[tokio::test]
async fn a_run_reads_the_same_from_its_journal() {
    let server = Server::start().await;
    let path = format!("/api/v1/runs/{}", server.failed_run().await);
    let at_hand = documents(&server, &path).await;
    let summary = server.get(&path).await.json();
    let server = server.restarted().await;
    assert_eq!(documents(&server, &path).await, at_hand);
    assert_eq!(server.get(&path).await.json(), summary);
}

#[tokio::test]
async fn documents_have_their_shape() {
    let server = Server::start().await;
    let path = format!("/api/v1/runs/{}", server.failed_run().await);
    let [state, metrics, violations, nodes] = documents(&server, &path).await;
    assert_eq!(fields(&state), ["at_us", "locks", "messages", "nodes", "run", "seq", "verdict"]);
    assert_eq!(
        fields(&state["nodes"][0]),
        ["holds", "incarnation", "node", "phase", "pid", "process", "view", "wants"]
    );
    assert_eq!(fields(&state["messages"]), ["held", "in_flight"]);
    assert_eq!(fields(&state["verdict"]), ["because", "status", "violations"]);
    assert_eq!(violations, json!({"items": []}));
    assert_eq!(nodes["items"], state["nodes"]);
    assert_eq!(server.get(&format!("{path}/nodes/3")).await.json(), state["nodes"][3]);
    assert_eq!(fields(&metrics), fields(&json!(MetricsDocument::default())));
    for figure in ["max", "mean", "p50", "p99"] {
        assert!(metrics["client_delay"].get(figure).is_some(), "{metrics}");
    }
}

#[tokio::test]
async fn the_past_is_shown_event_by_event() {
    let server = Server::start().await;
    let path = format!("/api/v1/runs/{}/state", server.failed_run().await);
    let latest = server.get(&path).await.json()["seq"].as_u64().expect("a number");
    assert!(latest >= 2, "created and ended");
    for at in 1..=latest {
        assert_eq!(server.get(&format!("{path}?at={at}")).await.json()["seq"], at);
    }
}

#[tokio::test]
async fn the_network_of_a_run_at_hand_is_shown() {
    let server = Server::start().await;
    let path = format!("/api/v1/runs/{}/network", server.failed_run().await);
    let setup = server.get(&path).await.json();
    assert_eq!(fields(&setup), ["default", "links", "partitions", "rules"]);
    assert_eq!(server.get(&format!("{path}/default")).await.json(), setup["default"]);
    assert_eq!(server.get(&format!("{path}/partitions")).await.json(), json!({"items": []}));
    assert_eq!(server.get(&format!("{path}/rules")).await.json(), json!({"items": []}));
    let messages = server.get(&format!("{path}/messages?status=held")).await.json();
    assert_eq!(messages, json!({"items": []}));
}

const CHANGES: [(Method, &str, &str); 17] = [
    (Method::POST, "heal", "{}"),
    (Method::POST, "nodes/0/acquire", r#"{"lock":0,"hold":null,"wait_ms":0}"#),
    (Method::POST, "nodes/0/release", r#"{"lock":0}"#),
    (Method::POST, "nodes/0/crash", "{}"),
    (Method::POST, "nodes/0/pause", r#"{"for_ms":null}"#),
    (Method::POST, "nodes/0/resume", "{}"),
    (Method::POST, "nodes/0/restart", r#"{"state":"stored"}"#),
    (Method::POST, "nodes/0/fire", r#"{"timer":{"client":"idle"}}"#),
    (Method::PATCH, "network/default", r#"{"loss":0.5}"#),
    (Method::PUT, "network/links/0/1", r#"{"delay":"uniform:1..20"}"#),
    (Method::DELETE, "network/links/0/1", ""),
    (Method::POST, "network/partitions", r#"{"groups":[[0,1],[2,3,4]],"direction":"both"}"#),
    (Method::DELETE, "network/partitions/1", ""),
    (
        Method::POST,
        "network/rules",
        r#"{"match":{"from":2,"to":0,"message_kind":"REPLY"},"action":"drop","skip":2,"count":1}"#,
    ),
    (Method::DELETE, "network/rules/1", ""),
    (Method::POST, "network/messages/0.1.12/deliver", "{}"),
    (Method::POST, "network/messages/release", "{}"),
];

#[tokio::test]
async fn a_run_that_is_over_is_not_changed() {
    let server = Server::start().await;
    let path = format!("/api/v1/runs/{}", server.failed_run().await);
    let before = documents(&server, &path).await;
    for (method, change, body) in CHANGES {
        let body = Some(body.to_owned()).filter(|body| !body.is_empty());
        let answer = server.send(request(method, &format!("{path}/{change}"), body)).await;
        answer.problem(409, "conflict");
    }
    assert_eq!(documents(&server, &path).await, before);
    let server = server.restarted().await;
    for (method, change, body) in CHANGES {
        let body = Some(body.to_owned()).filter(|body| !body.is_empty());
        let answer = server.send(request(method, &format!("{path}/{change}"), body)).await;
        answer.problem(409, "conflict");
    }
    server.post(&format!("{path}/wait"), &json!({"until": "idle"})).await.problem(409, "conflict");
    server.get(&format!("{path}/network")).await.problem(409, "conflict");
}

#[tokio::test]
async fn stopping_twice_is_no_error() {
    let server = Server::start().await;
    let path = format!("/api/v1/runs/{}", server.failed_run().await);
    let summary = server.get(&path).await.json();
    assert_eq!(server.post(&format!("{path}/stop"), &json!({})).await.json(), summary);
    let server = server.restarted().await;
    assert_eq!(server.send(request(Method::POST, &format!("{path}/stop"), None)).await.json(), summary);
}

async fn delete(server: &Server, path: &str) {
    let deleted = server.send(request(Method::DELETE, path, None)).await;
    assert_eq!((deleted.status.as_u16(), deleted.text.as_str()), (204, ""));
    server.send(request(Method::DELETE, path, None)).await.problem(404, "not-found");
    server.get(path).await.problem(404, "not-found");
}

#[tokio::test]
async fn a_run_is_deleted_with_its_journal() {
    let server = Server::start().await;
    let [first, second] =
        [server.failed_run().await, server.failed_run().await].map(|run| format!("/api/v1/runs/{run}"));
    delete(&server, &first).await;
    let server = server.restarted().await;
    delete(&server, &second).await;
    assert_eq!(server.get("/api/v1/runs").await.json()["items"], json!([]));
    assert_eq!(server.files_of_runs(), 0);
}

/// Writes the journal of a run in which a property was violated.
fn write_broken_run(folder: &Path) -> Uuid {
    let draft: Draft = serde_json::from_value(json!({"algorithm": "lamport", "nodes": 4})).expect("a draft");
    let specification = Json::of(&draft.complete().expect("a specification")).expect("JSON");
    let (id, created_at) = (Uuid::now_v7(), Timestamp::now());
    let header =
        Header { id, name: "broken".into(), specification: specification.clone(), created_at, origin: Origin::Live };
    let journal = Journal::create(folder, &header, None).expect("a journal");
    let violation = Violation {
        monitor: "mutual-exclusion".into(),
        code: "concurrent-sections".into(),
        arguments: json!({"lock": 0, "first": 1, "second": 3}),
        events: vec![61, 88],
    };
    let whats = [What::Created { specification, warnings: Vec::new() }, What::Violated { violation }];
    let mut events: Vec<_> = (1..).zip(whats).map(|(seq, what)| Event { seq, at_us: seq, what }).collect();
    journal.append(&mut events);
    journal.finish(Status::Stopped, None).expect("a whole journal");
    id
}

#[tokio::test]
async fn violations_of_a_past_run_are_shown_with_a_sentence() {
    let server = Server::start().await;
    let run = write_broken_run(&server.folder);
    let violations = server.get(&format!("/api/v1/runs/{run}/violations")).await.json();
    let sentence = violations["items"][0]["sentence"].as_str().expect("a sentence").to_owned();
    assert!(sentence.starts_with("P1 and P3 were in the critical section of lock 0"), "{sentence}");
    let expected = json!({"items": [{
        "seq": 2, "monitor": "mutual-exclusion", "code": "concurrent-sections",
        "arguments": {"lock": 0, "first": 1, "second": 3}, "events": [61, 88], "sentence": sentence,
    }]});
    assert_eq!(violations, expected);
}

#[tokio::test]
async fn waiting_in_a_run_that_is_over_answers_at_once() {
    let server = Server::start().await;
    let path = format!("/api/v1/runs/{}", server.failed_run().await);
    let begun = std::time::Instant::now();
    let wait = async |body: Value| server.post(&format!("{path}/wait"), &body).await;
    let created = json!({"event": {"kind": "created"}});
    for in_vain in [
        json!({"until": {"entered": {"node": 2}}, "timeout_ms": 30_000}),
        json!({"until": created, "since": 1}),
        json!({"until": created}),
    ] {
        let problem = wait(in_vain).await.problem(409, "in-vain");
        assert_eq!(problem["verdict"]["status"], "failed", "{problem}");
    }
    assert_eq!(wait(json!({"until": "idle"})).await.json()["met"], true);
    let found = wait(json!({"until": created, "since": 0})).await.json();
    assert_eq!((&found["met"], &found["seq"], &found["event"]["kind"]), (&json!(true), &json!(1), &json!("created")));
    assert!(begun.elapsed().as_secs() < 20, "nobody waits for a run that is over");
}
