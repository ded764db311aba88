//! The messages and reasons of the replicated lock service.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::table::{Operation, Table};
use crate::agreement::acceptor::Proposal;
use crate::contract::Message;
use crate::identity::{Ballot, LockId, NodeId, RequestId};

/// The operations accepted in the instances from some on.
pub type Accepted = Vec<(u64, Proposal<Operation>)>;

/// The messages: the four of Paxos, with an instance, and those between clients and the leader.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum ReplicatedLockMessage {
    /// A node that is to lead asks for promises, for this instance and all later ones.
    #[serde(rename = "PREPARE")]
    Prepare {
        /// Its number.
        ballot: Ballot,
        /// How many instances it has applied.
        applied: u64,
    },
    /// An acceptor promises so.
    #[serde(rename = "PROMISE")]
    Promise {
        /// The number promised.
        ballot: Ballot,
        /// How many instances it has applied.
        applied: u64,
        /// Its table, if it has applied more than the asker.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<Table>,
        /// What it has accepted in later instances.
        accepted: Accepted,
    },
    /// An acceptor has promised a newer number.
    #[serde(rename = "REJECT")]
    Reject {
        /// The number promised.
        promised: Ballot,
    },
    /// The leader asks to accept an operation.
    #[serde(rename = "ACCEPT")]
    Accept {
        /// Its number.
        ballot: Ballot,
        /// The instance.
        instance: u64,
        /// The operation.
        operation: Operation,
        /// All instances below this are chosen.
        committed: u64,
    },
    /// An acceptor has accepted it.
    #[serde(rename = "ACCEPTED")]
    Accepted {
        /// The number.
        ballot: Ballot,
        /// The instance.
        instance: u64,
    },
    /// The leader asks whether it still is one.
    #[serde(rename = "CONFIRM")]
    Confirm {
        /// Its number.
        ballot: Ballot,
        /// How often it has asked the others for anything.
        round: u64,
    },
    /// No newer number was promised here.
    #[serde(rename = "CONFIRMED")]
    Confirmed {
        /// The leader's number.
        ballot: Ballot,
        /// What is answered.
        round: u64,
    },
    /// A node has fallen behind.
    #[serde(rename = "LAGGING")]
    Lagging {
        /// How many instances it has applied.
        applied: u64,
    },
    /// The leader tells it what it has missed.
    #[serde(rename = "LEARN")]
    Learn {
        /// The leader's number.
        ballot: Ballot,
        /// How many instances were applied to the table.
        applied: u64,
        /// The table.
        table: Table,
    },
    /// A client wants a lock.
    #[serde(rename = "REQUEST")]
    Request {
        /// The lock.
        lock: LockId,
        /// The number of its request.
        request: RequestId,
        /// How often it has asked.
        beat: u64,
        /// The newest number of a leader that it knows.
        ballot: Ballot,
    },
    /// A client has a lock, and wants to keep it.
    #[serde(rename = "RENEW")]
    Renew {
        /// The lock.
        lock: LockId,
        /// The number of its request.
        request: RequestId,
        /// How often it has asked.
        beat: u64,
        /// The newest number of a leader that it knows.
        ballot: Ballot,
    },
    /// A client wants a lock no more.
    #[serde(rename = "RELEASE")]
    Release {
        /// The lock.
        lock: LockId,
        /// The number of its request.
        request: RequestId,
    },
    /// A client has the lock for the length of a lease from when it asked last.
    #[serde(rename = "GRANT")]
    Grant {
        /// The lock.
        lock: LockId,
        /// The number of its request.
        request: RequestId,
        /// The fencing token.
        fence: u64,
        /// How often it had asked then.
        beat: u64,
    },
    /// A client has to wait for the lock.
    #[serde(rename = "WAIT")]
    Wait {
        /// The lock.
        lock: LockId,
        /// The number of its request.
        request: RequestId,
    },
    /// A client has asked a node that does not lead.
    #[serde(rename = "LEADER")]
    Leader {
        /// The number of the one that does.
        ballot: Ballot,
    },
}

impl Message for ReplicatedLockMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Prepare { .. } => "PREPARE",
            Self::Promise { .. } => "PROMISE",
            Self::Reject { .. } => "REJECT",
            Self::Accept { .. } => "ACCEPT",
            Self::Accepted { .. } => "ACCEPTED",
            Self::Confirm { .. } => "CONFIRM",
            Self::Confirmed { .. } => "CONFIRMED",
            Self::Lagging { .. } => "LAGGING",
            Self::Learn { .. } => "LEARN",
            Self::Request { .. } => "REQUEST",
            Self::Renew { .. } => "RENEW",
            Self::Release { .. } => "RELEASE",
            Self::Grant { .. } => "GRANT",
            Self::Wait { .. } => "WAIT",
            Self::Leader { .. } => "LEADER",
        }
    }
}

/// Why a node did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Promised: no newer number was promised before.
    Promises {
        /// The number.
        ballot: Ballot,
    },
    /// Accepted: no newer number was promised before.
    Accepts {
        /// The instance.
        instance: u64,
    },
    /// Rejected: a newer number was promised.
    Older {
        /// The number that is rejected.
        ballot: Ballot,
        /// The one promised.
        promised: Ballot,
    },
    /// Said again: the request is a copy.
    Repeated {
        /// The number.
        ballot: Ballot,
    },
    /// Leads: a majority has promised.
    Leads {
        /// Its number.
        ballot: Ballot,
        /// How many instances it finishes that others have begun.
        unfinished: u32,
    },
    /// Wants to lead: whoever did is believed to be dead.
    TakesOver {
        /// Its number.
        ballot: Ballot,
    },
    /// Leads no more: a newer number is known, or no majority answers.
    StepsDown,
    /// Chosen: a majority has accepted it.
    Chosen {
        /// The instance.
        instance: u64,
    },
    /// Asks the others whether it still leads: only then may a lease be longer.
    AsksWhetherLeading {
        /// Which question it is.
        round: u64,
    },
    /// Still leads: a majority has promised no newer number.
    StillLeads {
        /// Which question it was.
        round: u64,
    },
    /// Asks the next node: this one has not answered.
    NoAnswer {
        /// Who has not.
        from: NodeId,
    },
    /// Left: its lease has run out.
    LeaseOver {
        /// The lock.
        lock: LockId,
    },
    /// The holder was not heard of for a lease.
    HolderSilent {
        /// The lock.
        lock: LockId,
        /// Who has it.
        holder: NodeId,
    },
    /// Entered: granted.
    Granted {
        /// The fencing token.
        fence: u64,
    },
    /// Not entered: the grant answers what was asked more than a lease ago, or long before.
    StaleGrant {
        /// What it answers.
        beat: u64,
    },
    /// Given back: what is granted is not wanted any more.
    NotWanted {
        /// The lock.
        lock: LockId,
    },
    /// Not renewed: the lock is about to be taken back.
    TooLate {
        /// Who asked.
        from: NodeId,
    },
    /// Ignored: the request is done with.
    Outdated {
        /// Whose request.
        from: NodeId,
    },
    /// Ignored: it is not what this node waits for.
    Unexpected {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: the number is not that of the sender.
    NotItsBallot {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: with this number another operation was accepted.
    AnotherOperation {
        /// The instance.
        instance: u64,
    },
    /// Ignored: there is no such lock.
    NoSuchLock {
        /// The lock.
        lock: LockId,
    },
    /// Ignored: too many instances are open before this one.
    TooFarAhead {
        /// The instance.
        instance: u64,
    },
    /// Gives up: there is no higher round.
    NoHigherBallot,
}
