//! Writes to a resource from outside the run, and reasons to reject them.

use interlock_algorithm::NodeId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A write to a resource by a user, a script, or a program that holds the lock of the resource.
///
/// Without `read`, the value does not depend on an earlier one, so no write counts as lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// Name of the resource.
    pub resource: String,
    /// The new value.
    pub value: i64,
    /// Node on whose behalf the value is written. That node should be in the critical section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// Fencing token of that node's entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fence: Option<u64>,
    /// The value that was read before and from which the new one is computed. Values written since count as lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<i64>,
    /// Version that the resource must still have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

/// A rejected write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Rejection {
    /// Name of the resource.
    pub resource: String,
    /// The value that was not written.
    pub value: i64,
    /// Node on whose behalf the value was to be written, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// Reason for the rejection.
    pub why: RejectReason,
}

/// Reason for the rejection of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RejectReason {
    /// The fencing token of the write is older than the newest that the resource has seen.
    Late {
        /// Fencing token of the write.
        fence: u64,
        /// Newest fencing token that the resource has seen.
        newest: u64,
    },
    /// The write has no fencing token, but earlier writes had one.
    Unfenced {
        /// Newest fencing token that the resource has seen.
        newest: u64,
    },
    /// The resource has been written since the named version.
    Changed {
        /// Version that the write names.
        named: u64,
        /// Current version of the resource.
        version: u64,
    },
}

impl RejectReason {
    /// Returns the words for the reason; they follow "since".
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Late { fence, newest } => {
                format!("its fencing token {fence} is older than {newest}, the newest seen")
            }
            Self::Unfenced { newest } => format!("it has no fencing token, and the newest seen is {newest}"),
            Self::Changed { named, version } => {
                format!("version {named} is outdated: the resource has version {version} now")
            }
        }
    }
}
