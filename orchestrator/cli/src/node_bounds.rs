//! Options that limit what the processes of nodes may use.

use std::fmt;
use std::str::FromStr;

use clap::Args;
use interlock_machine::wire::{Confinement, USUAL_MEMORY_MIB};
use interlock_model::size::{Size, SizeError};

/// Maximum memory of a process, or no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryBound(Option<Size>);

/// Options that bound the processes of nodes.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct NodeBounds {
    /// Maximum memory that each process of a node may write to, such as 512MiB; 0 means no bound
    #[arg(long, value_name = "SIZE", default_value_t)]
    node_memory: MemoryBound,
    /// Do not confine the nodes: they may do whatever you may do, such as write files, reach the network and signal
    /// other processes
    #[arg(long, conflicts_with = "node_memory")]
    unconfined: bool,
}

impl Default for MemoryBound {
    fn default() -> Self {
        Self(Size::mebibytes(USUAL_MEMORY_MIB))
    }
}

impl FromStr for MemoryBound {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        if text == "0" { Ok(Self(None)) } else { text.parse().map(|size| Self(Some(size))) }
    }
}

impl fmt::Display for MemoryBound {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(size) => size.fmt(to),
            None => to.write_str("0"),
        }
    }
}

impl NodeBounds {
    /// Returns the confinement of nodes, or none if nodes are not confined.
    #[must_use]
    pub fn confinement(self) -> Option<Confinement> {
        let Self { node_memory: MemoryBound(size), unconfined } = self;
        (!unconfined).then_some(Confinement { memory_bytes: size.map(|size| size.bytes) })
    }
}
