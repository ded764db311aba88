//! The messages of wait-die and wound-wait.

use serde::{Deserialize, Serialize};

use crate::contract::Message;
use crate::identity::LockId;

/// The messages. A ticket numbers what a process asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum AgesMessage {
    /// A process asks the home for a resource.
    #[serde(rename = "REQUEST")]
    Request {
        /// The resource.
        lock: LockId,
        /// By which ticket.
        ticket: u64,
        /// When the transaction began.
        timestamp: u64,
    },
    /// The home grants a resource.
    #[serde(rename = "GRANT")]
    Grant {
        /// The resource.
        lock: LockId,
        /// The ticket.
        ticket: u64,
        /// The clock of the home.
        clock: u64,
    },
    /// The home of a resource says that the transaction is to give up all that it has, and to begin again.
    #[serde(rename = "ABORT")]
    Abort {
        /// The resource, which it has or waits for.
        lock: LockId,
        /// By which ticket.
        ticket: u64,
    },
    /// A process gives a resource back, or waits for it no more.
    #[serde(rename = "RELEASE")]
    Release {
        /// The resource.
        lock: LockId,
        /// By which ticket.
        ticket: u64,
    },
}

impl AgesMessage {
    /// Which resource it is about.
    #[must_use]
    pub const fn lock(self) -> LockId {
        match self {
            Self::Request { lock, .. }
            | Self::Grant { lock, .. }
            | Self::Abort { lock, .. }
            | Self::Release { lock, .. } => lock,
        }
    }

    /// Whether it goes to the home of the resource; the others come from there.
    pub(super) const fn is_for_home(self) -> bool {
        matches!(self, Self::Request { .. } | Self::Release { .. })
    }
}

impl Message for AgesMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Grant { .. } => "GRANT",
            Self::Abort { .. } => "ABORT",
            Self::Release { .. } => "RELEASE",
        }
    }
}
