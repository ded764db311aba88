//! Of each instance of agreement one value is chosen, and somebody proposed it.
//!
//! These are the safety requirements of Lamport 2001 ("Paxos Made Simple", section 2.1), and P1a of section 2.2: an
//! acceptor accepts nothing of an older number than it has promised. A value counts as chosen when a learner says so, and
//! when a majority of the acceptors has accepted it with one number, whatever the run takes for a quorum. Promises hold
//! over all lives of a process.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use interlock_algorithm::agreement::roles;
use interlock_algorithm::{Ballot, NodeId, catalogue};
use serde_json::{Value, json};

use crate::event::{Event, Violation, What};
use crate::specification::Specification;
use crate::state::State;

/// The name of this monitor.
pub const NAME: &str = "agreement";
/// A second value was chosen. Arguments: `instance`, `first`, `second`.
pub const TWO_VALUES: &str = "two-values";
/// A value was learnt that nobody had proposed. Arguments: `node`, `instance`, `value`.
pub const NOT_PROPOSED: &str = "not-proposed";
/// An acceptor accepted an older number than it had promised. Arguments: `node`, `promised`, `accepted`.
pub const BROKEN_PROMISE: &str = "broken-promise";
/// Nothing moves any more, a majority of the acceptors and a proposer are alive, and nothing was chosen. Arguments:
/// `instance`.
pub const UNDECIDED: &str = "undecided";

/// How many instances are remembered: the latest.
const REMEMBERED: usize = 1_000;
/// How many proposals of an instance are remembered: those with the highest numbers.
const REMEMBERED_PROPOSALS: usize = 100;

/// Watches all instances.
#[derive(Debug)]
pub struct Agreement {
    /// Who accepts.
    acceptors: Vec<NodeId>,
    /// Whether clients propose, so that something is to be chosen in the end.
    is_asked: bool,
    alive: Vec<bool>,
    /// Whether anything has happened since the last look at the end.
    changed: bool,
    instances: BTreeMap<u64, Instance>,
    /// The newest number that each node has promised, and the event.
    promised: Vec<Option<(Ballot, u64)>>,
}

/// One instance.
#[derive(Debug, Default)]
struct Instance {
    proposed: BTreeSet<Arc<str>>,
    /// Who has proposed, with the latest event.
    proposers: BTreeMap<NodeId, u64>,
    undecided: bool,
    /// The values chosen, and the events that chose them: more than one if the rule is broken.
    chosen: Vec<(Arc<str>, u64)>,
    accepted: BTreeMap<(Ballot, Arc<str>), BTreeSet<NodeId>>,
}

impl Agreement {
    /// The monitor of a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let all = || NodeId::all(specification.nodes);
        let acceptors = roles::some(&specification.configuration(), "acceptors");
        let entry = catalogue::find(&specification.algorithm);
        Self {
            acceptors: acceptors.unwrap_or_else(|_| all().collect()),
            is_asked: entry.is_ok_and(|entry| entry.commands.contains(&"propose")),
            alive: all().map(|_| false).collect(),
            changed: false,
            instances: BTreeMap::new(),
            promised: all().map(|_| None).collect(),
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, found: &mut Vec<Violation>) {
        match &event.what {
            What::Started { node, .. } => self.lives(*node, true),
            What::Crashed { node, .. } => self.lives(*node, false),
            What::Proposed { at, instance, value } => {
                self.changed = true;
                let entry = self.instance(*instance);
                entry.proposed.insert(Arc::clone(value));
                entry.proposers.insert(at.node, event.seq);
            }
            What::Promised { at, ballot, .. } => self.promised(at.node, *ballot, event.seq),
            What::Accepted { at, instance, ballot, value } => {
                found.extend(self.breaks_promise(at.node, *ballot, event.seq));
                self.promised(at.node, *ballot, event.seq);
                found.extend(self.accepted(at.node, *instance, (*ballot, Arc::clone(value)), event.seq));
            }
            What::Decided { at, instance, value } => {
                let entry = self.instance(*instance);
                if !entry.proposed.contains(value) {
                    let arguments = json!({ "node": at.node, "instance": instance, "value": value });
                    found.push(violation(NOT_PROPOSED, arguments, vec![event.seq]));
                }
                found.extend(entry.choose(*instance, value, event.seq));
            }
            _ => {}
        }
    }

    /// Looks whether something was chosen, if the run is at rest: see [`super::Monitors::settle`].
    pub fn settle(&mut self, state: &State, pending_inputs: usize, found: &mut Vec<Violation>) {
        if !self.is_asked || !self.changed || !state.is_at_rest(pending_inputs) {
            return;
        }
        self.changed = false;
        let alive = |node: &NodeId| self.alive.get(node.index()).is_some_and(|alive| *alive);
        if self.acceptors.iter().filter(|&node| alive(node)).count() < self.majority() {
            return;
        }
        for (number, instance) in &mut self.instances {
            let waiting = instance.proposers.iter().filter(|(node, _)| alive(node)).map(|(_, seq)| *seq).max();
            if let Some(seq) = waiting.filter(|_| instance.chosen.is_empty() && !instance.undecided) {
                instance.undecided = true;
                found.push(violation(UNDECIDED, json!({ "instance": number }), vec![seq]));
            }
        }
    }

    fn lives(&mut self, node: NodeId, lives: bool) {
        self.changed = true;
        if let Some(alive) = self.alive.get_mut(node.index()) {
            *alive = lives;
        }
    }

    fn majority(&self) -> usize {
        self.acceptors.len() / 2 + 1
    }

    fn instance(&mut self, number: u64) -> &mut Instance {
        if self.instances.len() >= REMEMBERED && !self.instances.contains_key(&number) {
            self.instances.pop_first();
        }
        self.instances.entry(number).or_default()
    }

    fn promised(&mut self, node: NodeId, ballot: Ballot, seq: u64) {
        if let Some(promised) = self.promised.get_mut(node.index())
            && promised.is_none_or(|(promised, _)| promised < ballot)
        {
            *promised = Some((ballot, seq));
        }
    }

    fn breaks_promise(&self, node: NodeId, ballot: Ballot, seq: u64) -> Option<Violation> {
        let (promised, since) = (*self.promised.get(node.index())?).filter(|(promised, _)| *promised > ballot)?;
        let arguments = json!({ "node": node, "promised": promised.to_string(), "accepted": ballot.to_string() });
        Some(violation(BROKEN_PROMISE, arguments, vec![since, seq]))
    }

    fn accepted(&mut self, node: NodeId, instance: u64, proposal: (Ballot, Arc<str>), seq: u64) -> Option<Violation> {
        let majority = self.majority();
        let entry = self.instance(instance);
        let value = Arc::clone(&proposal.1);
        let acceptors = entry.accepted.entry(proposal).or_default();
        acceptors.insert(node);
        let is_chosen = acceptors.len() >= majority;
        if entry.accepted.len() > REMEMBERED_PROPOSALS {
            entry.accepted.pop_first();
        }
        if is_chosen { entry.choose(instance, &value, seq) } else { None }
    }
}

impl Instance {
    fn choose(&mut self, instance: u64, value: &Arc<str>, seq: u64) -> Option<Violation> {
        if self.chosen.iter().any(|(chosen, _)| chosen == value) {
            return None;
        }
        self.chosen.push((Arc::clone(value), seq));
        let (first, since) = self.chosen.first().filter(|(first, _)| first != value)?;
        let arguments = json!({ "instance": instance, "first": first, "second": value });
        Some(violation(TWO_VALUES, arguments, vec![*since, seq]))
    }
}

fn violation(code: &str, arguments: Value, events: Vec<u64>) -> Violation {
    Violation { monitor: NAME.into(), code: code.into(), arguments, events }
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::Outcome;

    use super::*;
    use crate::monitor::sentence;
    use crate::simulation::{Action, Scripted, Simulation, Span};
    use crate::specification::Draft;
    use crate::state::test_stream::specification;

    /// What is said of these outcomes, told by these nodes of three, one after the other.
    fn said(told: &[(u32, Outcome)]) -> Vec<(String, Vec<u64>)> {
        let mut monitor = Agreement::new(&specification(3));
        let mut found = Vec::new();
        for (seq, (node, outcome)) in (1..).zip(told) {
            let at = crate::event::StepId { node: NodeId(*node), incarnation: 1, step: seq };
            let what = What::outcome(at, outcome.clone());
            monitor.observe(&Event { seq, at_us: 0, what }, &mut found);
        }
        found.iter().map(|violation| (sentence(violation), violation.events.clone())).collect()
    }

    const fn ballot(round: u64) -> Ballot {
        Ballot { round, proposer: NodeId(0) }
    }

    fn proposed(value: &str) -> Outcome {
        Outcome::Proposed { instance: 0, value: value.into() }
    }

    fn accepted(round: u64, value: &str) -> Outcome {
        Outcome::Accepted { instance: 0, ballot: ballot(round), value: value.into() }
    }

    fn decided(value: &str) -> Outcome {
        Outcome::Decided { instance: 0, value: value.into() }
    }

    #[test]
    fn one_value_that_was_proposed_is_right() {
        let told = [(0, proposed("a")), (1, proposed("b")), (0, accepted(1, "a")), (0, accepted(2, "b"))];
        let then = [(1, accepted(2, "b")), (0, decided("b")), (2, accepted(3, "b")), (2, decided("b"))];
        assert_eq!(said(&[told, then].concat()), []);
    }

    #[test]
    fn two_values_learnt_are_wrong_once() {
        let told = [(0, proposed("a")), (1, proposed("b")), (0, decided("a")), (1, decided("b")), (2, decided("b"))];
        let wrong = "Two values were chosen in instance 0: `a`, and then `b`.".to_owned();
        assert_eq!(said(&told), [(wrong, vec![3, 4])]);
    }

    #[test]
    fn two_values_accepted_by_majorities_are_wrong_though_nobody_has_learnt() {
        let told = [(0, accepted(1, "a")), (1, accepted(1, "a")), (1, accepted(2, "b")), (2, accepted(2, "b"))];
        assert_eq!(said(&told).iter().map(|(_, events)| events.clone()).collect::<Vec<_>>(), [[2, 4]]);
        let different_numbers = [(0, accepted(1, "a")), (1, accepted(2, "a")), (1, accepted(3, "b"))];
        assert_eq!(said(&different_numbers), []);
    }

    #[test]
    fn what_nobody_proposed_is_wrong() {
        let wrong = "P2 learnt that `c` was chosen in instance 0, which nobody had proposed.".to_owned();
        assert_eq!(said(&[(0, proposed("a")), (2, decided("c"))]), [(wrong, vec![2])]);
    }

    /// What is said of a run of a proposer that is no learner, in which two of three acceptors crash at a time.
    fn said_of_one_try(crash_at: u64) -> Vec<String> {
        let draft: Draft = serde_json::from_value(json!({
            "algorithm": "paxos", "nodes": 5, "network": { "delay": "const:1" },
            "parameters": { "proposers": "0", "acceptors": "1,2,3", "learners": "4" },
        }))
        .expect("a draft");
        let crash = |node| Scripted { at: Span(crash_at), action: Action::Crash { node: NodeId(node) } };
        let restart = |node| {
            let action = Action::Restart { node: NodeId(node), stored: true };
            Scripted { at: Span(20_000), action }
        };
        let script = vec![crash(1), crash(2), restart(1), restart(2)];
        let simulation = Simulation { script, ..Simulation::new(draft.complete_simulated().expect("a run"), 0) };
        let report = simulation.run().expect("a report");
        report.violations.iter().map(|(_, violation)| sentence(violation)).collect()
    }

    #[test]
    fn something_is_chosen_in_the_end() {
        let wrong = "Nothing moves any more, and nothing was chosen in instance 0, though a majority is alive.";
        assert_eq!(said_of_one_try(2_500), [wrong], "ACCEPT is on its way");
        assert_eq!(said_of_one_try(3_500), Vec::<String>::new());
    }

    #[test]
    fn a_promise_holds() {
        let promised = Outcome::Promised { instance: 0, ballot: ballot(2) };
        let wrong = "P1 broke its promise: it accepted number 1.0, and had promised 2.0.".to_owned();
        assert_eq!(
            said(&[(1, promised.clone()), (0, accepted(1, "a")), (1, accepted(1, "a"))])[0],
            (wrong, vec![1, 3])
        );
        assert_eq!(said(&[(1, promised), (1, accepted(2, "a"))]), []);
    }
}
