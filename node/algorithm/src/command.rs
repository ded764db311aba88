//! What a client may ask of its node, and how one that needs several locks is to ask.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::identity::{LockId, RequestId};
use crate::operation::Operation;

/// What a client may ask of its node, and what may befall it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Ask for a lock. Of the same request: for one more, while having others; or, after it was aborted, again.
    Acquire {
        /// The lock wanted.
        lock: LockId,
        /// The number of this request.
        request: RequestId,
    },
    /// Ask for several locks at the same time. Whether all are granted together or each as it becomes free is up to the
    /// algorithm.
    AcquireTogether {
        /// The locks wanted, in ascending order, each once. Where several may have a lock at the same time, one that is
        /// named several times is wanted as often.
        locks: Vec<LockId>,
        /// The number of this request. Where several may have a lock, it is that of the first; the next has the next
        /// number, and so on.
        request: RequestId,
    },
    /// Leave the critical section.
    Release {
        /// The lock held.
        lock: LockId,
        /// The number of the request by which it is held.
        request: RequestId,
    },
    /// Call an election: the coordinator is believed to be dead.
    Elect,
    /// Propose a value.
    Propose {
        /// The instance of agreement, from 0.
        instance: u64,
        /// The value: not empty.
        value: String,
    },
    /// Do something for the client, where a service is offered.
    Invoke {
        /// The number of this request.
        request: RequestId,
        /// What to do.
        operation: Operation,
    },
    /// Find yourself in another state, for self-stabilising algorithms: as if the memory of the process, but for what its
    /// client wants and has, had been overwritten.
    Corrupt {
        /// The number of the state: see [`Algorithm::arbitrary`](crate::contract::Algorithm::arbitrary).
        choice: u64,
    },
}

impl Command {
    /// Its name in [`Entry::commands`](crate::entry::Entry::commands).
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

/// How a client that needs several locks at once is to take them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// One after the other, in the order that the client has in mind.
    AsPlanned,
    /// One after the other, in ascending order.
    Ascending,
    /// All with one command.
    Together,
}
