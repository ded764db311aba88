//! Measurements of elections.

use interlock_algorithm::{NodeId, Outcome};
use serde_json::{Value, json};

use super::super::live::Stage;
use super::super::simulated::{at, idle, metrics, run, scripted};
use super::CouldNotRun;
use interlock_model::choice::Choice;
use interlock_model::specification::Scripted;
use interlock_simulation::simulation::{Report, Simulation, Watch};

/// A run in which no process calls an election by itself. A message takes one unit.
pub(super) fn quiet(algorithm: &str, nodes: u32) -> Value {
    let mut document = idle(algorithm, nodes);
    document["parameters"] = json!({ "initiators": "none" });
    document
}

/// A run in which every process calls an election at the start, in a ring of the arrangement `ring`.
pub(super) fn all_start(algorithm: &str, nodes: u32, ring: &str) -> Value {
    let mut document = idle(algorithm, nodes);
    document["parameters"] = json!({ "initiators": "all", "ring": ring });
    document
}

/// Returns the action that makes a node call an election at the time `at`, in units of time.
pub(super) const fn elect(at: u64, node: u32) -> Scripted {
    self::at(at, Choice::Elect { node: NodeId(node) })
}

/// Returns the action that crashes a process at the time `at`, in units of time.
pub(super) const fn crash(at: u64, node: u32) -> Scripted {
    self::at(at, Choice::Crash { node: NodeId(node) })
}

/// Runs the document with the script, and returns the report, which contains the events.
///
/// # Errors
/// If the document does not describe a run.
pub(super) fn played(document: Value, script: Vec<Scripted>) -> Result<Report, CouldNotRun> {
    run(&Simulation { watch: Watch::Events, ..scripted(document, script)? })
}

/// Returns the number of messages sent of each kind in `kinds`.
///
/// # Errors
/// If the run has no metrics.
pub(super) fn counts<const K: usize>(report: &Report, kinds: [&str; K]) -> Result<[u64; K], CouldNotRun> {
    let sent = &metrics(report)?.messages_by_kind;
    Ok(kinds.map(|kind| sent.get(kind).copied().unwrap_or_default()))
}

/// Returns the last coordinator that each node accepted, with its term. The report must contain the events.
pub(super) fn taken(report: &Report, nodes: u32) -> Vec<Option<(u32, u64)>> {
    let mut taken: Vec<_> = (0..nodes).map(|_| None).collect();
    for event in &report.events {
        if let Some((at, Outcome::Elected { leader, term, .. })) = event.outcome()
            && let Some(place) = taken.get_mut(at.node.index())
        {
            *place = Some((leader.0, *term));
        }
    }
    taken
}

/// Returns the coordinator that each live node of a live run has accepted.
pub(super) fn taken_live(stage: &Stage, dead: &[u32]) -> Vec<Option<u32>> {
    let nodes = stage.state().nodes.into_iter().filter(|node| !dead.contains(&node.node.0));
    nodes.map(|node| node.leader.map(|leader| leader.leader.0)).collect()
}
