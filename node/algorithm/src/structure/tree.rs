//! Spanning trees: read from text, checked, and stored as lists of neighbours.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::configuration::{Configuration, Refusal};
use crate::identity::NodeId;
use crate::range::TREES;

type Edge = (u32, u32);

/// A tree that spans all nodes of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// For each node, the index in `neighbours` of its first neighbour. One more entry marks the end of the list.
    starts: Vec<usize>,
    neighbours: Vec<NodeId>,
}

impl Tree {
    /// Returns the tree that parameter `tree` describes. The default is a binary tree.
    ///
    /// # Errors
    /// Says why the text is not a tree, and lists the valid forms.
    pub fn configure(configuration: &Configuration<'_>) -> Result<Self, Refusal> {
        let given = configuration.parameters.get("tree").map_or_else(|| "binary".to_string(), ToString::to_string);
        Self::parse(&given, configuration.nodes)
    }

    /// Reads a tree of `nodes` nodes.
    ///
    /// # Errors
    /// Says why the text is not a tree.
    pub fn parse(text: &str, nodes: u32) -> Result<Self, Refusal> {
        let edges = match text.split_once(':') {
            None if text == "binary" => k_ary(2, nodes),
            None if text == "star" => (1..nodes).map(|node| (0, node)).collect(),
            None if text == "line" => k_ary(1, nodes),
            Some(("k-ary", k)) => match k.parse() {
                Ok(k) if k > 0 => k_ary(k, nodes),
                _ => {
                    return Err(refused(format_args!(
                        "`{k}` is not a number of children; write a whole number from 1"
                    )));
                }
            },
            Some(("random", seed)) => match seed.parse() {
                Ok(seed) => random(seed, nodes),
                Err(_) => return Err(refused(format_args!("`{seed}` is not a seed; write a whole number from 0"))),
            },
            Some(("edges", edges)) => spanning(edges, nodes)?,
            _ => return Err(refused(format_args!("`{text}` is not a form of a tree"))),
        };
        Ok(Self::from_edges(&edges, nodes))
    }

    fn from_edges(edges: &[Edge], nodes: u32) -> Self {
        let mut starts = vec![0; nodes as usize + 1];
        for node in edges.iter().flat_map(|&(a, b)| [a, b]) {
            starts[node as usize + 1] += 1;
        }
        for node in 0..nodes as usize {
            starts[node + 1] += starts[node];
        }
        let mut free = starts.clone();
        let mut neighbours = vec![NodeId(0); 2 * edges.len()];
        for (from, to) in edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]) {
            neighbours[free[from as usize]] = NodeId(to);
            free[from as usize] += 1;
        }
        Self { starts, neighbours }
    }

    /// Returns the neighbours of a node.
    #[must_use]
    pub fn neighbours(&self, node: NodeId) -> &[NodeId] {
        match self.starts.get(node.index()..) {
            Some(&[start, end, ..]) => self.neighbours.get(start..end).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Returns the distance of every node from the node `from`, in edges.
    #[must_use]
    pub fn distances(&self, from: NodeId) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.starts.len().saturating_sub(1)];
        let mut layer = vec![from];
        for distance in 0.. {
            let mut next = Vec::new();
            for node in layer {
                if let Some(place) = distances.get_mut(node.index()).filter(|place| **place == u32::MAX) {
                    *place = distance;
                    next.extend_from_slice(self.neighbours(node));
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        distances
    }
}

fn refused(detail: fmt::Arguments<'_>) -> Refusal {
    Refusal::of_form("tree", TREES, detail)
}

/// Returns the tree in which the parent of node i > 0 is (i − 1) / k.
fn k_ary(k: u32, nodes: u32) -> Vec<Edge> {
    (1..nodes).map(|node| ((node - 1) / k, node)).collect()
}

/// Returns the tree in which the parent of node i > 0 is one of 0 … i − 1, all equally likely.
fn random(seed: u64, nodes: u32) -> Vec<Edge> {
    (1..nodes).map(|node| (under(mix(seed ^ (u64::from(node) << 32)), node), node)).collect()
}

/// Returns a number below `limit`, computed from 64 well-mixed bits.
pub(crate) fn under(bits: u64, limit: u32) -> u32 {
    u32::try_from((u128::from(bits) * u128::from(limit)) >> 64).unwrap_or_default()
}

/// Mixes the bits of a number with the finaliser of `SplitMix64` (Steele, Lea and Flood 2014), including its
/// increment.
pub(crate) const fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Reads edges that join all nodes without a cycle.
fn spanning(text: &str, nodes: u32) -> Result<Vec<Edge>, Refusal> {
    let mut edges = Vec::new();
    let mut parts: Vec<u32> = (0..nodes).collect();
    for edge in text.split(',').map(str::trim).filter(|edge| !edge.is_empty()) {
        let (a, b) = read_edge(edge, nodes)?;
        let (root_a, root_b) = (root(&mut parts, a), root(&mut parts, b));
        if root_a == root_b {
            return Err(refused(format_args!("edge {a}-{b} closes a cycle; remove it")));
        }
        if let Some(parent) = parts.get_mut(root_a as usize) {
            *parent = root_b;
        }
        edges.push((a, b));
    }
    match (1..nodes).find(|&node| root(&mut parts, node) != root(&mut parts, 0)) {
        Some(node) => Err(refused(format_args!("no path of edges connects node {node} to node 0"))),
        None => Ok(edges),
    }
}

fn read_edge(edge: &str, nodes: u32) -> Result<Edge, Refusal> {
    let end = |text: &str| text.trim().parse().ok().filter(|&node: &u32| node < nodes);
    edge.split_once('-').and_then(|(a, b)| Some((end(a)?, end(b)?))).ok_or_else(|| {
        refused(format_args!("`{edge}` is not an edge A-B between two of the nodes 0 … {}", nodes.saturating_sub(1)))
    })
}

/// Returns the representative of a node's component, and shortens the path to it.
fn root(parts: &mut [u32], mut node: u32) -> u32 {
    while let Some(&parent) = parts.get(node as usize).filter(|&&parent| parent != node) {
        let grandparent = parts.get(parent as usize).copied().unwrap_or(parent);
        if let Some(place) = parts.get_mut(node as usize) {
            *place = grandparent;
        }
        node = grandparent;
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbours(text: &str, nodes: u32) -> Vec<Vec<u32>> {
        let tree = Tree::parse(text, nodes).expect("a tree");
        NodeId::all(nodes)
            .map(|node| {
                let mut neighbours: Vec<u32> = tree.neighbours(node).iter().map(|node| node.0).collect();
                neighbours.sort_unstable();
                neighbours
            })
            .collect()
    }

    #[test]
    fn each_form_has_its_shape() {
        assert_eq!(neighbours("line", 3), [vec![1], vec![0, 2], vec![1]]);
        assert_eq!(neighbours("star", 4), [vec![1, 2, 3], vec![0], vec![0], vec![0]]);
        assert_eq!(neighbours("binary", 5), [vec![1, 2], vec![0, 3, 4], vec![0], vec![1], vec![1]]);
        assert_eq!(neighbours("k-ary:3", 5), [vec![1, 2, 3], vec![0, 4], vec![0], vec![0], vec![1]]);
        assert_eq!(neighbours("edges:2-0, 1-2", 3), [vec![2], vec![2], vec![0, 1]]);
        assert_eq!(neighbours("binary", 1), [Vec::<u32>::new()]);
        assert_eq!(neighbours("edges:", 1), [Vec::<u32>::new()]);
    }

    #[test]
    fn every_tree_reaches_everybody_with_one_edge_less_than_nodes() {
        for nodes in 1..60 {
            for text in ["binary", "star", "line", "k-ary:4", "random:0", "random:1", "random:18446744073709551615"] {
                let tree = Tree::parse(text, nodes).expect("a tree");
                assert_eq!(tree.neighbours.len(), 2 * (nodes as usize - 1));
                assert!(tree.distances(NodeId(nodes - 1)).iter().all(|&distance| distance < nodes), "{text} {nodes}");
            }
        }
        assert_ne!(Tree::parse("random:0", 20), Tree::parse("random:1", 20));
    }

    #[test]
    fn distances_count_edges() {
        assert_eq!(Tree::parse("line", 4).expect("a line").distances(NodeId(1)), [1, 0, 1, 2]);
    }

    #[test]
    fn what_is_no_tree_is_refused_with_the_reason() {
        let refused = |text, nodes, reason: &str| {
            let detail = Tree::parse(text, nodes).expect_err("no tree").detail;
            assert!(detail.contains(reason), "{detail}");
        };
        refused("edges:0-1,1-2,2-0", 3, "2-0 closes a cycle");
        refused("edges:1-1", 2, "1-1 closes a cycle");
        refused("edges:0-1", 3, "connects node 2");
        refused("edges:0-3", 3, "0 … 2");
        refused("edges:0", 3, "not an edge");
        refused("k-ary:0", 3, "a whole number from 1");
        refused("k-ary:-1", 3, "a whole number from 1");
        refused("random:x", 3, "not a seed");
        refused("bush", 3, "not a form");
    }
}
