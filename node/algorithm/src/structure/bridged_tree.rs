//! A tree in which some nodes have crashed. Bridges across the gaps that they leave keep the tree connected.
//!
//! A gap is a connected part of the tree in which all nodes have crashed. The centre of a gap is the live node next
//! to the gap that is nearest to the root. Of equally near nodes, the smallest is the centre. All other live nodes
//! next to the gap are joined to the centre.
//!
//! So the live nodes form a tree that depends only on the set of crashed nodes, not on the order of notifications. Any
//! other node next to a gap is below the gap, or not nearer to the root than the centre. If such a node crashes and
//! the gap grows, the centre therefore stays the same as long as the centre is live.

use alloc::vec;

use super::tree::Tree;
use crate::flat::FlatSet;
use crate::identity::NodeId;

/// A tree, and the nodes of it that have crashed.
#[derive(Clone, Copy, Debug)]
pub struct BridgedTree<'a> {
    /// The tree before any crash.
    pub tree: &'a Tree,
    /// The distance of each node from the root before any crash.
    pub depths: &'a [u32],
    /// The crashed nodes.
    pub dead: &'a FlatSet<NodeId>,
}

impl BridgedTree<'_> {
    /// Whether two live nodes are neighbours.
    #[must_use]
    pub fn are_neighbours(&self, node: NodeId, other: NodeId) -> bool {
        self.tree.neighbours(node).contains(&other) || !self.dead.is_empty() && self.neighbours(node).contains(&other)
    }

    /// Returns the live neighbours of a live node.
    #[must_use]
    pub fn neighbours(&self, node: NodeId) -> FlatSet<NodeId> {
        let mut neighbours = self.leaves(node);
        for &beside in self.tree.neighbours(node) {
            let joined = if self.dead.contains(&beside) { self.centre(beside) } else { Some(beside) };
            neighbours.extend(joined.filter(|joined| *joined != node));
        }
        neighbours
    }

    /// Returns the nodes that are joined to the live node `node` because it is the centre of a gap.
    #[must_use]
    pub fn leaves(&self, node: NodeId) -> FlatSet<NodeId> {
        let beside = self.tree.neighbours(node).iter().filter(|beside| self.dead.contains(beside));
        let gaps = beside.map(|&beside| self.around(beside)).filter(|around| self.nearest(around) == Some(node));
        gaps.flatten().filter(|leaf| *leaf != node).collect()
    }

    /// Returns the centre of the gap that contains a crashed node; none if no node next to the gap is live.
    #[must_use]
    pub fn centre(&self, dead: NodeId) -> Option<NodeId> {
        self.nearest(&self.around(dead))
    }

    fn nearest(&self, around: &FlatSet<NodeId>) -> Option<NodeId> {
        around.iter().copied().min_by_key(|node| (self.depths.get(node.index()).copied(), *node))
    }

    /// Returns the live nodes next to the gap that contains a crashed node.
    fn around(&self, dead: NodeId) -> FlatSet<NodeId> {
        let (mut around, mut gap, mut open) = (FlatSet::new(), FlatSet::from([dead]), vec![dead]);
        while let Some(node) = open.pop() {
            for &next in self.tree.neighbours(node) {
                if !self.dead.contains(&next) {
                    around.insert(next);
                } else if gap.insert(next) {
                    open.push(next);
                }
            }
        }
        around
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::vec::Vec;

    use super::*;

    const NODES: u32 = 7;

    /// Trees of many shapes, with the depths of their nodes.
    fn trees() -> Vec<(Tree, Vec<u32>)> {
        let forms = ["line", "star", "binary", "edges:3-0,0-1,3-2,3-4,4-5,4-6"].map(Into::into);
        let all = forms.into_iter().chain((0..20).map(|seed| format!("random:{seed}")));
        let trees = all.map(|form| Tree::parse(&form, NODES).expect("a tree"));
        trees.map(|tree| (tree.distances(NodeId(0)), tree)).map(|(depths, tree)| (tree, depths)).collect()
    }

    /// Returns all sets of crashed nodes that leave at least one node live.
    fn deaths() -> impl Iterator<Item = FlatSet<NodeId>> {
        let members = |bits: u32| NodeId::all(NODES).filter(|node| bits >> node.0 & 1 == 1).collect();
        (0..(1_u32 << NODES) - 1).map(members)
    }

    fn living(dead: &FlatSet<NodeId>) -> impl Iterator<Item = NodeId> {
        NodeId::all(NODES).filter(|node| !dead.contains(node))
    }

    /// Runs a check on every tree with every set of crashed nodes.
    fn everywhere(check: impl Fn(BridgedTree<'_>)) {
        for (tree, depths) in &trees() {
            for dead in deaths() {
                check(BridgedTree { tree, depths, dead: &dead });
            }
        }
    }

    #[test]
    fn the_living_form_a_tree() {
        everywhere(|bridged| {
            let first = living(bridged.dead).next().expect("somebody alive");
            let (mut reached, mut open, mut ends) = (FlatSet::from([first]), vec![first], 0);
            while let Some(node) = open.pop() {
                let neighbours = bridged.neighbours(node);
                ends += neighbours.len();
                for next in neighbours {
                    assert!(bridged.are_neighbours(next, node), "{bridged:?}: {node} and {next}");
                    open.extend(reached.insert(next).then_some(next));
                }
            }
            assert!(reached.iter().copied().eq(living(bridged.dead)), "{bridged:?}: {reached:?}");
            assert_eq!(ends, 2 * (reached.len() - 1), "{bridged:?}");
        });
    }

    #[test]
    fn each_is_joined_to_the_centre_of_each_gap_beside_it() {
        everywhere(|bridged| {
            for node in living(bridged.dead) {
                let beside = bridged.tree.neighbours(node).iter().filter(|beside| bridged.dead.contains(beside));
                for centre in beside.filter_map(|&beside| bridged.centre(beside)) {
                    assert!(centre == node || bridged.leaves(centre).contains(&node), "{bridged:?}: {node}");
                    assert!(centre == node || bridged.neighbours(node).contains(&centre), "{bridged:?}: {node}");
                }
            }
        });
    }

    #[test]
    fn a_gap_that_grows_keeps_its_centre_while_that_is_alive() {
        everywhere(|before| {
            for other in living(before.dead) {
                let dead = before.dead.iter().copied().chain([other]).collect();
                let after = BridgedTree { dead: &dead, ..before };
                for &gone in before.dead {
                    let centre = before.centre(gone);
                    assert!(centre == Some(other) || after.centre(gone) == centre, "{before:?}, then {other}: {gone}");
                }
            }
        });
    }

    /// A crash changes the neighbours only of those nodes that were neighbours of the crashed node. So no other node
    /// needs to do anything when it is notified of the crash.
    #[test]
    fn only_the_neighbours_of_who_dies_get_others() {
        everywhere(|before| {
            for other in living(before.dead) {
                let dead = before.dead.iter().copied().chain([other]).collect();
                let after = BridgedTree { dead: &dead, ..before };
                for node in living(&dead) {
                    let mut kept = before.neighbours(node);
                    let was_neighbour = kept.remove(&other);
                    let now = after.neighbours(node);
                    assert!(kept.is_subset(&now), "{before:?}, then {other}: {node}");
                    assert!(was_neighbour || kept == now, "{before:?}, then {other}: {node}");
                }
            }
        });
    }

    #[test]
    fn where_nobody_is_dead_it_is_the_tree() {
        for (tree, depths) in &trees() {
            let bridged = BridgedTree { tree, depths, dead: &FlatSet::new() };
            for node in NodeId::all(NODES) {
                assert_eq!(bridged.neighbours(node), tree.neighbours(node).iter().copied().collect());
                assert_eq!(bridged.leaves(node), FlatSet::new());
            }
        }
    }

    /// Node 1 has the children 3 and 4, node 0 has the children 1 and 2.
    #[test]
    fn those_below_the_dead_are_joined_to_the_one_above() {
        let (tree, dead) = (Tree::parse("binary", 5).expect("a tree"), |dead: &[u32]| {
            dead.iter().copied().map(NodeId).collect::<FlatSet<_>>()
        });
        let depths = tree.distances(NodeId(0));
        let leaves = |node, gone: &[u32]| {
            let bridged = BridgedTree { tree: &tree, depths: &depths, dead: &dead(gone) };
            bridged.leaves(NodeId(node)).into_iter().map(|leaf| leaf.0).collect::<Vec<_>>()
        };
        assert_eq!(leaves(0, &[1]), [3, 4]);
        assert_eq!(leaves(1, &[0]), [2], "the smallest of those equally near");
        assert_eq!(leaves(2, &[0, 1]), [3, 4]);
        assert_eq!(leaves(3, &[0, 1, 2]), [4]);
    }
}
