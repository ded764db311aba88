use interlock_algorithm::{NodeId, Outcome};
use interlock_model::event::{Change, StepId, Violation, What};
use serde_json::{Value, json};

use super::super::finding::Monitor;
use super::super::sentence;
use super::tests::observed;
use crate::state::test_stream::TestStream;

/// A run of the bully algorithm whose reports the tests choose freely.
struct Run(TestStream);

impl Run {
    fn new(nodes: u32) -> Self {
        let mut stream = TestStream::new(nodes);
        stream.specification.algorithm = "bully".to_owned();
        Self(stream)
    }

    fn at(node: u32) -> StepId {
        StepId { node: NodeId(node), incarnation: 1, step: 1 }
    }

    fn called(&mut self, node: u32, term: u64) -> u64 {
        self.0.outcome(Self::at(node), Outcome::called(term))
    }

    fn elected(&mut self, node: u32, leader: u32, term: u64) -> u64 {
        self.0.outcome(Self::at(node), Outcome::elected(NodeId(leader), term))
    }

    fn partition(&mut self, groups: Option<&Value>) {
        let value = groups.map(|groups| json!({ "id": 1, "groups": groups, "direction": "both" }));
        self.0.push(What::Configured { change: Change { subject: "partition".into(), id: Some("1".into()), value } });
    }

    /// Returns the violations that the monitor finds during the run and at its end, when the run is at rest.
    fn violations(&self) -> Vec<Violation> {
        let Self(stream) = self;
        let (mut leaders, interventions, mut found) = observed(stream);
        leaders.settle(&stream.state(), 0, &interventions, &mut found);
        leaders.settle(&stream.state(), 0, &interventions, &mut found);
        found
    }

    fn said(&self) -> Vec<String> {
        self.violations().iter().map(sentence).collect()
    }
}

const NOTHING: [&str; 0] = [];
const UNKNOWN: &str = "P0 is the coordinator of term 1, but P1 knows no coordinator, and no further step is possible.";
const DEAD: &str = "P2 has crashed, but P0, which suspects it, still accepts it as the coordinator of term 1. No further \
                    step is possible.";

/// P0 and P1 believe in these coordinators of these terms. Returns the violations during the run.
fn beliefs(first: (u32, u64), second: (u32, u64), groups: Option<&Value>) -> Vec<String> {
    let mut run = Run::new(4);
    if groups.is_some() {
        run.partition(groups);
    }
    let at_rest = "no further step";
    run.elected(0, first.0, first.1);
    run.elected(1, second.0, second.1);
    run.elected(1, second.0, second.1);
    run.said().into_iter().filter(|said| !said.contains(at_rest)).collect()
}

#[test]
fn two_beliefs_in_different_coordinators_of_one_term_are_reported_once() {
    let two = "In term 1, P0 accepts P2 as the coordinator, but P1 accepts P3.";
    assert_eq!(beliefs((2, 1), (3, 1), None), [two]);
    assert_eq!(beliefs((2, 1), (2, 1), None), NOTHING, "the same coordinator");
    assert_eq!(beliefs((2, 1), (3, 2), None), NOTHING, "another term");
    for pair in [[0, 1], [2, 3], [1, 2], [0, 3]] {
        let others: Vec<u32> = (0..4).filter(|node| *node != pair[0]).collect();
        assert_eq!(beliefs((2, 1), (3, 1), Some(&json!([[pair[0]], others]))), NOTHING, "{pair:?} are separated");
    }
}

#[test]
fn a_healed_partition_excuses_who_has_missed_the_result_until_the_next_election() {
    let said = |cut: bool, after: fn(&mut Run)| {
        let mut run = Run::new(2);
        run.called(0, 1);
        if cut {
            run.partition(Some(&json!([[0], [1]])));
        }
        run.elected(0, 0, 1);
        if cut {
            run.partition(None);
        }
        after(&mut run);
        run.said()
    };
    assert_eq!(said(false, |_| {}), [UNKNOWN]);
    assert_eq!(said(true, |_| {}), NOTHING);
    assert_eq!(said(true, |run| _ = run.called(1, 1)), [UNKNOWN], "an election was called since");
    let crashed = |run: &mut Run| {
        run.called(1, 1);
        run.0.crash(1);
        run.0.restart(1, interlock_model::event::RestartState::Stored);
        run.0.start(1);
    };
    assert_eq!(said(true, crashed), NOTHING, "the process that called it has crashed");
}

#[test]
fn a_partition_that_was_healed_before_the_term_began_excuses_nobody() {
    let mut run = Run::new(2);
    run.partition(Some(&json!([[0], [1]])));
    run.partition(None);
    run.elected(0, 0, 1);
    assert_eq!(run.said(), [UNKNOWN]);
}

#[test]
fn during_a_partition_each_group_agrees_on_the_terms_that_began_in_it() {
    let said = |before: fn(&mut Run), after: fn(&mut Run)| {
        let mut run = Run::new(3);
        before(&mut run);
        run.partition(Some(&json!([[0, 1], [2]])));
        run.elected(0, 0, 1);
        after(&mut run);
        run.said()
    };
    assert_eq!(said(|_| {}, |_| {}), [UNKNOWN]);
    assert_eq!(said(|_| {}, |run| _ = run.called(1, 2)), [UNKNOWN], "an open election may fail in a partition");
    assert_eq!(said(|_| {}, |run| _ = run.elected(1, 0, 1)), NOTHING, "P2 is in another group");
    assert_eq!(said(|run| _ = run.called(0, 1), |_| {}), NOTHING, "the term began before the partition");
}

#[test]
fn a_disagreement_names_the_reports_of_both_processes() {
    let mut run = Run::new(2);
    let other = run.elected(1, 1, 1);
    let latest = run.elected(0, 0, 2);
    let events: Vec<_> = run.violations().into_iter().map(|violation| violation.events).collect();
    assert_eq!(events, [[other, latest]]);
}

#[test]
fn who_suspects_its_crashed_coordinator_must_find_another_one() {
    let said = |more: fn(&mut Run)| {
        let mut run = Run::new(3);
        (0..3).for_each(|node| _ = run.elected(node, 2, 1));
        run.0.crash(2);
        more(&mut run);
        run.said()
    };
    let suspect = |run: &mut Run| _ = run.0.push(What::Suspected { at: Run::at(0), whom: NodeId(2) });
    assert_eq!(said(|_| {}), NOTHING, "nobody has noticed the crash");
    assert_eq!(said(suspect), [DEAD]);
    let trust = |run: &mut Run| {
        run.0.push(What::Suspected { at: Run::at(0), whom: NodeId(2) });
        run.0.push(What::Trusted { at: Run::at(0), whom: NodeId(2) });
    };
    assert_eq!(said(trust), NOTHING, "P0 trusts it again");
}

#[test]
fn an_end_is_not_judged_while_the_scenario_plans_another_election() {
    let said = |acts: Value| {
        let mut run = Run::new(2);
        run.0.specification.planned = serde_json::from_value(json!({ "acts": acts })).expect("acts");
        run.elected(0, 0, 1);
        run.said()
    };
    assert_eq!(said(json!([])), [UNKNOWN]);
    assert_eq!(said(json!([{ "kind": "elect", "node": 1, "from_us": 70 }])), NOTHING);
    assert_eq!(said(json!([{ "kind": "propose", "node": 1, "from_us": 70 }])), [UNKNOWN]);
}
