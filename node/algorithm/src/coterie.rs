//! Voting sets: each contains its owner, and every two meet (Maekawa 1985, sections 2 and 4).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::configuration::{Configuration, Refusal, Subject};
use crate::identity::NodeId;
use crate::plane;

/// The forms that voting sets can be given in.
pub const FORMS: &str = "grid, plane, sets:0,1,2;1,3,5;…";

/// The most nodes that sets are made for: they are kept in full.
pub const MOST_NODES: u32 = 10_000;

/// The voting sets of all nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coterie {
    sets: Vec<Vec<NodeId>>,
}

impl Coterie {
    /// The sets that parameter `coterie` describes; if it is not given, a grid.
    ///
    /// # Errors
    /// Says why the sets cannot be, and what could be instead.
    pub fn configure(configuration: &Configuration<'_>) -> Result<Self, Refusal> {
        let given = configuration.parameters.get("coterie").map_or_else(|| "grid".to_string(), ToString::to_string);
        if configuration.nodes > MOST_NODES {
            let detail = format!("voting sets are made for at most {MOST_NODES} nodes");
            return Err(Refusal::new(Subject::Nodes, detail, [format!("1 … {MOST_NODES}").as_str()]));
        }
        Self::parse(&given, configuration.nodes)
            .map_err(|detail| Refusal::new(Subject::Parameter("coterie".into()), detail, FORMS.split(", ")))
    }

    /// Reads the voting sets of `nodes` nodes.
    ///
    /// # Errors
    /// Says why they are none.
    pub fn parse(text: &str, nodes: u32) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "grid" => Ok(Self::grid(nodes)),
            None if text == "plane" => Self::plane(nodes),
            Some(("sets", sets)) => Self::by_hand(sets, nodes),
            _ => Err(format!("`{text}` is no form of voting sets")),
        }
    }

    /// The nodes in rows of ⌈√N⌉, the last one perhaps shorter; a set is its owner's row and column. Of two nodes, at
    /// least one is in a full row, or both are in the last: so their sets meet.
    #[must_use]
    pub fn grid(nodes: u32) -> Self {
        let width = if nodes.isqrt().pow(2) < nodes { nodes.isqrt() + 1 } else { nodes.isqrt().max(1) };
        let meets = |owner: u32, node: u32| owner / width == node / width || owner % width == node % width;
        let set = |owner| (0..nodes).filter(|&node| meets(owner, node)).map(NodeId).collect();
        Self { sets: (0..nodes).map(set).collect() }
    }

    /// The lines of a finite projective plane, one for each node: for N = q² + q + 1 with q a power of a prime (or 1).
    ///
    /// # Errors
    /// Names the nearest number of nodes for which there is one.
    pub fn plane(nodes: u32) -> Result<Self, String> {
        let Some(differences) = plane::difference_set(nodes) else {
            return Err(match plane::nearest(nodes) {
                Some(nearest) => format!("no plane of {nodes} points is known here; there is one of {nearest}"),
                None => format!("no plane of {nodes} points is known here"),
            });
        };
        let set = |owner: u32| {
            let mut set: Vec<_> = differences.iter().map(|difference| NodeId((owner + difference) % nodes)).collect();
            set.sort_unstable();
            set
        };
        Ok(Self { sets: (0..nodes).map(set).collect() })
    }

    fn by_hand(text: &str, nodes: u32) -> Result<Self, String> {
        let coterie = Self { sets: read_sets(text, nodes)? };
        coterie.check()?;
        Ok(coterie)
    }

    /// Checks that every set contains its owner and every two meet.
    ///
    /// # Errors
    /// Names the set, or the pair of them.
    pub fn check(&self) -> Result<(), String> {
        for (owner, set) in (0..).map(NodeId).zip(&self.sets) {
            if !set.contains(&owner) {
                return Err(format!("the set of node {} does not contain it", owner.0));
            }
        }
        let nodes = self.sets.len();
        let mut holders = vec![Vec::new(); nodes];
        for (owner, set) in self.sets.iter().enumerate() {
            for node in set {
                if let Some(holders) = holders.get_mut(node.index()) {
                    holders.push(owner);
                }
            }
        }
        for (owner, set) in self.sets.iter().enumerate() {
            let mut met = vec![false; nodes];
            for &other in set.iter().filter_map(|node| holders.get(node.index())).flatten() {
                if let Some(met) = met.get_mut(other) {
                    *met = true;
                }
            }
            if let Some(other) = met.iter().position(|met| !met) {
                return Err(format!("the sets of nodes {owner} and {other} do not meet"));
            }
        }
        Ok(())
    }

    /// Two nodes of which the first's set is more than it needs: the second's is a proper part of it. Sets without such
    /// a pair are minimal. Others are right too, only dearer: a grid whose last row has one node only is not minimal.
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

    /// The voting set of a node, in order.
    #[must_use]
    pub fn set(&self, owner: NodeId) -> &[NodeId] {
        self.sets.get(owner.index()).map_or(&[], Vec::as_slice)
    }
}

/// Reads a set for each of `nodes` nodes, `0,1;1,2;…`, each in order.
///
/// # Errors
/// Names what is no node, or says how many sets there are.
pub(crate) fn read_sets(text: &str, nodes: u32) -> Result<Vec<Vec<NodeId>>, String> {
    let sets = text.split(';').map(|set| read_set(set, nodes)).collect::<Result<Vec<_>, _>>()?;
    if sets.len() != nodes as usize {
        return Err(format!("{} sets are given for {nodes} nodes: one each", sets.len()));
    }
    Ok(sets)
}

fn read_set(text: &str, nodes: u32) -> Result<Vec<NodeId>, String> {
    let read = |node: &str| {
        let number = node.trim().parse().ok().filter(|&node: &u32| node < nodes);
        number.map(NodeId).ok_or_else(|| format!("`{node}` is none of the nodes 0 … {}", nodes.saturating_sub(1)))
    };
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
        for nodes in (1..=400).chain([500, 729, 992, 993, 1_000]) {
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
            for node in NodeId::all(nodes) {
                assert_eq!(plane.sets.iter().filter(|set| set.contains(&node)).count(), k);
            }
            if nodes <= 133 {
                assert_eq!(plane.needless(), None);
            }
        }
        let known = [3, 7, 13, 21, 31, 57, 73, 91, 133, 183, 273, 307, 381, 553, 651, 757, 871, 993];
        assert_eq!(found, known);
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
            let detail = Coterie::parse(text, nodes).expect_err("no coterie");
            assert!(detail.contains(reason), "{detail}");
        };
        refused("sets:0,1;1,2;2,3;3,0", 4, "0 and 2 do not meet");
        refused("sets:1;0,1", 2, "node 0 does not contain it");
        refused("sets:0,1", 2, "1 sets are given for 2 nodes");
        refused("sets:0,2;1", 2, "0 … 1");
        refused("plane", 8, "one of 7");
        refused("plane", 43, "there is one of 31");
        refused("circle", 3, "no form");
    }
}
