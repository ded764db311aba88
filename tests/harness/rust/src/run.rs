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

/// A run; it is stopped and removed when it is dropped.
#[derive(Debug)]
pub struct Run {
    shared: Arc<Shared>,
    id: String,
}

/// What came of an order to acquire or release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Acquired {
    /// The node.
    pub node: u32,
    /// The number of the node's request; none if the node has not taken the order yet, as when it is paused.
    pub request: Option<u64>,
    /// Whether the node is in the critical section.
    pub entered: bool,
    /// The latest event that followed.
    pub seq: u64,
}

/// With what a process comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// With what it had stored.
    Stored,
    /// With nothing.
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

/// Commands to nodes, each named by its number or by what it is now: `holder`, `leader`, `waiting`, `token`.
impl Run {
    /// Has a node ask for lock 0.
    ///
    /// # Errors
    /// When it cannot.
    pub fn acquire(&self, node: impl Display) -> Result<Acquired, Error> {
        self.acquire_with(node, json!({}))
    }

    /// Has a node ask for locks; the order is the body of `POST …/acquire`: `json!({ "lock": 1, "hold": "50ms" })`.
    ///
    /// # Errors
    /// When it cannot.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn acquire_with(&self, node: impl Display, order: Value) -> Result<Acquired, Error> {
        self.post(&format!("/nodes/{node}/acquire"), &order)
    }

    /// Has a node leave the section of lock 0.
    ///
    /// # Errors
    /// When it cannot.
    pub fn release(&self, node: impl Display) -> Result<Acquired, Error> {
        self.release_lock(node, 0)
    }

    /// Has a node leave the section of a lock.
    ///
    /// # Errors
    /// When it cannot.
    pub fn release_lock(&self, node: impl Display, lock: u32) -> Result<Acquired, Error> {
        self.post(&format!("/nodes/{node}/release"), &json!({ "lock": lock }))
    }

    /// Has a node call an election; returns the latest event that followed.
    ///
    /// # Errors
    /// When it cannot.
    pub fn elect(&self, node: impl Display) -> Result<u64, Error> {
        self.order(node, "elect", &json!({}))
    }

    /// Has a node propose a value in an instance of agreement; returns the latest event that followed.
    ///
    /// # Errors
    /// When it cannot.
    pub fn propose(&self, node: impl Display, instance: u64, value: &str) -> Result<u64, Error> {
        self.order(node, "propose", &json!({ "instance": instance, "value": value }))
    }

    /// Has the application of a node tell another something; returns the latest event that followed.
    ///
    /// # Errors
    /// When it cannot.
    pub fn tell(&self, node: impl Display, to: impl Display) -> Result<u64, Error> {
        self.order(node, "tell", &json!({ "to": to.to_string() }))
    }

    /// Writes into what a lock protects, `account` or a file, as `json!({ "value": 1005, "read": 1000, "node": 2 })`; returns
    /// how it stands then.
    ///
    /// # Errors
    /// When it is refused, as what comes too late is.
    #[expect(clippy::needless_pass_by_value, reason = "it is written where it is passed, as `json!({ … })`")]
    pub fn put(&self, resource: &str, write: Value) -> Result<Value, Error> {
        self.ask(&Method::PUT, &format!("/resources/{resource}"), Some(&write))
    }

    /// Lets a timer of a node run out, in a run with `"timers": false`; it is named as in the event that armed it.
    ///
    /// # Errors
    /// When there is no such timer.
    pub fn fire(&self, node: impl Display, timer: &Value) -> Result<u64, Error> {
        self.order(node, "fire", &json!({ "timer": timer }))
    }
}

/// Faults of processes, named likewise. Each returns the latest event that followed.
impl Run {
    /// Kills the process of a node; it is gone when this returns.
    ///
    /// # Errors
    /// When it is dead already.
    pub fn crash(&self, node: impl Display) -> Result<u64, Error> {
        self.order(node, "crash", &json!({}))
    }

    /// Stops the process of a node in its tracks until it is resumed.
    ///
    /// # Errors
    /// When it does not run.
    pub fn pause(&self, node: impl Display) -> Result<u64, Error> {
        self.order(node, "pause", &json!({}))
    }

    /// Stops the process of a node in its tracks for so long.
    ///
    /// # Errors
    /// When it does not run.
    pub fn pause_for(&self, node: impl Display, span: Duration) -> Result<u64, Error> {
        self.order(node, "pause", &json!({ "for_ms": milliseconds(span) }))
    }

    /// Overwrites the state of a node, with that of this number, whose algorithm stabilises; what its client wants and has stays.
    ///
    /// # Errors
    /// When it has no such state.
    pub fn corrupt(&self, node: impl Display, choice: u64) -> Result<u64, Error> {
        self.order(node, "corrupt", &json!({ "choice": choice }))
    }

    /// Has the failure detector of a node take another, named as nodes are, for dead, rightly or not.
    ///
    /// # Errors
    /// When it does not run, or there is no other of this name.
    pub fn suspect(&self, node: impl Display, whom: impl Display) -> Result<u64, Error> {
        self.order(node, "suspect", &json!({ "whom": whom.to_string() }))
    }

    /// Has the failure detector of a node take another for dead no more.
    ///
    /// # Errors
    /// When it does not run, or there is no other of this name.
    pub fn trust(&self, node: impl Display, whom: impl Display) -> Result<u64, Error> {
        self.order(node, "trust", &json!({ "whom": whom.to_string() }))
    }

    /// Lets a paused node go on.
    ///
    /// # Errors
    /// When it is not paused.
    pub fn resume(&self, node: impl Display) -> Result<u64, Error> {
        self.order(node, "resume", &json!({}))
    }

    /// Starts a new process for a crashed node.
    ///
    /// # Errors
    /// When it is not dead.
    pub fn restart(&self, node: impl Display, with: Restart) -> Result<u64, Error> {
        self.order(node, "restart", &json!({ "state": with }))
    }
}

/// Itself.
impl Run {
    /// Its name in the API.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Stops the run: its processes are killed, and it can still be looked at.
    ///
    /// # Errors
    /// When it is not there.
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
        // The playground may have ended before.
        let _ = self.ask::<Value>(&Method::DELETE, "", None);
    }
}

/// A span as the API takes it: whole milliseconds, where what is too long for it is refused.
pub(crate) fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
