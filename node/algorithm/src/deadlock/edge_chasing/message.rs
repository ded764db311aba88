//! The messages of edge chasing.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::contract::Message;
use crate::identity::{LockId, NodeId};

/// A probe: the lecture's (blocked process, sender, receiver), and what tells it from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Who began it, being blocked.
    pub blocked: NodeId,
    /// Who waits.
    pub sender: NodeId,
    /// Who has what the sender waits for.
    pub receiver: NodeId,
    /// How many probes the blocked process had begun.
    pub number: u64,
    /// What the sender waits for.
    pub lock: LockId,
    /// How often that had been granted when the receiver got it.
    pub turn: u64,
    /// Those who wait, from the blocked process to the sender. The algorithm does without: it is for people to see.
    pub path: Vec<NodeId>,
}

/// The messages. A ticket numbers what a process asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum EdgeChasingMessage {
    /// A process asks the home for a resource.
    #[serde(rename = "REQUEST")]
    Request {
        /// The resource.
        lock: LockId,
        /// By which ticket.
        ticket: u64,
    },
    /// The home says who has the resource.
    #[serde(rename = "WAIT")]
    Wait {
        /// The resource.
        lock: LockId,
        /// By which ticket it is waited for.
        ticket: u64,
        /// Who has it.
        holder: NodeId,
        /// How often it had been granted then.
        turn: u64,
    },
    /// The home grants a resource.
    #[serde(rename = "GRANT")]
    Grant {
        /// The resource.
        lock: LockId,
        /// The ticket.
        ticket: u64,
        /// How often it has been granted.
        turn: u64,
    },
    /// A process gives a resource back, or waits for it no more.
    #[serde(rename = "RELEASE")]
    Release {
        /// The resource.
        lock: LockId,
        /// By which ticket.
        ticket: u64,
    },
    /// Somebody is blocked.
    #[serde(rename = "PROBE")]
    Probe(Probe),
}

impl Message for EdgeChasingMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Wait { .. } => "WAIT",
            Self::Grant { .. } => "GRANT",
            Self::Release { .. } => "RELEASE",
            Self::Probe(_) => "PROBE",
        }
    }
}
