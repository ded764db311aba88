//! The event stream of a run: the only source of data for monitors, metrics, dashboard and exports, in live and
//! simulated runs.

mod detail;
mod json;
mod kind;
mod kinds;
mod outcome;
mod read;
mod warning;
mod what;

use interlock_algorithm::{LockId, NodeId, Outcome};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use detail::{
    Change, ClientTimer, CrashCause, DropReason, Ending, Hand, RestartState, StepId, Timer, TimerLabel, Violation,
};
pub use json::{Json, value_of};
pub use kind::{MessageKind, TELL, stream};
pub use outcome::OutcomeEvent;
pub use warning::Warning;
pub use what::What;

/// An event of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// Sequence number in the run: 1, 2, 3 … without gaps, in the order in which the orchestrator received the
    /// events. The order is a linear extension of happened-before: each event comes after all of its causes.
    pub seq: u64,
    /// Time of the event, in microseconds since the start of the run, by the clock that all processes of the
    /// machine share. A node itself timestamps its events, so an event can have a slightly earlier time than the
    /// event before it.
    pub at_us: u64,
    /// Kind and content of the event.
    #[serde(flatten)]
    pub what: What,
}

impl Event {
    /// Returns the node at which the event happened, if it happened at a node.
    #[inline]
    #[must_use]
    pub const fn node(&self) -> Option<NodeId> {
        self.what.node()
    }

    /// Returns the outcome that the event reports, if it reports one, with the step.
    #[inline]
    #[must_use]
    pub const fn outcome(&self) -> Option<(&StepId, &Outcome)> {
        match &self.what {
            What::Outcome { at, outcome } => Some((at, outcome)),
            _ => None,
        }
    }

    /// Returns the lock that the event concerns, if it concerns one lock.
    #[must_use]
    pub fn lock(&self) -> Option<LockId> {
        self.outcome().and_then(|(_, outcome)| outcome.lock())
    }

    /// Reads an event from JSON. This function is compiled once, in this crate, and not again in each crate that
    /// reads events.
    ///
    /// # Errors
    /// If the text is not an event.
    pub fn from_json(text: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(text)
    }

    /// Appends the event to `out` as JSON, in the form of journals and exports, without a line break.
    ///
    /// # Errors
    /// If a field of the event cannot be written as JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        serde_json::to_writer(out, self)
    }

    /// Returns the name of the event's kind.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        self.what.kind()
    }
}
