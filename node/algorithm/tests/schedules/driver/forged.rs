//! Whatever a peer says, an algorithm does not fail: messages that are nearly right, among right ones.

use interlock_algorithm::plausibility::{HIGHEST_NUMBER, implausible};
use interlock_algorithm::{Algorithm, NodeId};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use serde_json::{Value, from_value, to_value};

use super::Scene;
use super::rules::{Violation, at_most_one_in_section, nobody_left_waiting};
use super::world::{Channel, Doing, OVERTAKING, World};

/// Of four nodes, these two lie.
const LIARS: [u32; 2] = [2, 3];
/// More steps than any schedule takes in which the liars fall silent after a while.
const MOST_STEPS: usize = 50_000;

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
            let extremes = [0, 1, 2, 3, 7, u64::from(u32::MAX), HIGHEST_NUMBER, u64::MAX];
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

/// Plays many schedules in which two of four nodes send, besides what they should, messages with a number that no run
/// comes to. Whatever they say, ME1 and ME3 hold.
#[track_caller]
pub fn is_not_poisoned<A: Algorithm>(variant: &str, channel: Channel) {
    let mut runner = TestRunner::new(Config { cases: 50, failure_persistence: None, ..Config::default() });
    let scene = Scene::<A>::new(variant, 4, 2, channel);
    let verdict = runner.run(&vec(any::<Index>(), 300..301), |choices| {
        match poison(&scene, &mut Draws(choices.iter().cycle())) {
            Ok(forged) if forged > 0 => Ok(()),
            Ok(_) => Err(TestCaseError::reject("nothing could be forged")),
            Err(violation) => Err(TestCaseError::fail(format!("{violation:?}"))),
        }
    });
    verdict.expect("the others go on as if nothing had been said");
}

/// Plays such schedules, always the same, with nodes that believe everything, until one breaks the rule.
#[track_caller]
pub fn poisons_the_credulous<A: Algorithm>(variant: &str, channel: Channel, rule: &str) {
    let config = Config { cases: 500, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let scene = Scene::<A>::new(variant, 4, 2, channel).credulous();
    let verdict = runner.run(&vec(any::<Index>(), 300..301), |choices| {
        match poison(&scene, &mut Draws(choices.iter().cycle())) {
            Err(violation) if format!("{violation:?}").starts_with(rule) => Err(TestCaseError::fail(rule.to_owned())),
            _ => Ok(()),
        }
    });
    assert!(matches!(verdict, Err(TestError::Fail(..))), "{} {variant}: {verdict:?}", A::ENTRY.name);
}

/// Plays one schedule to its end, and says how many messages were forged.
fn poison<A: Algorithm>(scene: &Scene<A>, draws: &mut Draws) -> Result<usize, Violation> {
    let mut world = scene.world();
    let mut heard: Vec<A::Message> = Vec::new();
    let mut forged = 0;
    for turn in 0..MOST_STEPS {
        heard.extend(world.links.iter().flatten().flatten().cloned());
        heard.truncate(50);
        if turn < 100 && draws.next(3) == 0 && exaggerate(&mut world, &heard, draws) {
            forged += 1;
        }
        let possible = world.choices();
        if possible.is_empty() || world.is_over() {
            nobody_left_waiting(&world)?;
            return Ok(forged);
        }
        world.happen(scene, possible[draws.next(possible.len())]);
        at_most_one_in_section(&world)?;
    }
    Err(Violation::Stuck(world.doing(Doing::Wanting)))
}

/// Lets a liar send a message with a number that no run comes to, if it has numbers.
fn exaggerate<A: Algorithm>(world: &mut World<A>, heard: &[A::Message], draws: &mut Draws) -> bool {
    if heard.is_empty() {
        return false;
    }
    let mut json = to_value(&heard[draws.next(heard.len())]).expect("a message as JSON");
    raise(&mut json["body"], draws);
    let Ok(message) = from_value::<A::Message>(json) else { return false };
    let from = LIARS[draws.next(LIARS.len())] as usize;
    let to = (from + 1 + draws.next(3)) % 4;
    let is_exaggerated = implausible(&message).is_some();
    if is_exaggerated {
        world.links[from][to].push(message);
    }
    is_exaggerated
}

/// Replaces some numbers by greater ones than any run comes to.
fn raise(json: &mut Value, draws: &mut Draws) {
    match json {
        Value::Number(_) if draws.next(2) == 0 => {
            let extremes = [HIGHEST_NUMBER + 1, 1 << 63, u64::MAX - 1, u64::MAX];
            *json = extremes[draws.next(extremes.len())].into();
        }
        Value::Array(list) => list.iter_mut().for_each(|item| raise(item, draws)),
        Value::Object(fields) => fields.values_mut().for_each(|field| raise(field, draws)),
        _ => {}
    }
}
