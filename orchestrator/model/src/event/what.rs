//! The kinds of events.

use std::sync::Arc;

use interlock_algorithm::{AbortCause, Ballot, LockId, NodeId, Operation, RequestId, Response};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::CommandItem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::write::{Rejection, Write};

use super::{
    Change, CrashCause, DropReason, Ending, Hand, Json, MessageKind, RestartState, StepId, TimerLabel, Violation,
    Warning,
};

/// What happened. The names of the kinds are past participles; the fields are those of the API.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum What {
    /// The run was created, with this specification.
    Created {
        /// The specification, as served by the API.
        specification: Json,
        /// What to know of it before it starts.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<Warning>,
    },
    /// The run ended.
    Ended {
        /// Why.
        why: Ending,
    },
    /// A process was started and has said where it listens.
    Started {
        /// Which node.
        node: NodeId,
        /// Which life of it, from 1.
        incarnation: u32,
        /// The process id, if it is a process of the operating system and not a simulated one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pid: Option<u32>,
    },
    /// A process is gone; what it had not reported is as if it had not happened.
    Crashed {
        /// Which node.
        node: NodeId,
        /// Which life of it, from 1.
        incarnation: u32,
        /// What ended it.
        cause: CrashCause,
    },
    /// A process was stopped in its tracks, and the operating system has confirmed it.
    Paused {
        /// Which node.
        node: NodeId,
        /// Which life of it, from 1.
        incarnation: u32,
    },
    /// A paused process goes on.
    Resumed {
        /// Which node.
        node: NodeId,
        /// Which life of it, from 1.
        incarnation: u32,
    },
    /// A new process is being started for a crashed node.
    Restarted {
        /// Which node.
        node: NodeId,
        /// Which life of it, from 1.
        incarnation: u32,
        /// With what.
        state: RestartState,
    },
    /// Step: the node began its first life (`stored` absent) or a later one.
    Initialized {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Whether what had been stored was given back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stored: Option<bool>,
        /// The algorithm's reasons, each a code and arguments.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        because: Vec<Json>,
        /// What the node's state looks like after the step, if it was reported.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<Json>,
    },
    /// Step: the node took a command from outside.
    Commanded {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The command.
        command: CommandItem,
        /// The algorithm's reasons, each a code and arguments.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        because: Vec<Json>,
        /// What the node's state looks like after the step, if it was reported.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<Json>,
    },
    /// Step: a timer ran out.
    Fired {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Which timer.
        timer: TimerLabel,
        /// The algorithm's reasons, each a code and arguments.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        because: Vec<Json>,
        /// What the node's state looks like after the step, if it was reported.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<Json>,
    },
    /// Step: the node took a message.
    Delivered {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The message.
        message: MessageId,
        /// Who sent it.
        from: NodeId,
        /// Its kind, as in the paper.
        message_kind: MessageKind,
        /// The algorithm's reasons, each a code and arguments.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        because: Vec<Json>,
        /// What the node's state looks like after the step, if it was reported.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<Json>,
    },
    /// The channel let a message through to the algorithm, or to the application: once, in order. Only where there is a
    /// channel; a message that comes before its turn is delivered first and taken later, and one that comes again never.
    Taken {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The copy that had come.
        message: MessageId,
        /// Who sent it.
        from: NodeId,
        /// Its kind, as in the paper.
        message_kind: MessageKind,
    },
    /// The failure detector of the node takes another process for dead: rightly or not.
    Suspected {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Which process.
        whom: NodeId,
    },
    /// The failure detector of the node takes another process for dead no more.
    Trusted {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Which process.
        whom: NodeId,
    },
    /// The node sent a message and the network accepted it. The name of a copy says that a channel sends it again. With
    /// `due_us` it is on its way and will be handed over then; without, it was held or dropped at once, and the next event
    /// says so.
    Sent {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The message.
        message: MessageId,
        /// Whom it is for.
        to: NodeId,
        /// Its kind, as in the paper.
        message_kind: MessageKind,
        /// Its fields, as in the paper.
        body: Json,
        /// When it will be handed over, in microseconds since the run began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        due_us: Option<u64>,
        /// The number of the targeted rule that makes it slower, if one does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<u64>,
    },
    /// A copy of a message was made; it fares like a message of its own.
    Duplicated {
        /// The message.
        message: MessageId,
        /// Who sent it.
        from: NodeId,
        /// Whom it is for.
        to: NodeId,
        /// Its kind, as in the paper.
        message_kind: MessageKind,
        /// The copy.
        copy: MessageId,
        /// Whose doing it was.
        by: Hand,
        /// The number of the targeted rule that made it, if one did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<u64>,
        /// When it will be handed over, in microseconds since the run began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        due_us: Option<u64>,
    },
    /// A message waits in the network until somebody delivers or drops it.
    Held {
        /// The message.
        message: MessageId,
        /// Who sent it.
        from: NodeId,
        /// Whom it is for.
        to: NodeId,
        /// Its kind, as in the paper.
        message_kind: MessageKind,
        /// The number of the targeted rule that holds it, if one does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<u64>,
    },
    /// A held message was set free and is handed over at once.
    Forwarded {
        /// The message.
        message: MessageId,
        /// Who sent it.
        from: NodeId,
        /// Whom it is for.
        to: NodeId,
        /// Its kind, as in the paper.
        message_kind: MessageKind,
    },
    /// A message is lost.
    Dropped {
        /// The message.
        message: MessageId,
        /// Who sent it.
        from: NodeId,
        /// Whom it is for.
        to: NodeId,
        /// Its kind, as in the paper.
        message_kind: MessageKind,
        /// Why.
        why: DropReason,
        /// The number of the targeted rule that dropped it, if one did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<u64>,
    },
    /// A node set a timer of its own.
    Armed {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Which timer.
        timer: TimerLabel,
        /// After how long it is to run out, in microseconds.
        delay_us: u64,
    },
    /// A node forgot a timer.
    Cancelled {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Which timer.
        timer: TimerLabel,
    },
    /// What survives a crash of the node was replaced.
    Stored {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// With what.
        state: Json,
    },
    /// The node wants the lock.
    Requested {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The lock.
        lock: LockId,
        /// The number of the node's request.
        request: RequestId,
    },
    /// The node is in the critical section.
    Entered {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The lock.
        lock: LockId,
        /// The number of the node's request.
        request: RequestId,
        /// The fencing token, if the algorithm makes one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fence: Option<u64>,
    },
    /// The node has left the critical section.
    Exited {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The lock.
        lock: LockId,
        /// The number of the node's request.
        request: RequestId,
    },
    /// The node has learnt whom it waits for.
    Blocked {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The lock.
        lock: LockId,
        /// The number of the node's request.
        request: RequestId,
        /// Who has it.
        on: Vec<NodeId>,
    },
    /// The node gave its request up, and what it had by it.
    Aborted {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The number of the node's request.
        request: RequestId,
        /// Why.
        cause: AbortCause,
    },
    /// A lease was taken back: the holder's section counts as left for all but itself.
    Expired {
        /// The step of the node that keeps the leases.
        #[serde(flatten)]
        at: StepId,
        /// The lock.
        lock: LockId,
        /// Who had it.
        holder: NodeId,
        /// The number of the holder's request.
        request: RequestId,
    },
    /// The node says that these wait for each other in a circle.
    Reported {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// Each waits for the next, and the last for the first.
        cycle: Vec<NodeId>,
        /// Who is to give up.
        victim: NodeId,
    },
    /// The node called an election.
    Called {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The lock whose coordinator is to be elected, where each lock has its own; else 0.
        #[serde(default, skip_serializing_if = "LockId::is_first")]
        lock: LockId,
        /// The term that it is for.
        term: u64,
    },
    /// The node took somebody for the coordinator.
    Elected {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The lock whose coordinator it is, where each lock has its own; else 0.
        #[serde(default, skip_serializing_if = "LockId::is_first")]
        lock: LockId,
        /// The coordinator.
        leader: NodeId,
        /// Of which term.
        term: u64,
    },
    /// The client of the node wants a value to be chosen.
    Proposed {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The instance of agreement.
        instance: u64,
        /// The value.
        value: Arc<str>,
    },
    /// The node promised to accept nothing of an older ballot, in this instance and all later ones.
    Promised {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The instance of agreement.
        instance: u64,
        /// The ballot.
        ballot: Ballot,
    },
    /// The node accepted a value.
    Accepted {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The instance of agreement.
        instance: u64,
        /// The ballot.
        ballot: Ballot,
        /// The value.
        value: Arc<str>,
    },
    /// The node learnt that a value is chosen.
    Decided {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The instance of agreement.
        instance: u64,
        /// The value.
        value: Arc<str>,
    },
    /// The client of the node asked a service for something.
    Invoked {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The number of the node's request.
        request: RequestId,
        /// What it asks for, such as `{"write":{"key":0,"value":3}}`.
        #[schema(value_type = Object)]
        operation: Operation,
    },
    /// The client of the node was told what came of it, or gave up waiting for that.
    Returned {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The number of the node's request.
        request: RequestId,
        /// What came of it, such as `{"value":3}`.
        #[schema(value_type = Object)]
        response: Response,
    },
    /// Somebody wrote into a resource from outside; where that was refused, the next event says so.
    Put {
        /// What, and into which.
        #[serde(flatten)]
        write: Write,
    },
    /// A resource refused a write: that of the event before.
    Rejected {
        /// Which, and why.
        #[serde(flatten)]
        rejection: Rejection,
    },
    /// Step: the node refused the input, which had no other effect.
    Refused {
        /// The step.
        #[serde(flatten)]
        at: StepId,
        /// The message, if the input was one; it ends here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<MessageId>,
        /// What was wrong.
        detail: Arc<str>,
    },
    /// A node said something that makes no sense: garbage, an old life's report, an impossible number.
    Misbehaved {
        /// Which node.
        node: NodeId,
        /// What was wrong.
        detail: Arc<str>,
    },
    /// Something worth knowing that no node did.
    Noted {
        /// What.
        detail: Arc<str>,
    },
    /// The network was told to behave differently.
    Configured {
        /// What was changed.
        change: Change,
    },
    /// A monitor found a rule broken.
    Violated {
        /// Which, and by what.
        violation: Violation,
    },
}
