//! Timestamp order: whether a process overtakes a request with a smaller timestamp when it enters.
//!
//! Whether a request waits at the moment of an entry depends on the states of two processes. The result is therefore
//! recorded in the process that enters. A state alone does not show it: a request with a smaller timestamp may have been
//! made after the entry.

use interlock_algorithm::{LockId, NodeId, View};

use super::system::System;

impl System<'_> {
    /// Returns whether a node, whose process becomes `process`, enters a critical section while a request with a smaller
    /// timestamp waits for it.
    pub(super) fn overtakes(&self, state: &[u32], node: NodeId, process: u32) -> bool {
        let (before, _) = self.known.pair(state, node);
        let inside = |process: u32, lock: LockId| self.parts.facts(process).inside.contains(&lock);
        let entered = self.parts.facts(process).inside.iter().copied().filter(|&lock| !inside(before, lock));
        entered.into_iter().any(|lock| {
            let Some(mine) = timestamp(&self.parts.view(process, node), lock) else { return false };
            let others = NodeId::all(self.nodes()).filter(|other| *other != node);
            let waiting = others
                .map(|other| (other, self.known.pair(state, other).0))
                .filter(|&(_, other)| self.parts.facts(other).alive && !inside(other, lock));
            let theirs =
                waiting.into_iter().filter_map(|(other, process)| timestamp(&self.parts.view(process, other), lock));
            theirs.into_iter().any(|theirs| theirs < mine)
        })
    }
}

/// Returns the timestamp of a process's request for a lock, with the process that breaks ties.
fn timestamp(view: &View, lock: LockId) -> Option<(u64, NodeId)> {
    let of_lock = if view.locks.is_empty() { Some(view) } else { view.locks.get(lock.0 as usize) };
    of_lock?.request.map(|request| request.by_count())
}
