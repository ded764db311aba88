//! Voting sets: the set of each node contains that node, and every two sets intersect (Maekawa 1985, sections 2 and
//! 4).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::configuration::{Configuration, Refusal, Subject, read_node};
use crate::identity::NodeId;
use crate::range::COTERIES;
use crate::structure::plane;

/// Maximum number of nodes for which sets are made. All sets are held in memory.
pub const MOST_NODES: u32 = 10_000;

/// The voting sets of all nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coterie {
    sets: Vec<Vec<NodeId>>,
}

impl Coterie {
    /// Returns the sets that parameter `coterie` describes. The default is a grid.
    ///
    /// # Errors
    /// Says why the sets are invalid, and lists the valid forms.
    pub fn configure(configuration: &Configuration<'_>) -> Result<Self, Refusal> {
        let given = configuration.parameters.get("coterie").map_or_else(|| "grid".to_string(), ToString::to_string);
        if configuration.nodes > MOST_NODES {
            let detail = format!("voting sets are made for at most {MOST_NODES} nodes");
            return Err(Refusal::new(Subject::Nodes, detail, [format!("1 … {MOST_NODES}").as_str()]));
        }
        Self::parse(&given, configuration.nodes)
    }

    /// Reads the voting sets of `nodes` nodes.
    ///
    /// # Errors
    /// Says why the text does not describe voting sets.
    pub fn parse(text: &str, nodes: u32) -> Result<Self, Refusal> {
        match text.split_once(':') {
            None if text == "grid" => Ok(Self::grid(nodes)),
            None if text == "plane" => Self::plane(nodes),
            Some(("sets", sets)) => Self::by_hand(sets, nodes),
            _ => Err(refused(format_args!("`{text}` is not a form of voting sets"))),
        }
    }

    /// Returns the grid: the nodes in rows of ⌈√N⌉, of which the last may be shorter. The set of a node is its row
    /// and its column. Any two sets intersect: of two nodes, at least one is in a full row, or both are in the last
    /// row.
    #[must_use]
    pub fn grid(nodes: u32) -> Self {
        let width = if nodes.isqrt().pow(2) < nodes { nodes.isqrt() + 1 } else { nodes.isqrt().max(1) };
        let meets = |owner: u32, node: u32| owner / width == node / width || owner % width == node % width;
        let set = |owner| (0..nodes).filter(|&node| meets(owner, node)).map(NodeId).collect();
        Self { sets: (0..nodes).map(set).collect() }
    }

    /// Returns the lines of a finite projective plane, one for each node. It exists for N = q² + q + 1 with q a
    /// power of a prime (or 1).
    ///
    /// # Errors
    /// Names the nearest numbers of nodes for which a plane is known.
    pub fn plane(nodes: u32) -> Result<Self, Refusal> {
        let Some(differences) = plane::difference_set(nodes) else {
            let nearest: Vec<_> = plane::nearest(nodes).iter().map(ToString::to_string).collect();
            let nearest = nearest.join(" and ");
            return Err(refused(format_args!("there is no plane of {nodes} points; the nearest is of {nearest}")));
        };
        let set = |owner: u32| {
            let mut set: Vec<_> = differences.iter().map(|difference| NodeId((owner + difference) % nodes)).collect();
            set.sort_unstable();
            set
        };
        Ok(Self { sets: (0..nodes).map(set).collect() })
    }

    fn by_hand(text: &str, nodes: u32) -> Result<Self, Refusal> {
        let coterie = Self { sets: read_sets(text, nodes, &refused)? };
        coterie.check()?;
        Ok(coterie)
    }

    /// Checks that every set contains its owner and every two sets intersect.
    ///
    /// # Errors
    /// Names the faulty set, or the pair of sets that do not intersect.
    pub fn check(&self) -> Result<(), Refusal> {
        let owners = || (0..).map(NodeId).zip(&self.sets);
        if let Some((owner, set)) = owners().find(|(owner, set)| !set.contains(owner)) {
            return Err(refused(format_args!("the set of node {} does not contain it: {}", owner.0, in_words(set))));
        }
        match owners().zip(self.first_missed()).find_map(|((owner, set), other)| Some((owner, set, other?))) {
            None => Ok(()),
            Some((owner, set, other)) => Err(refused(format_args!(
                "the sets of nodes {} and {} do not meet: {} and {}",
                owner.0,
                other.0,
                in_words(set),
                in_words(self.set(other))
            ))),
        }
    }

    /// Returns, for each set, the owner of the first set that does not intersect it; none if all sets intersect it.
    fn first_missed(&self) -> impl Iterator<Item = Option<NodeId>> {
        // For each node, a bit set of the owners whose sets contain the node.
        let words = self.sets.len().div_ceil(64);
        let mut holders = vec![vec![0_u64; words]; self.sets.len()];
        for (owner, set) in self.sets.iter().enumerate() {
            for node in set {
                if let Some(word) = holders.get_mut(node.index()).and_then(|holders| holders.get_mut(owner / 64)) {
                    *word |= 1 << (owner % 64);
                }
            }
        }
        self.sets.iter().map(move |set| {
            let mut met = vec![0; words];
            for held in set.iter().filter_map(|node| holders.get(node.index())) {
                met.iter_mut().zip(held).for_each(|(met, held)| *met |= held);
            }
            let is_met =
                |owner: &NodeId| met.get(owner.index() / 64).is_some_and(|word| word >> (owner.0 % 64) & 1 == 1);
            (0..).map(NodeId).take(self.sets.len()).find(|owner| !is_met(owner))
        })
    }

    /// Returns two nodes such that the set of the second is a proper subset of the set of the first. The set of the
    /// first node is then larger than necessary. Returns none if the sets are minimal. Sets that are not minimal are
    /// correct but more expensive. For example, a grid whose last row has only one node is not minimal.
    #[must_use]
    pub fn needless(&self) -> Option<(NodeId, NodeId)> {
        let nodes = || (0..).map(NodeId).zip(&self.sets);
        nodes().find_map(|(owner, set)| {
            let part = |(_, other): &(NodeId, &Vec<NodeId>)| {
                other.len() < set.len() && other.iter().all(|node| set.binary_search(node).is_ok())
            };
            nodes().find(part).map(|(other, _)| (owner, other))
        })
    }

    /// Returns the voting set of a node, in order.
    #[must_use]
    pub fn set(&self, owner: NodeId) -> &[NodeId] {
        self.sets.get(owner.index()).map_or(&[], Vec::as_slice)
    }
}

/// Reads a set for each of `nodes` nodes, written as `0,1;1,2;…`. Each set is in order.
///
/// # Errors
/// Names the item that is not a node, or says how many sets were given.
pub(crate) fn read_sets(
    text: &str,
    nodes: u32,
    refused: &impl Fn(fmt::Arguments<'_>) -> Refusal,
) -> Result<Vec<Vec<NodeId>>, Refusal> {
    let sets = text.split(';').map(|set| read_set(set, nodes, refused)).collect::<Result<Vec<_>, _>>()?;
    if sets.len() != nodes as usize {
        return Err(refused(format_args!("{} sets for {nodes} nodes; write one set for each node", sets.len())));
    }
    Ok(sets)
}

fn refused(detail: fmt::Arguments<'_>) -> Refusal {
    Refusal::of_form("coterie", COTERIES, detail)
}

fn in_words(set: &[NodeId]) -> String {
    let members: Vec<_> = set.iter().map(|node| node.0.to_string()).collect();
    format!("{{{}}}", members.join(", "))
}

fn read_set(text: &str, nodes: u32, refused: &impl Fn(fmt::Arguments<'_>) -> Refusal) -> Result<Vec<NodeId>, Refusal> {
    let read = |node: &str| read_node(node, nodes, refused);
    let mut set = text.split(',').map(read).collect::<Result<Vec<_>, _>>()?;
    set.sort_unstable();
    set.dedup();
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY_HAND: &str = "sets:0,1,2;1,3,5;2,4,5;0,3,4;1,4,6;0,5,6;2,3,6";

    fn sizes(coterie: &Coterie) -> (usize, usize) {
        let size = |set: &Vec<NodeId>| set.len();
        (coterie.sets.iter().map(size).min().unwrap_or(0), coterie.sets.iter().map(size).max().unwrap_or(0))
    }

    #[test]
    fn a_grid_is_right_for_every_number_of_nodes() {
        for nodes in 1..=1_000 {
            let grid = Coterie::grid(nodes);
            assert_eq!(grid.check(), Ok(()), "{nodes}");
            let (_, most) = sizes(&grid);
            assert!((most as u64 + 1).pow(2) <= 4 * (u64::from(nodes) + 2 * u64::from(nodes.isqrt()) + 2), "{nodes}");
        }
        assert_eq!(Coterie::grid(9).set(NodeId(4)), [1, 3, 4, 5, 7].map(NodeId));
    }

    #[test]
    fn planes_have_sets_of_k_and_everybody_in_k_of_them() {
        let mut found = Vec::new();
        for nodes in 1..=1_000 {
            let Ok(plane) = Coterie::plane(nodes) else { continue };
            found.push(nodes);
            assert_eq!(plane.check(), Ok(()));
            let (least, k) = sizes(&plane);
            assert_eq!((least, k * (k - 1) + 1), (k, nodes as usize));
            let mut held = vec![0; nodes as usize];
            plane.sets.iter().flatten().for_each(|node| held[node.index()] += 1);
            assert!(held.into_iter().all(|sets| sets == k), "{nodes}");
            if nodes <= 133 {
                assert_eq!(plane.needless(), None);
            }
        }
        let known = [3, 7, 13, 21, 31, 57, 73, 91, 133, 183, 273, 307, 381, 553, 651, 757, 871, 993];
        assert_eq!(found, known);
    }

    /// Two lines of a plane intersect in exactly one point, so a set that loses a member no longer intersects every
    /// other set.
    #[test]
    fn a_member_removed_is_noticed() {
        for nodes in [3, 7, 13, 21, 31] {
            let plane = Coterie::plane(nodes).expect("a plane");
            for owner in 0..nodes as usize {
                for place in 0..plane.sets[owner].len() {
                    let mut without = plane.clone();
                    let removed = without.sets[owner].remove(place);
                    let reason = without.check().expect_err("a set that lacks a member").detail;
                    let expected = if removed.index() == owner { "does not contain it" } else { "do not meet" };
                    assert!(reason.contains(expected), "{reason}");
                    assert!(reason.contains(&owner.to_string()), "{reason}");
                }
            }
        }
    }

    #[test]
    fn sets_by_hand_are_read_and_are_minimal() {
        let coterie = Coterie::parse(BY_HAND, 7).expect("a coterie");
        assert_eq!(coterie.set(NodeId(4)), [1, 4, 6].map(NodeId));
        assert_eq!(coterie.needless(), None);
    }

    #[test]
    fn a_set_with_another_inside_is_told() {
        let coterie = Coterie::parse("sets:0,1,2;1,2;1,2", 3).expect("a coterie");
        assert_eq!(coterie.needless(), Some((NodeId(0), NodeId(1))));
        assert_eq!(Coterie::grid(3).needless(), Some((NodeId(0), NodeId(1))));
        assert_eq!(Coterie::grid(9).needless(), None);
    }

    #[test]
    fn what_is_no_coterie_is_refused_with_the_reason() {
        let refused = |text, nodes, reason: &str| {
            let detail = Coterie::parse(text, nodes).expect_err("no coterie").detail;
            assert!(detail.contains(reason), "{detail}");
        };
        refused("sets:0,1;1,2;2,3;3,0", 4, "0 and 2 do not meet");
        refused("sets:1;0,1", 2, "node 0 does not contain it");
        refused("sets:0,1", 2, "1 sets for 2 nodes");
        refused("sets:0,2;1", 2, "0 … 1");
        refused("plane", 8, "the nearest is of 7 and 13");
        refused("plane", 43, "the nearest is of 31 and 57");
        refused("circle", 3, "not a form");
    }
}
