//! One wait for a lock, its bypass counts, and the changes of waits that events cause.

use interlock_algorithm::{LockId, RequestId};

use super::arrival::Missing;
use interlock_model::event::StepId;

/// A node that waits for a lock.
#[derive(Clone, Debug)]
pub struct Wait {
    /// The lock.
    pub lock: LockId,
    pub(super) request: RequestId,
    /// The requesting step.
    pub step: StepId,
    /// The `seq` of the event `requested`.
    pub requested: u64,
    pub(super) missing: Missing,
    /// Number of entries to the lock when the request was made. `entries_at_arrival` is that number when the request
    /// arrived, if it has.
    pub(super) entries_then: u64,
    pub(super) entries_at_arrival: u64,
    /// Number of the process's own entries to other units of the lock since the request. `own_since_arrival` is that
    /// number since the arrival of the request.
    pub(super) own: u64,
    pub(super) own_since_arrival: u64,
}

/// A change of waits, caused by an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The requests of this step have arrived, unless the same step still sends them to other processes.
    Arrived(StepId),
    /// One or several waits of a node have ended, with these largest counts.
    Over(Passed),
}

/// The bypass counts of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Entries of others since the request.
    pub since_request: u64,
    /// Entries of others since its arrival; 0 if it never arrived.
    pub since_arrival: u64,
}

impl Passed {
    /// Returns the larger count of each kind.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            since_request: self.since_request.max(other.since_request),
            since_arrival: self.since_arrival.max(other.since_arrival),
        }
    }
}

impl Wait {
    pub(super) const fn has_arrived(&self) -> bool {
        match self.missing {
            Missing::Messages(messages) => messages.have_arrived(),
            Missing::Steps(left, _) => left == 0,
        }
    }

    /// Returns whether a message that names this lock, or no lock, is about this wait.
    pub(super) fn is_meant_by(&self, named: Option<LockId>) -> bool {
        named.is_none_or(|named| named == self.lock)
    }

    /// Sets the number of entries at arrival: the count since arrival begins.
    pub(super) const fn begin_count(&mut self, entries: u64) {
        (self.entries_at_arrival, self.own_since_arrival) = (entries, 0);
    }

    /// Notes an entry of the process itself to another unit of the lock, which bypasses no process.
    pub(super) const fn enter_another_unit(&mut self) {
        self.own += 1;
        self.own_since_arrival += 1;
    }

    /// Returns the bypass counts after this number of entries to the lock.
    pub(super) fn passed(&self, entries: u64) -> Passed {
        let since_arrival = self.arrived_after().map_or(0, |then| entries - then - self.own_since_arrival);
        Passed { since_request: entries - self.entries_then - self.own, since_arrival }
    }

    /// Returns the number of entries to the lock when its request arrived, if it has.
    #[must_use]
    pub const fn arrived_after(&self) -> Option<u64> {
        if self.has_arrived() { Some(self.entries_at_arrival) } else { None }
    }
}
