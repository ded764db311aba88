//! Shared helpers of the API tests: a router over a temporary folder, and requests to this router. These tests
//! start no processes. Other tests use the real program, and test answers about live processes.

mod arbitrary;
mod arbitrary_journals;
mod bodies;
#[path = "../../../../tests/support/contract.rs"]
mod contract;
mod document;
mod doors;
mod guide;
mod refusals;
mod runs;
mod shares;
mod turns;
mod type_names;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tower::ServiceExt;
use uuid::Uuid;

use super::router;
use interlock_orchestrator::journal::Folder;
use interlock_orchestrator::run::{Hub, Limits, Registry};
use interlock_orchestrator::supervisor::Supervisor;

const PORT: u16 = 7700;
const HOST: &str = "127.0.0.1:7700";

/// The OpenAPI document, which never changes.
static DOCUMENT: OnceCell<Value> = OnceCell::const_new();

/// A router over a folder that is removed after the test.
pub(super) struct Server {
    folder: PathBuf,
    router: Router,
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Server {
    pub async fn start() -> Self {
        let folder = env::temp_dir().join(format!("interlock-api-{}", Uuid::now_v7()));
        fs::create_dir(&folder).expect("a temporary folder can be made");
        let router = router(registry(&folder).await, Vec::new(), PORT, None);
        let server = Self { folder, router };
        // The document is read here, because a test may replace the router later.
        DOCUMENT.get_or_init(|| async { server.answer(document_wanted()).await.json() }).await;
        server
    }

    /// Replaces the orchestrator with a new orchestrator that has the same folder. For the new orchestrator, all
    /// existing runs are past runs.
    async fn restarted(self) -> Self {
        let mut server = self.closed();
        server.router = router(registry(&server.folder).await, Vec::new(), PORT, None);
        server
    }

    /// Drops the orchestrator, so that another orchestrator can own the folder.
    pub fn closed(mut self) -> Self {
        self.router = Router::new();
        self
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the number of database files in the folder, complete or not.
    fn files_of_runs(&self) -> usize {
        let files = fs::read_dir(&self.folder).expect("the folder").flatten();
        files.filter(|file| file.file_name().to_string_lossy().contains(".sqlite")).count()
    }

    /// Sends a request and returns the answer. Fails if the OpenAPI document does not describe the answer.
    async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let answer = self.answer(request).await;
        let document = DOCUMENT.get().expect("it is read at the start");
        let (status, kind) = (answer.status.as_u16(), answer.header("content-type"));
        assert_eq!(contract::undocumented(document, method.as_str(), &path, status, kind), None);
        answer
    }

    async fn answer(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.expect("a router always answers");
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.expect("the body of an answer");
        let text = String::from_utf8(bytes.to_vec()).expect("answers are texts");
        Answer { status: parts.status, headers: parts.headers, text }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(request(Method::GET, path, None)).await
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(request(Method::POST, path, Some(body.to_string()))).await
    }

    /// Creates a run, which fails because no process can be started in these tests.
    pub async fn failed_run(&self) -> Uuid {
        let refused = self.post("/api/v1/runs", &json!({"algorithm": "ricart-agrawala", "name": "one"})).await;
        assert_eq!(refused.status, 503, "{}", refused.text);
        let runs = self.get("/api/v1/runs").await.json();
        runs["items"][0]["id"].as_str().expect("an id").parse().expect("a UUID")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("a readable header"))
    }

    /// Returns the problem in the answer. Fails if the problem has another status or kind.
    #[track_caller]
    fn problem(&self, status: u16, kind: &str) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["type"], format!("/problems/{kind}"), "{problem}");
        assert_eq!(problem["status"], status);
        assert!(problem["title"].is_string() && problem["detail"].is_string(), "{problem}");
        problem
    }
}

pub(super) async fn registry(folder: &Path) -> Arc<Registry> {
    let hub = Hub::start().await.expect("a port of the loopback interface");
    let folder = Folder::claim(folder, "a test").expect("a folder of its own");
    Arc::new(Registry::new(folder, Limits::default(), unable(), hub))
}

/// Returns a supervisor that cannot start processes.
fn unable() -> Supervisor {
    Supervisor::start(PathBuf::from("/nowhere/interlock"), Vec::new(), None).expect("a supervisor")
}

fn request(method: Method, path: &str, body: Option<String>) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header(header::HOST, HOST);
    let request = match body {
        Some(body) => request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body)),
        None => request.body(Body::empty()),
    };
    request.expect("a request")
}

fn document_wanted() -> Request<Body> {
    request(Method::GET, "/openapi.json", None)
}

/// Returns the names of an object's fields, in alphabetical order.
fn fields(value: &Value) -> Vec<&str> {
    let mut fields: Vec<_> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    fields.sort_unstable();
    fields
}
