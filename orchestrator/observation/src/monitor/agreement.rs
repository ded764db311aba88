//! Of each instance of agreement one value is chosen, and somebody proposed it.
//!
//! These are the safety requirements of Lamport 2001 ("Paxos Made Simple", section 2.1), and P1a of section 2.2: an
//! acceptor accepts nothing of an older number than it has promised. A value counts as chosen when a learner says so, and
//! when a majority of the acceptors has accepted it with one number, whatever the run takes for a quorum. Promises hold
//! over all lives of a process.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::finding::{Finding, finding, names};
use super::interventions::Interventions;
use crate::state::State;
use interlock_algorithm::agreement::roles;
use interlock_algorithm::{Ballot, Entry, FlatMap, FlatSet, Group, NodeId, catalogue};
use interlock_model::event::{DropReason, Event, Violation, What};
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "agreement";

finding! {
    /// A second value was chosen. Arguments: `instance`, `first`, `second`.
    pub const TWO_VALUES = "two-values";
    TwoValues { instance: u64, first: Arc<str>, second: Arc<str> } =>
        format!("Two values were chosen in instance {instance}: `{first}`, and then `{second}`.")
}

finding! {
    /// A value was learnt that nobody had proposed. Arguments: `node`, `instance`, `value`.
    pub const NOT_PROPOSED = "not-proposed";
    NotProposed { node: NodeId, instance: u64, value: Arc<str> } =>
        format!("{node} learnt that `{value}` was chosen in instance {instance}, which nobody had proposed.")
}

finding! {
    /// An acceptor accepted an older number than it had promised. Arguments: `node`, `promised`, `accepted`.
    pub const BROKEN_PROMISE = "broken-promise";
    BrokenPromise { node: NodeId, promised: String, accepted: String } =>
        format!("{node} broke its promise: it accepted number {accepted}, and had promised {promised}.")
}

finding! {
    /// Nothing moves any more, enough acceptors and a proposer are alive, and nothing was chosen. Arguments:
    /// `instance`.
    pub const UNDECIDED = "undecided";
    Undecided { instance: u64 } => format!(
        "Nothing moves any more, and nothing was chosen in instance {instance}, though enough acceptors are alive."
    )
}

finding! {
    /// Proposers prepare again and again, each in the way of the other, and nothing is chosen, though no message is lost.
    /// Arguments: `instance`, `proposers`, `ballots` (how many were prepared, each with enough promises).
    pub const DUEL = "duel";
    Duel { instance: u64, proposers: Vec<NodeId>, ballots: u64 } => {
        let proposers = names(proposers);
        format!(
            "Livelock: {proposers} are in each other's way in instance {instance}: {ballots} ballots had enough promises, \
             and nothing is chosen."
        )
    }
}

/// How many instances are remembered with all that was said of them: the latest.
const REMEMBERED: usize = 1_000;
/// Of how many more the chosen value is remembered.
const REMEMBERED_VALUES: usize = 100_000;
/// How many ballots of an instance are remembered: those with the highest numbers.
const REMEMBERED_BALLOTS: usize = 100;
/// How often each of at least two proposers has enough promises in vain before they are said to duel.
pub const PATIENCE: u64 = 50;
/// How many proposals of an instance are remembered: those with the highest numbers.
const REMEMBERED_PROPOSALS: usize = 100;

/// Watches all instances.
#[derive(Debug)]
pub struct Agreement {
    /// Who accepts.
    acceptors: Vec<NodeId>,
    /// With how many of them a proposer gets on: what the run takes for a quorum, and at least a majority.
    enough: usize,
    /// Whether clients propose, so that something is to be chosen in the end.
    is_asked: bool,
    alive: Vec<bool>,
    /// Whether anything has happened since the last look at the end.
    changed: bool,
    instances: BTreeMap<u64, Instance>,
    /// What was chosen in instances that are not remembered otherwise: who was away learns of them late.
    chosen: BTreeMap<u64, (Arc<str>, u64)>,
    /// The first instance that is not forgotten.
    first: u64,
    /// The newest number that each node has promised, and the event.
    promised: Vec<Option<(Ballot, u64)>>,
    /// The latest event that somebody had a hand in, or that lost a message, or a process: what was prepared in vain
    /// before it may have been so because of that, and loss ends a duel by itself in the end.
    disturbed: u64,
}

/// One instance.
#[derive(Debug, Default)]
struct Instance {
    proposed: BTreeSet<Arc<str>>,
    /// Who has proposed, with the latest event.
    proposers: FlatMap<NodeId, u64>,
    undecided: bool,
    /// The values chosen, and the events that chose them: more than one if the rule is broken.
    chosen: Vec<(Arc<str>, u64)>,
    accepted: BTreeMap<(Ballot, Arc<str>), FlatSet<NodeId>>,
    /// Who has promised what.
    promises: BTreeMap<Ballot, FlatSet<NodeId>>,
    /// How many ballots of each proposer have had enough promises, and since which event that is counted.
    prepared: FlatMap<NodeId, u64>,
    counted_since: u64,
    duel: bool,
}

impl Agreement {
    /// The monitor of a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let all = || NodeId::all(specification.nodes);
        let entry = catalogue::find(&specification.algorithm).ok();
        let configuration = specification.configuration();
        let acceptors =
            entry.and_then(Entry::group).and_then(|Group { members, .. }| roles::some(&configuration, members).ok());
        let acceptors: Vec<NodeId> = acceptors.unwrap_or_else(|| all().collect());
        let majority = acceptors.len() / 2 + 1;
        Self {
            enough: roles::quorum(&configuration, acceptors.len()).map_or(majority, |quorum| quorum.max(majority)),
            acceptors,
            is_asked: entry.is_some_and(|entry| entry.commands.contains(&"propose")),
            alive: all().map(|_| false).collect(),
            changed: false,
            instances: BTreeMap::new(),
            chosen: BTreeMap::new(),
            first: 0,
            promised: all().map(|_| None).collect(),
            disturbed: 0,
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        if interventions.stand_at(event.at_us) || is_disturbance(&event.what) {
            self.disturbed = event.seq;
        }
        match &event.what {
            What::Started { node, .. } => self.lives(*node, true),
            What::Crashed { node, .. } => self.lives(*node, false),
            What::Proposed { at, instance, value } => {
                self.changed = true;
                if let Some(entry) = self.instance(*instance) {
                    entry.proposed.insert(Arc::clone(value));
                    entry.proposers.insert(at.node, event.seq);
                }
            }
            What::Promised { at, instance, ballot } => {
                self.promised(at.node, *ballot, event.seq);
                found.extend(self.prepared(at.node, *instance, *ballot, event.seq));
            }
            What::Accepted { at, instance, ballot, value } => {
                found.extend(self.breaks_promise(at.node, *ballot, event.seq));
                self.promised(at.node, *ballot, event.seq);
                found.extend(self.accepted(at.node, *instance, (*ballot, Arc::clone(value)), event.seq));
            }
            What::Decided { at, instance, value } => self.decided(at.node, *instance, value, (event.seq, found)),
            // Once a partition is healed the run is looked at again.
            What::Configured { .. } => self.changed = true,
            _ => {}
        }
    }

    /// Looks whether something was chosen, if the run is at rest: see [`super::Monitors::settle`]. A proposer that a
    /// partition keeps from a quorum has no part in it.
    pub fn settle(
        &mut self,
        state: &State,
        pending_inputs: usize,
        interventions: &Interventions,
        found: &mut Vec<Violation>,
    ) {
        let is_asked = self.is_asked && self.changed && !interventions.are_proposals_to_come(state.at_us());
        if !is_asked || !state.is_at_rest(pending_inputs) {
            return;
        }
        self.changed = false;
        let alive = |node: &NodeId| self.alive.get(node.index()).is_some_and(|alive| *alive);
        let acceptors: Vec<NodeId> = self.acceptors.iter().copied().filter(alive).collect();
        let groups = interventions.groups();
        let gets_on = |node: &NodeId| alive(node) && groups.in_reach(*node, &acceptors) >= self.enough;
        for (number, instance) in &mut self.instances {
            let waiting = instance.proposers.iter().filter(|(node, _)| gets_on(node)).map(|(_, seq)| *seq).max();
            if let Some(seq) = waiting.filter(|_| instance.chosen.is_empty() && !instance.undecided) {
                instance.undecided = true;
                found.push(Undecided { instance: *number }.violation([seq]));
            }
        }
    }

    fn lives(&mut self, node: NodeId, lives: bool) {
        self.changed = true;
        if let Some(alive) = self.alive.get_mut(node.index()) {
            *alive = lives;
        }
    }

    /// An instance, unless it is forgotten.
    fn instance(&mut self, number: u64) -> Option<&mut Instance> {
        if number < self.first {
            return None;
        }
        if self.instances.len() >= REMEMBERED
            && !self.instances.contains_key(&number)
            && let Some((oldest, instance)) = self.instances.pop_first()
        {
            self.first = oldest + 1;
            self.chosen.extend(instance.chosen.into_iter().next().map(|chosen| (oldest, chosen)));
            if self.chosen.len() > REMEMBERED_VALUES {
                self.chosen.pop_first();
            }
        }
        (number >= self.first).then(|| self.instances.entry(number).or_default())
    }

    fn decided(&mut self, node: NodeId, number: u64, value: &Arc<str>, (seq, found): (u64, &mut Vec<Violation>)) {
        let Some(instance) = self.instance(number) else {
            let chosen = self.chosen.get(&number).filter(|(chosen, _)| chosen != value);
            return found.extend(chosen.map(|(first, since)| two_values(number, first, value, [*since, seq])));
        };
        if !instance.proposed.contains(value) {
            found.push(NotProposed { node, instance: number, value: Arc::clone(value) }.violation([seq]));
        }
        found.extend(instance.choose(number, value, seq));
    }

    /// Somebody promises: whether that makes one ballot too many that was prepared in vain.
    fn prepared(&mut self, acceptor: NodeId, number: u64, ballot: Ballot, seq: u64) -> Option<Violation> {
        let (enough, disturbed) = (self.enough, self.disturbed);
        let instance = self.instance(number)?;
        if instance.counted_since < disturbed {
            instance.prepared.clear();
            instance.counted_since = disturbed;
        }
        let promises = instance.promises.entry(ballot).or_default();
        let is_new = promises.insert(acceptor) && promises.len() == enough;
        if instance.promises.len() > REMEMBERED_BALLOTS {
            instance.promises.pop_first();
        }
        if !is_new || !instance.chosen.is_empty() || instance.duel {
            return None;
        }
        *instance.prepared.entry(ballot.proposer).or_default() += 1;
        let often = instance.prepared.iter().filter(|(_, ballots)| **ballots >= PATIENCE);
        let proposers: Vec<NodeId> = often.map(|(proposer, _)| *proposer).collect();
        instance.duel = proposers.len() > 1;
        let ballots: u64 = instance.prepared.values().sum();
        instance.duel.then(|| Duel { instance: number, proposers, ballots }.violation([seq]))
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
        let (promised, accepted) = (promised.to_string(), ballot.to_string());
        Some(BrokenPromise { node, promised, accepted }.violation([since, seq]))
    }

    fn accepted(&mut self, node: NodeId, instance: u64, proposal: (Ballot, Arc<str>), seq: u64) -> Option<Violation> {
        let majority = self.acceptors.len() / 2 + 1;
        let entry = self.instance(instance)?;
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
        Some(two_values(instance, first, value, [*since, seq]))
    }
}

/// Whether this can be why a ballot came to nothing, other than by another's. What is sent to the dead is lost all the
/// time, and takes nobody's majority away.
fn is_disturbance(what: &What) -> bool {
    match what {
        What::Crashed { .. } | What::Refused { .. } => true,
        What::Dropped { why, .. } => *why != DropReason::Crashed,
        _ => false,
    }
}

fn two_values(instance: u64, first: &Arc<str>, second: &Arc<str>, events: [u64; 2]) -> Violation {
    TwoValues { instance, first: Arc::clone(first), second: Arc::clone(second) }.violation(events)
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::Outcome;
    use interlock_machine::message_id::MessageId;

    use serde_json::json;

    use super::*;
    use crate::monitor::sentence;
    use crate::state::test_stream::{TestStream, specification};
    use interlock_model::choice::Choice;
    use interlock_model::event::{CrashCause, RestartState, StepId};
    use interlock_model::span::Span;
    use interlock_model::specification::Draft;
    use interlock_model::specification::Scripted;
    use interlock_simulation::simulation::Simulation;

    /// What is said of these outcomes, told by these nodes of three, one after the other.
    fn said(told: &[(u32, Outcome)]) -> Vec<(String, Vec<u64>)> {
        let mut monitor = Agreement::new(&specification(3));
        let mut found = Vec::new();
        for (seq, (node, outcome)) in (1..).zip(told) {
            let at = interlock_model::event::StepId { node: NodeId(*node), incarnation: 1, step: seq };
            let what = What::outcome(at, outcome.clone());
            monitor.observe(&Event { seq, at_us: 0, what }, &Interventions::default(), &mut found);
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

    fn of_instance(instance: u64, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Proposed { value, .. } => Outcome::Proposed { instance, value },
            Outcome::Decided { value, .. } => Outcome::Decided { instance, value },
            other => other,
        }
    }

    /// So many instances are proposed and decided at P0; then P1 learns of one of them.
    fn late_learner(instances: u64, value: &str) -> Vec<(String, Vec<u64>)> {
        let chosen = (0..instances)
            .flat_map(|instance| [proposed("a"), decided("a")].map(|told| (0, of_instance(instance, told))));
        said(&chosen.chain([(1, of_instance(5, decided(value)))]).collect::<Vec<_>>())
    }

    #[test]
    fn who_learns_of_an_instance_of_long_ago_learns_what_had_been_proposed() {
        for instances in [10, 1_000, 2_000] {
            assert_eq!(late_learner(instances, "a"), [], "{instances}");
            let wrong = "Two values were chosen in instance 5: `a`, and then `b`.".to_owned();
            let said = late_learner(instances, "b");
            assert_eq!(said.last(), Some(&(wrong, vec![12, 2 * instances + 1])), "{instances}");
        }
    }

    #[test]
    fn of_what_is_forgotten_nothing_is_said() {
        let proposals = (0..2_000).map(|instance| (0, of_instance(instance, proposed("a"))));
        assert_eq!(said(&proposals.chain([(1, of_instance(5, decided("a")))]).collect::<Vec<_>>()), []);
    }

    /// P1 and P2 promise each ballot of these proposers, one after the other.
    fn duelled(proposers: &[u32]) -> Vec<(u32, Outcome)> {
        let ballots = (1..).zip(proposers).map(|(round, proposer)| Ballot { round, proposer: NodeId(*proposer) });
        ballots.flat_map(|ballot| [1, 2].map(|node| (node, Outcome::Promised { instance: 0, ballot }))).collect()
    }

    #[test]
    fn proposers_who_are_in_each_others_way_for_ever_are_told_of_once() {
        let turns: Vec<u32> = [0, 1].repeat(150);
        let found = said(&duelled(&turns));
        let wrong = "Livelock: P0 and P1 are in each other's way in instance 0: 100 ballots had enough promises, and \
                     nothing is chosen.";
        assert_eq!(found.iter().map(|(said, _)| &**said).collect::<Vec<_>>(), [wrong]);
        assert_eq!(said(&duelled(&turns[..99])), [], "49 ballots of P1");
        assert_eq!(said(&duelled(&[0; 300])), [], "one alone is in nobody's way");
        let chosen = [vec![(0, proposed("a")), (0, decided("a"))], duelled(&turns)].concat();
        assert_eq!(said(&chosen), [], "something is chosen");
        let of_one_each: Vec<_> = duelled(&turns).into_iter().filter(|(node, _)| *node == 1).collect();
        assert_eq!(said(&of_one_each), [], "no majority has promised");
    }

    /// What is said of 80 ballots each of two proposers, where this happens after the 60th of all and that after the 70th.
    fn interrupted(what: [Option<What>; 2]) -> usize {
        let (mut monitor, mut interventions, mut found) =
            (Agreement::new(&specification(3)), Interventions::default(), Vec::new());
        let [first, second] = what.map(Option::into_iter);
        let promises = duelled(&[0, 1].repeat(80)).into_iter().zip(1..).map(|((node, outcome), step)| {
            What::outcome(interlock_model::event::StepId { node: NodeId(node), incarnation: 1, step }, outcome)
        });
        let promises: Vec<What> = promises.collect();
        let (before, rest) = promises.split_at(120);
        let (between, after) = rest.split_at(20);
        let all = before.iter().cloned().chain(first).chain(between.iter().cloned()).chain(second);
        for (seq, what) in (1..).zip(all.chain(after.iter().cloned())) {
            let event = Event { seq, at_us: 0, what };
            interventions.observe(&event);
            monitor.observe(&event, &interventions, &mut found);
        }
        found.iter().filter(|violation| *violation.code == *DUEL).count()
    }

    #[test]
    fn what_is_prepared_in_vain_because_of_something_else_is_no_duel() {
        let node = NodeId(0);
        let dropped =
            |why| Some(What::dropped(MessageId { from: node, to: NodeId(1), number: 1, copy: 0 }, "ANY".into(), why));
        assert_eq!(interrupted([None, None]), 1);
        let hand = [What::Paused { node, incarnation: 1 }, What::Resumed { node, incarnation: 1 }];
        assert_eq!(interrupted(hand.map(Some)), 0, "60 ballots before and 90 after");
        assert_eq!(interrupted([dropped(DropReason::Loss), None]), 1, "50 of each since");
        assert_eq!(interrupted([None, dropped(DropReason::Loss)]), 0, "45 of each since");
        assert_eq!(interrupted([None, dropped(DropReason::Crashed)]), 1, "what is sent to the dead does not count");
        let crashed = What::Crashed { node: NodeId(2), incarnation: 1, cause: CrashCause::Ordered };
        assert_eq!(interrupted([None, Some(crashed)]), 0);
    }

    /// In how many of 50 runs in which everybody proposes impatiently, and so many messages are lost, a duel is seen.
    fn duels_under(loss: f64) -> usize {
        let is_duel = |seed: u64| {
            let draft: Draft = serde_json::from_value(json!({
                "algorithm": "paxos", "nodes": 7, "seed": seed, "network": { "delay": "exp:5", "loss": loss },
                "parameters": { "proposers": "all", "retry": 5 },
            }))
            .expect("a draft");
            let report = Simulation::new(draft.complete_simulated().expect("a run"), 0).run().expect("a report");
            report.violations.iter().any(|(_, violation)| *violation.code == *DUEL)
        };
        (1..=15).filter(|seed| is_duel(*seed)).count()
    }

    #[test]
    fn what_loss_undoes_is_no_duel() {
        assert_eq!([0.0, 0.3, 0.5].map(duels_under), [0, 0, 0]);
    }

    /// What is said of a run of P0, a proposer that is no learner, in which two of three acceptors crash at a time, and later
    /// some of those who have crashed come back; P0 is dead then, if it is to be.
    fn said_of_one_try(quorum: u32, crash_at: u64, back: &[u32], proposer_dies: bool) -> Vec<String> {
        let draft: Draft = serde_json::from_value(json!({
            "algorithm": "paxos", "nodes": 5, "network": { "delay": "const:1" },
            "parameters": { "proposers": "0", "acceptors": "1,2,3", "learners": "4", "quorum": quorum },
        }))
        .expect("a draft");
        let crash = |at, node| Scripted { at: Span(at), choice: Choice::Crash { node: NodeId(node) } };
        let restart = |node| {
            let choice = Choice::Restart { node: NodeId(node), state: RestartState::Stored };
            Scripted { at: Span(20_000), choice }
        };
        let mut script = vec![crash(crash_at, 1), crash(crash_at, 2)];
        script.extend(proposer_dies.then(|| crash(10_000, 0)));
        script.extend(back.iter().copied().map(restart));
        let simulation = Simulation { script, ..Simulation::new(draft.complete_simulated().expect("a run"), 0) };
        let report = simulation.run().expect("a report");
        report.violations.iter().map(|(_, violation)| sentence(violation)).collect()
    }

    #[test]
    fn something_is_chosen_in_the_end() {
        let wrong = "Nothing moves any more, and nothing was chosen in instance 0, though enough acceptors are alive.";
        assert_eq!(said_of_one_try(2, 2_500, &[1, 2], false), [wrong], "ACCEPT is on its way");
        assert_eq!(said_of_one_try(2, 3_500, &[1, 2], false), Vec::<String>::new());
        assert_eq!(said_of_one_try(2, 2_500, &[1], false), [wrong], "two of three are enough");
        assert_eq!(said_of_one_try(2, 2_500, &[], false), Vec::<String>::new(), "one is not");
        assert_eq!(said_of_one_try(2, 2_500, &[1, 2], true), Vec::<String>::new(), "nobody alive has proposed");
        assert_eq!(said_of_one_try(3, 2_500, &[1, 2], false), [wrong], "where all are needed, all are alive");
        assert_eq!(
            said_of_one_try(3, 2_500, &[1], false),
            Vec::<String>::new(),
            "where all are needed, two are not enough"
        );
    }

    /// What is missed, each time that it is looked, of a proposal in a run at rest.
    fn missed(algorithm: &str) -> [usize; 2] {
        let mut stream = TestStream::new(3);
        stream.specification.algorithm = algorithm.to_owned();
        let at = StepId { node: NodeId(0), incarnation: 1, step: 1 };
        stream.push(What::outcome(at, proposed("a")));
        let (mut monitor, mut found) = (Agreement::new(&stream.specification), Vec::new());
        stream.events.iter().for_each(|event| monitor.observe(event, &Interventions::default(), &mut found));
        [(); 2].map(|()| {
            monitor.settle(&stream.state(), 0, &Interventions::default(), &mut found);
            found.len()
        })
    }

    #[test]
    fn a_choice_is_missed_once_and_only_where_clients_propose() {
        assert_eq!(missed("paxos"), [1, 1]);
        assert_eq!(missed("replicated-lock"), [0, 0], "what its leader proposes is about locks, and waits say so");
    }

    /// PAX-5: before the ACCEPT of one arrives, the other has asked for a newer promise.
    #[test]
    fn a_duel_that_random_back_off_ends_is_none() {
        let codes = |back_off: &str| {
            let draft: Draft = serde_json::from_value(json!({
                "algorithm": "paxos", "nodes": 3, "network": { "delay": "const:1" },
                "parameters": {
                    "acceptors": "2", "learners": "0,1", "proposers": "none", "retry": 3, "back-off": back_off,
                },
            }))
            .expect("a draft");
            let propose = |at, node| {
                let choice = Choice::Propose { node: NodeId(node), instance: 0, value: format!("v{node}") };
                Scripted { at: Span(at), choice }
            };
            let script = vec![propose(0, 0), propose(1_500, 1)];
            let simulation = Simulation::new(draft.complete_simulated().expect("a run"), 0);
            let report = Simulation { script, until: Some(10_000_000), ..simulation }.run().expect("a report");
            report.violations.iter().map(|(_, violation)| violation.code.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(codes("none"), [DUEL]);
        assert_eq!(codes("random"), Vec::<String>::new());
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
