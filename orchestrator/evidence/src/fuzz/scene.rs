//! Random runs of mutual exclusion. Each run is a function of its seed, and respects the assumptions of the
//! algorithm.

use std::collections::BTreeSet;

use interlock_algorithm::{LockUse, NodeId};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;
use interlock_model::specification::Scripted;
use serde_json::{Value, json};

use super::Candidate;
use super::draws::Draws;
use super::election;
use super::faults::{episodes, in_order};
use super::network::links;
use super::structure::{self, Extent, MOST_NODES};

/// Maximum number of steps. A run that takes more steps counts as endless.
pub(super) const MOST_STEPS: u64 = 5_000_000;
/// Number of entries in a run that is long enough for starvation.
const LONG: u64 = 3_000;

/// Returns the run that is drawn from `seed`.
pub(super) fn document(candidate: Candidate, seed: u64) -> Value {
    let mut draws = Draws::new(seed);
    let Candidate { entry, variant } = candidate;
    let nodes = draws.number(2, MOST_NODES);
    let links = links(candidate, nodes, [&["0", "0.05"], &["0", "0.05"]], &mut draws);
    let several = entry.locks != LockUse::None && draws.happens(0.3);
    let locks = if several { draws.number(2, 3) } else { 1 };
    let parameters = structure::parameters(candidate, Extent { nodes, locks, longest: links.longest }, &mut draws);
    let mut script = episodes(candidate, nodes, &mut draws);
    // Crashes in algorithms that need a majority are not drawn here, but elsewhere, so that a majority stays live.
    if !candidate.assumes().no_crash && !candidate.survives_with_a_majority() {
        // All crashed processes must restart, because no other process would release the lock of a crashed holder.
        let mut crashes = election::crashes(nodes, structure::named_node(entry, &parameters), 1.0, &mut draws);
        keep_storage_unless_one_stays_up(nodes, &mut crashes);
        script.extend(crashes);
    }
    json!({
        "algorithm": entry.name,
        "variant": variant.name,
        "nodes": nodes,
        "locks": locks,
        "seed": seed,
        "parameters": parameters,
        "network": links.network,
        "links": links.others,
        "workload": workload(candidate, nodes, locks, &mut draws),
        "script": in_order(script),
    })
}

/// Makes all processes restart with their stored state if every process crashes at some time. Otherwise, the
/// latest term could be lost, because no process might know it after restarts without stored state.
fn keep_storage_unless_one_stays_up(nodes: u64, script: &mut [Scripted]) {
    let crashed: BTreeSet<NodeId> = script
        .iter()
        .filter_map(|scripted| if let Choice::Crash { node } = scripted.choice { Some(node) } else { None })
        .collect();
    if crashed.len() as u64 == nodes {
        for scripted in script {
            if let Choice::Restart { state, .. } = &mut scripted.choice {
                *state = RestartState::Stored;
            }
        }
    }
}

/// Returns a random workload in which either all processes request, or only some of them.
fn workload(candidate: Candidate, nodes: u64, locks: u64, draws: &mut Draws) -> Value {
    let askers = if draws.happens(0.7) { Vec::new() } else { draws.some(nodes, 0.5) };
    let (asking, clients) =
        if askers.is_empty() { (nodes, json!("all")) } else { (askers.len() as u64, json!(askers)) };
    // Starvation is visible only in a long run, and long runs are expensive. Correct variants are run with many
    // seeds, so only few of their runs are long.
    let long = if candidate.variant.broken.is_some() { 0.02 } else { 0.004 };
    let entries = if draws.happens(long) { LONG } else { draws.number(5, 60) };
    json!({
        "idle": draws.of(&["0", "0", "const:3", "exp:5", "exp:50", "uniform:0..10"]),
        "hold": draws.of(&["0", "const:1", "const:1", "exp:5", "uniform:0..10"]),
        "nodes": clients,
        "entries": entries.div_ceil(asking),
        // If there are several locks, all processes take them in the same order. Otherwise their waits could form a
        // cycle.
        "locks": if locks == 1 { "first" } else { draws.of(&["one", "one", "all", "0,1"]) },
        "between": draws.of(&["0", "const:1", "exp:5"]),
        "tell": if draws.happens(0.2) { 0.3 } else { 0.0 },
    })
}
