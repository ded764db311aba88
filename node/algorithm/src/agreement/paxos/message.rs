//! The messages and reasons of Paxos.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::agreement::acceptor::Proposal;
use crate::contract::Message;
use crate::identity::{Ballot, NodeId};

/// The messages of the paper.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum PaxosMessage {
    /// A proposer asks the acceptors to accept nothing older.
    #[serde(rename = "PREPARE")]
    Prepare {
        /// The number of the proposal.
        ballot: Ballot,
    },
    /// An acceptor promises so.
    #[serde(rename = "PROMISE")]
    Promise {
        /// The number of the proposal.
        ballot: Ballot,
        /// The proposal that it accepted last, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        accepted: Option<Proposal<String>>,
    },
    /// A proposer asks the acceptors to accept a value.
    #[serde(rename = "ACCEPT")]
    Accept {
        /// The number of the proposal.
        ballot: Ballot,
        /// The value.
        value: String,
    },
    /// An acceptor tells the learners what it has accepted.
    #[serde(rename = "ACCEPTED")]
    Accepted {
        /// The number of the proposal; left out by `accepted-without-number`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ballot: Option<Ballot>,
        /// The value.
        value: String,
    },
}

impl Message for PaxosMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Prepare { .. } => "PREPARE",
            Self::Promise { .. } => "PROMISE",
            Self::Accept { .. } => "ACCEPT",
            Self::Accepted { .. } => "ACCEPTED",
        }
    }
}

/// Why a node did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Promised: no newer ballot was promised before.
    Promises {
        /// The ballot.
        ballot: Ballot,
    },
    /// Accepted: no newer ballot was promised before.
    Accepts {
        /// The ballot.
        ballot: Ballot,
    },
    /// Ignored: a newer ballot was promised.
    Older {
        /// The ballot that is ignored.
        ballot: Ballot,
        /// The one promised.
        promised: Ballot,
    },
    /// Said again: the request is a copy.
    Repeated {
        /// The ballot.
        ballot: Ballot,
    },
    /// Asks for its own value: nobody in the quorum has accepted any.
    OwnValue {
        /// The ballot.
        ballot: Ballot,
    },
    /// Asks for the value that was accepted with the highest number, instead of its own.
    Adopts {
        /// The ballot.
        ballot: Ballot,
        /// The one with which it was accepted.
        accepted: Ballot,
    },
    /// Ignored: a promise for a ballot that needs none, or needs no more.
    NotNeeded {
        /// Who sent it.
        from: NodeId,
    },
    /// Chosen: so many have accepted it.
    Chosen {
        /// How many.
        acceptors: u32,
    },
    /// Tries a higher ballot: nothing was heard of an outcome.
    TimedOut {
        /// The ballot given up.
        ballot: Ballot,
    },
    /// Gives up: there is no higher round.
    NoHigherBallot,
    /// Ignored: with this ballot another value was accepted, and no proposer asks for two.
    AnotherValue {
        /// The ballot.
        ballot: Ballot,
    },
    /// Ignored: the ballot is not that of the sender.
    NotItsBallot {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: it is for acceptors, or learners, and this node is none, or it is not from an acceptor.
    NotItsRole {
        /// Who sent it.
        from: NodeId,
    },
}
