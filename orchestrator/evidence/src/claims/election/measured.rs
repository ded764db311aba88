//! What an election has come to.

use interlock_algorithm::NodeId;
use serde_json::{Value, json};

use super::super::live::Stage;
use super::super::simulated::{at, idle, metrics, run, scripted};
use super::CouldNotRun;
use interlock_model::choice::Choice;
use interlock_model::event::What;
use interlock_model::specification::Scripted;
use interlock_simulation::simulation::{Report, Simulation, Watch};

/// Nobody calls an election by itself; a message takes one unit.
pub(super) fn quiet(algorithm: &str, nodes: u32) -> Value {
    let mut document = idle(algorithm, nodes);
    document["parameters"] = json!({ "initiators": "none" });
    document
}

/// Everybody calls an election at the start, in a ring of this arrangement.
pub(super) fn all_start(algorithm: &str, nodes: u32, ring: &str) -> Value {
    let mut document = idle(algorithm, nodes);
    document["parameters"] = json!({ "initiators": "all", "ring": ring });
    document
}

/// At this time, in units, a node calls an election.
pub(super) const fn elect(at: u64, node: u32) -> Scripted {
    self::at(at, Choice::Elect { node: NodeId(node) })
}

/// At this time, in units, a process dies.
pub(super) const fn crash(at: u64, node: u32) -> Scripted {
    self::at(at, Choice::Crash { node: NodeId(node) })
}

/// What came of such a run, with its events.
///
/// # Errors
/// When there is no such run.
pub(super) fn played(document: Value, script: Vec<Scripted>) -> Result<Report, CouldNotRun> {
    run(&Simulation { watch: Watch::Events, ..scripted(document, script)? })
}

/// How many messages of these kinds were sent.
///
/// # Errors
/// When nobody measured.
pub(super) fn counts<const K: usize>(report: &Report, kinds: [&str; K]) -> Result<[u64; K], CouldNotRun> {
    let sent = &metrics(report)?.messages_by_kind;
    Ok(kinds.map(|kind| sent.get(kind).copied().unwrap_or_default()))
}

/// Whom each node took for the coordinator last, and of which term, if the events were kept.
pub(super) fn taken(report: &Report, nodes: u32) -> Vec<Option<(u32, u64)>> {
    let mut taken: Vec<_> = (0..nodes).map(|_| None).collect();
    for event in &report.events {
        if let What::Elected { at, leader, term, .. } = event.what
            && let Some(place) = taken.get_mut(at.node.index())
        {
            *place = Some((leader.0, term));
        }
    }
    taken
}

/// Whom each living node of a live run takes for the coordinator.
pub(super) fn taken_live(stage: &Stage, dead: &[u32]) -> Vec<Option<u32>> {
    let nodes = stage.state().nodes.into_iter().filter(|node| !dead.contains(&node.node.0));
    nodes.map(|node| node.leader.map(|leader| leader.leader.0)).collect()
}
