//! Requests that are aborted and asked again without end: livelock, and starvation by aborts.
//!
//! In a deadlock nothing moves. In a livelock each process that wants something is aborted and asks again, and none is ever
//! done. A process that is not aborted may be the one that makes progress, so as long as there is one it is not a livelock.
//! Where others are done but one request is aborted all the time, that request starves. No finite stream proves that it
//! goes on so: both are said when it has gone on long enough, see [`PATIENCE`]. Where each request takes many tries, as
//! with a back-off that is too short for the delays, it is not a livelock before it has taken far more than usual: see
//! [`FACTOR`].
//!
//! Only what concerns a process counts. A livelock is one of processes that compete for locks, directly or through others:
//! a lock that none of them asks for says nothing about it. A request is passed over by requests for a lock that it waits
//! for when it is aborted: those that are done with between its first and its latest abort for that lock. While one process
//! keeps a lock, traffic on other locks passes nobody over who waits for that one.

use std::collections::BTreeMap;

use super::finding::{Finding, finding, names};
use super::interventions::Interventions;
use interlock_algorithm::{FlatMap, FlatSet, LockId, NodeId, RequestId};
use interlock_model::event::{Event, StepId, Violation, What};

/// The name of this monitor.
pub const NAME: &str = "livelock";

finding! {
    /// Requests are aborted again and again, and none is ever done with. Arguments: `aborts`, `nodes` (whose).
    pub const LIVELOCK = "livelock";
    Livelocked { aborts: u64, nodes: Vec<NodeId> } => {
        let whose = names(nodes);
        format!("Livelock: requests of {whose} were aborted {aborts} times, and none was done with meanwhile.")
    }
}

finding! {
    /// A request is aborted again and again while others are done with. Arguments: `node`, `request`, `aborts`, `passed`
    /// (how many were done with meanwhile).
    pub const STARVATION = "starvation-by-aborts";
    Starved { node: NodeId, request: RequestId, aborts: u64, passed: u64 } => format!(
        "{node} starves: its request {request} was aborted {aborts} times while {passed} others were done with."
    )
}

/// How often each is aborted, and how many others are done with for each of the nodes.
pub const PATIENCE: u64 = 50;
/// How many times what a request has cost on average so far. If each try has the same chance, and it is small, one request
/// in e²⁰ (half a thousand million) takes that many.
pub const FACTOR: u64 = 20;

/// Counts aborts.
#[derive(Debug)]
pub struct Livelock {
    most: u64,
    /// How often each process was aborted since a request that concerns it was done with.
    aborted: FlatMap<NodeId, u64>,
    /// The locks that each process has asked for since it was last done.
    asked: FlatMap<NodeId, FlatSet<LockId>>,
    /// Those of them that it waits for.
    awaited: FlatMap<NodeId, FlatSet<LockId>>,
    /// The processes of which a livelock has been told.
    told: FlatSet<NodeId>,
    hops: u64,
    /// What is known of each lock.
    locks: FlatMap<LockId, Usage>,
    /// The request that is done with at the end of this step, unless it is aborted in it, and the locks that it gave back.
    leaving: Option<(StepId, RequestId, FlatSet<LockId>)>,
    latest: BTreeMap<(NodeId, LockId), RequestId>,
    tries: FlatMap<NodeId, Try>,
    /// When the last intervention was over that is known of.
    calm_since_us: u64,
}

/// How a lock has been used.
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    /// How many requests for it have been done with.
    finished: u64,
    /// How many aborts there were until then of those who compete, but for those of a livelock.
    spent: u64,
    /// When one was last done with.
    since_us: u64,
}

/// A request that has been aborted.
#[derive(Clone, Debug)]
struct Try {
    request: RequestId,
    aborts: u64,
    /// How many requests for each lock had been done with when it was first and last aborted waiting for that lock.
    finished: FlatMap<LockId, (u64, u64)>,
    first: u64,
    told: bool,
}

/// Processes that compete, and the locks that they compete for.
#[derive(Debug, Default)]
struct Rivals {
    nodes: FlatSet<NodeId>,
    locks: FlatSet<LockId>,
}

impl Livelock {
    /// The monitor of a run of so many nodes, before the first event.
    #[must_use]
    pub fn new(nodes: u32) -> Self {
        Self {
            most: PATIENCE * u64::from(nodes),
            aborted: FlatMap::new(),
            asked: FlatMap::new(),
            awaited: FlatMap::new(),
            told: FlatSet::new(),
            hops: u64::from(nodes).saturating_mul(2).saturating_add(4),
            locks: FlatMap::new(),
            leaving: None,
            latest: BTreeMap::new(),
            tries: FlatMap::new(),
            calm_since_us: 0,
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        match &event.what {
            What::Requested { at, lock, .. } => {
                self.finish_before(*at, event.at_us);
                self.asked.entry(at.node).or_default().insert(*lock);
                self.awaited.entry(at.node).or_default().insert(*lock);
            }
            What::Entered { at, lock, .. } => {
                self.finish_before(*at, event.at_us);
                self.awaited.entry(at.node).or_default().remove(lock);
            }
            What::Crashed { node, .. } => {
                self.asked.remove(node);
                self.awaited.remove(node);
            }
            What::Exited { at, lock, request } => {
                self.finish_before(*at, event.at_us);
                let (_, _, locks) = self.leaving.get_or_insert_with(|| (*at, *request, FlatSet::new()));
                locks.insert(*lock);
            }
            What::Aborted { at, request, .. } => {
                self.finish_before(*at, event.at_us);
                self.leaving = None;
                self.abort(at.node, *request, event, interventions, found);
            }
            _ => {}
        }
    }

    /// The step of the latest exit is over, and nothing was aborted in it: that request is done with.
    fn finish_before(&mut self, step: StepId, at_us: u64) {
        let Some((left, request, locks)) = self.leaving.take_if(|(left, ..)| *left != step) else { return };
        let spent = self.end_of_aborts(&locks);
        self.asked.remove(&left.node);
        self.awaited.remove(&left.node);
        self.tries.remove(&left.node);
        for lock in locks {
            let usage = self.locks.entry(lock).or_default();
            (usage.spent, usage.since_us) = (usage.spent + spent, at_us);
            // Where a process has several units of a lock, one request gives back each.
            if self.latest.insert((left.node, lock), request) != Some(request) {
                usage.finished += 1;
            }
        }
    }

    /// Somebody is done with these locks, so those who compete for them are not in a livelock; returns how often they were
    /// aborted until then. A livelock is not a measure of what is usual.
    fn end_of_aborts(&mut self, locks: &FlatSet<LockId>) -> u64 {
        if self.aborted.is_empty() {
            return 0;
        }
        let rivals = self.rivals(locks.clone());
        let mut spent = 0;
        for node in rivals.nodes {
            let aborts = self.aborted.remove(&node).unwrap_or_default();
            spent += if self.told.remove(&node) { 0 } else { aborts };
        }
        spent
    }

    /// The processes that compete for these locks, directly or through others.
    fn rivals(&self, locks: FlatSet<LockId>) -> Rivals {
        let mut rivals = Rivals { nodes: FlatSet::new(), locks };
        loop {
            let concerned = |(node, asked): &(&NodeId, &FlatSet<LockId>)| {
                !rivals.nodes.contains(node) && !asked.is_disjoint(&rivals.locks)
            };
            let Some((node, asked)) = self.asked.iter().find(concerned) else { return rivals };
            rivals.nodes.insert(*node);
            rivals.locks.extend(asked);
        }
    }

    fn abort(
        &mut self,
        node: NodeId,
        request: RequestId,
        event: &Event,
        interventions: &Interventions,
        found: &mut Vec<Violation>,
    ) {
        // Aborts before another loss of messages, or before an intervention was over, do not count.
        if interventions.stand_at(event.at_us) || self.calm_since_us != interventions.since_us() {
            self.calm_since_us = interventions.since_us();
            self.aborted.clear();
            self.tries.clear();
        }
        *self.aborted.entry(node).or_default() += 1;
        found.extend(self.livelock(node, event, interventions));
        found.extend(self.try_again(node, request, event.seq, interventions));
        self.awaited.remove(&node);
    }

    /// Whether each process that competes with this one has been aborted often enough.
    fn livelock(&mut self, node: NodeId, event: &Event, interventions: &Interventions) -> Option<Violation> {
        let often = interventions.stretched(PATIENCE);
        let is_often = |node: &NodeId| self.aborted.get(node).is_some_and(|&aborts| aborts >= often);
        if !is_often(&node) || self.told.contains(&node) {
            return None;
        }
        let rivals = self.rivals(self.asked.get(&node)?.clone());
        let usage = || rivals.locks.iter().filter_map(|lock| self.locks.get(lock));
        let since_us = usage().map(|usage| usage.since_us).max().unwrap_or_default();
        // What somebody has given back may still be under way, and nobody can make progress meanwhile.
        let patience_us = interventions.longest_us().saturating_mul(self.hops);
        let is_over = interventions.outlasts(since_us, event.at_us, patience_us);
        let aborts: u64 = rivals.nodes.iter().filter_map(|node| self.aborted.get(node)).sum();
        let is_usual = usage().any(|usage| aborts.saturating_mul(usage.finished) < usage.spent.saturating_mul(FACTOR));
        if !is_over || is_usual || !rivals.nodes.iter().all(is_often) {
            return None;
        }
        self.told.extend(&rivals.nodes);
        Some(Livelocked { aborts, nodes: rivals.nodes.iter().copied().collect() }.violation([event.seq]))
    }

    fn try_again(
        &mut self,
        node: NodeId,
        request: RequestId,
        seq: u64,
        interventions: &Interventions,
    ) -> Option<Violation> {
        let new = Try { request, aborts: 0, finished: FlatMap::new(), first: seq, told: false };
        let one = self.tries.entry(node).or_insert_with(|| new.clone());
        if one.request != request {
            *one = new;
        }
        one.aborts += 1;
        // A process that waits for nothing gives up what it has.
        let awaited =
            self.awaited.get(&node).filter(|awaited| !awaited.is_empty()).or_else(|| self.asked.get(&node))?;
        let finished = |lock: &LockId| self.locks.get(lock).map_or(0, |usage| usage.finished);
        for lock in awaited {
            one.finished.entry(*lock).or_insert_with(|| (finished(lock), finished(lock)));
        }
        // Of several locks that it waits for together, the one that others got least often is what it cannot have.
        let growth = |lock: &&LockId| one.finished.get(lock).map_or(0, |(then, _)| finished(lock) - then);
        let blocking = *awaited.iter().min_by_key(growth)?;
        if let Some((_, latest)) = one.finished.get_mut(&blocking) {
            *latest = finished(&blocking);
        }
        let passed: u64 = one.finished.values().map(|(then, latest)| latest - then).sum();
        let most = interventions.stretched(self.most);
        if passed <= most || one.aborts < interventions.stretched(PATIENCE) || one.told {
            return None;
        }
        one.told = true;
        Some(Starved { node, request, aborts: one.aborts, passed }.violation([one.first, seq]))
    }
}
