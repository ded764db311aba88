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

/// In a run of three nodes, nodes report the outcomes `told`, one after the other. Returns the violations that the
/// monitor finds, each with its events.
fn said(told: &[(u32, Outcome)]) -> Vec<(String, Vec<u64>)> {
    let mut monitor = Agreement::new(&specification(3));
    let mut found = Vec::new();
    for (seq, (node, outcome)) in (1..).zip(told) {
        let at = interlock_model::event::StepId { node: NodeId(*node), incarnation: 1, step: seq };
        let what = What::Outcome { at, outcome: outcome.clone() };
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
fn a_value_is_chosen_by_a_majority_of_all_acceptors() {
    let found = |nodes: u32, each: u32| {
        let mut monitor = Agreement::new(&specification(nodes));
        let mut found = Vec::new();
        let of_a = (0..each).map(|node| (node, accepted(1, "a")));
        let of_b = (0..each).map(|node| (nodes - 1 - node, accepted(2, "b")));
        for (seq, (node, outcome)) in (1..).zip(of_a.chain(of_b)) {
            let at = StepId { node: NodeId(node), incarnation: 1, step: seq };
            let what = What::Outcome { at, outcome };
            monitor.observe(&Event { seq, at_us: 0, what }, &Interventions::default(), &mut found);
        }
        found.len()
    };
    assert_eq!((found(4, 2), found(4, 3)), (0, 1));
    assert_eq!((found(5, 2), found(5, 3)), (0, 1));
}

#[test]
fn what_nobody_proposed_is_wrong() {
    let wrong = "P2 learnt that `c` was chosen in instance 0, although it had not been proposed.".to_owned();
    assert_eq!(said(&[(0, proposed("a")), (2, decided("c"))]), [(wrong, vec![2])]);
}

fn of_instance(instance: u64, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Proposed { value, .. } => Outcome::Proposed { instance, value },
        Outcome::Decided { value, .. } => Outcome::Decided { instance, value },
        other => other,
    }
}

/// In each of the first `instances` instances, P0 proposes the value `a` and learns that `a` is chosen. Then P1 learns
/// that `value` is chosen in instance 5. Returns the violations.
fn late_learner(instances: u64, value: &str) -> Vec<(String, Vec<u64>)> {
    let chosen =
        (0..instances).flat_map(|instance| [proposed("a"), decided("a")].map(|told| (0, of_instance(instance, told))));
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

/// Returns reports in which P1 and P2 promise a sequence of ballots. `proposers` are the proposers of these ballots.
fn duelled(proposers: &[u32]) -> Vec<(u32, Outcome)> {
    let ballots = (1..).zip(proposers).map(|(round, proposer)| Ballot { round, proposer: NodeId(*proposer) });
    ballots.flat_map(|ballot| [1, 2].map(|node| (node, Outcome::Promised { instance: 0, ballot }))).collect()
}

#[test]
fn proposers_who_are_in_each_others_way_for_ever_are_told_of_once() {
    let turns: Vec<u32> = [0, 1].repeat(150);
    let found = said(&duelled(&turns));
    let wrong = "Livelock: P0 and P1 obstruct each other in instance 0: 100 ballots had enough promises, but no value \
                 is chosen.";
    assert_eq!(found.iter().map(|(said, _)| &**said).collect::<Vec<_>>(), [wrong]);
    assert_eq!(said(&duelled(&turns[..99])), [], "49 ballots of P1");
    assert_eq!(said(&duelled(&[0; 300])), [], "one alone is in nobody's way");
    let chosen = [vec![(0, proposed("a")), (0, decided("a"))], duelled(&turns)].concat();
    assert_eq!(said(&chosen), [], "something is chosen");
    let of_one_each: Vec<_> = duelled(&turns).into_iter().filter(|(node, _)| *node == 1).collect();
    assert_eq!(said(&of_one_each), [], "no majority has promised");
}

/// P0 and P1 alternately prepare 80 ballots each. The first event of `what` happens after 60 ballots, and the second
/// after 70 ballots. Returns the number of duels reported.
fn interrupted(what: [Option<What>; 2]) -> usize {
    let (mut monitor, mut interventions, mut found) =
        (Agreement::new(&specification(3)), Interventions::default(), Vec::new());
    let [first, second] = what.map(Option::into_iter);
    let promises = duelled(&[0, 1].repeat(80)).into_iter().zip(1..).map(|((node, outcome), step)| What::Outcome {
        at: interlock_model::event::StepId { node: NodeId(node), incarnation: 1, step },
        outcome,
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
    let hand = [What::paused(node, 1), What::Resumed { node, incarnation: 1 }];
    assert_eq!(interrupted(hand.map(Some)), 0, "60 ballots before and 90 after");
    assert_eq!(interrupted([dropped(DropReason::Loss), None]), 1, "50 of each since");
    assert_eq!(interrupted([None, dropped(DropReason::Loss)]), 0, "45 of each since");
    assert_eq!(interrupted([None, dropped(DropReason::Crashed)]), 1, "what is sent to the dead does not count");
    let crashed = What::crashed(NodeId(2), 1, CrashCause::Ordered);
    assert_eq!(interrupted([None, Some(crashed)]), 0);
}

/// Executes 15 runs with the message loss `loss`, in which all processes propose and retry after a short time.
/// Returns the number of runs in which a duel is reported.
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

/// P0, which is not a learner, proposes a value. Two of the three acceptors crash at `crash_at`, and the acceptors
/// in `back` restart later. If `proposer_dies`, P0 crashes before the acceptors restart. Returns the sentences of
/// the violations.
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
    let wrong =
        "No further step is possible, and no value was chosen in instance 0, although enough acceptors are live.";
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

/// A client proposes a value, and then the run is at rest. The monitor judges the run twice. Returns the number of
/// violations after each judgement.
fn missed(algorithm: &str) -> [usize; 2] {
    let mut stream = TestStream::new(3);
    stream.specification.algorithm = algorithm.to_owned();
    let at = StepId { node: NodeId(0), incarnation: 1, step: 1 };
    stream.outcome(at, proposed("a"));
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

/// PAX-5: each time before the ACCEPT of one proposer arrives, the acceptor promises a newer ballot of the other
/// proposer.
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
    let wrong = "P1 broke its promise: it accepted ballot 1.0 after it had promised ballot 2.0.".to_owned();
    assert_eq!(said(&[(1, promised.clone()), (0, accepted(1, "a")), (1, accepted(1, "a"))])[0], (wrong, vec![1, 3]));
    assert_eq!(said(&[(1, promised), (1, accepted(2, "a"))]), []);
}

/// The proposer is in the smaller part of a partition.
#[test]
fn a_proposer_that_a_partition_excuses_is_judged_when_the_partition_ends() {
    let mut stream = TestStream::new(3);
    stream.specification.algorithm = "paxos".to_owned();
    let configured = |value: Option<serde_json::Value>| {
        let change = interlock_model::event::Change { subject: "partition".into(), id: Some("1".into()), value };
        What::Configured { change }
    };
    let (mut monitor, mut found) = (Agreement::new(&stream.specification), Vec::new());
    let mut interventions = Interventions::new(&stream.specification);
    let mut settle = |stream: &TestStream, from: usize| {
        for event in &stream.events[from..] {
            interventions.observe(event);
            monitor.observe(event, &interventions, &mut found);
        }
        monitor.settle(&stream.state(), 0, &interventions, &mut found);
        found.len()
    };
    stream.push(configured(Some(json!({ "id": 1, "groups": [[0], [1, 2]], "direction": "both" }))));
    stream.outcome(StepId { node: NodeId(0), incarnation: 1, step: 1 }, proposed("a"));
    assert_eq!(settle(&stream, 0), 0, "P0 reaches no majority");
    let begun = stream.events.len();
    stream.push(configured(None));
    assert_eq!(settle(&stream, begun), 1);
}
