//! The state of a run as the API shows it: with what the monitors have to say of it in words.

use std::sync::Arc;

use interlock_algorithm::{LockId, NodeId, RequestId};
use interlock_machine::message_id::MessageId;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::monitor::{sentence, stuck};
use crate::resource::{ACCOUNT, Resource, ResourceDocument};
use crate::state::{
    Because, InstanceDocument, Interest, Leader, Lock, Message, MessageStatus, Node, State, Status, Verdict, Waiting,
};
use interlock_model::event::{Json, MessageKind, TimerLabel, Warning, value_of};
use interlock_model::process_status::ProcessStatus;

/// The global state of a run: `GET /runs/{run}/state`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StateDocument {
    /// The run.
    pub run: Uuid,
    /// The last event that it takes account of; 0 before the first.
    pub seq: u64,
    /// The time it speaks of, in microseconds since the run began.
    pub at_us: u64,
    /// The locks, by number.
    pub locks: Vec<LockDocument>,
    /// The nodes, by id.
    pub nodes: Vec<NodeDocument>,
    /// The messages in the network.
    pub messages: MessageCounts,
    /// The account that clients pay into, if the workload has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountDocument>,
    /// What the locks protect, the account included, in the order of the locks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<ResourceDocument>,
    /// The latest instances of agreement, by number, in runs with proposals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agreement: Vec<InstanceDocument>,
    /// How the run stands.
    pub verdict: VerdictDocument,
}

/// The account in the state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AccountDocument {
    /// What is in it.
    pub balance: i64,
    /// What would be in it if no deposit had been lost.
    pub expected: i64,
    /// How many deposits were made.
    pub deposits: u64,
    /// How many writes were refused because of their fencing tokens.
    pub refused: u64,
}

/// A lock in the state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LockDocument {
    /// Its number.
    pub lock: LockId,
    /// Who is in its critical section.
    pub holders: Vec<NodeId>,
    /// Late holders: whose lease was taken back, and who has not left yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<NodeId>,
    /// Who waits, longest first.
    pub waiting: Vec<WaitingDocument>,
    /// How often it was entered.
    pub entries: u64,
}

/// Somebody waiting for a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WaitingDocument {
    /// Who.
    pub node: NodeId,
    /// The number of the node's request.
    pub request: RequestId,
    /// Since when, in microseconds since the run began.
    pub since_us: u64,
    /// The locks that the node keeps until it gets this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keeps: Vec<LockId>,
}

/// A node in the state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct NodeDocument {
    /// Its id.
    pub node: NodeId,
    /// Which life of it this is, from 1.
    pub incarnation: u32,
    /// What its process is doing.
    pub process: ProcessStatus,
    /// The process id, while there is a process.
    pub pid: Option<u32>,
    /// How it stands to the critical section; with several locks, `wanting` if it waits for any.
    pub phase: PhaseName,
    /// The locks that it waits for.
    pub wants: Vec<LockId>,
    /// The locks that it has.
    pub holds: Vec<LockId>,
    /// Whom it takes for the coordinator, in runs with elections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leader: Option<Leader>,
    /// Whom its failure detector takes for dead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub suspected: Vec<NodeId>,
    /// Its timers that can be let run out, where they do not do so by themselves; in the order in which they were set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub timers: Vec<TimerLabel>,
    /// What its state looks like, in the terms of the paper; absent before its first report and while it is dead.
    pub view: Option<Json>,
}

/// How a node stands to the critical section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PhaseName {
    /// It wants nothing.
    Idle,
    /// It has asked and waits.
    Wanting,
    /// It is in the critical section.
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

/// How many messages are in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MessageCounts {
    /// Sent and neither taken by the receiver nor lost; held ones included.
    pub in_flight: usize,
    /// Of these, those that wait for a hand.
    pub held: usize,
}

/// How a run stands, in the state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct VerdictDocument {
    /// How it stands.
    pub status: Status,
    /// How many violations were found so far, those of getting stuck included.
    pub violations: u64,
    /// Why it does not stand well.
    pub because: Option<BecauseDocument>,
    /// Time-outs on which the algorithm relies, and that have not been longer than the delays, now or before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub warnings: Vec<Warning>,
}

/// Why a run does not stand well: a code, its arguments, and a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BecauseDocument {
    /// What it is: `quiescent`, `needs-a-hand`, `slow`, `failed`, or the code of a violation.
    pub code: Arc<str>,
    /// The same in plain words.
    pub sentence: String,
    /// The numbers of the sentence.
    #[serde(flatten)]
    pub arguments: Map<String, Value>,
}

/// A message in the network: an item of `GET /runs/{run}/network/messages`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MessageDocument {
    /// Its name.
    #[schema(example = "0.1.12")]
    pub message: MessageId,
    /// Who sent it.
    pub from: NodeId,
    /// Whom it is for.
    pub to: NodeId,
    /// Its kind, as in the paper.
    pub message_kind: MessageKind,
    /// Its fields, as in the paper.
    pub body: Json,
    /// Where it is.
    pub status: MessageStatus,
    /// Since when it is there, in microseconds since the run began.
    pub since_us: u64,
    /// When it will be handed over, in microseconds since the run began, if it goes on by itself.
    pub due_us: Option<u64>,
}

impl State {
    /// What the API shows, with the verdict at `now_us`: see [`State::verdict`] for the arguments.
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
            verdict: self.verdict(now_us, pending_inputs).into(),
        }
    }

    fn node_document(&self, id: NodeId, node: &Node) -> NodeDocument {
        let locks =
            |inside| node.claims.iter().filter(|claim| claim.inside == inside).map(|claim| claim.lock).collect();
        // What runs out by itself changes with nearly every event, and nobody can do anything about it.
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

    /// The messages in the network, ordered by link and number; only those of one status, if one is given.
    #[must_use]
    pub fn messages(&self, status: Option<MessageStatus>) -> Vec<MessageDocument> {
        self.network()
            .iter()
            .filter(|(_, message)| status.is_none_or(|status| status == message.status))
            .map(|(id, message)| message_document(id, message))
            .collect()
    }
}

impl From<Verdict> for VerdictDocument {
    fn from(verdict: Verdict) -> Self {
        let Verdict { status, violations, because, warnings } = verdict;
        Self { status, violations, because: because.map(|because| because.document()), warnings }
    }
}

impl Because {
    /// The code: `quiescent`, `needs-a-hand`, `slow`, `failed`, or that of the violation.
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
