//! What the processes of the acknowledged ring say, and why they do what they do.

use serde::{Deserialize, Serialize};

use crate::contract::Message;
use crate::identity::NodeId;

/// The messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum AcknowledgedRingMessage {
    /// The greatest id so far, seen from the one that sent it first.
    #[serde(rename = "ELECT")]
    Elect {
        /// The term of the election.
        term: u64,
        /// Whose id it is.
        candidate: NodeId,
        /// How often it has been passed on: 1 from the candidate itself.
        hops: u64,
    },
    /// An ELECT has arrived.
    #[serde(rename = "OK")]
    Ok {
        /// The term of that ELECT.
        term: u64,
        /// Whose id it bears.
        candidate: NodeId,
        /// The latest term whose election is over, as far as the sender knows; 0 if it knows of none.
        over: u64,
    },
    /// Who has won.
    #[serde(rename = "COORD")]
    Coord {
        /// The term of the election.
        term: u64,
        /// The coordinator.
        leader: NodeId,
    },
}

impl Message for AcknowledgedRingMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Elect { .. } => "ELECT",
            Self::Ok { .. } => "OK",
            Self::Coord { .. } => "COORD",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Calls an election: told to.
    Told,
    /// Calls an election: it is back after a crash and does not know the coordinator.
    Returned,
    /// Passed an id on: it is greater.
    Greater {
        /// Whose.
        candidate: NodeId,
    },
    /// Sent its own id on instead of a smaller one.
    Replaced {
        /// The other's.
        candidate: NodeId,
    },
    /// Swallowed a smaller id: its own or a greater one is on its way.
    Swallowed {
        /// The other's.
        candidate: NodeId,
    },
    /// Swallowed its own id: a greater one is on its way.
    Outbid {
        /// The greater one's.
        by: NodeId,
    },
    /// Is the coordinator: its own id has come back.
    CameBack,
    /// Is the coordinator: nobody else is alive.
    Alone,
    /// Sends an ELECT to the one after: its receiver has not acknowledged it in time.
    Skipped {
        /// Who.
        dead: NodeId,
    },
    /// The successor has it.
    Acknowledged {
        /// Who.
        by: NodeId,
    },
    /// Calls the election again: this id has gone round and nobody has stopped it, so the candidate is dead.
    CandidateDead {
        /// Whose id.
        candidate: NodeId,
    },
    /// Calls the election again: no coordinator has been heard of in time.
    NoCoordinator,
    /// Calls the election again: what it said as coordinator has not come back in time.
    RoundBroken,
    /// Calls the election again: back after a crash it has called one of a term that is over.
    MissedTerm {
        /// The latest term that is over.
        term: u64,
    },
    /// Takes this one for the coordinator.
    Accepted {
        /// Who.
        leader: NodeId,
    },
    /// Everybody knows: what the coordinator said has come back.
    RoundOver,
    /// Ignored: of an older term, of an election that is over, or a copy.
    Older {
        /// Its term.
        term: u64,
    },
    /// Ignored: of nobody in the ring, or an answer that is not waited for.
    Unexpected {
        /// Who sent it.
        from: NodeId,
    },
}
