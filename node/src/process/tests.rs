//! Tests of a node over HTTP with a hub that the test controls, and of a node as a separate process.

use std::process::Stdio;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use reqwest::StatusCode;
use reqwest::header::{ALLOW, AUTHORIZATION, CONTENT_TYPE, HOST};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::*;
use interlock_machine::test_support::{Text, echo, initialization};
use interlock_machine::wire::{LARGEST_BODY, Report};

const SECRET: &str = "Bearer a secret";
const START: &str = r#"{"incarnation":1,"batch":1,"items":[{"start":{}}]}"#;
const PATIENCE: Duration = Duration::from_mins(1);

/// A request that the hub received. The test sends the answer.
struct Heard {
    path: String,
    authorization: String,
    body: Bytes,
    answer: oneshot::Sender<StatusCode>,
}

type Bytes = axum::body::Bytes;

/// Starts a hub that passes every request on to the test. Returns the requests, and the address of the hub.
async fn hub() -> (mpsc::Receiver<Heard>, String) {
    async fn hear(State(heard): State<mpsc::Sender<Heard>>, uri: Uri, headers: HeaderMap, body: Bytes) -> StatusCode {
        let authorization = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or("").to_owned();
        let (answer, answered) = oneshot::channel();
        let request = Heard { path: uri.path().to_owned(), authorization, body, answer };
        let _ = heard.send(request).await;
        answered.await.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
    let (sender, receiver) = mpsc::channel(8);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().fallback(hear).with_state(sender);
    tokio::spawn(async move { axum::serve(listener, router).await });
    (receiver, format!("http://{address}"))
}

/// A running node that has sent its hello to the hub.
struct Running {
    hub: mpsc::Receiver<Heard>,
    url: String,
    client: reqwest::Client,
    node: JoinHandle<Result<(), NodeError>>,
}

impl Running {
    async fn start() -> Self {
        let (mut heard, hub) = hub().await;
        let epoch_ns = Clock::new(0).now_us() * 1000;
        let initialization = Initialization { hub, epoch_ns, ..initialization("echo", 3) };
        let node = echo(&initialization);
        let node = tokio::spawn(live(initialization, node));
        let hello = hear(&mut heard).await;
        assert_eq!((hello.path.as_str(), hello.authorization.as_str()), ("/hello", SECRET));
        let Hello { incarnation, url } = serde_json::from_slice(&hello.body).expect("a hello");
        assert_eq!(incarnation, 1);
        hello.answer.send(StatusCode::OK).expect("answered");
        Self { hub: heard, url, client: reqwest::Client::builder().no_proxy().build().expect("a client"), node }
    }

    fn inbox(&self) -> reqwest::RequestBuilder {
        self.client.post(format!("{}/inbox", self.url))
    }

    async fn post(&self, body: impl Into<reqwest::Body>) -> (StatusCode, Bytes) {
        answer(self.inbox().header(AUTHORIZATION, SECRET).body(body)).await
    }

    async fn report(&mut self) -> (Heard, Report<Text>) {
        let heard = hear(&mut self.hub).await;
        assert_eq!((heard.path.as_str(), heard.authorization.as_str()), ("/report", SECRET));
        let report = serde_json::from_slice(&heard.body).expect("a report");
        (heard, report)
    }
}

async fn hear(hub: &mut mpsc::Receiver<Heard>) -> Heard {
    timeout(PATIENCE, hub.recv()).await.expect("in time").expect("a request")
}

async fn answer(request: reqwest::RequestBuilder) -> (StatusCode, Bytes) {
    let response = timeout(PATIENCE, request.send()).await.expect("in time").expect("an answer");
    (response.status(), response.bytes().await.expect("a body"))
}

fn detail(problem: &Bytes) -> String {
    let problem: Value = serde_json::from_slice(problem).expect("a problem");
    assert!(problem["type"].as_str().is_some_and(|uri| uri.starts_with("/problems/")), "{problem}");
    problem["detail"].as_str().expect("a detail").to_owned()
}

#[tokio::test]
async fn a_batch_is_answered_with_its_steps_and_a_repeated_one_with_the_same_bytes() {
    let node = Running::start().await;
    let (status, first) = node.post(START).await;
    assert_eq!(status, StatusCode::OK);
    let report: Report<Text> = serde_json::from_slice(&first).expect("a report");
    assert_eq!((report.incarnation, report.batch, report.steps.len()), (1, 1, 1));
    assert_eq!(node.post(START).await, (StatusCode::OK, first));
}

#[tokio::test]
async fn who_is_not_the_hub_gets_nowhere() {
    let node = Running::start().await;
    let doors = [
        (node.inbox().body(START), StatusCode::UNAUTHORIZED),
        (node.inbox().body(START).header(AUTHORIZATION, "Bearer another"), StatusCode::UNAUTHORIZED),
        (
            node.inbox().body(START).header(AUTHORIZATION, SECRET).header(HOST, "evil.test"),
            StatusCode::MISDIRECTED_REQUEST,
        ),
        (node.client.post(&node.url).body(START).header(AUTHORIZATION, SECRET), StatusCode::NOT_FOUND),
    ];
    for (request, expected) in doors {
        let (status, problem) = answer(request).await;
        assert_eq!(status, expected, "{}", detail(&problem));
    }
    let refused = node.client.get(format!("{}/inbox", node.url)).send().await.expect("an answer");
    assert_eq!(refused.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(refused.headers()[ALLOW], "POST");
    assert_eq!(refused.headers()[CONTENT_TYPE], "application/problem+json");
    assert_eq!(node.post(START).await.0, StatusCode::OK, "the first batch is still to come");
}

/// Every process of the machine can connect to a node, so silent connections must not prevent other connections.
#[tokio::test]
async fn silent_connections_give_way_to_new_ones_and_the_hub_keeps_its_own() {
    let node = Running::start().await;
    let address = node.url.strip_prefix("http://").expect("an address");
    let connect = async || TcpStream::connect(address).await.expect("a connection");
    let mut hub = connect().await;
    assert!(exchanged(&mut hub, address).await.starts_with("HTTP/1.1 200"));
    let mut silent = Vec::new();
    // A wrong secret earns no trust.
    let mut stranger = connect().await;
    let request = format!("POST /inbox HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer wrong\r\n\r\n");
    stranger.write_all(request.as_bytes()).await.expect("it is sent");
    let mut refused = [0; 12];
    stranger.read_exact(&mut refused).await.expect("an answer");
    assert_eq!(&refused, b"HTTP/1.1 401");
    silent.push(stranger);
    for _ in 1..2 * MOST_STRANGERS {
        silent.push(connect().await);
    }
    // The node accepts the connection of this request only after all silent connections. By then, the node has
    // closed the silent connections above the limit.
    assert_eq!(node.post(START).await.0, StatusCode::OK);
    let (displaced, kept) = silent.split_at_mut(MOST_STRANGERS);
    for stream in displaced {
        // The rest of a refusal precedes the end.
        let end = timeout(PATIENCE, stream.read_to_end(&mut Vec::new())).await;
        assert!(end.is_ok(), "it has not given way");
    }
    let last = kept.last_mut().expect("the last one");
    assert!(exchanged(last, address).await.starts_with("HTTP/1.1 200"));
    assert!(exchanged(&mut hub, address).await.starts_with("HTTP/1.1 200"));
}

/// Sends the first batch over `stream`, and returns the answer. The node accepts the batch more than once, because
/// the hub may repeat a batch.
async fn exchanged(stream: &mut TcpStream, host: &str) -> String {
    let length = START.len();
    let request = format!(
        "POST /inbox HTTP/1.1\r\nHost: {host}\r\nAuthorization: {SECRET}\r\nContent-Length: {length}\r\n\r\n{START}"
    );
    stream.write_all(request.as_bytes()).await.expect("it is sent");
    let mut text = String::new();
    while !text.contains("\"steps\"") {
        let mut part = [0; 1024];
        let read = timeout(PATIENCE, stream.read(&mut part)).await.expect("in time").expect("an answer");
        assert_ne!(read, 0, "the connection was closed: {text}");
        text.push_str(&String::from_utf8_lossy(&part[..read]));
    }
    text
}

#[tokio::test]
async fn what_is_no_batch_for_this_life_of_the_node_is_refused_with_the_reason() {
    let node = Running::start().await;
    for (batch, expected, reason) in [
        ("garbage".to_owned(), StatusCode::BAD_REQUEST, "not a batch of inputs"),
        (START.replace('1', "2"), StatusCode::CONFLICT, "incarnation 2 of the node, which is in incarnation 1"),
        (START.replace("\"batch\":1", "\"batch\":3"), StatusCode::CONFLICT, "expected batch 1, not 3"),
        (" ".repeat(LARGEST_BODY + 1), StatusCode::PAYLOAD_TOO_LARGE, "length limit"),
    ] {
        let (status, problem) = node.post(batch).await;
        assert_eq!(status, expected);
        assert!(detail(&problem).contains(reason), "{}", detail(&problem));
    }
    assert_eq!(node.post(START).await.0, StatusCode::OK);
}

#[tokio::test]
async fn what_nobody_asked_for_is_posted_and_repeated_until_it_is_taken() {
    let mut node = Running::start().await;
    node.post(START).await;
    let (first, report) = node.report().await;
    assert_eq!((report.batch, report.steps[0].step), (2, 2));
    let bytes = first.body;
    first.answer.send(StatusCode::SERVICE_UNAVAILABLE).expect("answered");
    let (second, _) = node.report().await;
    assert_eq!(second.body, bytes);
    second.answer.send(StatusCode::OK).expect("answered");
    let (_, answer) = node.post(r#"{"incarnation":1,"batch":2,"items":["?"]}"#).await;
    let report: Report<Text> = serde_json::from_slice(&answer).expect("a report");
    assert_eq!((report.batch, report.steps[0].step), (3, 3));
}

#[tokio::test]
async fn a_node_whose_life_is_over_ends() {
    let mut node = Running::start().await;
    node.post(START).await;
    let (report, _) = node.report().await;
    report.answer.send(StatusCode::CONFLICT).expect("answered");
    let ended = timeout(PATIENCE, node.node).await.expect("in time").expect("no panic");
    assert!(ended.is_err_and(|error| error.to_string().contains("409")));
}

#[test]
fn an_initialization_that_makes_no_sense_is_refused() {
    let outside = Initialization { node: interlock_algorithm::NodeId(3), ..initialization("echo", 3) };
    let outside = serde_json::to_string(&outside).expect("JSON");
    for (line, reason) in [("", "is invalid"), ("{}\n", "is invalid"), (&outside, "there is no node 3 among 3")] {
        let error = read_initialization(line.as_bytes()).expect_err("refused");
        assert!(error.to_string().contains(reason), "{line}: {error}");
    }
}

/// This is not a test. The tests below start this function as the process of a node.
#[test]
#[ignore = "it is started by other tests"]
fn node_process() {
    let code = run(|initialization| Ok(echo(initialization)));
    std::process::exit(if code == ExitCode::SUCCESS { 0 } else { 3 });
}

/// Starts a node as a process, with `initialization` on its standard input.
async fn spawn(initialization: &Initialization) -> Child {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "process::tests::node_process", "--ignored", "--nocapture"])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("a process");
    let line = format!("{}\n", json!(initialization));
    child.stdin.as_mut().expect("an input").write_all(line.as_bytes()).await.expect("written");
    child
}

#[tokio::test]
async fn a_process_ends_when_its_lifeline_does_and_not_before() {
    let (mut heard, hub) = hub().await;
    let parent = std::process::id();
    let mut child = spawn(&Initialization { hub, parent, ..initialization("echo", 3) }).await;
    let hello = hear(&mut heard).await;
    hello.answer.send(StatusCode::OK).expect("answered");
    assert_eq!(child.try_wait().expect("asked"), None);
    // `wait` first closes the standard input of the node, and the node then ends.
    let status = timeout(PATIENCE, child.wait()).await.expect("in time").expect("it ended");
    assert_eq!(status.code(), Some(0));
}

#[tokio::test]
async fn a_process_whose_parent_is_another_one_ends_at_once() {
    let mut child = spawn(&Initialization { parent: 1, ..initialization("echo", 3) }).await;
    let status = timeout(PATIENCE, child.wait()).await.expect("in time").expect("it ended");
    assert_eq!(status.code(), Some(3));
}
