//! Temporary changes of a run.

use interlock_algorithm::NodeId;

/// A change of a run that is undone automatically.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporary {
    /// A partition, identified by its number.
    Partition(u64),
    /// A targeted rule, identified by its number.
    Rule(u64),
    /// The pause of a node.
    Pause {
        /// The node.
        node: NodeId,
        /// The `seq` of the event that reported the pause.
        told: u64,
    },
}
