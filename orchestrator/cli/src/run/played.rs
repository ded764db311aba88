//! The result of a scenario in one run, and the data of that run.

use std::time::Duration;

use interlock_model::event::Event;
use interlock_observation::metrics::MetricsDocument;
use interlock_simulation::scenario::{Findings, Outcome};
use interlock_simulation::schedule::Schedule;
use interlock_simulation::simulation::Report;

use super::Named;

/// A played scenario.
pub struct Played {
    /// Seed of the run.
    pub seed: u64,
    /// Findings about the expectations.
    pub findings: Findings,
    /// Events of the run.
    pub events: Vec<Event>,
    /// The same run as a schedule, if a schedule can express it.
    pub schedule: Option<Schedule>,
    /// Costs of the run.
    pub metrics: Option<MetricsDocument>,
    /// Duration of the run, in its own time.
    pub lasted: Duration,
    /// Whether the user interrupted the run, so that no further run starts.
    pub is_interrupted: bool,
}

/// Summary that the end of the report needs.
pub struct Summary {
    /// Name of the scenario.
    pub name: String,
    /// File of the scenario.
    pub file: String,
    /// Seed of the run.
    pub seed: u64,
    /// Outcome of the run.
    pub outcome: Outcome,
    /// Complaints, one sentence each.
    pub complaints: Vec<String>,
    /// Duration of the run, in its own time.
    pub lasted: Duration,
}

impl Played {
    /// Returns the result of a run that could not be played.
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

    /// Returns the result of a run in virtual time.
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

    /// Returns the complaints, one sentence each, with the line of the file that each is about.
    pub fn complaints<'a>(&'a self, named: &'a Named) -> impl Iterator<Item = String> + 'a {
        self.findings.complaints_by_place().map(|(pointer, sentence)| match pointer {
            "" => sentence,
            pointer => format!("{}:{}: {sentence}", named.file, named.written.place(pointer).0),
        })
    }

    /// Returns the summary.
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
