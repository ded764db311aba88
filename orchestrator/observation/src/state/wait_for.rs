//! The true wait-for graph. The stream of events shows it, but no process sees it.
//!
//! If a process has requested a lock, has not been granted it, and no unit of it is free, the process waits for the
//! holders. If each lock has one unit, a cycle of waits is a deadlock, and every deadlock is a cycle. If a lock has
//! several units, release by one of the holders is enough, so a cycle alone is not a deadlock. The graph is therefore
//! reduced first (Holt 1972, "Some Deadlock Properties of Computer Systems", ACM Computing Surveys 4(3)). Reduction
//! removes every process that could still finish and release its locks.
//!
//! A process that holds one lock and waits for a second does not always keep the first until it gets the second. Two
//! requests that were ordered separately do not depend on each other (see [`Bond`]). Then there is no *hold and
//! wait*.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use interlock_algorithm::{FlatMap, LockId, NodeId, RequestId};
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
    /// The lock that it waits for.
    pub lock: LockId,
    /// The holder of the lock.
    pub on: NodeId,
}

/// The group of claims to which a claim belongs. A node keeps the claims of one group until all of them are
/// granted. Only within a group does it keep what it has while it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bond {
    /// The number of the request.
    pub request: RequestId,
    /// Whether a command ordered the client to make the request. The requests that it makes by itself are rounds
    /// of one lock after another.
    pub ordered: bool,
}

impl Bond {
    /// Returns the bond of a request made in the step `at`, where `ordered` is the latest step that followed an
    /// order.
    #[must_use]
    pub fn new(request: RequestId, at: StepId, ordered: Option<StepId>) -> Self {
        Self { request, ordered: ordered == Some(at) }
    }

    /// Returns whether two claims of a node belong together. Claims of one request, such as a transaction, belong
    /// together, and so do claims of one round. Claims that were ordered separately are released separately.
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
    /// The event of the request.
    seq: u64,
}

/// A node that has a unit of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Holder {
    node: NodeId,
    bond: Bond,
}

impl Holder {
    /// Returns whether the node keeps this unit until the wish is granted.
    fn keeps_until(&self, wish: &Wish) -> bool {
        self.node == wish.node && self.bond.ties(wish.bond)
    }
}

/// The wait-for graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitForGraph {
    capacities: Capacities,
    /// The latest step that followed an order.
    ordered: Option<StepId>,
    wishes: FlatMap<NodeId, Vec<Wish>>,
    /// One entry for each unit that is taken.
    holders: FlatMap<LockId, Vec<Holder>>,
}

impl WaitForGraph {
    /// Returns the graph of a run before its first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let capacities = Capacities::of(specification);
        Self { capacities, ordered: None, wishes: FlatMap::new(), holders: FlatMap::new() }
    }

    /// Processes the next event, and returns whether it may have added an edge.
    pub fn apply(&mut self, event: &Event) -> bool {
        match &event.what {
            What::Commanded { at, .. } => self.ordered = Some(*at),
            What::Requested { at, lock, request } => {
                let bond = Bond::new(*request, *at, self.ordered);
                let wish = Wish { node: at.node, lock: *lock, bond, seq: event.seq };
                self.wishes.entry(at.node).or_default().push(wish);
                return true;
            }
            What::Entered { at, lock, request, .. } => {
                self.enter(at.node, *lock, *request);
                return true;
            }
            What::Exited { at, lock, request } => self.left(*lock, at.node, *request),
            What::Expired { lock, holder, request, .. } => self.left(*lock, *holder, *request),
            What::Aborted { at, request, .. } => self.forget_wishes(at.node, |wish| wish.bond.request == *request),
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

    /// Returns the edges from a node to those for which it waits.
    pub fn edges_of(&self, node: NodeId) -> impl Iterator<Item = WaitEdge> + '_ {
        self.wishes_of(node).iter().flat_map(|wish| self.waits(wish)).map(|(edge, _)| edge)
    }

    /// Returns the edges of a wish, each with the other node's unit for which the wish waits.
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

    /// Returns whether each of these nodes waits for the next, and the last for the first.
    #[must_use]
    pub fn wait_in_circle(&self, nodes: &[NodeId]) -> bool {
        let next = nodes.iter().cycle().skip(1);
        !nodes.is_empty()
            && nodes.iter().zip(next).all(|(node, next)| self.edges_of(*node).any(|edge| edge.on == *next))
    }

    /// Returns the event of a node's oldest request that has not been granted.
    #[must_use]
    pub fn waits_since(&self, node: NodeId) -> Option<u64> {
        self.wishes_of(node).iter().map(|wish| wish.seq).min()
    }

    /// Returns the events of the requests that form a cycle.
    #[must_use]
    pub fn asked(&self, circle: &[WaitEdge]) -> Vec<u64> {
        let asked =
            |edge: &WaitEdge| self.wishes_of(edge.node).iter().find(|wish| wish.lock == edge.lock).map(|wish| wish.seq);
        circle.iter().filter_map(asked).collect()
    }

    /// Returns a deadlock that includes this node, or `None` if there is none. It is a shortest cycle of nodes that
    /// keep their locks while they wait, and that cannot all make progress.
    #[must_use]
    pub fn deadlock_of(&self, node: NodeId) -> Option<Vec<WaitEdge>> {
        let wishes = self.wishes.get(&node)?;
        let stuck = if self.capacities.are_exclusive() { None } else { Some(self.irreducible()) };
        let counts = |wish: &Wish| stuck.as_ref().is_none_or(|stuck| stuck.contains(&wish.seq));
        let circles = wishes.iter().filter(|wish| counts(wish)).filter_map(|wish| self.circle_of(wish, &counts));
        circles.min_by_key(Vec::len)
    }

    /// Returns a shortest cycle through a wish. Its path leads from a wish to a holder of the lock, and from there
    /// to a wish until which the holder keeps that lock.
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

    /// Returns the wishes that cannot be granted even if every node releases the units that it need not keep. A wish
    /// is given by the event of its request. A unit is released in the end unless a node that waits forever keeps it.
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

/// Returns the cycle closed by an edge back to its first wish. Wishes are named by the events of their requests.
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

    /// Returns the nodes for which P1 waits when it wants one of the two units of lock 0, and `holders` have a
    /// unit each.
    fn waits_for(holders: &[u32]) -> Vec<NodeId> {
        let document = json!({ "algorithm": "banker", "nodes": 3, "parameters": { "existing": "2,1" } });
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        let mut graph = WaitForGraph::new(&draft.complete().expect("a run"));
        let (lock, request) = (LockId(0), RequestId(1));
        let mut apply = |seq, what| _ = graph.apply(&Event { seq, at_us: 0, what });
        for (seq, node) in (1..).zip(holders) {
            let at = StepId { node: NodeId(*node), incarnation: 1, step: seq };
            apply(seq, What::Entered { at, lock, request, fence: None });
        }
        let at = StepId { node: NodeId(1), incarnation: 1, step: 10 };
        apply(10, What::Requested { at, lock, request });
        graph.edges_of(NodeId(1)).map(|edge| edge.on).collect()
    }

    #[test]
    fn who_wants_a_unit_waits_for_the_others_who_have_one_if_none_is_free() {
        assert_eq!(waits_for(&[0]), []);
        assert_eq!(waits_for(&[0, 2]), [0, 2].map(NodeId));
        assert_eq!(waits_for(&[0, 1]), [NodeId(0)], "and not for itself");
    }
}
