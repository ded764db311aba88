//! Held against another explorer: Stateright finds as many states and as many ways between them, and judges alike.
//!
//! A *way*, which it calls a generated state, is counted for each thing that may happen in each state, where it leads to a
//! state that is known, too, or to the same one: each order that a client is let give, each timer, each crash and return, and
//! for each message that may come next its arrival, its loss and its copy. Of equal messages on a link that keeps no
//! order the arrival is one thing. What a node would refuse to do does not happen. The state in which a run begins is a
//! state and no way.

mod flawed;
mod whole;

use interlock_algorithm::agreement::paxos::Paxos;
use interlock_algorithm::election::bully::Bully;
use interlock_algorithm::election::chang_roberts::ChangRoberts;
use interlock_algorithm::mutual_exclusion::carvalho_roucairol::CarvalhoRoucairol;
use interlock_algorithm::mutual_exclusion::centralised::Centralised;
use interlock_algorithm::mutual_exclusion::lamport::Lamport;
use interlock_algorithm::mutual_exclusion::maekawa::Maekawa;
use interlock_algorithm::mutual_exclusion::naimi_trehel::NaimiTrehel;
use interlock_algorithm::mutual_exclusion::raymond::Raymond;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_algorithm::mutual_exclusion::suzuki_kasami::SuzukiKasami;
use interlock_algorithm::{Algorithm, catalogue};
use serde_json::json;
use stateright::{Checker, Model};

use super::parts::{Parts, PartsOf};
use super::process::Frame;
use super::system::System;
use super::{Environment, Exploration, Explored, Progress, Property, TimerPolicy, Verdict};
use crate::specification::{Draft, Specification};
use flawed::{Flaw, Flawed};
use whole::{Faults, Run, Timers, Whole};

/// Both explorers are to be done soon: the states of a configuration, at the most.
const MOST: u64 = 50_000;

/// What an explorer says of a configuration: if all schedules were tried, states and ways; if two got in, after how many
/// steps at the earliest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Holds { states: u64, ways: u64 },
    Broken { after: usize },
    Unfinished,
}

fn specification(algorithm: &str, variant: &str, nodes: u32) -> Specification {
    let document = json!({ "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": 1 });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    draft.complete_simulated().expect("a specification")
}

fn setting<A: Algorithm>(specification: &Specification) -> A::Setting {
    A::configure(&specification.configuration()).expect("a configuration that can be")
}

fn whole<A: Algorithm>(specification: &Specification, environment: &Environment) -> Whole<A> {
    let (timers, budget) = match environment.timers {
        TimerPolicy::Always => (Timers::Always, 0),
        TimerPolicy::Patient => (Timers::Patient, 0),
        TimerPolicy::AnyTime(times) => (Timers::Counted, times),
    };
    let Environment { lose, duplicate, crash, .. } = *environment;
    Whole {
        setting: setting::<A>(specification),
        nodes: specification.nodes,
        locks: specification.locks,
        fifo: environment.fifo,
        room: environment.room.map(usize::from),
        requests: environment.requests[0],
        restart: environment.restart,
        forget: environment.forget,
        timers,
        faults: Faults { lose, duplicate, crash, timers: budget },
    }
}

/// What came of a search by Stateright.
fn told<A: Algorithm>(checked: &impl Checker<Whole<A>>) -> Said
where
    Run<A>: Clone + std::hash::Hash + PartialEq,
{
    if let Some(way) = checked.discovery("mutual exclusion") {
        return Said::Broken { after: way.into_actions().len() };
    }
    let beginnings = checked.model().init_states().len();
    Said::Holds { states: checked.unique_state_count() as u64, ways: (checked.state_count() - beginnings) as u64 }
}

/// What this explorer says, with an error in it or without.
fn explored<A: Algorithm>(
    specification: &Specification,
    environment: &Environment,
    properties: &[Property],
    flaw: Flaw,
    goes_on: &mut dyn FnMut(&Progress) -> bool,
) -> Said {
    let exploration = Exploration {
        specification: specification.clone(),
        environment: environment.clone(),
        properties: properties.to_vec(),
    };
    let setting = setting::<A>(specification);
    let Specification { nodes, locks, seed, .. } = *specification;
    let frame = Frame { setting: &setting, environment, order: false, bypass: false, nodes, locks, seed };
    let right: Box<dyn Parts + '_> = Box::new(PartsOf::<A>::new(frame, None));
    let parts = Box::new(Flawed::new(right, flaw));
    let mut system = System::new(environment, nodes, parts).expect("a configuration that can be");
    system.passes_over_after = (flaw == Flaw::StatePassedOver).then_some(15);
    let Explored { verdict, progress, .. } = exploration.search(system, goes_on).expect("a configuration that can be");
    match verdict {
        Verdict::Holds => Said::Holds { states: progress.states, ways: progress.transitions },
        Verdict::Violated { schedule, .. } => Said::Broken { after: schedule.choices.len() },
        Verdict::Shown { .. } | Verdict::Unfinished => Said::Unfinished,
    }
}

/// Both explorers on one configuration; what they say, of which the first is ours.
fn compare<A: Algorithm + Sync>(variant: &str, nodes: u32, environment: &Environment, flaw: Flaw) -> [Said; 3]
where
    A::Message: Sync,
    A::Stored: Sync,
    A::Timer: Sync,
{
    let specification = specification(A::ENTRY.name, variant, nodes);
    let properties = [Property::MutualExclusion];
    let ours = explored::<A>(&specification, environment, &properties, flaw, &mut |progress| progress.states < MOST);
    assert_ne!(ours, Said::Unfinished, "{}/{variant} {nodes} {environment:?}: too large", A::ENTRY.name);
    let breadth = whole::<A>(&specification, environment).checker().spawn_bfs().join();
    let depth = whole::<A>(&specification, environment).checker().spawn_dfs().join();
    [ours, told(&breadth), told(&depth)]
}

/// Both say the same, of at least so many states.
#[track_caller]
fn agree<A: Algorithm + Sync>(variant: &str, nodes: u32, environment: &Environment)
where
    A::Message: Sync,
    A::Stored: Sync,
    A::Timer: Sync,
{
    let [ours, breadth, depth] = compare::<A>(variant, nodes, environment, Flaw::Nothing);
    let what = format!("{}/{variant} {nodes} {environment:?}", A::ENTRY.name);
    assert_eq!(ours, breadth, "{what}");
    match ours {
        Said::Holds { states, .. } => {
            assert_eq!(ours, depth, "{what}");
            assert!(states >= 20, "{what}: {states}");
        }
        // Depth first, the way that is found first need not be the shortest.
        Said::Broken { after } => assert!(matches!(depth, Said::Broken { after: other } if other >= after), "{what}"),
        Said::Unfinished => panic!("{what}: unfinished"),
    }
}

fn faultless(fifo: bool, requests: u8) -> Environment {
    Environment::faultless(fifo, requests)
}

#[test]
fn without_faults_both_find_the_same_states_and_ways() {
    agree::<Lamport>("any-later-message", 2, &faultless(true, 2));
    agree::<Lamport>("explicit-ack", 2, &faultless(true, 1));
    agree::<RicartAgrawala>("sequence-numbers", 2, &faultless(false, 2));
    agree::<RicartAgrawala>("lamport-clock", 3, &faultless(false, 1));
    agree::<RicartAgrawala>("lamport-clock", 2, &faultless(true, 3));
    agree::<CarvalhoRoucairol>(first_right::<CarvalhoRoucairol>(), 2, &faultless(true, 2));
    agree::<SuzukiKasami>(first_right::<SuzukiKasami>(), 3, &faultless(false, 1));
    agree::<Raymond>(first_right::<Raymond>(), 3, &faultless(true, 1));
    agree::<NaimiTrehel>(first_right::<NaimiTrehel>(), 3, &faultless(false, 1));
    agree::<Centralised>("arrival-order", 3, &faultless(true, 1));
    agree::<Maekawa>(first_right::<Maekawa>(), 2, &faultless(true, 1));
    agree::<ChangRoberts>(first_right::<ChangRoberts>(), 3, &faultless(false, 1));
}

#[test]
fn with_loss_copies_and_little_room_both_find_the_same_states_and_ways() {
    agree::<RicartAgrawala>("lamport-clock", 2, &Environment { lose: 2, ..faultless(false, 2) });
    agree::<RicartAgrawala>("lamport-clock", 2, &Environment { duplicate: 1, ..faultless(true, 1) });
    agree::<RicartAgrawala>("lamport-clock", 2, &Environment { lose: 1, duplicate: 1, ..faultless(false, 1) });
    agree::<Lamport>("explicit-ack", 2, &Environment { lose: 1, room: Some(1), ..faultless(true, 1) });
    let suzuki_kasami = first_right::<SuzukiKasami>();
    agree::<SuzukiKasami>(suzuki_kasami, 2, &Environment { lose: 1, duplicate: 1, ..faultless(false, 2) });
    agree::<Lamport>("any-later-message", 2, &Environment { lose: 1, room: Some(1), ..faultless(true, 2) });
    agree::<Centralised>("arrival-order", 3, &Environment { duplicate: 1, room: Some(2), ..faultless(false, 1) });
}

#[test]
fn with_crashes_returns_and_timers_both_find_the_same_states_and_ways() {
    let crashing = |fifo| Environment { crash: 1, ..faultless(fifo, 1) };
    agree::<RicartAgrawala>("lamport-clock", 2, &crashing(false));
    agree::<Centralised>("arrival-order", 3, &Environment { restart: true, ..crashing(true) });
    let bully = first_right::<Bully>();
    let impatient = |times, fifo| Environment { timers: TimerPolicy::AnyTime(times), ..faultless(fifo, 1) };
    agree::<Bully>(bully, 2, &faultless(true, 1));
    agree::<Bully>(bully, 2, &crashing(true));
    agree::<Bully>(bully, 2, &impatient(1, false));
    agree::<Bully>(bully, 2, &impatient(2, true));
    agree::<Bully>(bully, 2, &Environment { crash: 1, ..impatient(1, true) });
    agree::<Bully>(bully, 2, &Environment { crash: 1, restart: true, ..impatient(1, true) });
    agree::<Bully>(bully, 2, &Environment { crash: 1, restart: true, forget: true, ..impatient(0, true) });
    let paxos = first_right::<Paxos>();
    let returning = Environment { crash: 1, restart: true, ..impatient(1, true) };
    agree::<Paxos>(paxos, 2, &impatient(1, true));
    agree::<Paxos>(paxos, 2, &returning);
    agree::<Paxos>(paxos, 2, &Environment { forget: true, ..returning });
}

/// The shortest way to where two are in the section is as long.
#[test]
fn what_is_broken_is_broken_after_as_many_steps() {
    let broken = |said: [Said; 3]| matches!(said[0], Said::Broken { .. }) && said[0] == said[1];
    let lamport = compare::<Lamport>("no-ack", 2, &faultless(true, 1), Flaw::Nothing);
    let ricart = compare::<RicartAgrawala>("reply-at-tie", 2, &faultless(false, 1), Flaw::Nothing);
    let overtaken = compare::<Lamport>("explicit-ack", 2, &faultless(false, 2), Flaw::Nothing);
    assert!(broken(lamport) && broken(ricart) && broken(overtaken), "{lamport:?} {ricart:?} {overtaken:?}");
}

#[test]
fn an_explorer_with_an_error_in_it_is_found_out() {
    let environment = faultless(false, 2);
    let said = |flaw| compare::<RicartAgrawala>("lamport-clock", 2, &environment, flaw);
    let [right, other, _] = said(Flaw::Nothing);
    assert_eq!(right, other);
    for flaw in [Flaw::SuccessorSkipped, Flaw::MessageForgotten, Flaw::StepIgnored, Flaw::StatePassedOver] {
        let [wrong, other, _] = said(flaw);
        assert_ne!(wrong, other, "{flaw:?}");
    }
    let [blind, other, _] = compare::<Lamport>("no-ack", 2, &faultless(true, 1), Flaw::PropertyIgnored);
    assert!(matches!((blind, other), (Said::Holds { .. }, Said::Broken { .. })), "{blind:?} {other:?}");
}

/// One that is asked only as far as it came would agree with nobody: what was cut off is told, and not taken for all.
#[test]
fn a_search_that_was_cut_off_never_says_that_it_tried_all() {
    let specification = specification("lamport", "any-later-message", 3);
    let cut = explored::<Lamport>(
        &specification,
        &faultless(true, 1),
        &[Property::MutualExclusion],
        Flaw::Nothing,
        &mut |progress| progress.states < 10_000,
    );
    assert_eq!(cut, Said::Unfinished);
}

/// The first variant that is not wrong on purpose.
fn first_right<A: Algorithm>() -> &'static str {
    let entry = catalogue::find(A::ENTRY.name).expect("an entry");
    entry.variants.iter().find(|variant| variant.broken.is_none()).expect("a right variant").name
}
