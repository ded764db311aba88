use std::sync::Arc;

use interlock_algorithm::{Ballot, NodeId, Outcome};
use interlock_model::choice::Choice;
use interlock_model::event::{DropReason, Event, RestartState, StepId, Violation, What};
use interlock_model::span::Span;
use interlock_model::specification::{Draft, Scripted};
use interlock_simulation::simulation::{Simulation, Watch};
use serde_json::{Value, json};

use super::{Phenomenon, PhenomenonDocument, names};
use crate::monitor;
use crate::state::test_stream::TestStream;
use crate::state::{Because, State};

/// Simulates a run in virtual time with these choices, and returns the state after its last event.
fn end_of(draft: Value, script: &[Value]) -> State {
    let draft: Draft = serde_json::from_value(draft).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let choices = script.iter().map(|choice| serde_json::from_value(choice.clone()).expect("a choice"));
    let script = choices.map(|choice: Choice| Scripted { at: Span(0), choice }).collect();
    let mut state = State::new(&specification);
    let simulation = Simulation { script, watch: Watch::Events, records: true, ..Simulation::new(specification, 150) };
    let report = simulation.run().expect("a run");
    report.events.iter().for_each(|event: &Event| state.apply(event));
    state
}

/// Returns the phenomenon of a state and the number of its processes.
fn shown(state: &State) -> Option<(Phenomenon, usize)> {
    let because = state.verdict(state.at_us(), 0).because;
    state.phenomenon(because.as_ref()).map(|PhenomenonDocument { name, nodes, .. }| (name, nodes.len()))
}

fn contended(algorithm: &str, variant: &str) -> Value {
    json!({ "algorithm": algorithm, "variant": variant, "nodes": 3, "seed": 1,
        "network": { "delay": "exp:3" }, "workload": { "idle": "exp:4", "hold": "uniform:0..2" } })
}

fn rule(kind: &str, action: &str) -> Value {
    rule_after(5, kind, action)
}

/// Returns a rule that applies `action` to one message of the kind `kind`, after `skip` others of this kind.
fn rule_after(skip: u32, kind: &str, action: &str) -> Value {
    json!({ "rule": { "match": { "message_kind": kind }, "action": action, "skip": skip, "count": 1 } })
}

#[test]
fn each_kind_of_violation_has_a_phenomenon() {
    for code in monitor::codes().filter(|code| *code != monitor::stuck::QUIESCENT) {
        assert!(names::of_code(code).is_some(), "{code}");
    }
    assert_eq!(names::of_code(monitor::stuck::QUIESCENT), None, "the state of the run says why it stands still");
}

#[test]
fn names_in_documents_are_the_names_of_the_list() {
    for phenomenon in Phenomenon::ALL {
        assert_eq!(serde_json::to_value(phenomenon).expect("JSON"), phenomenon.name());
    }
}

#[test]
fn the_guide_explains_each_phenomenon() {
    let guide = include_str!("../../../../docs/reference/verdicts.md");
    let (_, list) = guide.split_once("## Phenomena").expect("a section");
    let rows = list.lines().skip_while(|line| !line.starts_with("| `")).take_while(|line| line.starts_with("| `"));
    let named: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert_eq!(named, Phenomenon::ALL.iter().map(|phenomenon| phenomenon.name()).collect::<Vec<_>>());
}

#[test]
fn votes_given_in_a_cycle_are_a_deadlock_and_a_lost_vote_is_not() {
    let state = end_of(contended("maekawa", "version-1"), &[]);
    assert!(matches!(shown(&state), Some((Phenomenon::Deadlock, 2..=3))), "{:?}", shown(&state));
    let state = end_of(contended("maekawa", "corrected"), &[]);
    assert_eq!(shown(&state), None, "all requests are granted");
    let state = end_of(contended("maekawa", "corrected"), &[rule("LOCKED", "drop")]);
    assert_eq!(shown(&state), Some((Phenomenon::MessageLost, 2)));
}

#[test]
fn a_lost_token_is_told_from_a_lost_request() {
    let state = end_of(contended("suzuki-kasami", "fifo-queue"), &[rule("TOKEN", "drop")]);
    let shown = state.phenomenon(state.verdict(state.at_us(), 0).because.as_ref()).expect("a phenomenon");
    assert_eq!((shown.name, &*shown.message.expect("a message").message_kind), (Phenomenon::TokenLost, "TOKEN"));
}

/// The violation and the standstill name the same message. With several locks, it is the message of this lock.
#[test]
fn the_message_that_carried_the_lost_token_is_named() {
    let mut stream = TestStream::new(3);
    stream.specification.algorithm = "suzuki-kasami".to_owned();
    let token = stream.send(0, 1, "TOKEN");
    stream.request(2);
    assert_eq!(shown(&stream.state()), None, "the token is in transit");
    stream.push(What::dropped(token, "TOKEN".into(), DropReason::Loss));
    let state = stream.state();
    let named = |because: Option<&Because>| state.phenomenon(because).and_then(|shown| shown.message);
    let named_at_rest = named(state.verdict(state.at_us(), 0).because.as_ref()).expect("a message");
    assert_eq!((named_at_rest.message, &*named_at_rest.message_kind), (token, "TOKEN"));
    let arguments = json!({ "from": 0, "to": 1 });
    let (monitor, code) = (monitor::tokens::NAME.into(), monitor::tokens::LOST_TOKEN.into());
    let lost = Violation { monitor, code, arguments, events: vec![1] };
    assert_eq!(named(Some(&Because::Violation(lost.clone()))), Some(named_at_rest));
    let arguments = json!({ "from": 0, "to": 1, "lock": 1 });
    assert_eq!(named(Some(&Because::Violation(Violation { arguments, ..lost }))), None, "the token of another lock");
}

#[test]
fn the_reason_that_nothing_moves_is_told() {
    let shown = |events: fn(&mut TestStream)| {
        let mut stream = TestStream::new(2);
        stream.at(20).request(1);
        events(&mut stream);
        shown(&stream.state()).map(|(name, _)| name)
    };
    assert_eq!(shown(|_| {}), Some(Phenomenon::Standstill));
    assert_eq!(shown(|stream| _ = stream.crash(0)), Some(Phenomenon::ProcessCrashed));
    let lose = |stream: &mut TestStream| {
        let lost = stream.send(1, 0, "REQUEST");
        stream.lose(lost);
    };
    assert_eq!(shown(lose), Some(Phenomenon::MessageLost));
    let held = |stream: &mut TestStream| {
        let held = stream.send(1, 0, "REQUEST");
        stream.hold(held);
    };
    assert_eq!(shown(held), None, "the message can still be delivered by hand");
    let earlier = |stream: &mut TestStream| {
        let reply = stream.at(5).send(0, 1, "REPLY");
        stream.lose(reply);
        stream.at(30).request(0);
    };
    assert_eq!(shown(earlier), Some(Phenomenon::Standstill), "P0's message was lost before anybody waited");
}

#[test]
fn all_processes_that_cannot_answer_are_named() {
    let named = |lost: &[u32]| {
        let mut stream = TestStream::new(3);
        stream.at(20).request(1);
        stream.show(1, &json!({ "waits_for": [0, 2] }));
        for &to in lost {
            let message = stream.send(1, to, "REQUEST");
            stream.lose(message);
        }
        let state = stream.state();
        let shown = state.phenomenon(state.verdict(state.at_us(), 0).because.as_ref()).expect("a phenomenon");
        shown.nodes.iter().map(|node| node.0).collect::<Vec<_>>()
    };
    assert_eq!(named(&[0, 2]), [1, 0, 2]);
    assert_eq!(named(&[2]), [1, 2], "P0 has received the request");
}

#[test]
fn ballots_that_supersede_each_other_are_a_duel_and_two_first_ballots_are_not() {
    let promised = |ballots: &[(u64, u32)], decided: bool| {
        let mut stream = TestStream::new(3);
        stream.specification.algorithm = "paxos".to_owned();
        let at = |node| StepId { node: NodeId(node), incarnation: 1, step: 1 };
        let value: Arc<str> = "x".into();
        stream.outcome(at(0), Outcome::Proposed { instance: 1, value: Arc::clone(&value) });
        for &(round, proposer) in ballots {
            let ballot = Ballot { round, proposer: NodeId(proposer) };
            stream.outcome(at(2), Outcome::Promised { instance: 1, ballot });
        }
        if decided {
            stream.outcome(at(0), Outcome::Decided { instance: 1, value });
        }
        stream.state().phenomenon(None)
    };
    let duel = PhenomenonDocument::new(Phenomenon::NoValueChosen, vec![NodeId(0), NodeId(1)]);
    let alternating = [(1, 0), (1, 1), (2, 0), (2, 1)];
    assert_eq!(promised(&alternating, false), Some(duel));
    assert_eq!(promised(&alternating, true), None, "a value is chosen");
    assert_eq!(promised(&alternating[..3], false), None, "both may have begun at the same time");
    let again = [(1, 0), (2, 0), (3, 0), (4, 0)];
    assert_eq!(promised(&again, false), None, "one proposer tries again because messages are lost");
}

#[test]
fn what_is_missing_is_shown_once_an_update_is_lost() {
    let simulated = |algorithm: &str, variant: &str| {
        let account = json!({ "balance": 1_000, "deposit": 10_000 });
        let workload = json!({ "idle": "100", "hold": "200", "entries": 1, "account": account });
        let state =
            end_of(json!({ "algorithm": algorithm, "variant": variant, "nodes": 2, "workload": workload }), &[]);
        state.phenomenon(state.verdict(state.at_us(), 0).because.as_ref())
    };
    let shown = simulated("centralised", "no-exclusion").expect("a phenomenon");
    assert_eq!((shown.name, shown.missing), (Phenomenon::LostUpdate, Some(10_000)));
    assert_eq!(simulated("ricart-agrawala", "lamport-clock"), None);
}

/// After a lost message, an arbiter may keep its vote for a process that has left. The waits then form a cycle that is not a
/// deadlock of the algorithm.
#[test]
fn a_cycle_that_a_lost_message_has_caused_is_not_a_deadlock() {
    let mut stuck = 0;
    for kind in ["LOCKED", "RELEASE", "INQUIRE", "RELINQUISH", "FAILED"] {
        for skip in 0..12 {
            let state = end_of(contended("maekawa", "corrected"), &[rule_after(skip, kind, "drop")]);
            let name = shown(&state).map(|(name, _)| name);
            assert!(matches!(name, None | Some(Phenomenon::MessageLost)), "{kind} {skip}: {name:?}");
            stuck += usize::from(name.is_some());
        }
    }
    assert!(stuck > 20, "{stuck}");
}

/// P0 and P1 wait for the votes of P2 and P3, which have them for each other. Returns the phenomenon after these events.
fn votes_in_a_cycle(events: fn(&mut TestStream)) -> PhenomenonDocument {
    let mut stream = TestStream::new(4);
    events(&mut stream);
    for node in [1, 0] {
        stream.request(node);
    }
    for (node, view) in [
        (0, json!({ "waits_for": [2] })),
        (1, json!({ "waits_for": [3] })),
        (2, json!({ "variables": { "locked_for": 1 } })),
        (3, json!({ "variables": { "locked_for": 0 } })),
    ] {
        stream.show(node, &view);
    }
    let state = stream.state();
    state.phenomenon(state.verdict(state.at_us(), 0).because.as_ref()).expect("a phenomenon")
}

#[test]
fn waits_follow_the_votes_and_a_crash_explains_them() {
    let of = |name, nodes: &[u32]| PhenomenonDocument::new(name, nodes.iter().copied().map(NodeId).collect());
    assert_eq!(votes_in_a_cycle(|_| {}), of(Phenomenon::Deadlock, &[0, 1]));
    let restarted = |stream: &mut TestStream| {
        stream.crash(0);
        stream.restart(0, RestartState::None);
        stream.start(0);
    };
    assert_eq!(votes_in_a_cycle(restarted), of(Phenomenon::ProcessCrashed, &[0, 1]));
}

/// A message to a crashed process is lost as well, but the crash is the cause.
#[test]
fn who_waits_for_a_crashed_process_does_not_merely_miss_a_message() {
    let state = end_of(contended("ricart-agrawala", "lamport-clock"), &[json!({ "crash": { "node": 2 } })]);
    let shown = state.phenomenon(state.verdict(state.at_us(), 0).because.as_ref()).expect("a phenomenon");
    assert_eq!((shown.name, shown.nodes.last()), (Phenomenon::ProcessCrashed, Some(&NodeId(2))));
}

#[test]
fn a_cycle_begins_with_its_lowest_process() {
    let edge = |node: u32, on: u32| json!({ "node": node, "lock": node, "on": on });
    let arguments = json!({ "circle": [edge(2, 0), edge(0, 1), edge(1, 2)] });
    let (monitor, code) = (monitor::deadlocks::NAME.into(), monitor::deadlocks::CYCLE.into());
    let found = super::of_violation(&Violation { monitor, code, arguments, events: vec![1] });
    assert_eq!(found.map(|found| found.nodes), Some(vec![NodeId(0), NodeId(1), NodeId(2)]));
}
