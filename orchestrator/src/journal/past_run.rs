//! Content of a journal besides the events: facts about its run.

use serde::{Deserialize, Serialize};

use super::{Header, Status};
use interlock_observation::state;

/// The reason for the end of a run whose journal does not give one.
const ENDED_WITHOUT_STOPPING: &str = "the orchestrator ended without stopping the run";

/// The record of a run in its journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastRun {
    /// The head of the journal.
    pub header: Header,
    /// Status of the run.
    pub status: Status,
    /// The reason for the status, if there is one.
    pub because: Option<String>,
    /// Size of the journal in bytes, including the files that SQLite keeps beside it.
    pub bytes: u64,
    /// Outcome of the run, if that is known without the events.
    pub outcome: Option<Outcome>,
}

/// The outcome of a run, computed from its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The verdict after the last event.
    pub verdict: state::Status,
    /// Number of events.
    pub events: u64,
    /// Number of entries.
    pub entries: u64,
}

impl PastRun {
    /// Returns the record with its true status. A run that is not live although its journal says `running` was killed
    /// together with its orchestrator.
    #[must_use]
    pub fn settled(self, is_live: bool) -> Self {
        if self.status == Status::Running && !is_live {
            Self { status: Status::Stopped, because: Some(ENDED_WITHOUT_STOPPING.to_owned()), ..self }
        } else {
            self
        }
    }
}
