//! Observation of a run: waits, state, events and verdict.

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

/// A violated property.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Violation {
    /// Number of the event at which it was found.
    pub seq: u64,
    /// Monitor that found it: `mutual-exclusion`.
    pub monitor: String,
    /// Kind of the violation: `concurrent-sections`.
    pub code: String,
    /// Numbers in the sentence.
    pub arguments: Value,
    /// Events that violated the property.
    pub events: Vec<u64>,
    /// Description in plain words.
    pub sentence: String,
}

#[derive(Deserialize)]
struct Waited {
    met: bool,
    seq: u64,
}

/// Waits.
impl Run {
    /// Makes a node request lock 0, and waits until it has entered.
    ///
    /// # Errors
    /// If it cannot request the lock, or does not enter in time.
    pub fn enter(&self, node: u32, within: Duration) -> Result<Acquired, Error> {
        let acquired = self.acquire_with(node, json!({ "wait_ms": milliseconds(within) }))?;
        if acquired.entered { Ok(acquired) } else { Err(self.unmet(&format!("the entry of P{node}"), within, None)) }
    }

    /// Returns the number of the latest event, for a later wait since this event.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub fn mark(&self) -> Result<u64, Error> {
        Ok(self.state()?["seq"].as_u64().unwrap_or_default())
    }

    /// Waits until a condition is met, and returns the number of the event.
    ///
    /// The condition is that of the API: `"stuck"`, `json!({ "entered": { "node": 2 } })`,
    /// `json!({ "entries": 50 })`, `json!({ "every_node": "entered" })`,
    /// `json!({ "violation": "mutual-exclusion" })`, `json!({ "any": […] })`.
    ///
    /// # Errors
    /// [`Error::Unmet`] if it is not met in time, which is a minute at most.
    pub fn wait(&self, until: impl Into<Value>, within: Duration) -> Result<u64, Error> {
        self.awaited(&until.into(), within, None)
    }

    /// Waits like [`wait`](Self::wait), but also accepts a condition that was met after the event with number
    /// `since`.
    ///
    /// # Errors
    /// [`Error::Unmet`] if it is not met in time, which is a minute at most.
    pub fn wait_since(&self, since: u64, until: impl Into<Value>, within: Duration) -> Result<u64, Error> {
        self.awaited(&until.into(), within, Some(since))
    }

    fn awaited(&self, until: &Value, within: Duration, since: Option<u64>) -> Result<u64, Error> {
        let body = json!({ "until": until, "timeout_ms": milliseconds(within), "since": since });
        match self.post("/wait", &body) {
            Ok(Waited { met: true, seq }) => Ok(seq),
            Ok(Waited { met: false, .. }) => Err(self.unmet(&until.to_string(), within, since)),
            // The condition was not met in time, or can no longer be met.
            Err(Error::Refused { problem, .. }) if matches!(problem.status, 408 | 409) => {
                Err(self.unmet(&until.to_string(), within, since).because(&problem.detail))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the error of an unmet condition with the state of the run, or the error of reading that state.
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
        let events = self.events(&format!("since={since}&kind={}", told::KINDS))?;
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

    /// Returns the global state after the event of this number.
    ///
    /// # Errors
    /// If the event does not exist.
    pub fn state_at(&self, seq: u64) -> Result<Value, Error> {
        self.get(&format!("/state?at={seq}"))
    }

    /// Returns the events that match the query of `GET …/events`: `kind=entered,exited&node=2&since=7`.
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

    /// Returns the story of the run: a sentence for each step, with its reason and the state before and after.
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
    /// If they cannot be read.
    pub fn violations(&self) -> Result<Vec<Violation>, Error> {
        self.items("/violations")
    }

    /// Returns the holder of the lock with the smallest number that has one.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub fn holder(&self) -> Result<Option<u32>, Error> {
        Ok(told::holder(&self.state()?))
    }

    /// Returns the coordinator of the latest term that a live node knows.
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
    /// [`Error::Violated`] with the first violation: its sentence, and the events that violated the property.
    pub fn expect_no_violation(&self) -> Result<(), Error> {
        let Some(first) = self.violations()?.into_iter().next() else { return Ok(()) };
        let events = self.events(&format!("until={}", first.seq))?;
        let story = told::violation(&first.sentence, &first.events, &events);
        Err(Error::Violated { monitor: first.monitor, story })
    }
}
