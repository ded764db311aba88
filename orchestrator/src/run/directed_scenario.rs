//! The state of the scenario that a run executes.

use std::sync::Arc;

use tokio::sync::{Notify, watch};

use interlock_simulation::scenario::{Director, Findings, Next};

/// The scenario of a run: its director, the signal that wakes the task that executes the scenario, and the
/// findings.
#[derive(Debug)]
pub(super) struct Directing {
    pub director: Director,
    /// The first step of the scenario, if it is an action. It is determined when the run begins.
    pub first: Option<Next>,
    pub woken: Arc<Notify>,
    pub findings: watch::Sender<Option<Findings>>,
}

impl Directing {
    /// Returns a scenario whose steps this director determines.
    pub fn by(director: Director) -> Self {
        Self { director, first: None, woken: Arc::default(), findings: watch::Sender::new(None) }
    }
}
