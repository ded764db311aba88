//! A lock, computed from the events: its holders and its waiting processes.

use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome, RequestId};
use serde::{Deserialize, Serialize};

use interlock_model::event::{Event, What};

/// A node waiting for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The waiting node.
    pub node: NodeId,
    /// The lock for which the node waits.
    pub lock: LockId,
    /// The number of the node's request.
    pub request: RequestId,
    /// Start of the wait, in microseconds since the run began.
    pub since_us: u64,
    /// The `seq` of the event with which the node requested the lock.
    pub seq: u64,
}

/// One lock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// Nodes in the critical section of the lock, with one entry for each unit that a node holds. In a correct run,
    /// the list is never longer than the number of the lock's units.
    pub holders: Vec<NodeId>,
    /// Nodes whose lease was taken back, and that have not yet left the section.
    #[serde(default)]
    pub late: Vec<NodeId>,
    /// Waiting nodes, longest wait first.
    pub waiting: Vec<Waiting>,
    /// Number of entries to the critical section so far.
    pub entries: u64,
}

/// All locks that nodes have requested in a run, and lock 0, which is always present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Locks(FlatMap<LockId, Lock>);

impl Default for Locks {
    fn default() -> Self {
        Self::new()
    }
}

impl Locks {
    /// Returns lock 0 alone, without holders or waiting nodes.
    #[must_use]
    pub fn new() -> Self {
        Self([(LockId(0), Lock::default())].into())
    }

    /// Returns all locks, by number.
    pub fn iter(&self) -> impl Iterator<Item = (LockId, &Lock)> {
        self.0.iter().map(|(&id, lock)| (id, lock))
    }

    /// Returns the lock with this number, or `None` if no node has ever requested the lock.
    #[must_use]
    pub fn find(&self, id: LockId) -> Option<&Lock> {
        self.0.get(&id)
    }

    /// Processes the next event.
    pub fn apply(&mut self, event: &Event) {
        match &event.what {
            What::Outcome { at, outcome } => match outcome {
                Outcome::Requested { lock, request, .. } => {
                    let waiting = Waiting {
                        node: at.node,
                        lock: *lock,
                        request: *request,
                        since_us: event.at_us,
                        seq: event.seq,
                    };
                    self.0.entry(*lock).or_default().ask(waiting);
                }
                Outcome::Entered { lock, request, .. } => self.0.entry(*lock).or_default().enter(at.node, *request),
                Outcome::Exited { lock, .. } => self.0.entry(*lock).or_default().leave(at.node),
                // The holder may be live and leave later, since a holder can be suspected wrongly. For all other
                // processes, its section is over once its lease has expired.
                Outcome::Expired { lock, holder, .. } => self.0.entry(*lock).or_default().expire(*holder),
                Outcome::Aborted { request, .. } => {
                    self.0.values_mut().for_each(|lock| lock.stop_waiting(at.node, *request));
                }
                _ => {}
            },
            What::Crashed { node, .. } => self.0.values_mut().for_each(|lock| lock.forget(*node)),
            _ => {}
        }
    }
}

impl Lock {
    /// Returns whether a unit is free, so that one more process may enter a section of this capacity.
    #[must_use]
    pub fn has_free_place(&self, capacity: u32) -> bool {
        self.holders.len() < capacity as usize
    }

    /// Returns whether exactly one unit is free in a section of this capacity.
    #[must_use]
    pub fn has_last_place_free(&self, capacity: u32) -> bool {
        self.holders.len() + 1 == capacity as usize
    }

    // Each node sets the timestamps of its own events. The timestamp of this request may therefore be earlier than
    // the timestamps of requests that are already in the list.
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

    /// Records that the lease of a holder was taken back.
    fn expire(&mut self, node: NodeId) {
        if self.holders.contains(&node) {
            self.leave(node);
            self.late.push(node);
        }
    }

    /// Releases one unit that the node holds. If the node holds several units, it keeps the others.
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
