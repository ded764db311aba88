//! Status of the process of a node.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Status of the process of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProcessStatus {
    /// The process has not yet reported the address on which it listens.
    Starting,
    /// The process handles its inputs.
    Running,
    /// The process is paused.
    Paused,
    /// The process has crashed.
    Crashed,
    /// The run ended, and the process ended with it.
    Stopped,
}

impl ProcessStatus {
    /// Returns the status as a word for people and scripts.
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
