//! The scenario that a run carries out.

use std::sync::Arc;

use tokio::sync::{Notify, watch};

use interlock_simulation::scenario::{Director, Findings, Next};

/// The scenario of a run: its director, the signal that wakes the task that carries it out, and its findings.
#[derive(Debug)]
pub(super) struct Directing {
    pub director: Director,
    /// The first step, known when the run begins.
    pub first: Option<Next>,
    pub woken: Arc<Notify>,
    pub findings: watch::Sender<Option<Findings>>,
}

impl Directing {
    /// Returns a scenario that this director carries out.
    pub fn by(director: Director) -> Self {
        Self { director, first: None, woken: Arc::default(), findings: watch::Sender::new(None) }
    }
}
