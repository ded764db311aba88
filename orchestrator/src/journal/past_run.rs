//! Facts about a run that its journal contains in addition to the events.

use serde::{Deserialize, Serialize};

use super::{Header, Status};
use interlock_observation::state;

/// The reason for the end of a run whose journal contains no reason, since its orchestrator was killed.
const ENDED_WITHOUT_STOPPING: &str = "the orchestrator ended without stopping the run";

/// The facts about a run that its journal contains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastRun {
    /// Header of the journal.
    pub header: Header,
    /// Status of the run.
    pub status: Status,
    /// The reason for the status, if the journal contains one.
    pub because: Option<String>,
    /// Size of the journal in bytes, including the files that SQLite creates beside it.
    pub bytes: u64,
    /// Outcome of the run; none if it would have to be computed from the events.
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
    /// Returns the facts with the true status. If the journal says `running` but the run is not live, the run was
    /// killed together with its orchestrator.
    #[must_use]
    pub fn settled(self, is_live: bool) -> Self {
        if self.status == Status::Running && !is_live {
            Self { status: Status::Stopped, because: Some(ENDED_WITHOUT_STOPPING.to_owned()), ..self }
        } else {
            self
        }
    }
}
