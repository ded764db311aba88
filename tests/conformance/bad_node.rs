//! Node programs with one fault each.

use std::io::BufRead;
use std::process::ExitCode;

use interlock_machine::wire::{Hello, Initialization};
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Fault of the first node of a run; the other nodes are correct. The number of each fault is the seed of the runs
/// that have this fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No fault.
    Good = 1,
    /// The node answers every batch with text that is not a report.
    Garbage = 2,
    /// The node rejects every batch.
    Teapot = 3,
    /// The node reports a message that it never received.
    Liar = 4,
    /// The node receives batches and never answers.
    Hangs = 5,
    /// The node ends when it receives a batch.
    Dies = 6,
    /// After the run has begun, the node sends requests to endpoints of other nodes.
    Stranger = 7,
    /// The node ends before it has sent its hello.
    Mute = 8,
    /// The node sends a REQUEST with a clock value that no run can reach.
    Exaggerates = 9,
    /// The node sends an endless answer without a length.
    Endless = 10,
}

const BAD: [Kind; 9] = [
    Kind::Garbage,
    Kind::Teapot,
    Kind::Liar,
    Kind::Hangs,
    Kind::Dies,
    Kind::Stranger,
    Kind::Mute,
    Kind::Exaggerates,
    Kind::Endless,
];

/// Runs this program as a node.
pub fn run() -> ExitCode {
    let mut line = String::new();
    // Only the first line of standard input is read here. A correct node later uses the rest of the input as its
    // lifeline.
    let first = std::io::stdin().lock().read_line(&mut line);
    let initialization: Initialization = first.map(|_| serde_json::from_str(&line)).expect("a line").expect("a life");
    let bad = BAD.into_iter().find(|kind| *kind as u64 == initialization.seed && initialization.node.0 == 0);
    match bad {
        None => interlock_node::run_initialized(initialization, interlock_machine::catalogue_node),
        Some(Kind::Mute) => ExitCode::from(1),
        Some(kind) => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(misbehave(kind, &initialization))
        }
    }
}

async fn misbehave(kind: Kind, initialization: &Initialization) -> ExitCode {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let hello = serde_json::to_value(Hello { incarnation: initialization.incarnation, url }).expect("JSON");
    let status = post(&initialization.hub, "hello", &initialization.secret, &hello).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    loop {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        while take(&mut stream).await {
            match kind {
                Kind::Garbage => answer(&mut stream, "200 OK", "I would rather not").await,
                Kind::Teapot => answer(&mut stream, "418 I'm a teapot", "").await,
                Kind::Liar => answer(&mut stream, "200 OK", &lie().to_string()).await,
                Kind::Exaggerates => answer(&mut stream, "200 OK", &exaggeration().to_string()).await,
                Kind::Endless => talk(&mut stream).await,
                Kind::Dies => std::process::exit(7),
                Kind::Stranger => return knock(initialization, &hello).await,
                _ => {}
            }
        }
    }
}

async fn post(hub: &str, what: &str, secret: &str, body: &Value) -> StatusCode {
    let client = Client::builder().no_proxy().build().expect("a client");
    let request = client.post(format!("{hub}/{what}")).bearer_auth(secret).json(body);
    request.send().await.expect("an answer").status()
}

fn report(incarnation: u32) -> Value {
    json!({ "incarnation": incarnation, "batch": 1, "steps": [] })
}

fn lie() -> Value {
    json!({ "incarnation": 1, "batch": 1, "steps": [{ "step": 1, "at_us": 1, "input": { "message": "1.0.99" } }] })
}

fn exaggeration() -> Value {
    let request = json!({ "to": [1, 2], "kind": "REQUEST", "body": { "clock": u64::MAX, "process": 0 } });
    let step = json!({ "step": 1, "at_us": 1, "input": { "start": {} }, "effects": [{ "send": request }] });
    json!({ "incarnation": 1, "batch": 1, "steps": [step] })
}

/// Sends requests that the hub must reject because of their secret, endpoint, incarnation or content. The exit code
/// is 0 if each request is rejected with the expected status.
async fn knock(initialization: &Initialization, hello: &Value) -> ExitCode {
    let (hub, secret) = (&initialization.hub, &initialization.secret);
    let neighbour = hub.replace("/nodes/0", "/nodes/1");
    let elsewhere = json!({ "incarnation": 1, "url": "http://192.0.2.1:80" });
    let doors = [
        (post(hub, "report", "guessed", &report(1)).await, 401),
        (post(hub, "report", "", &report(1)).await, 401),
        (post(&neighbour, "report", secret, &report(1)).await, 401),
        (post(&neighbour, "hello", secret, hello).await, 401),
        (post(hub, "hello", secret, hello).await, 409),
        (post(hub, "hello", secret, &elsewhere).await, 422),
        (post(hub, "report", secret, &report(0)).await, 409),
        (post(hub, "report", secret, &report(2)).await, 409),
        (post(hub, "report", secret, &json!({ "steps": "many" })).await, 400),
        (post(&hub.replace("/runs/", "/runs/0"), "report", secret, &report(1)).await, 400),
        (head_alone(hub, "Authorization: Bearer guessed").await, 401),
        (head_alone(hub, &format!("Authorization: Bearer {secret}\r\nOrigin: http://evil.example")).await, 403),
    ];
    let open: Vec<_> = doors.iter().filter(|(found, expected)| found.as_u16() != *expected).collect();
    if open.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("doors that are not as they should be: {open:?}");
    ExitCode::FAILURE
}

/// Sends headers that announce a large report, but does not send the report. The hub must reject an unauthorised
/// sender before the hub reads the body.
async fn head_alone(hub: &str, headers: &str) -> StatusCode {
    let (address, path) = hub.trim_start_matches("http://").split_once('/').expect("an address and a path");
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let head = format!(
        "POST /{path}/report HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: 16000000\r\n"
    );
    stream.write_all(format!("{head}{headers}\r\n\r\n").as_bytes()).await.expect("the head is sent");
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.expect("an answer");
    StatusCode::from_bytes(&answer[9..]).expect("a status")
}

/// Answers requests until the connection is closed.
async fn talk(stream: &mut TcpStream) {
    let piece = format!("100000\r\n{}\r\n", " ".repeat(1 << 20));
    let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").await;
    while sent.is_ok() {
        sent = stream.write_all(piece.as_bytes()).await;
    }
}

/// Reads one request. Returns false if the connection has ended.
async fn take(stream: &mut TcpStream) -> bool {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return false,
        }
    }
    let head = String::from_utf8_lossy(&head).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.is_ok()
}

async fn answer(stream: &mut TcpStream, status: &str, body: &str) {
    let length = body.len();
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{body}");
    // If the connection is already closed, the answer cannot be sent. This error is ignored.
    let _ = stream.write_all(answer.as_bytes()).await;
}
