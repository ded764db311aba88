//! Messages that the applications of nodes send to one another.

use serde::{Deserialize, Serialize};

/// The kind of a message between applications. No algorithm sends messages of this kind.
pub const TELL: &str = "TELL";

/// The body of a message between applications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// The sender's logical clock, if the algorithm of the sender has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// Whether the message asks the receiver to request its locks. A client that is not idle ignores the demand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks: bool,
    /// Time for which the receiver holds the locks that it then requests, in microseconds. If absent, the hold time
    /// of the receiver's client loop applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_us: Option<u64>,
}
