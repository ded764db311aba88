//! What a run is observed by: waiting, looking, judging.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use ureq::http::Method;

use crate::error::Error;
use crate::run::{Acquired, Run, milliseconds};
use crate::told;

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// `ok`, `slow`, `waiting-for-you`, `failed`, `stuck` or `violated`.
    pub status: String,
    /// Why it does not stand well, as a sentence.
    pub because: Option<String>,
}

/// A rule that was broken.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Violation {
    /// The event by which it was found.
    pub seq: u64,
    /// Which monitor found it: `mutual-exclusion`.
    pub monitor: String,
    /// What kind of violation it is: `concurrent-sections`.
    pub code: String,
    /// The numbers of the sentence.
    pub arguments: Value,
    /// The events that broke the rule.
    pub events: Vec<u64>,
    /// What happened, in plain words.
    pub sentence: String,
}

#[derive(Deserialize)]
struct Waited {
    met: bool,
    seq: u64,
}

/// Waiting.
impl Run {
    /// Has a node ask for lock 0, and waits until it has entered.
    ///
    /// # Errors
    /// When it cannot, and when it does not enter in time.
    pub fn enter(&self, node: u32, within: Duration) -> Result<Acquired, Error> {
        let acquired = self.acquire_with(node, json!({ "wait_ms": milliseconds(within) }))?;
        if acquired.entered { Ok(acquired) } else { Err(self.unmet(&format!("the entry of P{node}"), within, None)) }
    }

    /// The number of the latest event: what comes from now on comes since it.
    ///
    /// # Errors
    /// When the run cannot be looked at.
    pub fn mark(&self) -> Result<u64, Error> {
        Ok(self.state()?["seq"].as_u64().unwrap_or_default())
    }

    /// Waits until something is so, and returns the number of the event.
    ///
    /// The condition is that of the API: `"stuck"`, `json!({ "entered": { "node": 2 } })`, `json!({ "entries": 50 })`,
    /// `json!({ "every_node": "entered" })`, `json!({ "violation": "mutual-exclusion" })`, `json!({ "any": […] })`.
    ///
    /// # Errors
    /// [`Error::Unmet`] when it does not come in time, which is a minute at most.
    pub fn wait(&self, until: impl Into<Value>, within: Duration) -> Result<u64, Error> {
        self.awaited(&until.into(), within, None)
    }

    /// The same, where it also counts if it came about after the event of this number.
    ///
    /// # Errors
    /// [`Error::Unmet`] when it does not come in time, which is a minute at most.
    pub fn wait_since(&self, since: u64, until: impl Into<Value>, within: Duration) -> Result<u64, Error> {
        self.awaited(&until.into(), within, Some(since))
    }

    fn awaited(&self, until: &Value, within: Duration, since: Option<u64>) -> Result<u64, Error> {
        let body = json!({ "until": until, "timeout_ms": milliseconds(within), "since": since });
        match self.post("/wait", &body) {
            Ok(Waited { met: true, seq }) => Ok(seq),
            Ok(Waited { met: false, .. }) => Err(self.unmet(&until.to_string(), within, since)),
            // It did not come in time, or can come no longer.
            Err(Error::Refused { problem, .. }) if matches!(problem.status, 408 | 409) => {
                Err(self.unmet(&until.to_string(), within, since).because(&problem.detail))
            }
            Err(error) => Err(error),
        }
    }

    /// That something did not come about, with how the run stands; or why that cannot be told.
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

/// Looking.
impl Run {
    /// The global state: the document of `GET …/state`.
    ///
    /// # Errors
    /// When the run cannot be looked at.
    pub fn state(&self) -> Result<Value, Error> {
        self.get("/state")
    }

    /// The global state after the event of this number.
    ///
    /// # Errors
    /// When there is no such event.
    pub fn state_at(&self, seq: u64) -> Result<Value, Error> {
        self.get(&format!("/state?at={seq}"))
    }

    /// The events that match; the query is that of `GET …/events`: `kind=entered,exited&node=2&since=7`.
    ///
    /// # Errors
    /// When it is no such query.
    pub fn events(&self, query: &str) -> Result<Vec<Value>, Error> {
        let path = self.path(&format!("/events?{query}"));
        let text = self.client().text(&Method::GET, &path, None, "application/x-ndjson")?;
        let read = |line| serde_json::from_str(line);
        let events: Result<Vec<Value>, _> = text.lines().map(read).collect();
        events.map_err(|source| Error::Unreadable { request: format!("GET {path}"), source })
    }

    /// What happened, as a sentence for each step, with its reason and the state before and after.
    ///
    /// # Errors
    /// When it is too long to be told.
    pub fn story(&self) -> Result<String, Error> {
        self.client().text(&Method::GET, &self.path("/trace?as=story"), None, "text/plain")
    }

    /// What the run has cost so far and how long it took: the document of `GET …/metrics`.
    ///
    /// # Errors
    /// When the run cannot be looked at.
    pub fn metrics(&self) -> Result<Value, Error> {
        self.get("/metrics")
    }

    /// What a lock protects: its `value`, its `version`, and what would be `expected` in it.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn resource(&self, name: &str) -> Result<Value, Error> {
        self.get(&format!("/resources/{name}"))
    }

    /// The rules that were broken so far.
    ///
    /// # Errors
    /// When the run cannot be looked at.
    pub fn violations(&self) -> Result<Vec<Violation>, Error> {
        self.items("/violations")
    }

    /// Who is in the section, of the lock with the smallest number that anybody is in.
    ///
    /// # Errors
    /// When the run cannot be looked at.
    pub fn holder(&self) -> Result<Option<u32>, Error> {
        Ok(told::holder(&self.state()?))
    }

    /// Who is the coordinator of the latest term, of those whom living nodes know.
    ///
    /// # Errors
    /// When the run cannot be looked at.
    pub fn leader(&self) -> Result<Option<u32>, Error> {
        Ok(told::leader(&self.state()?))
    }

    /// How the run stands.
    ///
    /// # Errors
    /// When the run cannot be looked at.
    pub fn verdict(&self) -> Result<Standing, Error> {
        let verdict = &self.state()?["verdict"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let status = text(&verdict["status"]).unwrap_or_default();
        Ok(Standing { status, because: text(&verdict["because"]["sentence"]) })
    }

    /// That no rule was broken so far.
    ///
    /// # Errors
    /// [`Error::Violated`] with the first violation: its sentence, and the events that broke the rule.
    pub fn expect_no_violation(&self) -> Result<(), Error> {
        let Some(first) = self.violations()?.into_iter().next() else { return Ok(()) };
        let events = self.events(&format!("until={}", first.seq))?;
        let story = told::violation(&first.sentence, &first.events, &events);
        Err(Error::Violated { monitor: first.monitor, story })
    }
}
