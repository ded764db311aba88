//! Bounds of the processes of nodes.

use clap::Args;
use interlock_machine::wire::{Confinement, USUAL_MEMORY_MIB};

/// Options that bound the processes of nodes.
#[derive(Clone, Copy, Debug, Args)]
pub struct NodeBounds {
    /// Maximum memory that each process of a node may write to, in MiB; 0 means no bound
    #[arg(long, value_name = "MIB", default_value_t = USUAL_MEMORY_MIB, value_parser = clap::value_parser!(u64).range(..=16_777_216))]
    node_memory: u64,
    /// Let nodes do whatever you may: write files, reach the network, signal other processes
    #[arg(long, conflicts_with = "node_memory")]
    unconfined: bool,
}

impl Default for NodeBounds {
    fn default() -> Self {
        Self { node_memory: USUAL_MEMORY_MIB, unconfined: false }
    }
}

impl NodeBounds {
    /// Returns the confinement, or nothing if nodes are not confined.
    #[must_use]
    pub fn confinement(self) -> Option<Confinement> {
        let Self { node_memory, unconfined } = self;
        (!unconfined).then_some(Confinement { memory_bytes: (node_memory > 0).then_some(node_memory << 20) })
    }
}
