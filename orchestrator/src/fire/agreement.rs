//! Random runs of agreement: messages are lost, doubled and overtaken, a minority is dead at a time and comes back with
//! what it had stored, and several propose.

use interlock_algorithm::NodeId;
use serde_json::json;

use super::Candidate;
use super::draws::Draws;
use super::scene;
use crate::simulation::{Action, Scripted, Simulation, Span, Watch};
use crate::specification::{Draft, FieldError};

/// A run that takes more steps than this does not end.
const MOST_STEPS: u64 = 500_000;
/// Beyond so many there are only more of the same.
const MOST_NODES: u64 = 7;
/// More entries than this show nothing new of the lock service, which serves in the order of its log.
const MOST_ENTRIES: u64 = 100;
/// Ticks in a unit of time.
const UNIT: u64 = 1_000;

/// The run of Paxos of this seed.
///
/// # Errors
/// When the run cannot be: that would be a mistake of this module or of the catalogue.
pub(super) fn one_decree(candidate: Candidate, seed: u64) -> Result<Simulation, Vec<FieldError>> {
    let mut draws = Draws::new(seed);
    let nodes = draws.number(2, MOST_NODES);
    let loss: f64 = draws.of(&["0", "0.1", "0.3", "0.5"]).parse().unwrap_or(0.0);
    let document = json!({
        "algorithm": candidate.entry.name,
        "variant": candidate.variant.name,
        "nodes": nodes,
        "seed": seed,
        "parameters": {
            "proposers": draws.of(&["none", "all", "all", "0,1"]),
            "acceptors": if nodes > 3 && draws.happens(0.7) { "0,1,2" } else { "all" },
            "retry": draws.of(&["20", "20", "50"]),
        },
        "network": {
            "delay": draws.of(&["const:1", "uniform:0..2", "uniform:1..20", "exp:5", "exp:5", "normal:5,3"]),
            "loss": loss,
            "duplicate": if draws.happens(0.5) { 0.1 } else { 0.0 },
        },
    });
    // Of three acceptors, two are enough: there it takes the fewest messages that go astray to show what is wrong.
    let acceptors = if document["parameters"]["acceptors"] == "all" { nodes } else { 3 };
    let draft: Draft =
        serde_json::from_value(document).map_err(|error| vec![FieldError::new("", error.to_string())])?;
    let mut script = proposals(nodes, &mut draws);
    script.extend(crashes(acceptors, 300, &mut draws));
    script.sort_by_key(|scripted| scripted.at);
    let simulation = Simulation::new(draft.complete_simulated()?, 0);
    Ok(Simulation { most_steps: MOST_STEPS, watch: Watch::Monitors, script, ..simulation })
}

/// The run of the lock service of this seed.
///
/// # Errors
/// When the run cannot be: that would be a mistake of this module or of the catalogue.
pub(super) fn lock_service(candidate: Candidate, seed: u64) -> Result<Simulation, Vec<FieldError>> {
    let mut simulation = scene::simulation(candidate, seed)?;
    simulation.entries = simulation.entries.map(|entries| entries.min(MOST_ENTRIES));
    // Other draws than those that made the run.
    let mut draws = Draws::new(!seed);
    if draws.happens(0.5) {
        let nodes = u64::from(simulation.specification.nodes);
        simulation.script = crashes(nodes, 1_500, &mut draws);
        simulation.script.sort_by_key(|scripted| scripted.at);
    }
    Ok(simulation)
}

fn some_node(nodes: u64, draws: &mut Draws) -> NodeId {
    NodeId(u32::try_from(draws.number(0, nodes - 1)).unwrap_or_default())
}

/// Some propose, now and then several at about the same time.
fn proposals(nodes: u64, draws: &mut Draws) -> Vec<Scripted> {
    let mut script = Vec::new();
    for round in 0..draws.number(1, 6) {
        let from = draws.number(0, 200 * UNIT);
        for _ in 0..draws.number(1, 3) {
            let (node, at) = (some_node(nodes, draws), Span(from + draws.number(0, 20 * UNIT)));
            let value = format!("w{round}-{}", node.0);
            script.push(Scripted { at, action: Action::Propose { node, instance: 0, value } });
        }
    }
    script
}

/// A minority dies, and comes back before the next does; the last may stay dead.
fn crashes(nodes: u64, units: u64, draws: &mut Draws) -> Vec<Scripted> {
    let minority = (nodes - 1) / 2;
    let mut script = Vec::new();
    let mut now = 0;
    for last in (0..draws.number(0, 4)).rev() {
        now += draws.number(0, units * UNIT / 4);
        let dead = draws.number(0, minority);
        let first = some_node(nodes, draws).0;
        let stays_dead = last == 0 && draws.happens(0.5);
        let length = draws.number(1, units * UNIT / 4);
        for node in (0..dead).filter_map(|offset| u32::try_from((u64::from(first) + offset) % nodes).ok().map(NodeId)) {
            script.push(Scripted { at: Span(now + draws.number(0, length)), action: Action::Crash { node } });
            if !stays_dead {
                script.push(Scripted { at: Span(now + length), action: Action::Restart { node, stored: true } });
            }
        }
        now += length;
    }
    script
}
