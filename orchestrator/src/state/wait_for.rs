//! Who waits for whom: the true wait-for graph, which no process sees and the stream of events tells.
//!
//! Who has asked for a lock and not got it waits for those who have it, if no unit of it is free. With one unit of each
//! lock, a circle of waits is a deadlock, and every deadlock is a circle. With several units it suffices that one of the
//! holders gives one back, so a circle alone is none: whoever could still finish, and give back what it has, is reduced
//! away first (Holt 1972, "Some Deadlock Properties of Computer Systems", ACM Computing Surveys 4(3)).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use interlock_algorithm::{Algorithm, LockId, NodeId, RequestId, Visitor, catalogue};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::event::{Event, What};
use crate::specification::Specification;

/// One waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct WaitEdge {
    /// Who waits.
    #[schema(value_type = u32)]
    pub node: NodeId,
    /// For which lock.
    #[schema(value_type = u32)]
    pub lock: LockId,
    /// Who has it.
    #[schema(value_type = u32)]
    pub on: NodeId,
}

/// Something wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wish {
    lock: LockId,
    request: RequestId,
    /// The event that says so.
    seq: u64,
}

/// How many may be in the section of each lock at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capacities(Vec<u32>);

impl Capacities {
    /// Those of a run; one each if its algorithm cannot be configured so.
    #[must_use]
    pub fn of(specification: &Specification) -> Self {
        struct Ask(u32);
        impl Visitor for Ask {
            type Output = Vec<u32>;
            fn visit<A: Algorithm>(self, setting: A::Setting) -> Vec<u32> {
                (0..self.0).map(|lock| A::capacity(&setting, LockId(lock))).collect()
            }
        }
        Self(catalogue::instantiate(&specification.configuration(), Ask(specification.locks)).unwrap_or_default())
    }

    /// How many may be in the section of this lock.
    #[must_use]
    pub fn of_lock(&self, lock: LockId) -> u32 {
        self.0.get(lock.0 as usize).copied().unwrap_or(1)
    }

    /// Whether only one may be.
    #[must_use]
    pub fn is_exclusive(&self, lock: LockId) -> bool {
        self.of_lock(lock) <= 1
    }

    /// Whether that is so of all.
    #[must_use]
    pub fn are_exclusive(&self) -> bool {
        self.0.iter().all(|&units| units <= 1)
    }
}

/// Who waits for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitForGraph {
    capacities: Capacities,
    wishes: BTreeMap<NodeId, Vec<Wish>>,
    /// A node for each unit that it has.
    holders: BTreeMap<LockId, Vec<(NodeId, RequestId)>>,
}

impl WaitForGraph {
    /// The graph of a run before its first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let capacities = Capacities::of(specification);
        Self { capacities, wishes: BTreeMap::new(), holders: BTreeMap::new() }
    }

    /// Takes the next event, and says whether somebody may wait for somebody new because of it.
    pub fn apply(&mut self, event: &Event) -> bool {
        match &event.what {
            What::Requested { at, lock, request } => {
                let wish = Wish { lock: *lock, request: *request, seq: event.seq };
                self.wishes.entry(at.node).or_default().push(wish);
                return true;
            }
            What::Entered { at, lock, request, .. } => {
                self.forget_wishes(at.node, |wish| (wish.lock, wish.request) == (*lock, *request));
                self.holders.entry(*lock).or_default().push((at.node, *request));
                return true;
            }
            What::Exited { at, lock, request } => self.left(*lock, at.node, *request),
            What::Expired { lock, holder, request, .. } => self.left(*lock, *holder, *request),
            What::Aborted { at, request, .. } => self.forget_wishes(at.node, |wish| wish.request == *request),
            What::Crashed { node, .. } => {
                self.wishes.remove(node);
                self.holders.values_mut().for_each(|holders| holders.retain(|(holder, _)| holder != node));
            }
            _ => {}
        }
        false
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
            && let Some(place) = holders.iter().position(|holder| *holder == (node, request))
        {
            holders.swap_remove(place);
        }
    }

    /// Who waits for whom, by who waits.
    #[must_use]
    pub fn edges(&self) -> Vec<WaitEdge> {
        self.wishes.keys().flat_map(|&node| self.edges_of(node)).collect()
    }

    /// For whom a node waits.
    pub fn edges_of(&self, node: NodeId) -> impl Iterator<Item = WaitEdge> + '_ {
        let wishes = self.wishes.get(&node).map_or(&[][..], Vec::as_slice);
        wishes.iter().flat_map(move |wish| {
            let holders = self.holders.get(&wish.lock).map_or(&[][..], Vec::as_slice);
            let full = holders.len() >= self.capacities.of_lock(wish.lock) as usize;
            let others = holders.iter().filter(move |(holder, _)| full && *holder != node);
            others.map(move |&(on, _)| WaitEdge { node, lock: wish.lock, on })
        })
    }

    /// Whether one still waits so for the other.
    #[must_use]
    pub fn stands(&self, edge: WaitEdge) -> bool {
        self.edges_of(edge.node).any(|other| other == edge)
    }

    /// The events in which those of a circle asked.
    #[must_use]
    pub fn asked(&self, circle: &[WaitEdge]) -> Vec<u64> {
        let asked = |edge: &WaitEdge| {
            self.wishes.get(&edge.node)?.iter().find(|wish| wish.lock == edge.lock).map(|wish| wish.seq)
        };
        circle.iter().filter_map(asked).collect()
    }

    /// A deadlock of which this node is part: a shortest circle of those who wait, and who cannot all go on.
    #[must_use]
    pub fn deadlock_of(&self, node: NodeId) -> Option<Vec<WaitEdge>> {
        self.wishes.get(&node)?;
        let stuck = if self.capacities.are_exclusive() { None } else { Some(self.irreducible()) };
        let counts = |node: NodeId| stuck.as_ref().is_none_or(|stuck| stuck.contains(&node));
        let mut came_by = BTreeMap::<NodeId, WaitEdge>::new();
        let mut ahead = VecDeque::from([node]);
        while let Some(at) = ahead.pop_front() {
            for edge in self.edges_of(at).filter(|edge| counts(edge.node) && counts(edge.on)) {
                if edge.on == node {
                    return Some(way_back(&came_by, node, edge));
                }
                if let Entry::Vacant(new) = came_by.entry(edge.on) {
                    new.insert(edge);
                    ahead.push_back(edge.on);
                }
            }
        }
        None
    }

    /// Those who wait and could not go on even if all others finished.
    fn irreducible(&self) -> BTreeSet<NodeId> {
        let mut left: BTreeSet<NodeId> = self.wishes.keys().copied().collect();
        loop {
            let can_go_on = |node: &NodeId| {
                let wishes = self.wishes.get(node).map_or(&[][..], Vec::as_slice);
                wishes.iter().all(|wish| {
                    let taken = self.holders.get(&wish.lock).into_iter().flatten();
                    let kept = taken.filter(|(holder, _)| left.contains(holder)).count();
                    kept < self.capacities.of_lock(wish.lock) as usize
                })
            };
            let gone: Vec<NodeId> = left.iter().copied().filter(can_go_on).collect();
            if gone.is_empty() {
                return left;
            }
            left.retain(|node| !gone.contains(node));
        }
    }
}

/// The circle that an edge back to its beginning closes.
fn way_back(came_by: &BTreeMap<NodeId, WaitEdge>, begin: NodeId, last: WaitEdge) -> Vec<WaitEdge> {
    let mut circle = vec![last];
    let mut at = last.node;
    while at != begin {
        let Some(&edge) = came_by.get(&at) else { break };
        circle.push(edge);
        at = edge.node;
    }
    circle.reverse();
    circle
}
