//! What came of a simulation.

use interlock_algorithm::Ticks;

use crate::schedule::Schedule;
use interlock_model::event::{Event, Violation};
use interlock_observation::metrics::MetricsDocument;
use interlock_observation::monitor::stuck;
use interlock_observation::resource::Resources;
use interlock_world::{Counts, World};

/// What came of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// When it ended, in virtual time.
    pub ended_at: Ticks,
    /// Why it ended before everything was done, if it did.
    pub cut: Option<Cut>,
    /// How many steps all nodes took.
    pub steps: u64,
    /// How many messages were sent, all of them.
    pub messages: u64,
    /// How many times something was sent: a multicast counts as one.
    pub transmissions: u64,
    /// How many entries there were, the warm-up included.
    pub entries: u64,
    /// How many rounds of clients came as far as a section: as many as entries where each takes one lock.
    pub rounds: u64,
    /// How many processes wanted or had something at the end.
    pub engaged: usize,
    /// What it cost after the warm-up, if that was watched; times in units of time.
    pub metrics: Option<MetricsDocument>,
    /// How many times something was sent while that was measured: a multicast counts as one.
    pub measured_transmissions: u64,
    /// The rules broken, if the monitors watched, in the order in which they were found, each with the seq of its event.
    pub violations: Vec<(u64, Violation)>,
    /// What the locks protected, if the monitors watched.
    pub resources: Resources,
    /// How many events there were, if the monitors watched.
    pub told: u64,
    /// The events, if they were kept.
    pub events: Vec<Event>,
    /// If a schedule was played: how many events had been told when it came to each of its choices, and to its end.
    pub marks: Vec<u64>,
    /// What happened, to be played again, if that was recorded.
    pub schedule: Option<Schedule>,
}

/// Why a run was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Its time was over.
    Time,
    /// It had taken all the steps that it was given.
    Steps,
    /// It had taken all the steps that it was given without progress. Progress is the first entry by a request: one that
    /// is given up and made again is none. Where there are no locks it is that somebody learns who is the coordinator,
    /// or what is chosen.
    NoProgress,
}

impl Cut {
    /// Its name in documents.
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
    /// What the world itself says of a run.
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

    /// The violations that are not of getting stuck.
    pub fn broken(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter().map(|(_, violation)| violation).filter(|violation| *violation.monitor != *stuck::NAME)
    }

    /// Whether the run got stuck.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.violations.iter().any(|(_, violation)| *violation.monitor == *stuck::NAME)
    }
}
