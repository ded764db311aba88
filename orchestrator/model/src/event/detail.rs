//! Parts of events: steps, endings, causes, changes, violations.

use std::sync::Arc;

use interlock_algorithm::NodeId;
use interlock_machine::wire::TimerName;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::Json;

/// Name of a timer in an event.
pub type TimerLabel = TimerName<Json>;

/// Name of a timer.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Timer {
    /// A timer of the client loop.
    Client(ClientTimer),
    /// A timer of the algorithm, under the algorithm's own name for it.
    Algorithm(Value),
    /// The retransmission timer of the channel to this node: it sends unacknowledged messages again.
    Channel(u32),
    /// A timer of the failure detector.
    Detector(DetectorTimer),
}

/// A timer of the failure detector.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DetectorTimer {
    /// The heartbeat timer: the process sends a heartbeat and checks which processes have sent none.
    Beat,
}

/// A timer of the client loop.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientTimer {
    /// The client requests again after a pause.
    Idle,
    /// The client leaves the critical section.
    Hold,
    /// The client leaves the critical section of this lock.
    HoldLock(u32),
    /// The client issues a queued request.
    Queued,
    /// The client requests the next lock of its round.
    Next,
    /// The client requests again after an abort.
    Again,
}

/// The step of a node to which an event belongs. Node, incarnation and step together name the cause of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
pub struct StepId {
    /// Number of the node.
    pub node: NodeId,
    /// Incarnation of the node, from 1.
    pub incarnation: u32,
    /// Number of the step in that incarnation, from 1.
    pub step: u64,
}

/// Reason why a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// A user or a client stopped the run.
    Stopped,
    /// The orchestrator shut down.
    Shutdown,
    /// The run could not continue, for this reason.
    Failed(String),
}

/// Reason why a process ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CrashCause {
    /// The process was crashed on request.
    Ordered,
    /// The process ended by itself or was killed from outside; the text is the operating system's report.
    Unexpected(String),
}

/// State with which a crashed node restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RestartState {
    /// The state that the node had stored.
    Stored,
    /// No state.
    None,
}

/// Cause of a change to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Hand {
    /// The network, by chance.
    Chance,
    /// A targeted rule that matched.
    Rule,
    /// A user, manually.
    Hand,
}

/// Reason why a message was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// By chance, with the loss probability of the link.
    Loss,
    /// A partition cuts the link.
    Partition,
    /// A targeted rule dropped it.
    Rule,
    /// A user dropped it manually.
    Hand,
    /// The receiver has crashed.
    Crashed,
    /// The receiver did not process the message: the receiver sent an invalid answer.
    Unanswered,
    /// The link is full.
    Full,
    /// The run ended.
    Ended,
}

/// A change to the network: the subject and its new value (absent if the subject was removed).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Change {
    /// Subject of the change: `default`, `link`, `partition` or `rule`.
    pub subject: Arc<str>,
    /// Which link, partition or rule: `0-3` for a link, the number of a partition or rule. Absent for `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Arc<str>>,
    /// The new value; absent if the subject was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// A property violated, as a code and its arguments. The user interface makes the sentence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Violation {
    /// Name of the monitor that found the violation, such as `mutual-exclusion`.
    pub monitor: Arc<str>,
    /// Code of the violation, such as `concurrent-sections`.
    pub code: Arc<str>,
    /// Arguments of the sentence.
    #[schema(value_type = Object)]
    pub arguments: Value,
    /// Sequence numbers of the events that make up the violation.
    pub events: Vec<u64>,
}
