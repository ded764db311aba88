//! The processes that call an election when the run begins.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use crate::configuration::{Configuration, Refusal, read_node};
use crate::entry::Parameter;
use crate::identity::NodeId;
use crate::range::{NODES, Range};

/// The processes that call an election as soon as the run begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initiators {
    /// All processes.
    All,
    /// These processes, in ascending order.
    These(Vec<NodeId>),
}

impl Initiators {
    /// Returns the catalogue parameter `initiators` with the given default.
    #[must_use]
    pub const fn parameter(default: &'static str) -> Parameter {
        Parameter::new(
            "initiators",
            "the processes that call an election at the start",
            default,
            Range::Nodes { or_none: true, needs_all: false },
        )
    }

    /// Returns the processes that parameter `initiators` names. If the parameter is absent, `default` names them.
    ///
    /// # Errors
    /// Names the item that is not a node, and lists the valid forms.
    pub fn configure(configuration: &Configuration<'_>, default: &str) -> Result<Self, Refusal> {
        let given = configuration.parameters.get("initiators").map_or_else(|| default.to_string(), ToString::to_string);
        Self::parse(&given, configuration.nodes)
    }

    fn parse(text: &str, nodes: u32) -> Result<Self, Refusal> {
        match text {
            "all" => Ok(Self::All),
            "none" => Ok(Self::These(Vec::new())),
            list => {
                let refused = |detail: fmt::Arguments<'_>| Refusal::of_form("initiators", NODES, detail);
                let these = list.split(',').map(|node| read_node(node, nodes, refused));
                let mut these = these.collect::<Result<Vec<_>, _>>()?;
                these.sort_unstable();
                Ok(Self::These(these))
            }
        }
    }

    /// Whether this node is an initiator.
    #[must_use]
    pub fn contain(&self, node: NodeId) -> bool {
        match self {
            Self::All => true,
            Self::These(these) => these.binary_search(&node).is_ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use super::*;

    #[test]
    fn all_or_none_or_those_listed() {
        let who = |text| {
            let initiators = Initiators::parse(text, 4).expect("initiators");
            NodeId::all(4).filter(|&node| initiators.contain(node)).map(|node| node.0).collect::<Vec<_>>()
        };
        assert_eq!([who("all"), who("none"), who("3"), who("2, 0")], [vec![0, 1, 2, 3], vec![], vec![3], vec![0, 2]]);
    }

    #[test]
    fn what_is_no_node_is_named() {
        for (text, detail) in [("4", "`4` is"), ("0,", "`` is"), ("some", "`some` is"), ("1,-1", "`-1` is")] {
            let refusal = Initiators::parse(text, 4).expect_err("no nodes");
            assert_eq!(refusal.detail, format!("{detail} not one of the nodes 0 … 3"));
        }
    }
}
