//! What the events speak of: steps, endings, causes, changes, violations.

use std::sync::Arc;

use interlock_algorithm::NodeId;
use interlock_machine::wire::TimerName;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::Json;

/// A timer's name in an event.
pub type TimerLabel = TimerName<Json>;

/// The name of a timer.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Timer {
    /// A timer of the client loop.
    Client(ClientTimer),
    /// A timer of the algorithm, by the algorithm's own name for it.
    Algorithm(Value),
    /// When the channel to this node is to send again what is not known to have arrived.
    Channel(u32),
    /// A timer of the failure detector.
    Detector(DetectorTimer),
}

/// A timer of the failure detector.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DetectorTimer {
    /// When to say again that the process is alive, and to look who has not.
    Beat,
}

/// A timer of the client loop.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientTimer {
    /// When to ask again.
    Idle,
    /// When to leave the section.
    Hold,
    /// When to leave the section of this lock.
    HoldLock(u32),
    /// When to ask for what waits in line.
    Queued,
    /// When to ask for the next lock of a round.
    Next,
    /// When to ask again after an abort.
    Again,
}

/// The step of a node that an event belongs to: (node, incarnation, step) is the cause of what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
pub struct StepId {
    /// Where.
    pub node: NodeId,
    /// In which life of the node, from 1.
    pub incarnation: u32,
    /// The number of the step in that life, from 1.
    pub step: u64,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Somebody asked for it.
    Stopped,
    /// The orchestrator was shut down.
    Shutdown,
    /// It could not go on, for this reason.
    Failed(String),
}

/// What ended a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CrashCause {
    /// A crash by order.
    Ordered,
    /// It ended by itself or was killed by somebody else: what the operating system says of it.
    Unexpected(String),
}

/// With what a crashed node comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RestartState {
    /// With what it had stored.
    Stored,
    /// With nothing.
    None,
}

/// Who did something to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Hand {
    /// The network, by chance.
    Chance,
    /// A rule that matched.
    Rule,
    /// Somebody, by hand.
    Hand,
}

/// Why a message was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// By chance, as the link's loss says.
    Loss,
    /// The link is cut by a partition.
    Partition,
    /// A rule said so.
    Rule,
    /// Somebody dropped it by hand.
    Hand,
    /// The receiver is dead.
    Crashed,
    /// The receiver did not take it: its answer made no sense.
    Unanswered,
    /// The link is full.
    Full,
    /// The run ended.
    Ended,
}

/// A change to the network: what was changed, and what it is now (nothing, if it was removed).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Change {
    /// `default`, `link`, `partition` or `rule`.
    pub subject: Arc<str>,
    /// Which one, if there can be several: `0-3` for a link, the id of a partition or rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Arc<str>>,
    /// What it is now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// A rule broken: a code and arguments; the sentence is made where people read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Violation {
    /// The monitor that found it: `mutual-exclusion`, …
    pub monitor: Arc<str>,
    /// What is broken: `concurrent-sections`, …
    pub code: Arc<str>,
    /// The numbers of the sentence.
    #[schema(value_type = Object)]
    pub arguments: Value,
    /// The events that make the violation, by seq.
    pub events: Vec<u64>,
}
