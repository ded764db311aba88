//! Quorums along the paths of a binary tree: Agrawala and El Abbadi 1991, "An Efficient and Fault-Tolerant Solution for
//! Distributed Mutual Exclusion", ACM TOCS 9(1), section 3.
//!
//! The processes form a complete binary tree. Process 0 is the root, and process i has the children 2i + 1 and
//! 2i + 2. A path from the root to a leaf is a quorum. If a process on the path has crashed, two paths replace it, one
//! from each of its children. So every two quorums intersect, whichever processes were suspected when they were
//! formed. The more processes have crashed, the larger the quorums become.

use crate::flat::FlatSet;
use crate::identity::NodeId;

/// The quorums of processes 0 … `nodes` − 1.
#[derive(Clone, Copy, Debug)]
pub struct QuorumTree<'a> {
    /// Number of processes.
    pub nodes: u32,
    /// The crashed processes.
    pub dead: &'a FlatSet<NodeId>,
    /// Whether one path below a crashed process is enough. Two quorums may then not intersect.
    pub takes_half: bool,
}

impl QuorumTree<'_> {
    /// Returns a quorum for `owner`; none if too many processes have crashed. If possible, the path contains `owner`.
    #[must_use]
    pub fn quorum(&self, owner: NodeId) -> Option<FlatSet<NodeId>> {
        self.below(0, owner.0)
    }

    fn below(&self, top: u32, owner: u32) -> Option<FlatSet<NodeId>> {
        let [left, right] = [1, 2].map(|side| top.saturating_mul(2).saturating_add(side));
        let order = if Self::prefers_right(top, owner) { [right, left] } else { [left, right] };
        let mut paths =
            order.into_iter().filter(|child| *child < self.nodes).map(|child| self.below(child, owner)).peekable();
        if paths.peek().is_none() {
            return (!self.dead.contains(&NodeId(top))).then(|| FlatSet::from([NodeId(top)]));
        }
        if !self.dead.contains(&NodeId(top)) {
            let mut path = paths.flatten().next()?;
            path.insert(NodeId(top));
            return Some(path);
        }
        if self.takes_half {
            return paths.flatten().next();
        }
        paths.try_fold(FlatSet::new(), |quorum, path| Some(quorum.union(&path?)))
    }

    /// Whether the path from `top` tries the right child first. This is true if `owner` is in the right subtree. If
    /// `owner` is in neither subtree, its number selects the side, so that not all owners choose the same side.
    fn prefers_right(top: u32, owner: u32) -> bool {
        let mut node = owner;
        while node > top {
            let above = (node - 1) / 2;
            if above == top {
                return node.is_multiple_of(2);
            }
            node = above;
        }
        owner.is_multiple_of(2)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn sets(nodes: u32) -> Vec<FlatSet<NodeId>> {
        (0..1_u32 << nodes).map(|bits| NodeId::all(nodes).filter(|node| bits >> node.0 & 1 == 1).collect()).collect()
    }

    /// Returns all quorums that any process forms with any set of suspected processes.
    fn quorums(nodes: u32, takes_half: bool) -> FlatSet<FlatSet<NodeId>> {
        let dead = sets(nodes);
        let formed = dead.iter().flat_map(|dead| {
            NodeId::all(nodes).filter_map(move |owner| QuorumTree { nodes, dead, takes_half }.quorum(owner))
        });
        formed.collect()
    }

    #[test]
    fn every_two_meet_whoever_takes_whom_for_dead() {
        for nodes in 1..=8 {
            let all = quorums(nodes, false);
            for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other))) {
                assert!(!one.is_disjoint(other), "{nodes}: {one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn with_one_path_below_the_dead_two_miss_each_other() {
        let all = quorums(3, true);
        assert!(all.iter().any(|one| all.iter().any(|other| one.is_disjoint(other))), "{all:?}");
    }

    #[test]
    fn a_quorum_is_a_path_through_its_owner_while_all_live() {
        let dead = FlatSet::new();
        for nodes in 1..=100 {
            let tree = QuorumTree { nodes, dead: &dead, takes_half: false };
            for owner in NodeId::all(nodes) {
                let quorum = tree.quorum(owner).expect("all live");
                assert!(quorum.contains(&owner) && quorum.contains(&NodeId(0)), "{nodes}: {owner} {quorum:?}");
                assert!(quorum.len() <= nodes.ilog2() as usize + 1, "{nodes}: {owner} {quorum:?}");
            }
        }
    }

    #[test]
    fn the_more_are_dead_the_larger_it_becomes_until_there_is_none() {
        let quorum = |dead: &[u32]| {
            let dead = dead.iter().copied().map(NodeId).collect();
            let found = QuorumTree { nodes: 7, dead: &dead, takes_half: false }.quorum(NodeId(6));
            found.map(|quorum| quorum.into_iter().map(|node| node.0).collect::<Vec<_>>())
        };
        assert_eq!(quorum(&[]), Some([0, 2, 6].into()));
        assert_eq!(quorum(&[6]), Some([0, 2, 5].into()));
        assert_eq!(quorum(&[0]), Some([1, 2, 4, 6].into()));
        assert_eq!(quorum(&[0, 1, 2]), Some([3, 4, 5, 6].into()));
        assert_eq!(quorum(&[0, 1, 3]), None, "a leaf below two who are dead");
    }
}
