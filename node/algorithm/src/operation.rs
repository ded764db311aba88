//! Operations of a service that all nodes offer together, and the responses to clients. The services are echo, unique
//! ids, broadcast, and a key-value store.
//!
//! These are the operations of Maelstrom's workloads (Kingsbury, `doc/workloads.md`).

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// An operation that a client requests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Read the value of a key.
    Read {
        /// The key.
        key: u64,
    },
    /// Write a value to a key.
    Write {
        /// The key.
        key: u64,
        /// The value.
        value: i64,
    },
    /// Write a value to a key if the key has an expected value.
    CompareAndSet {
        /// The key.
        key: u64,
        /// The expected value.
        from: i64,
        /// The new value.
        to: i64,
    },
    /// Return the same text.
    Echo {
        /// The text.
        text: String,
    },
    /// Generate a unique name, which is different for each request.
    Generate {},
    /// Broadcast a value to all nodes.
    Broadcast {
        /// The value. No other request broadcasts the same value.
        value: u64,
    },
    /// Read all values that have reached the node.
    ReadAll {},
}

impl Operation {
    /// Whether the operation may have an effect although no client receives a response.
    #[must_use]
    pub const fn changes_something(&self) -> bool {
        matches!(self, Self::Write { .. } | Self::CompareAndSet { .. } | Self::Broadcast { .. })
    }
}

/// A response to a client.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Response {
    /// The operation is done.
    Done {},
    /// The value of the key; none if no value was ever written.
    Value(Option<i64>),
    /// A text, or the generated name.
    Text(String),
    /// The values that have reached the node, in any order.
    Values(Vec<u64>),
    /// The operation was not executed and will never be.
    Refused {
        /// The error code of Maelstrom's protocol.
        code: u64,
    },
    /// No answer arrived in time, so it is unknown whether the operation was or will be executed.
    Unknown {},
}

impl Response {
    /// Whether the operation was certainly executed.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        !matches!(self, Self::Refused { .. } | Self::Unknown {})
    }
}
