//! Monitor of agreement: in each instance at most one value is chosen, and some process has proposed the chosen
//! value.
//!
//! The monitor checks the safety requirements of Lamport 2001 ("Paxos Made Simple", section 2.1). It also checks P1a
//! of section 2.2: an acceptor accepts no proposal with a lower number than it has promised. A value counts as chosen
//! when a learner reports it. A value also counts as chosen when a majority of the acceptors has accepted it with the
//! same number, whatever quorum the run uses. A promise also binds all later incarnations of the process.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::finding::{Finding, Monitor, Property, findings, names};
use super::interventions::Interventions;
use crate::state::State;
use interlock_algorithm::agreement::roles;
use interlock_algorithm::{Ballot, Entry, FlatMap, FlatSet, Group, NodeId, Outcome, catalogue};
use interlock_model::event::{DropReason, Event, Violation, What};
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "agreement";

findings! {
    /// A second value was chosen. Arguments: `instance`, `first`, `second`.
    pub const TWO_VALUES = "two-values";
    TwoValues { instance: u64, first: Arc<str>, second: Arc<str> } =>
        format!("Two values were chosen in instance {instance}: `{first}`, and then `{second}`.");

    /// A node learnt a value as chosen that no process had proposed. Arguments: `node`, `instance`, `value`.
    pub const NOT_PROPOSED = "not-proposed";
    NotProposed { node: NodeId, instance: u64, value: Arc<str> } =>
        format!("{node} learnt that `{value}` was chosen in instance {instance}, although it had not been proposed.");

    /// An acceptor accepted a ballot lower than one that it had promised. Arguments: `node`, `promised`, `accepted`.
    pub const BROKEN_PROMISE = "broken-promise";
    BrokenPromise { node: NodeId, promised: String, accepted: String } =>
        format!("{node} broke its promise: it accepted ballot {accepted} after it had promised ballot {promised}.");

    /// Nothing can move, and no value was chosen, although a proposer and enough acceptors are live. Arguments:
    /// `instance`.
    pub const UNDECIDED = "undecided";
    Undecided { instance: u64 } => format!(
        "No further step is possible, and no value was chosen in instance {instance}, although enough acceptors are \
         live."
    );

    /// Proposers block each other by preparing new ballots again and again. No value is chosen, although no message is
    /// lost. Arguments: `instance`, `proposers`, `ballots` (number of ballots prepared, each with enough promises).
    pub const DUEL = "duel";
    Duel { instance: u64, proposers: Vec<NodeId>, ballots: u64 } => {
        let proposers = names(proposers);
        format!(
            "Livelock: {proposers} obstruct each other in instance {instance}: {ballots} ballots had enough promises, \
             but no value is chosen."
        )
    }
}

/// Maximum number of instances whose full state is stored: those with the highest numbers.
const REMEMBERED: usize = 1_000;
/// Maximum number of older instances of which only the chosen value is stored.
const REMEMBERED_VALUES: usize = 100_000;
/// Maximum number of ballots that are stored for one instance: those with the highest numbers.
const REMEMBERED_BALLOTS: usize = 100;
/// Number of ballots after which the monitor reports a duel. At least two proposers must each have prepared this many
/// ballots with enough promises, without a value being chosen.
pub const PATIENCE: u64 = 50;
/// Maximum number of proposals that are stored for one instance: those with the highest numbers.
const REMEMBERED_PROPOSALS: usize = 100;

/// The monitor of all instances.
#[derive(Debug)]
pub struct Agreement {
    /// The acceptors.
    acceptors: Vec<NodeId>,
    /// Number of acceptors that a proposer needs to make progress: the quorum of the run, or a majority if a
    /// majority is larger.
    enough: usize,
    /// Whether clients make proposals. If no client makes a proposal, no value has to be chosen.
    is_asked: bool,
    alive: Vec<bool>,
    /// Whether an event has changed anything since the last judgement at rest.
    changed: bool,
    instances: BTreeMap<u64, Instance>,
    /// For each instance whose full state is no longer stored, the chosen value, and the event that chose this value.
    /// The values are needed because a node that was unreachable may learn a value late.
    chosen: BTreeMap<u64, (Arc<str>, u64)>,
    /// Number of the first instance whose full state may still be stored.
    first: u64,
    /// For each node, the highest ballot that it has promised, and the event of that promise.
    promised: Vec<Option<(Ballot, u64)>>,
    /// The latest disturbance: an event during an intervention, a crash, or the loss of a message. Ballots before this
    /// event do not count towards a duel, since the disturbance may have made these ballots fail. Under random loss, no
    /// duel lasts forever, because sooner or later a lost message breaks it.
    disturbed: u64,
}

/// The state of one instance.
#[derive(Debug, Default)]
struct Instance {
    proposed: BTreeSet<Arc<str>>,
    /// The proposers, each with the event of its latest proposal.
    proposers: FlatMap<NodeId, u64>,
    undecided: bool,
    /// The chosen values, each with the event that chose it. If there is more than one value, the property is
    /// violated.
    chosen: Vec<(Arc<str>, u64)>,
    accepted: BTreeMap<(Ballot, Arc<str>), FlatSet<NodeId>>,
    /// For each ballot, the acceptors that have promised it.
    promises: BTreeMap<Ballot, FlatSet<NodeId>>,
    /// For each proposer, the number of its ballots that have received enough promises since the event `counted_since`.
    prepared: FlatMap<NodeId, u64>,
    counted_since: u64,
    duel: bool,
}

impl Monitor for Agreement {
    const PROPERTIES: &'static [Property] = &[PROPERTY];

    fn new(specification: &Specification) -> Self {
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

    fn reads(&self, event: &Event, interventions: &Interventions) -> bool {
        !event.what.is_exchange() || interventions.stand()
    }

    fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        if interventions.stand() || is_disturbance(&event.what) {
            self.disturbed = event.seq;
        }
        match &event.what {
            What::Started { node, .. } => self.lives(*node, true),
            What::Crashed { node, .. } => self.lives(*node, false),
            What::Outcome { at, outcome } => match outcome {
                Outcome::Proposed { instance, value } => {
                    self.changed = true;
                    if let Some(entry) = self.instance(*instance) {
                        entry.proposed.insert(Arc::clone(value));
                        entry.proposers.insert(at.node, event.seq);
                    }
                }
                Outcome::Promised { instance, ballot } => {
                    self.promised(at.node, *ballot, event.seq);
                    found.extend(self.prepared(at.node, *instance, *ballot, event.seq));
                }
                Outcome::Accepted { instance, ballot, value } => {
                    found.extend(self.breaks_promise(at.node, *ballot, event.seq));
                    self.promised(at.node, *ballot, event.seq);
                    found.extend(self.accepted(at.node, *instance, (*ballot, Arc::clone(value)), event.seq));
                }
                Outcome::Decided { instance, value } => self.decided(at.node, *instance, value, (event.seq, found)),
                _ => {}
            },
            // A change of the network may heal a partition, so the run at rest has to be judged again.
            What::Configured { .. } => self.changed = true,
            _ => {}
        }
    }

    fn settle(
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
}

impl Agreement {
    fn lives(&mut self, node: NodeId, lives: bool) {
        self.changed = true;
        if let Some(alive) = self.alive.get_mut(node.index()) {
            *alive = lives;
        }
    }

    /// Returns the state of an instance, or `None` if this state is no longer stored.
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

    /// Records a promise. If the ballot now has enough promises, and the unsuccessful ballots amount to a duel,
    /// returns the violation.
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

/// Returns whether this event can make a ballot fail. A ballot can also fail because of a competing ballot, which is
/// not a disturbance. Messages lost at a crashed process do not count, because they are frequent, and a proposer's
/// majority does not depend on them.
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
