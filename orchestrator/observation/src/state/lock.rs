//! One lock as the stream of events tells it: who has it, who waits for it.

use interlock_algorithm::{FlatMap, LockId, NodeId, RequestId};
use serde::{Deserialize, Serialize};

use interlock_model::event::{Event, What};

/// Somebody waiting for a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Who.
    pub node: NodeId,
    /// For which lock.
    pub lock: LockId,
    /// The number of the node's request.
    pub request: RequestId,
    /// Since when, in microseconds since the run began.
    pub since_us: u64,
    /// The event by which it asked.
    pub seq: u64,
}

/// One lock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// Who is in its critical section, once for each place: at most as many as its capacity, if all is well.
    pub holders: Vec<NodeId>,
    /// Whose lease was taken back, and who has not left yet.
    #[serde(default)]
    pub late: Vec<NodeId>,
    /// Who waits, longest first.
    pub waiting: Vec<Waiting>,
    /// How often it was entered.
    pub entries: u64,
}

/// All locks of a run: lock 0 is always there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Locks(FlatMap<LockId, Lock>);

impl Default for Locks {
    fn default() -> Self {
        Self::new()
    }
}

impl Locks {
    /// Lock 0, which nobody wants yet.
    #[must_use]
    pub fn new() -> Self {
        Self([(LockId(0), Lock::default())].into())
    }

    /// All locks, by number.
    pub fn iter(&self) -> impl Iterator<Item = (LockId, &Lock)> {
        self.0.iter().map(|(&id, lock)| (id, lock))
    }

    /// The lock of this number, if anybody ever wanted it.
    #[must_use]
    pub fn find(&self, id: LockId) -> Option<&Lock> {
        self.0.get(&id)
    }

    /// Takes the next event.
    pub fn apply(&mut self, event: &Event) {
        match &event.what {
            What::Requested { at, lock, request } => {
                let waiting =
                    Waiting { node: at.node, lock: *lock, request: *request, since_us: event.at_us, seq: event.seq };
                self.0.entry(*lock).or_default().ask(waiting);
            }
            What::Entered { at, lock, request, .. } => self.0.entry(*lock).or_default().enter(at.node, *request),
            What::Exited { at, lock, .. } => self.0.entry(*lock).or_default().leave(at.node),
            // Who was only thought dead may leave later: its section has been over for all others since.
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
    /// Whether one more may enter a section of so many places.
    #[must_use]
    pub fn has_free_place(&self, capacity: u32) -> bool {
        self.holders.len() < capacity as usize
    }

    /// Whether one more may enter a section of so many places, and no second one.
    #[must_use]
    pub fn has_last_place_free(&self, capacity: u32) -> bool {
        self.holders.len() + 1 == capacity as usize
    }

    // What a node did bears the node's own stamp, so a request may have been made before one that is known already.
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

    /// The lease of who has it was taken back.
    fn expire(&mut self, node: NodeId) {
        if self.holders.contains(&node) {
            self.leave(node);
            self.late.push(node);
        }
    }

    /// Who has it several times gives it back once.
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
