//! Random runs: a function of the seed, within what the algorithm assumes.

use interlock_algorithm::{Configuration, ParameterValue, Parameters, catalogue};
use serde_json::json;

use super::Candidate;
use super::draws::Draws;
use super::election;
use crate::simulation::{Simulation, Watch};
use crate::specification::{Draft, FieldError};

/// Up to how many processes.
pub(super) const MOST_NODES: u64 = 12;
/// A run that takes more steps than this does not end.
const MOST_STEPS: u64 = 5_000_000;

/// The run of this seed.
///
/// # Errors
/// When the run cannot be: that would be a mistake of this module or of the catalogue.
pub fn simulation(candidate: Candidate, seed: u64) -> Result<Simulation, Vec<FieldError>> {
    let mut draws = Draws::new(seed);
    let nodes = draws.number(2, MOST_NODES);
    let assumes = candidate.entry.assumes;
    // Who elects a new coordinator takes one that is too slow for a dead one.
    let is_timed = candidate.entry.commands.contains(&"elect");
    let fault = |draws: &mut Draws, excluded: bool| if !excluded && draws.happens(0.5) { 0.05 } else { 0.0 };
    let document = json!({
        "algorithm": candidate.entry.name,
        "variant": candidate.variant.name,
        "nodes": nodes,
        "seed": seed,
        "parameters": parameters(candidate, nodes, &mut draws),
        "network": {
            "delay": draws.of(if is_timed { election::BOUNDED } else { election::ANY }),
            "fifo": assumes.fifo || draws.happens(0.2),
            "loss": fault(&mut draws, assumes.no_loss),
            "duplicate": fault(&mut draws, assumes.no_duplication),
        },
        "workload": {
            "idle": draws.of(&["0", "0", "const:3", "exp:5", "exp:50", "uniform:0..10"]),
            "hold": draws.of(&["0", "const:1", "const:1", "exp:5", "uniform:0..10"]),
            "nodes": askers(nodes, &mut draws),
        },
    });
    let draft: Draft =
        serde_json::from_value(document).map_err(|error| vec![FieldError::new("", error.to_string())])?;
    // Starvation shows only in a long run.
    let entries = if draws.happens(0.02) { 3_000 } else { draws.number(5, 60) };
    let specification = draft.complete_simulated()?;
    // All come back: nobody else frees the section of a process that is dead.
    let mut script = if is_timed { election::crashes(nodes, 1.0, &mut draws) } else { Vec::new() };
    script.sort_by_key(|scripted| scripted.at);
    let simulation = Simulation::new(specification, entries);
    Ok(Simulation { most_steps: MOST_STEPS, watch: Watch::Monitors, script, ..simulation })
}

/// Everybody asks, or only some do.
fn askers(nodes: u64, draws: &mut Draws) -> serde_json::Value {
    if draws.happens(0.7) {
        return json!("all");
    }
    let some: Vec<u64> = (0..nodes).filter(|_| draws.happens(0.5)).collect();
    if some.is_empty() { json!("all") } else { json!(some) }
}

/// Another topology than the default, where there is one and the algorithm takes it for so many nodes.
fn parameters(candidate: Candidate, nodes: u64, draws: &mut Draws) -> Parameters {
    let mut chosen = Parameters::new();
    for parameter in candidate.entry.parameters {
        let value = match parameter.name {
            "tree" => {
                let tree = draws.of(&["binary", "star", "line", "k-ary:3", "random:"]);
                if tree == "random:" { format!("random:{}", draws.number(1, 1_000)) } else { tree.to_owned() }
            }
            "coterie" => draws.of(&["grid", "plane"]).to_owned(),
            "holder" | "coordinator" => draws.number(0, nodes - 1).to_string(),
            "failed" => draws.of(&["any-better", "holder-better"]).to_owned(),
            "release" => draws.of(&["sender", "request"]).to_owned(),
            _ => continue,
        };
        chosen.insert(parameter.name.to_owned(), ParameterValue::Text(value));
        if !is_possible(candidate, &chosen, nodes) {
            chosen.remove(parameter.name);
        }
    }
    chosen
}

fn is_possible(candidate: Candidate, parameters: &Parameters, nodes: u64) -> bool {
    let configuration = Configuration {
        algorithm: candidate.entry.name,
        variant: Some(candidate.variant.name),
        parameters,
        nodes: u32::try_from(nodes).unwrap_or_default(),
        locks: 1,
    };
    catalogue::check(&configuration).is_ok()
}
