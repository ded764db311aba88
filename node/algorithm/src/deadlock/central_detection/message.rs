//! The messages of central detection.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::contract::Message;
use crate::identity::{LockId, NodeId};

/// One who waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// Who waits.
    pub process: NodeId,
    /// By which of its tickets.
    pub ticket: u64,
    /// When its transaction began.
    pub timestamp: u64,
    /// For which resource.
    pub lock: LockId,
    /// Who has it.
    pub holder: NodeId,
}

impl Edge {
    /// The age of the transaction that waits: the smaller, the older.
    #[must_use]
    pub const fn age(&self) -> Timestamp {
        Timestamp { clock: self.timestamp, process: self.process }
    }
}

/// The messages. A ticket numbers what a process asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum CentralDetectionMessage {
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
    /// A process gives a resource back, or waits for it no more.
    #[serde(rename = "RELEASE")]
    Release {
        /// The resource.
        lock: LockId,
        /// By which ticket.
        ticket: u64,
    },
    /// A site tells the coordinator who waits there for whom.
    #[serde(rename = "REPORT")]
    Report {
        /// How many reports it has sent: an older one does not replace a newer one.
        version: u64,
        /// Its local wait-for graph, by who waits.
        edges: Vec<Edge>,
    },
    /// The coordinator tells a process to give up.
    #[serde(rename = "ABORT")]
    Abort {
        /// What it waits for.
        lock: LockId,
        /// By which ticket.
        ticket: u64,
    },
}

impl Message for CentralDetectionMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Grant { .. } => "GRANT",
            Self::Release { .. } => "RELEASE",
            Self::Report { .. } => "REPORT",
            Self::Abort { .. } => "ABORT",
        }
    }
}
