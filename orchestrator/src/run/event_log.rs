//! The recording side of a run: its events, and everything that is derived from them.

use interlock_algorithm::NodeId;

use super::snapshot_pace::SnapshotPace;
use crate::journal::Journal;
use interlock_model::event::{Ending, Event, Violation, What};
use interlock_model::process_status::ProcessStatus;
use interlock_model::specification::Specification;
use interlock_observation::metrics::Metrics;
use interlock_observation::observation::Observation;
use interlock_observation::state::State;
use interlock_observation::witness::{ExpiryReport, Witness};

/// The event log of a run. It derives the state, the violations and the metrics from the events, and writes the
/// events to the journal.
pub(super) struct EventLog {
    observation: Observation,
    metrics: Metrics,
    /// Checks the reports of expired leases that users' own programs send.
    witness: Option<Witness>,
    ended: Option<Ending>,
    /// Events that are not in the journal yet.
    fresh: Vec<Event>,
    journal: Journal,
    snapshots: SnapshotPace,
}

impl EventLog {
    pub fn new(specification: &Specification, journal: Journal) -> Self {
        Self {
            observation: Observation::new(specification),
            metrics: Metrics::new(specification),
            witness: (!specification.programs.is_empty()).then(|| Witness::new(specification)),
            ended: None,
            fresh: Vec::new(),
            journal,
            snapshots: SnapshotPace::default(),
        }
    }

    /// Records an event and the further events that it causes, such as violations. Passes each event to `notify`.
    /// Returns the `seq` of the given event.
    pub fn record(&mut self, at_us: u64, what: What, notify: impl FnMut(&Event)) -> u64 {
        self.observing(notify, |observation, each| observation.record(at_us, what, each))
    }

    /// Makes the monitors judge the state of the run, and passes the resulting events to `notify`. `pending` is the
    /// number of inputs that nodes have not handled yet.
    pub fn judge(&mut self, now_us: u64, pending: usize, notify: impl FnMut(&Event)) {
        self.observing(notify, |observation, each| observation.settle(now_us, pending, each));
    }

    fn observing<T>(
        &mut self,
        mut notify: impl FnMut(&Event),
        does: impl FnOnce(&mut Observation, &mut dyn FnMut(Event, &State)) -> T,
    ) -> T {
        let Self { observation, metrics, witness, ended, fresh, .. } = self;
        does(observation, &mut |event, state| {
            metrics.observe(&event, state.locks());
            if let Some(witness) = witness {
                witness.observe(&event);
            }
            if let What::Ended { why } = &event.what {
                *ended = Some(why.clone());
            }
            notify(&event);
            fresh.push(event);
        })
    }

    /// Sends the new events to the journal. Returns false if there are none.
    pub fn write(&mut self) -> bool {
        if self.fresh.is_empty() {
            return false;
        }
        self.journal.append(&mut self.fresh);
        if self.snapshots.is_due(self.latest(), || self.journal.size().bytes)
            && let Ok(state) = self.state().to_json()
        {
            // The journal then contains this snapshot as well.
            self.snapshots.taken(self.latest(), self.journal.size().bytes + 2 * state.len() as u64);
            self.journal.snapshot(self.latest(), state);
        }
        true
    }

    /// Returns how the run ended; none while it is in progress.
    pub const fn ended(&self) -> Option<&Ending> {
        self.ended.as_ref()
    }

    pub const fn state(&self) -> &State {
        self.observation.state()
    }

    /// Returns the status of a node's process according to the events. If there are no events about the process,
    /// it has not started.
    pub fn status(&self, node: NodeId) -> ProcessStatus {
        self.state().node(node).map_or(ProcessStatus::Starting, |node| node.process)
    }

    /// Returns the `seq` of the latest event.
    pub const fn latest(&self) -> u64 {
        self.observation.latest()
    }

    /// Returns the first thousand violations, each with the `seq` of its event.
    pub fn violations(&self) -> &[(u64, Violation)] {
        self.observation.violations()
    }

    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Returns the reason to reject a report of an expired lease from a user's program. Returns none if the lease
    /// has indeed expired.
    pub fn objection(&self, report: &ExpiryReport) -> Option<String> {
        self.witness.as_ref()?.objection(report)
    }
}
