//! Arrival of the requests of a process. It is part of the explored state only if bypasses are checked.
//!
//! [`Waits`](interlock_observation::monitor::waits::Waits), which checks a stream of events, uses the same
//! definition. A request has arrived when all of its messages have been received. The messages of a request are
//! those of the step that made the request, and those that forward the request. In the bakery algorithm, a request
//! has arrived when its process is through the doorway. In an exploration, each message names the request that it
//! carries. So a state shows which requests are still in transit.

use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{LockId, NodeId, Outcome, RequestId};

/// The requests of a process, with at most one waiting request for each lock. While a request for a lock waits, further
/// requests of the process for units of this lock are not tracked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Requests {
    /// Number of steps in which the process made requests.
    made: u32,
    waiting: Vec<Waiting>,
}

/// A waiting request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting {
    /// The requested lock.
    pub lock: LockId,
    /// Id of the client's request.
    request: RequestId,
    /// Number of the step that made the request, from 1. Only steps that make requests are counted, and requests of
    /// the same step have the same number.
    pub number: u32,
    /// Maximum number of further steps that send a message until the process is through the doorway; 0 if the process
    /// is through, and none if the algorithm has no doorway.
    doorway: Option<u8>,
}

/// Identifies the requests that were made in one step, by process and step number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Brought {
    pub of: NodeId,
    pub number: u32,
}

impl Waiting {
    /// Returns whether the process is through the doorway with this request. If the algorithm has no doorway,
    /// returns true.
    pub fn is_through(&self) -> bool {
        self.doorway.is_none_or(|left| left == 0)
    }
}

impl Requests {
    /// Returns the waiting requests.
    pub fn waiting(&self) -> &[Waiting] {
        &self.waiting
    }

    /// Updates the requests with an outcome of a step, and returns whether the outcome is a request.
    pub fn learn(&mut self, outcome: &Outcome, arrival: Arrival) -> bool {
        match outcome {
            Outcome::Requested { lock, request, .. } => {
                if self.waiting.iter().all(|waiting| waiting.lock != *lock) {
                    let doorway = (arrival == Arrival::Doorway).then_some(u8::MAX);
                    let number = self.made.saturating_add(1);
                    self.waiting.push(Waiting { lock: *lock, request: *request, number, doorway });
                }
                return true;
            }
            Outcome::Entered { lock, request, .. } => {
                self.waiting.retain(|waiting| (waiting.lock, waiting.request) != (*lock, *request));
            }
            Outcome::Aborted { request, .. } => self.waiting.retain(|waiting| waiting.request != *request),
            _ => {}
        }
        false
    }

    /// Ends a step that made requests. Returns the identifier of these requests, which the messages of the step
    /// carry.
    pub const fn asked(&mut self, of: NodeId) -> Brought {
        self.made = self.made.saturating_add(1);
        Brought { of, number: self.made }
    }

    /// Counts a step that sent a message of the kind `kind`, if the process is in a doorway. The doorway then needs
    /// one step fewer. If the message names a lock, the step is counted only for the doorway of that lock.
    pub fn pass(&mut self, lock: Option<LockId>, kind: &str) {
        let steps = match kind {
            "READ" => 2,
            "WRITE" => 3,
            _ => return,
        };
        let mut meant = self.waiting.iter_mut().filter(|waiting| lock.is_none_or(|lock| lock == waiting.lock));
        let doorway = meant.next().and_then(|waiting| waiting.doorway.as_mut());
        if let Some(left) = doorway.filter(|left| **left > 0) {
            *left = (*left).min(steps) - 1;
        }
    }
}

impl Brought {
    /// Returns whether a message of kind `kind` to node `to` forwards the request. The message is sent in the step that
    /// receives the request in a message of kind `came_as`, and forwards the request only if both kinds are equal. A
    /// message to the requester does not forward the request, since it belongs to a request of its own sender.
    pub fn goes_on(self, came_as: &str, kind: &str, to: NodeId) -> bool {
        came_as == kind && self.of != to
    }
}
