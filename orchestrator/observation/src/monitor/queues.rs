//! The waiting requests of a run, for each lock in the order of a key: the timestamp or the time of the request. An
//! entry inverts this order if a request with a smaller key still waits.

use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome, RequestId};

use super::precedence::Inversion;
use interlock_model::event::{Event, What};

/// The key by which requests are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The timestamp that the request itself carries. If two timestamps are equal, the smaller process comes first.
    /// Requests without a timestamp have no order.
    Timestamp,
    /// The time at which the request was made. Two requests that were made at the same time have no order.
    RealTime,
}

/// A waiting request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The timestamp, or the time in microseconds since the run began.
    pub key: u64,
    /// The node that waits.
    pub node: NodeId,
    /// Number of the node's request.
    pub request: RequestId,
    /// The `seq` of the event that reported the request.
    pub requested: u64,
}

/// An entry, together with the requests that it passed over.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The lock.
    pub lock: LockId,
    /// The request that was granted.
    pub granted: Waiting,
    /// The `seq` of the event that reported the entry.
    pub entered: u64,
    earlier: &'a [Waiting],
}

impl<'a> Entry<'a> {
    /// Returns the requests of other nodes that have smaller keys and still wait.
    pub fn passed_over(self) -> impl Iterator<Item = &'a Waiting> {
        self.earlier.iter().filter(move |waiting| waiting.node != self.granted.node)
    }

    /// Returns the inversion of the granted request and a request that it passed over.
    #[must_use]
    pub const fn inversion(self, first: &Waiting) -> Inversion {
        let events = [first.requested, self.granted.requested, self.entered];
        Inversion { lock: self.lock, first: first.node, second: self.granted.node, events }
    }
}

/// The waiting requests of all locks.
#[derive(Clone, Debug)]
pub struct Queues {
    key: Key,
    locks: FlatMap<LockId, Vec<Waiting>>,
}

impl Queues {
    /// Returns the queues of a run before its first event.
    #[must_use]
    pub const fn new(key: Key) -> Self {
        Self { key, locks: FlatMap::new() }
    }

    /// Returns whether no request has had a key.
    #[must_use]
    pub fn are_unused(&self) -> bool {
        self.locks.is_empty()
    }

    /// Processes the next event. Calls `entered` if the event reports the entry for a request in the queues. Exchanges
    /// of messages change nothing.
    pub fn observe(&mut self, event: &Event, entered: impl FnOnce(Entry<'_>)) {
        match &event.what {
            What::Outcome { at, outcome } => match *outcome {
                Outcome::Requested { lock, request, timestamp } => {
                    let key = if self.key == Key::RealTime { Some(event.at_us) } else { timestamp };
                    if let Some(key) = key {
                        self.insert(lock, Waiting { key, node: at.node, request, requested: event.seq });
                    }
                }
                Outcome::Entered { lock, request, .. } => self.enter(lock, (at.node, request), event.seq, entered),
                Outcome::Aborted { request, .. } => {
                    self.retain(|waiting| (waiting.node, waiting.request) != (at.node, request));
                }
                _ => {}
            },
            What::Crashed { node, .. } => self.retain(|waiting| waiting.node != *node),
            _ => {}
        }
    }

    fn insert(&mut self, lock: LockId, waiting: Waiting) {
        let queue = self.locks.entry(lock).or_default();
        let place = queue.partition_point(|other| (other.key, other.node) <= (waiting.key, waiting.node));
        queue.insert(place, waiting);
    }

    fn enter(&mut self, lock: LockId, (node, request): (NodeId, RequestId), seq: u64, entered: impl FnOnce(Entry<'_>)) {
        let Some(queue) = self.locks.get_mut(&lock) else { return };
        let is_granted = |waiting: &Waiting| (waiting.node, waiting.request) == (node, request);
        let Some(place) = queue.iter().position(is_granted) else { return };
        let granted = queue.remove(place);
        let earlier = match self.key {
            Key::Timestamp => place,
            Key::RealTime => queue[..place].partition_point(|waiting| waiting.key < granted.key),
        };
        entered(Entry { lock, granted, entered: seq, earlier: &queue[..earlier] });
    }

    fn retain(&mut self, mut waits: impl FnMut(&Waiting) -> bool) {
        self.locks.iter_mut().for_each(|(_, queue)| queue.retain(&mut waits));
    }
}
