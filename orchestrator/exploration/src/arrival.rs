//! The arrival of the requests of a process, kept only if bypasses are checked.
//!
//! The definition is that of [`Waits`](interlock_observation::monitor::waits::Waits), which checks a stream of
//! events. A request has arrived when the messages of the step that made it, and the messages that forward them,
//! have all been received. In the bakery algorithm, it has arrived when it is through the doorway. Here each
//! message identifies the request that it carries, so a state shows which requests are still in transit.

use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{LockId, NodeId, Outcome, RequestId};

/// The requests of a process, at most one waiting for each lock. While a request for a lock waits, further
/// requests of the process for units of the same lock are not tracked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Requests {
    /// Number of steps in which requests were made.
    made: u32,
    waiting: Vec<Waiting>,
}

/// A waiting request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting {
    /// The lock.
    pub lock: LockId,
    /// The id of the client's request.
    request: RequestId,
    /// The number of the step among the requesting steps of its process, from 1. Requests made together have the
    /// same number.
    pub number: u32,
    /// Maximum number of further sending steps until the process is through the doorway; 0 once it is through.
    /// None if the algorithm has no doorway.
    doorway: Option<u8>,
}

/// The requests made in one step, by process and step number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Brought {
    pub of: NodeId,
    pub number: u32,
}

impl Waiting {
    /// Returns whether the request is through the doorway. This is true if the algorithm has no doorway.
    pub fn is_through(&self) -> bool {
        self.doorway.is_none_or(|left| left == 0)
    }
}

impl Requests {
    /// Returns the waiting requests.
    pub fn waiting(&self) -> &[Waiting] {
        &self.waiting
    }

    /// Adds an outcome of a step, and returns whether it is a request.
    pub fn learn(&mut self, outcome: &Outcome, arrival: Arrival) -> bool {
        match outcome {
            Outcome::Requested { lock, request } => {
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

    /// Ends a step that made requests, and returns the identification of these requests that the messages of the
    /// step carry.
    pub const fn asked(&mut self, of: NodeId) -> Brought {
        self.made = self.made.saturating_add(1);
        Brought { of, number: self.made }
    }

    /// Counts a step that sent a message of this kind, if the process is in a doorway. If the message names a
    /// lock, only the doorway of that lock counts.
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
    /// Returns whether a message of kind `kind` to a node forwards the request. The message is sent in the step
    /// that takes the request in a message of kind `came_as`. It forwards the request only if both kinds are
    /// equal. A message to the requester does not count, because its sender makes a request of its own.
    pub fn goes_on(self, came_as: &str, kind: &str, to: NodeId) -> bool {
        came_as == kind && self.of != to
    }
}
