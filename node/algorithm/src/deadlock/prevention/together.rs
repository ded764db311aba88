//! A home that grants several resources at once, or none of them.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::flat::FlatMap;
use crate::identity::{LockId, NodeId};

/// A process and one of its tickets.
pub(super) type Asker = (NodeId, u64);

/// The holders and the waiting requests. If two requests overlap in a resource, the earlier one is served first.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Together {
    taken: FlatMap<LockId, Asker>,
    queue: Vec<(Asker, Vec<LockId>)>,
    /// The latest ticket of each process, to recognise duplicated copies.
    seen: FlatMap<NodeId, u64>,
}

impl Together {
    /// Handles a request. Returns false if it is old or a duplicated copy.
    pub fn ask(&mut self, asker: Asker, locks: Vec<LockId>) -> bool {
        let seen = self.seen.entry(asker.0).or_default();
        if asker.1 <= *seen {
            return false;
        }
        *seen = asker.1;
        // A correct process has at most one pending request. Removing its older requests prevents forged requests from
        // filling the queue.
        self.queue.retain(|((process, _), _)| *process != asker.0);
        self.queue.push((asker, locks));
        true
    }

    /// Handles a release. Returns false if the process of `asker` does not hold the resource by the ticket of
    /// `asker`.
    pub fn release(&mut self, lock: LockId, asker: Asker) -> bool {
        let had = self.taken.get(&lock) == Some(&asker);
        if had {
            self.taken.remove(&lock);
        }
        had
    }

    /// Grants all waiting requests that can be granted now, and returns them.
    pub fn grant(&mut self) -> Vec<Asker> {
        let mut granted = Vec::new();
        let mut wanted_before = Vec::new();
        for (asker, locks) in core::mem::take(&mut self.queue) {
            let is_free = |lock: &LockId| !self.taken.contains_key(lock) && !wanted_before.contains(lock);
            if locks.iter().all(is_free) {
                self.taken.extend(locks.iter().map(|&lock| (lock, asker)));
                granted.push(asker);
            } else {
                wanted_before.extend(locks.iter().copied());
                self.queue.push((asker, locks));
            }
        }
        granted
    }

    /// Returns the first held resource of those for which the process of `asker` waits, and the holder of that
    /// resource. Returns none if all these resources are free. The process then waits because an earlier request
    /// wants some of them.
    pub fn kept_by(&self, asker: Asker) -> Option<(LockId, NodeId)> {
        let (_, locks) = self.queue.iter().find(|(waiting, _)| *waiting == asker)?;
        locks.iter().find_map(|lock| self.taken.get(lock).map(|(process, _)| (*lock, *process)))
    }

    /// Returns the waiting processes, in order.
    pub fn waiting(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.queue.iter().map(|((process, _), _)| *process)
    }

    /// Returns the held resources and their holders.
    pub fn taken(&self) -> impl Iterator<Item = (LockId, NodeId)> + '_ {
        self.taken.iter().map(|(&lock, &(process, _))| (lock, process))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locks(locks: &[u32]) -> Vec<LockId> {
        locks.iter().copied().map(LockId).collect()
    }

    #[test]
    fn all_or_nothing_and_nobody_overtakes_who_wants_some_of_the_same() {
        let mut together = Together::default();
        let [a, b, c, d] = [0, 1, 2, 3].map(|process| (NodeId(process), 1));
        assert!(together.ask(a, locks(&[0, 1])));
        assert_eq!(together.grant(), [a]);
        together.ask(b, locks(&[1, 2]));
        together.ask(c, locks(&[2, 3]));
        together.ask(d, locks(&[3, 4]));
        assert_eq!(together.grant(), [], "c would overtake b, and d would overtake c");
        assert_eq!(together.kept_by(b), Some((LockId(1), NodeId(0))));
        assert_eq!(together.kept_by(c), None);
        assert!(together.release(LockId(0), a) && !together.release(LockId(0), a));
        assert_eq!(together.grant(), []);
        assert!(together.release(LockId(1), a));
        assert_eq!(together.grant(), [b]);
    }

    #[test]
    fn copies_do_not_fill_the_queue() {
        let mut together = Together::default();
        assert!(together.ask((NodeId(0), 2), locks(&[0])));
        assert!(!together.ask((NodeId(0), 2), locks(&[0])));
        assert!(!together.ask((NodeId(0), 1), locks(&[0])));
        together.grant();
        for ticket in 3..100 {
            together.ask((NodeId(1), ticket), locks(&[0]));
        }
        assert_eq!(together.waiting().count(), 1);
    }
}
