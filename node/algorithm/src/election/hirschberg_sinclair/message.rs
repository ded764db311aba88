//! What the processes of Hirschberg and Sinclair's algorithm say, and why they do what they do.

use serde::{Deserialize, Serialize};

use crate::contract::Message;
use crate::identity::NodeId;

/// A way round the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From each process to its successor.
    Forward,
    /// From each process to its predecessor.
    Backward,
}

impl Direction {
    /// The other way.
    #[must_use]
    pub const fn reverse(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// The messages; PROBE and REPLY are called so by Attiya and Welch ("Distributed Computing", 2004, section 3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum HirschbergSinclairMessage {
    /// Looks for a greater id up to 2^phase places away.
    #[serde(rename = "PROBE")]
    Probe {
        /// The term of the election.
        term: u64,
        /// Whose id it is.
        candidate: NodeId,
        /// The phase of the candidate, from 0.
        phase: u32,
        /// How far this is from the candidate: 1 at its neighbour.
        hops: u32,
        /// Which way it goes.
        direction: Direction,
    },
    /// There is no greater id that way, so far.
    #[serde(rename = "REPLY")]
    Reply {
        /// The term of the election.
        term: u64,
        /// Whose PROBE it answers.
        candidate: NodeId,
        /// Of which phase.
        phase: u32,
        /// Which way the PROBE went; this goes the other.
        direction: Direction,
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

impl Message for HirschbergSinclairMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Probe { .. } => "PROBE",
            Self::Reply { .. } => "REPLY",
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
    /// Looks further away: there is no greater id as near as this on either side.
    NextPhase {
        /// The phase that begins.
        phase: u32,
    },
    /// Passed a PROBE on: its id is greater.
    Greater {
        /// Whose.
        candidate: NodeId,
    },
    /// Answered a PROBE: its id is greater, and it has gone far enough.
    FarEnough {
        /// Whose.
        candidate: NodeId,
    },
    /// Swallowed a PROBE: its id is smaller.
    Swallowed {
        /// Whose.
        candidate: NodeId,
    },
    /// Is the coordinator: its PROBE has gone round the ring.
    CameBack,
    /// Is the coordinator: there is nobody else.
    Alone,
    /// Takes this one for the coordinator.
    Accepted {
        /// Who.
        leader: NodeId,
    },
    /// Everybody knows: what the coordinator said has come back.
    RoundOver,
    /// Ignored: of an older term or phase, or of an election that is over.
    Older {
        /// Its term.
        term: u64,
    },
    /// Ignored: it does not come from where it should, or nobody can have sent it so.
    Unexpected {
        /// Who sent it.
        from: NodeId,
    },
}
