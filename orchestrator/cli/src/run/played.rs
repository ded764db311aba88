//! What came of a scenario in one run, and what is left of the run.

use std::time::Duration;

use interlock_model::event::Event;
use interlock_observation::metrics::MetricsDocument;
use interlock_simulation::scenario::{Findings, Outcome};
use interlock_simulation::schedule::Schedule;
use interlock_simulation::simulation::Report;

use super::Named;

/// A scenario that was played.
pub struct Played {
    /// The seed of the run.
    pub seed: u64,
    /// What came of it.
    pub findings: Findings,
    /// What happened.
    pub events: Vec<Event>,
    /// The same as a schedule, if it can be said as one.
    pub schedule: Option<Schedule>,
    /// What it cost.
    pub metrics: Option<MetricsDocument>,
    /// How long the run lasted, in its own time.
    pub lasted: Duration,
    /// Whether somebody broke it off, and wants no more.
    pub is_interrupted: bool,
}

/// What is told of it at the end.
pub struct Summary {
    /// What people call the scenario.
    pub name: String,
    /// The file.
    pub file: String,
    /// The seed of the run.
    pub seed: u64,
    /// What came of it.
    pub outcome: Outcome,
    /// What is wrong, a sentence each.
    pub complaints: Vec<String>,
    /// How long the run lasted, in its own time.
    pub lasted: Duration,
}

impl Played {
    /// One that could not be had.
    pub fn could_not(seed: u64, why: impl Into<String>) -> Self {
        Self {
            seed,
            findings: Findings::could_not_run(why),
            events: Vec::new(),
            schedule: None,
            metrics: None,
            lasted: Duration::ZERO,
            is_interrupted: false,
        }
    }

    /// One in virtual time.
    pub fn simulated(seed: u64, report: Report, findings: Findings) -> Self {
        let Report { events, schedule, metrics, ended_at, .. } = report;
        Self {
            seed,
            findings,
            events,
            schedule,
            metrics,
            lasted: Duration::from_micros(ended_at),
            is_interrupted: false,
        }
    }

    /// What is wrong, a sentence each, with the line of the file that it is about.
    pub fn complaints<'a>(&'a self, named: &'a Named) -> impl Iterator<Item = String> + 'a {
        self.findings.complaints_by_place().map(|(pointer, sentence)| match pointer {
            "" => sentence,
            pointer => format!("{}:{}: {sentence}", named.file, named.written.place(pointer).0),
        })
    }

    /// What is told of it at the end.
    pub fn summary(&self, named: &Named) -> Summary {
        Summary {
            name: named.name.clone(),
            file: named.file.clone(),
            seed: self.seed,
            outcome: self.findings.outcome,
            complaints: self.complaints(named).collect(),
            lasted: self.lasted,
        }
    }
}
