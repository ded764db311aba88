//! The learner of Paxos (Lamport 2001, "Paxos Made Simple", section 2.3). It counts the acceptors of each proposal.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::flat::FlatSet;
use crate::identity::NodeId;

/// Maximum number of proposals that a learner counts at the same time. If there are more, the learner drops the
/// oldest, because it has missed that proposal's outcome.
const MOST_PROPOSALS: usize = 16;

/// The acceptors of each proposal. The newest proposal is last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tally<P>(Vec<(P, FlatSet<NodeId>)>);

impl<P> Default for Tally<P> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<P: Ord + Clone> Tally<P> {
    /// Counts an acceptor for a proposal, at most once. Returns the number of acceptors counted for this proposal.
    pub fn count(&mut self, proposal: &P, acceptor: NodeId) -> usize {
        let place = self.0.partition_point(|(other, _)| other < proposal);
        if self.0.get(place).is_none_or(|(other, _)| other != proposal) {
            self.0.insert(place, (proposal.clone(), FlatSet::new()));
        }
        let count = self.0.get_mut(place).map_or(0, |(_, acceptors)| {
            acceptors.insert(acceptor);
            acceptors.len()
        });
        if self.0.len() > MOST_PROPOSALS {
            self.0.remove(0);
        }
        count
    }

    /// Removes all proposals.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acceptor_counts_once_and_old_proposals_are_forgotten() {
        let mut tally = Tally::default();
        assert_eq!([1, 1, 2].map(|acceptor| tally.count(&0, NodeId(acceptor))), [1, 1, 2]);
        for proposal in 1..=MOST_PROPOSALS {
            assert_eq!(tally.count(&proposal, NodeId(0)), 1);
        }
        assert_eq!(tally.count(&0, NodeId(3)), 1);
        tally.clear();
        assert_eq!(tally.count(&1, NodeId(3)), 1);
    }
}
