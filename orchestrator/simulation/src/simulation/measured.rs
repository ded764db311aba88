//! The metrics from the end of the warm-up to the end of the measurement.

use super::{Report, Simulation};
use interlock_algorithm::Outcome;
use interlock_model::event::Event;
use interlock_observation::metrics::{Metrics, MetricsDocument};
use interlock_observation::state::Locks;

/// The metrics, which are reset at the end of the warm-up.
#[derive(Debug)]
pub(super) struct Measured {
    metrics: Metrics,
    /// Number of exits before the warm-up ends, and empty metrics for the measurement that begins then.
    warm_up: Option<(u64, Metrics)>,
    /// Number of exits before the measurement ends; absent if the measurement lasts to the end of the run.
    left: Option<u64>,
    transmissions: u64,
}

impl Measured {
    pub fn new(simulation: &Simulation) -> Self {
        let metrics = Metrics::new(&simulation.specification);
        let warm_up = (simulation.warm_up > 0).then(|| (simulation.warm_up, metrics.clone()));
        Self { metrics, warm_up, left: simulation.measured_until, transmissions: 0 }
    }

    #[inline(always)]
    pub fn observe(&mut self, event: &Event, locks: &Locks) {
        if self.left == Some(0) {
            return;
        }
        self.metrics.observe(event, locks);
        if let Some((_, Outcome::Exited { .. })) = event.outcome() {
            self.left = self.left.map(|left| left - 1);
            self.warm();
        }
    }

    /// Counts a transmission. A message that is sent to several receivers at once counts as one transmission.
    pub fn transmit(&mut self) {
        if self.left != Some(0) {
            self.transmissions += 1;
        }
    }

    fn warm(&mut self) {
        let Some((left, _)) = &mut self.warm_up else { return };
        *left -= 1;
        if *left == 0
            && let Some((_, fresh)) = self.warm_up.take()
        {
            self.metrics = fresh.with_counts_of(&self.metrics);
            self.transmissions = 0;
        }
    }

    /// Returns the metrics so far.
    pub fn document(&self) -> MetricsDocument {
        self.metrics.document()
    }

    /// Writes the metrics into the report.
    pub fn report(&self, report: &mut Report) {
        report.metrics = Some(self.document());
        report.measured_transmissions = self.transmissions;
    }
}
