//! What a client asks of a service that its node offers together with others, and what it is told: echo, numbers that are
//! given once, values that come to everybody, a store of keys and values.
//!
//! They are those of the workloads of Maelstrom (Kingsbury, `doc/workloads.md`).

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// What a client asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// What is under a key.
    Read {
        /// The key.
        key: u64,
    },
    /// A value is put under a key.
    Write {
        /// The key.
        key: u64,
        /// The value.
        value: i64,
    },
    /// A value is put under a key if another one is there.
    CompareAndSet {
        /// The key.
        key: u64,
        /// What must be there.
        from: i64,
        /// What is put there then.
        to: i64,
    },
    /// The same text is wanted back.
    Echo {
        /// The text.
        text: String,
    },
    /// A name that nobody else is given, ever.
    Generate {},
    /// A value is to come to all nodes.
    Broadcast {
        /// The value, which nobody else broadcasts.
        value: u64,
    },
    /// Which values have come to the node.
    ReadAll {},
}

impl Operation {
    /// Whether it may have an effect, also where nobody learns of it.
    #[must_use]
    pub const fn changes_something(&self) -> bool {
        matches!(self, Self::Write { .. } | Self::CompareAndSet { .. } | Self::Broadcast { .. })
    }
}

/// What a client is told.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// It is done.
    Done {},
    /// The value under the key; none if nothing was ever put there.
    Value(Option<i64>),
    /// A text, or the name that was given.
    Text(String),
    /// The values that have come to the node, in any order.
    Values(Vec<u64>),
    /// It is not done, and will not be.
    Refused {
        /// Why, as a number of Maelstrom's protocol.
        code: u64,
    },
    /// Nobody knows whether it is done, or will be: no answer has come in time.
    Unknown {},
}

impl Response {
    /// Whether what was asked for is done, or told.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        !matches!(self, Self::Refused { .. } | Self::Unknown {})
    }
}
