//! Whatever a peer says, an algorithm does not fail: messages that are nearly right, among right ones.

use interlock_algorithm::plausibility::{HIGHEST_NUMBER, implausible};
use interlock_algorithm::{Algorithm, NodeId};
use serde_json::{Value, from_value, to_value};

use super::Scene;
use super::draws::Draws;
use super::play::{Length, Rules, anything, anything_timely, be_kind};
use super::world::World;

const SCHEDULES: u64 = 200;
const STEPS: usize = 200;
/// How many of the nodes lie about numbers: the last ones.
const LIARS: usize = 2;

/// Plays schedules in which every third step sends a message that somebody has sent before, changed at random, on any
/// link. Nobody fails, and everything can be looked at.
#[track_caller]
pub fn survives<A: Algorithm>(scene: &Scene<A>) {
    let forged: usize = (0..SCHEDULES).map(|seed| suffer(scene, seed)).sum();
    assert!(forged > 0, "nothing could be forged");
}

fn suffer<A: Algorithm>(scene: &Scene<A>, seed: u64) -> usize {
    let mut world = World::new(scene, seed);
    let mut draws = Draws::new(seed);
    let mut forged = 0;
    for _ in 0..STEPS {
        if draws.below(3) == 0 && forge(scene, &mut world, &mut draws) {
            forged += 1;
        }
        let Some(choice) = anything(scene, &world, &mut draws) else { break };
        world.happen(scene, choice);
    }
    forged
}

/// Puts a changed message on a link, if it still is a message.
fn forge<A: Algorithm>(scene: &Scene<A>, world: &mut World<A>, draws: &mut Draws) -> bool {
    if world.sent.is_empty() || scene.nodes < 2 {
        return false;
    }
    let mut json = to_value(&world.sent[draws.place(world.sent.len())].2).expect("a message as JSON");
    change(&mut json["body"], draws);
    let Ok(message) = from_value::<A::Message>(json) else { return false };
    let nodes: Vec<_> = NodeId::all(scene.nodes).collect();
    let (from, apart) = (draws.place(nodes.len()), 1 + draws.place(nodes.len() - 1));
    world.links[from][(from + apart) % nodes.len()].push(message);
    true
}

fn change(json: &mut Value, draws: &mut Draws) {
    match json {
        Value::Number(_) if draws.below(2) == 0 => {
            let extremes = [0, 1, 2, 3, 7, u64::from(u32::MAX), HIGHEST_NUMBER, u64::MAX];
            *json = extremes[draws.place(extremes.len())].into();
        }
        Value::Bool(flag) => *flag = draws.below(2) == 0,
        Value::String(text) if draws.below(4) == 0 => *text = ["", "v0", "another"][draws.place(3)].into(),
        Value::Array(list) => change_list(list, draws),
        Value::Object(fields) => fields.values_mut().for_each(|field| change(field, draws)),
        _ => {}
    }
}

fn change_list(list: &mut Vec<Value>, draws: &mut Draws) {
    for item in list.iter_mut() {
        change(item, draws);
    }
    match (draws.below(4), list.first().cloned()) {
        (0, _) => drop(list.pop()),
        (1, Some(first)) => list.push(first),
        (1, None) => list.push(draws.below(4).into()),
        _ => {}
    }
}

/// When timers run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timers {
    /// At any moment.
    Whenever,
    /// When nothing is on the way, as where time-outs are long enough.
    Patient,
}

/// Plays many schedules in which two of the nodes send, besides what they should, messages with a number that no run
/// comes to. Whatever they say, the rules hold.
#[track_caller]
pub fn is_not_poisoned<A: Algorithm>(scene: &Scene<A>, timers: Timers, length: Length, rules: &Rules<A>) {
    let mut forged = 0;
    for seed in 0..SCHEDULES / 2 {
        match poison(scene, seed, timers, length, rules) {
            Ok(count) => forged += count,
            Err(broken) => panic!("{}, seed {seed}: {broken}", A::ENTRY.name),
        }
    }
    assert!(forged > 0, "{}: nothing could be forged", A::ENTRY.name);
}

/// Plays such schedules with nodes that believe everything, until one breaks a rule.
#[track_caller]
pub fn poisons_the_credulous<A: Algorithm>(scene: Scene<A>, timers: Timers, length: Length, rules: &Rules<A>) {
    let scene = scene.credulous();
    let poisoned = (0..SCHEDULES).any(|seed| poison(&scene, seed, timers, length, rules).is_err());
    assert!(poisoned, "{}: nobody is poisoned", A::ENTRY.name);
}

/// Plays one schedule to its end, and says how many messages were forged.
fn poison<A: Algorithm>(
    scene: &Scene<A>,
    seed: u64,
    timers: Timers,
    length: Length,
    rules: &Rules<A>,
) -> Result<usize, String> {
    let mut world = World::new(scene, seed);
    let mut draws = Draws::new(seed);
    let mut forged = 0;
    for _ in 0..length.wild {
        if draws.below(3) == 0 && exaggerate(scene, &mut world, &mut draws) {
            forged += 1;
        }
        let choice = match timers {
            Timers::Whenever => anything(scene, &world, &mut draws),
            Timers::Patient => anything_timely(scene, &world, &mut draws),
        };
        let Some(choice) = choice else { break };
        world.happen(scene, choice);
        (rules.always)(&world)?;
    }
    be_kind(scene, world, length, rules).map(|_| forged)
}

/// Lets a liar send a message that somebody has sent before, with a number that no run comes to, if it has numbers.
fn exaggerate<A: Algorithm>(scene: &Scene<A>, world: &mut World<A>, draws: &mut Draws) -> bool {
    if world.sent.is_empty() {
        return false;
    }
    let mut json = to_value(&world.sent[draws.place(world.sent.len())].2).expect("a message as JSON");
    raise(&mut json["body"], draws);
    let Ok(message) = from_value::<A::Message>(json) else { return false };
    let nodes = scene.nodes as usize;
    let from = nodes - 1 - draws.place(LIARS);
    let to = (from + 1 + draws.place(nodes - 1)) % nodes;
    let is_exaggerated = implausible(&message).is_some();
    if is_exaggerated {
        world.links[from][to].push(message);
    }
    is_exaggerated
}

/// Replaces some numbers by greater ones than any run comes to.
fn raise(json: &mut Value, draws: &mut Draws) {
    match json {
        Value::Number(_) if draws.below(2) == 0 => {
            let extremes = [HIGHEST_NUMBER + 1, 1 << 63, u64::MAX - 1, u64::MAX];
            *json = extremes[draws.place(extremes.len())].into();
        }
        Value::Array(list) => list.iter_mut().for_each(|item| raise(item, draws)),
        Value::Object(fields) => fields.values_mut().for_each(|field| raise(field, draws)),
        _ => {}
    }
}
