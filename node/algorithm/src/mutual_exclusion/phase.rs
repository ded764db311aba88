//! What a process is doing.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::identity::{LockId, RequestId};
use crate::outcome::Outcome;

/// A request of one's own; `T` is its timestamp, in the algorithms that order requests by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Claim<T = Timestamp> {
    pub lock: LockId,
    pub request: RequestId,
    pub timestamp: T,
}

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum Phase<T = Timestamp> {
    Idle,
    Wanting(Claim<T>),
    InSection(Claim<T>),
}

impl Claim<()> {
    pub const fn new(lock: LockId, request: RequestId) -> Self {
        Self { lock, request, timestamp: () }
    }
}

impl<T: Copy> Claim<T> {
    pub const fn requested(self) -> Outcome {
        Outcome::Requested { lock: self.lock, request: self.request }
    }

    pub const fn entered(self) -> Outcome {
        Outcome::Entered { lock: self.lock, request: self.request, fence: None }
    }

    pub const fn exited(self) -> Outcome {
        Outcome::Exited { lock: self.lock, request: self.request }
    }
}

impl<T: Copy> Phase<T> {
    /// Whether nobody here asks for the section or is in it.
    pub const fn is_idle(self) -> bool {
        matches!(self, Self::Idle)
    }

    /// The timestamp of one's own request, from `acquire` to `release`.
    pub const fn timestamp(self) -> Option<T> {
        match self {
            Self::Idle => None,
            Self::Wanting(claim) | Self::InSection(claim) => Some(claim.timestamp),
        }
    }
}
