//! Messages in transit, as tables of configurations show them.

use interlock_algorithm::NodeId;
use serde::Serialize;

/// A message in transit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InTransit {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// The message, with its kind and body.
    pub message: serde_json::Value,
}
