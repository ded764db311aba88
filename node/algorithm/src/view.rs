//! The displayed state of one process, in the terms of its paper.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::clock::{Clock, Timestamp};
use crate::flat::{FlatMap, FlatSet};
use crate::identity::NodeId;

/// The state of one process, as shown in the dashboard and by the API.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The logical clock or sequence number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// The timestamp of this node's own request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Timestamp>,
    /// Known requests, in the order in which they will be served.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queue: Vec<Queued>,
    /// The nodes from which this node expects a message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits_for: Vec<NodeId>,
    /// The other variables of the paper, by the paper's names.
    #[serde(default, skip_serializing_if = "FlatMap::is_empty")]
    pub variables: FlatMap<String, Value>,
    /// The state of each lock, if a run has several locks and each lock is an instance of the algorithm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<View>,
}

impl View {
    /// Returns a view with the logical clock and the time of this node's own request.
    #[must_use]
    pub fn timed(clock: Clock, request: Option<Timestamp>) -> Self {
        Self { clock: Some(clock.now()), request, ..Self::default() }
    }

    /// Sets the known requests, in the order in which they will be served.
    #[must_use]
    pub fn queued(self, requests: impl IntoIterator<Item: Into<Queued>>) -> Self {
        Self { queue: requests.into_iter().map(Into::into).collect(), ..self }
    }

    /// Sets the nodes from which this node expects a message.
    #[must_use]
    pub fn waiting_for(self, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        Self { waits_for: nodes.into_iter().collect(), ..self }
    }

    /// Adds a variable, if it has a value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Option<Value>>) -> Self {
        if let Some(value) = value.into() {
            self.variables.insert(name.into(), value);
        }
        self
    }
}

/// A request in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queued {
    /// The node that made the request.
    pub node: NodeId,
    /// The logical time of the request, if the queue is ordered by time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
}

impl From<NodeId> for Queued {
    fn from(node: NodeId) -> Self {
        Self { node, clock: None }
    }
}

impl From<Timestamp> for Queued {
    fn from(request: Timestamp) -> Self {
        Self { node: request.process, clock: Some(request.clock) }
    }
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// True or false.
    Flag(bool),
    /// A number.
    Number(i64),
    /// A list of numbers, for example of nodes.
    Numbers(Vec<i64>),
    /// A word.
    Text(String),
}

impl Value {
    /// Returns a list of nodes.
    pub fn nodes<'a>(nodes: impl IntoIterator<Item = &'a NodeId>) -> Self {
        Self::Numbers(nodes.into_iter().map(|node| i64::from(node.0)).collect())
    }

    /// Returns a list of nodes, or `None` if there are none.
    #[must_use]
    pub fn some_nodes(nodes: &FlatSet<NodeId>) -> Option<Self> {
        (!nodes.is_empty()).then(|| Self::nodes(nodes))
    }

    /// Returns a count, clock or sequence number. A number that is too large for display becomes the maximum.
    #[must_use]
    pub fn number(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// Returns a list of counts, clocks or sequence numbers, as [`number`](Self::number) does.
    #[must_use]
    pub fn numbers(numbers: &[u64]) -> Self {
        Self::Numbers(numbers.iter().map(|&number| i64::try_from(number).unwrap_or(i64::MAX)).collect())
    }

    /// Returns a node, or `nil` if there is none.
    #[must_use]
    pub fn node(node: Option<NodeId>) -> Self {
        node.map_or_else(|| Self::Text("nil".into()), |node| Self::Number(node.0.into()))
    }
}

/// Converts a count to `u32`. A count that is too large becomes the maximum.
#[must_use]
pub fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
