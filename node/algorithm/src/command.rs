//! The commands of a client to its node, and how a client acquires several locks.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::identity::{LockId, RequestId};
use crate::operation::Operation;

/// A command of a client to its node, or a fault that is injected into the node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Request a lock. In two cases, the number may be that of an earlier request. Either the client requests a further
    /// lock while it holds others, or it repeats an aborted request.
    Acquire {
        /// The lock wanted.
        lock: LockId,
        /// The number of this request.
        request: RequestId,
    },
    /// Request several locks at the same time. The algorithm decides whether it grants all locks together, or each
    /// lock as soon as it becomes free.
    AcquireTogether {
        /// The locks wanted, in ascending order, each once. If several processes may hold a lock at the same time,
        /// the list contains that lock once for each wanted unit.
        locks: Vec<LockId>,
        /// The number of this request. If locks have several units, each entry of `locks` is a request of its own.
        /// The first has the number `request`, the second has the next number, and so on.
        request: RequestId,
    },
    /// Leave the critical section.
    Release {
        /// The lock held.
        lock: LockId,
        /// The number of the request by which the lock is held.
        request: RequestId,
    },
    /// Start an election: the client suspects that the coordinator has crashed.
    Elect,
    /// Propose a value.
    Propose {
        /// The instance of agreement, from 0.
        instance: u64,
        /// The value, which is not empty.
        value: String,
    },
    /// Execute an operation for the client, if the nodes offer a service.
    Invoke {
        /// The number of this request.
        request: RequestId,
        /// The operation.
        operation: Operation,
    },
    /// Change to another state, for self-stabilising algorithms. The command acts as if the memory of the process had
    /// been overwritten. The requests of the client and the locks that it holds do not change.
    Corrupt {
        /// The number of the state: see [`Algorithm::arbitrary`](crate::contract::Algorithm::arbitrary).
        choice: u64,
    },
}

impl Command {
    /// Returns the name of the command in [`Entry::commands`](crate::entry::Entry::commands).
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Acquire { .. } | Self::AcquireTogether { .. } => "acquire",
            Self::Release { .. } => "release",
            Self::Elect => "elect",
            Self::Propose { .. } => "propose",
            Self::Invoke { .. } => "invoke",
            Self::Corrupt { .. } => "corrupt",
        }
    }
}

/// The order in which a client that needs several locks at once acquires them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// One after the other, in the order that the client plans.
    AsPlanned,
    /// One after the other, in ascending order.
    Ascending,
    /// All with one command.
    Together,
}
