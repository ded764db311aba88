//! Where the request of a process is on its way: kept only where it is looked for how often others enter first.
//!
//! What is meant by it is what [`Waits`](crate::monitor::waits::Waits) finds in a stream of events: a request has arrived when
//! the messages of the step that made it have all been received, and those by which they were passed on; in the bakery when it
//! is through the doorway. Here a message says whose request it brings, so that a state shows what is still under way.

use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{LockId, NodeId, Outcome};

/// The requests of a process, of which one waits at most.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Requests {
    /// How many there were.
    made: u32,
    waiting: Option<Waiting>,
}

/// A request that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting {
    /// For which lock.
    pub lock: LockId,
    /// Its number among those of its process, from 1.
    pub number: u32,
    /// Whether its process is in the doorway still: it sends in so many steps more until it is through.
    doorway: Option<u8>,
}

/// A request by its process and its number.
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
    /// The request that waits.
    pub const fn waiting(&self) -> Option<Waiting> {
        self.waiting
    }

    /// Takes what has come about in a step; says whether it is a request.
    pub fn learn(&mut self, outcome: &Outcome, arrival: Arrival) -> bool {
        match outcome {
            Outcome::Requested { lock, .. } => {
                self.made = self.made.saturating_add(1);
                let doorway = (arrival == Arrival::Doorway).then_some(u8::MAX);
                self.waiting = Some(Waiting { lock: *lock, number: self.made, doorway });
                return true;
            }
            Outcome::Entered { .. } | Outcome::Aborted { .. } => self.waiting = None,
            _ => {}
        }
        false
    }

    /// The request that was made last.
    pub const fn latest(&self, of: NodeId) -> Brought {
        Brought { of, number: self.made }
    }

    /// Takes a step in which something of this kind was sent: in the doorway, if it is there.
    pub fn pass(&mut self, kind: &str) {
        let steps = match kind {
            "READ" => 2,
            "WRITE" => 3,
            _ => return,
        };
        let doorway = self.waiting.as_mut().and_then(|waiting| waiting.doorway.as_mut());
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
