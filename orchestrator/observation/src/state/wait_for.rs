//! The true wait-for graph. It is computed from the events; no process can see it.
//!
//! A process waits for the holders of a lock if its request has not been granted and no unit of the lock is free. If
//! each lock has one unit, every cycle of waits is a deadlock, and every deadlock contains a cycle. If a lock has
//! several units, the wait ends when any one of the holders releases its unit. A cycle alone is then not a deadlock,
//! so the graph is first reduced (Holt 1972, "Some Deadlock Properties of Computer Systems", ACM Computing Surveys
//! 4(3)). Reduction removes every process that could still finish and release its locks.
//!
//! A process that holds one lock and waits for a second does not always keep the first until the second is granted.
//! If the two requests were ordered separately, they do not depend on each other (see [`Bond`]). The condition
//! *hold and wait* then does not hold.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome, RequestId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Capacities;
use interlock_model::event::{Event, StepId, What};
use interlock_model::specification::Specification;

/// An edge of the wait-for graph: one node waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct WaitEdge {
    /// The waiting node.
    pub node: NodeId,
    /// The lock for which the node waits.
    pub lock: LockId,
    /// The holder of the lock.
    pub on: NodeId,
}

/// Identifies the claims of a node that are tied together. While a node waits for a claim, it keeps the locks of
/// the claims that are tied to the awaited claim. It does not keep its other locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bond {
    /// The number of the request.
    pub request: RequestId,
    /// Whether the client made the request because a command ordered it to. The requests that a client makes by itself
    /// belong to rounds, in which it acquires one lock after another.
    pub ordered: bool,
}

impl Bond {
    /// Returns the bond of a request that was made in the step `at`. `ordered` is the latest step whose input was an
    /// order.
    #[must_use]
    pub fn new(request: RequestId, at: StepId, ordered: Option<StepId>) -> Self {
        Self { request, ordered: ordered == Some(at) }
    }

    /// Returns whether two claims of a node are tied together. Claims of one request, such as a transaction, are
    /// tied together, and so are claims of one round. Claims that were ordered separately are not tied together:
    /// their locks are released separately.
    #[must_use]
    pub fn ties(self, other: Self) -> bool {
        self.request == other.request || !(self.ordered || other.ordered)
    }
}

/// A request that has not been granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wish {
    node: NodeId,
    lock: LockId,
    bond: Bond,
    /// The `seq` of the event that reported the request.
    seq: u64,
}

/// A node that holds a unit of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Holder {
    node: NodeId,
    bond: Bond,
}

impl Holder {
    /// Returns whether the node keeps this unit until `wish`, a request of the same node, is granted.
    fn keeps_until(&self, wish: &Wish) -> bool {
        self.node == wish.node && self.bond.ties(wish.bond)
    }
}

/// The wait-for graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitForGraph {
    capacities: Capacities,
    /// The latest step whose input was an order.
    ordered: Option<StepId>,
    wishes: FlatMap<NodeId, Vec<Wish>>,
    /// The holders of each lock, with one entry for each unit that is taken.
    holders: FlatMap<LockId, Vec<Holder>>,
}

impl WaitForGraph {
    /// Returns the graph of a run before its first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let capacities = Capacities::of(specification);
        Self { capacities, ordered: None, wishes: FlatMap::new(), holders: FlatMap::new() }
    }

    /// Processes the next event. Returns whether the event may have added an edge.
    pub fn apply(&mut self, event: &Event) -> bool {
        match &event.what {
            What::Commanded { at, .. } => self.ordered = Some(*at),
            What::Outcome { at, outcome } => match outcome {
                Outcome::Requested { lock, request, .. } => {
                    let bond = Bond::new(*request, *at, self.ordered);
                    let wish = Wish { node: at.node, lock: *lock, bond, seq: event.seq };
                    self.wishes.entry(at.node).or_default().push(wish);
                    return true;
                }
                Outcome::Entered { lock, request, .. } => {
                    self.enter(at.node, *lock, *request);
                    return true;
                }
                Outcome::Exited { lock, request } => self.left(*lock, at.node, *request),
                Outcome::Expired { lock, holder, request } => self.left(*lock, *holder, *request),
                Outcome::Aborted { request, .. } => self.forget_wishes(at.node, |wish| wish.bond.request == *request),
                _ => {}
            },
            What::Crashed { node, .. } => {
                self.wishes.remove(node);
                self.holders.values_mut().for_each(|holders| holders.retain(|holder| holder.node != *node));
            }
            _ => {}
        }
        false
    }

    fn enter(&mut self, node: NodeId, lock: LockId, request: RequestId) {
        let is_granted = |wish: &Wish| (wish.lock, wish.bond.request) == (lock, request);
        let granted = self.wishes_of(node).iter().find(|wish| is_granted(wish)).map(|wish| wish.bond);
        self.forget_wishes(node, is_granted);
        let bond = granted.unwrap_or(Bond { request, ordered: false });
        self.holders.entry(lock).or_default().push(Holder { node, bond });
    }

    fn forget_wishes(&mut self, node: NodeId, over: impl Fn(&Wish) -> bool) {
        if let Some(wishes) = self.wishes.get_mut(&node) {
            wishes.retain(|wish| !over(wish));
            if wishes.is_empty() {
                self.wishes.remove(&node);
            }
        }
    }

    fn left(&mut self, lock: LockId, node: NodeId, request: RequestId) {
        if let Some(holders) = self.holders.get_mut(&lock)
            && let Some(place) = holders.iter().position(|holder| (holder.node, holder.bond.request) == (node, request))
        {
            holders.swap_remove(place);
        }
    }

    fn wishes_of(&self, node: NodeId) -> &[Wish] {
        self.wishes.get(&node).map_or(&[], Vec::as_slice)
    }

    fn holders_of(&self, lock: LockId) -> &[Holder] {
        self.holders.get(&lock).map_or(&[], Vec::as_slice)
    }

    /// Returns the edges from a node to the nodes for which it waits.
    pub fn edges_of(&self, node: NodeId) -> impl Iterator<Item = WaitEdge> + '_ {
        self.wishes_of(node).iter().flat_map(|wish| self.waits(wish)).map(|(edge, _)| edge)
    }

    /// Returns the edges of a wish: one edge for each unit of the lock that another node holds. Each edge comes
    /// with the holder of the unit.
    fn waits<'a>(&'a self, wish: &'a Wish) -> impl Iterator<Item = (WaitEdge, &'a Holder)> + 'a {
        let holders = self.holders_of(wish.lock);
        let full = holders.len() >= self.capacities.of_lock(wish.lock) as usize;
        let others = holders.iter().filter(move |holder| full && holder.node != wish.node);
        others.map(|holder| (WaitEdge { node: wish.node, lock: wish.lock, on: holder.node }, holder))
    }

    /// Returns whether this edge still exists.
    #[must_use]
    pub fn stands(&self, edge: WaitEdge) -> bool {
        self.edges_of(edge.node).any(|other| other == edge)
    }

    /// Returns whether these nodes form a cycle: each waits for the next one in the list, and the last waits for the
    /// first.
    #[must_use]
    pub fn wait_in_circle(&self, nodes: &[NodeId]) -> bool {
        let next = nodes.iter().cycle().skip(1);
        !nodes.is_empty()
            && nodes.iter().zip(next).all(|(node, next)| self.edges_of(*node).any(|edge| edge.on == *next))
    }

    /// Returns the event with which a node made its oldest request that has not been granted.
    #[must_use]
    pub fn waits_since(&self, node: NodeId) -> Option<u64> {
        self.wishes_of(node).iter().map(|wish| wish.seq).min()
    }

    /// Returns the events with which the nodes of a cycle made the requests that form the cycle.
    #[must_use]
    pub fn asked(&self, circle: &[WaitEdge]) -> Vec<u64> {
        let asked =
            |edge: &WaitEdge| self.wishes_of(edge.node).iter().find(|wish| wish.lock == edge.lock).map(|wish| wish.seq);
        circle.iter().filter_map(asked).collect()
    }

    /// Returns a deadlock that includes this node, or `None` if there is none. The result is a shortest cycle of waits
    /// in which each node keeps its lock while it waits. No node of the cycle can make progress.
    #[must_use]
    pub fn deadlock_of(&self, node: NodeId) -> Option<Vec<WaitEdge>> {
        let wishes = self.wishes.get(&node)?;
        let stuck = if self.capacities.are_exclusive() { None } else { Some(self.irreducible()) };
        let counts = |wish: &Wish| stuck.as_ref().is_none_or(|stuck| stuck.contains(&wish.seq));
        let circles = wishes.iter().filter(|wish| counts(wish)).filter_map(|wish| self.circle_of(wish, &counts));
        circles.min_by_key(Vec::len)
    }

    /// Returns a shortest cycle through a wish. A path leads from a wish to a holder of its lock. From this holder it
    /// continues with a wish for which the holder keeps that lock.
    fn circle_of(&self, wish: &Wish, counts: &impl Fn(&Wish) -> bool) -> Option<Vec<WaitEdge>> {
        let mut came_by = BTreeMap::<u64, (WaitEdge, u64)>::new();
        let mut ahead = VecDeque::from([wish]);
        while let Some(at) = ahead.pop_front() {
            for (edge, holder) in self.waits(at) {
                for next in self.wishes_of(holder.node).iter().filter(|next| holder.keeps_until(next) && counts(next)) {
                    if next.seq == wish.seq {
                        return Some(way_back(&came_by, wish.seq, (edge, at.seq)));
                    }
                    if let Entry::Vacant(new) = came_by.entry(next.seq) {
                        new.insert((edge, at.seq));
                        ahead.push_back(next);
                    }
                }
            }
        }
        None
    }

    /// Reduces the graph, and returns the wishes that can never be granted. All nodes are assumed to release each
    /// unit, unless they must keep the unit for a wish that can never be granted. Wishes are identified by the
    /// events of their requests.
    fn irreducible(&self) -> BTreeSet<u64> {
        let mut left: BTreeSet<u64> = self.wishes.values().flatten().map(|wish| wish.seq).collect();
        loop {
            let is_kept = |holder: &&Holder| {
                let mut wishes = self.wishes_of(holder.node).iter();
                wishes.any(|wish| left.contains(&wish.seq) && holder.keeps_until(wish))
            };
            let can_go_on = |wish: &&Wish| {
                let kept = self.holders_of(wish.lock).iter().filter(is_kept).count();
                left.contains(&wish.seq) && kept < self.capacities.of_lock(wish.lock) as usize
            };
            let gone: Vec<u64> = self.wishes.values().flatten().filter(can_go_on).map(|wish| wish.seq).collect();
            if gone.is_empty() {
                return left;
            }
            left.retain(|wish| !gone.contains(wish));
        }
    }
}

/// Returns the cycle that ends with the edge `last`, which leads back to the first wish. Wishes are identified by the
/// events of their requests.
fn way_back(came_by: &BTreeMap<u64, (WaitEdge, u64)>, begin: u64, last: (WaitEdge, u64)) -> Vec<WaitEdge> {
    let mut circle = vec![last.0];
    let mut at = last.1;
    while at != begin {
        let Some(&(edge, from)) = came_by.get(&at) else { break };
        circle.push(edge);
        at = from;
    }
    circle.reverse();
    circle
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use interlock_model::specification::Draft;

    /// Lock 0 has two units. P1 wants a unit, and each of `holders` holds one. Returns the nodes for which P1 waits.
    fn waits_for(holders: &[u32]) -> Vec<NodeId> {
        let document = json!({ "algorithm": "banker", "nodes": 3, "parameters": { "existing": "2,1" } });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        let mut graph = WaitForGraph::new(&draft.complete().expect("a run"));
        let (lock, request) = (LockId(0), RequestId(1));
        let mut apply = |seq, what| _ = graph.apply(&Event { seq, at_us: 0, what });
        for (seq, node) in (1..).zip(holders) {
            let at = StepId { node: NodeId(*node), incarnation: 1, step: seq };
            apply(seq, What::Outcome { at, outcome: Outcome::Entered { lock, request, fence: None } });
        }
        let at = StepId { node: NodeId(1), incarnation: 1, step: 10 };
        apply(10, What::Outcome { at, outcome: Outcome::requested(lock, request) });
        graph.edges_of(NodeId(1)).map(|edge| edge.on).collect()
    }

    /// Each of the three processes has one lock. In `wishes`, each process comes with a lock that it also wants. Returns
    /// the graph.
    fn circle(wishes: &[(u32, u32)]) -> WaitForGraph {
        let document = json!({ "algorithm": "prevention", "variant": "none", "nodes": 3, "locks": 3 });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        let mut graph = WaitForGraph::new(&draft.complete().expect("a run"));
        let request = RequestId(1);
        let mut apply = |seq, node, outcome| {
            let at = StepId { node: NodeId(node), incarnation: 1, step: seq };
            graph.apply(&Event { seq, at_us: 0, what: What::Outcome { at, outcome } });
        };
        for node in 0..3 {
            apply(1, node, Outcome::requested(LockId(node), request));
            apply(2, node, Outcome::Entered { lock: LockId(node), request, fence: None });
        }
        for &(node, lock) in wishes {
            apply(3, node, Outcome::requested(LockId(lock), request));
        }
        graph
    }

    #[test]
    fn nodes_wait_in_a_circle_if_each_waits_for_the_next_and_the_last_for_the_first() {
        let waits = |wishes: &[(u32, u32)], nodes: &[u32]| {
            let nodes: Vec<NodeId> = nodes.iter().copied().map(NodeId).collect();
            circle(wishes).wait_in_circle(&nodes)
        };
        let all = [(0, 1), (1, 2), (2, 0)];
        assert!(waits(&all, &[0, 1, 2]) && waits(&all, &[2, 0, 1]));
        assert!(!waits(&all, &[2, 1, 0]), "the other way round");
        assert!(!waits(&all[..2], &[0, 1, 2]), "P2 waits for nobody");
        assert!(!waits(&all, &[0, 1]) && !waits(&all, &[]));
        let both = [(0, 1), (0, 2), (1, 0), (2, 0)];
        assert!(waits(&both, &[0, 1]) && waits(&both, &[0, 2]), "P0 is in two circles");
    }

    #[test]
    fn who_wants_a_unit_waits_for_the_others_who_have_one_if_none_is_free() {
        assert_eq!(waits_for(&[0]), []);
        assert_eq!(waits_for(&[0, 2]), [0, 2].map(NodeId));
        assert_eq!(waits_for(&[0, 1]), [NodeId(0)], "and not for itself");
    }
}
