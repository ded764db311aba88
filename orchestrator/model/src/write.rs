//! A write to a resource from outside, and the reasons to reject it.

use interlock_algorithm::NodeId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What somebody writes into a resource: a person, a script, or a program that has got the lock for it.
///
/// Without `read` the value stands for itself, and nothing counts as lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// Into which.
    pub resource: String,
    /// What is to be in it.
    pub value: i64,
    /// On behalf of which node: that one should be in the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// The fencing token of that node's entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fence: Option<u64>,
    /// The value that was read before and from which this one is made: what was written meanwhile is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<i64>,
    /// The version that the resource must still have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

/// A write that was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Rejection {
    /// Into which resource.
    pub resource: String,
    /// What would be in it.
    pub value: i64,
    /// On behalf of which node, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// Why.
    pub why: RejectReason,
}

/// Why a write is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RejectReason {
    /// It bears an older fencing token than the newest that the resource has seen.
    Late {
        /// Its own.
        fence: u64,
        /// The newest.
        newest: u64,
    },
    /// It bears no fencing token, and others did.
    Unfenced {
        /// The newest.
        newest: u64,
    },
    /// Another was done since that version.
    Changed {
        /// Which version it names.
        named: u64,
        /// Which there is.
        version: u64,
    },
}

impl RejectReason {
    /// Returns the words for it; they follow "since".
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Late { fence, newest } => {
                format!("its fencing token {fence} is older than {newest}, the newest seen")
            }
            Self::Unfenced { newest } => format!("it bears no fencing token, and the newest seen is {newest}"),
            Self::Changed { named, version } => {
                format!("version {named} is there no more: it has been written since, to version {version}")
            }
        }
    }
}
