//! Writes to a resource from outside the run, and reasons to reject them.

use interlock_algorithm::NodeId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A write to a resource by a user, a script, or a program that holds the lock of the resource.
///
/// If `read` is absent, the write does not depend on an earlier value. So it never causes another write to count as
/// lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// Name of the resource.
    pub resource: String,
    /// The new value.
    pub value: i64,
    /// Node on whose behalf the value is written. The node should be in the critical section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// Fencing token that the node got when it entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fence: Option<u64>,
    /// The earlier value from which the new value is computed. If another value was written after this value was
    /// read, the other value counts as lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<i64>,
    /// Version that the resource must have for the write to be accepted.
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
    /// Node on whose behalf the value was to be written; absent if the write named no node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// Reason for the rejection.
    pub why: RejectReason,
}

/// Reason for the rejection of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RejectReason {
    /// The fencing token of the write is older than the newest token that the resource has seen.
    Late {
        /// Fencing token of the write.
        fence: u64,
        /// Newest fencing token that the resource has seen.
        newest: u64,
    },
    /// The write has no fencing token, but earlier writes had fencing tokens.
    Unfenced {
        /// Newest fencing token that the resource has seen.
        newest: u64,
    },
    /// The resource has been written since the version that the write names.
    Changed {
        /// Version that the write names.
        named: u64,
        /// Current version of the resource.
        version: u64,
    },
}

impl RejectReason {
    /// Returns the words for the reason, as a clause that follows "since".
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
