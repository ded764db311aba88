//! Random runs that are recorded in virtual time. A run has any algorithm, clients and many faults.

use interlock_algorithm::catalogue::ENTRIES;
use interlock_algorithm::{Entry, LockUse};
use interlock_machine::draw::{draw, evenly};
use interlock_model::specification::{Draft, Specification};
use interlock_simulation::schedule::Schedule;
use interlock_simulation::simulation::{Simulation, Watch};
use serde_json::{Value, json};

/// Maximum number of steps of a run. A run in which a token circulates or a process polls forever is stopped after
/// this number.
const MOST_STEPS: u64 = 500;
/// Maximum number of actions in the script of a run. Requests of the clients are not included.
const MOST_DONE: u64 = 10;

/// A sequence of random numbers that the seed determines.
pub struct Dice {
    seed: u64,
    number: u64,
}

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self { seed, number: 0 }
    }

    pub fn below(&mut self, count: u64) -> u64 {
        self.number += 1;
        evenly(draw(&[self.seed, self.number]), 0, count.saturating_sub(1))
    }

    pub fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).expect("a small number")].clone()
    }
}

/// Returns the recording of run `number`. Consecutive numbers select the algorithms one after the other.
pub fn schedule(number: u64) -> Schedule {
    let entry = &ENTRIES[usize::try_from(number).expect("a small number") % ENTRIES.len()];
    let mut dice = Dice::new(number);
    let specification = specification(entry, number, &mut dice);
    let entries = (dice.below(3) > 0).then_some(8);
    let simulation = Simulation {
        entries,
        most_steps: MOST_STEPS,
        watch: Watch::Events,
        records: true,
        ..Simulation::new(specification, 0)
    };
    simulation.run().expect("a run").schedule.expect("a recording")
}

/// Returns a random run of an algorithm, with a script.
pub fn specification(entry: &Entry, seed: u64, dice: &mut Dice) -> Specification {
    loop {
        let nodes = 2 + dice.below(4);
        let mut run = json!({
            "algorithm": entry.name, "variant": dice.one_of(entry.variants).name, "nodes": nodes, "seed": seed,
            "network": {
                "delay": dice.one_of(&["0", "const:5", "uniform:1..9", "exp:4"]),
                "loss": dice.one_of(&[0.0, 0.0, 0.02, 0.1]), "duplicate": dice.one_of(&[0.0, 0.0, 0.1]),
            },
            "timers": dice.below(8) > 0,
        });
        if dice.below(2) == 0 {
            run["network"]["fifo"] = json!(dice.below(2) == 0);
        }
        if entry.locks == LockUse::Instances && dice.below(3) == 0 {
            run["locks"] = json!(2);
        }
        if entry.locks != LockUse::None {
            run["workload"] = json!({
                "idle": dice.one_of(&["const:5", "exp:10", "uniform:0..20"]), "hold": dice.one_of(&["0", "const:3"]),
                "loop": dice.one_of(&["closed", "closed", "open"]), "entries": 4, "tell": dice.one_of(&[0.0, 0.3]),
            });
        }
        run["channel"] = dice.one_of(&[json!("raw"), json!("raw"), json!("fifo"), json!("reliable")]);
        let count = dice.below(MOST_DONE);
        run["script"] = (0..count).map(|_| json!({ "at": dice.below(100), "do": done(entry, nodes, dice) })).collect();
        let draft: Draft = serde_json::from_value(run.clone()).unwrap_or_else(|error| panic!("{run}: {error}"));
        // Some variants cannot run live, and some cannot run with this number of nodes. In these cases, another
        // draft is drawn.
        if let Ok(specification) = draft.complete() {
            return specification;
        }
    }
}

/// Returns a random action on a run. The action may be impossible.
fn done(entry: &Entry, nodes: u64, dice: &mut Dice) -> Value {
    let node = dice.below(nodes);
    let other = (node + 1 + dice.below(nodes - 1)) % nodes;
    match dice.below(16) {
        0..=2 => json!({ "pause": { "node": node } }),
        3..=4 => json!({ "resume": { "node": node } }),
        5 => json!({ "crash": { "node": node } }),
        6..=7 => json!({ "restart": { "node": node, "state": dice.one_of(&["stored", "none"]) } }),
        8 => json!({ "partition": { "groups": [[node], [other]], "lost": dice.one_of(&["drop", "hold"]) } }),
        9 => {
            let action = dice.one_of(&["hold", "drop", "duplicate", "delay:9"]);
            json!({ "rule": { "match": { "to": node }, "action": action, "count": 2, "probability": 0.7 } })
        }
        10 => json!({ "network": { "link": { "from": node, "to": other, "delay": "const:30" } } }),
        11 if entry.commands.contains(&"corrupt") => json!({ "corrupt": { "node": node, "choice": dice.below(9) } }),
        11 => json!({ "tell": { "from": node, "to": other } }),
        12 => json!({ "heal": {} }),
        13 => {
            let message = format!("{node}.{other}.{}", 1 + dice.below(5));
            json!({ dice.one_of(&["deliver", "lose", "hold", "duplicate"]): message })
        }
        _ if entry.commands.contains(&"elect") => json!({ "elect": { "node": node } }),
        _ if entry.commands.contains(&"propose") => json!({ "propose": { "node": node, "value": format!("v{node}") } }),
        _ if entry.commands.contains(&"acquire") => json!({ "acquire": { "node": node, "hold": 4 } }),
        _ => json!({ "note": "nothing" }),
    }
}
