//! What a process is doing, in the algorithms that order requests by logical time.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::contract::Outcome;
use crate::identity::{LockId, RequestId};

/// A request of one's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Claim {
    pub lock: LockId,
    pub request: RequestId,
    pub timestamp: Timestamp,
}

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) enum Phase {
    Idle,
    Wanting(Claim),
    InSection(Claim),
}

impl Claim {
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

impl Phase {
    /// The timestamp of one's own request, from `acquire` to `release`.
    pub const fn timestamp(self) -> Option<Timestamp> {
        match self {
            Self::Idle => None,
            Self::Wanting(claim) | Self::InSection(claim) => Some(claim.timestamp),
        }
    }
}
