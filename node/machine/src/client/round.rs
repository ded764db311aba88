//! What a client wants, has or gives back: one round, of one lock or of several.

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

/// How a client stands to a lock of its round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Doing {
    /// It has yet to ask.
    Planned,
    /// It has asked and waits.
    Wanting,
    /// It is in the section.
    InSection,
    /// It has ordered its node to leave.
    Leaving,
    /// It has left.
    Left,
}

/// How long to stay once everything is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Hold {
    Drawn,
    Exactly(Ticks),
    UntilReleased,
}

/// A round: most have one lock, which needs no memory of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Round {
    pub items: SmallVec<[Item; 1]>,
    pub hold: Hold,
    /// Whether the client began it, by itself or since it was told to: nobody else gives anything of it back.
    pub own: bool,
    /// Whether it has come as far as a section.
    pub entered: bool,
    /// Whether each lock is needed only until the next is there: it is given back then (lock coupling: Bayer and Schkolnick
    /// 1977, "Concurrency of Operations on B-Trees"; Silberschatz and Kedem 1980 show that it is serialisable).
    pub couples: bool,
    /// Whether it gives everything back.
    pub leaving: bool,
    /// The timer after which it does, while it is pending.
    pub timer: Option<ClientTimer>,
}

impl Round {
    /// A round that begins.
    pub const fn new(items: SmallVec<[Item; 1]>, hold: Hold, own: bool) -> Self {
        Self { items, hold, own, entered: false, couples: false, leaving: false, timer: None }
    }

    /// Whether an item of this lock is in it and not yet left.
    pub fn has(&self, lock: LockId) -> bool {
        self.items.iter().any(|item| item.lock == lock && item.doing != Doing::Left)
    }

    /// Whether it has this lock by this request, or had it.
    pub fn includes(&self, lock: LockId, request: RequestId) -> bool {
        self.items.iter().any(|item| item.lock == lock && item.request == request)
    }

    pub fn find(&mut self, lock: LockId, request: RequestId) -> Option<&mut Item> {
        self.items.iter_mut().find(|item| item.lock == lock && item.request == request)
    }

    /// The request by which something is wanted or had; the first if it is none.
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

    /// The lock that it needs no more since it has the next.
    pub fn next_to_pass(&mut self) -> Option<&mut Item> {
        if !self.couples || self.leaving || !self.items.last().is_some_and(|last| last.doing == Doing::InSection) {
            return None;
        }
        let [above @ .., _] = &mut *self.items else { return None };
        above.iter_mut().find(|item| item.doing == Doing::InSection)
    }

    /// Everything is there, `lock` last: it stays for the time that was drawn, or as long as was said.
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

    /// It does not leave by itself any more.
    pub fn forget_hold(&mut self, out: &mut Vec<ClientEffect>) {
        if let Some(timer) = self.timer.take() {
            out.push(ClientEffect::Cancel(timer));
        }
    }

    /// The next lock to ask for, if nothing is waited for.
    pub fn next_planned(&mut self) -> Option<&mut Item> {
        if self.leaving || self.any(Doing::Wanting) {
            return None;
        }
        self.items.iter_mut().find(|item| item.doing == Doing::Planned)
    }

    /// The next lock to give back: the one taken last first.
    pub fn next_held(&mut self) -> Option<&mut Item> {
        if !self.leaving || self.any(Doing::Leaving) {
            return None;
        }
        self.items.iter_mut().rfind(|item| item.doing == Doing::InSection)
    }
}
