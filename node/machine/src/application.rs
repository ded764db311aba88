//! Messages between the applications of nodes.

use serde::{Deserialize, Serialize};

/// The kind of a message between applications. Algorithms do not send it.
pub const TELL: &str = "TELL";

/// The body of a message between applications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// The logical clock of the sender, if its algorithm keeps one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// Whether the receiver requests its locks if it is idle.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks: bool,
    /// How long the receiver then holds them, in microseconds; as its loop says if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold_us: Option<u64>,
}
