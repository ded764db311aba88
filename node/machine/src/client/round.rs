//! A round of a client: a set of locks that the client requests, holds and releases together.

use interlock_algorithm::{LockId, RequestId, Ticks};
use smallvec::SmallVec;

use super::ClientEffect;
use crate::wire::ClientTimer;

/// One lock of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Item {
    pub lock: LockId,
    pub request: RequestId,
    pub doing: Doing,
}

/// The state of one lock in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Doing {
    /// The client will request the lock later.
    Planned,
    /// The client has requested the lock, and waits for it.
    Wanting,
    /// The client is in the critical section of the lock.
    InSection,
    /// The client has sent the release of the lock to its algorithm.
    Leaving,
    /// The client has left the critical section of the lock.
    Left,
}

/// Rule that determines how long a client holds the locks of a round, after it has acquired all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Hold {
    Drawn,
    Exactly(Ticks),
    UntilReleased,
}

/// A round. Most rounds have a single lock, which is stored without an allocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Round {
    pub items: SmallVec<[Item; 1]>,
    pub hold: Hold,
    /// Whether the client began the round without an order: by itself, or because of a message from another client.
    /// In such a round, the client also releases all locks by itself.
    pub own: bool,
    /// Whether the client has entered a critical section in this round.
    pub entered: bool,
    /// Whether each lock is released as soon as the client holds the next lock. This is lock coupling (Bayer and
    /// Schkolnick 1977, "Concurrency of Operations on B-Trees"); Silberschatz and Kedem 1980 show that it is
    /// serialisable.
    pub couples: bool,
    /// Whether the client is releasing all locks of the round.
    pub leaving: bool,
    /// Pending timer of the hold time; `None` if it is not pending.
    pub timer: Option<ClientTimer>,
}

impl Round {
    /// Creates a round in which no critical section was entered yet.
    pub const fn new(items: SmallVec<[Item; 1]>, hold: Hold, own: bool) -> Self {
        Self { items, hold, own, entered: false, couples: false, leaving: false, timer: None }
    }

    /// Whether `lock` belongs to the round and the client has not left its critical section.
    pub fn has(&self, lock: LockId) -> bool {
        self.items.iter().any(|item| item.lock == lock && item.doing != Doing::Left)
    }

    /// Whether the round contains `lock` with the request `request`, even if the lock is already released.
    pub fn includes(&self, lock: LockId, request: RequestId) -> bool {
        self.items.iter().any(|item| item.lock == lock && item.request == request)
    }

    pub fn find(&mut self, lock: LockId, request: RequestId) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.lock == lock && item.request == request)
    }

    /// Returns the request of a lock that is not released yet. If all locks are released, returns the request of
    /// the first lock.
    pub fn request(&self) -> RequestId {
        self.items
            .iter()
            .find(|item| item.doing != Doing::Left)
            .or(self.items.first())
            .map_or(RequestId(0), |i| i.request)
    }

    pub fn all(&self, doing: Doing) -> bool {
        self.items.iter().all(|item| item.doing == doing)
    }

    pub fn any(&self, doing: Doing) -> bool {
        self.items.iter().any(|item| item.doing == doing)
    }

    /// Returns the next lock that the round must release because of lock coupling. Lock coupling releases a lock
    /// when the round holds its last lock.
    pub fn next_to_pass(&mut self) -> Option<&mut Item> {
        if !self.couples || self.leaving || !self.items.last().is_some_and(|last| last.doing == Doing::InSection) {
            return None;
        }
        let [above @ .., _] = &mut *self.items else { return None };
        above.iter_mut().find(|item| item.doing == Doing::InSection)
    }

    /// Sets the hold timer. The caller calls this when the round holds all its locks; `lock` is the lock that was
    /// acquired last. If the order sets no hold time, the `drawn` time applies.
    pub fn hold_on(&mut self, lock: LockId, drawn: Option<Ticks>, out: &mut Vec<ClientEffect>) {
        let hold_us = match self.hold {
            Hold::Exactly(hold_us) => Some(hold_us),
            Hold::Drawn => drawn,
            Hold::UntilReleased => None,
        };
        let Some(hold_us) = hold_us else { return };
        let timer = if self.own || lock == LockId(0) { ClientTimer::Hold } else { ClientTimer::HoldLock(lock) };
        self.timer = Some(timer);
        out.push(ClientEffect::Set(timer, hold_us));
    }

    /// Cancels the hold timer.
    pub fn forget_hold(&mut self, out: &mut Vec<ClientEffect>) {
        if let Some(timer) = self.timer.take() {
            out.push(ClientEffect::Cancel(timer));
        }
    }

    /// Returns the next lock to request. Returns `None` while the client waits for another lock of the round.
    pub fn next_planned(&mut self) -> Option<&mut Item> {
        if self.leaving || self.any(Doing::Wanting) {
            return None;
        }
        self.items.iter_mut().find(|item| item.doing == Doing::Planned)
    }

    /// Returns the next lock to release. Locks are released in the reverse order of their acquisition.
    pub fn next_held(&mut self) -> Option<&mut Item> {
        if !self.leaving || self.any(Doing::Leaving) {
            return None;
        }
        self.items.iter_mut().rfind(|item| item.doing == Doing::InSection)
    }
}
