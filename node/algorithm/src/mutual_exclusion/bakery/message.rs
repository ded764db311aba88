//! What the processes of the bakery say, and why they do what they do.

use serde::{Deserialize, Serialize};

use crate::contract::Message;
use crate::identity::NodeId;

/// A variable of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variable {
    /// Whether the process is drawing a number: 0 or 1.
    Choosing,
    /// The number drawn; 0 if none.
    Number,
}

/// The messages by which variables are shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum BakeryMessage {
    /// Asks for a variable of the recipient.
    #[serde(rename = "READ")]
    Read {
        /// Which.
        variable: Variable,
    },
    /// The answer.
    #[serde(rename = "VALUE")]
    Value {
        /// Which.
        variable: Variable,
        /// What it is.
        value: u64,
    },
    /// A variable of the sender has changed.
    #[serde(rename = "WRITE")]
    Write {
        /// Which.
        variable: Variable,
        /// What it is now.
        value: u64,
    },
    /// The change is known here.
    #[serde(rename = "ACK")]
    Ack {},
}

impl Message for BakeryMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Read { .. } => "READ",
            Self::Value { .. } => "VALUE",
            Self::Write { .. } => "WRITE",
            Self::Ack {} => "ACK",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Drew a number: one more than the greatest seen.
    Drew {
        /// The number.
        number: u64,
    },
    /// Waits on: that process is drawing a number.
    StillChoosing {
        /// Which process.
        process: NodeId,
    },
    /// Waits on: that process is before this one.
    Before {
        /// Which process.
        process: NodeId,
        /// Its number.
        theirs: u64,
        /// One's own.
        ours: u64,
    },
    /// Entered: nobody is before this process.
    NobodyBefore {
        /// One's own number.
        ours: u64,
    },
    /// Waits on: that one has left the section is not known everywhere yet.
    StillLeaving,
    /// Ignored: no such answer is missing from there.
    Unexpected {
        /// Who sent it.
        from: NodeId,
    },
}
