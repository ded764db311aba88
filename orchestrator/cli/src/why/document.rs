//! The part of the API's documents that `interlock why` needs.

use std::collections::BTreeMap;

use interlock_algorithm::{LockId, NodeId, View};
use interlock_model::event::Json;
use serde::Deserialize;
use serde_json::Value;

/// State of a run.
#[derive(Clone, Debug, Deserialize)]
pub struct State {
    /// Sequence number of the last event that it includes.
    pub seq: u64,
    /// Time of the state, in microseconds since the run began.
    pub at_us: u64,
    /// Locks, by number.
    pub locks: Vec<Lock>,
    /// Nodes, by id.
    pub nodes: Vec<Node>,
    /// Numbers of messages in the network.
    pub messages: Counts,
    /// Latest instances of agreement, by number.
    #[serde(default)]
    pub agreement: Vec<Instance>,
    /// Verdict of the monitors.
    pub verdict: Verdict,
}

/// An instance of agreement.
#[derive(Clone, Debug, Deserialize)]
pub struct Instance {
    /// Number of the instance.
    #[serde(rename = "instance")]
    pub number: u64,
    /// Proposed values, in order.
    pub proposed: Vec<String>,
    /// Nodes that have promised a ballot.
    pub promised: BTreeMap<NodeId, Value>,
    /// Nodes that have accepted a value.
    pub accepted: BTreeMap<NodeId, Value>,
    /// Nodes that have learnt the chosen value.
    pub decided: BTreeMap<NodeId, Value>,
}

/// A lock.
#[derive(Clone, Debug, Deserialize)]
pub struct Lock {
    /// Number of the lock.
    #[serde(rename = "lock")]
    pub number: LockId,
    /// Nodes in its critical section.
    pub holders: Vec<NodeId>,
    /// Nodes whose lease was revoked and which have not left yet.
    #[serde(default)]
    pub late: Vec<NodeId>,
    /// Waiting nodes, longest first.
    pub waiting: Vec<Waiting>,
}

/// A node that waits for a lock.
#[derive(Clone, Debug, Deserialize)]
pub struct Waiting {
    /// The node.
    pub node: NodeId,
    /// Number of the request.
    pub request: u64,
    /// Start of the wait, in microseconds since the run began.
    pub since_us: u64,
    /// Locks that the node keeps until it acquires this one.
    #[serde(default)]
    pub keeps: Vec<LockId>,
}

/// A node.
#[derive(Clone, Debug, Deserialize)]
pub struct Node {
    /// Id of the node.
    #[serde(rename = "node")]
    pub id: NodeId,
    /// Status of its process, in a word.
    pub process: String,
    /// Algorithm's state, in the terms of the paper.
    pub view: Option<Json>,
}

/// Numbers of messages in the network.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Counts {
    /// Number of all messages.
    pub in_flight: usize,
    /// Number of held messages, which wait for a manual action.
    pub held: usize,
}

/// Verdict of a run.
#[derive(Clone, Debug, Deserialize)]
pub struct Verdict {
    /// Verdict in a word.
    pub status: String,
    /// Number of violations.
    pub violations: usize,
    /// Reason if the verdict is not good.
    pub because: Option<Said>,
    /// Time-outs that are shorter than the delays.
    #[serde(default)]
    pub warnings: Vec<Said>,
}

/// A sentence by the playground.
#[derive(Clone, Debug, Deserialize)]
pub struct Said {
    /// The sentence.
    pub sentence: String,
}

/// A list.
#[derive(Clone, Debug, Deserialize)]
pub struct Items<T> {
    /// The items.
    pub items: Vec<T>,
}

/// A message in the network.
#[derive(Clone, Debug, Deserialize)]
pub struct Message {
    /// Name of the message.
    #[serde(rename = "message")]
    pub name: String,
    /// Sender.
    pub from: NodeId,
    /// Receiver.
    pub to: NodeId,
    /// Kind, as in the paper.
    #[serde(rename = "message_kind")]
    pub kind: String,
}

/// A property violated, and its events.
#[derive(Clone, Debug, Deserialize)]
pub struct Violation {
    /// Sequence number of the event that reports it.
    pub seq: u64,
    /// Monitor that found it.
    pub monitor: String,
    /// Events that constitute it.
    pub events: Vec<u64>,
    /// Meaning of the violation.
    pub sentence: String,
}

impl Node {
    /// Whether the process takes steps, or did so until the run ended.
    pub fn goes_on(&self) -> bool {
        matches!(self.process.as_str(), "running" | "stopped")
    }

    /// Returns the state for one lock, if each lock has its own instance of the algorithm, or the whole state
    /// otherwise.
    pub fn shown(&self, lock: Option<LockId>) -> Option<Json> {
        let all = self.view.as_ref()?;
        let view: Option<View> = serde_json::from_str(all.as_str()).ok();
        let instance = lock.and_then(|lock| view?.locks.into_iter().nth(lock.0 as usize));
        instance.map_or_else(|| Some(all.clone()), |instance| Json::of(&instance).ok())
    }

    /// Returns the nodes from which this node awaits messages according to its algorithm, for this lock or for all
    /// locks. Returns nothing if the state is not visible.
    pub fn waits_for(&self, lock: Option<LockId>) -> Option<Vec<NodeId>> {
        let view: View = serde_json::from_str(self.shown(lock)?.as_str()).ok()?;
        Some(view.waits_for)
    }
}
