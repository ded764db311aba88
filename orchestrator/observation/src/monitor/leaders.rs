//! Elections end well: never two coordinators of one term, and in the end everybody alive knows the same one.
//!
//! These are the assertions of Garcia-Molina 1982 ("Elections in a Distributed Computing System", section 3): at any time
//! all who have a coordinator in one group have the same, and if nothing fails for long enough, there is one whom all
//! know. A crash ends an office, and so does taking somebody else for the coordinator. Nobody need notice that the
//! coordinator has died. A process has noticed it if its failure detector suspects the coordinator, or if it has called
//! an election since (`known_leader.rs`).
//!
//! A group is a set of live processes that hear each other. So two coordinators of one term are right if a partition
//! separated them at some time since that term began, and while a partition stands each group is judged by itself. A group
//! is judged only if it has been the same since its latest term began. That an election died is not said meanwhile: the
//! partition may have cut the ring.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Finding, finding, of_lock};
use super::interventions::Interventions;
use super::known_leader::{self, BadEnd, bad_end};
use crate::state::State;
use interlock_algorithm::{FlatMap, LockId, NodeId, catalogue};
use interlock_model::event::{Event, StepId, Violation, What};
use interlock_model::specification::Specification;

/// The name of this monitor. Where each lock elects a coordinator of its own, all its violations have the `lock`, too.
pub const NAME: &str = "leaders";

finding! {
    /// Two take themselves for the coordinator of one term. Arguments: `first`, `second`, `term`.
    pub const TWO_COORDINATORS = "two-coordinators";
    TwoCoordinators {
        first: NodeId,
        second: NodeId,
        term: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => of_lock(*lock, format!("{first} and {second} both take themselves for the coordinator of term {term}."))
}

finding! {
    /// Two live nodes take different coordinators in one term, of which at most one takes itself. Told once a term. Arguments:
    /// `node`, `leader` (the coordinator that it takes), `other`, `other_leader`, `term`.
    pub const TWO_BELIEFS = "two-beliefs";
    TwoBeliefs {
        node: NodeId,
        leader: NodeId,
        other: NodeId,
        other_leader: NodeId,
        term: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => {
        let sentence =
            format!("In term {term}, {other} takes {other_leader} for the coordinator and {node} takes {leader}.");
        of_lock(*lock, sentence)
    }
}

finding! {
    /// A node took somebody for the coordinator of an older term than that of the one it had. Arguments: `node`, `leader`,
    /// `term`, `after` (the later term).
    pub const OLDER_TERM = "older-term";
    OlderTerm {
        node: NodeId,
        leader: NodeId,
        term: u64,
        after: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => {
        let sentence =
            format!("{node} took {leader} for the coordinator of term {term}, after it had had one of term {after}.");
        of_lock(*lock, sentence)
    }
}

finding! {
    /// Nothing moves any more, and a node does not know the coordinator of the latest term, who is alive. Arguments:
    /// `node`, `takes` (whom it takes for it, if anybody), `leader`, `term`.
    pub const DISAGREEMENT = "disagreement";
    Disagreement {
        node: NodeId,
        takes: Option<NodeId>,
        leader: NodeId,
        term: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => {
        let takes = takes.map_or_else(|| "knows no coordinator".to_owned(), |takes| format!("takes {takes} for it"));
        let sentence =
            format!("{leader} is the coordinator of term {term}, but {node} {takes}, and nothing moves any more.");
        of_lock(*lock, sentence)
    }
}

finding! {
    /// Nothing moves any more, and nobody was elected in the latest term for which somebody alive has called an election.
    /// Arguments: `term`.
    pub const NOBODY_ELECTED = "nobody-elected";
    NobodyElected { term: u64, #[serde(default, skip_serializing_if = "Option::is_none")] lock: Option<LockId> } => {
        let sentence = format!("The election of term {term} has died: nothing moves any more, and nobody was elected.");
        of_lock(*lock, sentence)
    }
}

finding! {
    /// Nothing moves any more, and a node keeps a dead coordinator although it has noticed the death. Arguments: `node`,
    /// `leader`, `term`, `suspects` (whether it suspects the coordinator; if not, it has called an election since the crash).
    pub const DEAD_COORDINATOR = "dead-coordinator";
    DeadCoordinator {
        node: NodeId,
        leader: NodeId,
        term: u64,
        suspects: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => {
        let noticed = if *suspects { "suspects it" } else { "has called an election since" };
        let sentence = format!(
            "{leader} is dead, and {node} keeps it as the coordinator of term {term} although it {noticed}: nothing moves \
             any more."
        );
        of_lock(*lock, sentence)
    }
}

finding! {
    /// Nothing moves any more, and a node that has called an election knows no coordinator; the elected one is dead.
    /// Arguments: `node`, `term`.
    pub const RESULT_UNKNOWN = "result-unknown";
    ResultUnknown {
        node: NodeId,
        term: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => {
        let sentence =
            format!("{node} has called the election of term {term} and knows no coordinator: nothing moves any more.");
        of_lock(*lock, sentence)
    }
}

/// Of how many terms the beginning is remembered: the latest.
const REMEMBERED_TERMS: usize = 1_000;

/// Watches elections, if the algorithm has any: for each lock its own, where each lock has a coordinator of its own.
#[derive(Debug)]
pub struct Leaders {
    elections: Vec<Elections>,
    notices: Notices,
    /// Whether anything has happened since the last look at the end.
    changed: bool,
}

/// How processes can notice deaths.
#[derive(Debug, Default)]
struct Notices {
    /// The latest crash of each node.
    crashes: FlatMap<NodeId, u64>,
    /// Each suspicion: the process that has it, and the process that it is about.
    suspicions: BTreeSet<(NodeId, NodeId)>,
}

impl Notices {
    fn observe(&mut self, event: &Event) -> bool {
        match event.what {
            What::Crashed { node, .. } => {
                self.crashes.insert(node, event.seq);
                self.suspicions.retain(|(of, _)| *of != node);
            }
            What::Suspected { at, whom } => _ = self.suspicions.insert((at.node, whom)),
            What::Trusted { at, whom } => _ = self.suspicions.remove(&(at.node, whom)),
            _ => return false,
        }
        true
    }

    /// Whether a node suspects its coordinator, or has called an election since that process crashed.
    fn has_noticed(&self, node: NodeId, voter: &Voter) -> bool {
        voter.takes.is_some_and(|Belief { leader, .. }| {
            let crashed = self.crashes.get(&leader);
            let called_since = voter.called.is_some_and(|(_, called)| crashed.is_some_and(|crashed| *crashed < called));
            called_since || self.suspicions.contains(&(node, leader))
        })
    }
}

/// The elections for one lock, or for the run if it has none.
#[derive(Debug)]
struct Elections {
    /// The lock, where there are several.
    lock: Option<LockId>,
    /// What each node has told in its present life.
    nodes: Vec<Voter>,
    /// The first event of each of the latest terms.
    begun: BTreeMap<u64, u64>,
    /// What was said at the last look, to say it once.
    told: Option<serde_json::Value>,
    /// The terms in which two coordinators or beliefs were reported.
    split: BTreeSet<u64>,
}

/// What a node has told in its present life.
#[derive(Clone, Copy, Debug, Default)]
struct Voter {
    is_alive: bool,
    /// The latest term for which it has called an election, and the event.
    called: Option<(u64, u64)>,
    takes: Option<Belief>,
}

/// Whom a node takes for the coordinator. The later term counts more, then the higher id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Belief {
    term: u64,
    leader: NodeId,
    /// The event that told it.
    seq: u64,
}

impl Leaders {
    /// The monitor of a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let elects = catalogue::find(&specification.algorithm).is_ok_and(|entry| entry.commands.contains(&"elect"));
        let nodes = || NodeId::all(specification.nodes).map(|_| Voter::default()).collect();
        let locks = if elects { specification.locks.max(1) } else { 0 };
        let several = |lock| (locks > 1).then_some(LockId(lock));
        let elections = (0..locks).map(|lock| Elections {
            lock: several(lock),
            nodes: nodes(),
            begun: BTreeMap::new(),
            told: None,
            split: BTreeSet::new(),
        });
        Self { elections: elections.collect(), notices: Notices::default(), changed: false }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        if self.elections.is_empty() {
            return;
        }
        self.changed |= self.notices.observe(event);
        match event.what {
            What::Started { node, .. } => self.begins(node, true),
            What::Crashed { node, .. } => self.begins(node, false),
            What::Called { at, lock, term } => {
                self.changed = true;
                if let Some(elections) = self.of(lock) {
                    elections.called(at.node, term, event.seq);
                }
            }
            What::Elected { at, lock, leader, term } => {
                self.changed = true;
                if let Some(elections) = self.of(lock) {
                    elections.elected(at, Belief { term, leader, seq: event.seq }, interventions, found);
                }
            }
            What::Configured { .. } => self.changed = true,
            _ => {}
        }
    }

    fn of(&mut self, lock: LockId) -> Option<&mut Elections> {
        self.elections.get_mut(lock.0 as usize)
    }

    fn begins(&mut self, node: NodeId, is_alive: bool) {
        self.changed = true;
        for voter in self.elections.iter_mut().filter_map(|elections| elections.nodes.get_mut(node.index())) {
            *voter = Voter { is_alive, ..Voter::default() };
        }
    }

    /// Looks whether all agree, if the run is at rest: see [`super::Monitors::settle`].
    pub fn settle(
        &mut self,
        state: &State,
        pending_inputs: usize,
        interventions: &Interventions,
        found: &mut Vec<Violation>,
    ) {
        let is_news = self.changed && !interventions.are_elections_to_come(state.at_us());
        if !is_news || !state.is_at_rest(pending_inputs) {
            return;
        }
        self.changed = false;
        for elections in &mut self.elections {
            let end = elections.end(&self.notices, interventions);
            let told = end.as_ref().map(|violation| violation.arguments.clone());
            if elections.told != told {
                found.extend(end);
                elections.told = told;
            }
        }
    }
}

impl Elections {
    fn called(&mut self, node: NodeId, term: u64, seq: u64) {
        self.begins(term, seq);
        if let Some(voter) = self.nodes.get_mut(node.index()) {
            voter.called = voter.called.max(Some((term, seq)));
        }
    }

    /// Remembers when a term began.
    fn begins(&mut self, term: u64, seq: u64) {
        self.begun.entry(term).or_insert(seq);
        if self.begun.len() > REMEMBERED_TERMS {
            self.begun.pop_first();
        }
    }

    fn elected(&mut self, at: StepId, belief: Belief, interventions: &Interventions, found: &mut Vec<Violation>) {
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

    /// Another process that takes a different coordinator in the same term.
    fn other_belief(&self, node: NodeId, belief: Belief, interventions: &Interventions) -> Option<Violation> {
        let Belief { term, leader, seq } = belief;
        let begun = self.begun.get(&term).copied().unwrap_or_default();
        let mut beliefs = (0..).map(NodeId).zip(&self.nodes).filter_map(|(other, voter)| Some((other, voter.takes?)));
        let is_other = |other: &NodeId, belief: &Belief| {
            let differs = belief.term == term && belief.leader != leader;
            // What two believers take follows from what their coordinators could hear.
            let pairs = [(node, *other), (leader, belief.leader), (node, belief.leader), (*other, leader)];
            differs && !pairs.iter().any(|(one, other)| interventions.were_separated_since(begun, *one, *other))
        };
        let (other, theirs) = beliefs.find(|(other, belief)| is_other(other, belief))?;
        let finding = TwoBeliefs { node, leader, other, other_leader: theirs.leader, term, lock: self.lock };
        Some(finding.violation([theirs.seq, seq]))
    }

    /// The others who take themselves for the coordinator of this term, and the events that told it.
    fn rivals(&self, of: NodeId, term: u64) -> impl Iterator<Item = (NodeId, u64)> + '_ {
        (0..).map(NodeId).zip(&self.nodes).filter_map(move |(node, voter)| {
            let office = voter.takes.filter(|belief| belief.term == term && belief.leader == node && node != of);
            office.map(|belief| (node, belief.seq))
        })
    }

    /// What is wrong with how the elections have ended.
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

    /// Whether a partition may have caused a bad end: links were cut since its term began, and nobody has called an
    /// election since the same links are cut as now. An election within a group promises nothing to the others.
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

    /// The disagreement in a group that a partition separates, if the group has been the same since its latest term began.
    /// An election that died and a coordinator outside are no fault of the group: the partition may have caused both.
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
                let suspects = notices.suspicions.contains(&(node, leader));
                DeadCoordinator { node, leader, term, suspects, lock }.violation(told.collect::<Vec<_>>())
            }
            BadEnd::ResultUnknown { node, term } => {
                ResultUnknown { node, term, lock }.violation(call(node).into_iter().collect::<Vec<_>>())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::Outcome;
    use serde_json::json;

    use super::super::sentence;
    use super::*;
    use crate::state::test_stream::TestStream;
    use interlock_model::choice::Choice;
    use interlock_model::event::RestartState;
    use interlock_model::span::Span;
    use interlock_model::specification::Draft;
    use interlock_model::specification::Scripted;
    use interlock_simulation::simulation::{Report, Simulation};

    /// What is said of this run, in which nodes call elections at these times.
    fn said(document: serde_json::Value, script: Vec<(u64, Choice)>) -> Vec<String> {
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        let script = script.into_iter().map(|(at, choice)| Scripted { at: Span(1_000 * at), choice }).collect();
        let simulation = Simulation { script, ..Simulation::new(draft.complete_simulated().expect("a run"), 0) };
        let Report { violations, .. } = simulation.run().expect("a report");
        violations.iter().map(|(_, violation)| sentence(violation)).collect()
    }

    #[test]
    fn where_time_outs_are_long_enough_nothing_is_said() {
        let (node, elect) = (NodeId(7), |node| Choice::Elect { node: NodeId(node) });
        let script = vec![
            (0, Choice::Crash { node }),
            (10, elect(3)),
            (500, Choice::Restart { node, state: RestartState::None }),
            (1_000, elect(5)),
            (1_001, elect(0)),
            (2_000, Choice::Crash { node }),
        ];
        for algorithm in ["bully", "acknowledged-ring"] {
            let document = json!({ "algorithm": algorithm, "nodes": 8, "network": { "delay": "uniform:1..20" } });
            assert_eq!(said(document, script.clone()), Vec::<String>::new(), "{algorithm}");
        }
    }

    /// BUL-5: the answer takes longer than it is waited for.
    #[test]
    fn time_outs_that_are_too_short_make_two_coordinators() {
        let document = json!({
            "algorithm": "bully", "nodes": 3, "network": { "delay": "const:1" },
            "parameters": { "initiators": "1", "answer": 1.5 },
        });
        assert_eq!(said(document, vec![]), ["P2 and P1 both take themselves for the coordinator of term 1."]);
    }

    #[test]
    fn an_election_that_dies_is_missed() {
        let document = json!({
            "algorithm": "chang-roberts", "variant": "swallow-always", "nodes": 4, "parameters": { "initiators": "0" },
        });
        let died = "The election of term 1 has died: nothing moves any more, and nobody was elected.";
        assert_eq!(said(document, vec![]), [died]);
    }

    #[test]
    fn whoever_has_not_heard_of_the_coordinator_is_missed() {
        let rule = json!({ "match": { "message_kind": "COORD" }, "action": "drop", "skip": 1, "count": 1 });
        let rule = Choice::Rule(serde_json::from_value(rule).expect("a rule"));
        let document = json!({ "algorithm": "bully", "nodes": 3, "parameters": { "initiators": "none" } });
        let missed = "P2 is the coordinator of term 1, but P1 knows no coordinator, and nothing moves any more.";
        assert_eq!(said(document, vec![(0, rule), (1, Choice::Elect { node: NodeId(2) })]), [missed]);
    }

    /// What is missed at rest, when both have P1 for the coordinator of this term and P0 has called an election for that.
    fn missed(elected: u64, called: u64) -> Vec<String> {
        let mut stream = TestStream::new(2);
        stream.specification.algorithm = "bully".to_owned();
        let tell = |stream: &mut TestStream, node, outcome| {
            let at = StepId { node: NodeId(node), incarnation: 1, step: 1 };
            stream.push(What::outcome(at, outcome));
        };
        tell(&mut stream, 0, Outcome::called(called));
        (0..2).for_each(|node| tell(&mut stream, node, Outcome::elected(NodeId(1), elected)));
        let (mut leaders, mut found) = (Leaders::new(&stream.specification), Vec::new());
        let mut interventions = Interventions::new(&stream.specification);
        for event in &stream.events {
            interventions.observe(event);
            leaders.observe(event, &interventions, &mut found);
        }
        leaders.settle(&stream.state(), 0, &interventions, &mut found);
        found.iter().map(sentence).collect()
    }

    #[test]
    fn an_election_of_a_later_term_than_the_coordinators_is_missed() {
        assert_eq!([missed(1, 1), missed(2, 1)].concat(), Vec::<String>::new());
        let died = "The election of term 2 has died: nothing moves any more, and nobody was elected.";
        assert_eq!(missed(1, 2), [died]);
    }

    #[test]
    fn an_older_term_is_noticed() {
        let specification = Draft { algorithm: "bully".into(), nodes: Some(2), ..Draft::default() };
        let mut leaders = Leaders::new(&specification.complete().expect("a run"));
        let mut found = Vec::new();
        for (seq, term) in [(1, 2), (2, 1)] {
            let at = StepId { node: NodeId(0), incarnation: 1, step: seq };
            let what = What::outcome(at, Outcome::elected(NodeId(1), term));
            leaders.observe(&Event { seq, at_us: 0, what }, &Interventions::default(), &mut found);
        }
        let sentences: Vec<_> = found.iter().map(sentence).collect();
        assert_eq!(sentences, ["P0 took P1 for the coordinator of term 1, after it had had one of term 2."]);
    }

    #[test]
    fn other_families_are_not_watched() {
        let specification = Draft { algorithm: "lamport".into(), ..Draft::default() };
        assert!(Leaders::new(&specification.complete().expect("a run")).elections.is_empty());
    }

    /// Who takes themselves for a coordinator of term 1, and of which of two locks.
    fn said_of_locks(told: [(u32, u32); 2]) -> Vec<String> {
        let specification =
            Draft { algorithm: "centralised-failover".into(), nodes: Some(3), locks: Some(2), ..Draft::default() };
        let mut leaders = Leaders::new(&specification.complete().expect("a run"));
        let mut found = Vec::new();
        for (seq, (node, lock)) in (1..).zip(told) {
            let at = StepId { node: NodeId(node), incarnation: 1, step: seq };
            let what = What::outcome(at, Outcome::elected(NodeId(node), 1).of_lock(LockId(lock)));
            leaders.observe(&Event { seq, at_us: 0, what }, &Interventions::default(), &mut found);
        }
        found.iter().map(sentence).collect()
    }

    #[test]
    fn each_of_several_locks_has_a_coordinator_of_its_own() {
        assert_eq!(said_of_locks([(1, 0), (2, 1)]), Vec::<String>::new());
        let two = "Lock 1: P1 and P2 both take themselves for the coordinator of term 1.";
        assert_eq!(said_of_locks([(1, 1), (2, 1)]), [two]);
    }
}
