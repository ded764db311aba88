//! Where the request of a process is on its way: kept only where it is looked for how often others enter first.
//!
//! What is meant by it is what [`Waits`](interlock_observation::monitor::waits::Waits) finds in a stream of events: a request has arrived when
//! the messages of the step that made it have all been received, and those by which they were passed on; in the bakery when it
//! is through the doorway. Here a message says whose request it brings, so that a state shows what is still under way.

use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{LockId, NodeId, Outcome, RequestId};

/// The requests of a process, of which one waits at most for each lock: of several units of a lock that are asked for, the
/// one that was asked for first, and what is asked for while it waits is not followed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Requests {
    /// In how many steps some were made.
    made: u32,
    waiting: Vec<Waiting>,
}

/// A request that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting {
    /// For which lock.
    pub lock: LockId,
    /// By which request of the client.
    request: RequestId,
    /// The number of the step among those of its process in which something is asked for, from 1: what is asked for together
    /// has the same.
    pub number: u32,
    /// Whether its process is in the doorway still: it sends in so many steps more until it is through.
    doorway: Option<u8>,
}

/// What was asked for in a step, by its process and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Brought {
    pub of: NodeId,
    pub number: u32,
}

impl Waiting {
    /// Whether it is through the doorway, if it has to go through one.
    pub fn is_through(&self) -> bool {
        self.doorway.is_none_or(|left| left == 0)
    }
}

impl Requests {
    /// The requests that wait.
    pub fn waiting(&self) -> &[Waiting] {
        &self.waiting
    }

    /// Takes what has come about in a step; says whether it is a request.
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

    /// The step is over in which something was asked for: what its messages bring.
    pub const fn asked(&mut self, of: NodeId) -> Brought {
        self.made = self.made.saturating_add(1);
        Brought { of, number: self.made }
    }

    /// Takes a step in which something of this kind was sent, for this lock if it names one: in the doorway, if it is there.
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
    /// Whether a message of this kind to a node brings it further, sent in the step that takes one of the other kind which
    /// brought it. Who sends the same kind to the one who asks, asks for himself.
    pub fn goes_on(self, came_as: &str, kind: &str, to: NodeId) -> bool {
        came_as == kind && self.of != to
    }
}
