//! The ring of all processes, without the suspected processes.

use crate::flat::FlatSet;
use crate::identity::NodeId;

/// The empty set of suspected processes.
pub(super) static NOBODY: FlatSet<NodeId> = FlatSet::new();

/// Returns the nearest process in the direction of `next` that is not suspected, or `None` if all others are suspected.
pub(super) fn nearest(
    me: NodeId,
    nodes: u32,
    suspected: &FlatSet<NodeId>,
    next: fn(NodeId, u32) -> NodeId,
) -> Option<NodeId> {
    let ring = core::iter::successors(Some(me), |&node| Some(next(node, nodes)));
    ring.skip(1).take_while(|&node| node != me).find(|node| !suspected.contains(node))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dead_are_passed_over_in_both_directions() {
        let around = |dead: &[u32]| {
            let dead = dead.iter().copied().map(NodeId).collect();
            [NodeId::successor, NodeId::predecessor].map(|next| nearest(NodeId(1), 4, &dead, next).map(|node| node.0))
        };
        assert_eq!(around(&[]), [Some(2), Some(0)]);
        assert_eq!(around(&[2, 3]), [Some(0); 2]);
        assert_eq!(around(&[0, 2]), [Some(3); 2]);
        assert_eq!(around(&[0, 2, 3]), [None; 2]);
    }
}
