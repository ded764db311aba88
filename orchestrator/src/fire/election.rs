//! Random elections: several callers, messages that overtake each other, and, where the algorithm survives them, crashes
//! and returns. All messages take less time than the time-outs allow, which is what the algorithms assume.

use interlock_algorithm::NodeId;
use serde_json::{Value, json};

use super::Candidate;
use super::draws::Draws;
use super::scene::MOST_NODES;
use crate::simulation::{Action, Scripted, Simulation, Span, Watch};
use crate::specification::{Draft, FieldError};

/// A run that takes more steps than this does not end.
const MOST_STEPS: u64 = 1_000_000;
/// How long a run is played with, in units of time.
const PLAYED: u64 = 3_000;
/// Delays of less than half of the default time-out for an answer: 50 units.
pub(super) const BOUNDED: &[&str] = &["const:1", "const:24", "uniform:0..2", "uniform:0..24", "uniform:1..10"];
pub(super) const ANY: &[&str] = &["const:1", "uniform:0..2", "uniform:1..20", "exp:5", "normal:5,3", "pareto:1,1.5"];

/// The run of this seed.
///
/// # Errors
/// When the run cannot be: that would be a mistake of this module or of the catalogue.
pub(super) fn simulation(candidate: Candidate, seed: u64) -> Result<Simulation, Vec<FieldError>> {
    let mut draws = Draws::new(seed);
    let nodes = draws.number(2, MOST_NODES);
    let assumes = candidate.entry.assumes;
    let copies = !assumes.no_duplication && draws.happens(0.5);
    let document = json!({
        "algorithm": candidate.entry.name,
        "variant": candidate.variant.name,
        "nodes": nodes,
        "seed": seed,
        "parameters": parameters(candidate, nodes, &mut draws),
        "network": {
            "delay": draws.of(if assumes.no_crash { ANY } else { BOUNDED }),
            "fifo": assumes.fifo || draws.happens(0.2),
            "duplicate": if copies { 0.05 } else { 0.0 },
        },
    });
    let draft: Draft =
        serde_json::from_value(document).map_err(|error| vec![FieldError::new("", error.to_string())])?;
    let mut script = calls(nodes, &mut draws);
    if !assumes.no_crash {
        script.extend(crashes(nodes, 0.8, &mut draws));
    }
    script.sort_by_key(|scripted| scripted.at);
    let simulation = Simulation::new(draft.complete_simulated()?, 0);
    Ok(Simulation { most_steps: MOST_STEPS, watch: Watch::Monitors, script, ..simulation })
}

fn parameters(candidate: Candidate, nodes: u64, draws: &mut Draws) -> Value {
    let caller = draws.number(0, nodes - 1).to_string();
    let mut parameters = json!({ "initiators": draws.of(&["all", "none", &caller]) });
    if candidate.entry.parameters.iter().any(|parameter| parameter.name == "ring") {
        let random = format!("random:{}", draws.number(1, 1_000));
        parameters["ring"] = json!(draws.of(&["ascending", "descending", &random]));
    }
    parameters
}

fn node(nodes: u64, draws: &mut Draws) -> NodeId {
    NodeId(u32::try_from(draws.number(0, nodes - 1)).unwrap_or_default())
}

fn some_time(draws: &mut Draws) -> Span {
    Span(draws.number(0, 1_000 * PLAYED))
}

/// Some call elections, now and then several at the same time.
fn calls(nodes: u64, draws: &mut Draws) -> Vec<Scripted> {
    let mut calls = Vec::new();
    for _ in 0..draws.number(1, 6) {
        let at = some_time(draws);
        for _ in 0..draws.number(1, 3) {
            calls.push(Scripted { at, action: Action::Elect { node: node(nodes, draws) } });
        }
    }
    calls
}

/// Some crash; so many come back, with what they had stored or with nothing.
pub(super) fn crashes(nodes: u64, returns: f64, draws: &mut Draws) -> Vec<Scripted> {
    let mut script = Vec::new();
    for _ in 0..draws.number(0, 5) {
        let (node, at) = (node(nodes, draws), some_time(draws));
        script.push(Scripted { at, action: Action::Crash { node } });
        if draws.happens(returns) {
            let at = Span(at.0 + draws.number(0, 300_000));
            script.push(Scripted { at, action: Action::Restart { node, stored: draws.happens(0.7) } });
        }
    }
    script
}
