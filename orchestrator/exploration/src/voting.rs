//! The elections of one lock, as an explored process knows them in its present incarnation: the calls and the
//! results.

use interlock_algorithm::{LockId, NodeId, Outcome};

use super::participants::Participants;
use interlock_observation::monitor::known_leader::Voter;

/// The elections of one lock as one process has seen them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Voting {
    /// The lock.
    pub lock: LockId,
    /// The latest term for which the process has called an election.
    called: Option<u64>,
    /// The coordinator that the process accepts, as a pair of its term and its id.
    pub takes: Option<(u64, NodeId)>,
    /// The processes that have crashed since the latest call of this process.
    outlived: Participants,
}

impl Voting {
    /// Updates the elections of a process with an outcome. The elections are sorted by lock.
    pub fn learn(all: &mut Vec<Self>, outcome: &Outcome) {
        match *outcome {
            Outcome::Called { lock, term } => {
                let voting = Self::of(all, lock);
                voting.called = voting.called.max(Some(term));
                voting.outlived = Participants::NOBODY;
            }
            Outcome::Elected { lock, leader, term } => Self::of(all, lock).takes = Some((term, leader)),
            _ => {}
        }
    }

    fn of(all: &mut Vec<Self>, lock: LockId) -> &mut Self {
        let place = all.binary_search_by_key(&lock, |voting| voting.lock).unwrap_or_else(|place| {
            all.insert(place, Self { lock, called: None, takes: None, outlived: Participants::NOBODY });
            place
        });
        &mut all[place]
    }

    /// Records that another process has crashed since the latest call of this process. Returns whether the process has
    /// called an election and the crash was not recorded before.
    pub fn outlive(&mut self, whom: NodeId) -> bool {
        let is_new = self.called.is_some() && !self.outlived.has(whom);
        if is_new {
            self.outlived = self.outlived.with(Participants::one(whom));
        }
        is_new
    }

    /// Returns the data about this process that the check of an election needs. `suspects` are the processes that it
    /// suspects.
    pub fn voter(&self, is_alive: bool, suspects: Participants) -> Voter {
        let is_late = |leader| self.called.is_some() && !self.outlived.has(leader);
        let has_noticed = self.takes.is_some_and(|(_, leader)| suspects.has(leader) || is_late(leader));
        Voter { is_alive, called: self.called, takes: self.takes, has_noticed }
    }
}
