//! Comparison with another explorer: Stateright must find as many states and transitions, and reach the same
//! verdict.
//!
//! A transition here is what Stateright calls a generated state. A transition is counted for each possible event in
//! each state, even if the event leads to a known state or changes nothing. Possible events are:
//!
//! - an order to a client, and a timer;
//! - a crash, and a restart;
//! - the delivery, the loss and the duplication of each deliverable message.
//!
//! Equal messages on a link without order count as one delivery. An input that a node would refuse does not happen.
//! The initial state counts as a state, but not as a transition.

mod flawed;
mod whole;

use std::collections::HashSet;
use std::num::NonZeroUsize;

use interlock_algorithm::agreement::paxos::Paxos;
use interlock_algorithm::election::bully::Bully;
use interlock_algorithm::election::chang_roberts::ChangRoberts;
use interlock_algorithm::mutual_exclusion::bakery::Bakery;
use interlock_algorithm::mutual_exclusion::carvalho_roucairol::CarvalhoRoucairol;
use interlock_algorithm::mutual_exclusion::centralised::Centralised;
use interlock_algorithm::mutual_exclusion::dijkstra_ring::DijkstraRing;
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
use super::{Environment, Exploration, Explored, Progress, Property, SearchOrder, Strategy, TimerPolicy, Verdict};
use flawed::{Flaw, Flawed};
use interlock_model::specification::{Detector, Draft, Specification};
use whole::{Faults, Run, Timers, Whole};

/// Maximum number of states of a configuration. It is small, so that both explorers finish soon.
const MOST: u64 = 50_000;

/// Result of an explorer. If all schedules were tried, the result is the number of states and the number of
/// transitions. If mutual exclusion was violated, the result is the number of steps to the violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Holds { states: u64, edges: u64 },
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
    let Environment { lose, duplicate, crash, pause, corrupt, .. } = *environment;
    Whole {
        setting: setting::<A>(specification),
        nodes: specification.nodes,
        locks: specification.locks,
        fifo: environment.fifo,
        room: environment.room.map(usize::from),
        requests: environment.requests[0],
        restart: environment.restart,
        forget: environment.forget,
        tells: environment.tells(),
        timers,
        faults: Faults { lose, duplicate, crash, pause, corrupt, timers: budget },
    }
}

/// Returns the result of a search with Stateright.
fn told<A: Algorithm>(checked: &impl Checker<Whole<A>>) -> Said
where
    Run<A>: Clone + std::hash::Hash + PartialEq,
{
    if let Some(way) = checked.discovery("mutual exclusion") {
        return Said::Broken { after: way.into_actions().len() };
    }
    let beginnings = checked.model().init_states().len();
    Said::Holds { states: checked.unique_state_count() as u64, edges: (checked.state_count() - beginnings) as u64 }
}

/// Runs this explorer, with or without a deliberate error, and returns its result.
fn explored<A: Algorithm>(
    specification: &Specification,
    environment: &Environment,
    properties: &[Property],
    (flaw, strategy): (Flaw, Strategy),
    goes_on: &mut dyn FnMut(&Progress) -> bool,
) -> Said {
    let exploration = Exploration {
        specification: specification.clone(),
        environment: environment.clone(),
        properties: properties.to_vec(),
        strategy,
    };
    let setting = setting::<A>(specification);
    let Specification { nodes, locks, seed, .. } = *specification;
    let frame =
        Frame { setting: &setting, environment, order: false, bypass: false, promises: false, nodes, locks, seed };
    let right: Box<dyn Parts + '_> = Box::new(PartsOf::<A>::new(frame, None));
    let parts = Box::new(Flawed::new(right, flaw));
    let mut system = System::new(environment, nodes, parts).expect("a configuration that can be");
    system.passes_over_after = (flaw == Flaw::StatePassedOver).then_some(15);
    let Explored { verdict, progress, .. } = exploration.search(system, goes_on).expect("a configuration that can be");
    match verdict {
        Verdict::Holds => Said::Holds { states: progress.states, edges: progress.transitions },
        Verdict::Violated { schedule, .. } => Said::Broken { after: schedule.choices.len() },
        Verdict::Shown { .. } | Verdict::Unfinished => Said::Unfinished,
    }
}

/// Results of both explorers for one configuration. `ours` is this explorer, and `theirs` is Stateright.
#[derive(Clone, Copy, Debug)]
struct Compared {
    /// This explorer, breadth first: with one thread, and with two threads.
    ours: [Said; 2],
    /// This explorer, depth first.
    ours_in_depth: Said,
    theirs: Said,
    theirs_in_depth: Said,
}

impl Compared {
    /// Returns whether all results agree. A depth-first search may find a violation at the end of a longer path.
    /// This difference also counts as agreement.
    fn agree(&self) -> bool {
        let alike = |other: Said| match (self.theirs, other) {
            (Said::Broken { after }, Said::Broken { after: other }) => other >= after,
            (theirs, other) => theirs == other,
        };
        self.ours == [self.theirs; 2] && alike(self.ours_in_depth) && alike(self.theirs_in_depth)
    }

    /// Returns whether every result of this explorer differs from the result of Stateright.
    fn differ(&self) -> bool {
        self.ours.iter().chain([&self.ours_in_depth]).all(|ours| *ours != self.theirs)
    }
}

/// Runs both explorers on one configuration, and returns their results.
fn compare<A: Algorithm + Sync>(variant: &str, nodes: u32, environment: &Environment, flaw: Flaw) -> Compared
where
    A::Message: Sync,
    A::Stored: Sync,
    A::Timer: Sync,
{
    let specification = specification(A::ENTRY.name, variant, nodes);
    let ours = |search, threads| {
        let strategy = Strategy { search, threads: NonZeroUsize::new(threads).expect("a thread") };
        let properties = [Property::MutualExclusion];
        let goes_on = &mut |progress: &Progress| progress.states < MOST;
        explored::<A>(&specification, environment, &properties, (flaw, strategy), goes_on)
    };
    let compared = Compared {
        ours: [1, 2].map(|threads| ours(SearchOrder::BreadthFirst, threads)),
        ours_in_depth: ours(SearchOrder::DepthFirst, 1),
        theirs: told(&whole::<A>(&specification, environment).checker().spawn_bfs().join()),
        theirs_in_depth: told(&whole::<A>(&specification, environment).checker().spawn_dfs().join()),
    };
    assert_ne!(compared.ours[0], Said::Unfinished, "{}/{variant} {nodes} {environment:?}: too large", A::ENTRY.name);
    compared
}

/// Asserts that both explorers agree on a configuration. If the explorers try all schedules, the configuration must
/// have at least 20 states, because agreement on very few states shows little.
#[track_caller]
fn agree<A: Algorithm + Sync>(variant: &str, nodes: u32, environment: &Environment)
where
    A::Message: Sync,
    A::Stored: Sync,
    A::Timer: Sync,
{
    let compared = compare::<A>(variant, nodes, environment, Flaw::Nothing);
    let what = format!("{}/{variant} {nodes} {environment:?}: {compared:?}", A::ENTRY.name);
    assert!(compared.agree(), "{what}");
    assert!(!matches!(compared.theirs, Said::Holds { states: 0..20, .. }), "{what}");
}

fn faultless(fifo: bool, requests: u8) -> Environment {
    Environment::faultless(fifo, requests)
}

#[test]
fn without_faults_both_find_the_same_states_and_edges() {
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
fn with_loss_copies_and_little_room_both_find_the_same_states_and_edges() {
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
fn with_crashes_returns_and_timers_both_find_the_same_states_and_edges() {
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

/// A pending notice may overtake earlier messages, but no message of a later incarnation overtakes the notice. A
/// restarted process is notified of the processes that are crashed. A paused process receives no notices.
#[test]
fn with_deaths_that_are_told_both_find_the_same_states_and_edges() {
    let told = |crash, fifo| Environment { crash, detector: Detector::Perfect, ..faultless(fifo, 1) };
    let returning = |crash, fifo| Environment { restart: true, forget: true, ..told(crash, fifo) };
    agree::<RicartAgrawala>("remove-dead", 2, &told(1, true));
    agree::<RicartAgrawala>("asks-at-once", 2, &returning(1, true));
    agree::<RicartAgrawala>("remove-dead", 2, &returning(2, true));
    agree::<RicartAgrawala>("remove-dead", 2, &returning(1, false));
    agree::<RicartAgrawala>("lamport-clock", 2, &Environment { lose: 1, duplicate: 1, ..returning(1, false) });
    agree::<RicartAgrawala>("remove-dead", 2, &Environment { pause: 1, room: Some(2), ..returning(1, true) });
    agree::<Bakery>("pull", 2, &returning(2, true));
    agree::<Bakery>("pull", 2, &Environment { duplicate: 1, ..returning(1, false) });
    agree::<Maekawa>("succession", 2, &returning(2, true));
    agree::<Centralised>("arrival-order", 3, &returning(1, true));
    let bully = first_right::<Bully>();
    agree::<Bully>(bully, 2, &Environment { timers: TimerPolicy::AnyTime(1), ..returning(1, true) });
    agree::<Bully>(bully, 2, &Environment { forget: false, timers: TimerPolicy::AnyTime(0), ..returning(1, true) });
}

/// Returns whether a live process is suspected in some state although no pending notice will correct the suspicion.
fn suspects_the_living<A: Algorithm>(variant: &str, nodes: u32, environment: &Environment, flaw: Flaw) -> bool {
    let specification = specification(A::ENTRY.name, variant, nodes);
    let setting = setting::<A>(&specification);
    let (order, bypass, promises) = (false, false, false);
    let frame = Frame { setting: &setting, environment, order, bypass, promises, nodes, locks: 1, seed: 1 };
    let parts = Box::new(Flawed::new(Box::new(PartsOf::<A>::new(frame, None)), flaw));
    let mut system = System::new(environment, nodes, parts).expect("a configuration that can be");
    let mut open = vec![system.begin(0).0];
    let mut known: HashSet<Vec<u32>> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        if system.suspects_the_living(&state) {
            return true;
        }
        let next = system.list_successors(&state).into_iter().map(|(.., next)| next);
        open.extend(next.filter(|next| known.insert(next.clone())));
    }
    assert!(known.len() > 100, "{}", known.len());
    false
}

/// A late notice is not an error. Between the restart of a process and the notice of the restart, other processes
/// may suspect the process.
#[test]
fn nobody_is_taken_for_dead_who_lives_unless_it_is_on_its_way_to_be_told_so() {
    let returning = Environment { crash: 2, restart: true, detector: Detector::Perfect, ..faultless(true, 1) };
    for environment in [returning.clone(), Environment { pause: 1, crash: 1, fifo: false, ..returning.clone() }] {
        assert!(!suspects_the_living::<RicartAgrawala>("remove-dead", 2, &environment, Flaw::Nothing));
        assert!(suspects_the_living::<RicartAgrawala>("remove-dead", 2, &environment, Flaw::ReturnUntold));
    }
}

/// A state may be corrupted at any time, even if messages that the process sent earlier are still in transit.
#[test]
fn with_states_that_are_overwritten_both_find_the_same_states_and_edges() {
    let overwritten = |requests, timers| Environment { corrupt: 1, room: Some(1), timers, ..faultless(true, requests) };
    agree::<DijkstraRing>("message-passing", 2, &overwritten(0, TimerPolicy::Patient));
    agree::<DijkstraRing>("message-passing", 2, &Environment { corrupt: 2, ..overwritten(0, TimerPolicy::AnyTime(1)) });
    agree::<DijkstraRing>("message-passing", 2, &Environment { pause: 1, ..overwritten(0, TimerPolicy::Always) });
    // In the world, the loss of a message on a full link is an additional action, which would make the path longer.
    // So the links of this configuration have room for all messages.
    let roomy = Environment { room: None, ..overwritten(1, TimerPolicy::Patient) };
    let broken = compare::<DijkstraRing>("message-passing", 2, &roomy, Flaw::Nothing);
    assert!(matches!(broken.theirs, Said::Broken { .. }) && broken.agree(), "two are privileged at once: {broken:?}");
}

/// Messages to a paused process wait. Timers of other processes may expire during the pause.
#[test]
fn with_pauses_both_find_the_same_states_and_edges() {
    let pausing = |fifo| Environment { pause: 1, ..faultless(fifo, 1) };
    agree::<RicartAgrawala>("lamport-clock", 2, &Environment { pause: 2, lose: 1, ..faultless(false, 1) });
    agree::<Centralised>("arrival-order", 3, &Environment { crash: 1, restart: true, ..pausing(true) });
    let bully = first_right::<Bully>();
    agree::<Bully>(bully, 2, &pausing(true));
    agree::<Bully>(bully, 2, &Environment { crash: 1, timers: TimerPolicy::AnyTime(1), ..pausing(false) });
}

/// Both explorers find a violation of mutual exclusion after the same number of steps.
#[test]
fn what_is_broken_is_broken_after_as_many_steps() {
    let broken = |compared: Compared| matches!(compared.theirs, Said::Broken { .. }) && compared.agree();
    let lamport = compare::<Lamport>("no-ack", 2, &faultless(true, 1), Flaw::Nothing);
    let ricart = compare::<RicartAgrawala>("reply-at-tie", 2, &faultless(false, 1), Flaw::Nothing);
    let overtaken = compare::<Lamport>("explicit-ack", 2, &faultless(false, 2), Flaw::Nothing);
    assert!(broken(lamport) && broken(ricart) && broken(overtaken), "{lamport:?} {ricart:?} {overtaken:?}");
}

#[test]
fn an_explorer_with_an_error_in_it_is_found_out() {
    let environment = faultless(false, 2);
    let said = |flaw| compare::<RicartAgrawala>("lamport-clock", 2, &environment, flaw);
    assert!(said(Flaw::Nothing).agree());
    for flaw in [Flaw::SuccessorSkipped, Flaw::MessageForgotten, Flaw::StepIgnored, Flaw::StatePassedOver] {
        let wrong = said(flaw);
        assert!(wrong.differ(), "{flaw:?}: {wrong:?}");
    }
    let returning = Environment { crash: 1, restart: true, detector: Detector::Perfect, ..faultless(true, 1) };
    let said = |flaw| compare::<RicartAgrawala>("remove-dead", 2, &returning, flaw);
    assert!(said(Flaw::Nothing).agree());
    for flaw in [Flaw::DeathUntold, Flaw::ReturnUntold, Flaw::ReturnInLine] {
        let wrong = said(flaw);
        assert!(wrong.differ(), "{flaw:?}: {wrong:?}");
    }
    let blind = compare::<Lamport>("no-ack", 2, &faultless(true, 1), Flaw::PropertyIgnored);
    let holds = |said: &Said| matches!(said, Said::Holds { .. });
    assert!(blind.ours.iter().all(holds) && matches!(blind.theirs, Said::Broken { .. }), "{blind:?}");
}

/// If both searches are cut off at the same point, they agree even if an explorer is wrong. So a search that is cut
/// off must report this, and must not claim that it has tried everything.
#[test]
fn a_search_that_was_cut_off_never_says_that_it_tried_all() {
    let specification = specification("lamport", "any-later-message", 3);
    let threads = NonZeroUsize::new(2).expect("two");
    let manners = [
        Strategy::default(),
        Strategy { threads, ..Strategy::default() },
        Strategy { search: SearchOrder::DepthFirst, ..Strategy::default() },
    ];
    for strategy in manners {
        let cut = explored::<Lamport>(
            &specification,
            &faultless(true, 1),
            &[Property::MutualExclusion],
            (Flaw::Nothing, strategy),
            &mut |progress| progress.states < 10_000,
        );
        assert_eq!(cut, Said::Unfinished, "{strategy:?}");
    }
}

/// Returns the name of the first correct variant of an algorithm.
fn first_right<A: Algorithm>() -> &'static str {
    let entry = catalogue::find(A::ENTRY.name).expect("an entry");
    entry.variants.iter().find(|variant| variant.broken.is_none()).expect("a right variant").name
}
