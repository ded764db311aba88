//! The metrics of what comes after the warm-up.

use super::Simulation;
use crate::event::{Event, What};
use crate::metrics::{Metrics, MetricsDocument};
use crate::state::Locks;

/// The metrics, begun anew when the warm-up is over.
#[derive(Debug)]
pub(super) struct Measured {
    metrics: Metrics,
    /// How many entries the warm-up still lasts, and the metrics to begin with then.
    warm_up: Option<(u64, Metrics)>,
}

impl Measured {
    pub fn new(simulation: &Simulation) -> Self {
        let metrics = Metrics::new(&simulation.specification);
        let warm_up = (simulation.warm_up > 0).then(|| (simulation.warm_up, metrics.clone()));
        Self { metrics, warm_up }
    }

    pub fn observe(&mut self, event: &Event, locks: &Locks) {
        self.metrics.observe(event, locks);
        if let (Some((left, _)), What::Exited { .. }) = (&mut self.warm_up, &event.what) {
            *left -= 1;
            if *left == 0
                && let Some((_, fresh)) = self.warm_up.take()
            {
                self.metrics = fresh;
            }
        }
    }

    pub fn document(&self) -> MetricsDocument {
        self.metrics.document()
    }
}
