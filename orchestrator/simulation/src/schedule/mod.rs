//! Schedules: the actions on a run, in order, as a document that can be stored, edited and executed again.
//!
//! A recording of a simulation is a schedule. A list that a user writes is a schedule as well: deliver this message,
//! lose that message. Only the listed actions happen. No message arrives and no timer expires by itself, unless an
//! action lets time pass.

mod document;
pub mod random;
mod recorded;
pub mod recorder;
#[cfg(test)]
mod recorder_tests;
mod repeat;
#[cfg(test)]
mod tests;

use interlock_algorithm::Ticks;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use interlock_model::choice::Choice;
use interlock_model::event::Ending;
use interlock_model::specification::Specification;

pub use document::ScheduleDraft;
pub use recorded::Misplaced;
pub use recorder::{Recorder, Unrecordable};
pub use repeat::{MOST_TIMES, Repeat};

/// The version of the document format that this program reads and writes.
pub const VERSION: u32 = 1;

/// The actions on a run, in order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Schedule {
    /// The version of the document format.
    pub version: u32,
    /// The version of the program that wrote the document.
    pub program: String,
    /// The run. Its script is not executed: the actions of the schedule replace it.
    pub specification: Specification,
    /// Maximum number of rounds that all clients together start by themselves. Default: as the workload specifies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// The actions, in order.
    pub choices: Vec<Scheduled>,
    /// The part of the actions that can be repeated without end, if any: see [`unrolled`](Self::unrolled).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Repeat>,
    /// How the run ended. If absent, the run is stopped after the last action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ending>,
}

impl Schedule {
    /// Returns whether the schedule contains actions that only a recorded live run has. In such a schedule, separate
    /// actions state when a process starts, begins or receives an input.
    #[must_use]
    pub fn is_in_parts(&self) -> bool {
        is_in_parts(&self.choices)
    }
}

fn is_in_parts(choices: &[Scheduled]) -> bool {
    choices.iter().any(|scheduled| scheduled.choice.is_part_of_beginning())
}

/// An action of a schedule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Scheduled {
    /// The time, in microseconds since the start of the run. If absent, the action happens as soon as possible: a
    /// message when it is due, a timer when it expires, any other action at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub at_us: Option<Ticks>,
    /// The action.
    #[serde(rename = "do")]
    pub choice: Choice,
}
