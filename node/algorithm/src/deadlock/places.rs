//! The homes of the resources.

use crate::configuration::Configuration;
use crate::identity::{LockId, NodeId};

/// The numbers of processes and resources. The home of resource r is process r mod N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Number of processes, from 1.
    pub nodes: u32,
    /// Number of resources.
    pub locks: u32,
}

impl Places {
    /// Returns the numbers of a configuration.
    #[must_use]
    pub const fn of(configuration: &Configuration<'_>) -> Self {
        Self { nodes: configuration.nodes, locks: configuration.locks }
    }

    /// Returns the home of a resource.
    #[must_use]
    pub fn home(self, lock: LockId) -> NodeId {
        NodeId(lock.0.checked_rem(self.nodes).unwrap_or(0))
    }

    /// Whether the resource exists and this process is its home.
    #[must_use]
    pub fn is_home(self, node: NodeId, lock: LockId) -> bool {
        lock.0 < self.locks && self.home(lock) == node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resource_has_one_home_and_what_is_no_resource_has_none() {
        let places = Places { nodes: 3, locks: 5 };
        let homes: alloc::vec::Vec<_> = (0..5).map(|lock| places.home(LockId(lock)).0).collect();
        assert_eq!(homes, [0, 1, 2, 0, 1]);
        assert!(places.is_home(NodeId(1), LockId(4)));
        assert!(!places.is_home(NodeId(0), LockId(4)));
        assert!(!places.is_home(NodeId(2), LockId(5)), "there are resources 0 … 4");
    }
}
