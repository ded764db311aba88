//! The promises of a process in all its incarnations. They are part of the explored state only if promises are
//! checked.
//!
//! [`Agreement`](interlock_observation::monitor::agreement::Agreement), which checks a stream of events, uses the
//! same definition. An acceptor accepts nothing with a lower number than it has promised (Lamport 2001, section
//! 2.2, P1a). If the acceptor forgets its promise in a crash, the promise still counts.

use interlock_algorithm::{Ballot, Outcome};

/// The promises of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Promise {
    /// Highest ballot that the process has promised or accepted.
    newest: Option<Ballot>,
    broken: bool,
}

impl Promise {
    /// Updates the promises with an outcome of a step of the process.
    pub fn learn(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Promised { ballot, .. } => self.newest = self.newest.max(Some(*ballot)),
            Outcome::Accepted { ballot, .. } => {
                self.broken |= self.newest > Some(*ballot);
                self.newest = self.newest.max(Some(*ballot));
            }
            _ => {}
        }
    }

    /// Returns whether a promise was broken.
    pub const fn is_broken(&self) -> bool {
        self.broken
    }
}
