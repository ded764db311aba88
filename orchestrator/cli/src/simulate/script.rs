//! Translates the faults on the command line into a script of timed actions.

use interlock_algorithm::{Entry, NodeId};

use super::notation::{NodeAt, PartitionAt, RestartAt, RuleAt};
use super::options::FaultOptions;
use super::refusal::Misfit;
use interlock_model::choice::Choice;
use interlock_model::field_error::unknown_node;
use interlock_model::span::Span;
use interlock_model::specification::Scripted;

/// Converts `faults` to a script for a run of the algorithm `entry`. The actions are ordered by time. Actions at the
/// same time are in the order in which the help lists their options.
pub fn script(faults: &FaultOptions, entry: &Entry, nodes: u32) -> Result<Vec<Scripted>, Vec<Misfit>> {
    let mut script = Vec::new();
    let mut misfits = Vec::new();
    for RuleAt { rule, at } in &faults.rule {
        misfits.extend(rule.errors(nodes, entry.known_kinds()).into_iter().map(|error| Misfit::at("--rule", error)));
        script.push(Scripted { at: Span(at.0), choice: Choice::Rule(rule.clone()) });
    }
    for (flag, place, choice) in happenings(faults) {
        misfits.extend(unknown(flag, place.node, nodes));
        script.push(Scripted { at: Span(place.at.0), choice });
    }
    for PartitionAt { partition, at } in &faults.partition {
        misfits.extend(partition.errors(nodes).into_iter().map(|error| Misfit::at("--partition", error)));
        script.push(Scripted { at: Span(at.0), choice: Choice::Partition(partition.clone()) });
    }
    script.extend(faults.heal.iter().map(|at| Scripted { at: Span(at.0), choice: Choice::Heal {} }));
    script.sort_by_key(|scripted| scripted.at);
    if misfits.is_empty() { Ok(script) } else { Err(misfits) }
}

/// Returns the crashes, restarts, pauses and resumptions, each with its option, node and time.
fn happenings(faults: &FaultOptions) -> impl Iterator<Item = (&'static str, NodeAt, Choice)> {
    let crash = faults.crash.iter().map(|&at| ("--crash", at, Choice::Crash { node: at.node }));
    let restart = faults
        .restart
        .iter()
        .map(|&RestartAt { place, state }| ("--restart", place, Choice::Restart { node: place.node, state }));
    let pause = faults.pause.iter().map(|&at| ("--pause", at, Choice::Pause { node: at.node }));
    let resume = faults.resume.iter().map(|&at| ("--resume", at, Choice::Resume { node: at.node }));
    crash.chain(restart).chain(pause).chain(resume)
}

fn unknown(flag: &str, node: NodeId, nodes: u32) -> Option<Misfit> {
    let error = unknown_node("", node, nodes)?;
    Some(Misfit::new(flag, format!("{}; the nearest is {}", error.detail, nodes.saturating_sub(1))))
}
