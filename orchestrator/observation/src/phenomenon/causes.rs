//! The cause of a standstill: a cycle of waits, a lost token, a lost message or a crashed process.
//!
//! A process waits for the processes that its view names, or else for the holders of the lock. If such a process has
//! given its vote to a third one, the wait is for the third: in Maekawa's algorithm, a process waits for the process
//! that an arbiter has locked. These waits are only examined while nothing moves, so a cycle of them is a deadlock.

use std::collections::BTreeMap;
use std::iter;

use interlock_algorithm::view::Value;
use interlock_algorithm::{FlatMap, LockId, NodeId, View};

use super::{Phenomenon, PhenomenonDocument};
use crate::state::{State, WaitEdge, Waiting, shortest_cycle};
use interlock_model::process_status::ProcessStatus;

/// Variables that name the process to which a node has given its vote, its permission or its token.
const GIVEN_TO: [&str; 3] = ["locked_for", "CSSTAT", "holder"];

/// Returns the phenomenon of a run in which nothing can move.
pub(super) fn cause_of_standstill(state: &State) -> PhenomenonDocument {
    let waiting: Vec<Waiting> = state.locks().iter().flat_map(|(_, lock)| lock.waiting.iter().copied()).collect();
    if let Some(lost) = waiting.iter().find(|waiting| state.tokens().is_lost(waiting.lock)) {
        let message = state.tokens().lost_with(lost.lock);
        return PhenomenonDocument { message, ..found(Phenomenon::TokenLost, [lost.node]) };
    }
    let views = Views::of(state);
    let waits: Vec<Wait> = waiting.iter().flat_map(|waiting| views.waits_of(waiting)).collect();
    let mut edges = FlatMap::<NodeId, Vec<WaitEdge>>::new();
    for wait in waits.iter().filter(|wait| wait.obstacle.is_none()) {
        edges.entry(wait.edge.node).or_default().push(wait.edge);
    }
    let cycle = shortest_cycle(&edges);
    if !cycle.is_empty() {
        return found(cause_of_cycle(state, &cycle), cycle.iter().map(|edge| edge.node));
    }
    if let Some((name, WaitEdge { node, .. })) = waits.iter().find_map(|wait| Some((wait.obstacle?, wait.edge))) {
        // All processes from which no answer can come, because each of them would need help.
        let awaited = waits.iter().filter(|wait| wait.edge.node == node && wait.obstacle == Some(name));
        return found(name, iter::once(node).chain(awaited.map(|wait| wait.edge.on)));
    }
    // No view names the awaited process: the algorithm broadcasts its requests, or the view is unknown.
    if let Some(waiting) = waiting.iter().find(|waiting| state.has_lost(waiting.node, None, waiting.since_us)) {
        return found(Phenomenon::MessageLost, [waiting.node]);
    }
    let nodes = (0..).map(NodeId).zip(state.nodes());
    let crashed: Vec<NodeId> =
        nodes.filter(|(_, node)| node.process == ProcessStatus::Crashed).map(|(id, _)| id).collect();
    let waiting = waiting.iter().map(|waiting| waiting.node);
    if crashed.is_empty() {
        return found(Phenomenon::Standstill, waiting);
    }
    found(Phenomenon::ProcessCrashed, waiting.take(1).chain(crashed))
}

/// Returns the phenomenon that a cycle of waits shows. If a member has ever missed a message or crashed, a vote may still
/// be given to a request that has ended, so the cycle does not prove a deadlock.
fn cause_of_cycle(state: &State, cycle: &[WaitEdge]) -> Phenomenon {
    let mut members = cycle.iter().map(|edge| edge.node);
    if members.clone().any(|node| state.has_lost(node, None, 0)) {
        Phenomenon::MessageLost
    } else if members.any(|node| state.node(node).is_some_and(|node| node.incarnation > 1)) {
        Phenomenon::ProcessCrashed
    } else {
        Phenomenon::Deadlock
    }
}

fn found(name: Phenomenon, nodes: impl IntoIterator<Item = NodeId>) -> PhenomenonDocument {
    let mut named: Vec<NodeId> = Vec::new();
    for node in nodes {
        if !named.contains(&node) {
            named.push(node);
        }
    }
    PhenomenonDocument::new(name, named)
}

fn is_crashed(state: &State, node: NodeId) -> bool {
    state.node(node).is_some_and(|node| node.process == ProcessStatus::Crashed)
}

/// A wait of one process for another.
struct Wait {
    edge: WaitEdge,
    /// Why the awaited process can never end the wait, if it cannot: it has crashed, or a message was lost.
    obstacle: Option<Phenomenon>,
}

/// The views of all nodes.
struct Views<'a> {
    state: &'a State,
    views: BTreeMap<NodeId, View>,
}

impl<'a> Views<'a> {
    /// Reads the views. The view of a program that is not ours may have any form. If it cannot be read, it is absent.
    fn of(state: &'a State) -> Self {
        let read = |view: &str| serde_json::from_str::<View>(view).ok();
        let nodes = (0..).map(NodeId).zip(state.nodes());
        let views = nodes.filter_map(|(id, node)| Some((id, read(node.view.as_ref()?.as_str())?))).collect();
        Self { state, views }
    }

    /// Returns the view of a node for one lock.
    fn of_node(&self, node: NodeId, lock: LockId) -> Option<&View> {
        let view = self.views.get(&node)?;
        usize::try_from(lock.0).ok().and_then(|lock| view.locks.get(lock)).or(Some(view))
    }

    /// Returns the waits of a process for a lock.
    fn waits_of(&self, waiting: &Waiting) -> Vec<Wait> {
        let Waiting { node, lock, .. } = *waiting;
        let named = self.of_node(node, lock).map_or(&[][..], |view| &view.waits_for);
        // A process waits for itself only if it has given its own vote to another process.
        let mut on: Vec<NodeId> = named
            .iter()
            .copied()
            .filter(|&on| on != node || self.given_to(on, lock).is_some_and(|to| to != node))
            .collect();
        if on.is_empty() {
            let holders = self.state.locks().find(lock).map_or(&[][..], |lock| &lock.holders);
            on.extend(holders.iter().copied().chain(self.state.tokens().holder(lock)).filter(|&on| on != node));
        }
        on.into_iter().filter_map(|on| self.wait(waiting, on)).collect()
    }

    /// Returns the wait of a process for an answer from `on`, or `None` if `on` has already given its vote to the
    /// process.
    fn wait(&self, waiting: &Waiting, on: NodeId) -> Option<Wait> {
        let Waiting { node, lock, since_us, .. } = *waiting;
        let wait = |on, obstacle| Some(Wait { edge: WaitEdge { node, lock, on }, obstacle });
        match (self.obstacle(node, on, since_us), self.given_to(on, lock)) {
            (Some(obstacle), _) => wait(on, Some(obstacle)),
            (None, Some(to)) if to == node => None,
            (None, Some(to)) => wait(to, self.obstacle(on, to, since_us)),
            (None, None) => wait(on, None),
        }
    }

    /// Returns why no answer can come from `on` to `node`, if none can.
    fn obstacle(&self, node: NodeId, on: NodeId, since_us: u64) -> Option<Phenomenon> {
        if is_crashed(self.state, on) {
            return Some(Phenomenon::ProcessCrashed);
        }
        let is_lost = node != on && self.state.has_lost(node, Some(on), since_us);
        is_lost.then_some(Phenomenon::MessageLost)
    }

    /// Returns the process to which a node has given its vote for a lock.
    fn given_to(&self, node: NodeId, lock: LockId) -> Option<NodeId> {
        let variables = &self.of_node(node, lock)?.variables;
        let given = GIVEN_TO.iter().find_map(|name| variables.iter().find(|(key, _)| *key == name));
        let given = given.map(|(_, value)| value).or_else(|| variables.get(&format!("holder of {lock}")));
        match given {
            Some(Value::Number(node)) => u32::try_from(*node).ok().map(NodeId),
            _ => None,
        }
    }
}
