//! Partitions: they cut the links between groups of nodes.

use interlock_algorithm::NodeId;
use serde::{Deserialize, Serialize};

use crate::field_error::{FieldError, unknown_node};
use crate::listed;
use crate::schema::Groups;
use crate::span::Span;
use crate::strict;

/// The links between two groups that a partition cuts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Links in both directions.
    #[default]
    Both,
    /// Links from an earlier group to a later group.
    Forward,
}

/// The fate of messages on a link that is cut by a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lost {
    /// Messages are held at their delivery times. When no partition cuts their link any longer, they are delivered,
    /// in the order in which they were held. A lower protocol that retransmits messages would have the same effect.
    Hold,
    /// Messages are lost.
    #[default]
    Drop,
}

/// A partition to create.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PartitionDraft {
    /// Groups of nodes, as lists or as a text such as `0,1|2`. A node may be in at most one group. If a node is in
    /// no group, the partition cuts none of its links.
    #[serde(deserialize_with = "listed::groups")]
    #[schema(value_type = Groups)]
    pub groups: Vec<Vec<NodeId>>,
    /// Direction of the links that are cut: `both` (default) or `forward`.
    #[serde(default)]
    pub direction: Direction,
    /// Fate of messages on the cut links: `drop` (default) or `hold`.
    #[serde(default)]
    pub lost: Lost,
    /// Time after which TCP connections on the cut links are reset. If absent, they wait until the partition heals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset: Option<Span>,
}

/// A partition: links between groups of nodes are cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Partition {
    /// Number of the partition in the run.
    pub id: u64,
    /// Groups of nodes.
    pub groups: Vec<Vec<NodeId>>,
    /// Direction of the links that are cut.
    pub direction: Direction,
    /// Fate of messages on the cut links.
    #[serde(default)]
    pub lost: Lost,
    /// Time after which TCP connections on the cut links are reset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset: Option<Span>,
}

impl PartitionDraft {
    /// Reads a draft from a document. This function is compiled once, in this crate, and not again in each crate
    /// that reads such documents.
    ///
    /// # Errors
    /// The first error of the document, with a pointer to its place.
    pub fn read(document: &serde_json::Value) -> Result<Self, FieldError> {
        strict::deserialize(document)
    }

    /// Returns the errors of the draft for a run of `nodes` nodes.
    #[must_use]
    pub fn errors(&self, nodes: u32) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if self.groups.len() < 2 {
            errors.push(FieldError::new("/groups", "a partition needs at least two groups"));
        }
        let mut seen = std::collections::BTreeSet::new();
        for (place, node) in self.places() {
            if let Some(unknown) = unknown_node(&place, node, nodes) {
                errors.push(unknown);
            } else if !seen.insert(node) {
                errors.push(FieldError::new(place, format!("node {} is in a group already", node.0)));
            }
        }
        errors
    }

    fn places(&self) -> impl Iterator<Item = (String, NodeId)> {
        self.groups.iter().enumerate().flat_map(|(group, members)| {
            members.iter().enumerate().map(move |(member, &node)| (format!("/groups/{group}/{member}"), node))
        })
    }

    /// Turns the draft into a partition with this number.
    #[must_use]
    pub fn with_id(self, id: u64) -> Partition {
        let Self { groups, direction, lost, reset } = self;
        Partition { id, groups, direction, lost, reset }
    }
}

impl Partition {
    /// Returns whether the partition cuts the link from one node to another.
    #[must_use]
    pub fn cuts(&self, from: NodeId, to: NodeId) -> bool {
        match (self.group(from), self.group(to), self.direction) {
            (Some(from), Some(to), Direction::Both) => from != to,
            (Some(from), Some(to), Direction::Forward) => from < to,
            _ => false,
        }
    }

    fn group(&self, node: NodeId) -> Option<usize> {
        self.groups.iter().position(|group| group.contains(&node))
    }
}
