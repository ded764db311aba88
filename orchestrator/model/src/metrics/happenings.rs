//! What came about besides entries: aborts, elections, decisions; and how long a lock was wanted and had by nobody.

use std::collections::BTreeMap;

use interlock_algorithm::LockId;

use crate::event::{Event, What};
use crate::state::Locks;

/// Counts of what came about so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Happenings {
    pub aborts: u64,
    pub elections: u64,
    pub decisions: u64,
    /// The longest that a lock was wanted and had by nobody, in microseconds.
    pub longest_gap_us: Option<u64>,
    /// Since when a lock is.
    gaps: BTreeMap<LockId, u64>,
}

impl Happenings {
    /// Takes the next event; it has been applied to `locks` already.
    pub fn observe(&mut self, event: &Event, locks: &Locks) {
        match &event.what {
            What::Aborted { .. } => self.aborts += 1,
            What::Called { .. } => self.elections += 1,
            What::Decided { .. } => self.decisions += 1,
            What::Requested { lock, .. } | What::Exited { lock, .. } | What::Expired { lock, .. } => {
                self.look(*lock, event.at_us, locks);
            }
            What::Entered { lock, .. } => {
                if let Some(since_us) = self.gaps.remove(lock) {
                    self.longest_gap_us = self.longest_gap_us.max(Some(event.at_us.saturating_sub(since_us)));
                }
            }
            What::Crashed { .. } => {
                let all: Vec<LockId> = locks.iter().map(|(id, _)| id).collect();
                for lock in all {
                    self.look(lock, event.at_us, locks);
                }
            }
            _ => {}
        }
    }

    /// Notes since when the lock is wanted and had by nobody, if it is.
    fn look(&mut self, id: LockId, at_us: u64, locks: &Locks) {
        let is_open = |lock: &crate::state::Lock| lock.holders.is_empty() && !lock.waiting.is_empty();
        if locks.find(id).is_some_and(is_open) {
            self.gaps.entry(id).or_insert(at_us);
        } else {
            self.gaps.remove(&id);
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
        let (mut happenings, mut locks) = (Happenings::default(), Locks::new());
        for event in &stream.events {
            locks.apply(event);
            happenings.observe(event, &locks);
        }
        assert_eq!(happenings.longest_gap_us, Some(4_000));
    }
}
