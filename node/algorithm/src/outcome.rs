//! What a step of an algorithm brings about: what its client, the monitors and the people want to know.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::identity::{Ballot, LockId, NodeId, RequestId};
use crate::operation::{Operation, Response};

/// What a step brought about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The node now wants the lock.
    Requested {
        /// The lock wanted.
        lock: LockId,
        /// The number of the request.
        request: RequestId,
    },
    /// The node is in the critical section.
    Entered {
        /// The lock held.
        lock: LockId,
        /// The number of the request.
        request: RequestId,
        /// A fencing token, greater at each entry, if the algorithm makes one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fence: Option<u64>,
    },
    /// The node has left the critical section.
    Exited {
        /// The lock released.
        lock: LockId,
        /// The number of the request.
        request: RequestId,
    },
    /// The node has learnt whom it waits for.
    Blocked {
        /// The lock wanted.
        lock: LockId,
        /// The number of the request.
        request: RequestId,
        /// Who has it.
        on: Vec<NodeId>,
    },
    /// The node gives its request up: it waits no more. What it had by this request it has given back, each told by an
    /// [`Exited`](Self::Exited) before this in the same step. Its client asks again later, with the same number.
    Aborted {
        /// The number of the request.
        request: RequestId,
        /// Why.
        cause: AbortCause,
    },
    /// A lease was taken back at the node that keeps the leases: its section counts as left for all but its holder.
    Expired {
        /// The lock.
        lock: LockId,
        /// Who had it.
        holder: NodeId,
        /// The number of the holder's request.
        request: RequestId,
    },
    /// The node says that these wait for each other in a circle.
    Reported {
        /// Each waits for the next, and the last for the first.
        cycle: Vec<NodeId>,
        /// Who is to give up.
        victim: NodeId,
    },
    /// The node calls an election.
    Called {
        /// The lock whose coordinator is to be elected, where each lock has its own; else 0.
        #[serde(default, skip_serializing_if = "LockId::is_first")]
        lock: LockId,
        /// The term that it is for.
        term: u64,
    },
    /// The node takes this one for the coordinator, who may be itself.
    Elected {
        /// The lock whose coordinator it is, where each lock has its own; else 0.
        #[serde(default, skip_serializing_if = "LockId::is_first")]
        lock: LockId,
        /// The coordinator.
        leader: NodeId,
        /// Of which term.
        term: u64,
    },
    /// The client of the node wants this value to be chosen.
    Proposed {
        /// The instance of agreement.
        instance: u64,
        /// The value.
        value: String,
    },
    /// An acceptor promises to accept nothing of an older ballot, in this instance and all later ones.
    Promised {
        /// The instance of agreement.
        instance: u64,
        /// The ballot.
        ballot: Ballot,
    },
    /// An acceptor accepts a value.
    Accepted {
        /// The instance of agreement.
        instance: u64,
        /// The ballot.
        ballot: Ballot,
        /// The value.
        value: String,
    },
    /// The node has learnt that this value is chosen.
    Decided {
        /// The instance of agreement.
        instance: u64,
        /// The value.
        value: String,
    },
    /// The client of the node asks a service for something.
    Invoked {
        /// The number of the request.
        request: RequestId,
        /// What it asks for.
        operation: Operation,
    },
    /// The client of the node knows what came of it, or that it will not learn it.
    Returned {
        /// The number of the request.
        request: RequestId,
        /// What came of it.
        response: Response,
    },
}

impl Outcome {
    /// An election is called, where there are no locks or one.
    #[must_use]
    pub const fn called(term: u64) -> Self {
        Self::Called { lock: LockId(0), term }
    }

    /// Somebody is elected, where there are no locks or one.
    #[must_use]
    pub const fn elected(leader: NodeId, term: u64) -> Self {
        Self::Elected { lock: LockId(0), leader, term }
    }

    /// Its name, as it is written.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Requested { .. } => "requested",
            Self::Entered { .. } => "entered",
            Self::Exited { .. } => "exited",
            Self::Blocked { .. } => "blocked",
            Self::Aborted { .. } => "aborted",
            Self::Expired { .. } => "expired",
            Self::Reported { .. } => "reported",
            Self::Called { .. } => "called",
            Self::Elected { .. } => "elected",
            Self::Proposed { .. } => "proposed",
            Self::Promised { .. } => "promised",
            Self::Accepted { .. } => "accepted",
            Self::Decided { .. } => "decided",
            Self::Invoked { .. } => "invoked",
            Self::Returned { .. } => "returned",
        }
    }

    /// The same, if it is one of an election, of the election for this lock.
    #[must_use]
    pub fn of_lock(self, lock: LockId) -> Self {
        match self {
            Self::Called { term, .. } => Self::Called { lock, term },
            Self::Elected { leader, term, .. } => Self::Elected { lock, leader, term },
            other => other,
        }
    }
}

/// Why a request was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AbortCause {
    /// It was chosen to break a deadlock.
    Victim,
    /// It was younger than the one that has what it wants (wait-die).
    Died,
    /// It was younger than one that wants what it has (wound-wait).
    Wounded,
    /// It gave way, since what it wants was not free.
    GaveWay,
}
