//! A lock service on a replicated log: Paxos once for each operation, with a leader that stays (Lamport 2001, "Paxos
//! Made Simple", section 3), and leases (Gray and Cheriton 1989, "Leases") with fencing tokens.
//!
//! The operations on the locks, acquire, release and expire, are numbered by the leader, and each is chosen by a
//! majority; whoever applies them in order has the same table of locks. The first phase of Paxos is gone through once
//! for all later instances, when a node becomes the leader. So the locks survive the crash of any minority, the leader
//! among them.
//!
//! A lock is held for the length of a lease, counted by the holder from when it asked last and by the leader from when
//! it heard that. Who is not heard of for so long loses the lock by an operation in the log; who has no answer for so
//! long leaves by itself. A process that is paused knows of neither: each grant carries a number greater than all
//! before, the fencing token, by which whatever is protected by the lock can tell that it is late.
//!
//! Before a leader tells a holder that its lease is longer, a majority confirms that no newer leader is promised. So a
//! leader that was replaced without its knowing, cut off with the holder, renews nothing: who replaced it waits for the
//! length of a lease from when the majority turned to it, and the holder asked before. An answer takes two round trips,
//! so a round trip must be shorter than a quarter of the lease, or a holder leaves before it hears.
//!
//! What is chosen is told to the other nodes with the next operation only, which is all that they need.

mod client;
mod heard;
mod leader;
mod log;
mod message;
mod setting;
mod table;

use self::client::Client;
use self::heard::Heard;
use self::leader::{Promise, Role};
pub use self::message::{Accepted, Reason, ReplicatedLockMessage};
pub use self::setting::{Flaw, Setting};
pub use self::table::{Change, Grant, LockRequest, Operation, Table};
use super::acceptor::{Acceptor, Proposal};
use crate::contract::{Delay, Effect};
use crate::erased::Packed;
use crate::identity::{Ballot, LockId};
use crate::needs::FailureDetector;
use crate::prelude::*;

/// The timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timer {
    /// Until a client asks again, or for a longer lease.
    Beat(LockId),
    /// Until the lease is over that is counted from when the client asked: of the latest two times, the odd or the
    /// even one.
    Lease {
        /// The lock.
        lock: LockId,
        /// Which.
        odd: bool,
    },
    /// Until the leader takes a lock back.
    Expire(LockId),
    /// Until the leader sends again what was not answered.
    Resend,
}

/// The number has the kind in its upper half. Its lower half is the lock, for leases followed by a bit for the odd one.
impl Packed for Timer {
    fn pack(self) -> u64 {
        match self {
            Self::Beat(lock) => lock.0.into(),
            Self::Lease { lock, odd } => LEASE | (u64::from(lock.0) << 1) | u64::from(odd),
            Self::Expire(lock) => EXPIRE | u64::from(lock.0),
            Self::Resend => RESEND,
        }
    }

    fn unpack(number: u64) -> Option<Self> {
        let lock = |number: u64| number.try_into().ok().map(LockId);
        match number {
            RESEND => Some(Self::Resend),
            EXPIRE.. => lock(number - EXPIRE).map(Self::Expire),
            LEASE.. => lock((number - LEASE) >> 1).map(|lock| Self::Lease { lock, odd: number & 1 == 1 }),
            _ => lock(number).map(Self::Beat),
        }
    }
}

const LEASE: u64 = 1 << 40;
const EXPIRE: u64 = 2 << 40;
const RESEND: u64 = 3 << 40;

/// What survives a crash.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Kept {
    /// What was promised and accepted, from instance `applied` on.
    acceptor: Acceptor<Operation>,
    /// How many instances were applied to the table.
    applied: u64,
    /// The locks.
    table: Table,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ReplicatedLock {
    kept: Kept,
    /// The newest number of a leader that it knows.
    known: Ballot,
    role: Role,
    heard: Heard,
    client: Client,
}

/// What every part of a step needs.
struct Turn<'a> {
    setting: &'a Setting,
    me: NodeId,
    out: Effects<ReplicatedLock>,
}

impl Turn<'_> {
    fn set(&mut self, timer: Timer, after: Ticks) {
        self.out.push(Effect::SetTimer { timer, delay: Delay::Exactly(after) });
    }

    fn cancel(&mut self, timer: Timer) {
        self.out.push(Effect::CancelTimer(timer));
    }
}

impl ReplicatedLock {
    fn restart(&mut self, kept: Option<Kept>) {
        self.kept = kept.unwrap_or_default();
        if let Some(promised) = self.kept.acceptor.promised.filter(|&promised| promised > self.known) {
            self.known = promised;
            self.client.turn_to(promised.proposer);
        }
    }

    fn receive(&mut self, from: NodeId, message: ReplicatedLockMessage, turn: &mut Turn<'_>) {
        use ReplicatedLockMessage as Message;
        match message {
            Message::Prepare { ballot, .. }
            | Message::Accept { ballot, .. }
            | Message::Confirm { ballot, .. }
            | Message::Learn { ballot, .. }
                if ballot.proposer != from =>
            {
                turn.out.because(Reason::NotItsBallot { from });
            }
            Message::Prepare { ballot, applied } => self.prepared(from, ballot, applied, turn),
            Message::Promise { ballot, applied, table, accepted } => {
                self.promised(from, ballot, Promise { applied, table, accepted }, turn);
            }
            Message::Reject { promised } => self.rejected(from, promised, turn),
            Message::Accept { ballot, instance, operation, committed } => {
                self.asked_to_accept(from, instance, Proposal { ballot, value: operation }, committed, turn);
            }
            Message::Accepted { ballot, instance } => self.accepted(from, ballot, instance, turn),
            Message::Confirm { ballot, round } => self.asked_to_confirm(from, ballot, round, turn),
            Message::Confirmed { ballot, round } => self.confirmed(from, ballot, round, turn),
            Message::Lagging { applied } => self.lags(from, applied, turn),
            Message::Learn { ballot, applied, table } => self.catch_up(from, ballot, applied, table, turn),
            Message::Request { lock, request, beat, ballot } | Message::Renew { lock, request, beat, ballot } => {
                self.asked(LockRequest { lock, client: from, request }, beat, ballot, turn);
            }
            Message::Release { lock, request } => self.given_back(from, lock, request, turn),
            Message::Grant { lock, request, fence, beat } => self.granted(from, lock, request, (fence, beat), turn),
            Message::Wait { lock, request } => self.told_to_wait(from, lock, request, turn),
            Message::Leader { ballot } => self.told_who_leads(from, ballot, turn),
        }
    }

    fn run_out(&mut self, timer: Timer, turn: &mut Turn<'_>) {
        match timer {
            Timer::Beat(lock) => self.beat(lock, turn),
            Timer::Lease { lock, odd } => self.lease_over(lock, odd, turn),
            Timer::Expire(lock) => self.expire(lock, turn),
            Timer::Resend => self.resend(turn),
        }
    }
}

impl Algorithm for ReplicatedLock {
    type Setting = Setting;
    type Message = ReplicatedLockMessage;
    type Timer = Timer;
    type Stored = Kept;
    type Reason = Reason;

    const SENTENCES: &'static [Sentence] = Reason::SENTENCES;
    const ENTRY: Entry = Entry {
        name: "replicated-lock",
        title: "Replicated lock service",
        family: "mutual-exclusion",
        source: Source { authors: "Leslie Lamport", title: "Paxos Made Simple", year: 2001 },
        summary: "A leader has each operation on the locks chosen by a majority; locks are leased and fenced.",
        variants: Flaw::VARIANTS,
        assumes: Assumptions {
            stable_storage: true,
            failure_detector: FailureDetector::EventualLeader,
            time_outs: &[setting::GRANTED, setting::ASKED_TWICE],
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Many,
        structure: Structure::Coordinator { parameter: "leader" },
        message_kinds: ReplicatedLockMessage::KINDS,
        conduct: Conduct { leases: true, agrees: true, ..Conduct::PLAIN },
        parameters: setting::PARAMETERS,
        messages_per_entry: "4(N-1) + 3, or 4(N-1) for the leader; more if it waits or stays long",
        ..Entry::BLANK
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        setting::configure(configuration)
    }

    fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
        setting::in_force(setting)
    }

    fn new(setting: &Setting, _: NodeId) -> Self {
        let leader = setting.leader;
        Self {
            kept: Kept::default(),
            known: Ballot { round: 0, proposer: leader },
            role: Role::Following,
            heard: Heard::default(),
            client: Client::new(leader),
        }
    }

    /// What it must remember it has stored.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let before = self.kept.clone();
        let mut turn = Turn { setting, me, out: Effects::default() };
        match input {
            Input::Restart(kept) => self.restart(kept),
            Input::Command(Command::Acquire { lock, request }) => self.acquire(lock, request, &mut turn),
            Input::Command(Command::Release { lock, request }) => self.release(lock, request, &mut turn),
            Input::Message { from, message } => self.receive(from, message, &mut turn),
            Input::Timer(timer) => self.run_out(timer, &mut turn),
            Input::Start | Input::Command(_) | Input::Suspected(_) | Input::Trusted(_) => {}
        }
        // First it is stored, then it is said.
        if self.kept != before {
            out.push(Effect::Store(self.kept.clone()));
        }
        turn.out.drain().for_each(|effect| out.push(effect));
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        let holder = self.kept.table.holder(LockId(0));
        let role = match self.role {
            Role::Following => "follows",
            Role::Preparing { .. } => "prepares",
            Role::Leading { .. } => "leads",
        };
        let mut view = View {
            queue: self.kept.table.queue(LockId(0)).map(|node| Queued { node, clock: None }).collect(),
            waits_for: self.client.waits().then(|| self.client.target()).into_iter().collect(),
            ..View::default()
        };
        view.variables.insert("role".into(), Value::Text(role.into()));
        view.variables.insert("leader".into(), Value::node(Some(self.known.proposer)));
        view.variables.insert("ballot".into(), Value::number(self.known.round));
        view.variables.insert("applied".into(), Value::number(self.kept.applied));
        view.variables.insert("holder".into(), Value::node(holder.map(|grant| grant.claim.client)));
        view.variables.insert("fence".into(), Value::number(holder.map_or(0, |grant| grant.fence)));
        view
    }
}
