//! Observation of a run: waiting for conditions, state, events and verdict.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use ureq::http::Method;

use crate::error::Error;
use crate::run::{Acquired, Run, milliseconds};
use crate::told;

/// The verdict on a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// `ok`, `slow`, `waiting-for-you`, `failed`, `stuck` or `violated`.
    pub status: String,
    /// Reason for a status other than `ok`, as a sentence.
    pub because: Option<String>,
}

/// A violation of a property.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Violation {
    /// Sequence number of the event at which the violation was found.
    pub seq: u64,
    /// Monitor that found the violation, such as `mutual-exclusion`.
    pub monitor: String,
    /// Kind of the violation, such as `concurrent-sections`.
    pub code: String,
    /// Numbers that the sentence contains.
    pub arguments: Value,
    /// Sequence numbers of the events that together are the violation.
    pub events: Vec<u64>,
    /// Description in plain words.
    pub sentence: String,
}

#[derive(Deserialize)]
struct Waited {
    met: bool,
    seq: u64,
}

/// Waiting for conditions.
impl Run {
    /// Makes a node request lock 0, and waits until the node has entered.
    ///
    /// # Errors
    /// If the node cannot request the lock, or does not enter within the time limit.
    pub fn enter(&self, node: u32, within: Duration) -> Result<Acquired, Error> {
        let acquired = self.acquire_with(node, json!({ "wait_ms": milliseconds(within) }))?;
        if acquired.entered { Ok(acquired) } else { Err(self.unmet(&format!("the entry of P{node}"), within, None)) }
    }

    /// Returns the number of the latest event. A later [`wait_since`](Self::wait_since) with this number considers
    /// only newer events.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub fn mark(&self) -> Result<u64, Error> {
        Ok(self.state()?["seq"].as_u64().unwrap_or_default())
    }

    /// Waits until a condition is met. Returns the number of the event that met the condition.
    ///
    /// The condition has the form that the API expects: `"stuck"`, `json!({ "entered": { "node": 2 } })`, `json!({
    /// "entries": 50 })`, `json!({ "every_node": "entered" })`, `json!({ "violation": "mutual-exclusion" })`,
    /// `json!({ "any": […] })`.
    ///
    /// # Errors
    /// [`Error::Unmet`] if the condition is not met within the time limit, which is at most a minute.
    pub fn wait(&self, until: impl Into<Value>, within: Duration) -> Result<u64, Error> {
        self.awaited(&until.into(), within, None)
    }

    /// Waits as [`wait`](Self::wait) does. If the condition was already met by an event after number `since`,
    /// returns at once.
    ///
    /// # Errors
    /// [`Error::Unmet`] if the condition is not met within the time limit, which is at most a minute.
    pub fn wait_since(&self, since: u64, until: impl Into<Value>, within: Duration) -> Result<u64, Error> {
        self.awaited(&until.into(), within, Some(since))
    }

    fn awaited(&self, until: &Value, within: Duration, since: Option<u64>) -> Result<u64, Error> {
        let body = json!({ "until": until, "timeout_ms": milliseconds(within), "since": since });
        match self.post("/wait", &body) {
            Ok(Waited { met: true, seq }) => Ok(seq),
            Ok(Waited { met: false, .. }) => Err(self.unmet(&until.to_string(), within, since)),
            // These statuses mean that the condition was not met in time, or that it can no longer be met.
            Err(Error::Refused { problem, .. }) if matches!(problem.status, 408 | 409) => {
                Err(self.unmet(&until.to_string(), within, since).because(&problem.detail))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the error for an unmet condition, with the state of the run. If the state cannot be read, returns
    /// the error of this read instead.
    fn unmet(&self, awaited: &str, within: Duration, since: Option<u64>) -> Error {
        let after = since.map(|since| format!(" after event {since}")).unwrap_or_default();
        let (awaited, within) = (awaited.to_owned(), format!("within {within:?}{after}"));
        match self.standing() {
            Ok(standing) => Error::Unmet { awaited, within, standing },
            Err(error) => error,
        }
    }

    fn standing(&self) -> Result<String, Error> {
        let state = self.state()?;
        let since = state["seq"].as_u64().unwrap_or_default().saturating_sub(20 * told::LAST as u64);
        let events = self.events(&format!("since={since}"))?;
        Ok(told::standing(&state, &events))
    }
}

/// State and events.
impl Run {
    /// Returns the global state: the document of `GET …/state`.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub fn state(&self) -> Result<Value, Error> {
        self.get("/state")
    }

    /// Returns the global state after event `seq`.
    ///
    /// # Errors
    /// If the event does not exist.
    pub fn state_at(&self, seq: u64) -> Result<Value, Error> {
        self.get(&format!("/state?at={seq}"))
    }

    /// Returns the events that match a query, which has the form of the query of `GET …/events`:
    /// `kind=entered,exited&node=2&since=7`.
    ///
    /// # Errors
    /// If the query is invalid.
    pub fn events(&self, query: &str) -> Result<Vec<Value>, Error> {
        let path = self.path(&format!("/events?{query}"));
        let text = self.client().text(&Method::GET, &path, None, "application/x-ndjson")?;
        let read = |line| serde_json::from_str(line);
        let events: Result<Vec<Value>, _> = text.lines().map(read).collect();
        events.map_err(|source| Error::Unreadable { request: format!("GET {path}"), source })
    }

    /// Returns the story of the run. It has a sentence for each step, with the reason, and with the state before
    /// and after the step.
    ///
    /// # Errors
    /// If the story is too long.
    pub fn story(&self) -> Result<String, Error> {
        self.client().text(&Method::GET, &self.path("/trace?as=story"), None, "text/plain")
    }

    /// Returns the costs and times of the run so far: the document of `GET …/metrics`.
    ///
    /// # Errors
    /// If the metrics cannot be read.
    pub fn metrics(&self) -> Result<Value, Error> {
        self.get("/metrics")
    }

    /// Returns the resource that a lock protects: its `value`, its `version`, and the `expected` value.
    ///
    /// # Errors
    /// If the resource does not exist.
    pub fn resource(&self, name: &str) -> Result<Value, Error> {
        self.get(&format!("/resources/{name}"))
    }

    /// Returns the violations so far.
    ///
    /// # Errors
    /// If the violations cannot be read.
    pub fn violations(&self) -> Result<Vec<Violation>, Error> {
        self.items("/violations")
    }

    /// Returns the holder of a lock; `None` if no lock is held. If several locks are held, returns the holder of
    /// the lock with the smallest number.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub fn holder(&self) -> Result<Option<u32>, Error> {
        Ok(told::holder(&self.state()?))
    }

    /// Returns the coordinator; `None` if no live node knows one. If live nodes know coordinators of several terms,
    /// returns the coordinator of the latest term.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub fn leader(&self) -> Result<Option<u32>, Error> {
        Ok(told::leader(&self.state()?))
    }

    /// Returns the verdict on the run.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub fn verdict(&self) -> Result<Standing, Error> {
        let verdict = &self.state()?["verdict"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let status = text(&verdict["status"]).unwrap_or_default();
        Ok(Standing { status, because: text(&verdict["because"]["sentence"]) })
    }

    /// Checks that no property has been violated so far.
    ///
    /// # Errors
    /// [`Error::Violated`] with the first violation: its sentence, and the events that together are the violation.
    pub fn expect_no_violation(&self) -> Result<(), Error> {
        let Some(first) = self.violations()?.into_iter().next() else { return Ok(()) };
        let events = self.events(&format!("until={}", first.seq))?;
        let story = told::violation(&first.sentence, &first.events, &events);
        Err(Error::Violated { monitor: first.monitor, story })
    }
}
