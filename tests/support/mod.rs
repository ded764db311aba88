//! Helpers for tests: a playground for each test, with the real program, real processes, and the API.

// Each test program uses only some items of this module, so each has unused items.
#![allow(dead_code)]

pub mod concurrently;
mod contract;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Method, Response, StatusCode};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// Maximum wait for an event that must happen, even on a busy machine. A wait ends as soon as the event has
/// happened.
pub const PATIENCE: Duration = Duration::from_mins(1);
/// The value of [`PATIENCE`] in milliseconds, for the API.
pub const PATIENCE_MS: u64 = 60_000;

/// Returns the program under test.
pub fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_interlock"))
}

/// An open playground. When the test ends, the playground ends, and its folder is removed.
pub struct Playground {
    /// Base URL of the playground.
    pub url: String,
    /// Folder of the playground's journals.
    pub directory: PathBuf,
    process: Child,
    client: Client,
    document: OnceCell<Value>,
    temporary: Option<TempDir>,
}

impl Playground {
    /// Opens a playground without a run.
    pub fn open() -> Self {
        let temporary = TempDir::new().expect("a folder");
        let directory = temporary.path().to_owned();
        let mut playground = Self::open_in(&directory, &["--no-demo"]);
        playground.temporary = Some(temporary);
        playground
    }

    /// Opens a playground with `options` in the folder `directory`, which is not removed at the end.
    pub fn open_in(directory: &Path, options: &[&str]) -> Self {
        Self::start(Command::new(program()), directory, options)
    }

    /// Opens a playground with another command, which must accept the options of `interlock serve`.
    pub fn start(command: Command, directory: &Path, options: &[&str]) -> Self {
        Self::start_at(0, command, directory, options)
    }

    /// Opens a new playground with the port and the folder of this playground, which must have ended.
    pub fn open_again(&self) -> Self {
        let port = self.url.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        Self::start_at(port, Command::new(program()), &self.directory, &["--no-demo"])
    }

    fn start_at(port: u16, mut command: Command, directory: &Path, options: &[&str]) -> Self {
        let mut process = command
            .args(["serve", "--port", &port.to_string(), "--data-dir"])
            .arg(directory)
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let stdout = process.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("its first line");
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap_or_else(|| {
            panic!("the program should say where it is open, and says {line:?}");
        });
        let url = url.trim_end_matches('/').to_owned();
        let client = Client::builder().no_proxy().build().expect("a client");
        Self { url, directory: directory.to_owned(), process, client, document: OnceCell::new(), temporary: None }
    }

    /// Returns the process id of the orchestrator.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Sends a signal to the orchestrator, and waits until it has ended.
    pub fn end(&mut self, signal: Signal) -> ExitStatus {
        let pid = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw).expect("a process id");
        kill_process(pid, signal).expect("the signal is sent");
        self.process.wait().expect("the orchestrator ends")
    }

    /// Sends a request to the API, with or without a body, and returns the answer. Panics if the answer does not
    /// conform to the OpenAPI document.
    pub async fn request(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let mut request = self.client.request(method.clone(), self.api(path));
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.expect("an answer");
        let status = response.status();
        self.check(&method, &response).await;
        let text = response.text().await.expect("the whole answer");
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Panics if an answer does not conform to the OpenAPI document.
    async fn check(&self, method: &Method, response: &Response) {
        let document = self.document.get_or_init(|| async {
            let document = self.client.get(self.api("/openapi.json")).send().await.expect("an answer");
            document.json().await.expect("the OpenAPI document")
        });
        let kind = response.headers().get(CONTENT_TYPE).map_or("", |kind| kind.to_str().expect("a type"));
        let (path, status) = (response.url().path(), response.status().as_u16());
        let found = contract::undocumented(document.await, method.as_str(), path, status, kind);
        assert_eq!(found, None);
    }

    /// Returns the URL of a path of the API. A path that begins with `//` is relative to the root of the server
    /// instead of the API.
    pub fn api(&self, path: &str) -> String {
        match path.strip_prefix("//") {
            Some(path) => format!("{}/{path}", self.url),
            None => format!("{}/api/v1{path}", self.url),
        }
    }

    /// Returns a resource, which must exist.
    pub async fn get(&self, path: &str) -> Value {
        let (status, body) = self.request(Method::GET, path, None).await;
        assert!(status.is_success(), "GET {path}: {status} {body}");
        body
    }

    /// Posts a request, which must succeed, and returns the answer.
    pub async fn post(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.request(Method::POST, path, Some(body.clone())).await;
        assert!(status.is_success(), "POST {path} {body}: {status} {answer}");
        answer
    }

    /// Sends a request, which must be rejected with `status`. Returns the problem.
    pub async fn refused(&self, method: Method, path: &str, body: Option<Value>, status: u16) -> Value {
        let (found, problem) = self.request(method.clone(), path, body.clone()).await;
        assert_eq!(found.as_u16(), status, "{method} {path} {body:?}: {problem}");
        assert_eq!(problem["status"], status, "{problem}");
        for said in ["title", "detail"] {
            assert!(problem[said].as_str().is_some_and(|text| !text.is_empty()), "{said}: {problem}");
        }
        problem
    }

    /// Creates a run.
    pub async fn run(&self, specification: Value) -> Run<'_> {
        let run = self.post("/runs", specification).await;
        Run { playground: self, id: run["id"].as_str().expect("an id").to_owned() }
    }
}

impl Drop for Playground {
    fn drop(&mut self) {
        // The test may have ended the playground already, so this error is ignored.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A run of a playground.
pub struct Run<'a> {
    /// The playground to which the run belongs.
    pub playground: &'a Playground,
    /// Id of the run in the API.
    pub id: String,
}

impl Run<'_> {
    /// Returns the path of a resource of this run.
    pub fn path(&self, rest: &str) -> String {
        format!("/runs/{}{rest}", self.id)
    }

    pub async fn get(&self, rest: &str) -> Value {
        self.playground.get(&self.path(rest)).await
    }

    pub async fn post(&self, rest: &str, body: Value) -> Value {
        self.playground.post(&self.path(rest), body).await
    }

    pub async fn refused(&self, method: Method, rest: &str, body: Option<Value>, status: u16) -> Value {
        self.playground.refused(method, &self.path(rest), body, status).await
    }

    /// Waits until the condition `until` is met. Returns the number of the event that met the condition. Panics if
    /// the condition is not met in time.
    pub async fn wait(&self, until: Value) -> u64 {
        let wait = json!({ "until": until, "timeout_ms": PATIENCE_MS });
        let (status, answer) = self.playground.request(Method::POST, &self.path("/wait"), Some(wait)).await;
        if status != 200 {
            let state = self.get("/state").await;
            panic!("{until} did not come about: {answer:#} {state:#}");
        }
        answer["seq"].as_u64().expect("a seq")
    }

    /// Waits until the condition `until` is met by an event after `since`. Panics if the condition is not met in
    /// time.
    pub async fn wait_since(&self, since: &Value, until: Value) {
        let answer = self.post("/wait", json!({ "until": until, "since": since, "timeout_ms": PATIENCE_MS })).await;
        assert_eq!(answer["met"], true, "{until} did not come about after event {since}");
    }

    pub async fn state(&self) -> Value {
        self.get("/state").await
    }

    pub async fn metrics(&self) -> Value {
        self.get("/metrics").await
    }

    /// Returns the status of the run's verdict.
    pub async fn verdict(&self) -> String {
        self.state().await["verdict"]["status"].as_str().expect("a status").to_owned()
    }

    /// Returns the events so far. If `kinds` is not empty, returns only the events of these kinds.
    pub async fn events(&self, kinds: &str) -> Vec<Value> {
        let filter = if kinds.is_empty() { String::new() } else { format!("&kind={kinds}") };
        let page = self.get(&format!("/events?limit=10000{filter}")).await;
        page["items"].as_array().expect("items").clone()
    }

    pub async fn acquire(&self, node: u32, body: Value) -> Value {
        self.post(&format!("/nodes/{node}/acquire"), body).await
    }

    /// Makes a node request the lock, and waits until the node has entered. Panics if it does not enter in time.
    pub async fn enter(&self, node: u32) {
        let answer = self.acquire(node, json!({ "wait_ms": PATIENCE_MS })).await;
        assert_eq!(answer["entered"], true, "{answer}");
    }

    pub async fn release(&self, node: u32) {
        self.post(&format!("/nodes/{node}/release"), json!({})).await;
    }

    /// Returns the held messages: their names, as `KIND from→to`, and their ids.
    pub async fn held(&self) -> Vec<(String, String)> {
        let answer = self.get("/network/messages?status=held").await;
        let items = answer["items"].as_array().expect("items");
        let name = |item: &Value| {
            format!("{} {}→{}", item["message_kind"].as_str().expect("a kind"), item["from"], item["to"])
        };
        items.iter().map(|item| (name(item), item["message"].as_str().expect("an id").to_owned())).collect()
    }

    /// Manually delivers the held message `name`, and waits until the receiver has handled the message.
    pub async fn deliver(&self, name: &str) {
        let held = self.held().await;
        let (_, id) =
            held.iter().find(|(found, _)| found == name).unwrap_or_else(|| panic!("no {name} among {held:?}"));
        let before = self.state().await["seq"].clone();
        self.post(&format!("/network/messages/{id}/deliver"), json!({})).await;
        self.wait_since(&before, json!({ "event": { "kind": "delivered", "message": id } })).await;
    }
}

/// Returns whether a process is live. A zombie is not live.
pub fn is_alive(pid: u32) -> bool {
    let mut status = String::new();
    let read = std::fs::File::open(format!("/proc/{pid}/stat")).and_then(|mut file| file.read_to_string(&mut status));
    // In `/proc/PID/stat`, the state follows the name of the process, which is in parentheses.
    read.is_ok() && !status.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X']))
}

/// Returns the process ids of the nodes of a run.
pub fn pids(state: &Value) -> Vec<u32> {
    let nodes = state["nodes"].as_array().expect("nodes");
    nodes.iter().filter_map(|node| node["pid"].as_u64()).map(|pid| u32::try_from(pid).expect("a process id")).collect()
}

/// Waits until all processes in `pids` have ended, and returns the duration of the wait. Panics if one of them does
/// not end in time.
pub fn time_until_gone(pids: &[u32]) -> Duration {
    let start = Instant::now();
    // The processes are not children of this process, so it must poll the process table.
    while pids.iter().any(|&pid| is_alive(pid)) {
        assert!(start.elapsed() < PATIENCE, "some of {pids:?} are still there after {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
    start.elapsed()
}

/// Reports that the test is left out, because it needs something that is missing. If the environment requires all
/// tests to run, the test fails instead.
pub fn leave_out(what: &str, need: &str) {
    let required = std::env::var("INTERLOCK_REQUIRE").is_ok_and(|list| list.split(',').any(|one| one == what));
    assert!(!required, "INTERLOCK_REQUIRE asks for {what}: this needs {need}");
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    // The test harness hides the printed output of a test that passes, but not text that is written directly to
    // standard error.
    let _ = writeln!(std::io::stderr(), "LEFT OUT: {name} needs {need}");
}

/// Returns the live children of a process, and none if the process has ended.
pub fn children(pid: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok());
    let all: String = lists.collect::<Vec<_>>().join(" ");
    all.split_whitespace().filter_map(|pid| pid.parse().ok()).filter(|&pid| is_alive(pid)).collect()
}
