//! Partitions: links cut between groups of nodes.

use interlock_algorithm::NodeId;
use serde::{Deserialize, Serialize};

use crate::field_error::{FieldError, unknown_node};
use crate::listed;
use crate::schema::Groups;
use crate::strict;

/// Which of the links between two groups are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Those in both directions.
    #[default]
    Both,
    /// Those from an earlier group to a later one.
    Forward,
}

/// The fate of messages that a partition keeps from their receivers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lost {
    /// They are stopped where they would arrive, and handed over when no partition cuts their link any more, in the order
    /// in which they were stopped: as where a protocol below sends again and again.
    Hold,
    /// They are lost.
    #[default]
    Drop,
}

/// A partition as somebody asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PartitionDraft {
    /// The groups, without a node in common, as lists or as a text such as `0,1|2`. A node in no group is cut off from nobody.
    #[serde(deserialize_with = "listed::groups")]
    #[schema(value_type = Groups)]
    pub groups: Vec<Vec<NodeId>>,
    /// Which links between them are cut.
    #[serde(default)]
    pub direction: Direction,
    /// What becomes of messages on these links.
    #[serde(default)]
    pub lost: Lost,
}

/// Links cut between groups of nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Partition {
    /// Its number in the run.
    pub id: u64,
    /// The groups.
    pub groups: Vec<Vec<NodeId>>,
    /// Which links between them are cut.
    pub direction: Direction,
    /// What becomes of messages on these links.
    #[serde(default)]
    pub lost: Lost,
}

impl PartitionDraft {
    /// Reads it from a document. The reader is compiled here, once, and not in each crate that reads such documents.
    ///
    /// # Errors
    /// The first thing wrong with the document, with a pointer to its place.
    pub fn read(document: &serde_json::Value) -> Result<Self, FieldError> {
        strict::deserialize(document)
    }

    /// Returns what is wrong with it in a run of `nodes` nodes.
    #[must_use]
    pub fn errors(&self, nodes: u32) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if self.groups.len() < 2 {
            errors.push(FieldError::new("/groups", "a partition needs two groups or more"));
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

    /// The partition, with its number.
    #[must_use]
    pub fn with_id(self, id: u64) -> Partition {
        Partition { id, groups: self.groups, direction: self.direction, lost: self.lost }
    }
}

impl Partition {
    /// Whether it cuts the link from one node to another.
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
