//! Schedules: what happens to a run, one thing after the other, as a document that can be kept, edited and played again.
//!
//! A recording of a simulation is one, and so is what somebody writes down: deliver this message, lose that one. Nothing
//! happens but what it says: no message arrives and no timer runs out by itself, unless it says that time goes on.

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

/// The version of the document that this program reads and writes.
pub const VERSION: u32 = 1;

/// What happens to a run, one thing after the other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Schedule {
    /// The version of this document.
    pub version: u32,
    /// The version of the program that wrote it.
    pub program: String,
    /// The run. Its script is what was planned and is not played: the choices say what happens.
    pub specification: Specification,
    /// How many rounds all clients together may begin by themselves; as many as the workload says if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// What happens.
    pub choices: Vec<Scheduled>,
    /// The part of what happens that goes on for ever, if one does: see [`unrolled`](Self::unrolled).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Repeat>,
    /// How the run ended; it is stopped after the last choice if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ending>,
}

impl Schedule {
    /// Whether its choices say when processes start and begin, and when each takes what, as those of a recorded live run.
    #[must_use]
    pub fn is_in_parts(&self) -> bool {
        is_in_parts(&self.choices)
    }
}

fn is_in_parts(choices: &[Scheduled]) -> bool {
    choices.iter().any(|scheduled| scheduled.choice.is_part_of_beginning())
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Scheduled {
    /// When, in microseconds since the run began. If absent, as soon as it can: a message when it is due, a timer when it
    /// runs out, all else at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub at_us: Option<Ticks>,
    /// What.
    #[serde(rename = "do")]
    pub choice: Choice,
}
