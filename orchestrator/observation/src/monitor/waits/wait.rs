//! The wait of a process for a lock, its bypass counts, and the changes of waits that events cause.

use interlock_algorithm::{LockId, RequestId};

use super::arrival::Missing;
use interlock_model::event::StepId;

/// The wait of a node for a lock.
#[derive(Clone, Debug)]
pub struct Wait {
    /// The lock.
    pub lock: LockId,
    pub(super) request: RequestId,
    /// The step that made the request.
    pub step: StepId,
    /// The `seq` of the event that reported the request.
    pub requested: u64,
    pub(super) missing: Missing,
    /// Number of entries to the lock when the request was made. `entries_at_arrival` is the number of entries to the
    /// lock when the request arrived, if it has arrived.
    pub(super) entries_then: u64,
    pub(super) entries_at_arrival: u64,
    /// Number of the process's own entries to other units of the lock since the request was made. `own_since_arrival`
    /// is the number of these entries since the request arrived.
    pub(super) own: u64,
    pub(super) own_since_arrival: u64,
}

/// A change of waits that an event causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The requests of this step have arrived. If the step later sends further messages of these requests, the
    /// requests have not arrived after all.
    Arrived(StepId),
    /// One or more waits of a node have ended. These are their largest bypass counts.
    Over(Passed),
}

/// The bypass counts of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Number of entries of others since the request was made.
    pub since_request: u64,
    /// Number of entries of others since the request arrived; 0 if it has not arrived.
    pub since_arrival: u64,
}

impl Passed {
    /// For each of the two counts, returns the larger of the two values.
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

    /// Returns whether a message that names the lock `named`, or names no lock, belongs to this wait.
    pub(super) fn is_meant_by(&self, named: Option<LockId>) -> bool {
        named.is_none_or(|named| named == self.lock)
    }

    /// Begins the count of entries since the arrival. `entries` is the number of entries to the lock at the arrival.
    pub(super) const fn begin_count(&mut self, entries: u64) {
        (self.entries_at_arrival, self.own_since_arrival) = (entries, 0);
    }

    /// Records that the process itself has entered another unit of the lock, which bypasses no process.
    pub(super) const fn enter_another_unit(&mut self) {
        self.own += 1;
        self.own_since_arrival += 1;
    }

    /// Returns the bypass counts. `entries` is the number of entries to the lock so far.
    pub(super) fn passed(&self, entries: u64) -> Passed {
        let since_arrival = self.arrived_after().map_or(0, |then| entries - then - self.own_since_arrival);
        Passed { since_request: entries - self.entries_then - self.own, since_arrival }
    }

    /// Returns the number of entries to the lock when the request arrived, or `None` if it has not arrived.
    #[must_use]
    pub const fn arrived_after(&self) -> Option<u64> {
        if self.has_arrived() { Some(self.entries_at_arrival) } else { None }
    }
}
