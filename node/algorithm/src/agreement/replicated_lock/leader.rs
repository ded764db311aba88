//! The leader. It numbers the operations, gets each operation accepted by a majority, and notifies the clients of the
//! results.

use alloc::string::ToString;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::log::WINDOW;
use super::message::{Accepted, Reason, ReplicatedLockMessage as Message};
use super::setting::Flaw;
use super::table::{Change, Grant, LockRequest, Operation, Table};
use super::{ReplicatedLock, Timer, Turn};
use crate::agreement::acceptor::{Proposal, next_ballot};
use crate::flat::{FlatMap, FlatSet};
use crate::identity::{Ballot, LockId, NodeId, RequestId};
use crate::outcome::Outcome;

/// Number of times that a leader repeats unanswered messages before it steps down.
const MOST_RESENDS: u32 = 4;

/// The role of a node in the group.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Role {
    /// The node follows the leader.
    Following,
    /// The node tries to become the leader. `promises` contains the promises that have arrived.
    Preparing { ballot: Ballot, promises: FlatMap<NodeId, Promise>, resends: u32 },
    /// The node leads. Instances from `applied` up to but not including `next` are open.
    Leading { ballot: Ballot, next: u64, open: FlatMap<u64, Slot>, question: Option<Question>, resends: u32 },
}

/// The content of a promise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Promise {
    pub(super) applied: u64,
    pub(super) table: Option<Table>,
    pub(super) accepted: Accepted,
}

/// An open instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Slot {
    operation: Operation,
    acceptors: FlatSet<NodeId>,
    /// The round in which a majority is asked to accept the operation.
    round: u64,
}

/// The question to the other nodes whether this node still leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Question {
    /// The number of the round that began when the question was first sent. A confirmation counts only if it carries
    /// this number.
    round: u64,
    confirmed_by: FlatSet<NodeId>,
}

// Becoming the leader, and stepping down.
impl ReplicatedLock {
    /// Returns the ballot with which this node leads, if it leads.
    pub(super) const fn leading(&self) -> Option<Ballot> {
        match &self.role {
            Role::Leading { ballot, .. } => Some(*ballot),
            _ => None,
        }
    }

    fn take_over(&mut self, turn: &mut Turn<'_>) {
        let promised = self.kept.acceptor.promised.map_or(0, |promised| promised.round);
        let Some(ballot) = next_ballot(self.known.round.max(promised), turn.me) else {
            return turn.out.because(Reason::NoHigherBallot);
        };
        turn.out.because(Reason::TakesOver { ballot });
        self.known = ballot;
        self.client.turn_to(turn.me);
        self.kept.acceptor.promise(ballot);
        turn.out.outcome(Outcome::Promised { instance: self.kept.applied, ballot });
        let accepted = self.kept.acceptor.accepted.iter().map(|(&i, proposal)| (i, proposal.clone())).collect();
        let own = Promise { applied: self.kept.applied, table: None, accepted };
        self.role = Role::Preparing { ballot, promises: FlatMap::from([(turn.me, own)]), resends: 0 };
        turn.set(Timer::Resend, turn.setting.retry);
        turn.out.multicast(Message::Prepare { ballot, applied: self.kept.applied });
        self.lead_if_promised(turn);
    }

    pub(super) fn promised(&mut self, from: NodeId, theirs: Ballot, promise: Promise, turn: &mut Turn<'_>) {
        match &mut self.role {
            Role::Preparing { ballot, promises, resends } if *ballot == theirs => {
                promises.insert(from, promise);
                *resends = 0;
                self.lead_if_promised(turn);
            }
            _ => turn.out.because(Reason::Unexpected { from }),
        }
    }

    fn lead_if_promised(&mut self, turn: &mut Turn<'_>) {
        let Role::Preparing { ballot, promises, .. } = &mut self.role else { return };
        if promises.len() < turn.setting.quorum() {
            return;
        }
        let (ballot, promises) = (*ballot, core::mem::take(promises));
        let open = if turn.setting.flaw == Flaw::AdoptsNothing { FlatMap::new() } else { self.take_in(promises) };
        let end = open.last_key_value().map_or(self.kept.applied, |(last, _)| last.saturating_add(1));
        let unfinished = u32::try_from(end.saturating_sub(self.kept.applied)).unwrap_or(u32::MAX);
        turn.out.because(Reason::Leads { ballot, unfinished });
        turn.cancel(Timer::Resend);
        let first = self.kept.applied;
        self.role = Role::Leading { ballot, next: first, open: FlatMap::new(), question: None, resends: 0 };
        for instance in first..end {
            self.open(open.get(&instance).map_or(Operation::Nothing {}, |proposal| proposal.value), turn);
        }
        for grant in self.kept.table.grants() {
            turn.set(Timer::Expire(grant.claim.lock), turn.setting.lease);
        }
        for (claim, beat) in self.heard.claims() {
            self.serve(claim, beat, turn);
        }
    }

    /// Of all tables in a majority's promises, adopts the table to which the most instances are applied. Returns,
    /// for each later instance, the operation that was accepted with the highest ballot.
    fn take_in(&mut self, promises: FlatMap<NodeId, Promise>) -> FlatMap<u64, Proposal<Operation>> {
        let mut open: FlatMap<u64, Proposal<Operation>> = FlatMap::new();
        for Promise { applied, table, accepted } in promises.into_values() {
            if let Some(table) = table.filter(|_| applied > self.kept.applied) {
                self.adopt(applied, table);
            }
            for (instance, proposal) in accepted {
                let known = open.entry(instance).or_insert_with(|| proposal.clone());
                if proposal.ballot > known.ballot {
                    *known = proposal;
                }
            }
        }
        let first = self.kept.applied;
        open.retain(|&instance, _| (first..first.saturating_add(WINDOW)).contains(&instance));
        open
    }

    pub(super) fn rejected(&mut self, from: NodeId, promised: Ballot, turn: &mut Turn<'_>) {
        if promised > self.known && promised.proposer.0 < turn.setting.nodes {
            self.recognise(promised, turn);
        } else {
            turn.out.because(Reason::Unexpected { from });
        }
    }

    pub(super) fn step_down(&mut self, turn: &mut Turn<'_>) {
        if self.role == Role::Following {
            return;
        }
        turn.out.because(Reason::StepsDown);
        self.role = Role::Following;
        self.heard = super::heard::Heard::default();
        turn.cancel(Timer::Resend);
        for grant in self.kept.table.grants() {
            turn.cancel(Timer::Expire(grant.claim.lock));
        }
    }

    /// Sends all unanswered messages again.
    pub(super) fn resend(&mut self, turn: &mut Turn<'_>) {
        let nodes = turn.setting.nodes;
        let committed = self.kept.applied;
        let missing = |answered: &dyn Fn(NodeId) -> bool| NodeId::all(nodes).filter(|&node| !answered(node)).collect();
        let messages: Vec<(Vec<NodeId>, Message)> = match &mut self.role {
            Role::Following => return,
            Role::Preparing { resends, .. } | Role::Leading { resends, .. } if *resends >= MOST_RESENDS => {
                return self.step_down(turn);
            }
            Role::Preparing { ballot, promises, resends } => {
                *resends += 1;
                let message = Message::Prepare { ballot: *ballot, applied: committed };
                [(missing(&|node| promises.contains_key(&node)), message)].into()
            }
            Role::Leading { ballot, open, question, resends, .. } => {
                *resends += 1;
                let again = open.iter().map(|(&instance, Slot { operation, acceptors, .. })| {
                    let (ballot, operation) = (*ballot, *operation);
                    let message = Message::Accept { ballot, instance, operation, committed };
                    (missing(&|node| acceptors.contains(&node)), message)
                });
                let asked = question.iter().map(|Question { round, confirmed_by }| {
                    let message = Message::Confirm { ballot: *ballot, round: *round };
                    (missing(&|node| confirmed_by.contains(&node)), message)
                });
                again.chain(asked).collect()
            }
        };
        for (to, message) in messages {
            to.into_iter().filter(|&to| to != turn.me).for_each(|to| turn.out.send(to, message.clone()));
        }
        turn.set(Timer::Resend, turn.setting.retry);
    }
}

// Getting operations chosen.
impl ReplicatedLock {
    /// Proposes an operation for the next instance, unless an equivalent operation is in progress.
    fn propose(&mut self, operation: Operation, turn: &mut Turn<'_>) {
        let Role::Leading { next, open, .. } = &self.role else { return };
        if open.len() as u64 >= WINDOW {
            return turn.out.because(Reason::TooFarAhead { instance: *next });
        }
        if open.values().all(|slot| !slot.operation.is_like(&operation)) {
            self.open(operation, turn);
        }
    }

    fn open(&mut self, operation: Operation, turn: &mut Turn<'_>) {
        let Role::Leading { ballot, next, open, question, .. } = &mut self.role else { return };
        let (ballot, instance, idle) = (*ballot, *next, open.is_empty() && question.is_none());
        *next = instance.saturating_add(1);
        let round = self.heard.begin_round();
        open.insert(instance, Slot { operation, acceptors: FlatSet::from([turn.me]), round });
        turn.out.outcome(Outcome::Proposed { instance, value: operation.to_string().into() });
        self.accept(instance, Proposal { ballot, value: operation }, turn);
        turn.out.multicast(Message::Accept { ballot, instance, operation, committed: self.kept.applied });
        if idle {
            turn.set(Timer::Resend, turn.setting.retry);
        }
        self.advance(turn);
    }

    pub(super) fn accepted(&mut self, from: NodeId, theirs: Ballot, instance: u64, turn: &mut Turn<'_>) {
        match &mut self.role {
            Role::Leading { ballot, open, resends, .. } if *ballot == theirs => {
                if open.get_mut(&instance).is_some_and(|slot| slot.acceptors.insert(from)) {
                    *resends = 0;
                    self.advance(turn);
                }
            }
            _ => turn.out.because(Reason::Unexpected { from }),
        }
    }

    /// Applies the chosen operations, in order.
    fn advance(&mut self, turn: &mut Turn<'_>) {
        let quorum = turn.setting.quorum();
        loop {
            let instance = self.kept.applied;
            let Role::Leading { open, question, .. } = &mut self.role else { return };
            let Some(slot) = open.get(&instance).filter(|slot| slot.acceptors.len() >= quorum) else { return };
            let (operation, round) = (slot.operation, slot.round);
            open.remove(&instance);
            if open.is_empty() && question.is_none() {
                turn.cancel(Timer::Resend);
            }
            turn.out.because(Reason::Chosen { instance });
            // Extend leases only after the operation is applied: if the operation revokes a lock, its former holder
            // must not get a longer lease.
            let mut assured = self.heard.confirm(round);
            for change in self.apply(operation, turn) {
                let granted = Self::bring_about(change, turn).filter(|claim| !assured.contains(claim));
                assured.extend(granted);
            }
            self.assure(assured, turn);
        }
    }

    /// Sets or cancels the expiry timer of the lock that a change concerns, and reports an expired lease. If the change
    /// grants a lock, returns the granted request.
    fn bring_about(change: Change, turn: &mut Turn<'_>) -> Option<LockRequest> {
        match change {
            Change::Released(claim) => {
                turn.cancel(Timer::Expire(claim.lock));
                None
            }
            Change::Expired(LockRequest { lock, client: holder, request }) => {
                turn.cancel(Timer::Expire(lock));
                turn.out.outcome(Outcome::Expired { lock, holder, request });
                None
            }
            Change::Granted(Grant { claim, .. }) => {
                turn.set(Timer::Expire(claim.lock), turn.setting.lease);
                Some(claim)
            }
        }
    }

    /// Sends GRANT to the holder of a lock. Sends nothing if no request of the holder is confirmed, because the
    /// holder's next request starts another round.
    fn grant(&mut self, grant: Grant, turn: &mut Turn<'_>) {
        let Grant { claim: LockRequest { lock, client, request }, fence } = grant;
        let Some(beat) = self.heard.confirmed(grant.claim) else { return };
        if self.is_expiring(grant.claim) {
            return turn.out.because(Reason::TooLate { from: client });
        }
        if client == turn.me {
            self.granted(client, lock, request, (fence, beat), turn);
        } else {
            turn.out.send(client, Message::Grant { lock, request, fence, beat });
        }
    }
}

// Renewal of leases.
impl ReplicatedLock {
    /// Whether an operation that revokes the lock of the client of `claim` is in progress. If so, the client's lease
    /// must not be renewed.
    fn is_expiring(&self, claim: LockRequest) -> bool {
        let Role::Leading { open, .. } = &self.role else { return false };
        open.values().any(|slot| slot.operation == Operation::Expire { claim })
    }
}

// Confirming the leadership: a majority may have promised a newer ballot without this node's knowledge.
impl ReplicatedLock {
    /// Asks the other nodes whether this node still leads, unless that question is already pending.
    fn ask_whether_leading(&mut self, turn: &mut Turn<'_>) {
        let Role::Leading { ballot, open, question, .. } = &mut self.role else { return };
        if question.is_some() {
            return;
        }
        let (ballot, idle, round) = (*ballot, open.is_empty(), self.heard.begin_round());
        if turn.setting.quorum() == 1 {
            let confirmed = self.heard.confirm(round);
            return self.assure(confirmed, turn);
        }
        *question = Some(Question { round, confirmed_by: FlatSet::from([turn.me]) });
        turn.out.because(Reason::AsksWhetherLeading { round });
        turn.out.multicast(Message::Confirm { ballot, round });
        if idle {
            turn.set(Timer::Resend, turn.setting.retry);
        }
    }

    pub(super) fn confirmed(&mut self, from: NodeId, theirs: Ballot, answered: u64, turn: &mut Turn<'_>) {
        let Role::Leading { ballot, open, question, resends, .. } = &mut self.role else {
            return turn.out.because(Reason::Unexpected { from });
        };
        let Some(asked) = question.as_mut().filter(|asked| *ballot == theirs && asked.round == answered) else {
            return turn.out.because(Reason::Unexpected { from });
        };
        if !asked.confirmed_by.insert(from) {
            return turn.out.because(Reason::Unexpected { from });
        }
        *resends = 0;
        if asked.confirmed_by.len() < turn.setting.quorum() {
            return;
        }
        *question = None;
        if open.is_empty() {
            turn.cancel(Timer::Resend);
        }
        turn.out.because(Reason::StillLeads { round: answered });
        let confirmed = self.heard.confirm(answered);
        self.assure(confirmed, turn);
        if self.kept.table.grants().any(|grant| self.heard.is_unconfirmed(grant.claim)) {
            self.ask_whether_leading(turn);
        }
    }

    /// Extends the lease of each request in `confirmed` that holds a lock. After these requests arrived, a majority
    /// has answered that this node leads.
    fn assure(&mut self, confirmed: Vec<LockRequest>, turn: &mut Turn<'_>) {
        for claim in confirmed {
            if let Some(grant) = self.kept.table.holder(claim.lock).filter(|grant| grant.claim == claim) {
                self.grant(grant, turn);
            }
        }
    }
}

// Requests of clients.
impl ReplicatedLock {
    /// Handles a client's request for a lock or for a longer lease. `ballot` is the newest ballot of a leader that
    /// the client knows.
    pub(super) fn asked(&mut self, claim: LockRequest, beat: u64, ballot: Ballot, turn: &mut Turn<'_>) {
        if claim.lock.0 >= turn.setting.locks {
            return turn.out.because(Reason::NoSuchLock { lock: claim.lock });
        }
        let leads_elsewhere = self.known > ballot && self.known.proposer != turn.me && claim.client != turn.me;
        match self.role {
            Role::Leading { .. } => self.serve(claim, beat, turn),
            Role::Preparing { .. } => self.heard.note(claim, beat),
            Role::Following if leads_elsewhere => turn.out.send(claim.client, Message::Leader { ballot: self.known }),
            // This node cannot name a newer leader to the client. Either the client already knows the leader but got
            // no answer from it, or this node itself is the newest leader that it knows. So this node takes over.
            Role::Following => {
                self.take_over(turn);
                match self.role {
                    Role::Leading { .. } => self.serve(claim, beat, turn),
                    _ => self.heard.note(claim, beat),
                }
            }
        }
    }

    fn serve(&mut self, claim: LockRequest, beat: u64, turn: &mut Turn<'_>) {
        self.heard.note(claim, beat);
        let LockRequest { lock, client, request } = claim;
        let holder = self.kept.table.holder(lock).filter(|grant| grant.claim == claim);
        if let Some(grant) = holder {
            turn.set(Timer::Expire(lock), turn.setting.lease);
            if self.heard.is_unconfirmed(claim) {
                self.ask_whether_leading(turn);
            } else {
                self.grant(grant, turn);
            }
        } else if self.kept.table.is_queued(claim) {
            if client == turn.me {
                self.told_to_wait(client, lock, request, turn);
            } else {
                turn.out.send(client, Message::Wait { lock, request });
            }
        } else if self.kept.table.is_news(claim, beat) {
            self.propose(Operation::Acquire { claim, beat }, turn);
        } else {
            turn.out.because(Reason::Outdated { from: client });
        }
    }

    /// Handles a release: a client no longer wants a lock.
    pub(super) fn given_back(&mut self, from: NodeId, lock: LockId, request: RequestId, turn: &mut Turn<'_>) {
        let claim = LockRequest { lock, client: from, request };
        let is_granted = self.kept.table.holder(lock).is_some_and(|grant| grant.claim == claim);
        if self.leading().is_some() && (is_granted || self.kept.table.is_queued(claim)) {
            self.propose(Operation::Release { claim }, turn);
        } else {
            turn.out.because(Reason::Outdated { from });
        }
    }

    /// Handles the expiry of a lease: the leader has received no request from the holder for the length of a lease.
    pub(super) fn expire(&mut self, lock: LockId, turn: &mut Turn<'_>) {
        // The timer may have expired while this node was paused and another node became the leader. Revoking the lock
        // is then the task of the new leader.
        if self.leading().is_none() {
            return;
        }
        let Some(Grant { claim, .. }) = self.kept.table.holder(lock) else { return };
        turn.out.because(Reason::HolderSilent { lock, holder: claim.client });
        turn.set(Timer::Expire(lock), turn.setting.lease);
        self.propose(Operation::Expire { claim }, turn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::{Configuration, Parameters};
    use crate::contract::Algorithm;

    /// Two acceptors have accepted different operations in one instance. A leader must propose the later one, because a
    /// majority may have accepted it.
    #[test]
    fn a_leader_adopts_the_operation_that_was_accepted_with_the_highest_ballot() {
        let parameters = Parameters::new();
        let configuration =
            Configuration { algorithm: "replicated-lock", variant: None, parameters: &parameters, nodes: 3, locks: 1 };
        let setting = ReplicatedLock::configure(&configuration).expect("a configuration");
        let claim = LockRequest { lock: LockId(0), client: NodeId(1), request: RequestId(1) };
        let proposals = [
            Proposal { ballot: Ballot { round: 1, proposer: NodeId(2) }, value: Operation::Release { claim } },
            Proposal { ballot: Ballot { round: 2, proposer: NodeId(0) }, value: Operation::Acquire { claim, beat: 1 } },
        ];
        for places in [[0, 1], [1, 0]] {
            let promise =
                |place: usize| Promise { applied: 0, table: None, accepted: [(0, proposals[place].clone())].into() };
            let promises = [(NodeId(1), promise(places[0])), (NodeId(2), promise(places[1]))];
            let mut leader = ReplicatedLock::new(&setting, NodeId(0));
            assert_eq!(
                leader.take_in(FlatMap::from(promises)),
                FlatMap::from([(0, proposals[1].clone())]),
                "{places:?}"
            );
        }
    }
}
