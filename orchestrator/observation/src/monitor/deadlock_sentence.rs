//! What is wrong about deadlocks, in plain words.

use interlock_algorithm::{LockId, NodeId, RequestId};
use serde::Deserialize;

use super::phrases::{arguments, names};
use super::{capacity, deadlocks, livelock};
use crate::state::WaitEdge;
use interlock_model::event::Violation;

/// The four conditions that are necessary for a deadlock (Coffman, Elphick and Shoshani 1971).
const CONDITIONS: &str = "one at a time has a lock, each keeps what it has while it waits, nothing is taken away, and \
                          they wait in a circle";

#[derive(Deserialize)]
struct Circle {
    circle: Vec<WaitEdge>,
}

#[derive(Deserialize)]
struct Report {
    node: NodeId,
    cycle: Vec<NodeId>,
    victim: NodeId,
    #[serde(default)]
    gave_up: Vec<NodeId>,
}

#[derive(Deserialize)]
struct Aborts {
    aborts: u64,
    nodes: Vec<NodeId>,
}

#[derive(Deserialize)]
struct Tried {
    node: NodeId,
    request: RequestId,
    aborts: u64,
    passed: u64,
}

#[derive(Deserialize)]
struct Overdrawn {
    lock: LockId,
    units: u32,
    taken: u64,
}

/// What a violation means, if it is one of these.
pub(super) fn of(violation: &Violation) -> Option<String> {
    match &*violation.code {
        deadlocks::CYCLE => arguments(violation)
            .map(|Circle { circle }| format!("Deadlock: {}. All four conditions hold: {CONDITIONS}.", waits(&circle))),
        deadlocks::PHANTOM => arguments(violation).map(|Report { node, cycle, victim, gave_up }| {
            let circle = names(&cycle);
            let why = if gave_up.is_empty() { String::new() } else { format!(": {} had given up", names(&gave_up)) };
            format!(
                "{node} reports a deadlock of {circle} that never was, and {victim} is to give up for nothing{why}."
            )
        }),
        deadlocks::LATE => arguments(violation).map(|Report { node, cycle, victim, .. }| {
            let circle = names(&cycle);
            format!("{node} reports a deadlock of {circle} that was broken already, and {victim} is to give up, too.")
        }),
        livelock::LIVELOCK => arguments(violation).map(|Aborts { aborts, nodes }| {
            let whose = names(&nodes);
            format!("Livelock: requests of {whose} were aborted {aborts} times, and none was done with meanwhile.")
        }),
        livelock::STARVATION => arguments(violation).map(|Tried { node, request, aborts, passed }| {
            format!(
                "{node} starves: its request {request} was aborted {aborts} times while {passed} others were done with."
            )
        }),
        capacity::TOO_MANY => arguments(violation).map(|Overdrawn { lock, units, taken }| {
            format!("{taken} units of lock {lock} were taken at the same time, and there are {units}.")
        }),
        _ => None,
    }
}

/// The waits of a cycle, as a list.
pub(super) fn waits(cycle: &[WaitEdge]) -> String {
    cycle.iter().map(wait).collect::<Vec<_>>().join("; ")
}

fn wait(WaitEdge { node, lock, on }: &WaitEdge) -> String {
    format!("{node} waits for lock {lock}, which {on} has")
}
