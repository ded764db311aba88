//! Kinds of events.

use std::sync::Arc;

use interlock_algorithm::{NodeId, Outcome};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::CommandItem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::write::{Rejection, Write};

use super::{
    Change, CrashCause, DropReason, Ending, Hand, Json, MessageKind, RestartState, StepId, TimerLabel, Violation,
    Warning,
};

/// The content of an event. Names of kinds are past participles; fields have the same names as in the API.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self", tag = "kind", rename_all = "kebab-case")]
pub enum What {
    /// The run was created with this specification.
    Created {
        /// The specification, as the API serves it.
        specification: Json,
        /// Warnings about the specification, issued before the run starts.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<Warning>,
    },
    /// The run ended.
    Ended {
        /// Reason why the run ended.
        why: Ending,
    },
    /// A process was started and has reported the address on which it listens.
    Started {
        /// Number of the node.
        node: NodeId,
        /// Incarnation of the node, from 1.
        incarnation: u32,
        /// Process id in the operating system; absent if the process is simulated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pid: Option<u32>,
    },
    /// A process ended. Actions that the process had not reported count as not having happened.
    Crashed {
        /// Number of the node.
        node: NodeId,
        /// Incarnation of the node, from 1.
        incarnation: u32,
        /// Reason why the process ended.
        cause: CrashCause,
        /// Whether the process had been ordered to release a lock and had not answered. It may have released the lock.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        releasing: bool,
    },
    /// A process was paused, and the operating system has confirmed it.
    Paused {
        /// Number of the node.
        node: NodeId,
        /// Incarnation of the node, from 1.
        incarnation: u32,
        /// Whether the process had been ordered to release a lock and had not answered. It may have released the lock.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        releasing: bool,
    },
    /// A paused process was resumed.
    Resumed {
        /// Number of the node.
        node: NodeId,
        /// Incarnation of the node, from 1.
        incarnation: u32,
    },
    /// The orchestrator begins to start a new process for a crashed node.
    Restarted {
        /// Number of the node.
        node: NodeId,
        /// Incarnation of the node, from 1.
        incarnation: u32,
        /// State with which the node restarts.
        state: RestartState,
    },
    /// Step: the node began an incarnation.
    Initialized {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Whether the node has its stored state from the earlier incarnation. Absent in the first incarnation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stored: Option<bool>,
        /// Reasons that the algorithm reports for the step. Each reason has a code and arguments.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        because: Vec<Json>,
        /// The node's state after the step, if it was reported.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<Json>,
    },
    /// Step: the node received a command from outside.
    Commanded {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The command.
        command: CommandItem,
        /// Reasons that the algorithm reports for the step. Each reason has a code and arguments.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        because: Vec<Json>,
        /// The node's state after the step, if it was reported.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<Json>,
    },
    /// Step: a timer fired.
    Fired {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Name of the timer.
        timer: TimerLabel,
        /// Reasons that the algorithm reports for the step. Each reason has a code and arguments.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        because: Vec<Json>,
        /// The node's state after the step, if it was reported.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<Json>,
    },
    /// Step: the node received a message.
    Delivered {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Name of the message.
        message: MessageId,
        /// Number of the sender.
        from: NodeId,
        /// Kind of the message, as in the paper.
        message_kind: MessageKind,
        /// Reasons that the algorithm reports for the step. Each reason has a code and arguments.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        because: Vec<Json>,
        /// The node's state after the step, if it was reported.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<Json>,
    },
    /// The channel passed a message to the algorithm or to the application. Of each message it passes on only one
    /// copy, in the order of sending. So a message that arrives out of order is first `delivered`, and `taken`
    /// later. Runs without a channel have no such event.
    Taken {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Name of the copy that arrived.
        message: MessageId,
        /// Number of the sender.
        from: NodeId,
        /// Kind of the message, as in the paper.
        message_kind: MessageKind,
    },
    /// The node's failure detector suspects another process, correctly or not.
    Suspected {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Number of the suspected process.
        whom: NodeId,
    },
    /// The node's failure detector trusts another process again after a suspicion.
    Trusted {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Number of the trusted process.
        whom: NodeId,
    },
    /// The node sent a message, and the network accepted it. If `message` is the name of a copy, the channel
    /// retransmits the message. If `due_us` is present, the message is in transit until that time. If `due_us` is
    /// absent, the message was held or dropped immediately, and the next event reports this.
    Sent {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Name of the message.
        message: MessageId,
        /// Number of the receiver.
        to: NodeId,
        /// Kind of the message, as in the paper.
        message_kind: MessageKind,
        /// Fields of the message, as in the paper.
        body: Json,
        /// Time of delivery, in microseconds since the start of the run. Absent if the message is not in transit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        due_us: Option<u64>,
        /// Number of the targeted rule that delays the message, if one does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<u64>,
    },
    /// A message was duplicated. From now on, the network treats the copy as a separate message.
    Duplicated {
        /// Name of the message.
        message: MessageId,
        /// Number of the sender.
        from: NodeId,
        /// Number of the receiver.
        to: NodeId,
        /// Kind of the message, as in the paper.
        message_kind: MessageKind,
        /// Name of the copy.
        copy: MessageId,
        /// Cause of the duplication.
        by: Hand,
        /// Number of the targeted rule that made the copy, if one did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<u64>,
        /// Time of delivery of the copy, in microseconds since the start of the run. Absent if the copy is not in
        /// transit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        due_us: Option<u64>,
    },
    /// A message is held: it waits in the network until it is delivered or dropped manually.
    Held {
        /// Name of the message.
        message: MessageId,
        /// Number of the sender.
        from: NodeId,
        /// Number of the receiver.
        to: NodeId,
        /// Kind of the message, as in the paper.
        message_kind: MessageKind,
        /// Number of the targeted rule that holds the message, if one does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<u64>,
    },
    /// A held message was released and is delivered immediately.
    Forwarded {
        /// Name of the message.
        message: MessageId,
        /// Number of the sender.
        from: NodeId,
        /// Number of the receiver.
        to: NodeId,
        /// Kind of the message, as in the paper.
        message_kind: MessageKind,
    },
    /// A message was lost.
    Dropped {
        /// Name of the message.
        message: MessageId,
        /// Number of the sender.
        from: NodeId,
        /// Number of the receiver.
        to: NodeId,
        /// Kind of the message, as in the paper.
        message_kind: MessageKind,
        /// Reason for the loss.
        why: DropReason,
        /// Number of the targeted rule that dropped the message, if one did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<u64>,
    },
    /// A node set a timer.
    Armed {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Name of the timer.
        timer: TimerLabel,
        /// Time until the timer fires, in microseconds.
        delay_us: u64,
    },
    /// A node cancelled a timer.
    Cancelled {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Name of the timer.
        timer: TimerLabel,
    },
    /// The node replaced its stable storage, which survives a crash.
    Stored {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The new stored state.
        state: Json,
    },
    /// The node reported an outcome of the step. The kind and the fields of the event are those of the outcome.
    #[serde(skip)]
    Outcome {
        /// The step.
        at: StepId,
        /// The outcome.
        outcome: Outcome,
    },
    /// A client outside the run wrote to a resource. If the resource rejected the write, the next event reports
    /// this.
    Put {
        /// The resource and the value.
        #[serde(flatten)]
        write: Write,
    },
    /// A resource rejected the write that the previous event reports.
    Rejected {
        /// The rejected write and the reason.
        #[serde(flatten)]
        rejection: Rejection,
    },
    /// Step: the node refused its input. The input had no other effect.
    Refused {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Name of the message, if the input was a message. The refused message is no longer in transit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<MessageId>,
        /// Reason why the node refused the input.
        detail: Arc<str>,
    },
    /// A node sent data that no correct node sends: unreadable text, a report of an earlier incarnation, an
    /// impossible number.
    Misbehaved {
        /// Number of the node.
        node: NodeId,
        /// Description of the invalid data.
        detail: Arc<str>,
    },
    /// A remark about the whole run, not about a single node.
    Noted {
        /// Text of the remark.
        detail: Arc<str>,
    },
    /// The settings of the network were changed.
    Configured {
        /// The change.
        change: Change,
    },
    /// A monitor found that a property is violated.
    Violated {
        /// The violation, with the events that together are the violation.
        violation: Violation,
    },
}
