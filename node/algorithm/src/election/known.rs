//! The knowledge of a process about terms and the coordinator.

use serde::{Deserialize, Serialize};

use crate::contract::Algorithm;
use crate::flat::FlatSet;
use crate::identity::NodeId;
use crate::outcome::Outcome;
use crate::turn::Turn;
use crate::view::{Value, View};

/// The state that survives a crash: the highest term seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The term; 0 before the first election.
    pub term: u64,
}

/// The winner of an election. Of two coordinators, the coordinator of the later term is greater. Two winners of the
/// same term should not occur; if they do, the coordinator with the higher id is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Coordinator {
    /// The term.
    pub term: u64,
    /// The winner.
    pub leader: NodeId,
}

/// The knowledge of a process about elections.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Known {
    term: u64,
    coordinator: Option<Coordinator>,
    /// The processes that the failure detector suspects.
    suspected: FlatSet<NodeId>,
}

impl Known {
    /// Returns the knowledge of a process that has restarted: the stored term.
    #[must_use]
    pub fn restored(stored: Option<Term>) -> Self {
        Self { term: stored.unwrap_or_default().term, ..Self::default() }
    }

    /// Returns the highest term seen.
    #[must_use]
    pub const fn term(&self) -> u64 {
        self.term
    }

    /// Returns the term of the next election. If the current term is the greatest possible number, which only a forged
    /// message can contain, returns the same number.
    #[must_use]
    pub const fn next(&self) -> u64 {
        self.term.saturating_add(1)
    }

    /// Returns the process that this process accepts as the coordinator.
    #[must_use]
    pub const fn coordinator(&self) -> Option<Coordinator> {
        self.coordinator
    }

    /// Returns the winner of the election of the highest term seen, if that election is over.
    #[must_use]
    pub fn winner(&self) -> Option<NodeId> {
        self.coordinator.filter(|coordinator| coordinator.term >= self.term).map(|coordinator| coordinator.leader)
    }

    /// Raises the highest term seen to `term`, also in stable storage. Does nothing if `term` is not higher.
    pub(crate) fn raise<A: Algorithm<Stored = Term>>(&mut self, term: u64, turn: &mut Turn<A>) {
        if term > self.term {
            self.term = term;
            turn.store(Term { term });
        }
    }

    /// Accepts a process as the coordinator.
    pub(crate) fn take<A: Algorithm<Stored = Term>>(&mut self, coordinator: Coordinator, turn: &mut Turn<A>) {
        let Coordinator { term, leader } = coordinator;
        self.raise(term, turn);
        self.coordinator = Some(coordinator);
        turn.outcome(Outcome::elected(leader, term));
    }

    /// Records that the failure detector suspects a process. Returns whether that process is the winner of the latest
    /// election.
    pub(crate) fn suspect(&mut self, node: NodeId) -> bool {
        self.suspected.insert(node);
        self.winner() == Some(node)
    }

    /// Records that the failure detector trusts a process again.
    pub(crate) fn trust(&mut self, node: NodeId) {
        self.suspected.remove(&node);
    }

    /// Whether the failure detector suspects `node`. Call this function before accepting an announcement, which may
    /// arrive after the crash of its sender was reported.
    #[must_use]
    pub fn suspects(&self, node: NodeId) -> bool {
        self.suspected.contains(&node)
    }

    /// Returns a view with the coordinator and the term. `is_busy` is whether this process takes part in an election.
    #[must_use]
    pub fn view(&self, is_busy: bool) -> View {
        View::default()
            .with("coordinator", Value::node(self.coordinator.map(|coordinator| coordinator.leader)))
            .with("term", Value::number(self.term))
            .with("participating", Value::Flag(is_busy))
    }
}
