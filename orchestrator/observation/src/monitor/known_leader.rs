//! Decides whether elections ended well. The monitor [`super::leaders`] and the explored property `leader-known` both
//! use this criterion.
//!
//! Garcia-Molina 1982, section 3, assertion 2: suppose that nothing fails for long enough after an election was called.
//! Then all live processes know the same live coordinator. The assertion does not cover a process that has not noticed
//! the crash of its coordinator. A process has noticed the crash if its failure detector suspects the coordinator, or
//! if the process has called an election since the crash.

use interlock_algorithm::NodeId;

/// The facts that the criterion needs about one process in its current incarnation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Voter {
    /// Whether the process is live.
    pub is_alive: bool,
    /// The latest term for which the process has called an election.
    pub called: Option<u64>,
    /// The coordinator that the process believes in: its term and its id.
    pub takes: Option<(u64, NodeId)>,
    /// Whether the process suspects its coordinator, or has called an election since the coordinator crashed.
    pub has_noticed: bool,
}

/// A result of elections that violates the criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadEnd {
    /// No node was elected in the latest term for which an election was called.
    NobodyElected {
        /// The term.
        term: u64,
    },
    /// A process does not know the coordinator of the latest term, although the coordinator is live.
    Disagreement {
        /// The process.
        node: NodeId,
        /// The latest term.
        term: u64,
        /// The coordinator of the latest term.
        leader: NodeId,
    },
    /// A process still believes in a coordinator whose crash it has noticed.
    DeadCoordinator {
        /// The process.
        node: NodeId,
        /// The term of the coordinator.
        term: u64,
        /// The coordinator.
        leader: NodeId,
    },
    /// A process has called an election and does not know the result, and the elected coordinator has crashed.
    ResultUnknown {
        /// The process.
        node: NodeId,
        /// The term for which it called the election.
        term: u64,
    },
}

/// Returns how the elections of a run ended badly, or `None` if they ended well. Nothing more can happen in the run.
/// `voters` are its processes, ordered by id.
#[must_use]
pub fn bad_end(voters: &[Voter]) -> Option<BadEnd> {
    let alive = || (0..).map(NodeId).zip(voters).filter(|(_, voter)| voter.is_alive);
    let latest = alive().filter_map(|(_, voter)| voter.takes).max();
    let called = alive().filter_map(|(_, voter)| voter.called).max();
    if let Some(term) = called.filter(|called| latest.is_none_or(|(term, _)| term < *called)) {
        return Some(BadEnd::NobodyElected { term });
    }
    let (term, leader) = latest?;
    let lives = |node: NodeId| voters.get(node.index()).is_some_and(|voter| voter.is_alive);
    if lives(leader) {
        let (node, _) = alive().find(|(_, voter)| voter.takes != latest)?;
        return Some(BadEnd::Disagreement { node, term, leader });
    }
    alive().find_map(|(node, voter)| match voter.takes {
        Some((term, leader)) if voter.has_noticed && !lives(leader) => {
            Some(BadEnd::DeadCoordinator { node, term, leader })
        }
        takes => {
            let open = voter.called.filter(|called| takes.is_none_or(|(term, _)| term < *called));
            open.map(|term| BadEnd::ResultUnknown { node, term })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a live process. `called` is the latest term for which the process has called an election. `takes` is the
    /// term and the id of its coordinator.
    fn live(called: Option<u64>, takes: Option<(u64, u32)>, has_noticed: bool) -> Voter {
        Voter { is_alive: true, called, takes: takes.map(|(term, leader)| (term, NodeId(leader))), has_noticed }
    }

    #[test]
    fn a_dead_coordinator_is_kept_only_by_processes_that_have_not_noticed_its_death() {
        let dead = Voter::default();
        let end = |called, has_noticed| {
            bad_end(&[live(called, Some((1, 2)), has_noticed), live(None, Some((1, 2)), false), dead])
        };
        assert_eq!([end(None, false), end(Some(1), false)], [None; 2]);
        let kept = BadEnd::DeadCoordinator { node: NodeId(0), term: 1, leader: NodeId(2) };
        assert_eq!(end(None, true), Some(kept));
    }

    #[test]
    fn a_caller_learns_the_result_even_if_the_winner_dies() {
        let dead = Voter::default();
        let end = |called| bad_end(&[live(called, None, false), live(None, Some((1, 2)), false), dead]);
        assert_eq!(end(None), None, "it has not called an election");
        assert_eq!(end(Some(1)), Some(BadEnd::ResultUnknown { node: NodeId(0), term: 1 }));
        assert_eq!(end(Some(2)), Some(BadEnd::NobodyElected { term: 2 }));
    }

    #[test]
    fn a_live_coordinator_is_known_to_all() {
        let all = |second| bad_end(&[live(None, Some((2, 0)), false), second]);
        assert_eq!(all(live(None, Some((2, 0)), false)), None);
        let disagreement = BadEnd::Disagreement { node: NodeId(1), term: 2, leader: NodeId(0) };
        for takes in [None, Some((1, 0)), Some((1, 1))] {
            assert_eq!(all(live(None, takes, false)), Some(disagreement));
        }
    }
}
