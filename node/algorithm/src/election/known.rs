//! What a process knows of terms and of who is the coordinator.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::contract::Algorithm;
use crate::flat::{FlatMap, FlatSet};
use crate::identity::NodeId;
use crate::outcome::Outcome;
use crate::turn::Turn;
use crate::view::Value;

/// What survives a crash: the highest term seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The term; 0 before the first election.
    pub term: u64,
}

/// Who won an election. The later term counts more, and in one term, where it should not happen, the higher id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Coordinator {
    /// Of which term.
    pub term: u64,
    /// Who.
    pub leader: NodeId,
}

/// What a process knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Known {
    term: u64,
    coordinator: Option<Coordinator>,
    /// The processes that the failure detector suspects.
    suspected: FlatSet<NodeId>,
}

impl Known {
    /// What a process knows that has come back from a crash.
    #[must_use]
    pub fn restored(stored: Option<Term>) -> Self {
        Self { term: stored.unwrap_or_default().term, ..Self::default() }
    }

    /// The highest term seen.
    #[must_use]
    pub const fn term(&self) -> u64 {
        self.term
    }

    /// The term of the next election. There is none after the greatest number, which only a forged message reaches.
    #[must_use]
    pub const fn next(&self) -> u64 {
        self.term.saturating_add(1)
    }

    /// Whom this process takes for the coordinator.
    #[must_use]
    pub const fn coordinator(&self) -> Option<Coordinator> {
        self.coordinator
    }

    /// Who won the election of the highest term seen, if it is over.
    #[must_use]
    pub fn winner(&self) -> Option<NodeId> {
        self.coordinator.filter(|coordinator| coordinator.term >= self.term).map(|coordinator| coordinator.leader)
    }

    /// Notes a term, in stable storage too, if it is the highest so far.
    pub(crate) fn raise<A: Algorithm<Stored = Term>>(&mut self, term: u64, turn: &mut Turn<A>) {
        if term > self.term {
            self.term = term;
            turn.store(Term { term });
        }
    }

    /// Takes somebody for the coordinator.
    pub(crate) fn take<A: Algorithm<Stored = Term>>(&mut self, coordinator: Coordinator, turn: &mut Turn<A>) {
        let Coordinator { term, leader } = coordinator;
        self.raise(term, turn);
        self.coordinator = Some(coordinator);
        turn.outcome(Outcome::elected(leader, term));
    }

    /// Notes that the failure detector suspects a process; says whether that process won the latest election.
    pub(crate) fn suspect(&mut self, node: NodeId) -> bool {
        self.suspected.insert(node);
        self.winner() == Some(node)
    }

    /// Notes that the failure detector trusts a process again.
    pub(crate) fn trust(&mut self, node: NodeId) {
        self.suspected.remove(&node);
    }

    /// Whether the failure detector suspects a process: its announcement may arrive after the notification of its death.
    #[must_use]
    pub fn suspects(&self, node: NodeId) -> bool {
        self.suspected.contains(&node)
    }

    /// What people look at.
    #[must_use]
    pub fn variables(&self) -> FlatMap<String, Value> {
        FlatMap::from([
            ("coordinator".into(), Value::node(self.coordinator.map(|coordinator| coordinator.leader))),
            ("term".into(), Value::number(self.term)),
        ])
    }
}
