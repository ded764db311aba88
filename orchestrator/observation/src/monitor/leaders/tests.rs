use interlock_algorithm::Outcome;
use serde_json::json;

use super::super::sentence;
use super::*;
use crate::state::test_stream::TestStream;
use interlock_model::choice::Choice;
use interlock_model::event::{RestartState, StepId};
use interlock_model::span::Span;
use interlock_model::specification::Draft;
use interlock_model::specification::Scripted;
use interlock_simulation::simulation::{Report, Simulation};

/// Runs a scenario in which each action of `script` happens at its time. Returns the sentences of the violations.
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

/// BUL-5: the time-out expires before the answer to the election message arrives.
#[test]
fn time_outs_that_are_too_short_make_two_coordinators() {
    let document = json!({
        "algorithm": "bully", "nodes": 3, "network": { "delay": "const:1" },
        "parameters": { "initiators": "1", "answer": 1.5 },
    });
    assert_eq!(said(document, vec![]), ["P2 and P1 both consider themselves the coordinator of term 1."]);
}

#[test]
fn an_election_that_dies_is_missed() {
    let document = json!({
        "algorithm": "chang-roberts", "variant": "swallow-always", "nodes": 4, "parameters": { "initiators": "0" },
    });
    let died = "The election of term 1 is stuck: no further step is possible, and no coordinator was elected.";
    assert_eq!(said(document, vec![]), [died]);
}

#[test]
fn whoever_has_not_heard_of_the_coordinator_is_missed() {
    let rule = json!({ "match": { "message_kind": "COORD" }, "action": "drop", "skip": 1, "count": 1 });
    let rule = Choice::Rule(serde_json::from_value(rule).expect("a rule"));
    let document = json!({ "algorithm": "bully", "nodes": 3, "parameters": { "initiators": "none" } });
    let missed = "P2 is the coordinator of term 1, but P1 knows no coordinator, and no further step is possible.";
    assert_eq!(said(document, vec![(0, rule), (1, Choice::Elect { node: NodeId(2) })]), [missed]);
}

/// Returns the monitor after the events of a stream, the interventions in force then, and the violations so far.
pub(super) fn observed(stream: &TestStream) -> (Leaders, Interventions, Vec<Violation>) {
    let (mut leaders, mut found) = (Leaders::new(&stream.specification), Vec::new());
    let mut interventions = Interventions::new(&stream.specification);
    for event in &stream.events {
        interventions.observe(event);
        leaders.observe(event, &interventions, &mut found);
    }
    (leaders, interventions, found)
}

/// P0 calls an election for term `called`. Then both nodes accept P1 as the coordinator of term `elected`, and the run
/// is at rest. Returns the sentences of the violations.
fn missed(elected: u64, called: u64) -> Vec<String> {
    let mut stream = TestStream::new(2);
    stream.specification.algorithm = "bully".to_owned();
    let tell = |stream: &mut TestStream, node, outcome| {
        let at = StepId { node: NodeId(node), incarnation: 1, step: 1 };
        stream.outcome(at, outcome);
    };
    tell(&mut stream, 0, Outcome::called(called));
    (0..2).for_each(|node| tell(&mut stream, node, Outcome::elected(NodeId(1), elected)));
    let (mut leaders, interventions, mut found) = observed(&stream);
    leaders.settle(&stream.state(), 0, &interventions, &mut found);
    found.iter().map(sentence).collect()
}

#[test]
fn an_election_of_a_later_term_than_the_coordinators_is_missed() {
    assert_eq!([missed(1, 1), missed(2, 1)].concat(), Vec::<String>::new());
    let died = "The election of term 2 is stuck: no further step is possible, and no coordinator was elected.";
    assert_eq!(missed(1, 2), [died]);
}

#[test]
fn an_older_term_is_noticed() {
    let specification = Draft { algorithm: "bully".into(), nodes: Some(2), ..Draft::default() };
    let mut leaders = Leaders::new(&specification.complete().expect("a run"));
    let mut found = Vec::new();
    for (seq, term) in [(1, 2), (2, 1)] {
        let at = StepId { node: NodeId(0), incarnation: 1, step: seq };
        let what = What::Outcome { at, outcome: Outcome::elected(NodeId(1), term) };
        leaders.observe(&Event { seq, at_us: 0, what }, &Interventions::default(), &mut found);
    }
    let sentences: Vec<_> = found.iter().map(sentence).collect();
    assert_eq!(sentences, ["P0 accepted P1 as the coordinator of term 1 after it had accepted one of term 2."]);
}

#[test]
fn other_families_are_not_watched() {
    let specification = Draft { algorithm: "lamport".into(), ..Draft::default() };
    assert!(Leaders::new(&specification.complete().expect("a run")).elections.is_empty());
}

/// Two processes report that they are the coordinator of term 1. In `told`, each process comes with the lock for which
/// it was elected. Returns the sentences of the violations.
fn said_of_locks(told: [(u32, u32); 2]) -> Vec<String> {
    let specification =
        Draft { algorithm: "centralised-failover".into(), nodes: Some(3), locks: Some(2), ..Draft::default() };
    let mut leaders = Leaders::new(&specification.complete().expect("a run"));
    let mut found = Vec::new();
    for (seq, (node, lock)) in (1..).zip(told) {
        let at = StepId { node: NodeId(node), incarnation: 1, step: seq };
        let what = What::Outcome { at, outcome: Outcome::elected(NodeId(node), 1).of_lock(LockId(lock)) };
        leaders.observe(&Event { seq, at_us: 0, what }, &Interventions::default(), &mut found);
    }
    found.iter().map(sentence).collect()
}

#[test]
fn each_of_several_locks_has_a_coordinator_of_its_own() {
    assert_eq!(said_of_locks([(1, 0), (2, 1)]), Vec::<String>::new());
    let two = "Lock 1: P1 and P2 both consider themselves the coordinator of term 1.";
    assert_eq!(said_of_locks([(1, 1), (2, 1)]), [two]);
}
