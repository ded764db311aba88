//! The state of a run as the API shows it, with the monitors' findings in words.

use std::sync::Arc;

use interlock_algorithm::{LockId, NodeId, RequestId};
use interlock_machine::message_id::MessageId;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::monitor::{sentence, stuck};
use crate::phenomenon::PhenomenonDocument;
use crate::resource::{ACCOUNT, Resource, ResourceDocument};
use crate::state::{
    Because, InstanceDocument, Interest, Leader, Lock, Message, MessageStatus, Node, State, Status, Verdict, Waiting,
};
use interlock_model::event::{Json, MessageKind, TimerLabel, Warning, value_of};
use interlock_model::process_status::ProcessStatus;

/// The global state of a run: `GET /runs/{run}/state`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StateDocument {
    /// The id of the run.
    pub run: Uuid,
    /// Number (`seq`) of the last event that the state includes; 0 before the first event.
    pub seq: u64,
    /// Time that the state describes, in microseconds since the run began.
    pub at_us: u64,
    /// The locks, by number.
    pub locks: Vec<LockDocument>,
    /// The nodes, by id.
    pub nodes: Vec<NodeDocument>,
    /// The messages in the network.
    pub messages: MessageCounts,
    /// The account to which clients make deposits, if the workload has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountDocument>,
    /// The resources that the locks protect, including the account, ordered by lock.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<ResourceDocument>,
    /// The latest instances of agreement, ordered by number; only in runs with proposals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agreement: Vec<InstanceDocument>,
    /// The verdict on the run.
    pub verdict: VerdictDocument,
}

/// The account in the state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AccountDocument {
    /// The balance of the account.
    pub balance: i64,
    /// The balance that the account would have if no deposit had been lost.
    pub expected: i64,
    /// Number of deposits made.
    pub deposits: u64,
    /// Number of writes rejected because of their fencing tokens.
    pub refused: u64,
}

/// A lock in the state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LockDocument {
    /// The number of the lock.
    pub lock: LockId,
    /// Nodes in the critical section of the lock.
    pub holders: Vec<NodeId>,
    /// Late holders: nodes whose lease was taken back, and that have not yet left the section.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<NodeId>,
    /// Waiting nodes, longest wait first.
    pub waiting: Vec<WaitingDocument>,
    /// Number of entries to the section so far.
    pub entries: u64,
}

/// A node waiting for a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WaitingDocument {
    /// The waiting node.
    pub node: NodeId,
    /// The number of the node's request.
    pub request: RequestId,
    /// Start of the wait, in microseconds since the run began.
    pub since_us: u64,
    /// Locks that the waiting node holds and does not release before the requested lock is granted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keeps: Vec<LockId>,
}

/// A node in the state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct NodeDocument {
    /// The id of the node.
    pub node: NodeId,
    /// Number of the node's current incarnation, from 1.
    pub incarnation: u32,
    /// Status of the node's process.
    pub process: ProcessStatus,
    /// The operating system's process id, while the process exists.
    pub pid: Option<u32>,
    /// The node's relation to the critical section. If there are several locks, a node that waits for any of them
    /// is `wanting`.
    pub phase: PhaseName,
    /// The locks for which the node waits.
    pub wants: Vec<LockId>,
    /// The locks that the node holds.
    pub holds: Vec<LockId>,
    /// The process that the node believes to be the coordinator, in runs with elections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leader: Option<Leader>,
    /// Nodes that the node's failure detector suspects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub suspected: Vec<NodeId>,
    /// Pending timers that a manual action can fire, in the order in which they were set. The list is empty if timers
    /// fire by themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub timers: Vec<TimerLabel>,
    /// The node's view of its state, in the terms of the paper. Absent before the node's first report and while the
    /// node is crashed.
    pub view: Option<Json>,
}

/// A node's relation to the critical section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PhaseName {
    /// The node neither waits for a lock nor holds one.
    Idle,
    /// The node has made a request and waits for the lock.
    Wanting,
    /// The node is in the critical section.
    InSection,
}

impl PhaseName {
    fn of(node: &Node) -> Self {
        if node.wants() {
            Self::Wanting
        } else if node.is_inside() {
            Self::InSection
        } else {
            Self::Idle
        }
    }
}

/// Numbers of messages in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MessageCounts {
    /// Number of messages that were sent and are neither received nor lost, including held messages.
    pub in_flight: usize,
    /// Number of messages that are held until a manual action delivers or drops them.
    pub held: usize,
}

/// The verdict in the state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct VerdictDocument {
    /// Status of the run.
    pub status: Status,
    /// Number of violations so far. Each time that the run got stuck counts as a violation.
    pub violations: u64,
    /// The phenomenon that the run shows. Absent if the run shows none. While a value has not been chosen because
    /// proposers obstruct each other, the status is still `ok`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phenomenon: Option<PhenomenonDocument>,
    /// The reason for any status other than `ok`.
    pub because: Option<BecauseDocument>,
    /// Warnings about time-outs that are too short now, or were too short earlier in the run. The algorithm needs
    /// time-outs that are longer than the message delays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub warnings: Vec<Warning>,
}

/// The reason for a status other than `ok`: a code, its arguments, and a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BecauseDocument {
    /// The code: `quiescent`, `needs-a-hand`, `slow`, `failed`, or the code of a violation.
    pub code: Arc<str>,
    /// The reason in plain words.
    pub sentence: String,
    /// The arguments of the code: the values that occur in the sentence.
    #[serde(flatten)]
    pub arguments: Map<String, Value>,
}

/// A message in the network: an element of the list at `GET /runs/{run}/network/messages`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MessageDocument {
    /// The id of the message.
    #[schema(example = "0.1.12")]
    pub message: MessageId,
    /// The sender of the message.
    pub from: NodeId,
    /// The receiver of the message.
    pub to: NodeId,
    /// The kind of the message, with its name from the paper.
    pub message_kind: MessageKind,
    /// The fields of the message, with their names from the paper.
    pub body: Json,
    /// The status of the message.
    pub status: MessageStatus,
    /// Time at which the message got this status, in microseconds since the run began.
    pub since_us: u64,
    /// Time of the message's delivery, in microseconds since the run began. Absent if the network does not deliver the
    /// message by itself.
    pub due_us: Option<u64>,
}

impl State {
    /// Returns the state as the API shows it, with the verdict at `now_us`. For `now_us` and `pending_inputs` see
    /// [`State::verdict`].
    #[must_use]
    pub fn document(&self, run: Uuid, now_us: u64, pending_inputs: usize) -> StateDocument {
        StateDocument {
            run,
            seq: self.seq(),
            at_us: now_us,
            locks: self.locks().iter().map(|(id, lock)| lock_document(id, lock, self.nodes())).collect(),
            nodes: (0..).map(NodeId).zip(self.nodes()).map(|(id, node)| self.node_document(id, node)).collect(),
            messages: MessageCounts { in_flight: self.network().in_flight(), held: self.network().held() },
            account: self.resources().find(ACCOUNT).map(account_document),
            resources: self.resources().documents(),
            agreement: self.agreement().documents().collect(),
            verdict: self.verdict_document(now_us, pending_inputs),
        }
    }

    fn verdict_document(&self, now_us: u64, pending_inputs: usize) -> VerdictDocument {
        let Verdict { status, violations, because, warnings } = self.verdict(now_us, pending_inputs);
        let phenomenon = self.phenomenon(because.as_ref());
        VerdictDocument { status, violations, phenomenon, because: because.map(|because| because.document()), warnings }
    }

    fn node_document(&self, id: NodeId, node: &Node) -> NodeDocument {
        let locks =
            |inside| node.claims.iter().filter(|claim| claim.inside == inside).map(|claim| claim.lock).collect();
        // Timers that fire by themselves are omitted: no manual action applies to them, and the list would change with
        // nearly every event.
        let timers = node.timers.iter().filter(|_| !self.timers_run());
        NodeDocument {
            node: id,
            incarnation: node.incarnation,
            process: node.process,
            pid: node.pid,
            phase: PhaseName::of(node),
            wants: locks(false),
            holds: locks(true),
            leader: node.leader,
            suspected: node.suspected.iter().copied().collect(),
            timers: timers.map(|pending| pending.timer.clone()).collect(),
            view: node.view.clone(),
        }
    }

    /// Returns the messages in the network, ordered by link and number. If `status` is given, other messages are
    /// omitted.
    #[must_use]
    pub fn messages(&self, status: Option<MessageStatus>) -> Vec<MessageDocument> {
        self.network()
            .iter()
            .filter(|(_, message)| status.is_none_or(|status| status == message.status))
            .map(|(id, message)| message_document(id, message))
            .collect()
    }
}

impl Because {
    /// Returns the code: `quiescent`, `needs-a-hand`, `slow`, `failed`, or the code of the violation.
    #[must_use]
    pub fn code(&self) -> Arc<str> {
        match self {
            Self::Violation(violation) => Arc::clone(&violation.code),
            Self::Failed(_) => "failed".into(),
            Self::Standstill(standstill) if standstill.hands.are_tied() => stuck::QUIESCENT.into(),
            Self::Standstill(_) => "needs-a-hand".into(),
            Self::Slow(_) => "slow".into(),
        }
    }

    fn document(&self) -> BecauseDocument {
        let (arguments, sentence) = match self {
            Self::Violation(violation) => (violation.arguments.clone(), sentence::of_violation(violation)),
            Self::Failed(why) => (json!({ "why": why }), sentence::of_failure(why)),
            Self::Standstill(standstill) => (value_of(standstill), sentence::of_standstill(standstill)),
            Self::Slow(slow) => (value_of(slow), sentence::of_slow_wait(slow)),
        };
        let arguments = if let Value::Object(arguments) = arguments { arguments } else { Map::new() };
        BecauseDocument { code: self.code(), sentence, arguments }
    }
}

const fn account_document(account: &Resource) -> AccountDocument {
    let Resource { value, expected, writes, refused, .. } = *account;
    AccountDocument { balance: value, expected, deposits: writes, refused }
}

fn lock_document(id: LockId, lock: &Lock, nodes: &[Node]) -> LockDocument {
    let Lock { holders, late, waiting, entries } = lock;
    let waiting = waiting.iter().map(|waiting| waiting_document(waiting, nodes.get(waiting.node.index())));
    LockDocument {
        lock: id,
        holders: holders.clone(),
        late: late.clone(),
        waiting: waiting.collect(),
        entries: *entries,
    }
}

fn waiting_document(waiting: &Waiting, node: Option<&Node>) -> WaitingDocument {
    let Waiting { node: who, lock, request, since_us, .. } = *waiting;
    let claims = node.map_or(&[][..], |node| node.claims.as_slice());
    let wish = claims.iter().find(|claim| (claim.lock, claim.request) == (lock, request));
    let kept = |claim: &&Interest| wish.is_some_and(|wish| claim.is_kept_for(wish));
    let keeps = claims.iter().filter(kept).map(|claim| claim.lock).collect();
    WaitingDocument { node: who, request, since_us, keeps }
}

fn message_document(id: MessageId, message: &Message) -> MessageDocument {
    let Message { kind, body, status, since_us, due_us } = message.clone();
    MessageDocument { message: id, from: id.from, to: id.to, message_kind: kind, body, status, since_us, due_us }
}
