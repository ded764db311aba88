//! The promises of a process in all its incarnations, kept only if promises are checked.
//!
//! The definition is that of [`Agreement`](interlock_observation::monitor::agreement::Agreement), which checks a
//! stream of events: an acceptor accepts nothing with a lower number than it has promised (Lamport 2001, section
//! 2.2, P1a). A promise still counts if the acceptor forgets it in a crash.

use interlock_algorithm::{Ballot, Outcome};

/// The promises of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Promise {
    /// The highest number that it has promised or accepted.
    newest: Option<Ballot>,
    broken: bool,
}

impl Promise {
    /// Adds an outcome of its process.
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
