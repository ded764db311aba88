//! All schedules, and what is expected of them.

use interlock_algorithm::{Algorithm, Message, NodeId};
use interlock_machine::node::Node;
use interlock_model::choice::{Choice, MessageName};
use interlock_model::exploration::{
    Environment, Exploration, Explored, Look, Progress, Property, TimerPolicy, Verdict,
};
use interlock_model::schedule::Schedule;
use interlock_model::world::World;

use super::Scene;
use super::world::Channel;

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

/// Tries all schedules of a scene and says what came of it; every state is shown to `look`.
pub fn explore<A: Algorithm>(
    scene: &Scene<A>,
    properties: &[Property],
    look: Option<Look<'_, A>>,
) -> Result<Progress, Counterexample> {
    let exploration = Exploration {
        specification: scene.specification.clone(),
        environment: environment(scene),
        properties: properties.to_vec(),
    };
    let explored = exploration.run_with(&scene.setting, &scene.beginning, look, &mut |_| true);
    let Explored { verdict, progress } = explored;
    let name = format!("{} {}, {:?}", A::ENTRY.name, scene.specification.variant, exploration.environment);
    let Verdict::Violated { property, schedule } = verdict else {
        println!("{name}: right in {} states, {} deep", progress.states, progress.depth);
        return Ok(progress);
    };
    let counterexample = replay(scene, property, &schedule);
    println!("{name}: wrong after {} steps: {counterexample:?}", schedule.choices.len());
    Err(counterexample)
}

fn environment<A: Algorithm>(scene: &Scene<A>) -> Environment {
    let Channel { fifo, losses, copies, room, .. } = scene.channel;
    let small = |number: u32| u8::try_from(number).expect("a small number");
    let asks = |node: NodeId| small(if node.0 < scene.askers { scene.entries } else { 0 });
    Environment {
        room: u8::try_from(room).ok(),
        lose: small(losses),
        duplicate: small(copies),
        timers: TimerPolicy::Always,
        requests: NodeId::all(scene.specification.nodes).map(asks).collect(),
        ..Environment::faultless(fifo, 0)
    }
}

/// Lets the schedule happen in the world, where it breaks the rule as well.
fn replay<A: Algorithm>(scene: &Scene<A>, property: Property, schedule: &Schedule) -> Counterexample {
    let mut world = World::new(&schedule.specification, &scene.setting, None, None);
    world = world.beginning_in(scene.beginning.iter().cloned());
    world.begin();
    let mut steps = Vec::new();
    for scheduled in &schedule.choices {
        steps.push(in_words(&world, &scheduled.choice));
        world.apply(&scheduled.choice).expect("what is explored can happen");
    }
    let those = |doing: fn(&Node<A>) -> bool| {
        let all = NodeId::all(schedule.specification.nodes);
        all.filter(|node| world.node(*node).is_some_and(doing)).map(|node| node.0).collect::<Vec<u32>>()
    };
    let inside = those(|node| node.client().inside().next().is_some());
    let waiting = those(|node| node.client().is_waiting());
    let seen = if property == Property::MutualExclusion { inside.len() > 1 } else { !waiting.is_empty() };
    assert!(seen, "{property:?} is not broken in the world: {steps:?}");
    Counterexample { property, steps, waiting }
}

fn in_words<A: Algorithm>(world: &World<'_, A>, choice: &Choice) -> String {
    let message = |verb: &str, MessageName(name): &MessageName| {
        let (_, message) = world.in_flight().find(|(other, _)| other == name).expect("a message in flight");
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
pub fn holds<A: Algorithm>(variant: &str, nodes: u32, entries: u32, channel: Channel) {
    let scene = Scene::<A>::new(variant, nodes, entries, channel);
    let progress = explore(&scene, &RULES, None).expect("no schedule that breaks a rule");
    // The longest way is that of one who enters after the other: everything was played to its end.
    assert!(progress.depth >= 2 * nodes * entries, "{progress:?}");
}

/// A schedule breaks this rule; the steps of a shortest one.
#[track_caller]
pub fn breaks<A: Algorithm>(variant: &str, nodes: u32, entries: u32, channel: Channel, broken: Broken) -> Vec<String> {
    // Where nobody need ask, somebody is often stuck before two are in.
    let properties = if broken == Broken::Exclusion { &RULES[..1] } else { &RULES };
    let scene = Scene::<A>::new(variant, nodes, entries, channel);
    let Counterexample { property, steps, .. } = explore(&scene, properties, None).expect_err("a violation");
    assert_eq!(property == Property::MutualExclusion, broken == Broken::Exclusion, "{steps:?}");
    steps
}
