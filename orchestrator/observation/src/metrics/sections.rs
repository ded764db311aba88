//! Delays around the critical section: client delay, synchronisation delay, response time.
//!
//! A lock has one or more units. The number of units is the capacity of its critical section: the maximum number of
//! processes in the section at the same time. Most locks have one unit. If other units were already free before an
//! exit, no process was waiting for that exit, so no synchronisation delay is measured.

use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome, RequestId};

use super::delays::Delays;
use crate::state::{Capacities, Lock, Locks};
use interlock_model::event::{Event, What};
use interlock_model::specification::Specification;

/// The delays, for all locks together.
#[derive(Clone, Debug)]
pub(super) struct Sections {
    /// Time from `acquire` to entry. Only requests count during which a unit is free and no other process waits for
    /// the lock.
    pub(super) client: Delays,
    /// Time from an exit to the next entry. Only exits count before which all units were taken and a process was
    /// waiting.
    pub(super) synchronisation: Delays,
    /// Time from `acquire` to exit.
    pub(super) response: Delays,
    pub(super) first_request_us: Option<u64>,
    pub(super) last_exit_us: Option<u64>,
    engaged: Vec<Vec<Engagement>>,
    capacities: Capacities,
    history: FlatMap<LockId, History>,
}

/// A lock that a node waits for or holds. A node may have several such engagements.
#[derive(Clone, Copy, Debug)]
struct Engagement {
    lock: LockId,
    request: RequestId,
    requested_us: u64,
    is_inside: bool,
    /// Number of requests for the lock up to and including the request of this engagement. `None` if no unit was
    /// free, or if another process was waiting. If no other request for the lock follows before the entry, the
    /// client delay is measured.
    alone: Option<u64>,
}

/// The requests for a lock, and its latest exit.
#[derive(Clone, Copy, Debug, Default)]
struct History {
    requests: u64,
    last_exit: Option<Exit>,
}

/// An exit from a section whose units were all taken.
#[derive(Clone, Copy, Debug)]
struct Exit {
    at_us: u64,
    awaited: bool,
    followed: bool,
}

impl History {
    // Reports may arrive late, so an exit may be reported before an earlier request. Only the timestamps show the
    // order.
    fn exited_after(&self, at_us: u64) -> bool {
        self.last_exit.is_some_and(|exit| exit.at_us > at_us)
    }
}

impl Sections {
    pub(super) fn new(specification: &Specification) -> Self {
        Self {
            client: Delays::default(),
            synchronisation: Delays::default(),
            response: Delays::default(),
            first_request_us: None,
            last_exit_us: None,
            engaged: vec![Vec::new(); NodeId::all(specification.nodes).len()],
            capacities: Capacities::of(specification),
            history: FlatMap::new(),
        }
    }

    /// Processes the next event. `locks` is the state of the locks after this event.
    pub(super) fn observe(&mut self, event: &Event, locks: &Locks) {
        match &event.what {
            What::Outcome { at, outcome } => match outcome {
                Outcome::Requested { lock, request, .. } => {
                    self.requested(at.node, (*lock, *request), event.at_us, locks);
                }
                Outcome::Entered { lock, request, .. } => self.entered(at.node, (*lock, *request), event.at_us),
                Outcome::Exited { lock, request } => self.exited(at.node, (*lock, *request), event.at_us, locks),
                Outcome::Aborted { request, .. } => {
                    self.keep(at.node, |engagement| engagement.is_inside || engagement.request != *request);
                }
                _ => {}
            },
            What::Crashed { node, .. } => self.keep(*node, |_| false),
            _ => {}
        }
    }

    fn requested(&mut self, node: NodeId, (lock, request): (LockId, RequestId), at_us: u64, locks: &Locks) {
        self.first_request_us = Some(self.first_request_us.map_or(at_us, |first| first.min(at_us)));
        let history = self.history.entry(lock).or_default();
        history.requests += 1;
        let capacity = self.capacities.of_lock(lock);
        let nobody_else = |lock: &Lock| lock.has_free_place(capacity) && lock.waiting.len() == 1;
        let alone = locks.find(lock).is_some_and(nobody_else) && !history.exited_after(at_us);
        let alone = alone.then_some(history.requests);
        self.leave(node, (lock, request));
        if let Some(engaged) = self.engaged.get_mut(node.index()) {
            engaged.push(Engagement { lock, request, requested_us: at_us, is_inside: false, alone });
        }
    }

    fn entered(&mut self, node: NodeId, (lock, request): (LockId, RequestId), at_us: u64) {
        let is_it = |engagement: &&mut Engagement| (engagement.lock, engagement.request) == (lock, request);
        let mut engaged = self.engaged.get_mut(node.index()).into_iter().flatten();
        let Some(engagement) = engaged.find(is_it) else { return };
        engagement.is_inside = true;
        let Engagement { requested_us, alone, .. } = *engagement;
        let history = self.history.entry(lock).or_default();
        if alone == Some(history.requests) {
            self.client.record(at_us.saturating_sub(requested_us));
        }
        if let Some(exit) = history.last_exit.as_mut().filter(|exit| !exit.followed) {
            exit.followed = true;
            if exit.awaited || requested_us < exit.at_us {
                self.synchronisation.record(at_us.saturating_sub(exit.at_us));
            }
        }
    }

    fn exited(&mut self, node: NodeId, (lock, request): (LockId, RequestId), at_us: u64, locks: &Locks) {
        self.last_exit_us = self.last_exit_us.max(Some(at_us));
        if let Some(engagement) = self.leave(node, (lock, request)) {
            self.response.record(at_us.saturating_sub(engagement.requested_us));
        }
        let capacity = self.capacities.of_lock(lock);
        let Some(now) = locks.find(lock).filter(|lock| lock.has_last_place_free(capacity)) else { return };
        let exit = Exit { at_us, awaited: !now.waiting.is_empty(), followed: false };
        self.history.entry(lock).or_default().last_exit = Some(exit);
    }

    fn leave(&mut self, node: NodeId, (lock, request): (LockId, RequestId)) -> Option<Engagement> {
        let engaged = self.engaged.get_mut(node.index())?;
        let is_it = |engagement: &Engagement| (engagement.lock, engagement.request) == (lock, request);
        engaged.iter().position(is_it).map(|place| engaged.swap_remove(place))
    }

    /// Removes the engagements of `node` for which `such` returns false.
    fn keep(&mut self, node: NodeId, such: impl FnMut(&Engagement) -> bool) {
        if let Some(engaged) = self.engaged.get_mut(node.index()) {
            engaged.retain(such);
        }
    }
}
