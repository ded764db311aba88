//! What the processes of Maekawa's algorithm say, and why they do what they do.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::contract::Message;
use crate::identity::NodeId;

/// The messages of the paper. Each names the request that it is about by its timestamp: a REQUEST its sender's, the
/// answers of an arbiter their recipient's. All but a REQUEST, which was made just now, carry the sender's clock besides:
/// with voting sets of uneven sizes an arbiter hears of many requests, those in small sets of few, and whose clock stays
/// behind would pass for the older one again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum MaekawaMessage {
    /// Asks an arbiter for its vote.
    #[serde(rename = "REQUEST")]
    Request {
        /// When the request was made.
        timestamp: u64,
    },
    /// The arbiter votes for this request.
    #[serde(rename = "LOCKED")]
    Locked {
        /// The request voted for.
        timestamp: u64,
        /// The sender's clock.
        clock: u64,
    },
    /// The arbiter knows of a better request.
    #[serde(rename = "FAILED")]
    Failed {
        /// The request that must wait.
        timestamp: u64,
        /// The sender's clock.
        clock: u64,
    },
    /// The arbiter asks for its vote back, if it is of no use there.
    #[serde(rename = "INQUIRE")]
    Inquire {
        /// The request that has the vote.
        timestamp: u64,
        /// The sender's clock.
        clock: u64,
    },
    /// Gives the vote back: other votes are missing.
    #[serde(rename = "RELINQUISH")]
    Relinquish {
        /// The request that had the vote.
        timestamp: u64,
        /// The sender's clock.
        clock: u64,
    },
    /// Gives the vote back: the section has been left.
    #[serde(rename = "RELEASE")]
    Release {
        /// The request that is done with.
        timestamp: u64,
        /// The sender's clock.
        clock: u64,
    },
}

impl MaekawaMessage {
    /// The timestamp of the request that it is about.
    pub(super) const fn timestamp(self) -> u64 {
        match self {
            Self::Request { timestamp }
            | Self::Locked { timestamp, .. }
            | Self::Failed { timestamp, .. }
            | Self::Inquire { timestamp, .. }
            | Self::Relinquish { timestamp, .. }
            | Self::Release { timestamp, .. } => timestamp,
        }
    }

    /// The sender's clock.
    pub(super) const fn clock(self) -> u64 {
        match self {
            Self::Request { timestamp } => timestamp,
            Self::Locked { clock, .. }
            | Self::Failed { clock, .. }
            | Self::Inquire { clock, .. }
            | Self::Relinquish { clock, .. }
            | Self::Release { clock, .. } => clock,
        }
    }
}

impl Message for MaekawaMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Locked { .. } => "LOCKED",
            Self::Failed { .. } => "FAILED",
            Self::Inquire { .. } => "INQUIRE",
            Self::Relinquish { .. } => "RELINQUISH",
            Self::Release { .. } => "RELEASE",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Voted: this process had its vote.
    VotedFree {
        /// The request voted for.
        theirs: Timestamp,
    },
    /// Voted: the vote has come back, and this is the best request that waits for it.
    VotedBest {
        /// The request voted for.
        theirs: Timestamp,
    },
    /// Told a request that it must wait: a better one is known.
    FailedBetterKnown {
        /// The request that waits.
        theirs: Timestamp,
        /// A better one.
        better: Timestamp,
    },
    /// Asks for the vote back: a better request has come.
    InquiredForBetter {
        /// The better request.
        theirs: Timestamp,
        /// The one that has the vote.
        holder: Timestamp,
    },
    /// Queued: the vote has been asked back already, or is never asked back.
    QueuedBehind {
        /// The request that waits.
        theirs: Timestamp,
        /// The one that has the vote.
        holder: Timestamp,
    },
    /// Nobody waits for the vote.
    NobodyWaits,
    /// Entered: the whole set has voted for this process.
    AllVoted,
    /// Gave a vote back: another vote is refused for now.
    RelinquishedAsFailed {
        /// Whose vote.
        to: NodeId,
    },
    /// Keeps a vote that is asked back, for now: no other is refused yet.
    KeptUndecided {
        /// Whose vote.
        from: NodeId,
    },
    /// Keeps a vote that is asked back: this process is in the section.
    KeptInSection {
        /// Whose vote.
        from: NodeId,
    },
    /// The vote asked back has not arrived yet.
    InquiredBeforeLocked {
        /// Whose vote.
        from: NodeId,
    },
    /// Ignored: the message is about a request that is done with, or never was.
    Outdated {
        /// Who sent it.
        from: NodeId,
        /// The timestamp of that request.
        timestamp: u64,
    },
    /// Ignored: no member of one's own voting set.
    NotInSet {
        /// Who sent it.
        from: NodeId,
    },
}
