//! Monitor of progress: no waiting process is bypassed without end. Starvation is not a deadlock, because the other
//! processes make progress.
//!
//! No finite stream proves that a process will never enter. The monitor therefore counts the entries of other processes
//! since the request arrived (see [`super::waits`]). It reports starvation when this count exceeds [`PATIENCE`] times
//! the number of nodes. While a request waits, a correct algorithm grants the lock to each other process at most a few
//! times. A request may be passed on by way of all nodes, and each hop may need a message and a time-out. Until the
//! time for all these hops has passed, no entry counts.
//!
//! While an intervention is in force, no entry counts (see [`super::interventions`]). Message loss increases both
//! the time for all hops and the allowed number of entries. Suppose that a process enters several times in a row
//! while a message about the same lock is in transit to it. These entries count only once, since this message may be
//! the first to inform the process of the waiting request. In Raymond's tree, for example, such a message is the
//! REQUEST that follows the PRIVILEGE.
//!
//! A bystander of a wait is a process that has neither waited for the lock nor held it since the wait began. Suppose
//! that a request for a token goes to all other processes, as in Suzuki and Kasami's algorithm. No bystander can delay
//! such a request. Since the request was made, only the processes that enter have had the token, and no process has to
//! pass the request on. A message that does not reach a bystander is therefore no excuse. The request counts as arrived
//! even if bystanders have not received it. In other algorithms a bystander may be the arbiter, the coordinator or the
//! neighbour that the request needs.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};

use super::activity::Activity;
use super::finding::{Finding, Monitor, Property, findings};
use super::interventions::Interventions;
use super::waits::{Change, Wait, Waits};
use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome};
use interlock_model::event::{Event, StepId, Violation};
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "progress";

findings! {
    /// A waiting process is bypassed again and again. Arguments: `lock`, `node`, `passed` (the number of entries of
    /// others).
    pub const STARVATION = "starvation";
    Starvation { lock: LockId, node: NodeId, passed: u64 } =>
        format!(
            "{node} starves: other processes have entered the critical section {passed} times since its request for \
             lock {lock} arrived."
        )
}

/// Maximum number of entries, divided by the number of nodes, that may bypass a request after its arrival.
pub const PATIENCE: u64 = 50;

/// The monitor of progress.
#[derive(Debug)]
pub struct Progress {
    most: u64,
    waits: Waits,
    activity: Activity,
    /// For each lock, the requests that have arrived, in the order of arrival. Some items may be outdated, because the
    /// wait has ended, or because further messages of the request were sent after its arrival.
    arrived: FlatMap<LockId, VecDeque<Arrived>>,
    /// For each lock, a request that all processes except bystanders have received.
    beside: FlatMap<LockId, Arrived>,
    /// The value of [`Interventions::changes`] that the monitor has processed last.
    changes: u64,
    /// For each lock, the process that entered last.
    last: FlatMap<LockId, NodeId>,
    /// For each lock, the number of entries that do not count, because the process that entered may not have known of
    /// the waiting request.
    unknowing: FlatMap<LockId, u64>,
    nodes: u64,
    /// The waits for which starvation has been reported, by node and lock.
    told: BTreeMap<(NodeId, LockId), StepId>,
}

/// A request that has arrived.
#[derive(Clone, Copy, Debug)]
struct Arrived {
    step: StepId,
    /// Number of entries to the lock at the arrival of the request.
    entries: u64,
    since_us: u64,
    /// Whether an entry has been counted against this request. `is_concerned` says whether an intervention concerned
    /// the request at the latest check.
    is_followed: bool,
    is_concerned: bool,
    /// The numbers of entries when the count of bypasses began. `None` until the time for all hops has passed.
    before: Option<Passed>,
}

/// Numbers of entries so far: all entries, and those that do not count.
#[derive(Clone, Copy, Debug)]
struct Passed {
    all: u64,
    unknowing: u64,
}

impl Arrived {
    const fn new(step: StepId, entries: u64, since_us: u64) -> Self {
        Self { step, entries, since_us, is_followed: false, is_concerned: false, before: None }
    }

    /// Restarts the time for all hops and the count of bypasses. Call this function while an intervention concerns the
    /// request, when the intervention ends, and after a disturbance.
    const fn begin(&mut self, now_us: u64) {
        (self.since_us, self.before) = (now_us, None);
    }
}

impl Monitor for Progress {
    const PROPERTIES: &'static [Property] = &[PROPERTY];

    fn new(specification: &Specification) -> Self {
        Self {
            most: PATIENCE * u64::from(specification.nodes),
            waits: Waits::new(specification),
            activity: Activity::new(specification),
            arrived: FlatMap::new(),
            beside: FlatMap::new(),
            changes: 0,
            last: FlatMap::new(),
            unknowing: FlatMap::new(),
            nodes: u64::from(specification.nodes),
            told: BTreeMap::new(),
        }
    }

    fn observe(&mut self, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        self.activity.observe(event);
        let mut arrived = Vec::new();
        self.waits.observe(event, |change| {
            if let Change::Arrived(step) = change {
                arrived.push(step);
            }
        });
        for step in arrived {
            for (wait, entries) in self.waits.of(step).filter_map(|wait| Some((wait, wait.arrived_after()?))) {
                let arrived = Arrived::new(step, entries, event.at_us);
                self.arrived.entry(wait.lock).or_default().push_back(arrived);
            }
        }
        if self.changes != interventions.changes() {
            self.follow(event.at_us, interventions);
        }
        if let Some((at, Outcome::Entered { lock, .. })) = event.outcome() {
            let is_again = self.last.insert(*lock, at.node) == Some(at.node);
            if is_again && interventions.is_one_coming_to(at.node, *lock) {
                *self.unknowing.entry(*lock).or_default() += 1;
            }
            self.entered(*lock, event, interventions, found);
            self.entered_beside(*lock, event, interventions, found);
        }
    }
}

impl Progress {
    /// Processes a change of the interventions in force, such as a pause, a partition or a held message. After a
    /// disturbance, restarts the count of bypasses of each watched request. Otherwise, restarts the count only for a
    /// request that an intervention may delay, or may have delayed at the latest check.
    fn follow(&mut self, now_us: u64, interventions: &Interventions) {
        let is_disturbed = interventions.was_disturbed_since(self.changes);
        self.changes = interventions.changes();
        let mut watched: Vec<(LockId, Arrived)> =
            self.arrived.iter().filter_map(|(lock, arrived)| Some((*lock, *arrived.front()?))).collect();
        let fronts = watched.len();
        watched.extend(self.beside.iter().map(|(lock, beside)| (*lock, *beside)));
        for (place, (lock, mut one)) in watched.into_iter().enumerate() {
            let wait = self.waits.of(one.step).find(|wait| wait.lock == lock);
            let is_concerned = wait.is_some_and(|wait| self.concern(wait, now_us, interventions));
            if is_disturbed || is_concerned || one.is_concerned {
                one.begin(now_us);
            }
            one.is_concerned = is_concerned;
            let slot = if place < fronts {
                self.arrived.get_mut(&lock).and_then(VecDeque::front_mut)
            } else {
                self.beside.get_mut(&lock)
            };
            if let Some(slot) = slot {
                *slot = one;
            }
        }
    }

    /// Returns whether an intervention is in force that may delay the request of `wait`.
    fn concern(&self, wait: &Wait, now_us: u64, interventions: &Interventions) -> bool {
        interventions.stand_at(now_us)
            && (!self.waits.asks_all_for_a_token(wait)
                || interventions.stand_among(now_us, &|node| self.takes_part(wait, node)))
    }

    /// Returns whether a process is not a bystander of a wait.
    fn takes_part(&self, wait: &Wait, node: NodeId) -> bool {
        !self.activity.is_idle_since(wait.requested, wait.lock, node)
    }

    /// Counts an entry against the waiting request that arrived first. Requests that no longer wait are removed first.
    fn entered(&mut self, lock: LockId, event: &Event, interventions: &Interventions, found: &mut Vec<Violation>) {
        while let Some(mut first) = self.arrived.get(&lock).and_then(|arrived| arrived.front().copied()) {
            let wait = self.awaited(&first, lock).filter(|wait| wait.arrived_after() == Some(first.entries));
            let starves = wait.map(|wait| self.count(&mut first, wait, event, interventions));
            let Some(arrived) = self.arrived.get_mut(&lock) else { return };
            match starves {
                Some(None) => {
                    arrived[0] = first;
                    return;
                }
                Some(Some(violation)) => {
                    self.told.insert((first.step.node, lock), first.step);
                    found.push(violation);
                }
                None => {}
            }
            arrived.pop_front();
        }
    }

    /// Counts an entry during an intervention as a bypass of a request that all processes except bystanders have
    /// received. If the request starves, reports the violation.
    fn entered_beside(
        &mut self,
        lock: LockId,
        event: &Event,
        interventions: &Interventions,
        found: &mut Vec<Violation>,
    ) {
        if !interventions.stand_at(event.at_us) {
            self.beside.remove(&lock);
            return;
        }
        let known = self.beside.remove(&lock);
        let known = known.and_then(|one| Some((one, self.awaited(&one, lock).filter(|wait| self.is_beside(wait))?)));
        let Some((mut one, wait)) = known.or_else(|| {
            let wait = self.waits.iter().find(|wait| wait.lock == lock && self.is_beside(wait))?;
            Some((Arrived::new(wait.step, 0, event.at_us), wait))
        }) else {
            return;
        };
        match self.count(&mut one, wait, event, interventions) {
            None => _ = self.beside.insert(lock, one),
            Some(violation) => {
                self.told.insert((one.step.node, lock), one.step);
                found.push(violation);
            }
        }
    }

    /// Returns whether all processes except bystanders have received the request of a wait. Returns false if starvation
    /// of this wait was reported, or if the request has arrived.
    fn is_beside(&self, wait: &Wait) -> bool {
        wait.arrived_after().is_none()
            && self.told.get(&(wait.step.node, wait.lock)) != Some(&wait.step)
            && self.waits.not_reached(wait).is_some_and(|nodes| !nodes.iter().any(|node| self.takes_part(wait, *node)))
    }

    /// Returns the wait of a request. Returns `None` if the request no longer waits, or if its starvation has been
    /// reported.
    fn awaited(&self, one: &Arrived, lock: LockId) -> Option<&Wait> {
        let is_told = self.told.get(&(one.step.node, lock)) == Some(&one.step);
        self.waits.of(one.step).find(|wait| wait.lock == lock && !is_told)
    }

    /// Counts one more entry as a bypass of a request. If the request starves, returns the violation.
    fn count(&self, one: &mut Arrived, wait: &Wait, event: &Event, interventions: &Interventions) -> Option<Violation> {
        if !one.is_followed {
            one.is_followed = true;
            one.since_us = one.since_us.max(interventions.since_us());
        }
        one.is_concerned = self.concern(wait, event.at_us, interventions);
        if one.is_concerned {
            one.begin(event.at_us);
            return None;
        }
        let hop_us = interventions.longest_us().saturating_add(interventions.longest_time_out_us());
        let all_hops_us = self.stretched(hop_us.saturating_mul(self.nodes), wait, interventions);
        if event.at_us <= one.since_us.saturating_add(all_hops_us) {
            one.before = None;
            return None;
        }
        let passed = self.waits.passed(wait);
        let unknowing = self.unknowing.get(&wait.lock).copied().unwrap_or_default();
        let before = one.before.get_or_insert(Passed { all: passed.since_request, unknowing });
        // The waiting process may itself have entered other units of the lock. Such an entry bypasses no process, but
        // may be included in `unknowing`. The subtraction must therefore stop at 0.
        let counted = (passed.since_request - before.all).saturating_sub(unknowing - before.unknowing);
        let most = self.stretched(self.most, wait, interventions);
        let passed = wait.arrived_after().map_or(counted, |_| passed.since_arrival);
        (counted > most).then(|| starvation(wait, passed, event.seq))
    }

    /// Returns `without_loss`, a time or a number of entries, increased according to the message loss on the links
    /// that matter to `wait`.
    fn stretched(&self, without_loss: u64, wait: &Wait, interventions: &Interventions) -> u64 {
        if self.waits.asks_all_for_a_token(wait) {
            interventions.stretched_among(without_loss, &|node| self.takes_part(wait, node))
        } else {
            interventions.stretched(without_loss)
        }
    }
}

fn starvation(wait: &Wait, passed: u64, seq: u64) -> Violation {
    Starvation { lock: wait.lock, node: wait.step.node, passed }.violation([wait.requested, seq])
}
