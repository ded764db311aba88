//! Whatever a peer says, an algorithm does not fail: messages that are nearly right, among right ones.

use interlock_algorithm::{Algorithm, NodeId};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::{Value, from_value, to_value};

use super::Scene;
use super::world::{OVERTAKING, World};

/// Draws the next of a list of choices, as often as wanted.
struct Draws<'a>(std::iter::Cycle<std::slice::Iter<'a, Index>>);

impl Draws<'_> {
    fn next(&mut self, size: usize) -> usize {
        self.0.next().map_or(0, |choice| choice.index(size))
    }
}

/// Plays many schedules in which every third step sends a message that somebody has sent before, changed at random,
/// on any link. Nobody fails, everybody keeps to the contract with his client, and everything can be looked at.
#[track_caller]
pub fn survives<A: Algorithm>(variant: &str) {
    let mut runner = TestRunner::new(Config { cases: 200, failure_persistence: None, ..Config::default() });
    let verdict = runner.run(&vec(any::<Index>(), 500..501), |choices| {
        let forged = play::<A>(variant, &mut Draws(choices.iter().cycle()));
        if forged > 0 { Ok(()) } else { Err(TestCaseError::reject("nothing could be forged")) }
    });
    verdict.expect("nobody fails");
}

fn play<A: Algorithm>(variant: &str, draws: &mut Draws) -> usize {
    let scene = Scene::<A>::new(variant, 3, 20, OVERTAKING);
    let mut world = scene.world();
    let mut heard: Vec<A::Message> = Vec::new();
    let mut forged = 0;
    for _ in 0..150 {
        if draws.next(3) == 0 && forge(&mut world, &heard, draws) {
            forged += 1;
        }
        heard.extend(world.links.iter().flatten().flatten().cloned());
        heard.truncate(50);
        let possible = world.choices();
        if possible.is_empty() {
            break;
        }
        world.happen(&scene, possible[draws.next(possible.len())]);
        for (node, state) in NodeId::all(3).zip(&world.nodes) {
            let _ = state.view(&scene.setting, node);
        }
    }
    forged
}

/// Puts a changed message on a link, if it still is a message.
fn forge<A: Algorithm>(world: &mut World<A>, heard: &[A::Message], draws: &mut Draws) -> bool {
    if heard.is_empty() {
        return false;
    }
    let mut json = to_value(&heard[draws.next(heard.len())]).expect("a message as JSON");
    change(&mut json["body"], draws);
    let (from, to) = (draws.next(3), draws.next(2));
    match from_value(json) {
        Ok(message) => world.links[from][(from + 1 + to) % 3].push(message),
        Err(_) => return false,
    }
    true
}

fn change(json: &mut Value, draws: &mut Draws) {
    match json {
        Value::Number(_) if draws.next(2) == 0 => {
            let extremes = [0, 1, 2, 3, 7, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
            *json = extremes[draws.next(extremes.len())].into();
        }
        Value::Bool(flag) => *flag = draws.next(2) == 0,
        Value::Array(list) => {
            for item in list.iter_mut() {
                change(item, draws);
            }
            match (draws.next(4), list.first().cloned()) {
                (0, _) => drop(list.pop()),
                (1, Some(first)) => list.push(first),
                (1, None) => list.push(draws.next(4).into()),
                _ => {}
            }
        }
        Value::Object(fields) => {
            for field in fields.values_mut() {
                change(field, draws);
            }
        }
        _ => {}
    }
}
