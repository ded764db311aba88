//! One lock as the stream of events shows it: its holders and its waiting processes.

use interlock_algorithm::{FlatMap, LockId, NodeId, RequestId};
use serde::{Deserialize, Serialize};

use interlock_model::event::{Event, What};

/// A node waiting for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The waiting node.
    pub node: NodeId,
    /// The lock that it waits for.
    pub lock: LockId,
    /// The number of the node's request.
    pub request: RequestId,
    /// Start of the wait, in microseconds since the run began.
    pub since_us: u64,
    /// Event with which the node requested the lock.
    pub seq: u64,
}

/// One lock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// Nodes in its critical section, one entry for each unit. A correct run never has more entries than the
    /// capacity.
    pub holders: Vec<NodeId>,
    /// Nodes whose lease was taken back and that have not left yet.
    #[serde(default)]
    pub late: Vec<NodeId>,
    /// Waiting nodes, longest wait first.
    pub waiting: Vec<Waiting>,
    /// Number of entries so far.
    pub entries: u64,
}

/// All locks of a run. Lock 0 is always present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Locks(FlatMap<LockId, Lock>);

impl Default for Locks {
    fn default() -> Self {
        Self::new()
    }
}

impl Locks {
    /// Returns lock 0, which no node wants yet.
    #[must_use]
    pub fn new() -> Self {
        Self([(LockId(0), Lock::default())].into())
    }

    /// Returns all locks, by number.
    pub fn iter(&self) -> impl Iterator<Item = (LockId, &Lock)> {
        self.0.iter().map(|(&id, lock)| (id, lock))
    }

    /// Returns the lock with this number, if a node has ever wanted it.
    #[must_use]
    pub fn find(&self, id: LockId) -> Option<&Lock> {
        self.0.get(&id)
    }

    /// Processes the next event.
    pub fn apply(&mut self, event: &Event) {
        match &event.what {
            What::Requested { at, lock, request } => {
                let waiting =
                    Waiting { node: at.node, lock: *lock, request: *request, since_us: event.at_us, seq: event.seq };
                self.0.entry(*lock).or_default().ask(waiting);
            }
            What::Entered { at, lock, request, .. } => self.0.entry(*lock).or_default().enter(at.node, *request),
            What::Exited { at, lock, .. } => self.0.entry(*lock).or_default().leave(at.node),
            // The holder may have been suspected wrongly, and then it leaves later. For all other processes its
            // section ended with the expiry.
            What::Expired { lock, holder, .. } => self.0.entry(*lock).or_default().expire(*holder),
            What::Aborted { at, request, .. } => {
                self.0.values_mut().for_each(|lock| lock.stop_waiting(at.node, *request));
            }
            What::Crashed { node, .. } => self.0.values_mut().for_each(|lock| lock.forget(*node)),
            _ => {}
        }
    }
}

impl Lock {
    /// Returns whether another process may enter a section with this capacity.
    #[must_use]
    pub fn has_free_place(&self, capacity: u32) -> bool {
        self.holders.len() < capacity as usize
    }

    /// Returns whether exactly one more process may enter a section with this capacity.
    #[must_use]
    pub fn has_last_place_free(&self, capacity: u32) -> bool {
        self.holders.len() + 1 == capacity as usize
    }

    // Each node sets the timestamps of its own events. A new request may therefore be older than requests that are
    // already known.
    fn ask(&mut self, asking: Waiting) {
        self.stop_waiting(asking.node, asking.request);
        let before = |waiting: &Waiting| (waiting.since_us, waiting.node) <= (asking.since_us, asking.node);
        self.waiting.insert(self.waiting.partition_point(before), asking);
    }

    fn enter(&mut self, node: NodeId, request: RequestId) {
        self.stop_waiting(node, request);
        self.holders.push(node);
        self.entries += 1;
    }

    /// Records that the holder's lease was taken back.
    fn expire(&mut self, node: NodeId) {
        if self.holders.contains(&node) {
            self.leave(node);
            self.late.push(node);
        }
    }

    /// Releases one unit of the lock, even if the node has several.
    fn leave(&mut self, node: NodeId) {
        if let Some(place) = self.late.iter().position(|&late| late == node) {
            self.late.remove(place);
        } else if let Some(place) = self.holders.iter().position(|&holder| holder == node) {
            self.holders.remove(place);
        }
    }

    fn stop_waiting(&mut self, node: NodeId, request: RequestId) {
        self.waiting.retain(|waiting| (waiting.node, waiting.request) != (node, request));
    }

    fn forget(&mut self, node: NodeId) {
        self.waiting.retain(|waiting| waiting.node != node);
        self.holders.retain(|&holder| holder != node);
        self.late.retain(|&late| late != node);
    }
}
