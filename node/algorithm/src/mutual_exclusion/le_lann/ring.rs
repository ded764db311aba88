//! The ring of live processes, as one process knows it.

use crate::prelude::*;

/// The suspected processes that this process passes over.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Ring {
    dead: FlatSet<NodeId>,
}

impl Ring {
    /// Removes a process from the ring, and returns whether it was a member.
    pub fn cut_out(&mut self, node: NodeId) -> bool {
        self.dead.insert(node)
    }

    /// Adds a process to the ring again, and returns whether it was not a member.
    pub fn take_in(&mut self, node: NodeId) -> bool {
        self.dead.remove(&node)
    }

    /// Returns the next member of the ring of `nodes` processes, or `me` if there is no other member.
    pub fn successor(&self, me: NodeId, nodes: u32) -> NodeId {
        self.following(me, |node| node.successor(nodes))
    }

    /// Returns the previous member of the ring, or `me` if there is no other member.
    pub fn predecessor(&self, me: NodeId, nodes: u32) -> NodeId {
        self.following(me, |node| node.predecessor(nodes))
    }

    fn following(&self, me: NodeId, next: impl Fn(NodeId) -> NodeId) -> NodeId {
        let mut node = next(me);
        while node != me && self.dead.contains(&node) {
            node = next(node);
        }
        node
    }

    /// Returns the processes that are not members of the ring.
    pub const fn dead(&self) -> &FlatSet<NodeId> {
        &self.dead
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dead_are_passed_over_in_both_directions() {
        let (mut ring, me) = (Ring::default(), NodeId(1));
        assert_eq!((ring.successor(me, 4), ring.predecessor(me, 4)), (NodeId(2), NodeId(0)));
        assert!(ring.cut_out(NodeId(2)) && ring.cut_out(NodeId(3)) && !ring.cut_out(NodeId(3)));
        assert_eq!((ring.successor(me, 4), ring.predecessor(me, 4)), (NodeId(0), NodeId(0)));
        ring.cut_out(NodeId(0));
        assert_eq!((ring.successor(me, 4), ring.predecessor(me, 4)), (me, me));
        assert!(ring.take_in(NodeId(3)) && !ring.take_in(NodeId(3)));
        assert_eq!((ring.successor(me, 4), ring.predecessor(me, 4)), (NodeId(3), NodeId(3)));
    }
}
