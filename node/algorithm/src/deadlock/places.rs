//! Where the resources are kept.

use crate::configuration::Configuration;
use crate::identity::{LockId, NodeId};

/// How many processes and resources there are. Resource r is at home at process r mod N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// The number of processes, from 1.
    pub nodes: u32,
    /// The number of resources.
    pub locks: u32,
}

impl Places {
    /// Those of a configuration.
    #[must_use]
    pub const fn of(configuration: &Configuration<'_>) -> Self {
        Self { nodes: configuration.nodes, locks: configuration.locks }
    }

    /// The process that keeps a resource.
    #[must_use]
    pub fn home(self, lock: LockId) -> NodeId {
        NodeId(lock.0.checked_rem(self.nodes).unwrap_or(0))
    }

    /// Whether there is such a resource, and this process keeps it.
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
