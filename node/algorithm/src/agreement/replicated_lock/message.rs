//! The messages and reasons of the replicated lock service.

use super::table::{Operation, Table};
use crate::agreement::acceptor::Proposal;
use crate::identity::Ballot;
use crate::prelude::*;

/// Accepted operations by instance, from a given instance on.
pub type Accepted = Vec<(u64, Proposal<Operation>)>;

messages! {
    /// The messages: the four messages of Paxos, each with an instance, and the messages between clients and the
    /// leader.
    pub enum ReplicatedLockMessage {
        "PREPARE" Prepare { ballot: Ballot, applied: u64 }:
            "A node that wants to lead asks for promises, for this instance and all later ones.",
        "PROMISE" Promise {
            ballot: Ballot,
            applied: u64,
            /// The acceptor's table, if it has applied more instances than the sender of PREPARE.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            table: Option<Table>,
            /// The operations that the acceptor has accepted in later instances.
            accepted: Accepted,
        }: "An acceptor promises to accept no older number.",
        "REJECT" Reject { promised: Ballot }: "An acceptor has promised a newer number.",
        "ACCEPT" Accept {
            ballot: Ballot,
            instance: u64,
            operation: Operation,
            /// The first instance that may not be chosen yet: all instances below this number are chosen.
            committed: u64,
        }: "The leader asks the acceptors to accept an operation.",
        "ACCEPTED" Accepted { ballot: Ballot, instance: u64 }: "An acceptor has accepted the operation.",
        "CONFIRM" Confirm {
            ballot: Ballot,
            /// The number of the round that the question began.
            round: u64,
        }: "The leader asks whether it still leads.",
        "CONFIRMED" Confirmed { ballot: Ballot, round: u64 }: "The sender has promised no newer number.",
        "LAGGING" Lagging { applied: u64 }: "A node has fallen behind.",
        "LEARN" Learn {
            ballot: Ballot,
            /// The number of instances applied to the table.
            applied: u64,
            table: Table,
        }: "The leader sends a node what it has missed.",
        "REQUEST" Request {
            lock: LockId,
            request: RequestId,
            beat: u64,
            /// The newest ballot of a leader that the client knows.
            ballot: Ballot,
        }: "A client wants a lock.",
        "RENEW" Renew {
            lock: LockId,
            request: RequestId,
            beat: u64,
            /// The newest ballot of a leader that the client knows.
            ballot: Ballot,
        }: "A client has a lock and wants to keep it.",
        "RELEASE" Release { lock: LockId, request: RequestId }: "A client no longer wants a lock.",
        "GRANT" Grant {
            lock: LockId,
            request: RequestId,
            fence: u64,
            /// The client's beat that the grant answers.
            beat: u64,
        }: "The leader grants a lock for one lease, counted from the client's last request.",
        "WAIT" Wait { lock: LockId, request: RequestId }: "A client has to wait for the lock.",
        "LEADER" Leader {
            /// The ballot of the node that leads.
            ballot: Ballot,
        }: "A client has asked a node that does not lead.",
    }
}

reasons! {
    pub enum Reason {
        Promises { ballot: Ballot }: "Promised: no newer number was promised before.",
        Accepts { instance: u64 }: "Accepted: no newer number was promised before.",
        Older { ballot: Ballot, promised: Ballot }: "Rejected: a newer number was promised.",
        Repeated { ballot: Ballot }: "Answers again: the request is a copy.",
        Leads {
            ballot: Ballot,
            /// The number of unfinished instances of earlier leaders that the new leader completes.
            unfinished: u32,
        }: "Leads: a majority has promised.",
        TakesOver { ballot: Ballot }: "Wants to lead: the former leader is believed to have crashed.",
        StepsDown: "No longer leads: a newer number is known, or no majority answers.",
        Chosen { instance: u64 }: "Chosen: a majority has accepted it.",
        AsksWhetherLeading { round: u64 }: "Asks the others whether it still leads: only a leader may extend a lease.",
        StillLeads { round: u64 }: "Still leads: a majority has promised no newer number.",
        NoAnswer { from: NodeId }: "Asks the next node: this one has not answered.",
        LeaseOver { lock: LockId }: "Left: its lease has expired.",
        HolderSilent { lock: LockId, holder: NodeId }: "The holder has sent nothing for the length of a lease.",
        Granted { fence: u64 }: "Entered: the lock was granted.",
        StaleGrant {
            /// The beat that the grant answers.
            beat: u64,
        }: "Not entered: the grant answers a request that was made more than a lease ago.",
        NotWanted { lock: LockId }: "Given back: the granted lock is no longer wanted.",
        TooLate { from: NodeId }: "Not renewed: the lock is about to be taken back.",
        Outdated { from: NodeId }: "Ignored: the request is finished.",
        Unexpected { from: NodeId }: "Ignored: this node does not wait for it.",
        NotItsBallot { from: NodeId }: "Ignored: the number is not one of the sender's.",
        AnotherOperation { instance: u64 }: "Ignored: another operation was accepted with this number.",
        NoSuchLock { lock: LockId }: "Ignored: there is no such lock.",
        TooFarAhead { instance: u64 }: "Ignored: too many earlier instances are still open.",
        NoHigherBallot: "Gives up: there is no higher round.",
    }
}
