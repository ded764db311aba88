//! Agreement: whatever happens, no two values are chosen, and eventually one value is chosen. Each faulty variant
//! lacks a rule, and a test shows the resulting violation.

use std::collections::{BTreeMap, BTreeSet};

use interlock_algorithm::agreement::acceptor::Proposal;
use interlock_algorithm::agreement::paxos::{Paxos, PaxosMessage, Timer};
use interlock_algorithm::{Algorithm, Ballot, Command, NodeId, Outcome, Value};
use interlock_model::choice::Choice;

use crate::driver::Scene;
use crate::driver::clients::{listed, nobody};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{Rules, USUAL, breaks, holds};
use crate::driver::run::{Run, Verdict};
use crate::driver::script::Script;
use crate::driver::watch::Happened;
use interlock_model::event::RestartState;

/// All faults that the algorithm tolerates. At most a minority of the nodes is down at the same time.
const ROUGH: Faults =
    Faults { losses: 12, copies: 12, crashes: 6, down_at_once: 2, memory: Some(RestartState::Stored), ..OVERTAKING };
/// The same faults for a group of three nodes, of which at most one is down.
const ROUGH_FOR_THREE: Faults = Faults { down_at_once: 1, ..ROUGH };

/// After every step, at most one value is learnt. At the end, some process has learnt a value.
pub const AGREEMENT: Rules<Paxos> = Rules { always: agreement, in_the_end: somebody_has_learnt };
const SAFETY: Rules<Paxos> = Rules { always: agreement, in_the_end: |_| Ok(()) };

/// Checks each instance: at most one value is learnt, a process has proposed this value, and no acceptor has broken
/// a promise.
pub fn agreement<A: Algorithm>(run: &Run<'_, A>) -> Verdict {
    let log = run.log();
    let mut proposed = BTreeSet::new();
    let mut decided = BTreeMap::new();
    let mut promised: BTreeMap<NodeId, Ballot> = BTreeMap::new();
    for (node, what) in log.iter() {
        let Happened::Told(outcome) = what else { continue };
        match outcome {
            Outcome::Proposed { instance, value } => drop(proposed.insert((*instance, value))),
            Outcome::Promised { ballot, .. } => drop(promised.insert(*node, *ballot)),
            Outcome::Accepted { ballot, .. } if promised.get(node).is_some_and(|promised| promised > ballot) => {
                return Err(format!("{node} broke its promise of {}: it accepted {ballot}", promised[node]));
            }
            Outcome::Decided { instance, value } => {
                if !proposed.contains(&(*instance, value)) {
                    return Err(format!("nobody proposed {value}"));
                }
                match decided.insert(*instance, value) {
                    Some(other) if other != value => return Err(format!("two values: {other} and {value}")),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn somebody_has_learnt(run: &Run<'_, Paxos>) -> Verdict {
    let decided = |(_, outcome): &(NodeId, Outcome)| matches!(outcome, Outcome::Decided { .. });
    let proposed = |(_, outcome): &(NodeId, Outcome)| matches!(outcome, Outcome::Proposed { .. });
    let told = run.told();
    if told.iter().any(proposed) && !told.iter().any(decided) { Err("nothing is chosen".into()) } else { Ok(()) }
}

fn propose(value: &str) -> Command {
    Command::Propose { instance: 0, value: value.into() }
}

/// Returns a scene in which three clients propose values at any moment. Some of the clients propose again later.
pub fn scene(variant: &str, nodes: u32, faults: Faults) -> Scene<Paxos> {
    let proposal =
        |(node, value): (u32, &str)| Choice::Propose { node: NodeId(node), instance: 0, value: value.to_owned() };
    let proposals = [(0, "a"), (1, "b"), (2, "c"), (0, "d"), (1, "e")].map(proposal);
    Scene::new(&format!("{variant} proposers=none"), nodes, faults, listed(proposals.into()))
}

/// Returns a run of Paxos without initial proposals.
fn stage(variant: &str, nodes: u32) -> Script<Paxos> {
    Script::begin(&format!("{variant} proposers=none"), nodes)
}

fn decided(value: &str) -> Outcome {
    Outcome::Decided { instance: 0, value: value.into() }
}

fn learnt(stage: &Script<Paxos>) -> Vec<(u32, String)> {
    let decided = |(node, outcome): (NodeId, Outcome)| match outcome {
        Outcome::Decided { value, .. } => Some((node.0, value.to_string())),
        _ => None,
    };
    stage.told().into_iter().filter_map(decided).collect()
}

#[test]
fn one_value_is_chosen_whatever_happens() {
    holds(&scene("single-decree", 3, ROUGH_FOR_THREE), 0..60, USUAL, &AGREEMENT);
    holds(&scene("single-decree", 5, ROUGH), 0..60, USUAL, &AGREEMENT);
    holds(&scene("single-decree acceptors=0,1,2", 5, FIFO), 0..60, USUAL, &AGREEMENT);
    holds(&Scene::new("single-decree proposers=all", 4, OVERTAKING, nobody()), 0..60, USUAL, &AGREEMENT);
}

#[test]
fn without_its_rules_two_values_are_chosen() {
    breaks(&scene("adopts-nothing", 3, OVERTAKING), 0..2_000, USUAL, &SAFETY, "two values");
    breaks(&scene("promise-forgotten", 3, ROUGH_FOR_THREE), 0..5_000, USUAL, &SAFETY, "");
    breaks(&scene("single-decree quorum=1", 3, OVERTAKING), 0..2_000, USUAL, &SAFETY, "two values");
    let forgetful = Faults { memory: Some(RestartState::None), ..ROUGH_FOR_THREE };
    breaks(&scene("single-decree", 3, forgetful), 0..5_000, USUAL, &SAFETY, "");
    breaks(&scene("accepted-without-number", 3, ROUGH_FOR_THREE), 0..20_000, USUAL, &SAFETY, "two values");
}

#[test]
fn a_proposer_an_acceptor_and_a_learner_say_what_the_paper_says() {
    let mut stage = Script::<Paxos>::begin("single-decree proposers=none acceptors=1,2,3 learners=4", 5);
    stage.propose(0, "v");
    stage.deliver("PREPARE", 0, 1);
    stage.deliver("PREPARE", 0, 2);
    stage.deliver("PROMISE", 1, 0);
    assert_eq!(stage.sent("ACCEPT"), 0);
    stage.deliver("PROMISE", 2, 0);
    stage.deliver("ACCEPT", 0, 1);
    stage.deliver("ACCEPT", 0, 2);
    assert_eq!(stage.deliver("ACCEPTED", 1, 4).outcomes, []);
    assert_eq!(stage.deliver("ACCEPTED", 2, 4).outcomes, [decided("v")]);
    stage.deliver_all();
    let sent = ["PREPARE", "PROMISE", "ACCEPT", "ACCEPTED"].map(|kind| stage.sent(kind));
    assert_eq!((sent, stage.pending()), ([3; 4], vec![]));
}

/// P0 prepares ballot 3.0. The promises of P1 and P2 name values that they accepted with different earlier ballots.
#[test]
fn a_proposer_adopts_the_value_that_was_accepted_with_the_highest_number() {
    let earlier = |round, proposer| Ballot { round, proposer: NodeId(proposer) };
    let cases = [
        [earlier(1, 4), earlier(2, 0)],
        [earlier(2, 0), earlier(1, 4)],
        [earlier(1, 0), earlier(1, 4)],
        [earlier(1, 4), earlier(1, 0)],
    ];
    for accepted in cases {
        let mut stage = stage("single-decree acceptors=1,2,3", 5);
        stage.propose(0, "own");
        stage.run_out(0, Timer::Retry);
        stage.run_out(0, Timer::Retry);
        let ballot = earlier(3, 0);
        let promise = |accepted: Ballot| {
            let accepted = Some(Proposal { ballot: accepted, value: format!("of {accepted}") });
            PaxosMessage::Promise { ballot, accepted }
        };
        assert_eq!(stage.forge(1, 0, promise(accepted[0])).sent, []);
        let highest = if accepted.contains(&earlier(2, 0)) { "of 2.0" } else { "of 1.4" };
        let accept = PaxosMessage::Accept { ballot, value: highest.into() };
        let sent = stage.forge(2, 0, promise(accepted[1])).sent;
        assert_eq!(sent, [1, 2, 3].map(|acceptor| (NodeId(acceptor), accept.clone())), "{accepted:?}");
    }
}

#[test]
fn a_later_proposer_adopts_the_value_that_may_have_been_chosen() {
    let mut stage = stage("single-decree", 3);
    stage.propose(0, "v1");
    stage.deliver_all_but(|_, to| to == 2);
    assert_eq!(learnt(&stage), [(1, "v1".into()), (0, "v1".into())]);
    stage.propose(2, "v2");
    stage.deliver_all();
    assert_eq!(learnt(&stage)[2], (2, "v1".into()));
    assert_eq!(stage.variable(2, "chosen"), Value::Text("v1".into()));
}

#[test]
fn what_is_older_is_ignored() {
    let mut stage = stage("single-decree", 3);
    stage.propose(0, "v1");
    stage.propose(1, "v2");
    stage.deliver("PREPARE", 1, 2);
    stage.deliver("PREPARE", 0, 2);
    assert_eq!(stage.sent("PROMISE"), 1, "the older PREPARE is ignored");
    stage.deliver("PREPARE", 0, 1);
    assert_eq!(stage.sent("PROMISE"), 1);
    let accept = PaxosMessage::Accept { ballot: Ballot { round: 1, proposer: NodeId(0) }, value: "v1".into() };
    assert_eq!(stage.forge(0, 2, accept).outcomes, []);
    stage.deliver_all();
    assert!(learnt(&stage).iter().all(|(_, value)| value == "v2"));
    assert_eq!(learnt(&stage).len(), 3);
}

/// The acceptors are 1, 2 and 3. Only 1 accepts ballot 1.0, only 2 accepts ballot 1.4, and only 3 accepts ballot
/// 1.5. Ballots 1.0 and 1.5 have the same value. Two acceptors have accepted this value, but with different
/// ballots, so the value is not chosen.
#[test]
fn acceptances_without_numbers_are_counted_together() {
    for (variant, first) in [("accepted-without-number", Some("v")), ("single-decree", None)] {
        let mut stage = Script::<Paxos>::begin(&format!("{variant} proposers=none acceptors=1,2,3 learners=6,8"), 9);
        let ask = |stage: &mut Script<Paxos>, proposer, value, promise: [u32; 2], accept: &[u32]| {
            stage.propose(proposer, value);
            for acceptor in promise {
                stage.deliver("PREPARE", proposer, acceptor);
                stage.deliver("PROMISE", acceptor, proposer);
            }
            for &acceptor in accept {
                stage.deliver("ACCEPT", proposer, acceptor);
            }
        };
        ask(&mut stage, 0, "v", [1, 2], &[1]);
        ask(&mut stage, 4, "w", [2, 3], &[2]);
        ask(&mut stage, 5, "x", [1, 3], &[3]);
        stage.deliver("ACCEPTED", 1, 6);
        let learnt_first: Vec<_> = first.into_iter().map(decided).collect();
        assert_eq!(stage.deliver("ACCEPTED", 3, 6).outcomes, learnt_first, "{variant}");
        ask(&mut stage, 7, "y", [1, 2], &[1, 2]);
        stage.lose("ACCEPTED", 1, 8);
        stage.lose("ACCEPTED", 2, 8);
        stage.deliver("ACCEPTED", 1, 8);
        assert_eq!(stage.deliver("ACCEPTED", 2, 8).outcomes, [decided("w")], "{variant}");
    }
}

/// Two proposers obstruct each other: each collects promises for a higher ballot before the other's ACCEPT arrives.
#[test]
fn duelling_proposers_need_not_end() {
    let mut stage = Script::<Paxos>::begin("single-decree back-off=none proposers=none acceptors=2 learners=0,1", 3);
    for node in [0, 1] {
        stage.propose(node, "v");
    }
    stage.deliver("PREPARE", 0, 2);
    stage.deliver("PROMISE", 2, 0);
    for (node, other) in [(1, 0), (0, 1)].into_iter().cycle().take(100) {
        stage.deliver("PREPARE", node, 2);
        stage.deliver("PROMISE", 2, node);
        stage.deliver("ACCEPT", other, 2);
        stage.run_out(other, Timer::Retry);
    }
    assert_eq!(learnt(&stage), []);
    stage.deliver("ACCEPT", 0, 2);
    stage.deliver_all();
    assert_eq!(learnt(&stage).len(), 2);
}

#[test]
fn what_cannot_be_proposed_is_objected_to() {
    let mut stage = stage("single-decree", 3);
    let objection = |stage: &Script<Paxos>, command: &Command| stage.objection(0, command).expect("an objection");
    assert!(objection(&stage, &propose("")).starts_with("a proposal without a value"));
    let elsewhere = Command::Propose { instance: 1, value: "v".into() };
    assert!(objection(&stage, &elsewhere).ends_with("there is no instance 1; the only instance is 0"));
    stage.propose(0, "v");
    assert!(objection(&stage, &propose("w")).starts_with("the proposal with number 1.0 is in progress"));
    stage.deliver_all();
    assert_eq!(stage.objection(0, &propose("w")), None);
}

#[test]
fn who_comes_back_goes_on_with_what_it_had_stored() {
    let mut stage = stage("single-decree", 3);
    stage.propose(0, "v");
    stage.crash(0);
    stage.deliver_all();
    stage.restart(0, RestartState::Stored);
    stage.deliver_all();
    assert_eq!(learnt(&stage).len(), 3);
    stage.crash(0);
    stage.restart(0, RestartState::Stored);
    assert_eq!(stage.variable(0, "chosen"), Value::Text("v".into()));
}

#[test]
fn forged_messages_are_survived() {
    for variant in Paxos::ENTRY.variants {
        survives(&scene(variant.name, 3, ROUGH_FOR_THREE));
    }
}
