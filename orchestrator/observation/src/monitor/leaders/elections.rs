//! The elections for one lock, or for a run without locks. They are judged in two ways: the coordinators of each term,
//! and the result of the elections in a run at rest.

use std::collections::{BTreeMap, BTreeSet};

use interlock_algorithm::{LockId, NodeId};

use super::super::finding::Finding;
use super::super::interventions::Interventions;
use super::super::known_leader::{self, BadEnd, bad_end};
use super::findings::{
    DeadCoordinator, Disagreement, NobodyElected, OlderTerm, ResultUnknown, TwoBeliefs, TwoCoordinators,
};
use super::notices::Notices;
use super::voter::{Belief, Voter};
use interlock_model::event::{StepId, Violation};

/// Maximum number of terms whose first event is stored: the latest terms.
const REMEMBERED_TERMS: usize = 1_000;

/// The elections for one lock, or for the run if it has none.
#[derive(Debug)]
pub(super) struct Elections {
    /// The lock for which these elections are, if each lock has its own.
    lock: Option<LockId>,
    /// For each node, its latest reports in its current incarnation.
    nodes: Vec<Voter>,
    /// For each of the latest terms, its first event.
    begun: BTreeMap<u64, u64>,
    /// The arguments of the latest violation found at rest. The monitor compares them with the next violation, so
    /// that it does not report the same violation again.
    told: Option<serde_json::Value>,
    /// The terms for which two coordinators, or beliefs in two coordinators, have been reported.
    split: BTreeSet<u64>,
}

impl Elections {
    /// Returns the elections for a lock, or for a run without locks, before the first event.
    pub fn new(lock: Option<LockId>, nodes: u32) -> Self {
        let nodes = NodeId::all(nodes).map(|_| Voter::default()).collect();
        Self { lock, nodes, begun: BTreeMap::new(), told: None, split: BTreeSet::new() }
    }

    /// Records that an incarnation of a node begins or ends.
    pub fn change(&mut self, node: NodeId, is_alive: bool) {
        if let Some(voter) = self.nodes.get_mut(node.index()) {
            *voter = Voter { is_alive, ..Voter::default() };
        }
    }

    /// Records that a node has called an election.
    pub fn called(&mut self, node: NodeId, term: u64, seq: u64) {
        self.begins(term, seq);
        if let Some(voter) = self.nodes.get_mut(node.index()) {
            voter.called = voter.called.max(Some((term, seq)));
        }
    }

    /// Stores the first event of a term.
    fn begins(&mut self, term: u64, seq: u64) {
        self.begun.entry(term).or_insert(seq);
        if self.begun.len() > REMEMBERED_TERMS {
            self.begun.pop_first();
        }
    }

    /// Judges a report in which a node accepts a coordinator.
    pub fn elected(&mut self, at: StepId, belief: Belief, interventions: &Interventions, found: &mut Vec<Violation>) {
        let Belief { term, leader, seq } = belief;
        self.begins(term, seq);
        let Some(voter) = self.nodes.get_mut(at.node.index()) else { return };
        let before = voter.takes.replace(belief);
        if let Some(before) = before.filter(|before| before.term > term) {
            let finding = OlderTerm { node: at.node, leader, term, after: before.term, lock: self.lock };
            found.push(finding.violation([before.seq, seq]));
        }
        let before = found.len();
        if leader == at.node {
            let begun = self.begun.get(&term).copied().unwrap_or_default();
            let rivals = self.rivals(at.node, term);
            let rivals = rivals.filter(|(rival, _)| !interventions.were_separated_since(begun, *rival, leader));
            found.extend(rivals.map(|(rival, told)| {
                TwoCoordinators { first: rival, second: leader, term, lock: self.lock }.violation([told, seq])
            }));
        }
        if found.len() == before && !self.split.contains(&term) {
            found.extend(self.other_belief(at.node, belief, interventions));
        }
        if found.len() > before {
            self.split.insert(term);
        }
    }

    /// Returns a violation if another process believes in a different coordinator of the same term.
    fn other_belief(&self, node: NodeId, belief: Belief, interventions: &Interventions) -> Option<Violation> {
        let Belief { term, leader, seq } = belief;
        let begun = self.begun.get(&term).copied().unwrap_or_default();
        let mut beliefs = (0..).map(NodeId).zip(&self.nodes).filter_map(|(other, voter)| Some((other, voter.takes?)));
        let is_other = |other: &NodeId, belief: &Belief| {
            let differs = belief.term == term && belief.leader != leader;
            // Whether a node accepts a coordinator depends on the messages that the coordinator has received. If a
            // partition has separated any of the following pairs, different beliefs are therefore not a violation.
            let pairs = [(node, *other), (leader, belief.leader), (node, belief.leader), (*other, leader)];
            differs && !pairs.iter().any(|(one, other)| interventions.were_separated_since(begun, *one, *other))
        };
        let (other, theirs) = beliefs.find(|(other, belief)| is_other(other, belief))?;
        let finding = TwoBeliefs { node, leader, other, other_leader: theirs.leader, term, lock: self.lock };
        Some(finding.violation([theirs.seq, seq]))
    }

    /// Returns all nodes except `of` that believe themselves to be the coordinator of the term `term`, each with
    /// the event that reported this belief.
    fn rivals(&self, of: NodeId, term: u64) -> impl Iterator<Item = (NodeId, u64)> + '_ {
        (0..).map(NodeId).zip(&self.nodes).filter_map(move |(node, voter)| {
            let office = voter.takes.filter(|belief| belief.term == term && belief.leader == node && node != of);
            office.map(|belief| (node, belief.seq))
        })
    }

    /// Judges the result of the elections in a run at rest. The same violation is not returned twice in a row.
    pub fn settle(&mut self, notices: &Notices, interventions: &Interventions) -> Option<Violation> {
        let end = self.end(notices, interventions);
        let told = end.as_ref().map(|violation| violation.arguments.clone());
        if self.told == told {
            return None;
        }
        self.told = told;
        end
    }

    fn end(&self, notices: &Notices, interventions: &Interventions) -> Option<Violation> {
        let judged = |(node, voter): (NodeId, &Voter)| known_leader::Voter {
            is_alive: voter.is_alive,
            called: voter.called.map(|(term, _)| term),
            takes: voter.takes.map(|belief| (belief.term, belief.leader)),
            has_noticed: notices.has_noticed(node, voter),
        };
        let voters: Vec<_> = (0..).map(NodeId).zip(&self.nodes).map(judged).collect();
        let groups = interventions.groups();
        let end = if groups.is_whole() {
            bad_end(&voters).filter(|end| !self.is_excused(end, interventions))
        } else {
            NodeId::all(u32::try_from(voters.len()).unwrap_or(u32::MAX)).find_map(|node| {
                let group = groups.of(node).filter(|group| group.first() == Some(&node))?;
                self.end_of_group(&group, &voters, interventions.separated())
            })
        };
        Some(self.finding(end?, notices))
    }

    /// Returns whether a partition may be the reason why elections ended badly. Two conditions must hold. First, a
    /// partition has been healed or changed since the term began. Second, no live node has called an election since the
    /// latest change of cut links. The second condition is necessary because an election within one group has no effect
    /// on other groups.
    fn is_excused(&self, end: &BadEnd, interventions: &Interventions) -> bool {
        let (BadEnd::NobodyElected { term }
        | BadEnd::Disagreement { term, .. }
        | BadEnd::DeadCoordinator { term, .. }
        | BadEnd::ResultUnknown { term, .. }) = end;
        let begun = self.begun.get(term).copied().unwrap_or_default();
        let live = self.nodes.iter().filter(|voter| voter.is_alive);
        let has_called = live.filter_map(|voter| voter.called).any(|(_, seq)| seq > interventions.separated());
        !has_called && interventions.were_links_cut_since(begun)
    }

    /// Returns the disagreement in a group during a partition. The group is judged only if it has not changed since its
    /// latest term began. Other bad results are ignored, since the partition may be their cause: it may have prevented
    /// a result, or may have separated the coordinator from the group.
    fn end_of_group(&self, group: &[NodeId], voters: &[known_leader::Voter], separated: u64) -> Option<BadEnd> {
        let in_group = |(node, voter): (NodeId, &known_leader::Voter)| {
            let is_alive = voter.is_alive && group.contains(&node);
            known_leader::Voter { is_alive, called: None, ..*voter }
        };
        let members: Vec<_> = (0..).map(NodeId).zip(voters).map(in_group).collect();
        let latest = members.iter().filter(|voter| voter.is_alive).filter_map(|voter| voter.takes).max()?;
        if self.begun.get(&latest.0).is_none_or(|begun| *begun <= separated) {
            return None;
        }
        bad_end(&members).filter(|end| matches!(end, BadEnd::Disagreement { .. }))
    }

    fn finding(&self, end: BadEnd, notices: &Notices) -> Violation {
        let lock = self.lock;
        let alive = || self.nodes.iter().filter(|voter| voter.is_alive);
        let belief = |node: NodeId| self.nodes.get(node.index()).and_then(|voter| voter.takes);
        let call = |node: NodeId| self.nodes.get(node.index()).and_then(|voter| voter.called).map(|(_, seq)| seq);
        match end {
            BadEnd::NobodyElected { term } => {
                let called = alive().filter_map(|voter| voter.called).max();
                NobodyElected { term, lock }.violation(called.map(|(_, seq)| seq).into_iter().collect::<Vec<_>>())
            }
            BadEnd::Disagreement { node, term, leader } => {
                let takes = belief(node);
                let of_latest = |belief: &Belief| (belief.term, belief.leader) == (term, leader);
                let latest = alive().filter_map(|voter| voter.takes).filter(of_latest).max();
                let told = takes.into_iter().chain(latest).map(|belief| belief.seq);
                let takes = takes.map(|takes| takes.leader);
                Disagreement { node, takes, leader, term, lock }.violation(told.collect::<Vec<_>>())
            }
            BadEnd::DeadCoordinator { node, term, leader } => {
                let told = call(node).into_iter().chain(belief(node).map(|belief| belief.seq));
                let suspects = notices.suspects(node, leader);
                DeadCoordinator { node, leader, term, suspects, lock }.violation(told.collect::<Vec<_>>())
            }
            BadEnd::ResultUnknown { node, term } => {
                ResultUnknown { node, term, lock }.violation(call(node).into_iter().collect::<Vec<_>>())
            }
        }
    }
}
