//! Tests that every process eventually enters in correct algorithms, however often other processes request. In
//! faulty variants, starvation must be found, but only in schedules in which all owed events happen.

use interlock_algorithm::mutual_exclusion::le_lann::LeLann;
use interlock_algorithm::{Algorithm, NodeId, catalogue};
use serde_json::json;

use super::judge;
use crate::moves::{Kind, Move};
use crate::parts::PartsOf;
use crate::process::Frame;
use crate::search::Search;
use crate::system::System;
use crate::{Environment, Exploration, Explored, Judged, Property, Strategy, Verdict};
use interlock_model::event::Event;
use interlock_model::specification::{Draft, Specification};
use interlock_simulation::schedule::{Misplaced, Repeat, Schedule};
use interlock_simulation::simulation::{Report, Simulation};

fn specification(algorithm: &str, variant: &str, nodes: u32) -> Specification {
    let variant = Some(variant).filter(|variant| !variant.is_empty());
    let document = json!({ "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": 1 });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    draft.complete_simulated().expect("a specification")
}

fn unlimited(algorithm: &str) -> Environment {
    Environment::unlimited(catalogue::find(algorithm).expect("an entry").assumes.fifo)
}

fn explored(algorithm: &str, variant: &str, nodes: u32, environment: Environment) -> Explored {
    explored_to(algorithm, variant, nodes, environment, 100_000)
}

/// Explores a variant. The search ends after `states` states. The check then examines all states that the search
/// has found.
fn explored_to(algorithm: &str, variant: &str, nodes: u32, environment: Environment, states: u64) -> Explored {
    let specification = specification(algorithm, variant, nodes);
    let exploration = Exploration {
        specification,
        environment,
        properties: vec![Property::StarvationFree],
        strategy: Strategy::default(),
    };
    exploration.run(|progress| progress.judging || progress.states < states).expect("a configuration that can be")
}

/// Returns the schedule in which a process starves.
#[track_caller]
fn starves(explored: &Explored) -> &Schedule {
    let Verdict::Violated { property: Property::StarvationFree, schedule } = &explored.verdict else {
        panic!("{explored:?}")
    };
    schedule
}

/// Plays a schedule whose repeated part is executed this number of times. If an action is impossible, returns an
/// error.
fn played(schedule: &Schedule, times: u32) -> Result<Report, Misplaced> {
    let repeat = schedule.repeat.map(|repeat| Repeat { times: Some(times), ..repeat });
    let unrolled = Schedule { repeat, ..schedule.clone() }.unrolled();
    Simulation::of_schedule(&unrolled).replay(&unrolled).expect("a configuration that can be")
}

fn entries(report: &Report, of: u32) -> usize {
    let enters = |event: &&Event| event.kind() == "entered" && event.node() == Some(NodeId(of));
    report.events.iter().filter(enters).count()
}

#[test]
fn right_algorithms_let_everybody_in() {
    for (algorithm, variant, nodes, states) in [
        ("raymond", "original", 4, 1_248),
        ("raymond", "greedy", 4, 1_248),
        ("raymond", "piggyback", 4, 1_382),
        ("naimi-trehel", "original", 4, 10_504),
        ("le-lann", "", 4, 96),
        ("dijkstra-ring", "message-passing", 4, 4_136),
        ("ricart-agrawala", "modulo", 3, 13_110),
    ] {
        let Explored { verdict, progress, .. } = explored(algorithm, variant, nodes, unlimited(algorithm));
        assert_eq!((verdict, progress.states), (Verdict::Holds, states), "{algorithm}");
    }
}

#[test]
fn who_is_forgotten_starves_while_others_enter_again_and_again() {
    let explored = explored("raymond", "no-further-request", 4, unlimited("raymond"));
    let schedule = starves(&explored);
    let from = schedule.repeat.expect("it goes on for ever").from;
    assert_eq!((from, schedule.choices.len() - from), (9, 2));
    let (once, often) = (played(schedule, 1).expect("it happens"), played(schedule, 20).expect("it happens"));
    let more: Vec<usize> = (0..4).map(|node| entries(&often, node) - entries(&once, node)).collect();
    assert_eq!(more, [0, 0, 0, 19]);
}

/// The algorithm is correct. Nevertheless, a process starves if deliveries are not owed. The same happens if local
/// steps, such as leaving the critical section, are not owed.
#[test]
fn what_is_owed_is_what_everybody_gets_in_by() {
    type Owed = fn(Move, Kind) -> bool;
    let no_message: Owed = |happens, kind| kind == Kind::Owed && !matches!(happens, Move::Deliver(..));
    let nobody_leaves: Owed = |happens, kind| kind == Kind::Owed && !matches!(happens, Move::Act(..));
    let all: Owed = super::fairness::is_owed;
    for (is_owed, starves) in [(all, false), (no_message, true), (nobody_leaves, true)] {
        let environment = unlimited("le-lann");
        let judged = judged(&environment, is_owed);
        assert_eq!(matches!(judged, Judged::Broken(Property::StarvationFree, ..)), starves);
        assert_eq!(matches!(judged, Judged::Holds(_)), !starves);
    }
}

fn judged(environment: &Environment, is_owed: fn(Move, Kind) -> bool) -> Judged {
    let specification = specification("le-lann", "", 3);
    let setting = LeLann::configure(&specification.configuration()).expect("a configuration that can be");
    let frame = Frame {
        setting: &setting,
        environment,
        order: false,
        bypass: false,
        promises: false,
        nodes: 3,
        locks: 1,
        seed: 1,
    };
    let parts = Box::new(PartsOf::<LeLann>::new(frame, None));
    let mut system = System::new(environment, 3, parts).expect("an environment that can be");
    let mut search = Search::new(&mut system, &[], Strategy::default());
    search.run(&mut |_| true);
    judge(&mut search, 1, is_owed, &mut |_| true)
}

/// A process also starves if it waits in a state in which nothing more can happen. In this case, the schedule is
/// finite.
#[test]
fn who_is_stuck_starves_and_what_is_cut_off_is_unfinished() {
    let once = Environment { unlimited: false, requests: vec![1], ..unlimited("raymond") };
    let stuck = explored("raymond", "no-further-request", 4, once);
    assert_eq!(starves(&stuck).repeat, None);
    let exploration = Exploration {
        specification: specification("le-lann", "", 3),
        environment: unlimited("le-lann"),
        properties: vec![Property::StarvationFree],
        strategy: Strategy::default(),
    };
    let mut looks = 0;
    let mut cut_at = |most: u32| {
        looks = 0;
        let explored = exploration.run(|_| {
            looks += 1;
            looks <= most
        });
        explored.expect("a configuration that can be").verdict
    };
    assert_eq!((cut_at(1), cut_at(2), cut_at(9)), (Verdict::Unfinished, Verdict::Unfinished, Verdict::Holds));
}

/// Clocks and sequence numbers grow, but the differences between them do not, so states recur. In the variant with
/// numbers modulo 5, each of these states occurs with five different numbers. So that variant has five times as many
/// states.
#[test]
fn numbers_that_grow_are_counted_from_the_least() {
    for (algorithm, variant, nodes, states) in [
        ("ricart-agrawala", "sequence-numbers", 3, 13_110 / 5),
        ("ricart-agrawala", "lamport-clock", 2, 102),
        ("lamport", "explicit-ack", 2, 164),
        ("lamport", "any-later-message", 2, 1_130),
    ] {
        let Explored { verdict, progress, growth, .. } = explored(algorithm, variant, nodes, unlimited(algorithm));
        assert_eq!((verdict, progress.states, growth), (Verdict::Holds, states, None), "{algorithm}/{variant}");
    }
}

/// If an exploration does not end by itself, its result names the quantity that grows without limit.
#[test]
fn what_grows_although_it_is_counted_from_the_least_is_told() {
    let endless = |algorithm, nodes| {
        let explored = explored_to(algorithm, "", nodes, unlimited(algorithm), 5_000);
        assert_eq!(explored.verdict, Verdict::Unfinished, "{algorithm}");
        explored.unfinished(Some("there are more than 5000 states"))
    };
    let clocks = endless("carvalho-roucairol", 2);
    assert!(clocks.starts_with("there are more than 5000 states; clocks drift apart without limit"), "{clocks}");
    let messages = endless("suzuki-kasami", 3);
    assert!(messages.contains("; the number of messages in transit grows, "), "{messages}");
    let few = Environment { unlimited: false, requests: vec![9], ..unlimited("carvalho-roucairol") };
    assert_eq!(explored_to("carvalho-roucairol", "", 2, few, 1_000).growth, None, "there is an end");
}

/// Obsolete requests accumulate in transit, so the number of states is infinite. Nevertheless, starvation is found:
/// its cycle consists of few states.
#[test]
fn who_starves_is_found_where_there_is_no_end_of_states() {
    let judged = |variant| explored_to("suzuki-kasami", variant, 3, unlimited("suzuki-kasami"), 100_000);
    let explored = judged("lifo-queue");
    let schedule = starves(&explored);
    let from = schedule.repeat.expect("it goes on for ever").from;
    let (once, often) = (played(schedule, 1).expect("it happens"), played(schedule, 20).expect("it happens"));
    let more: Vec<usize> = (0..3).map(|node| entries(&often, node) - entries(&once, node)).collect();
    assert_eq!((from, schedule.choices.len() - from, more), (10, 10, vec![0, 19, 19]));
    assert_eq!(judged("fifo-queue").verdict, Verdict::Unfinished);
}
