//! Random scripts. Each action is drawn from the actions that are possible at this point of the run, and sometimes
//! from impossible actions.

use std::collections::BTreeSet;

use interlock_algorithm::Entry;
use interlock_algorithm::catalogue;
use interlock_algorithm::{Configuration, LockUse, NodeId, Parameters};
use interlock_machine::draw::{draw, evenly};
use interlock_observation::state::State;
use serde_json::{Value, json};

use super::by_hand;
use super::play::{Played, simulated};

/// All kinds of actions that a script may contain.
pub const VOCABULARY: [&str; 24] = [
    "acquire",
    "acquire_together",
    "release",
    "elect",
    "propose",
    "tell",
    "corrupt",
    "suspect",
    "trust",
    "put",
    "crash",
    "restart",
    "pause",
    "resume",
    "fire",
    "deliver",
    "lose",
    "hold",
    "duplicate",
    "network",
    "partition",
    "rule",
    "heal",
    "note",
];
/// Maximum number of actions in the script of a run.
const LONGEST: u64 = 14;

/// A sequence of random numbers that the seed determines.
struct Dice {
    seed: u64,
    number: u64,
}

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.number += 1;
        let last = count.saturating_sub(1) as u64;
        usize::try_from(evenly(draw(&[self.seed, self.number]), 0, last)).expect("a small number")
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        if all.is_empty() { None } else { Some(all[self.below(all.len())].clone()) }
    }
}

/// Returns run `number` of an algorithm, with its script. The run depends only on the algorithm and the number, so
/// that a new algorithm in the catalogue does not change the runs of other algorithms.
pub fn document(entry: &Entry, number: u64) -> Value {
    let keys: Vec<u64> = [number].into_iter().chain(entry.name.bytes().map(u64::from)).collect();
    let mut draws = Dice { seed: draw(&keys), number: 0 };
    let nodes = 2 + draws.below(3);
    let run = run(entry, nodes, number, &mut draws);
    let mut script = Vec::new();
    for _ in 0..4 + draws.below(usize::try_from(LONGEST).expect("a small number") - 3) {
        let so_far = simulated(&by_hand(run.clone(), script.clone()));
        script.push(next(entry, &so_far, &mut draws));
    }
    if nodes == 2 {
        let mut healed = script.clone();
        healed.push(json!({ "heal": {} }));
        let healed = by_hand(run.clone(), healed);
        // Healing is left out if the run would be endless, because of a circulating token or of polling. Endless
        // runs cannot be compared.
        if entry.background_kinds.is_empty() && simulated(&healed).report.cut.is_none() {
            return healed;
        }
    }
    by_hand(run, script)
}

fn run(entry: &Entry, nodes: usize, seed: u64, draws: &mut Dice) -> Value {
    let lives = |variant: &str| {
        let configuration = Configuration {
            algorithm: entry.name,
            variant: Some(variant),
            parameters: &Parameters::new(),
            nodes: u32::try_from(nodes).expect("few nodes"),
            locks: 1,
        };
        catalogue::is_instantaneous(&configuration) != Ok(true)
    };
    let variants: Vec<&str> = entry.variants.iter().map(|variant| variant.name).filter(|name| lives(name)).collect();
    // Consecutive seeds select the variants one after the other.
    let variant = variants[usize::try_from(seed).expect("a small number") % variants.len()];
    let mut run = json!({ "algorithm": entry.name, "variant": variant, "nodes": nodes, "seed": seed, "network": {} });
    if entry.locks == LockUse::Instances && draws.below(3) == 0 {
        run["locks"] = json!(2);
    }
    if entry.locks != LockUse::None && draws.below(2) == 0 {
        run["workload"] = json!({ "idle": "const:5", "hold": "const:5", "entries": 2 });
    }
    run["channel"] = draws.one_of(&[json!("raw"), json!("fifo"), json!("reliable")]).expect("a channel");
    run
}

/// Returns the next action for a script, given the run so far.
fn next(entry: &Entry, so_far: &Played, draws: &mut Dice) -> Value {
    let node = draws.below(so_far.specification.nodes as usize);
    match draws.below(20) {
        0..=5 => order(entry, so_far, node, draws),
        6..=11 => message(so_far, draws).unwrap_or_else(|| order(entry, so_far, node, draws)),
        12..=13 => timer(so_far, node).unwrap_or_else(|| order(entry, so_far, node, draws)),
        14..=16 => process(node, draws),
        _ => network(entry, so_far, node, draws),
    }
}

fn order(entry: &Entry, so_far: &Played, node: usize, draws: &mut Dice) -> Value {
    let lock = draws.below(so_far.specification.locks as usize);
    let hold = draws.one_of(&[json!(5), Value::Null]);
    let mut orders: Vec<Value> = entry
        .commands
        .iter()
        .map(|command| match *command {
            "elect" => json!({ "elect": { "node": node } }),
            "propose" => json!({ "propose": { "node": node, "value": format!("v{node}") } }),
            "acquire" => json!({ "acquire": { "node": node, "lock": lock, "hold": hold } }),
            "corrupt" => json!({ "corrupt": { "node": node, "choice": draws.below(9) } }),
            other => json!({ other: { "node": node, "lock": lock } }),
        })
        .collect();
    if entry.locks == LockUse::Many {
        let both = [lock, (lock + 1) % so_far.specification.locks as usize];
        orders.push(json!({ "acquire_together": { "node": node, "locks": both, "hold": hold } }));
    }
    let other = (node + 1) % so_far.specification.nodes as usize;
    if other != node {
        let belief = draws.one_of(&["suspect", "trust"]).expect("a belief");
        orders.push(json!({ belief: { "node": node, "whom": other } }));
    }
    orders.push(json!({ "tell": { "from": node, "to": other, "hold": hold } }));
    draws.one_of(&orders).expect("an order")
}

/// Returns an action on a held message, or sometimes on a message that does not exist.
fn message(so_far: &Played, draws: &mut Dice) -> Option<Value> {
    let mut held = BTreeSet::new();
    for event in so_far.events.iter().filter(|event| event["why"] != "ended") {
        let Some(name) = event["message"].as_str() else { continue };
        match event["kind"].as_str() {
            Some("held") => drop(held.insert(name.to_owned())),
            Some("forwarded" | "dropped") => drop(held.remove(name)),
            _ => {}
        }
    }
    let names: Vec<String> = held.into_iter().collect();
    let name = if draws.below(20) == 0 { Some("0.1.99".to_owned()) } else { draws.one_of(&names) }?;
    let verb = draws.one_of(&["deliver", "deliver", "deliver", "deliver", "lose", "hold", "duplicate"])?;
    Some(json!({ verb: name }))
}

/// Returns an action that makes a pending timer of the node fire.
fn timer(so_far: &Played, node: usize) -> Option<Value> {
    let mut state = State::new(&so_far.specification);
    so_far.report.events.iter().for_each(|event| state.apply(event));
    let node_id = NodeId(u32::try_from(node).ok()?);
    let pending = state.node(node_id)?.timers.first()?;
    Some(json!({ "fire": { "node": node, "timer": pending.timer } }))
}

fn process(node: usize, draws: &mut Dice) -> Value {
    let state = if draws.below(2) == 0 { "stored" } else { "none" };
    let happenings = [
        json!({ "crash": { "node": node } }),
        json!({ "restart": { "node": node, "state": state } }),
        json!({ "pause": { "node": node } }),
        json!({ "resume": { "node": node } }),
    ];
    draws.one_of(&happenings).expect("a happening")
}

/// Returns an action that changes the settings of the network. With any of these settings, messages are still held
/// or lost, so no message is delivered without a manual action.
fn network(entry: &Entry, so_far: &Played, node: usize, draws: &mut Dice) -> Value {
    let other = (node + 1) % so_far.specification.nodes as usize;
    let kind = draws.one_of(entry.message_kinds);
    let own = [("loss", json!(0.5)), ("duplicate", json!(0.7)), ("hold", json!(true))];
    let mut link = json!({ "from": node, "to": other });
    // With probability 1/4, the link has no setting. The action then removes the earlier settings of this link, so
    // that the defaults apply again.
    if let Some((name, value)) = draws.one_of(&own).filter(|_| draws.below(4) > 0) {
        link[name] = value;
    }
    let action = draws.one_of(&["drop", "hold", "duplicate", "delay:5"]);
    let rule = json!({ "match": { "message_kind": kind }, "action": action, "skip": draws.below(2), "count": 1,
        "probability": 0.8 });
    let lost = draws.one_of(&["drop", "hold"]);
    let changes = [
        json!({ "network": { "link": link } }),
        json!({ "network": { "default": { "loss": 0.3, "duplicate": 0.3 } } }),
        json!({ "partition": { "groups": [[node], [other]], "lost": lost } }),
        json!({ "remove": { "partition": 1 + draws.below(2) } }),
        json!({ "rule": rule }),
    ];
    draws.one_of(&changes).expect("a change")
}
