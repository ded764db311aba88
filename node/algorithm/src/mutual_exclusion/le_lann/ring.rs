//! The ring of those who are alive, as one process knows it.

use crate::flat::FlatSet;
use crate::prelude::*;

/// Whom a process passes over.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Ring {
    dead: FlatSet<NodeId>,
}

impl Ring {
    /// Cuts a process out; says whether it was in.
    pub fn cut_out(&mut self, node: NodeId) -> bool {
        self.dead.insert(node)
    }

    /// Takes a process in again; says whether it was out.
    pub fn take_in(&mut self, node: NodeId) -> bool {
        self.dead.remove(&node)
    }

    /// The next of so many who is not cut out: oneself if all others are.
    pub fn successor(&self, me: NodeId, nodes: u32) -> NodeId {
        self.following(me, |node| node.successor(nodes))
    }

    /// The one before who is not cut out.
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

    /// Who is cut out.
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
