//! The condition of the process of a node.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the process of a node is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProcessStatus {
    /// It has not yet said where it listens.
    Starting,
    /// It takes its inputs.
    Running,
    /// It was stopped in its tracks.
    Paused,
    /// It is dead.
    Crashed,
    /// It ended with the run.
    Stopped,
}

impl ProcessStatus {
    /// Returns its word, as people and scripts read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Crashed => "crashed",
            Self::Stopped => "stopped",
        }
    }
}
