//! Identifiers of nodes, locks and requests, and the unit of time.

use core::fmt;

use serde::{Deserialize, Serialize};

/// A node of a run: 0 … N−1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub u32);

impl NodeId {
    /// Returns the index of this node in a list indexed by node.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns all nodes of a run of `nodes` processes, in order.
    pub fn all(nodes: u32) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..nodes).map(Self)
    }

    /// Returns the next node in a ring of `nodes` processes.
    #[must_use]
    pub const fn successor(self, nodes: u32) -> Self {
        Self(if self.0.saturating_add(1) < nodes { self.0 + 1 } else { 0 })
    }

    /// Returns the previous node in a ring of `nodes` processes.
    #[must_use]
    pub const fn predecessor(self, nodes: u32) -> Self {
        Self(if self.0 == 0 { nodes.saturating_sub(1) } else { self.0 - 1 })
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "P{}", self.0)
    }
}

/// A lock of a run, numbered from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LockId(pub u32);

impl LockId {
    /// Whether this is lock 0. Output omits lock 0, because an algorithm with a single lock uses it.
    #[must_use]
    pub const fn is_first(&self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for LockId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

/// A request of one node for a lock. Each node counts its own requests from 1, across all its incarnations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(pub u64);

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

/// The number of a proposal, unique to one proposer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Ballot {
    /// The round, from 1. It is compared first.
    pub round: u64,
    /// The proposer. If the rounds are equal, the ballot with the larger proposer is newer.
    pub proposer: NodeId,
}

impl fmt::Display for Ballot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.round, self.proposer.0)
    }
}

/// A length of time in thousandths of the time unit: microseconds in a live run.
pub type Ticks = u64;
