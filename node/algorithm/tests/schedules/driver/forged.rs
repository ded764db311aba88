//! Tests with forged messages, which are mixed with correct messages and differ only slightly from them. No message
//! from a peer may make an algorithm fail.

use interlock_algorithm::plausibility::{HIGHEST_NUMBER, implausible};
use interlock_algorithm::{Algorithm, NodeId};
use serde_json::{Value, from_str, to_string};

use super::Scene;
use super::random::{Draws, Odds, Phases, Rules, anything, be_kind, tried};
use super::run::Run;

const SCHEDULES: u64 = 100;
const STEPS: usize = 200;
/// Number of nodes that send wrong numbers. These are the last nodes of the run.
const LIARS: usize = 2;
/// Number of earlier messages that are stored. Forged messages are changed copies of stored messages.
const REMEMBERED: usize = 50;

/// Plays schedules with forged messages. Before about every third step, puts a randomly changed copy of an earlier
/// message on a random link. Checks that no process panics or breaks its contract, and that every state can be
/// displayed.
#[track_caller]
pub fn survives<A: Algorithm>(scene: &Scene<A>) {
    let forged: usize = tried(0..SCHEDULES).map(|seed| scene.play(seed, |run| suffer(run, seed))).sum();
    assert!(forged > 0, "nothing could be forged");
}

fn suffer<A: Algorithm>(mut run: Run<'_, A>, seed: u64) -> usize {
    let mut draws = Draws::new(seed);
    let (mut heard, mut forged) = (Vec::new(), 0);
    for _ in 0..STEPS {
        if draws.below(3) == 0 && run.scene.nodes() > 1 && forge(&mut run, &heard, &mut draws) {
            forged += 1;
        }
        remember(&run, &mut heard);
        let Some(choice) = anything(&run, Odds::Whenever, &mut draws) else { break };
        run.happen(&choice);
    }
    forged
}

fn remember<A: Algorithm>(run: &Run<'_, A>, heard: &mut Vec<A::Message>) {
    heard.extend(run.in_flight().cloned());
    heard.drain(..heard.len().saturating_sub(REMEMBERED));
}

/// Returns a changed copy of an earlier message. Returns `None` if the changed copy is not a valid message.
fn changed<M: interlock_algorithm::Message>(
    heard: &[M],
    draws: &mut Draws<'_>,
    change: fn(&mut Value, &mut Draws<'_>),
) -> Option<M> {
    if heard.is_empty() {
        return None;
    }
    let json = to_string(&heard[draws.below(heard.len())]).expect("a message as JSON");
    let mut json: Value = from_str(&json).expect("JSON");
    change(&mut json["body"], draws);
    from_str(&json.to_string()).ok()
}

/// Puts a changed copy of an earlier message on a random link. Returns whether there was such a copy.
fn forge<A: Algorithm>(run: &mut Run<'_, A>, heard: &[A::Message], draws: &mut Draws<'_>) -> bool {
    let Some(message) = changed(heard, draws, change) else { return false };
    let nodes: Vec<_> = NodeId::all(run.scene.nodes()).collect();
    let (from, apart) = (draws.below(nodes.len()), 1 + draws.below(nodes.len() - 1));
    run.push(nodes[from], nodes[(from + apart) % nodes.len()], message);
    true
}

fn change(json: &mut Value, draws: &mut Draws<'_>) {
    match json {
        Value::Number(_) if draws.below(2) == 0 => {
            let extremes = [0, 1, 2, 3, 7, u64::from(u32::MAX), HIGHEST_NUMBER, u64::MAX];
            *json = extremes[draws.below(extremes.len())].into();
        }
        Value::Bool(flag) => *flag = draws.below(2) == 0,
        Value::String(text) if draws.below(4) == 0 => *text = ["", "v0", "another"][draws.below(3)].into(),
        Value::Array(list) => change_list(list, draws),
        Value::Object(fields) => fields.values_mut().for_each(|field| change(field, draws)),
        _ => {}
    }
}

fn change_list(list: &mut Vec<Value>, draws: &mut Draws<'_>) {
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

/// Plays many schedules in which two of the nodes send additional messages with numbers that cannot occur in a run.
/// Checks that these messages cause no violation of a property.
#[track_caller]
pub fn is_not_poisoned<A: Algorithm>(scene: &Scene<A>, phases: Phases, rules: &Rules<A>) {
    let mut forged = 0;
    for seed in tried(0..SCHEDULES) {
        match scene.play(seed, |run| poison(run, seed, phases, rules)) {
            Ok(count) => forged += count,
            Err(broken) => panic!("{}, seed {seed}: {broken}", A::ENTRY.name),
        }
    }
    assert!(forged > 0, "{}: nothing could be forged", A::ENTRY.name);
}

/// Plays schedules in which two nodes send numbers that cannot occur in a run, and all nodes accept these numbers.
/// Checks that one schedule violates a property with a message that begins with `words`.
#[track_caller]
pub fn poisons_the_credulous<A: Algorithm>(scene: Scene<A>, phases: Phases, rules: &Rules<A>, words: &str) {
    let scene = scene.credulous();
    let broken = |seed| scene.play(seed, |run| poison(run, seed, phases, rules)).err();
    let poisoned = (0..10 * SCHEDULES).filter_map(broken).any(|broken| broken.starts_with(words));
    assert!(poisoned, "{}: nobody is poisoned", A::ENTRY.name);
}

/// Plays one schedule to its end. Returns the number of forged messages in this schedule.
fn poison<A: Algorithm>(mut run: Run<'_, A>, seed: u64, phases: Phases, rules: &Rules<A>) -> Result<usize, String> {
    let mut draws = Draws::new(seed);
    let (mut heard, mut forged) = (Vec::new(), 0);
    for _ in 0..phases.wild {
        if draws.below(3) == 0 && exaggerate(&mut run, &heard, &mut draws) {
            forged += 1;
        }
        remember(&run, &mut heard);
        let Some(choice) = anything(&run, phases.odds, &mut draws) else { break };
        run.happen(&choice);
        (rules.always)(&run)?;
    }
    be_kind(&mut run, &mut draws, phases, rules).map(|()| forged)
}

/// Makes a lying node send a changed earlier message with a number that cannot occur in a run. Does nothing if the
/// message contains no numbers.
fn exaggerate<A: Algorithm>(run: &mut Run<'_, A>, heard: &[A::Message], draws: &mut Draws<'_>) -> bool {
    let exaggerated = changed(heard, draws, raise).filter(|message| implausible(message).is_some());
    let Some(message) = exaggerated else { return false };
    let nodes: Vec<_> = NodeId::all(run.scene.nodes()).collect();
    let from = nodes.len() - 1 - draws.below(LIARS);
    let to = (from + 1 + draws.below(nodes.len() - 1)) % nodes.len();
    run.push(nodes[from], nodes[to], message);
    true
}

/// Replaces some numbers in a message with numbers that are too great to occur in a run.
fn raise(json: &mut Value, draws: &mut Draws<'_>) {
    match json {
        Value::Number(_) if draws.below(2) == 0 => {
            let extremes = [HIGHEST_NUMBER + 1, 1 << 63, u64::MAX - 1, u64::MAX];
            *json = extremes[draws.below(extremes.len())].into();
        }
        Value::Array(list) => list.iter_mut().for_each(|item| raise(item, draws)),
        Value::Object(fields) => fields.values_mut().for_each(|field| raise(field, draws)),
        _ => {}
    }
}
