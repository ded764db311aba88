//! Random transactions over several locks: philosophers, some of all, all; with times between one lock and the next, in
//! which others get in the way.

use interlock_algorithm::Entry;
use serde_json::{Value, json};

use super::Candidate;
use super::draws::Draws;
use crate::event::Violation;
use crate::monitor::deadlocks;
use crate::simulation::{Simulation, Watch};
use crate::specification::{Draft, FieldError};

/// Up to how many processes.
const MOST_NODES: u64 = 8;
/// A run that takes more steps for each of its rounds than this does not end: requests are made and aborted hundreds of
/// times where ages decide.
const MOST_STEPS_A_ROUND: u64 = 4_000;

/// The run of this seed.
///
/// # Errors
/// When the run cannot be: that would be a mistake of this module or of the catalogue.
pub(super) fn simulation(candidate: Candidate, seed: u64) -> Result<Simulation, Vec<FieldError>> {
    let mut draws = Draws::new(seed);
    let Candidate { entry, variant } = candidate;
    let nodes = draws.number(2, MOST_NODES);
    let drawn_locks = draws.number(2, 6);
    let copies = !entry.assumes.no_duplication && draws.happens(0.5);
    // Who is for ever the youngest starves only in a long run, where it wants more than the others.
    let long = draws.happens(0.1) && kept_ages(entry);
    let is_contended = long && draws.happens(0.5);
    let locks = if is_contended { nodes + 1 } else { drawn_locks };
    let workload = match (is_contended, long) {
        (true, _) => contended(nodes),
        (false, true) => unequal(&mut draws),
        (false, false) => equal(&mut draws),
    };
    let document = json!({
        "algorithm": entry.name,
        "variant": variant.name,
        "nodes": nodes,
        "locks": locks,
        "seed": seed,
        "parameters": parameters(entry, nodes, locks, &mut draws),
        "network": {
            "delay": draws.of(&["const:1", "uniform:0..2", "uniform:1..20", "exp:5", "normal:5,3", "pareto:1,1.5"]),
            "fifo": draws.happens(0.2),
            "duplicate": if copies { 0.05 } else { 0.0 },
        },
        "workload": workload,
    });
    let draft: Draft =
        serde_json::from_value(document).map_err(|error| vec![FieldError::new("", error.to_string())])?;
    let rounds = if long { 2_000 } else { draws.number(5, 80) };
    let simulation = Simulation::new(draft.complete_simulated()?, rounds);
    Ok(Simulation { most_steps: rounds * MOST_STEPS_A_ROUND, watch: Watch::Monitors, ..simulation })
}

fn kept_ages(entry: &Entry) -> bool {
    ["wait-die", "wound-wait"].contains(&entry.name)
}

/// Everybody wants as much.
fn equal(draws: &mut Draws) -> Value {
    json!({
        "idle": draws.of(&["0", "0", "const:3", "exp:5", "uniform:0..10"]),
        "hold": draws.of(&["0", "const:1", "const:5", "exp:5", "uniform:0..10"]),
        "locks": draws.of(&["neighbours", "neighbours", "some:2", "some:2", "all"]),
        "between": draws.of(&["0", "const:1", "exp:5", "uniform:0..10"]),
        "again": draws.of(&["uniform:5..25", "exp:10", "uniform:1..100"]),
    })
}

/// The first wants everything, the others little and often.
fn unequal(draws: &mut Draws) -> Value {
    json!({
        "idle": "0",
        "hold": draws.of(&["const:50", "uniform:20..60", "exp:5"]),
        "locks": "one",
        "again": draws.of(&["const:1", "uniform:1..5"]),
        "overrides": [{ "node": 0, "locks": "all" }],
    })
}

/// Everybody has a lock of its own and then wants that of the first, who keeps it for longer.
fn contended(nodes: u64) -> Value {
    let others: Vec<Value> = (1..nodes).map(|node| json!({ "node": node, "locks": format!("{node},0") })).collect();
    json!({
        "idle": "0",
        "hold": "const:1",
        "locks": format!("0,{nodes}"),
        "between": "uniform:5..100",
        "again": "uniform:1..5",
        "overrides": others,
    })
}

fn parameters(entry: &Entry, nodes: u64, locks: u64, draws: &mut Draws) -> Value {
    let mut parameters = json!({});
    match entry.name {
        "central-detection" => {
            parameters["coordinator"] = json!(draws.number(0, nodes - 1));
            parameters["period"] = json!(format!("{}us", draws.number(1, 20_000)));
        }
        "banker" => {
            // Everybody may claim one unit of each: so much a client takes of each in a round.
            let units: Vec<String> = (0..locks).map(|_| draws.number(1, 3).to_string()).collect();
            parameters["existing"] = json!(units.join(","));
            parameters["banker"] = json!(draws.number(0, nodes - 1));
        }
        _ => {}
    }
    parameters
}

/// Whether what a monitor has found says that the algorithm is wrong. That a detector is late says only that news takes
/// time; and that it sees circles which never were is what central detection is known for: its coordinator sees the past.
/// Edge chasing sees one only where somebody on the way of the probe has given up meanwhile, to break another circle.
pub(super) fn is_wrong(candidate: Candidate, violation: &Violation) -> bool {
    match &*violation.code {
        deadlocks::LATE => false,
        deadlocks::PHANTOM if candidate.variant.broken.is_none() => match candidate.entry.name {
            "central-detection" => false,
            "edge-chasing" => violation.arguments["gave_up"].as_array().is_none_or(Vec::is_empty),
            _ => true,
        },
        _ => true,
    }
}

/// Whether a circle was reported that never stood.
pub(super) fn is_phantom(violation: &Violation) -> bool {
    *violation.code == *deadlocks::PHANTOM
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::fire::candidates;

    fn phantom(gave_up: &[u32]) -> Violation {
        let arguments = json!({ "node": 0, "cycle": [0, 1, 2], "victim": 0, "gave_up": gave_up });
        let (monitor, code) = (Arc::from(deadlocks::NAME), Arc::from(deadlocks::PHANTOM));
        Violation { monitor, code, arguments, events: vec![1] }
    }

    #[test]
    fn a_phantom_counts_unless_the_algorithm_is_known_for_it() {
        let counts = |variant: &str, gave_up: &[u32]| {
            let is_it = |Candidate { entry, variant: of }: &Candidate| format!("{}/{}", entry.name, of.name) == variant;
            is_wrong(candidates().find(is_it).expect("a variant"), &phantom(gave_up))
        };
        assert!(!counts("central-detection/original", &[]));
        assert!(!counts("edge-chasing/original", &[1]) && !counts("edge-chasing/highest", &[1]));
        assert!(counts("edge-chasing/original", &[]) && counts("edge-chasing/highest", &[]));
        assert!(counts("edge-chasing/forwards-unblocked", &[1]));
        assert!(counts("wait-die/original", &[1]));
    }
}
