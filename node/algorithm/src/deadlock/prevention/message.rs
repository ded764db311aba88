//! The messages of prevention.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::contract::Message;
use crate::identity::LockId;

/// The messages. A ticket numbers what a process asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum PreventionMessage {
    /// A process asks the home for a resource, or for several at once.
    #[serde(rename = "REQUEST")]
    Request {
        /// What it asks for, in ascending order.
        locks: Vec<LockId>,
        /// By which ticket.
        ticket: u64,
    },
    /// The home grants all that was asked for by this ticket.
    #[serde(rename = "GRANT")]
    Grant {
        /// The ticket.
        ticket: u64,
    },
    /// The home says that the resource is not free.
    #[serde(rename = "BUSY")]
    Busy {
        /// The ticket.
        ticket: u64,
    },
    /// A process gives a resource back.
    #[serde(rename = "RELEASE")]
    Release {
        /// The resource.
        lock: LockId,
        /// By which ticket it had it.
        ticket: u64,
    },
}

impl Message for PreventionMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Grant { .. } => "GRANT",
            Self::Busy { .. } => "BUSY",
            Self::Release { .. } => "RELEASE",
        }
    }
}
