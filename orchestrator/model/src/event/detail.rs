//! Components of events: steps, reasons for ends, causes, changes, violations.

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
    /// The retransmission timer of the channel to this node. When it fires, the process retransmits unacknowledged
    /// messages.
    Channel(u32),
    /// A timer of the failure detector.
    Detector(DetectorTimer),
}

/// A timer of the failure detector.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DetectorTimer {
    /// The heartbeat timer. When it fires, the process sends a heartbeat and checks which processes have sent none.
    Beat,
}

/// A timer of the client loop.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClientTimer {
    /// End of the idle time: the client sends its next request.
    Idle,
    /// End of the hold time: the client leaves the critical section.
    Hold,
    /// End of the hold time of this lock: the client leaves its critical section.
    HoldLock(u32),
    /// The client sends a request that was queued.
    Queued,
    /// The client requests the next lock of its round.
    Next,
    /// End of the pause after an abort: the client repeats its request.
    Again,
}

/// The step of a node to which an event belongs. Events with the same node, incarnation and step have the same
/// cause: the input of that step.
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
    /// Chance: the network changes messages at random, with the probabilities of the link.
    Chance,
    /// A targeted rule that matched.
    Rule,
    /// A user, by a manual action.
    Hand,
}

/// Reason why a message was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// Chance: the link loses messages with a certain probability.
    Loss,
    /// A partition cuts the link.
    Partition,
    /// A targeted rule dropped the message.
    Rule,
    /// A user dropped the message manually.
    Hand,
    /// The receiver has crashed.
    Crashed,
    /// The receiver did not process the message, because its program answered the message with invalid output.
    Unanswered,
    /// The link is full.
    Full,
    /// The connection to a service is closed, or an earlier part of it was dropped.
    Closed,
    /// The run ended.
    Ended,
}

/// A change to the network: the subject and its new value (absent if the subject was removed).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Change {
    /// Subject of the change: `default`, `link`, `partition` or `rule`.
    pub subject: Arc<str>,
    /// The link, partition or rule: `0-3` for a link, the number for a partition or a rule. Absent for `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Arc<str>>,
    /// New value of the subject; absent if the subject was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// A violation of a property, as a code with arguments. The user interface composes the sentence from them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Violation {
    /// Name of the monitor that found the violation, such as `mutual-exclusion`.
    pub monitor: Arc<str>,
    /// Code of the violation, such as `concurrent-sections`.
    pub code: Arc<str>,
    /// Arguments of the sentence that the user interface composes.
    #[schema(value_type = Object)]
    pub arguments: Value,
    /// Sequence numbers of the events that together are the violation.
    pub events: Vec<u64>,
}
