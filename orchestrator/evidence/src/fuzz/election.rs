//! Random elections: several processes call elections, messages overtake each other, and processes crash and restart
//! if the algorithm survives this. If the algorithm treats a time-out as a crash, all messages are faster than the
//! time-outs.

use serde_json::{Value, json};

use super::Candidate;
use super::draws::Draws;
use super::faults::{UNIT, episodes, in_order};
use super::network::links;
use super::structure::{self, Extent, MOST_NODES};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;
use interlock_model::span::Span;
use interlock_model::specification::Scripted;

/// Maximum number of steps. A run that takes more steps counts as endless.
pub(super) const MOST_STEPS: u64 = 1_000_000;
/// Time within which all scripted actions of a run happen, in units.
const PLAYED: u64 = 3_000;
/// Maximum time from a crash to the restart, in units.
const AWAY: u64 = 300;

/// Returns the run that is drawn from `seed`.
pub(super) fn document(candidate: Candidate, seed: u64) -> Value {
    let mut draws = Draws::new(seed);
    let Candidate { entry, variant } = candidate;
    let nodes = draws.number(2, MOST_NODES);
    let links = links(candidate, nodes, [&["0"], &["0", "0.05"]], &mut draws);
    let parameters = structure::parameters(candidate, Extent { nodes, locks: 1, longest: links.longest }, &mut draws);
    let mut script = calls(nodes, &mut draws);
    script.extend(episodes(candidate, nodes, &mut draws));
    let may_crash = !candidate.assumes().no_crash;
    if may_crash {
        script.extend(crashes(nodes, nodes - 1, 0.8, &mut draws));
    }
    json!({
        "algorithm": entry.name,
        "variant": variant.name,
        "nodes": nodes,
        "seed": seed,
        "parameters": parameters,
        // If a coordinator crashes before its announcement arrives, other processes must be notified of the crash.
        // Otherwise no process would replace the coordinator.
        "detector": if may_crash { "perfect" } else { "none" },
        "network": links.network,
        "links": links.others,
        "script": in_order(script),
    })
}

fn some_time(draws: &mut Draws) -> Span {
    Span(draws.number(0, UNIT * PLAYED))
}

/// Returns random calls of elections. Several processes may call at the same time.
fn calls(nodes: u64, draws: &mut Draws) -> Vec<Scripted> {
    let mut calls = Vec::new();
    for _ in 0..draws.number(1, 6) {
        let at = some_time(draws);
        for _ in 0..draws.number(1, 3) {
            calls.push(Scripted { at, choice: Choice::Elect { node: draws.node(nodes) } });
        }
    }
    calls
}

/// Returns random crashes. The process `first` crashes more often than the others. A crashed process restarts with
/// probability `returns`, with or without its stored state.
pub(super) fn crashes(nodes: u64, first: u64, returns: f64, draws: &mut Draws) -> Vec<Scripted> {
    let mut script = Vec::new();
    for _ in 0..draws.number(0, 5) {
        let node = if draws.happens(0.3) { first } else { draws.number(0, nodes - 1) };
        let node = interlock_algorithm::NodeId(u32::try_from(node).unwrap_or_default());
        let at = some_time(draws);
        script.push(Scripted { at, choice: Choice::Crash { node } });
        if draws.happens(returns) {
            let at = Span(at.0 + draws.number(0, UNIT * AWAY));
            let state = if draws.happens(0.7) { RestartState::Stored } else { RestartState::None };
            script.push(Scripted { at, choice: Choice::Restart { node, state } });
        }
    }
    script
}
