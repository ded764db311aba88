//! The network's side of the protocol with the nodes. The hub has a separate thread, which receives the reports of
//! nodes, waits until messages are due, and delivers them. The hub listens only on the loopback interface, and each
//! node has its own secret.

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::thread;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Extension, Router};
use hyper_util::service::TowerToHyperService;
use interlock_algorithm::NodeId;
use interlock_machine::wire::{Hello, Report};
use interlock_machine::wording::complaint;
use interlock_node::{Alarm, Clock, ImpossibleDate, Trust, check_date};
use serde_json::value::RawValue;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::steps::ReportError;
use super::{Run, lock};

/// Maximum size of a report, in bytes.
const LARGEST_REPORT: usize = 16 * 1024 * 1024;
/// Maximum number of concurrent connections that have not yet sent the secret of a node. It exceeds the number of
/// nodes that start at the same time.
const MOST_STRANGERS: usize = 256;

type Runs = Arc<Mutex<HashMap<Uuid, Arc<Run>>>>;

/// Error if the network cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The present date of the machine cannot be expressed in HTTP.
    #[error(transparent)]
    Date(#[from] ImpossibleDate),
    /// A thread or a port is not available.
    #[error("operating system error: {0}")]
    System(#[from] io::Error),
}

/// A handle to the thread of the network.
#[derive(Clone)]
pub struct Hub {
    runtime: Handle,
    address: SocketAddr,
    runs: Runs,
}

#[derive(Clone)]
struct Door {
    runs: Runs,
    host: Arc<str>,
}

impl Hub {
    /// Starts the thread of the network, which runs until the end of the process.
    ///
    /// # Errors
    /// If no port is available, or the date of the machine cannot be expressed in HTTP.
    pub async fn start() -> Result<Self, HubError> {
        check_date()?;
        let runs = Runs::default();
        let (sender, receiver) = oneshot::channel();
        let served = Arc::clone(&runs);
        thread::Builder::new().name("network".into()).spawn(move || serve(served, sender))?;
        let (runtime, address) = receiver.await.map_err(io::Error::other)??;
        Ok(Self { runtime, address, runs })
    }

    /// Returns the base URL to which nodes send their reports.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Accepts requests of a run's nodes from now on.
    pub fn admit(&self, run: &Arc<Run>) {
        lock(&self.runs).insert(run.id, Arc::clone(run));
    }

    /// Rejects all further requests of a run's nodes.
    pub fn dismiss(&self, run: Uuid) {
        lock(&self.runs).remove(&run);
    }

    /// Creates an alarm that expires on the thread of the network.
    pub(super) fn alarm(&self, clock: Clock) -> io::Result<Alarm> {
        self.within(|| Alarm::new(clock))
    }

    /// Calls `create`. The timers and sockets that it creates belong to the thread of the network.
    pub(super) fn within<R>(&self, create: impl FnOnce() -> R) -> R {
        let _within = self.runtime.enter();
        create()
    }

    /// Spawns a task on the thread of the network.
    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(task);
    }
}

type Ready = oneshot::Sender<io::Result<(Handle, SocketAddr)>>;

fn serve(runs: Runs, ready: Ready) {
    let runtime = match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        // The error is sent to the caller. If the caller no longer waits for it, the error is discarded.
        Err(error) => return drop(ready.send(Err(error))),
    };
    runtime.block_on(async {
        let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await {
            Ok(listener) => listener,
            Err(error) => return drop(ready.send(Err(error))),
        };
        let address = match listener.local_addr() {
            Ok(address) => address,
            Err(error) => return drop(ready.send(Err(error))),
        };
        let door = Door { runs, host: address.to_string().into() };
        drop(ready.send(Ok((Handle::current(), address))));
        let router = router(door);
        let service = |trust: Trust| TowerToHyperService::new(router.clone().layer(Extension(trust)));
        match interlock_node::serve(listener, service, MOST_STRANGERS).await {}
    });
}

fn router(door: Door) -> Router {
    Router::new()
        .route("/runs/{run}/nodes/{node}/hello", post(hello))
        .route("/runs/{run}/nodes/{node}/report", post(report))
        .with_state(door)
}

/// A rejection of a node's request, sent as RFC 9457 problem details.
struct Refused(StatusCode, String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let Self(status, detail) = self;
        let problem = serde_json::json!({
            "type": "/problems/node-refused",
            "title": "the network rejects this request of a node",
            "status": status.as_u16(),
            "detail": detail,
        });
        (status, [(header::CONTENT_TYPE, "application/problem+json")], problem.to_string()).into_response()
    }
}

impl Door {
    /// Returns the run `run` if the secret in the request is the secret of `node`. From then on, the connection is
    /// trusted.
    fn open(&self, run: Uuid, node: NodeId, headers: &HeaderMap, trust: &Trust) -> Result<Arc<Run>, Refused> {
        if headers.get(header::HOST).is_none_or(|host| host.as_bytes() != self.host.as_bytes()) {
            return Err(Refused(StatusCode::MISDIRECTED_REQUEST, "the Host header names another host".to_owned()));
        }
        if headers.contains_key(header::ORIGIN) {
            return Err(Refused(
                StatusCode::FORBIDDEN,
                "the request comes from a page; only nodes have access, and they send no Origin".to_owned(),
            ));
        }
        let run = lock(&self.runs).get(&run).cloned();
        let run = run.ok_or_else(|| Refused(StatusCode::NOT_FOUND, "no such run is in progress".to_owned()))?;
        let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let shown = shown.and_then(|value| value.strip_prefix("Bearer "));
        if shown.is_some_and(|secret| run.knows(node, secret)) {
            trust.earn();
            Ok(run)
        } else {
            Err(Refused(StatusCode::UNAUTHORIZED, "the secret does not belong to this node".to_owned()))
        }
    }
}

/// Reads the body of a request. The caller must have checked the sender first, so that an unknown sender cannot
/// fill memory.
async fn whole(body: Body) -> Result<Bytes, Refused> {
    let detail = || format!("the body is incomplete, or larger than {} MiB", LARGEST_REPORT / 1024 / 1024);
    to_bytes(body, LARGEST_REPORT).await.map_err(|_| Refused(StatusCode::PAYLOAD_TOO_LARGE, detail()))
}

async fn hello(
    State(door): State<Door>,
    Path((run, node)): Path<(Uuid, u32)>,
    Extension(trust): Extension<Trust>,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode, Refused> {
    let node = NodeId(node);
    let run = door.open(run, node, &headers, &trust)?;
    let body = whole(body).await?;
    let hello: Hello = serde_json::from_slice(&body)
        .map_err(|error| Refused(StatusCode::BAD_REQUEST, format!("not a hello: {}", complaint(&error))))?;
    let Some(inbox) = loopback(&hello.url) else {
        let detail = "the url is not of the form http://127.0.0.1:PORT".to_owned();
        return Err(Refused(StatusCode::UNPROCESSABLE_ENTITY, detail));
    };
    if !run.greeted(node, hello.incarnation, inbox) {
        let detail = "that incarnation of the node is over, or has said hello before".to_owned();
        return Err(Refused(StatusCode::CONFLICT, detail));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the address in the URL of a node, if it is a port of this machine.
fn loopback(url: &str) -> Option<SocketAddr> {
    let address: SocketAddr = url.strip_prefix("http://")?.parse().ok()?;
    (address.ip().is_loopback() && address.port() != 0).then_some(address)
}

async fn report(
    State(door): State<Door>,
    Path((run, node)): Path<(Uuid, u32)>,
    Extension(trust): Extension<Trust>,
    headers: HeaderMap,
    body: Body,
) -> Result<StatusCode, Refused> {
    let node = NodeId(node);
    let run = door.open(run, node, &headers, &trust)?;
    let body = whole(body).await?;
    let report: Report<&RawValue> = serde_json::from_slice(&body).map_err(|error| {
        let detail = format!("not a report: {}", complaint(&error));
        run.with(|core| core.garbage(node, &detail));
        Refused(StatusCode::BAD_REQUEST, detail)
    })?;
    run.take_report(node, &report, &body).map_err(|error| match error {
        ReportError::Over => Refused(StatusCode::GONE, error.to_string()),
        ReportError::OtherLife(..) | ReportError::Missing(..) => Refused(StatusCode::CONFLICT, error.to_string()),
    })?;
    Ok(StatusCode::NO_CONTENT)
}
