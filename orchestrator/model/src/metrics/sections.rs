//! The delays of entering and leaving: client delay, synchronisation delay, response time.

use std::collections::BTreeMap;

use interlock_algorithm::{LockId, NodeId};

use super::delays::Delays;
use crate::event::{Event, What};
use crate::state::{Lock, Locks};

/// The delays of all locks.
#[derive(Clone, Debug)]
pub(super) struct Sections {
    /// From `acquire` to entry, when the section is free and nobody else wants it meanwhile.
    pub(super) client: Delays,
    /// From one's exit to the next entry, when somebody waited at the exit.
    pub(super) synchronisation: Delays,
    /// From `acquire` to exit.
    pub(super) response: Delays,
    pub(super) first_request_us: Option<u64>,
    pub(super) last_exit_us: Option<u64>,
    engaged: Vec<Option<Engagement>>,
    history: BTreeMap<LockId, History>,
}

/// What a node wants or has.
#[derive(Clone, Copy, Debug)]
struct Engagement {
    requested_us: u64,
    /// The number of requests for the lock up to this one, if the section was free and nobody else wanted it.
    alone: Option<u64>,
}

/// What happened to a lock.
#[derive(Clone, Copy, Debug, Default)]
struct History {
    requests: u64,
    last_exit: Option<Exit>,
}

/// An exit after which the section was free.
#[derive(Clone, Copy, Debug)]
struct Exit {
    at_us: u64,
    awaited: bool,
    followed: bool,
}

impl History {
    // An exit may have been learnt of before a request that was made earlier: their stamps tell.
    fn exited_after(&self, at_us: u64) -> bool {
        self.last_exit.is_some_and(|exit| exit.at_us > at_us)
    }
}

impl Sections {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            client: Delays::default(),
            synchronisation: Delays::default(),
            response: Delays::default(),
            first_request_us: None,
            last_exit_us: None,
            engaged: vec![None; nodes],
            history: BTreeMap::new(),
        }
    }

    /// Takes the next event; it has been applied to `locks` already.
    pub(super) fn observe(&mut self, event: &Event, locks: &Locks) {
        match &event.what {
            What::Requested { at, lock, .. } => self.requested(at.node, *lock, event.at_us, locks),
            What::Entered { at, lock, .. } => self.entered(at.node, *lock, event.at_us),
            What::Exited { at, lock, .. } => self.exited(at.node, *lock, event.at_us, locks),
            What::Crashed { node, .. } => {
                self.leave(*node);
            }
            _ => {}
        }
    }

    fn requested(&mut self, node: NodeId, lock: LockId, at_us: u64, locks: &Locks) {
        self.first_request_us = Some(self.first_request_us.map_or(at_us, |first| first.min(at_us)));
        let history = self.history.entry(lock).or_default();
        history.requests += 1;
        let nobody_else = |lock: &Lock| lock.holders.is_empty() && lock.waiting.len() == 1;
        let alone = locks.find(lock).is_some_and(nobody_else) && !history.exited_after(at_us);
        if let Some(engaged) = self.engaged.get_mut(node.index()) {
            *engaged = Some(Engagement { requested_us: at_us, alone: alone.then_some(history.requests) });
        }
    }

    fn entered(&mut self, node: NodeId, lock: LockId, at_us: u64) {
        let history = self.history.entry(lock).or_default();
        let Some(&Some(Engagement { requested_us, alone })) = self.engaged.get(node.index()) else { return };
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

    fn exited(&mut self, node: NodeId, lock: LockId, at_us: u64, locks: &Locks) {
        self.last_exit_us = self.last_exit_us.max(Some(at_us));
        if let Some(engagement) = self.leave(node) {
            self.response.record(at_us.saturating_sub(engagement.requested_us));
        }
        let Some(now) = locks.find(lock).filter(|lock| lock.holders.is_empty()) else { return };
        let exit = Exit { at_us, awaited: !now.waiting.is_empty(), followed: false };
        self.history.entry(lock).or_default().last_exit = Some(exit);
    }

    fn leave(&mut self, node: NodeId) -> Option<Engagement> {
        self.engaged.get_mut(node.index()).and_then(Option::take)
    }
}
