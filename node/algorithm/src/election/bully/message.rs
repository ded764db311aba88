//! What the processes of the bully algorithm say, and why they do what they do.

use serde::{Deserialize, Serialize};

use crate::contract::Message;
use crate::identity::NodeId;

/// The messages. The last two are no part of the election: by them a process that comes back learns the term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum BullyMessage {
    /// Asks a higher process whether it is alive: it then carries on.
    #[serde(rename = "ELECT")]
    Elect {
        /// The term of the election.
        term: u64,
    },
    /// A higher process is alive.
    #[serde(rename = "OK")]
    Ok {
        /// The term of the ELECT that it answers.
        term: u64,
    },
    /// The sender is the coordinator.
    #[serde(rename = "COORD")]
    Coord {
        /// Of which term.
        term: u64,
    },
    /// The sender is back after a crash and asks what has happened.
    #[serde(rename = "INQUIRE")]
    Inquire {},
    /// The sender knows this of the elections.
    #[serde(rename = "TERM")]
    Term {
        /// The highest term it has seen.
        term: u64,
        /// Who won the election of that term, if it is over.
        leader: Option<NodeId>,
    },
}

impl Message for BullyMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Elect { .. } => "ELECT",
            Self::Ok { .. } => "OK",
            Self::Coord { .. } => "COORD",
            Self::Inquire {} => "INQUIRE",
            Self::Term { .. } => "TERM",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Calls an election: told to.
    Told,
    /// Starts an election of its own: a lower process has called one.
    CalledBelow {
        /// Who.
        from: NodeId,
    },
    /// Starts no election: it has begun this one already.
    BegunAlready {
        /// Who asked.
        from: NodeId,
    },
    /// Starts no election: this one is over.
    OverAlready {
        /// Who asked.
        from: NodeId,
    },
    /// Starts no election yet: it is back after a crash and asks for the term first.
    AsksFirst {
        /// Who asked.
        from: NodeId,
    },
    /// Gives way: a higher process is alive.
    GaveWay {
        /// Who.
        to: NodeId,
    },
    /// Is the coordinator: there is no higher process.
    Highest,
    /// Is the coordinator: no higher process has answered in time.
    NobodyAnswered,
    /// Calls the election again: a higher process has answered, but nobody has become coordinator in time.
    NoCoordinator,
    /// Takes this one for the coordinator.
    Accepted {
        /// Who.
        leader: NodeId,
    },
    /// Asks for the term: it is back after a crash.
    Returned,
    /// Calls an election: it is back after a crash, and no higher process is known to be coordinator.
    TakesOver,
    /// Calls an election: a lower process says that it is the coordinator.
    LowerCoordinator {
        /// Who.
        from: NodeId,
    },
    /// Notes a term.
    Learnt {
        /// Which.
        term: u64,
    },
    /// Ignored: of an older term.
    Older {
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
    /// Ignored: only lower processes ask, and only higher ones answer.
    WrongSide {
        /// Who sent it.
        from: NodeId,
    },
}
