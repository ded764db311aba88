//! What the processes of Sanders's algorithm say, and why they do what they do.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::contract::Message;
use crate::identity::NodeId;

/// The messages of the paper. Each names the request that it is about by its timestamp: a REQUEST its sender's, the
/// answers to it their recipient's. All but a REQUEST, which was made just now, carry the sender's clock besides: where
/// only some hear of requests, the clocks of the others would stay behind theirs, and pass for the older ones again and
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum SandersMessage {
    /// Asks for permission, everybody in the request set.
    #[serde(rename = "REQUEST")]
    Request {
        /// When the request was made.
        timestamp: u64,
    },
    /// Gives permission.
    #[serde(rename = "GRANT")]
    Grant {
        /// The request that is granted.
        timestamp: u64,
        /// The sender's clock.
        clock: u64,
    },
    /// The section has been left: tells everybody in the inform set.
    #[serde(rename = "RELEASE")]
    Release {
        /// The request that is done with.
        timestamp: u64,
        /// The sender's clock.
        clock: u64,
    },
    /// Asks for the permission back, if it is of no use there.
    #[serde(rename = "INQUIRE")]
    Inquire {
        /// The request that has the permission.
        timestamp: u64,
        /// The sender's clock.
        clock: u64,
    },
    /// An older request is known.
    #[serde(rename = "FAIL")]
    Fail {
        /// The request that must wait.
        timestamp: u64,
        /// The sender's clock.
        clock: u64,
    },
    /// Gives the permission back: others are missing.
    #[serde(rename = "YIELD")]
    Yield {
        /// The request that had the permission.
        timestamp: u64,
        /// The sender's clock.
        clock: u64,
    },
}

impl SandersMessage {
    /// The timestamp of the request that it is about.
    pub(super) const fn timestamp(self) -> u64 {
        match self {
            Self::Request { timestamp }
            | Self::Grant { timestamp, .. }
            | Self::Release { timestamp, .. }
            | Self::Inquire { timestamp, .. }
            | Self::Fail { timestamp, .. }
            | Self::Yield { timestamp, .. } => timestamp,
        }
    }

    /// The sender's clock.
    pub(super) const fn clock(self) -> u64 {
        match self {
            Self::Request { timestamp } => timestamp,
            Self::Grant { clock, .. }
            | Self::Release { clock, .. }
            | Self::Inquire { clock, .. }
            | Self::Fail { clock, .. }
            | Self::Yield { clock, .. } => clock,
        }
    }
}

impl Message for SandersMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Grant { .. } => "GRANT",
            Self::Release { .. } => "RELEASE",
            Self::Inquire { .. } => "INQUIRE",
            Self::Fail { .. } => "FAIL",
            Self::Yield { .. } => "YIELD",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Granted: and nobody else, until this process is informed that they have left.
    GrantedUntilInformed {
        /// The request granted.
        theirs: Timestamp,
    },
    /// Granted: they do not inform this process, so that others can be granted too.
    GrantedUninformed {
        /// The request granted.
        theirs: Timestamp,
    },
    /// Told a request that it must wait: an older one is known.
    FailedOlderKnown {
        /// The request that waits.
        theirs: Timestamp,
        /// The older one.
        older: Timestamp,
    },
    /// Asks for the permission back: an older request has come.
    InquiredForOlder {
        /// The older request.
        theirs: Timestamp,
        /// The one that has the permission.
        holder: Timestamp,
    },
    /// Queued: the permission has been asked back already.
    QueuedBehind {
        /// The request that waits.
        theirs: Timestamp,
        /// The one that has the permission.
        holder: Timestamp,
    },
    /// Nobody waits for permission.
    NobodyWaits,
    /// Entered: the whole request set has granted it.
    AllGranted,
    /// Gave a permission back: another is refused for now.
    YieldedAsFailed {
        /// Whose permission.
        to: NodeId,
    },
    /// Keeps a permission that is asked back, for now: no other is refused yet.
    KeptUndecided {
        /// Whose permission.
        from: NodeId,
    },
    /// Keeps a permission that is asked back: this process is in the section.
    KeptInSection {
        /// Whose permission.
        from: NodeId,
    },
    /// The permission asked back has not arrived yet.
    InquiredBeforeGrant {
        /// Whose permission.
        from: NodeId,
    },
    /// Ignored: the message is about a request that is done with, or never was.
    Outdated {
        /// Who sent it.
        from: NodeId,
        /// The timestamp of that request.
        timestamp: u64,
    },
    /// Ignored: no member of one's own request set.
    NotInRequestSet {
        /// Who sent it.
        from: NodeId,
    },
}
