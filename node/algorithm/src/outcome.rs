//! Outcomes of a step of an algorithm, for its client, the monitors and the users.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::identity::{Ballot, LockId, NodeId, RequestId};
use crate::operation::{Operation, Response};

/// An outcome of a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The node requests the lock.
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
        /// The fencing token of this entry, which increases with each entry, if the algorithm issues fencing tokens.
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
    /// The node has learnt for which processes it waits.
    Blocked {
        /// The lock wanted.
        lock: LockId,
        /// The number of the request.
        request: RequestId,
        /// The holders.
        on: Vec<NodeId>,
    },
    /// The node gives up its request and stops waiting. It has released every lock that it held by this request, each
    /// with an [`Exited`](Self::Exited) earlier in the same step. Its client requests again later, with the same
    /// number.
    Aborted {
        /// The number of the request.
        request: RequestId,
        /// The cause.
        cause: AbortCause,
    },
    /// The node that manages the leases has revoked a lease. From then on, all processes except the holder assume
    /// that the holder has left the critical section.
    Expired {
        /// The lock.
        lock: LockId,
        /// The holder of the lease.
        holder: NodeId,
        /// The number of the holder's request.
        request: RequestId,
    },
    /// The node reports that these processes wait for each other in a cycle.
    Reported {
        /// The cycle. Each process waits for the next one, and the last for the first.
        cycle: Vec<NodeId>,
        /// The process that must give up its request.
        victim: NodeId,
    },
    /// The node starts an election.
    Called {
        /// The lock whose coordinator is elected, if each lock has its own coordinator; otherwise 0.
        #[serde(default, skip_serializing_if = "LockId::is_first")]
        lock: LockId,
        /// The term of the election.
        term: u64,
    },
    /// The node accepts the process `leader`, possibly itself, as the coordinator.
    Elected {
        /// The lock of the coordinator, if each lock has its own coordinator; otherwise 0.
        #[serde(default, skip_serializing_if = "LockId::is_first")]
        lock: LockId,
        /// The coordinator.
        leader: NodeId,
        /// The term of the coordinator.
        term: u64,
    },
    /// The client of the node proposes this value.
    Proposed {
        /// The instance of agreement.
        instance: u64,
        /// The value.
        value: String,
    },
    /// An acceptor promises to accept no proposal with an older ballot, in this instance and all later instances.
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
    /// The client of the node invokes an operation of a service.
    Invoked {
        /// The number of the request.
        request: RequestId,
        /// The operation.
        operation: Operation,
    },
    /// The client of the node gets the response, or is notified that there will be none.
    Returned {
        /// The number of the request.
        request: RequestId,
        /// The response.
        response: Response,
    },
}

impl Outcome {
    /// Returns the outcome [`Called`](Self::Called), for an algorithm with at most one lock.
    #[must_use]
    pub const fn called(term: u64) -> Self {
        Self::Called { lock: LockId(0), term }
    }

    /// Returns the outcome [`Elected`](Self::Elected), for an algorithm with at most one lock.
    #[must_use]
    pub const fn elected(leader: NodeId, term: u64) -> Self {
        Self::Elected { lock: LockId(0), leader, term }
    }

    /// Returns the serialized name of the outcome.
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

    /// Returns an outcome of an election with its lock set to this one. Returns any other outcome unchanged.
    #[must_use]
    pub fn of_lock(self, lock: LockId) -> Self {
        match self {
            Self::Called { term, .. } => Self::Called { lock, term },
            Self::Elected { leader, term, .. } => Self::Elected { lock, leader, term },
            other => other,
        }
    }
}

/// The cause of an abort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AbortCause {
    /// The request was chosen as the victim to break a deadlock.
    Victim,
    /// The request was younger than the holder of the lock (wait-die).
    Died,
    /// The request was younger than another request that waits for one of its locks (wound-wait).
    Wounded,
    /// The process gave up the request, because a requested lock was not free.
    GaveWay,
}
