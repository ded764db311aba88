//! A run: commands to nodes, and faults of their processes.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ureq::http::Method;

use crate::client::Client;
use crate::error::Error;
use crate::process::Shared;

/// A run. When this value is dropped, the run is stopped and removed.
#[derive(Debug)]
pub struct Run {
    shared: Arc<Shared>,
    id: String,
}

/// The result of a command to acquire or release a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Acquired {
    /// Number of the node.
    pub node: u32,
    /// Number of the node's request. `None` if the node has not handled the command yet: for example, because the
    /// node is paused.
    pub request: Option<u64>,
    /// Whether the node is in the critical section.
    pub entered: bool,
    /// Number of the latest event after the command.
    pub seq: u64,
}

/// The state with which a process restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// The state that the process has stored.
    Stored,
    /// No state.
    None,
}

#[derive(Deserialize)]
struct Done {
    seq: u64,
}

#[derive(Deserialize)]
struct Items<T> {
    items: Vec<T>,
}

/// Commands to nodes. A node is named by its number or by its current role: `holder`, `leader`, `waiting`, `token`.
impl Run {
    /// Makes a node request lock 0.
    ///
    /// # Errors
    /// If the node cannot execute the command now.
    pub fn acquire(&self, node: impl Display) -> Result<Acquired, Error> {
        self.acquire_with(node, json!({}))
    }

    /// Makes a node request locks. The command is the body of `POST …/acquire`: `json!({ "lock": 1, "hold": "50ms"
    /// })`.
    ///
    /// # Errors
    /// If the node cannot execute the command now.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn acquire_with(&self, node: impl Display, order: Value) -> Result<Acquired, Error> {
        self.post(&format!("/nodes/{node}/acquire"), &order)
    }

    /// Makes a node release lock 0.
    ///
    /// # Errors
    /// If the node cannot execute the command now.
    pub fn release(&self, node: impl Display) -> Result<Acquired, Error> {
        self.release_lock(node, 0)
    }

    /// Makes a node release a lock.
    ///
    /// # Errors
    /// If the node cannot execute the command now.
    pub fn release_lock(&self, node: impl Display, lock: u32) -> Result<Acquired, Error> {
        self.post(&format!("/nodes/{node}/release"), &json!({ "lock": lock }))
    }

    /// Makes a node call an election. Returns the number of the latest event after the command.
    ///
    /// # Errors
    /// If the node cannot execute the command now.
    pub fn elect(&self, node: impl Display) -> Result<u64, Error> {
        self.order(node, "elect", &json!({}))
    }

    /// Makes a node propose a value in an instance of agreement. Returns the number of the latest event after the
    /// command.
    ///
    /// # Errors
    /// If the node cannot execute the command now.
    pub fn propose(&self, node: impl Display, instance: u64, value: &str) -> Result<u64, Error> {
        self.order(node, "propose", &json!({ "instance": instance, "value": value }))
    }

    /// Makes the application of a node send a message to another node. Returns the number of the latest event after
    /// the command.
    ///
    /// # Errors
    /// If the node cannot execute the command now.
    pub fn tell(&self, node: impl Display, to: impl Display) -> Result<u64, Error> {
        self.order(node, "tell", &json!({ "to": to.to_string() }))
    }

    /// Writes to the resource that a lock protects, such as `account`. The write is `json!({ "value": 1005, "read":
    /// 1000, "node": 2 })`. Returns the resource after the write.
    ///
    /// # Errors
    /// If the resource rejects the write: for example, because it is too late.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn put(&self, resource: &str, write: Value) -> Result<Value, Error> {
        self.ask(&Method::PUT, &format!("/resources/{resource}"), Some(&write))
    }

    /// Makes a timer of a node fire, in a run with `"timers": false`. `timer` is the name of the timer, as in the
    /// event that armed the timer.
    ///
    /// # Errors
    /// If the timer does not exist.
    pub fn fire(&self, node: impl Display, timer: &Value) -> Result<u64, Error> {
        self.order(node, "fire", &json!({ "timer": timer }))
    }
}

/// Faults of processes. A node is named by its number or by its current role. Each function returns the number of
/// the latest event after the fault.
impl Run {
    /// Kills the process of a node. When this function returns, the process no longer exists.
    ///
    /// # Errors
    /// If the node is already crashed.
    pub fn crash(&self, node: impl Display) -> Result<u64, Error> {
        self.order(node, "crash", &json!({}))
    }

    /// Pauses the process of a node until it is resumed.
    ///
    /// # Errors
    /// If the node is not running.
    pub fn pause(&self, node: impl Display) -> Result<u64, Error> {
        self.order(node, "pause", &json!({}))
    }

    /// Pauses the process of a node for the time `span`, and then resumes the process.
    ///
    /// # Errors
    /// If the node is not running.
    pub fn pause_for(&self, node: impl Display, span: Duration) -> Result<u64, Error> {
        self.order(node, "pause", &json!({ "for_ms": milliseconds(span) }))
    }

    /// Overwrites the state of a node, if its algorithm is self-stabilising. `choice` is the number of the new
    /// state. The requests and locks of the client do not change.
    ///
    /// # Errors
    /// If the algorithm has no state with number `choice`.
    pub fn corrupt(&self, node: impl Display, choice: u64) -> Result<u64, Error> {
        self.order(node, "corrupt", &json!({ "choice": choice }))
    }

    /// Makes the failure detector of a node suspect another node, `whom`. The other node may be crashed or live.
    ///
    /// # Errors
    /// If the node is not running, or if the other node does not exist.
    pub fn suspect(&self, node: impl Display, whom: impl Display) -> Result<u64, Error> {
        self.order(node, "suspect", &json!({ "whom": whom.to_string() }))
    }

    /// Makes the failure detector of a node trust another node again.
    ///
    /// # Errors
    /// If the node is not running, or if the other node does not exist.
    pub fn trust(&self, node: impl Display, whom: impl Display) -> Result<u64, Error> {
        self.order(node, "trust", &json!({ "whom": whom.to_string() }))
    }

    /// Resumes a paused node.
    ///
    /// # Errors
    /// If the node is not paused.
    pub fn resume(&self, node: impl Display) -> Result<u64, Error> {
        self.order(node, "resume", &json!({}))
    }

    /// Starts a new process for a crashed node.
    ///
    /// # Errors
    /// If the node is not crashed.
    pub fn restart(&self, node: impl Display, with: Restart) -> Result<u64, Error> {
        self.order(node, "restart", &json!({ "state": with }))
    }
}

/// Identity and end of the run.
impl Run {
    /// Returns the id of the run in the API.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Stops the run. Its processes are killed, but its state and events can still be read.
    ///
    /// # Errors
    /// If the run does not exist.
    pub fn stop(&self) -> Result<(), Error> {
        self.post("/stop", &json!({})).map(|_: Value| ())
    }

    pub(crate) const fn new(shared: Arc<Shared>, id: String) -> Self {
        Self { shared, id }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.shared.client
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/runs/{}{rest}", self.id)
    }

    pub(crate) fn ask<T: DeserializeOwned>(
        &self,
        method: &Method,
        rest: &str,
        body: Option<&Value>,
    ) -> Result<T, Error> {
        self.client().ask(method, &self.path(rest), body)
    }

    pub(crate) fn get<T: DeserializeOwned>(&self, rest: &str) -> Result<T, Error> {
        self.ask(&Method::GET, rest, None)
    }

    pub(crate) fn items<T: DeserializeOwned>(&self, rest: &str) -> Result<Vec<T>, Error> {
        self.get(rest).map(|Items { items }| items)
    }

    pub(crate) fn post<T: DeserializeOwned>(&self, rest: &str, body: &Value) -> Result<T, Error> {
        self.ask(&Method::POST, rest, Some(body))
    }

    fn order(&self, node: impl Display, verb: &str, body: &Value) -> Result<u64, Error> {
        self.post(&format!("/nodes/{node}/{verb}"), body).map(|Done { seq }| seq)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // The playground may already have ended, so this error is ignored.
        let _ = self.ask::<Value>(&Method::DELETE, "", None);
    }
}

/// Converts a time for the API to whole milliseconds. The API refuses a time that is too long.
pub(crate) fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
