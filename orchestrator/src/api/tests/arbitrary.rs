//! Bodies that nobody would write: whatever comes, the answer is a document or a problem that is documented, and nothing is
//! left of what was refused. `PROPTEST_CASES` says how many are tried.

use std::env;

use axum::body::Body;
use axum::http::{Method, Request, header};
use interlock_model::simulation::{Simulation, Watch};
use interlock_model::specification::Draft;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use super::{HOST, Server, request};

/// How many are tried of each, unless told otherwise.
const CASES: u32 = 64;
/// What stands in documents: found by chance it hardly is.
const WORDS: [&str; 20] = [
    "lamport",
    "algorithm",
    "nodes",
    "all",
    "holder",
    "others",
    "stuck",
    "const:5",
    "uniform:1..20",
    "10%",
    "2s",
    "1e999",
    "-1",
    "0.1.1",
    "REPLY",
    "drop",
    "delay:5",
    "reliable",
    "do",
    "event",
];

/// Numbers at which something else begins.
const EDGES: [u64; 5] = [0, 1, 0xffff_ffff, 1 << 53, u64::MAX];

/// What is done to a document.
#[derive(Clone, Debug)]
enum Change {
    /// Something else stands at a place.
    Replace(Index, Value),
    /// What stands at a place is gone.
    Remove(Index),
    /// Something more stands there.
    Add(Index, String, Value),
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![3 => select(&WORDS[..]).prop_map(str::to_owned), 1 => "\\PC{0,12}"]
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        select(&EDGES[..]).prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(word(), inner, 0..4).prop_map(|fields| json!(fields)),
        ]
    })
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        (any::<Index>(), anything()).prop_map(|(place, value)| Change::Replace(place, value)),
        any::<Index>().prop_map(Change::Remove),
        (any::<Index>(), word(), anything()).prop_map(|(place, name, value)| Change::Add(place, name, value)),
    ];
    vec(change, 1..4)
}

/// All places of a document, the whole first.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(map) => map.iter().for_each(|(name, inner)| {
            places(inner, &format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), found);
        }),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(place, inner)| places(inner, &format!("{at}/{place}"), found));
        }
        _ => {}
    }
}

fn changed(mut document: Value, changes: &[Change]) -> Value {
    for change in changes {
        let mut all = Vec::new();
        places(&document, "", &mut all);
        let (Change::Replace(index, _) | Change::Remove(index) | Change::Add(index, ..)) = change;
        let place = index.get(&all).clone();
        match change {
            Change::Replace(_, value) => {
                if let Some(old) = document.pointer_mut(&place) {
                    *old = value.clone();
                }
            }
            Change::Remove(_) => {
                let (above, name) = place.rsplit_once('/').unwrap_or_default();
                let above = document.pointer_mut(above);
                above.and_then(Value::as_object_mut).map(|map| map.remove(name));
            }
            Change::Add(_, name, value) => match document.pointer_mut(&place) {
                Some(Value::Object(map)) => drop(map.insert(name.clone(), value.clone())),
                Some(Value::Array(items)) => items.push(value.clone()),
                _ => {}
            },
        }
    }
    document
}

/// A playground, and what drives it.
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

    /// Sends a body, and takes away again what comes of it.
    fn send(&self, path: &str, kind: &str, body: String) {
        let before = self.server.files_of_runs();
        let request = Request::builder().method(Method::POST).uri(format!("/api/v1{path}")).header(header::HOST, HOST);
        let request = request.header(header::CONTENT_TYPE, kind).body(Body::from(body)).expect("a request");
        self.runtime.block_on(async {
            // That it is documented is checked where it is sent.
            let answer = self.server.send(request).await;
            let status = answer.status.as_u16();
            // A run that could be is one whose processes cannot be started here: it stays as failed.
            let starts = matches!(path, "/runs" | "/scenarios");
            assert!(status < 500 || (starts && status == 503), "{path}: {}", answer.text);
            let folder = if path == "/explorations" { "explorations" } else { "runs" };
            let made =
                if status == 503 { Some(self.latest().await) } else { answer.json()["id"].as_str().map(str::to_owned) };
            if let Some(made) = made.filter(|_| status < 300 || status == 503) {
                let gone =
                    self.server.send(super::request(Method::DELETE, &format!("/api/v1/{folder}/{made}"), None)).await;
                assert_eq!(gone.status, 204, "{}", gone.text);
            }
        });
        assert_eq!(self.server.files_of_runs(), before, "{path}");
    }

    async fn latest(&self) -> String {
        let latest = self.server.get("/api/v1/runs/latest").await.json();
        latest["id"].as_str().expect("an id").to_owned()
    }
}

/// Tries what a strategy draws, a number of times.
fn each<T: std::fmt::Debug>(strategy: impl Strategy<Value = T>, check: impl Fn(T)) {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    let checked = TestRunner::new(config).run(&strategy, |drawn| {
        check(drawn);
        Ok(())
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
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
            "wait",
            json!({ "until": { "any": ["stuck", { "event": { "kind": "sent", "to": 1 } }] }, "timeout_ms": 1, "since": 0 }),
        ),
        ("network/partitions", json!({ "groups": [[0], ["holder", "others"]], "lost": "hold", "for": "2s" })),
        (
            "network/rules",
            json!({ "match": { "from": 0, "message_kind": "REQUEST" }, "action": "delay:5", "skip": 1, "for": 2 }),
        ),
        ("nodes/0/acquire", json!({ "lock": 0, "hold": "5ms", "wait_ms": 0 })),
        ("nodes/1/fire", json!({ "timer": { "client": "idle" } })),
        ("replay/step", json!({ "count": 1 })),
    ];
    each((select(documents.to_vec()), changes()), |((path, document), changes)| {
        let body = changed(document, &changes).to_string();
        let answer = tried.runtime.block_on(async {
            tried.server.send(request(Method::POST, &format!("/api/v1/runs/{run}/{path}"), Some(body))).await
        });
        assert!(answer.status.as_u16() < 500, "{path}: {}", answer.text);
    });
}

#[test]
fn any_lines_of_events_are_loaded_or_refused_whole() {
    let tried = Tried::start();
    let draft: Draft = serde_json::from_value(json!({ "algorithm": "lamport", "nodes": 2, "seed": 7, "workload": {} }))
        .expect("a draft");
    let simulation =
        Simulation { watch: Watch::Events, ..Simulation::new(draft.complete_simulated().expect("a run"), 3) };
    let events = simulation.run().expect("a report").events;
    let lines: Vec<Value> = events.iter().map(|event| serde_json::to_value(event).expect("an event")).collect();
    each((any::<Index>(), changes(), prop::option::of(any::<Index>())), |(line, changes, end)| {
        let mut lines = lines.clone();
        let line = line.index(lines.len());
        lines[line] = changed(lines[line].clone(), &changes);
        let mut text: String = lines.iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect();
        if let Some(end) = end {
            let end = (0..=end.index(text.len())).rev().find(|&end| text.is_char_boundary(end));
            text.truncate(end.unwrap_or_default());
        }
        tried.send("/runs/import", "application/x-ndjson", text);
    });
}
