//! Sends arbitrary bodies. Each answer must be a document or a documented problem, and a rejected body must leave
//! no files behind.

use axum::body::Body;
use axum::http::{Method, Request, header};
use interlock_model::specification::Draft;
use interlock_simulation::simulation::{Simulation, Watch};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use super::arbitrary_journals::{READ, read_as};
use super::{HOST, Server, request};
use crate::arbitrary::{changed, changes, each};

/// A playground with the async runtime that executes its requests.
struct Tried {
    runtime: Runtime,
    server: Server,
}

impl Tried {
    fn start() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let server = runtime.block_on(Server::start());
        Self { runtime, server }
    }

    /// Sends a body, and removes the run or exploration that the request created.
    fn send(&self, path: &str, kind: &str, body: String) {
        let before = self.server.files_of_runs();
        let request = Request::builder().method(Method::POST).uri(format!("/api/v1{path}")).header(header::HOST, HOST);
        let request = request.header(header::CONTENT_TYPE, kind).body(Body::from(body)).expect("a request");
        self.runtime.block_on(async {
            // `send` also checks that the OpenAPI document describes the answer.
            let answer = self.server.send(request).await;
            let status = answer.status.as_u16();
            // No process can be started in this test, so even a valid run fails. The journal of a failed run stays
            // in the folder.
            let starts = matches!(path, "/runs" | "/scenarios");
            assert!(status < 500 || (starts && status == 503), "{path}: {}", answer.text);
            let folder = if path == "/explorations" { "explorations" } else { "runs" };
            let made =
                if status == 503 { Some(self.latest().await) } else { answer.json()["id"].as_str().map(str::to_owned) };
            if path == "/runs/import" && status == 201 {
                self.read_all(answer.json()["id"].as_str().expect("an id")).await;
            }
            if let Some(made) = made.filter(|_| status < 300 || status == 503) {
                let gone =
                    self.server.send(super::request(Method::DELETE, &format!("/api/v1/{folder}/{made}"), None)).await;
                assert_eq!(gone.status, 204, "{}", gone.text);
            }
        });
        assert_eq!(self.server.files_of_runs(), before, "{path}");
    }

    /// Requests all documents of an imported run. Only requests for such documents could exhaust the memory, because
    /// the amount of memory that they allocate may depend on numbers in the events.
    async fn read_all(&self, run: &str) {
        let run = run.parse().expect("a UUID");
        for (path, accept) in READ {
            let (status, answer) = read_as(&self.server, run, path, accept).await;
            assert_ne!(answer.unwrap_or_default()["type"], "/problems/broken", "{path}: {status}");
        }
    }

    async fn latest(&self) -> String {
        let latest = self.server.get("/api/v1/runs/latest").await.json();
        latest["id"].as_str().expect("an id").to_owned()
    }
}

fn specification() -> Value {
    json!({
        "version": 1, "name": "any", "algorithm": "lamport", "variant": "any-later-message", "parameters": { "release": "sender" },
        "nodes": 2, "locks": 1, "seed": 7, "channel": { "reliable": { "timeout": "50ms" } }, "detector": "none",
        "network": { "delay": "uniform:1..20", "fifo": true, "loss": "10%", "delays": { "ACK": 5 } },
        "links": [{ "from": 0, "to": 1, "delay": "const:5" }],
        "workload": { "idle": "exp:200", "hold": 5, "entries": 2, "nodes": [0, 1], "account": { "deposit": 1 } },
        "script": [{ "at": "1s", "do": { "crash": { "node": 1 } } }, { "at": 2000, "do": { "heal": {} } }],
    })
}

fn scenario() -> Value {
    let mut scenario = specification();
    scenario["script"] = json!([]);
    scenario["steps"] = json!([{ "wait": { "entered": { "node": 0 } }, "within": "5s" }, { "pause": { "node": "holder" } }, { "sleep": 10 }]);
    scenario["expect"] = json!([{ "never": "violation" }, { "eventually": { "entries": 2 } }]);
    scenario["stop"] = json!({ "after": "10s" });
    scenario
}

fn replay() -> Value {
    let choices = json!([
        { "do": { "acquire": { "node": 0, "hold": 5 } } }, { "do": { "deliver": "0.1.1" } }, { "do": { "lose": "1.0.1" } },
    ]);
    json!({ "replay": { "specification": { "algorithm": "lamport", "nodes": 2 }, "choices": choices }, "until": 1 })
}

#[test]
fn any_document_is_answered() {
    let tried = Tried::start();
    let documents = [
        ("/runs", specification()),
        ("/runs", replay()),
        ("/scenarios", scenario()),
        ("/simulations", scenario()),
        (
            "/explorations",
            json!({ "specification": { "algorithm": "lamport", "nodes": 2 }, "requests": [1, 1], "lose": 1, "states": 1_000 }),
        ),
    ];
    each((select(documents.to_vec()), changes()), |((path, document), changes)| {
        tried.send(path, "application/json", changed(document, &changes).to_string());
    });
}

#[test]
fn any_request_to_a_run_is_answered() {
    let tried = Tried::start();
    let run = tried.runtime.block_on(tried.server.failed_run());
    let documents = [
        (
            Method::POST,
            "/wait",
            json!({ "until": { "any": ["stuck", { "event": { "kind": "sent", "to": 1 } }] }, "timeout_ms": 1, "since": 0 }),
        ),
        (Method::PATCH, "", json!({ "name": "two" })),
        (
            Method::PATCH,
            "/network/default",
            json!({ "delay": "uniform:1..20", "fifo": true, "loss": "10%", "up": true }),
        ),
        (Method::PUT, "/network/links/0/1", json!({ "delays": { "REPLY": "const:5" }, "duplicate": 0.5 })),
        (Method::PUT, "/resources/account", json!({ "value": 7, "read": 0, "fence": 1, "node": 0 })),
        (
            Method::POST,
            "/network/partitions",
            json!({ "groups": [[0], ["holder", "others"]], "lost": "hold", "for": "2s" }),
        ),
        (
            Method::POST,
            "/network/rules",
            json!({ "match": { "from": 0, "message_kind": "REQUEST" }, "action": "delay:5", "skip": 1, "for": 2 }),
        ),
        (Method::POST, "/nodes/0/acquire", json!({ "lock": 0, "hold": "5ms", "wait_ms": 0 })),
        (Method::POST, "/nodes/1/fire", json!({ "timer": { "client": "idle" } })),
        (Method::POST, "/replay/step", json!({ "count": 1 })),
    ];
    each((select(documents.to_vec()), changes()), |((method, path, document), changes)| {
        let body = changed(document, &changes).to_string();
        let answer = tried.runtime.block_on(async {
            tried.server.send(request(method, &format!("/api/v1/runs/{run}{path}"), Some(body))).await
        });
        assert!(answer.status.as_u16() < 500, "{path}: {}", answer.text);
    });
}

/// Returns the events of a short run, one per line.
pub fn lines_of_a_run() -> Vec<Value> {
    let draft: Draft = serde_json::from_value(json!({ "algorithm": "lamport", "nodes": 2, "seed": 7, "workload": {} }))
        .expect("a draft");
    let simulation =
        Simulation { watch: Watch::Events, ..Simulation::new(draft.complete_simulated().expect("a run"), 3) };
    let events = simulation.run().expect("a report").events;
    events.iter().map(|event| serde_json::to_value(event).expect("an event")).collect()
}

/// Returns the text of an import that consists of `lines`.
pub fn written(lines: &[Value]) -> String {
    lines.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect()
}

#[test]
fn any_lines_of_events_are_loaded_or_refused_whole() {
    let tried = Tried::start();
    let lines = lines_of_a_run();
    each((any::<Index>(), changes(), prop::option::of(any::<Index>())), |(line, changes, end)| {
        let mut lines = lines.clone();
        let line = line.index(lines.len());
        lines[line] = changed(lines[line].clone(), &changes);
        let mut text = written(&lines);
        if let Some(end) = end {
            let end = (0..=end.index(text.len())).rev().find(|&end| text.is_char_boundary(end));
            text.truncate(end.unwrap_or_default());
        }
        tried.send("/runs/import", "application/x-ndjson", text);
    });
}
