//! Outcomes of a step of an algorithm, for its client, the monitors and the users.

use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::identity::{Ballot, LockId, NodeId, RequestId};
use crate::operation::{Operation, Response};

/// Calls a macro with the variants of [`Outcome`], each with its serialized name. So another crate can define an enum
/// with the same variants.
#[macro_export]
macro_rules! outcomes {
    ($define:ident) => {
        $define! {
            /// The node requests the lock.
            "requested" Requested {
                /// Number of the lock.
                lock: LockId,
                /// Number of the node's request.
                request: RequestId,
                /// Logical time of the request. Absent if the algorithm does not order the requests of all nodes by
                /// their times.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                timestamp: Option<u64>,
            },
            /// The node entered the critical section.
            "entered" Entered {
                /// Number of the lock.
                lock: LockId,
                /// Number of the node's request.
                request: RequestId,
                /// Fencing token; absent if the algorithm creates no fencing tokens.
                #[serde(default, skip_serializing_if = "Option::is_none")]
                fence: Option<u64>,
            },
            /// The node left the critical section.
            "exited" Exited {
                /// Number of the lock.
                lock: LockId,
                /// Number of the node's request.
                request: RequestId,
            },
            /// The node learnt for which nodes it waits.
            "blocked" Blocked {
                /// Number of the lock.
                lock: LockId,
                /// Number of the node's request.
                request: RequestId,
                /// Nodes that hold the lock.
                on: Vec<NodeId>,
            },
            /// The node gave up its request, and released all locks that it held for this request.
            "aborted" Aborted {
                /// Number of the node's request.
                request: RequestId,
                /// Reason for the abort.
                cause: AbortCause,
            },
            /// A lease expired. From now on, all nodes except the holder assume that the holder has left the critical
            /// section.
            "expired" Expired {
                /// Number of the lock.
                lock: LockId,
                /// Node that held the lock.
                holder: NodeId,
                /// Number of the holder's request.
                request: RequestId,
            },
            /// The node reports a deadlock: these nodes wait for one another in a cycle.
            "reported" Reported {
                /// The nodes of the cycle. Each node waits for the next node of the list, and the last node waits for the
                /// first.
                cycle: Vec<NodeId>,
                /// Node that must abort its request to break the cycle.
                victim: NodeId,
            },
            /// The node called an election.
            "called" Called {
                /// Lock whose coordinator is to be elected; 0 if there is only one coordinator.
                #[serde(default, skip_serializing_if = "LockId::is_first")]
                lock: LockId,
                /// Term of the election.
                term: u64,
            },
            /// The node accepted a node, possibly itself, as the coordinator.
            "elected" Elected {
                /// Lock of the coordinator; 0 if there is only one coordinator.
                #[serde(default, skip_serializing_if = "LockId::is_first")]
                lock: LockId,
                /// Number of the coordinator.
                leader: NodeId,
                /// Term of the coordinator.
                term: u64,
            },
            /// The client of the node proposed a value.
            "proposed" Proposed {
                /// Number of the agreement instance.
                instance: u64,
                /// The proposed value.
                value: Arc<str>,
            },
            /// The node promised to accept no ballot older than `ballot`, in this instance and in all later
            /// instances.
            "promised" Promised {
                /// Number of the agreement instance.
                instance: u64,
                /// The promised ballot.
                ballot: Ballot,
            },
            /// The node accepted a value.
            "accepted" Accepted {
                /// Number of the agreement instance.
                instance: u64,
                /// The ballot of the value.
                ballot: Ballot,
                /// The accepted value.
                value: Arc<str>,
            },
            /// The node learnt that a value is chosen.
            "decided" Decided {
                /// Number of the agreement instance.
                instance: u64,
                /// The chosen value.
                value: Arc<str>,
            },
            /// The client of the node invoked an operation of a service.
            "invoked" Invoked {
                /// Number of the node's request.
                request: RequestId,
                /// The operation, such as `{"write":{"key":0,"value":3}}`.
                operation: Operation,
            },
            /// The client of the node received the response to its operation, or stopped waiting for the response.
            "returned" Returned {
                /// Number of the node's request.
                request: RequestId,
                /// The response, such as `{"value":3}`.
                response: Response,
            },
        }
    };
}

macro_rules! define {
    ($($(#[$about:meta])* $name:literal $variant:ident { $($fields:tt)* },)+) => {
        /// An outcome of a step.
        ///
        /// The fencing tokens of [`Entered`](Self::Entered) increase with each entry. Each lock that is released by an
        /// [`Aborted`](Self::Aborted) has its own [`Exited`](Self::Exited) earlier in the same step. After an abort, the
        /// client requests again later, with the same number.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Outcome {
            $($(#[$about])* #[serde(rename = $name)] $variant { $($fields)* },)+
        }

        impl Outcome {
            /// The serialized names of all outcomes.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// Returns the serialized name of the outcome.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $name,)+
                }
            }
        }
    };
}

outcomes!(define);

impl Outcome {
    /// Returns the outcome [`Requested`](Self::Requested), for a request without a timestamp.
    #[must_use]
    pub const fn requested(lock: LockId, request: RequestId) -> Self {
        Self::Requested { lock, request, timestamp: None }
    }

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

    /// Returns the lock that the outcome concerns; none for a kind of outcome that names no lock.
    #[must_use]
    pub const fn lock(&self) -> Option<LockId> {
        match self {
            Self::Requested { lock, .. }
            | Self::Entered { lock, .. }
            | Self::Exited { lock, .. }
            | Self::Blocked { lock, .. }
            | Self::Expired { lock, .. }
            | Self::Called { lock, .. }
            | Self::Elected { lock, .. } => Some(*lock),
            _ => None,
        }
    }

    /// If this is an outcome of an election, returns it with its lock set to `lock`. Returns any other outcome
    /// unchanged.
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
