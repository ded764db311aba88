//! A lock service on a replicated log. It uses one instance of Paxos for each operation, with a stable leader
//! (Lamport 2001, "Paxos Made Simple", section 3). Locks have leases (Gray and Cheriton 1989, "Leases") and fencing
//! tokens.
//!
//! The operations on the locks are acquire, release and expire. The leader numbers the operations, and a majority
//! chooses each of them. All nodes that apply the operations in order have the same table of locks. When a node
//! becomes the leader, it executes the first phase of Paxos once for all later instances. Since a majority stores each
//! operation, the locks survive the crash of any minority, including the leader.
//!
//! A lock is held for the length of a lease. The holder counts the lease from its latest request, and the leader
//! counts it from the receipt of that request. If the leader receives no request from a holder during a lease, an
//! operation in the log revokes the lock. If the holder receives no answer during its lease, it leaves the critical
//! section on its own. A paused holder cannot leave in time. Therefore each grant carries a fencing token, a number
//! greater than all earlier tokens. With the token, the protected resource can reject a holder that is late.
//!
//! Before a leader extends a holder's lease, a majority confirms that it has promised no newer ballot. Suppose that
//! a partition separates a leader and a holder from the majority, which elects a new leader. Then the former leader
//! extends no lease, because no majority answers it. The new leader waits for the length of a lease after the
//! majority's promises. The holder sent the last request that extended its lease before these promises, so the lease
//! has expired by then.
//!
//! An extension takes two round trips: from the holder to the leader, and from the leader to the majority. The
//! holder requests the next extension only after the previous one has arrived, so two extensions must fit into one
//! lease. A round trip must therefore be shorter than a quarter of the lease. Otherwise, a holder leaves before the
//! extension arrives.
//!
//! The leader reports a chosen operation to the other nodes only together with the next operation. This delay is
//! harmless, because only the leader grants locks.

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
use crate::identity::Ballot;
use crate::prelude::*;

/// The timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timer {
    /// The time until a client repeats its request or asks for a longer lease.
    Beat(LockId),
    /// The time until a lease expires, counted from the client's request. The lease belongs to the odd or the even
    /// one of the latest two beats.
    Lease {
        /// The lock.
        lock: LockId,
        /// Whether the lease belongs to the odd beat.
        odd: bool,
    },
    /// The time until the leader revokes a lock whose holder sends no further request.
    Expire(LockId),
    /// The time until the leader repeats unanswered messages.
    Resend,
}

/// Packs a timer into a number. The upper half of the number is the kind of the timer. The lower half is the lock.
/// For leases, the lower half also contains a bit that is 1 for the odd beat.
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

/// The state that survives a crash.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Kept {
    /// The promise and the accepted operations, from instance `applied` on.
    acceptor: Acceptor<Operation>,
    /// Number of instances applied to the table.
    applied: u64,
    /// The locks.
    table: Table,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ReplicatedLock {
    kept: Kept,
    /// The newest ballot of a leader that the node knows.
    known: Ballot,
    role: Role,
    heard: Heard,
    client: Client,
}

/// The context of a step.
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
        summary: "A leader lets a majority choose each operation on the locks; locks are leased and fenced.",
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
        messages_per_entry: "4(N-1) + 3, or 4(N-1) for the leader; more if the client waits or stays long",
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

    /// Returns the initial state. Everything that the node must remember is in the stored state, which it receives
    /// with `Input::Restart`.
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
        // Store first, then send: no message may announce a state that a crash can lose.
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
        View::default()
            .queued(self.kept.table.queue(LockId(0)))
            .waiting_for(self.client.waits().then(|| self.client.target()))
            .with("role", Value::Text(role.into()))
            .with("leader", Value::node(Some(self.known.proposer)))
            .with("ballot", Value::number(self.known.round))
            .with("applied", Value::number(self.kept.applied))
            .with("holder", Value::node(holder.map(|grant| grant.claim.client)))
            .with("fence", Value::number(holder.map_or(0, |grant| grant.fence)))
    }
}
