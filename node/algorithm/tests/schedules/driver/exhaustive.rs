//! Exploration of all schedules of a scene, and the properties that every schedule must satisfy.

use interlock_algorithm::{Algorithm, Message};
use interlock_exploration::{
    Beginning, Environment, Exploration, Explored, Look, Progress, Property, Strategy, TimerPolicy, Verdict,
};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::RestartState;
use interlock_model::specification::Detector;
use interlock_simulation::schedule::Schedule;

use super::Scene;
use super::clients::nobody;
use super::contract::Contract;
use super::faults::Faults;
use super::run::Run;
use super::watch::Watch;

/// The properties of every run: mutual exclusion holds, no process is stuck, and from every state a path leads to a
/// state in which no process waits.
pub const RULES: [Property; 3] = [Property::MutualExclusion, Property::NobodyStuck, Property::WayOut];

/// A shortest schedule that violates a property.
#[derive(Debug)]
pub struct Counterexample {
    pub property: Property,
    /// The steps, in words.
    pub steps: Vec<String>,
    /// The processes that wait after the last step.
    pub waiting: Vec<u32>,
}

/// The kind of violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// Two processes are in the critical section at the same time.
    Exclusion,
    /// A process waits forever.
    Progress,
}

/// Explores all schedules of a scene and returns the result. `requests` contains the number of requests of each
/// client; the last number also applies to all clients after the end of the list. Calls `look` with every state.
pub fn explore<A: Algorithm>(
    scene: &Scene<A>,
    requests: &[u8],
    properties: &[Property],
    look: Option<Look<'_, Contract<A>>>,
) -> Result<Progress, Counterexample> {
    explore_with(scene, requests, properties, TimerPolicy::Always, look)
}

/// Like [`explore`], with the given policy for the expiry of timers.
pub fn explore_with<A: Algorithm>(
    scene: &Scene<A>,
    requests: &[u8],
    properties: &[Property],
    timers: TimerPolicy,
    look: Option<Look<'_, Contract<A>>>,
) -> Result<Progress, Counterexample> {
    let Faults { fifo, room, losses, copies, crashes, memory, detected, .. } = scene.faults;
    let small = |number: u32| u8::try_from(number).expect("a small number");
    let beginning = &scene.beginning;
    let environment = Environment {
        beginning: if beginning.is_empty() { Beginning::Usual } else { Beginning::States(beginning.clone()) },
        room: u8::try_from(room).ok(),
        lose: small(losses),
        duplicate: small(copies),
        crash: small(crashes),
        restart: memory.is_some(),
        forget: memory == Some(RestartState::None),
        detector: if detected { Detector::Perfect } else { Detector::None },
        timers,
        requests: requests.to_vec(),
        ..Environment::faultless(fifo, 0)
    };
    let specification = scene.specification.clone();
    let exploration =
        Exploration { specification, environment, properties: properties.to_vec(), strategy: Strategy::default() };
    let explored = exploration.run_with(&scene.setting, look, &mut |_| true);
    let Explored { verdict, progress, .. } = explored.expect("a configuration that can be");
    let name = format!("{} {}, {:?}", A::ENTRY.name, scene.specification.variant, exploration.environment);
    let (property, schedule) = match verdict {
        Verdict::Violated { property, schedule } => (property, schedule),
        Verdict::Holds => {
            println!("{name}: right in {} states, {} deep", progress.states, progress.depth);
            return Ok(progress);
        }
        other => panic!("{name}: {other:?}"),
    };
    let counterexample = replay(scene, property, &schedule);
    println!("{name}: wrong after {} steps: {counterexample:?}", schedule.choices.len());
    Err(counterexample)
}

/// Replays the schedule in the simulated world, and checks that the schedule violates the property there as well.
fn replay<A: Algorithm>(scene: &Scene<A>, property: Property, schedule: &Schedule) -> Counterexample {
    let mut watch = Watch::new(&scene.specification, false);
    let mut run = Run::new(scene, &schedule.specification, &mut watch);
    let mut steps = Vec::new();
    for scheduled in &schedule.choices {
        steps.push(in_words(&run, &scheduled.choice));
        run.apply(&scheduled.choice);
    }
    let waiting = run.waiting();
    let seen = if property == Property::MutualExclusion { run.at_most_one_inside() } else { run.nobody_waits() };
    assert!(seen.is_err(), "{property:?} is not broken in the world: {steps:?}");
    Counterexample { property, steps, waiting }
}

fn in_words<A: Algorithm>(run: &Run<'_, A>, choice: &Choice) -> String {
    let message = |verb: &str, MessageName(name): &MessageName| {
        let link = run.link(name.from.0, name.to.0);
        let message = link.iter().find(|(other, _)| other == name).expect("a message in flight").1;
        format!("{verb} {} {}→{}", message.kind(), name.from.0, name.to.0)
    };
    match choice {
        Choice::Acquire { node, .. } => format!("acquire {}", node.0),
        Choice::Release { node, .. } => format!("release {}", node.0),
        Choice::Deliver(name) => message("deliver", name),
        Choice::Lose(name) => message("lose", name),
        Choice::Duplicate(name) => message("copy", name),
        other => format!("{other:?}"),
    }
}

/// Checks that no schedule violates a property.
#[track_caller]
pub fn holds<A: Algorithm>(variant: &str, nodes: u32, entries: u8, faults: Faults) {
    holds_with::<A>(variant, nodes, entries, faults, TimerPolicy::Always);
}

/// Like [`holds`], with the given policy for the expiry of timers.
#[track_caller]
pub fn holds_with<A: Algorithm>(variant: &str, nodes: u32, entries: u8, faults: Faults, timers: TimerPolicy) {
    let scene = Scene::<A>::new(variant, nodes, faults, nobody());
    let progress = explore_with(&scene, &[entries], &RULES, timers, None).expect("no schedule that breaks a rule");
    // The longest schedule contains all entries one after the other. If the exploration has not reached the depth
    // of this schedule, it ended too early.
    assert!(progress.depth >= 2 * nodes * u32::from(entries), "{progress:?}");
}

/// Checks that some schedule causes the violation `broken`. Returns the steps of a shortest such schedule.
#[track_caller]
pub fn breaks<A: Algorithm>(variant: &str, nodes: u32, entries: u8, faults: Faults, broken: Broken) -> Vec<String> {
    // If the test expects a violation of mutual exclusion, check only this property. Otherwise the exploration would
    // often return a shorter schedule, in which a process gets stuck although not all clients have requested.
    let properties = if broken == Broken::Exclusion { &RULES[..1] } else { &RULES };
    let scene = Scene::<A>::new(variant, nodes, faults, nobody());
    let Counterexample { property, steps, .. } =
        explore(&scene, &[entries], properties, None).expect_err("a violation");
    assert_eq!(property == Property::MutualExclusion, broken == Broken::Exclusion, "{steps:?}");
    steps
}
