//! The fields of the API's documents that `interlock why` reads.

use std::collections::BTreeMap;

use interlock_algorithm::{LockId, NodeId, View};
use interlock_model::event::Json;
use serde::Deserialize;
use serde_json::Value;

/// State of a run.
#[derive(Clone, Debug, Deserialize)]
pub struct State {
    /// Sequence number of the last event that the state includes.
    pub seq: u64,
    /// Time of the state, in microseconds since the run began.
    pub at_us: u64,
    /// Locks, ordered by number.
    pub locks: Vec<Lock>,
    /// Nodes, ordered by id.
    pub nodes: Vec<Node>,
    /// Numbers of messages in the network.
    pub messages: Counts,
    /// Latest instances of agreement, ordered by number.
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
    /// Proposed values, in the order of the proposals.
    pub proposed: Vec<String>,
    /// Nodes that have promised a ballot. Only the keys of the map are used.
    pub promised: BTreeMap<NodeId, Value>,
    /// Nodes that have accepted a value. Only the keys of the map are used.
    pub accepted: BTreeMap<NodeId, Value>,
    /// Nodes that have learnt the chosen value. Only the keys of the map are used.
    pub decided: BTreeMap<NodeId, Value>,
}

/// A lock.
#[derive(Clone, Debug, Deserialize)]
pub struct Lock {
    /// Number of the lock.
    #[serde(rename = "lock")]
    pub number: LockId,
    /// Nodes in the critical section of the lock.
    pub holders: Vec<NodeId>,
    /// Nodes that are still in the critical section although their lease was revoked.
    #[serde(default)]
    pub late: Vec<NodeId>,
    /// Nodes that wait for the lock. The node that has waited longest is first.
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
    /// Other locks that the node holds while it waits for this lock.
    #[serde(default)]
    pub keeps: Vec<LockId>,
}

/// A node.
#[derive(Clone, Debug, Deserialize)]
pub struct Node {
    /// Id of the node.
    #[serde(rename = "node")]
    pub id: NodeId,
    /// Status of the node's process, as one word.
    pub process: String,
    /// State of the algorithm in the terms of its paper; none if the state is not visible.
    pub view: Option<Json>,
}

/// Numbers of messages in the network.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Counts {
    /// Number of messages in transit, including held messages.
    pub in_flight: usize,
    /// Number of held messages, which wait for a manual action.
    pub held: usize,
}

/// Verdict of a run.
#[derive(Clone, Debug, Deserialize)]
pub struct Verdict {
    /// Verdict as one word.
    pub status: String,
    /// Number of violations.
    pub violations: usize,
    /// The phenomenon that the run shows, if it shows a known one.
    pub phenomenon: Option<Phenomenon>,
    /// Reason for a verdict that is not good.
    pub because: Option<Said>,
    /// Warnings about time-outs that are shorter than the message delays.
    #[serde(default)]
    pub warnings: Vec<Said>,
}

/// The phenomenon that a run shows.
#[derive(Clone, Debug, Deserialize)]
pub struct Phenomenon {
    /// Name of the phenomenon.
    pub name: String,
    /// Processes concerned.
    pub nodes: Vec<NodeId>,
}

/// A sentence that the playground has written.
#[derive(Clone, Debug, Deserialize)]
pub struct Said {
    /// The sentence.
    pub sentence: String,
}

/// A list, as the API returns it.
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
    /// Kind of the message, as the paper names it.
    #[serde(rename = "message_kind")]
    pub kind: String,
}

/// A violation of a property, and the events that constitute it.
#[derive(Clone, Debug, Deserialize)]
pub struct Violation {
    /// Sequence number of the event that reports the violation.
    pub seq: u64,
    /// Name of the monitor that found the violation.
    pub monitor: String,
    /// Sequence numbers of the events that constitute the violation.
    pub events: Vec<u64>,
    /// Sentence that describes the violation.
    pub sentence: String,
}

impl Node {
    /// Returns whether the process takes steps or, in a finished run, took steps until the end.
    pub fn goes_on(&self) -> bool {
        matches!(self.process.as_str(), "running" | "stopped")
    }

    /// Returns the state of the node's algorithm. If each lock has its own instance of the algorithm, returns the
    /// state of the instance for `lock`.
    pub fn shown(&self, lock: Option<LockId>) -> Option<Json> {
        let all = self.view.as_ref()?;
        let view: Option<View> = serde_json::from_str(all.as_str()).ok();
        let instance = lock.and_then(|lock| view?.locks.into_iter().nth(lock.0 as usize));
        instance.map_or_else(|| Some(all.clone()), |instance| Json::of(&instance).ok())
    }

    /// Returns the nodes from which the algorithm of this node awaits messages. If `lock` is given, considers only
    /// the instance of the algorithm for this lock. Returns none if the state is not visible.
    pub fn waits_for(&self, lock: Option<LockId>) -> Option<Vec<NodeId>> {
        let view: View = serde_json::from_str(self.shown(lock)?.as_str()).ok()?;
        Some(view.waits_for)
    }
}
