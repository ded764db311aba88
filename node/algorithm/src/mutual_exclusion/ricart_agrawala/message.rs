//! What the processes of Ricart and Agrawala's algorithm say, and why they do what they do.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::contract::Message;
use crate::identity::NodeId;

/// The messages of the paper, section 2.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum RicartAgrawalaMessage {
    /// Asks for permission.
    #[serde(rename = "REQUEST")]
    Request {
        /// When the request was made, in logical time; or its sequence number.
        clock: u64,
        /// Whose it is.
        process: NodeId,
    },
    /// Gives permission.
    #[serde(rename = "REPLY")]
    Reply {
        /// The sender's clock, where every message carries it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<u64>,
    },
}

impl Message for RicartAgrawalaMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Reply { .. } => "REPLY",
        }
    }
}

/// Why a request was answered as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Replied: this process does not want the section.
    RepliedIdle {
        /// Whose request it was.
        to: NodeId,
    },
    /// Replied: the other request is older than one's own.
    RepliedOlder {
        /// The other request.
        theirs: Timestamp,
        /// One's own.
        ours: Timestamp,
    },
    /// Replied: the other request is of the same time as one's own.
    RepliedAtTie {
        /// The other request.
        theirs: Timestamp,
        /// One's own.
        ours: Timestamp,
    },
    /// Deferred: the other request is of the same time as one's own.
    DeferredAtTie {
        /// The other request.
        theirs: Timestamp,
        /// One's own.
        ours: Timestamp,
    },
    /// Deferred: this process is in the section.
    DeferredInSection {
        /// Whose request it was.
        to: NodeId,
    },
    /// Deferred: one's own request is older.
    DeferredYounger {
        /// The other request.
        theirs: Timestamp,
        /// One's own.
        ours: Timestamp,
    },
    /// Entered: everybody has replied.
    EveryoneReplied,
    /// Ignored: no reply from there was missing (a duplicate, or to a request of an earlier life).
    UnexpectedReply {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: the reply is older than the request, so it belongs to an earlier one.
    LateReply {
        /// Who sent it.
        from: NodeId,
        /// When it was sent, by its sender's clock.
        sent: u64,
        /// One's own request.
        ours: Timestamp,
    },
    /// Ignored: there is no such number, since numbers are kept modulo another.
    NoSuchNumber {
        /// Who sent it.
        from: NodeId,
        /// The number.
        number: u64,
    },
    /// Ignored: the request is said to be another process's than its sender's.
    NotItsSender {
        /// Who sent it.
        from: NodeId,
        /// Whose request it is said to be.
        process: NodeId,
    },
}
