//! The one stream of events: the only source for monitors, metrics, dashboard and exports, whoever drives the run.

mod detail;
mod json;
mod kind;
mod kinds;
mod warning;
mod what;

use interlock_algorithm::NodeId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use detail::{
    Change, ClientTimer, CrashCause, DropReason, Ending, Hand, RestartState, StepId, Timer, TimerLabel, Violation,
};
pub use json::{Json, value_of};
pub use kind::{MessageKind, TELL};
pub use warning::Warning;
pub use what::What;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// Its place in the run: from 1, dense, in the order in which the orchestrator learnt of it. That order is a
    /// linear extension of happened-before: no effect stands before its cause.
    pub seq: u64,
    /// When it happened, in microseconds since the run began, by the clock that all processes of the machine share.
    /// What a node did bears the node's own stamp, so it may be a little earlier than the events before it.
    pub at_us: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

impl Event {
    /// The node at which it happened, if it was at one.
    #[must_use]
    pub const fn node(&self) -> Option<NodeId> {
        self.what.node()
    }

    /// Reads an event from JSON. The code of its reader is compiled here, once, and not in each crate that reads events.
    ///
    /// # Errors
    /// When the text is not an event.
    pub fn from_json(text: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(text)
    }

    /// Appends the JSON that journals keep and exports show, without a line break.
    ///
    /// # Errors
    /// When a part of the event is not JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        serde_json::to_writer(out, self)
    }

    /// The name of its kind.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        self.what.kind()
    }
}
