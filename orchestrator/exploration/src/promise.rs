//! What a process has promised in all its lives: kept only where it is looked for whether promises are kept.
//!
//! What is meant by it is what [`Agreement`](interlock_observation::monitor::agreement::Agreement) finds in a stream of events: an acceptor
//! accepts nothing of an older number than it has promised (Lamport 2001, section 2.2, P1a). Who forgets what it has promised
//! when it crashes has promised it all the same.

use interlock_algorithm::{Ballot, Outcome};

/// The promises of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Promise {
    /// The newest number that it has promised, or accepted.
    newest: Option<Ballot>,
    broken: bool,
}

impl Promise {
    /// Takes what has come about at its process.
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

    /// Whether one was broken.
    pub const fn is_broken(&self) -> bool {
        self.broken
    }
}
