//! The acceptor and learner of each instance: the promises, acceptances and applied operations of a node.

use super::message::{Reason, ReplicatedLockMessage as Message};
use super::table::{Change, Operation, Table};
use super::{ReplicatedLock, Turn};
use crate::agreement::acceptor::{Answer, Proposal};
use crate::identity::{Ballot, NodeId};
use crate::outcome::Outcome;

use alloc::string::ToString;
use alloc::vec::Vec;

/// Maximum number of instances that may be open at the same time. An acceptor stores the accepted operations of at
/// most this many instances.
pub(super) const WINDOW: u64 = 64;
/// If a node lacks at least this number of instances, it requests them.
const FAR_BEHIND: u64 = WINDOW / 2;

impl ReplicatedLock {
    /// Handles a request for a promise from a node that tries to become the leader.
    pub(super) fn prepared(&mut self, from: NodeId, ballot: Ballot, applied: u64, turn: &mut Turn<'_>) {
        match self.kept.acceptor.promise(ballot) {
            Answer::Done => {
                turn.out.because(Reason::Promises { ballot });
                turn.out.outcome(Outcome::Promised { instance: self.kept.applied, ballot });
            }
            Answer::Promised(promised) => return reject(from, ballot, promised, turn),
            Answer::Repeated | Answer::AnotherValue => turn.out.because(Reason::Repeated { ballot }),
        }
        self.recognise(ballot, turn);
        let table = (self.kept.applied > applied).then(|| self.kept.table.clone());
        let accepted = self.kept.acceptor.accepted.iter().filter(|(instance, _)| **instance >= applied);
        let accepted = accepted.map(|(&instance, accepted)| (instance, accepted.clone())).collect();
        turn.out.send(from, Message::Promise { ballot, applied: self.kept.applied, table, accepted });
    }

    /// Handles the leader's request to accept an operation.
    pub(super) fn asked_to_accept(
        &mut self,
        from: NodeId,
        instance: u64,
        proposal: Proposal<Operation>,
        committed: u64,
        turn: &mut Turn<'_>,
    ) {
        let ballot = proposal.ballot;
        if let Some(promised) = self.kept.acceptor.promised.filter(|&promised| promised > ballot) {
            return reject(from, ballot, promised, turn);
        }
        self.recognise(ballot, turn);
        self.commit(ballot, committed, turn);
        let ahead = instance.saturating_sub(self.kept.applied);
        if ahead >= FAR_BEHIND {
            turn.out.send(from, Message::Lagging { applied: self.kept.applied });
        }
        if ahead >= WINDOW {
            return turn.out.because(Reason::TooFarAhead { instance });
        }
        if instance < self.kept.applied {
            // The operation is already chosen, and the leader cannot propose a different one. So the repeated answer
            // is correct.
            turn.out.because(Reason::Repeated { ballot });
        } else if !self.accept(instance, proposal, turn) {
            return;
        }
        turn.out.send(from, Message::Accepted { ballot, instance });
        self.commit(ballot, committed, turn);
    }

    /// Handles CONFIRM, the leader's question whether it still leads.
    pub(super) fn asked_to_confirm(&mut self, from: NodeId, ballot: Ballot, round: u64, turn: &mut Turn<'_>) {
        if let Some(promised) = self.kept.acceptor.promised.filter(|&promised| promised > ballot) {
            return reject(from, ballot, promised, turn);
        }
        self.recognise(ballot, turn);
        turn.out.send(from, Message::Confirmed { ballot, round });
    }

    /// Accepts an operation unless a newer ballot was promised. Returns whether the operation is accepted.
    pub(super) fn accept(&mut self, instance: u64, proposal: Proposal<Operation>, turn: &mut Turn<'_>) -> bool {
        let Proposal { ballot, value } = proposal;
        let answer = self.kept.acceptor.accept(instance, proposal);
        match answer {
            Answer::Done => {
                turn.out.because(Reason::Accepts { instance });
                turn.out.outcome(Outcome::Accepted { instance, ballot, value: value.to_string().into() });
            }
            Answer::Repeated => turn.out.because(Reason::Repeated { ballot }),
            Answer::Promised(promised) => turn.out.because(Reason::Older { ballot, promised }),
            Answer::AnotherValue => turn.out.because(Reason::AnotherOperation { instance }),
        }
        matches!(answer, Answer::Done | Answer::Repeated)
    }

    /// Applies the operations that the leader with `ballot` reports as chosen. Stops at the first instance in which
    /// this node has accepted nothing with `ballot`. An operation that was accepted with an older ballot may differ
    /// from the chosen operation.
    fn commit(&mut self, ballot: Ballot, committed: u64, turn: &mut Turn<'_>) {
        while self.kept.applied < committed {
            let accepted = self.kept.acceptor.accepted.get(&self.kept.applied);
            let Some(chosen) = accepted.filter(|accepted| accepted.ballot == ballot) else { return };
            self.apply(chosen.value, turn);
        }
    }

    /// Applies the operation that is chosen in the next instance.
    pub(super) fn apply(&mut self, operation: Operation, turn: &mut Turn<'_>) -> Vec<Change> {
        let instance = self.kept.applied;
        self.kept.applied = instance.saturating_add(1);
        self.kept.acceptor.accepted.remove(&instance);
        turn.out.outcome(Outcome::Decided { instance, value: operation.to_string().into() });
        self.kept.table.apply(operation)
    }

    /// Handles the report of a node that lacks instances: sends the table to that node.
    pub(super) fn lags(&self, from: NodeId, applied: u64, turn: &mut Turn<'_>) {
        match self.leading() {
            Some(ballot) if applied < self.kept.applied => {
                let (applied, table) = (self.kept.applied, self.kept.table.clone());
                turn.out.send(from, Message::Learn { ballot, applied, table });
            }
            _ => turn.out.because(Reason::Unexpected { from }),
        }
    }

    /// Handles a table that the leader has sent in place of the instances that this node lacks.
    pub(super) fn catch_up(&mut self, from: NodeId, ballot: Ballot, applied: u64, table: Table, turn: &mut Turn<'_>) {
        if self.kept.acceptor.promised.is_some_and(|promised| promised > ballot) || applied <= self.kept.applied {
            return turn.out.because(Reason::Unexpected { from });
        }
        self.recognise(ballot, turn);
        self.adopt(applied, table);
    }

    /// Replaces the table with `table`, to which more instances are applied.
    pub(super) fn adopt(&mut self, applied: u64, table: Table) {
        self.kept.applied = applied;
        self.kept.table = table;
        self.kept.acceptor.accepted.retain(|&instance, _| instance >= applied);
    }

    /// Records that the proposer of `ballot` leads, or tries to lead.
    pub(super) fn recognise(&mut self, ballot: Ballot, turn: &mut Turn<'_>) {
        if ballot <= self.known {
            return;
        }
        self.known = ballot;
        self.client.turn_to(ballot.proposer);
        if ballot.proposer != turn.me {
            self.step_down(turn);
        }
    }
}

fn reject(to: NodeId, ballot: Ballot, promised: Ballot, turn: &mut Turn<'_>) {
    turn.out.because(Reason::Older { ballot, promised });
    turn.out.send(to, Message::Reject { promised });
}
