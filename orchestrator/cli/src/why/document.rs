//! What is read of a run to tell why somebody waits: of what the API tells, what is told on.

use std::collections::BTreeMap;

use interlock_algorithm::{LockId, NodeId, View};
use interlock_model::event::Json;
use serde::Deserialize;
use serde_json::Value;

/// The state of a run.
#[derive(Clone, Debug, Deserialize)]
pub struct State {
    /// The last event that it takes account of.
    pub seq: u64,
    /// The time it speaks of, in microseconds since the run began.
    pub at_us: u64,
    /// The locks, by number.
    pub locks: Vec<Lock>,
    /// The nodes, by id.
    pub nodes: Vec<Node>,
    /// How many messages there are in the network.
    pub messages: Counts,
    /// The latest instances of agreement, by number.
    #[serde(default)]
    pub agreement: Vec<Instance>,
    /// How the run stands.
    pub verdict: Verdict,
}

/// An instance of agreement.
#[derive(Clone, Debug, Deserialize)]
pub struct Instance {
    /// Its number.
    #[serde(rename = "instance")]
    pub number: u64,
    /// The values proposed, in order.
    pub proposed: Vec<String>,
    /// Who has promised a ballot.
    pub promised: BTreeMap<NodeId, Value>,
    /// Who has accepted a value.
    pub accepted: BTreeMap<NodeId, Value>,
    /// Who has learnt what is chosen.
    pub decided: BTreeMap<NodeId, Value>,
}

/// A lock.
#[derive(Clone, Debug, Deserialize)]
pub struct Lock {
    /// Its number.
    #[serde(rename = "lock")]
    pub number: LockId,
    /// Who is in its section.
    pub holders: Vec<NodeId>,
    /// Whose lease was taken back, and who has not left yet.
    #[serde(default)]
    pub late: Vec<NodeId>,
    /// Who waits, longest first.
    pub waiting: Vec<Waiting>,
}

/// Somebody who waits for a lock.
#[derive(Clone, Debug, Deserialize)]
pub struct Waiting {
    /// Who.
    pub node: NodeId,
    /// The number of the request.
    pub request: u64,
    /// Since when, in microseconds since the run began.
    pub since_us: u64,
    /// The locks that it keeps until it gets this one.
    #[serde(default)]
    pub keeps: Vec<LockId>,
}

/// A node.
#[derive(Clone, Debug, Deserialize)]
pub struct Node {
    /// Its id.
    #[serde(rename = "node")]
    pub id: NodeId,
    /// What its process is doing, in a word.
    pub process: String,
    /// What its state looks like, in the terms of the paper.
    pub view: Option<Json>,
}

/// How many messages there are in the network.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Counts {
    /// All of them.
    pub in_flight: usize,
    /// Those that wait for a hand.
    pub held: usize,
}

/// How a run stands.
#[derive(Clone, Debug, Deserialize)]
pub struct Verdict {
    /// In a word.
    pub status: String,
    /// How many violations were found.
    pub violations: usize,
    /// Why it does not stand well.
    pub because: Option<Said>,
    /// Time-outs that are shorter than the delays.
    #[serde(default)]
    pub warnings: Vec<Said>,
}

/// Something that the playground says in words.
#[derive(Clone, Debug, Deserialize)]
pub struct Said {
    /// The words.
    pub sentence: String,
}

/// Several of something.
#[derive(Clone, Debug, Deserialize)]
pub struct Items<T> {
    /// All of them.
    pub items: Vec<T>,
}

/// A message in the network.
#[derive(Clone, Debug, Deserialize)]
pub struct Message {
    /// Its name.
    #[serde(rename = "message")]
    pub name: String,
    /// Who sent it.
    pub from: NodeId,
    /// Whom it is for.
    pub to: NodeId,
    /// Its kind, as in the paper.
    #[serde(rename = "message_kind")]
    pub kind: String,
}

/// A rule broken, and by what.
#[derive(Clone, Debug, Deserialize)]
pub struct Violation {
    /// The event that tells of it.
    pub seq: u64,
    /// The monitor that found it.
    pub monitor: String,
    /// The events that make it.
    pub events: Vec<u64>,
    /// What it means.
    pub sentence: String,
}

impl Node {
    /// Whether its process takes steps, or did so until the run ended.
    pub fn goes_on(&self) -> bool {
        matches!(self.process.as_str(), "running" | "stopped")
    }

    /// What it shows of a lock, where each has an instance of the algorithm of its own; all that it shows otherwise.
    pub fn shown(&self, lock: Option<LockId>) -> Option<Json> {
        let all = self.view.as_ref()?;
        let view: Option<View> = serde_json::from_str(all.as_str()).ok();
        let instance = lock.and_then(|lock| view?.locks.into_iter().nth(lock.0 as usize));
        instance.map_or_else(|| Some(all.clone()), |instance| Json::of(&instance).ok())
    }

    /// Whose message it waits for, as its algorithm shows, of this lock or of all. None if there is nothing to see of it.
    pub fn waits_for(&self, lock: Option<LockId>) -> Option<Vec<NodeId>> {
        let view: View = serde_json::from_str(self.shown(lock)?.as_str()).ok()?;
        Some(view.waits_for)
    }
}
