//! The number of pending inputs of all nodes. It is needed after every report, so it must not cost a walk over all nodes.

use interlock_algorithm::NodeId;

/// The pending inputs of the nodes. A node is counted again only if it may have changed.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    counted: Vec<Counted>,
    /// The sum of the numbers in `counted`.
    total: usize,
    /// The nodes that may have changed since they were counted.
    changed: Vec<NodeId>,
}

/// The latest count of one node's pending inputs, and whether it may be outdated.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    pending: usize,
    is_outdated: bool,
}

impl UnderWay {
    /// Returns the count of nodes that have no inputs yet.
    pub fn new(nodes: usize) -> Self {
        Self { counted: vec![Counted::default(); nodes], total: 0, changed: Vec::new() }
    }

    /// Records that the pending inputs of a node may change, or that they may begin or cease to count.
    pub fn changed(&mut self, node: NodeId) {
        if let Some(counted) = self.counted.get_mut(node.index())
            && !std::mem::replace(&mut counted.is_outdated, true)
        {
            self.changed.push(node);
        }
    }

    /// Records that any node may have changed.
    pub fn all_changed(&mut self) {
        for index in 0..self.counted.len() {
            self.changed(NodeId(u32::try_from(index).unwrap_or(u32::MAX)));
        }
    }

    /// Returns the number of pending inputs of all nodes. `pending` returns those of one node that count.
    pub fn total(&self, pending: impl Fn(NodeId) -> usize) -> usize {
        let outdated: usize = self.changed.iter().map(|node| self.counted[node.index()].pending).sum();
        self.total - outdated + self.changed.iter().map(|node| pending(*node)).sum::<usize>()
    }

    /// Counts the nodes that may have changed.
    pub fn recount(&mut self, pending: impl Fn(NodeId) -> usize) {
        for node in self.changed.drain(..) {
            let now = Counted { pending: pending(node), is_outdated: false };
            let before = std::mem::replace(&mut self.counted[node.index()], now);
            self.total = self.total - before.pending + now.pending;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// With any number of nodes, only the nodes that may have changed are counted.
    #[test]
    fn a_count_looks_only_at_the_nodes_that_changed() {
        for nodes in [10, 1_000] {
            let (mut under_way, looked_at) = (UnderWay::new(nodes), Cell::new(0));
            let pending = |inputs: usize| {
                let looked_at = &looked_at;
                move |_| {
                    looked_at.set(looked_at.get() + 1);
                    inputs
                }
            };
            under_way.all_changed();
            under_way.recount(pending(3));
            assert_eq!((under_way.total(pending(0)), looked_at.take()), (3 * nodes, nodes));
            for _ in 0..2 {
                under_way.changed(NodeId(7));
            }
            assert_eq!((under_way.total(pending(5)), looked_at.take()), (3 * nodes + 2, 1));
            under_way.recount(pending(0));
            assert_eq!((under_way.total(pending(5)), looked_at.take()), (3 * nodes - 3, 1));
        }
    }
}
