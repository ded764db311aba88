//! Golden answers of the API that do not depend on a clock: catalogue, OpenAPI document, problems, simulations.

use reqwest::header::{ALLOW, CONTENT_TYPE};
use reqwest::{Client, Method};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::kept::Golden;
use crate::support::Playground;

/// Sends a request. Returns the text of the answer, and its status, media type and allowed methods.
async fn answer(playground: &Playground, method: Method, path: &str, body: Option<&str>) -> (String, String) {
    let client = Client::builder().no_proxy().build().expect("a client");
    let mut request = client.request(method, playground.api(path));
    if let Some(body) = body {
        request = request.header(CONTENT_TYPE, "application/json").body(body.to_owned());
    }
    let response = request.send().await.expect("an answer");
    let header = |name| response.headers().get(name).map_or("", |value| value.to_str().expect("a text")).to_owned();
    let head = format!("{} {} {}", response.status().as_u16(), header(CONTENT_TYPE), header(ALLOW));
    (head.trim_end().to_owned(), response.text().await.expect("a text"))
}

/// Returns the items of a JSON list, each with exactly the text that it has in the list.
fn items(list: &str) -> Vec<Box<RawValue>> {
    #[derive(serde::Deserialize)]
    struct List {
        items: Vec<Box<RawValue>>,
    }
    serde_json::from_str::<List>(list).expect("a list").items
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalogue_is_as_before() {
    let mut golden = Golden::new("catalogue.txt");
    let playground = Playground::open();
    for list in ["/algorithms", "/examples", "/lessons"] {
        let (head, text) = answer(&playground, Method::GET, list, None).await;
        golden.digest(&format!("{list} {head}"), &text);
        for item in items(&text) {
            let value: Value = serde_json::from_str(item.get()).expect("JSON");
            let name = value["name"].as_str().expect("a name");
            let (_, single) = answer(&playground, Method::GET, &format!("{list}/{name}"), None).await;
            golden.digest(&format!("{list}/{name}"), format!("{}\n{single}", item.get()));
        }
    }
    golden.check();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_openapi_document_is_as_before() {
    let mut golden = Golden::new("openapi.txt");
    let playground = Playground::open();
    let (head, text) = answer(&playground, Method::GET, "/openapi.json", None).await;
    golden.digest(&format!("the whole document: {head}"), &text);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    for (path, methods) in document["paths"].as_object().expect("paths") {
        golden.digest(path, methods.to_string());
    }
    for (name, schema) in document["components"]["schemas"].as_object().expect("schemas") {
        golden.digest(name, schema.to_string());
    }
    golden.check();
}

/// Requests that are rejected although no run exists: method, path, body.
const REFUSED: &[(&str, &str, &str)] = &[
    ("GET", "/nothing", ""),
    ("GET", "/runs/not-an-id", ""),
    ("GET", "/runs/01900000-0000-7000-8000-000000000000/state", ""),
    ("GET", "/algorithms/ricart", ""),
    ("GET", "/examples/maekawa", ""),
    ("GET", "/lessons/centralized", ""),
    ("GET", "/runs?colour=red", ""),
    ("DELETE", "/runs", ""),
    ("PUT", "/simulations", "{}"),
    ("POST", "/runs", ""),
    ("POST", "/runs", "{"),
    ("POST", "/runs", "[]"),
    ("POST", "/runs", "{}"),
    ("POST", "/runs", r#"{"algorithm":"ricart"}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","variant":"best"}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","nodes":0}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","nodes":"five"}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","version":2}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","seed":9007199254740992}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","network":{"loss":1.5,"speed":1}}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","network":{"delay":"const:-1"}}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","links":[{"from":0,"to":9},{"from":1,"to":1}]}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","parameters":{"k":3}}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","channel":"pipe"}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","detector":{"heartbeat":{"interval":0}}}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","workload":{"nodes":[7],"idle":"soon"}}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","script":[{"at":0,"do":{"crush":{"node":1}}}]}"#),
    ("POST", "/runs", r#"{"algorithm":"lamport","script":[{"at":0,"do":{"crash":{"node":9}}}]}"#),
    ("POST", "/runs", r#"{"algorithm":"maekawa","nodes":5,"parameters":{"quorums":"0,1;1,2"}}"#),
    ("POST", "/runs", r#"{"replay":{"version":1}}"#),
    ("POST", "/runs/import", "{}"),
    ("POST", "/simulations", r#"{"algorithm":"lamprot"}"#),
    ("POST", "/simulations", r#"{"algorithm":"lamport","steps":[{"crush":1}]}"#),
    ("POST", "/simulations", r#"{"algorithm":"lamport","steps":[{"wait":"doomsday"}]}"#),
    ("POST", "/simulations", r#"{"algorithm":"lamport","expect":[{"metric":"beauty < 3"}]}"#),
    ("POST", "/simulations", r#"{"algorithm":"lamport","expect":[{"never":{"event":{"colour":"red"}}}]}"#),
    ("POST", "/simulations", r#"{"algorithm":"lamport","lesson":1}"#),
    ("POST", "/scenarios", r#"{"algorithm":"lamport","steps":[{"repeat":-1}]}"#),
    ("POST", "/explorations", r#"{"specification":{"algorithm":"lamport","detector":"heartbeat"}}"#),
    ("POST", "/explorations", r#"{"specification":{"algorithm":"lamport","nodes":99}}"#),
    ("POST", "/explorations", r#"{"specification":{"algorithm":"lamport"},"property":"beauty"}"#),
];

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_refused_as_before() {
    let mut golden = Golden::new("problems.txt");
    let playground = Playground::open();
    for (method, path, body) in REFUSED {
        let parsed = method.parse().expect("a method");
        let (head, text) = answer(&playground, parsed, path, Some(*body).filter(|body| !body.is_empty())).await;
        assert!(!head.starts_with('2'), "{method} {path} {body}: {head}");
        golden.line(&format!("{method} {path} {body} → {head} {text}"));
    }
    golden.check();
}

#[tokio::test(flavor = "multi_thread")]
async fn simulations_are_answered_as_before() {
    let mut golden = Golden::new("judged.txt");
    let playground = Playground::open();
    let lessons = answer(&playground, Method::GET, "/lessons", None).await.1;
    let mut scenarios: Vec<Value> = items(&lessons)
        .iter()
        .map(|lesson| serde_json::from_str::<Value>(lesson.get()).expect("JSON")["scenario"].clone())
        .collect();
    scenarios.push(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "network": { "delay": "2s" }, "seed": 1,
        "steps": [{ "rule": { "match": { "message_kind": "REPLY", "from": 1 }, "action": "drop" } }, { "acquire": 0 },
            { "wait": "stuck" }], "expect": [{ "never": "stuck" }] }));
    for scenario in scenarios {
        let (head, text) = answer(&playground, Method::POST, "/simulations", Some(&scenario.to_string())).await;
        let answered: Value = serde_json::from_str(&text).expect("JSON");
        let run = answered["run"].as_str().expect("an id");
        let (algorithm, variant) = (&scenario["algorithm"], &scenario["variant"]);
        golden.digest(&format!("{algorithm} {variant} {head}"), text.replace(run, "RUN"));
    }
    golden.check();
}
