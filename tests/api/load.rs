//! Tests of importing events: the exported events of a run become a new run.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use reqwest::{Client, StatusCode, header};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{PATIENCE, Playground, Run};

const NDJSON: &str = "application/x-ndjson";
/// Maximum time that the playground may take to end after a signal. Service managers kill a program about ten
/// seconds after the signal.
const PATIENCE_AT_THE_END: Duration = Duration::from_secs(5);

/// Returns a stopped run that has violated mutual exclusion.
async fn violated(playground: &Playground) -> Run<'_> {
    let run = playground
        .run(json!({ "name": "two at once", "algorithm": "lamport", "nodes": 2, "network": { "hold": true } }))
        .await;
    run.acquire(0, json!({})).await;
    run.acquire(1, json!({})).await;
    run.deliver("REQUEST 1→0").await;
    run.wait(json!({ "entered": { "node": 0 } })).await;
    run.deliver("ACK 0→1").await;
    run.wait(json!("violation")).await;
    run.post("/stop", json!({})).await;
    run
}

async fn exported(run: &Run<'_>) -> String {
    let request = Client::new().get(run.playground.api(&run.path("/events"))).header(header::ACCEPT, NDJSON);
    request.send().await.expect("an answer").text().await.expect("the whole answer")
}

async fn import(playground: &Playground, kind: &str, body: String) -> (StatusCode, Value) {
    let request = Client::new().post(playground.api("/runs/import")).header(header::CONTENT_TYPE, kind).body(body);
    let response = request.send().await.expect("an answer");
    (response.status(), response.json().await.expect("JSON"))
}

async fn imported(playground: &Playground, body: String) -> Run<'_> {
    let (status, run) = import(playground, NDJSON, body).await;
    assert_eq!(status, 201, "{run}");
    assert_eq!((&run["status"], &run["origin"]), (&json!("stopped"), &json!("loaded")), "{run}");
    Run { playground, id: run["id"].as_str().expect("an id").to_owned() }
}

/// Returns a copy of the document without the id of its run.
fn anonymous(mut document: Value) -> Value {
    document["run"] = Value::Null;
    document
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_exported_is_the_same_when_it_is_loaded() {
    let mut playground = Playground::open();
    let (events, document, id);
    {
        let live = violated(&playground).await;
        events = exported(&live).await;
        let loaded = imported(&playground, events.clone()).await;
        assert_ne!(loaded.id, live.id);
        let latest = live.state().await["seq"].as_u64().expect("a seq");
        for seq in [0, 1, latest / 3, latest / 2, latest - 1, latest] {
            let path = format!("/state?at={seq}");
            assert_eq!(anonymous(loaded.get(&path).await), anonymous(live.get(&path).await), "at {seq}");
        }
        assert_eq!(loaded.metrics().await, live.metrics().await);
        let violations = loaded.get("/violations").await;
        assert_eq!(violations, live.get("/violations").await);
        assert_eq!(violations["items"][0]["code"], "concurrent-sections");
        assert_eq!(loaded.verdict().await, "violated");
        assert_eq!(loaded.events("").await, live.events("").await);
        let specification = live.get("").await["specification"].clone();
        assert_eq!(loaded.get("").await["specification"], specification);
        loaded.refused(reqwest::Method::POST, "/nodes/0/acquire", Some(json!({})), 409).await;
        (document, id) = (anonymous(loaded.state().await), loaded.id.clone());
    }
    playground.end(rustix::process::Signal::TERM);
    let again = playground.open_again();
    let loaded = Run { playground: &again, id };
    assert_eq!(anonymous(loaded.state().await), document, "it stays when the playground has ended");
    assert_eq!(loaded.get("").await["origin"], "loaded");
    let (status, _) = again.request(reqwest::Method::DELETE, &loaded.path(""), None).await;
    assert_eq!(status, 204);
}

/// Imports the case `both-inside.ndjson`. The file does not contain the violation, so the monitors must find it.
#[tokio::test(flavor = "multi_thread")]
async fn both_inside() {
    let playground = Playground::open();
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios/cases/both-inside.ndjson");
    let run = imported(&playground, fs::read_to_string(case).expect("the case")).await;
    assert_eq!(run.verdict().await, "violated");
    assert_eq!(run.get("").await["verdict"], "violated");
    let found = run.get("/violations").await["items"][0].clone();
    assert_eq!((&found["monitor"], &found["events"]), (&json!("mutual-exclusion"), &json!([7, 9])));
    // The new export contains the violation. If this export is imported, the violation is not added a second time.
    let events = exported(&run).await;
    let again = imported(&playground, events.clone()).await;
    assert_eq!(exported(&again).await, events);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_is_no_event_is_named_and_nothing_remains() {
    let playground = Playground::open();
    let live = violated(&playground).await;
    let events = exported(&live).await;
    let lines: Vec<&str> = events.lines().collect();
    let without_fifth = [&lines[..4], &lines[5..]].concat().join("\n");
    let (status, problem) = import(&playground, NDJSON, without_fifth).await;
    assert_eq!(
        (status.as_u16(), &problem["type"], &problem["line"]),
        (422, &json!("/problems/invalid-events"), &json!(5))
    );
    let error = json!([{ "pointer": "/seq", "detail": "event 6 is in the place of event 5", "allowed": ["5"] }]);
    assert_eq!(problem["errors"], error);

    // The server must reject the body although the client has not sent all of it yet.
    let long = format!("{{}}\n{}", " ".repeat(32 * 1024 * 1024));
    let (status, problem) = import(&playground, NDJSON, long).await;
    assert_eq!((status.as_u16(), &problem["line"]), (422, &json!(1)), "{problem}");
    assert_eq!(problem["errors"][0]["pointer"], "/seq");

    assert_eq!(playground.get("/runs").await["items"].as_array().map(Vec::len), Some(1));
    let files = std::fs::read_dir(&playground.directory).expect("a folder");
    let partial = files.filter(|file| file.as_ref().is_ok_and(|file| file.path().to_string_lossy().contains("part")));
    assert_eq!(partial.count(), 0);
}

/// If clients stop sending in the middle of a request, the playground must still answer other requests, and must
/// end in time.
#[tokio::test(flavor = "multi_thread")]
async fn of_those_who_stall_few_are_waited_for() {
    let mut playground = Playground::open();
    let (sender, answers) = mpsc::channel();
    for mut stream in (0..40).map(|_| begin_to_send(&playground)) {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut answer = [0; 12];
            // When the playground ends, it closes the connections of clients that have not sent their whole
            // request. This read may therefore fail.
            let read = stream.read_exact(&mut answer);
            let _ = sender.send(read.map(|()| String::from_utf8_lossy(&answer).into_owned()));
        });
    }
    for _ in 0..36 {
        let answer = answers.recv_timeout(PATIENCE).expect("an answer").expect("all of it");
        assert_eq!(answer, "HTTP/1.1 429");
    }
    assert!(answers.try_recv().is_err(), "four are waited for");
    assert_eq!(playground.get("//healthz").await["status"], "ok");
    let start = Instant::now();
    assert!(playground.end(rustix::process::Signal::TERM).success());
    println!("with four who stall it has ended after {:?}", start.elapsed());
    assert!(start.elapsed() < PATIENCE_AT_THE_END, "{:?}", start.elapsed());
    let files = std::fs::read_dir(&playground.directory).expect("a folder");
    let names: Vec<_> = files.filter_map(|file| file.ok()?.file_name().into_string().ok()).collect();
    assert!(!names.iter().any(|name| name.contains("part")), "{names:?}");
}

/// Opens a connection, and sends the beginning of an announced body over it. The rest of the body is never sent.
fn begin_to_send(playground: &Playground) -> TcpStream {
    let address = playground.url.strip_prefix("http://").expect("an address");
    let mut stream = TcpStream::connect(address).expect("a connection");
    let head = format!("POST /api/v1/runs/import HTTP/1.1\r\nHost: {address}\r\nContent-Type: {NDJSON}\r\n");
    stream.write_all(format!("{head}Content-Length: 1000000\r\n\r\n").as_bytes()).expect("the head is sent");
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_told_apart_from_documents() {
    let playground = Playground::open();
    let (status, problem) = import(&playground, "application/json", "{}".to_owned()).await;
    assert_eq!(status, 415);
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains(NDJSON)), "{problem}");
    let request = Client::new().post(playground.api("/runs")).header(header::CONTENT_TYPE, NDJSON).body("{}");
    assert_eq!(request.send().await.expect("an answer").status(), 415);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_loaded_at_the_start_and_there_is_no_demonstration() {
    let folder = TempDir::new().expect("a folder");
    let (good, bad) = (folder.path().join("run.ndjson"), folder.path().join("bad.ndjson"));
    let events = exported(&violated(&Playground::open()).await).await;
    std::fs::write(&good, &events).expect("a file");
    std::fs::write(&bad, "{").expect("a file");
    let ready = folder.path().join("ready");
    let path = |path: &std::path::Path| path.to_str().expect("a path").to_owned();
    let options = ["--load", &path(&bad), &path(&good), "--ready-file", &path(&ready)];
    let playground = Playground::open_in(&folder.path().join("data"), &options);
    let opened = async {
        while !ready.exists() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, opened).await.expect("the ready file");
    let runs = playground.get("/runs").await;
    assert_eq!(runs["items"].as_array().map(Vec::len), Some(1), "{runs}");
    assert_eq!((&runs["items"][0]["origin"], &runs["items"][0]["name"]), (&json!("loaded"), &json!("two at once")));
}
