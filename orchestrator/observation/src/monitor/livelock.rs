//! Monitor of requests that are aborted and repeated without end. This is livelock, or starvation by aborts.
//!
//! In a deadlock nothing moves. In a livelock, every process that wants a lock is aborted and requests again, and
//! no request is ever completed. If some process is not aborted, it may still make progress, so there is no
//! livelock. If one request is aborted all the time while other requests are completed, the aborted request
//! starves.
//!
//! No finite stream proves that aborts continue forever. The monitor therefore reports livelock and starvation once
//! they have lasted long enough: see [`PATIENCE`]. In some runs each request needs many tries, for instance because a
//! back-off is too short for the delays. In such a run, the monitor reports a livelock only after far more aborts than
//! usual: see [`FACTOR`].
//!
//! Only events that concern a process count towards its livelock or starvation. A livelock affects processes that
//! compete for locks, directly or through others. A lock that none of these processes requests is irrelevant.
//! Suppose that a request R was waiting for a lock L when R was aborted. Another request for L bypasses R if it was
//! completed between the first and the latest abort of R during a wait for L. Requests for other locks do not
//! bypass R.

use std::collections::BTreeMap;

use super::finding::{Finding, Monitor, Property, findings, names};
use super::interventions::Interventions;
use interlock_algorithm::{FlatMap, FlatSet, LockId, NodeId, Outcome, RequestId};
use interlock_model::event::{Event, StepId, Violation, What};
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "livelock";

findings! {
    /// Requests are aborted again and again, and none is ever completed. Arguments: `aborts`, `nodes` (the processes
    /// that make the requests).
    pub const LIVELOCK = "livelock";
    Livelocked { aborts: u64, nodes: Vec<NodeId> } => {
        let whose = names(nodes);
        format!("Livelock: requests of {whose} were aborted {aborts} times, and none was completed in the meantime.")
    };

    /// A request is aborted again and again while others are completed. Arguments: `node`, `request`, `aborts`,
    /// `passed` (number of requests completed meanwhile).
    pub const STARVATION = "starvation-by-aborts";
    Starved { node: NodeId, request: RequestId, aborts: u64, passed: u64 } => format!(
        "{node} starves: its request {request} was aborted {aborts} times while {passed} others were completed."
    )
}

/// Minimum number of aborts before the monitor reports a livelock (aborts of each process) or starvation (aborts of
/// the request). A request starves only if, in addition, the number of other requests completed meanwhile exceeds
/// this constant times the number of nodes.
pub const PATIENCE: u64 = 50;
/// A livelock needs at least this many times the average number of aborts of a completed request. If each try succeeds
/// with the same small probability, only one request in e²⁰ (half a thousand million) has so many aborts by chance.
pub const FACTOR: u64 = 20;

/// The monitor of livelock and of starvation by aborts.
#[derive(Debug)]
pub struct Livelock {
    most: u64,
    /// For each process, the number of its aborts since the latest completion of a request for a lock for which the
    /// process competes.
    aborted: FlatMap<NodeId, u64>,
    /// For each process, the locks that it has requested since its last completed request.
    asked: FlatMap<NodeId, FlatSet<LockId>>,
    /// For each process, the requested locks for which it still waits.
    awaited: FlatMap<NodeId, FlatSet<LockId>>,
    /// The processes whose livelock has been reported.
    told: FlatSet<NodeId>,
    hops: u64,
    /// For each lock, counts of the requests that have used it.
    locks: FlatMap<LockId, Usage>,
    /// The latest exit from a section: its step, the request, and the locks that the step released. The request is
    /// complete at the end of the step, unless the same step also aborts the request.
    leaving: Option<(StepId, RequestId, FlatSet<LockId>)>,
    latest: BTreeMap<(NodeId, LockId), RequestId>,
    tries: FlatMap<NodeId, Try>,
    /// The value of [`Interventions::since_us`] at the latest abort.
    calm_since_us: u64,
}

/// Counts of the requests that have used a lock.
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    /// Number of completed requests for the lock.
    finished: u64,
    /// Total number of aborts, until the latest completed request for the lock, of the processes that competed for
    /// the lock. Aborts in a reported livelock do not count.
    spent: u64,
    /// Time of the last completion, in microseconds since the run began.
    since_us: u64,
}

/// A request that has been aborted at least once.
#[derive(Clone, Debug)]
struct Try {
    request: RequestId,
    aborts: u64,
    /// For each lock that the process was waiting for when it was aborted, two values of [`Usage::finished`]. The first
    /// value is from the first such abort, and the second from the latest abort at which this lock blocked the process.
    finished: FlatMap<LockId, (u64, u64)>,
    first: u64,
    told: bool,
}

/// Processes that compete for locks, directly or through others, and the locks for which they compete.
#[derive(Debug, Default)]
struct Rivals {
    nodes: FlatSet<NodeId>,
    locks: FlatSet<LockId>,
}

impl Monitor for Livelock {
    const PROPERTIES: &'static [Property] = &[PROPERTY];
    const READS_EXCHANGES: bool = false;

    fn new(specification: &Specification) -> Self {
        let nodes = u64::from(specification.nodes);
        Self {
            most: PATIENCE * nodes,
            aborted: FlatMap::new(),
            asked: FlatMap::new(),
            awaited: FlatMap::new(),
            told: FlatSet::new(),
            hops: nodes.saturating_mul(2).saturating_add(4),
            locks: FlatMap::new(),
            leaving: None,
            latest: BTreeMap::new(),
            tries: FlatMap::new(),
            calm_since_us: 0,
        }
    }

    fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        match &event.what {
            What::Outcome { at, outcome: Outcome::Requested { lock, .. } } => {
                self.finish_before(*at, event.at_us);
                self.asked.entry(at.node).or_default().insert(*lock);
                self.awaited.entry(at.node).or_default().insert(*lock);
            }
            What::Outcome { at, outcome: Outcome::Entered { lock, .. } } => {
                self.finish_before(*at, event.at_us);
                self.awaited.entry(at.node).or_default().remove(lock);
            }
            What::Crashed { node, .. } => {
                self.asked.remove(node);
                self.awaited.remove(node);
            }
            What::Outcome { at, outcome: Outcome::Exited { lock, request } } => {
                self.finish_before(*at, event.at_us);
                let (_, _, locks) = self.leaving.get_or_insert_with(|| (*at, *request, FlatSet::new()));
                locks.insert(*lock);
            }
            What::Outcome { at, outcome: Outcome::Aborted { request, .. } } => {
                self.finish_before(*at, event.at_us);
                self.leaving = None;
                self.abort(at.node, *request, event, interventions, found);
            }
            _ => {}
        }
    }
}

impl Livelock {
    /// If the exit in `leaving` happened in an earlier step than `step`, counts its request as completed and clears
    /// `leaving`. Call this function before handling an outcome of `step`. If the step of the exit also aborts the
    /// request, `observe` has already cleared `leaving`. Such a request is never counted as completed.
    fn finish_before(&mut self, step: StepId, at_us: u64) {
        let Some((left, request, locks)) = self.leaving.take_if(|(left, ..)| *left != step) else { return };
        let spent = self.end_of_aborts(&locks);
        self.asked.remove(&left.node);
        self.awaited.remove(&left.node);
        self.tries.remove(&left.node);
        for lock in locks {
            let usage = self.locks.entry(lock).or_default();
            (usage.spent, usage.since_us) = (usage.spent + spent, at_us);
            // A request for several units of a lock releases the units one by one, but counts as one request.
            if self.latest.insert((left.node, lock), request) != Some(request) {
                usage.finished += 1;
            }
        }
    }

    /// Resets the aborts of the processes that compete for these locks, and returns their number. Call this function
    /// when a request for these locks is completed, since the processes are then not in a livelock. The result excludes
    /// aborts in a reported livelock, which do not show how many aborts are usual.
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

    /// Returns the processes that compete for these locks, directly or through others, and all locks that they
    /// request.
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
        // After the end of an intervention, or a change of the message loss, earlier aborts no longer count.
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

    /// Returns a violation if this process and all processes that compete with it have been aborted often enough.
    fn livelock(&mut self, node: NodeId, event: &Event, interventions: &Interventions) -> Option<Violation> {
        let often = interventions.stretched(PATIENCE);
        let is_often = |node: &NodeId| self.aborted.get(node).is_some_and(|&aborts| aborts >= often);
        if !is_often(&node) || self.told.contains(&node) {
            return None;
        }
        let rivals = self.rivals(self.asked.get(&node)?.clone());
        let usage = || rivals.locks.iter().filter_map(|lock| self.locks.get(lock));
        let since_us = usage().map(|usage| usage.since_us).max().unwrap_or_default();
        // A message that grants a released lock may still be in transit. Until it arrives, no process can make
        // progress.
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
        // If an aborted process waits for no lock, it gives up all locks that it has requested.
        let awaited =
            self.awaited.get(&node).filter(|awaited| !awaited.is_empty()).or_else(|| self.asked.get(&node))?;
        let finished = |lock: &LockId| self.locks.get(lock).map_or(0, |usage| usage.finished);
        for lock in awaited {
            one.finished.entry(*lock).or_insert_with(|| (finished(lock), finished(lock)));
        }
        // If the process waits for several locks together, one of these locks blocks the process: the lock for which
        // the fewest requests have been completed since the first abort.
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
