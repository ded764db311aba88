//! The gaps of locks: periods in which a lock has a free unit and a process waits for the lock.

use interlock_algorithm::{FlatMap, LockId, Outcome};

use crate::state::{Capacities, Lock, Locks};
use interlock_model::event::{Event, What};
use interlock_model::specification::Specification;

/// The gaps of the locks so far.
#[derive(Clone, Debug)]
pub(super) struct Gaps {
    /// The longest gap of any lock, in microseconds.
    pub longest_us: Option<u64>,
    /// For each lock with a current gap, the start of this gap, in microseconds since the run began.
    open: FlatMap<LockId, u64>,
    capacities: Capacities,
}

impl Gaps {
    /// Returns the gaps before the first event.
    pub fn new(specification: &Specification) -> Self {
        Self { longest_us: None, open: FlatMap::new(), capacities: Capacities::of(specification) }
    }

    /// Processes the next event. `locks` is the state of the locks after this event.
    pub fn observe(&mut self, event: &Event, locks: &Locks) {
        match &event.what {
            What::Outcome { outcome, .. } => match outcome {
                Outcome::Requested { lock, .. } | Outcome::Exited { lock, .. } | Outcome::Expired { lock, .. } => {
                    self.look(*lock, event.at_us, locks);
                }
                Outcome::Entered { lock, .. } => {
                    if let Some(since_us) = self.open.remove(lock) {
                        self.longest_us = self.longest_us.max(Some(event.at_us.saturating_sub(since_us)));
                    }
                    self.look(*lock, event.at_us, locks);
                }
                _ => {}
            },
            What::Crashed { .. } => {
                let all: Vec<LockId> = locks.iter().map(|(id, _)| id).collect();
                for lock in all {
                    self.look(lock, event.at_us, locks);
                }
            }
            _ => {}
        }
    }

    /// If the lock has a free unit and a waiting process, starts a gap, unless one has started already. Otherwise
    /// removes the lock's gap.
    fn look(&mut self, id: LockId, at_us: u64, locks: &Locks) {
        let capacity = self.capacities.of_lock(id);
        let is_open = |lock: &Lock| lock.has_free_place(capacity) && !lock.waiting.is_empty();
        if locks.find(id).is_some_and(is_open) {
            self.open.entry(id).or_insert(at_us);
        } else {
            self.open.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::test_stream::TestStream;

    #[test]
    fn the_gap_is_the_time_in_which_somebody_waits_and_nobody_is_inside() {
        let mut stream = TestStream::new(2);
        stream.at(1_000).request(0);
        stream.enter(0);
        stream.at(2_000).request(1);
        stream.at(5_000).exit(0);
        stream.at(9_000).enter(1);
        stream.at(20_000).exit(1);
        let (mut gaps, mut locks) = (Gaps::new(&stream.specification), Locks::new());
        for event in &stream.events {
            locks.apply(event);
            gaps.observe(event, &locks);
        }
        assert_eq!(gaps.longest_us, Some(4_000));
    }
}
