//! The acceptor of Paxos (Lamport 2001, "Paxos Made Simple", section 2.2), for one or many instances of agreement.

use serde::{Deserialize, Serialize};

use crate::flat::FlatMap;
use crate::identity::{Ballot, NodeId};

/// A proposed value and the number of the proposal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposal<V> {
    /// The number of the proposal.
    pub ballot: Ballot,
    /// The proposed value.
    pub value: V,
}

/// The state that an acceptor must never forget: its promise, which is valid in all instances, and the accepted
/// proposal of each instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acceptor<V> {
    /// The promised ballot. The acceptor accepts no proposal with an older ballot.
    pub promised: Option<Ballot>,
    /// The latest accepted proposal, by instance.
    pub accepted: FlatMap<u64, Proposal<V>>,
}

/// The result of a request to an acceptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The request is executed.
    Done,
    /// The same request was executed before; the acceptor repeats its answer.
    Repeated,
    /// The request is ignored: the acceptor has promised a newer ballot, the given one.
    Promised(Ballot),
    /// The request is ignored: the acceptor has accepted another value with the same ballot.
    AnotherValue,
}

impl<V> Default for Acceptor<V> {
    fn default() -> Self {
        Self { promised: None, accepted: FlatMap::new() }
    }
}

impl<V: Eq> Acceptor<V> {
    /// Promises to accept no proposal whose ballot is older than `ballot`. Does nothing if the acceptor has already
    /// promised a newer ballot.
    pub fn promise(&mut self, ballot: Ballot) -> Answer {
        match self.promised {
            Some(promised) if promised > ballot => Answer::Promised(promised),
            Some(promised) if promised == ballot => Answer::Repeated,
            _ => {
                self.promised = Some(ballot);
                Answer::Done
            }
        }
    }

    /// Accepts `proposal` in `instance`. Does nothing if the acceptor has promised a ballot newer than the
    /// proposal's.
    pub fn accept(&mut self, instance: u64, proposal: Proposal<V>) -> Answer {
        if let Some(promised) = self.promised.filter(|&promised| promised > proposal.ballot) {
            return Answer::Promised(promised);
        }
        match self.accepted.get(&instance).filter(|accepted| accepted.ballot == proposal.ballot) {
            Some(accepted) if accepted.value == proposal.value => Answer::Repeated,
            Some(_) => Answer::AnotherValue,
            None => {
                self.promised = Some(proposal.ballot);
                self.accepted.insert(instance, proposal);
                Answer::Done
            }
        }
    }
}

/// Returns the ballot of `proposer` in the round after `seen`. This ballot is newer than all ballots of rounds up to
/// `seen`. Returns none if `seen` is the last possible round.
#[must_use]
pub fn next_ballot(seen: u64, proposer: NodeId) -> Option<Ballot> {
    Some(Ballot { round: seen.checked_add(1)?, proposer })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ballot(round: u64, proposer: u32) -> Ballot {
        Ballot { round, proposer: NodeId(proposer) }
    }

    fn proposal(round: u64, proposer: u32, value: &str) -> Proposal<&str> {
        Proposal { ballot: ballot(round, proposer), value }
    }

    #[test]
    fn a_promise_is_kept() {
        let mut acceptor = Acceptor::default();
        assert_eq!(acceptor.promise(ballot(2, 0)), Answer::Done);
        assert_eq!(acceptor.promise(ballot(2, 0)), Answer::Repeated);
        assert_eq!(acceptor.promise(ballot(1, 9)), Answer::Promised(ballot(2, 0)));
        assert_eq!(acceptor.accept(0, proposal(1, 9, "old")), Answer::Promised(ballot(2, 0)));
        assert_eq!(acceptor.accept(0, proposal(2, 0, "new")), Answer::Done);
        assert_eq!(acceptor.accept(0, proposal(2, 0, "new")), Answer::Repeated);
        assert_eq!(acceptor.accept(0, proposal(2, 0, "other")), Answer::AnotherValue);
    }

    #[test]
    fn who_accepts_has_promised() {
        let mut acceptor = Acceptor::default();
        assert_eq!(acceptor.accept(7, proposal(3, 1, "value")), Answer::Done);
        assert_eq!(acceptor.promise(ballot(3, 0)), Answer::Promised(ballot(3, 1)));
        assert_eq!(acceptor.accept(8, proposal(2, 2, "value")), Answer::Promised(ballot(3, 1)));
    }

    #[test]
    fn rounds_end() {
        assert_eq!(next_ballot(0, NodeId(2)), Some(ballot(1, 2)));
        assert_eq!(next_ballot(u64::MAX, NodeId(2)), None);
    }
}
