//! The report of a simulation.

use interlock_algorithm::Ticks;

use crate::schedule::Schedule;
use interlock_model::event::{Event, Violation};
use interlock_observation::metrics::MetricsDocument;
use interlock_observation::monitor::stuck;
use interlock_observation::resource::Resources;
use interlock_world::{Counts, World};

/// The report of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The virtual time at which the run ended.
    pub ended_at: Ticks,
    /// The reason why the run was cut short, if it was.
    pub cut: Option<Cut>,
    /// Number of steps of all nodes.
    pub steps: u64,
    /// Number of messages sent.
    pub messages: u64,
    /// Number of transmissions. A multicast counts as one transmission.
    pub transmissions: u64,
    /// Number of entries, including those of the warm-up.
    pub entries: u64,
    /// Number of rounds in which a client entered a critical section. If each round takes one lock, this number
    /// equals the number of entries.
    pub rounds: u64,
    /// Number of processes that requested or held a lock at the end.
    pub engaged: usize,
    /// The metrics after the warm-up, if they were measured. Times are in units of time.
    pub metrics: Option<MetricsDocument>,
    /// Number of transmissions during the measurement. A multicast counts as one transmission.
    pub measured_transmissions: u64,
    /// The violations in the order in which the monitors found them, each with the `seq` of its event. Empty if
    /// there were no monitors.
    pub violations: Vec<(u64, Violation)>,
    /// The state of the resources that the locks protect, if the monitors observed the run.
    pub resources: Resources,
    /// Number of events, if the monitors observed the run.
    pub told: u64,
    /// The events, if they were kept.
    pub events: Vec<Event>,
    /// Only for a run that follows a schedule: the number of events before each action, and before the end.
    pub marks: Vec<u64>,
    /// The recorded actions as a schedule, if they were recorded.
    pub schedule: Option<Schedule>,
}

/// The reason why a run was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The run reached its time limit.
    Time,
    /// The run took the maximum number of steps.
    Steps,
    /// The run took the maximum number of steps without progress. Progress is the first entry of a request; an
    /// aborted and repeated request does not count. In a run without locks, progress means that a process learns the
    /// coordinator or the chosen value.
    NoProgress,
}

impl Cut {
    /// Returns the name in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Steps => "steps",
            Self::NoProgress => "no-progress",
        }
    }
}

impl Report {
    /// Creates the report of a run from its world.
    pub(super) fn of(world: &World<'_>, cut: Option<Cut>, schedule: Option<Schedule>) -> Self {
        let Counts { steps, messages, transmissions, entries, .. } = *world.counts();
        Self {
            ended_at: world.now(),
            cut,
            steps,
            messages,
            transmissions,
            entries,
            rounds: world.rounds(),
            engaged: world.engaged(),
            schedule,
            ..Self::default()
        }
    }

    /// Returns all violations, except the report that the run is stuck.
    pub fn broken(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter().map(|(_, violation)| violation).filter(|violation| *violation.monitor != *stuck::NAME)
    }

    /// Returns whether the run got stuck.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.violations.iter().any(|(_, violation)| *violation.monitor == *stuck::NAME)
    }
}
