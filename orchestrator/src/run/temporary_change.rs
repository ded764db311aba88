//! Changes of a run that end by themselves.

use interlock_algorithm::NodeId;

/// A change of a run that ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporary {
    /// The partition of this number.
    Partition(u64),
    /// The targeted rule of this number.
    Rule(u64),
    /// The pause of a node.
    Pause {
        /// The node.
        node: NodeId,
        /// The `seq` of the event that reported it.
        told: u64,
    },
}
