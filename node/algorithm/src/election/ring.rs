//! The order of the processes in a ring.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::configuration::{Configuration, Refusal, read_node};
use crate::entry::Parameter;
use crate::identity::NodeId;
use crate::range::{RINGS, Range};
use crate::structure::tree::{mix, under};

/// The order of the processes of a run in a ring. Each process knows its successor and all processes after that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ring {
    order: Vec<NodeId>,
    /// The position of each node.
    places: Vec<usize>,
}

impl Ring {
    /// The parameter of an algorithm that sets the order.
    pub const PARAMETER: Parameter =
        Parameter::new("ring", "the order of the ids in the ring, each before its successor", "ascending", Range::Ring);

    /// Returns the order that parameter `ring` describes. The default is ascending ids.
    ///
    /// # Errors
    /// Says why the text is not an order, and lists the valid forms.
    pub fn configure(configuration: &Configuration<'_>) -> Result<Self, Refusal> {
        let given = configuration.parameters.get("ring").map_or_else(|| "ascending".to_string(), ToString::to_string);
        Self::parse(&given, configuration.nodes)
    }

    /// Reads an order of `nodes` ids.
    ///
    /// # Errors
    /// Says why the text is not an order.
    pub fn parse(text: &str, nodes: u32) -> Result<Self, Refusal> {
        let order: Vec<NodeId> = match text.split_once(':') {
            None if text == "ascending" => NodeId::all(nodes).collect(),
            None if text == "descending" => NodeId::all(nodes).rev().collect(),
            Some(("random", seed)) => match seed.parse() {
                Ok(seed) => shuffled(seed, nodes),
                Err(_) => return Err(refused(format_args!("`{seed}` is not a seed; write a whole number from 0"))),
            },
            None => text.split(',').map(|node| read_node(node, nodes, refused)).collect::<Result<_, _>>()?,
            Some(_) => return Err(refused(format_args!("`{text}` is not an arrangement"))),
        };
        Self::of(order, nodes)
    }

    fn of(order: Vec<NodeId>, nodes: u32) -> Result<Self, Refusal> {
        let mut places = vec![usize::MAX; nodes as usize];
        for (place, node) in order.iter().enumerate() {
            match places.get_mut(node.index()) {
                Some(free) if *free == usize::MAX => *free = place,
                _ => return Err(refused(format_args!("node {} occurs twice in the ring", node.0))),
            }
        }
        match places.iter().position(|&place| place == usize::MAX) {
            Some(node) => Err(refused(format_args!("node {node} is missing from the ring"))),
            None => Ok(Self { order, places }),
        }
    }

    /// Returns the number of processes.
    #[must_use]
    pub fn length(&self) -> u32 {
        u32::try_from(self.order.len()).unwrap_or(u32::MAX)
    }

    /// Whether process `node` exists.
    #[must_use]
    pub fn has(&self, node: NodeId) -> bool {
        node.index() < self.order.len()
    }

    /// Returns the process that is `distance` places after `node` in the ring.
    #[must_use]
    pub fn after(&self, node: NodeId, distance: u32) -> NodeId {
        let place = self.places.get(node.index()).copied().unwrap_or_default();
        let place = (place + distance as usize) % self.order.len().max(1);
        self.order.get(place).copied().unwrap_or(node)
    }

    /// Returns the process after `node` in the ring.
    #[must_use]
    pub fn successor(&self, node: NodeId) -> NodeId {
        self.after(node, 1)
    }

    /// Returns the process before `node` in the ring.
    #[must_use]
    pub fn predecessor(&self, node: NodeId) -> NodeId {
        self.after(node, self.length().saturating_sub(1))
    }
}

fn refused(detail: fmt::Arguments<'_>) -> Refusal {
    Refusal::of_form("ring", RINGS, detail)
}

/// Returns a random order; all orders are equally likely (Durstenfeld 1964).
fn shuffled(seed: u64, nodes: u32) -> Vec<NodeId> {
    let mut order: Vec<NodeId> = NodeId::all(nodes).collect();
    for last in (1..nodes).rev() {
        let other = under(mix(seed ^ (u64::from(last) << 32)), last + 1);
        order.swap(last as usize, other as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    fn order(text: &str) -> Result<Vec<u32>, String> {
        let ring = Ring::parse(text, 4).map_err(|refusal| refusal.detail)?;
        Ok(ring.order.iter().map(|node| node.0).collect())
    }

    #[test]
    fn every_form_is_an_arrangement_of_all() {
        assert_eq!(order("ascending"), Ok(vec![0, 1, 2, 3]));
        assert_eq!(order("descending"), Ok(vec![3, 2, 1, 0]));
        assert_eq!(order("3,1, 0,2"), Ok(vec![3, 1, 0, 2]));
        let drawn: alloc::collections::BTreeSet<_> = (0..500).map(|seed| order(&format!("random:{seed}"))).collect();
        assert_eq!(drawn.len(), 24, "all arrangements are drawn");
        assert!(drawn.iter().all(Result::is_ok));
    }

    #[test]
    fn what_is_no_arrangement_is_refused_with_the_reason() {
        for (text, detail) in [
            ("0,1,1,3", "node 1 occurs twice in the ring"),
            ("0,1,3", "node 2 is missing from the ring"),
            ("0,1,2,4", "`4` is not one of the nodes 0 … 3"),
            ("circle", "`circle` is not one of the nodes 0 … 3"),
            ("random:x", "`x` is not a seed; write a whole number from 0"),
            ("edges:0-1", "`edges:0-1` is not an arrangement"),
        ] {
            assert_eq!(order(text), Err(detail.to_string()));
        }
    }

    #[test]
    fn neighbours_are_each_other_s() {
        let ring = Ring::parse("3,1,0,2", 4).expect("an arrangement");
        assert_eq!(ring.successor(NodeId(2)), NodeId(3));
        assert_eq!(ring.after(NodeId(3), 2), NodeId(0));
        assert!(NodeId::all(4).all(|node| ring.predecessor(ring.successor(node)) == node));
    }
}
