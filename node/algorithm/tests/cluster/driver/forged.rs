//! Whatever a peer says, an algorithm does not fail: messages that are nearly right, among right ones.

use interlock_algorithm::{Algorithm, NodeId};
use serde_json::{Value, from_value, to_value};

use super::Scene;
use super::draws::Draws;
use super::play::anything;
use super::world::World;

const SCHEDULES: u64 = 200;
const STEPS: usize = 200;

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
            let extremes = [0, 1, 2, 3, 7, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
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
