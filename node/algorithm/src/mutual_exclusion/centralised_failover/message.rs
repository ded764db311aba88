//! What the processes of the centralised algorithm with failover say, and why they do what they do.

use serde::{Deserialize, Serialize};

use crate::contract::Message;
use crate::election::acknowledged_ring::{self, AcknowledgedRingMessage};
use crate::election::bully::{self, BullyMessage};
use crate::identity::NodeId;

/// The messages: those of the locks, and those of the election, as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FailoverMessage {
    /// About the lock.
    Lock(LockMessage),
    /// Of a bully election.
    Bully(BullyMessage),
    /// Of an election in a ring.
    Ring(AcknowledgedRingMessage),
}

/// The messages about the lock. Each is of the term of the coordinator that it comes from or goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum LockMessage {
    /// A client asks the coordinator, or asks again whether it is alive.
    #[serde(rename = "REQUEST")]
    Request {
        /// The coordinator's term.
        term: u64,
        /// The number of the client's request.
        request: u64,
    },
    /// The coordinator has taken the request, which must wait.
    #[serde(rename = "QUEUED")]
    Queued {
        /// The coordinator's term.
        term: u64,
        /// The number of the client's request.
        request: u64,
    },
    /// The coordinator lets a client in.
    #[serde(rename = "GRANT")]
    Grant {
        /// The coordinator's term.
        term: u64,
        /// The number of the client's request.
        request: u64,
        /// Greater at each entry.
        fence: u64,
    },
    /// A client has left.
    #[serde(rename = "RELEASE")]
    Release {
        /// The coordinator's term.
        term: u64,
        /// The number of the client's request.
        request: u64,
    },
    /// A new coordinator asks who is inside and who waits.
    #[serde(rename = "ASK")]
    Ask {
        /// The coordinator's term.
        term: u64,
    },
    /// A client says what it is doing.
    #[serde(rename = "STATE")]
    State {
        /// The coordinator's term.
        term: u64,
        /// What it wants or has.
        claim: Option<Stated>,
    },
}

/// What a client wants or has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    /// The number of its request.
    pub request: u64,
    /// Whether it is in the section; if not, it waits.
    pub inside: bool,
}

impl Message for FailoverMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Bully(message) => message.kind(),
            Self::Ring(message) => message.kind(),
            Self::Lock(LockMessage::Request { .. }) => "REQUEST",
            Self::Lock(LockMessage::Queued { .. }) => "QUEUED",
            Self::Lock(LockMessage::Grant { .. }) => "GRANT",
            Self::Lock(LockMessage::Release { .. }) => "RELEASE",
            Self::Lock(LockMessage::Ask { .. }) => "ASK",
            Self::Lock(LockMessage::State { .. }) => "STATE",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// What the election says.
    Election {
        /// Its reason.
        because: ElectionReason,
    },
    /// Granted: nobody was in the section, and this is the first in the queue.
    Granted {
        /// To whom.
        to: NodeId,
        /// How many wait behind it.
        behind: u32,
    },
    /// Queued: somebody is in the section.
    Queued {
        /// Who waits.
        from: NodeId,
        /// Who is inside.
        holder: NodeId,
    },
    /// Queued: nothing is granted before all have said what they have.
    QueuedWhileAsking {
        /// Who waits.
        from: NodeId,
    },
    /// Asks everybody: it has become the coordinator and does not know who is inside.
    AsksAll,
    /// Grants from now on: everybody has answered.
    AllAnswered,
    /// Grants from now on: who has not answered in time is dead.
    SomeDead,
    /// Takes this one for the coordinator that it asks.
    Serves {
        /// Who.
        coordinator: NodeId,
    },
    /// Entered: the coordinator has granted it.
    Entered,
    /// Calls an election: the coordinator has not answered in time.
    CoordinatorSilent,
    /// Asks again, to see whether the coordinator is alive.
    AsksAgain,
    /// Ignored: of another term than that of the coordinator.
    OtherTerm {
        /// Who sent it.
        from: NodeId,
        /// Its term.
        term: u64,
    },
    /// Ignored: nothing of the kind is waited for, or not any more.
    Unexpected {
        /// Who sent it.
        from: NodeId,
    },
}

/// Why the election did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ElectionReason {
    /// The bully.
    Bully(bully::Reason),
    /// The ring.
    Ring(acknowledged_ring::Reason),
}
