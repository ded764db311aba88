//! All schedules, and what is expected of them.

use interlock_algorithm::{Algorithm, Message};
use interlock_exploration::{
    Beginning, Environment, Exploration, Explored, Look, Manner, Progress, Property, TimerPolicy, Verdict,
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

/// What must be true of every run: nobody is let in beside another, and whoever waits gets in.
pub const RULES: [Property; 3] = [Property::MutualExclusion, Property::NobodyStuck, Property::WayOut];

/// A schedule that breaks a rule; none is shorter.
#[derive(Debug)]
pub struct Counterexample {
    /// Which rule.
    pub property: Property,
    /// The steps, in words.
    pub steps: Vec<String>,
    /// Who waits after them.
    pub waiting: Vec<u32>,
}

/// What breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// Two are in the section.
    Exclusion,
    /// Somebody waits for ever.
    Progress,
}

/// Tries all schedules of a scene in which the clients ask so often each, the last number being that of all further ones,
/// and says what came of it; every state is shown to `look`.
pub fn explore<A: Algorithm>(
    scene: &Scene<A>,
    requests: &[u8],
    properties: &[Property],
    look: Option<Look<'_, Contract<A>>>,
) -> Result<Progress, Counterexample> {
    explore_with(scene, requests, properties, TimerPolicy::Always, look)
}

/// The same, where timers run out when this says so.
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
        Exploration { specification, environment, properties: properties.to_vec(), manner: Manner::default() };
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

/// Lets the schedule happen in the world, where it breaks the rule as well.
fn replay<A: Algorithm>(scene: &Scene<A>, property: Property, schedule: &Schedule) -> Counterexample {
    let mut watch = Watch::new(scene.nodes(), false);
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

/// No schedule breaks a rule.
#[track_caller]
pub fn holds<A: Algorithm>(variant: &str, nodes: u32, entries: u8, faults: Faults) {
    holds_with::<A>(variant, nodes, entries, faults, TimerPolicy::Always);
}

/// The same, where timers run out when this says so.
#[track_caller]
pub fn holds_with<A: Algorithm>(variant: &str, nodes: u32, entries: u8, faults: Faults, timers: TimerPolicy) {
    let scene = Scene::<A>::new(variant, nodes, faults, nobody());
    let progress = explore_with(&scene, &[entries], &RULES, timers, None).expect("no schedule that breaks a rule");
    // The longest way is that of one who enters after the other: everything was played to its end.
    assert!(progress.depth >= 2 * nodes * u32::from(entries), "{progress:?}");
}

/// A schedule breaks this rule; the steps of a shortest one.
#[track_caller]
pub fn breaks<A: Algorithm>(variant: &str, nodes: u32, entries: u8, faults: Faults, broken: Broken) -> Vec<String> {
    // Where nobody need ask, somebody is often stuck before two are in.
    let properties = if broken == Broken::Exclusion { &RULES[..1] } else { &RULES };
    let scene = Scene::<A>::new(variant, nodes, faults, nobody());
    let Counterexample { property, steps, .. } =
        explore(&scene, &[entries], properties, None).expect_err("a violation");
    assert_eq!(property == Property::MutualExclusion, broken == Broken::Exclusion, "{steps:?}");
    steps
}
