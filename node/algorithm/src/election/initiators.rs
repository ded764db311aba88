//! The processes that call an election when the run begins.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::configuration::{Configuration, Refusal, Subject};
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
    /// Returns the catalogue parameter `initiators`, with this default.
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
            .map_err(|detail| Refusal::new(Subject::Parameter("initiators".into()), detail, NODES.split(", ")))
    }

    fn parse(text: &str, nodes: u32) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "none" => Ok(Self::These(Vec::new())),
            list => {
                let mut these = list.split(',').map(|node| read(node, nodes)).collect::<Result<Vec<_>, _>>()?;
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

/// Reads the number of a node, less than `nodes`.
pub(super) fn read(text: &str, nodes: u32) -> Result<NodeId, String> {
    let node = text.trim().parse().ok().filter(|&node| node < nodes);
    node.map(NodeId).ok_or_else(|| format!("`{text}` is not one of the nodes 0 … {}", nodes.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

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
            assert_eq!(Initiators::parse(text, 4), Err(format!("{detail} not one of the nodes 0 … 3")));
        }
    }
}
