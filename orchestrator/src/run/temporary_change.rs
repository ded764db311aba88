//! Changes of a run that end by themselves.

use interlock_algorithm::NodeId;

/// A change of a run that ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporary {
    /// A partition, by its number.
    Partition(u64),
    /// A targeted rule, by its number.
    Rule(u64),
    /// The pause of a node.
    Pause {
        /// The node.
        node: NodeId,
        /// The `seq` of the event that reported it.
        told: u64,
    },
}
