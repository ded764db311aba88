//! A cycle of waits in the state of a run: each process waits for a lock that the next process holds.
//!
//! Such a cycle is not always a deadlock, because a process may release one lock while it waits for another. To
//! recognise deadlocks, [`WaitForGraph`](super::WaitForGraph) considers how the requests were made; this module
//! does not. Suppose that nothing moves by itself, but a manual release of one of the locks would help. Then the
//! verdict names this cycle.

use std::collections::VecDeque;

use interlock_algorithm::{FlatMap, NodeId};

use super::lock::Locks;
use super::wait_for::WaitEdge;

/// Returns a shortest cycle of waits, in order, or an empty list if there is no cycle. Each lock must have at most one
/// holder.
pub(super) fn wait_cycle(locks: &Locks) -> Vec<WaitEdge> {
    shortest_cycle(&edges(locks))
}

/// Returns a shortest cycle of waits, in order, or an empty list if no cycle exists. `edges` contains the waits of each
/// waiting node.
pub(crate) fn shortest_cycle(edges: &FlatMap<NodeId, Vec<WaitEdge>>) -> Vec<WaitEdge> {
    let cycles = edges.keys().filter_map(|&start| cycle_through(start, edges));
    cycles.min_by_key(Vec::len).unwrap_or_default()
}

fn edges(locks: &Locks) -> FlatMap<NodeId, Vec<WaitEdge>> {
    let mut edges = FlatMap::<NodeId, Vec<WaitEdge>>::new();
    for (lock, state) in locks.iter() {
        let Some(&on) = state.holders.first() else { continue };
        for waiting in state.waiting.iter().filter(|waiting| waiting.node != on) {
            edges.entry(waiting.node).or_default().push(WaitEdge { node: waiting.node, lock, on });
        }
    }
    edges
}

/// Returns a shortest path of waits from a process back to the same process.
fn cycle_through(start: NodeId, edges: &FlatMap<NodeId, Vec<WaitEdge>>) -> Option<Vec<WaitEdge>> {
    let mut came_by = FlatMap::<NodeId, WaitEdge>::new();
    let mut ahead = VecDeque::from([start]);
    while let Some(node) = ahead.pop_front() {
        for &edge in edges.get(&node).into_iter().flatten() {
            if came_by.contains_key(&edge.on) {
                continue;
            }
            came_by.insert(edge.on, edge);
            if edge.on == start {
                return Some(back_from(start, &came_by));
            }
            ahead.push_back(edge.on);
        }
    }
    None
}

fn back_from(start: NodeId, came_by: &FlatMap<NodeId, WaitEdge>) -> Vec<WaitEdge> {
    let mut cycle = Vec::new();
    let mut at = start;
    while let Some(&edge) = came_by.get(&at) {
        cycle.push(edge);
        at = edge.node;
        if at == start {
            break;
        }
    }
    cycle.reverse();
    cycle
}
