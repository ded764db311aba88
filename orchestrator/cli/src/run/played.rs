//! The result of playing a scenario once, and the data of this run.

use std::time::Duration;

use interlock_model::event::Event;
use interlock_observation::metrics::MetricsDocument;
use interlock_observation::phenomenon::Phenomenon;
use interlock_simulation::scenario::{Findings, Outcome};
use interlock_simulation::schedule::Schedule;
use interlock_simulation::simulation::Report;

use super::Named;

/// A scenario that has been played once.
pub struct Played {
    /// Seed of the run.
    pub seed: u64,
    /// The result of each expectation, and the errors of the run.
    pub findings: Findings,
    /// Events of the run.
    pub events: Vec<Event>,
    /// The same run as a schedule, or none if a schedule cannot express it.
    pub schedule: Option<Schedule>,
    /// Costs of the run.
    pub metrics: Option<MetricsDocument>,
    /// Duration of the run on its own clock: virtual time if the run is simulated.
    pub lasted: Duration,
    /// Whether the user interrupted the run. In this case, no further run starts.
    pub is_interrupted: bool,
}

/// Summary of a run for the totals and the report for continuous integration.
pub struct Summary {
    /// Name of the scenario.
    pub name: String,
    /// File of the scenario.
    pub file: String,
    /// Seed of the run.
    pub seed: u64,
    /// Outcome of the run.
    pub outcome: Outcome,
    /// Unmet expectations and other complaints, one sentence for each.
    pub complaints: Vec<String>,
    /// The phenomenon that the run shows at its end, if it shows a known one.
    pub phenomenon: Option<Phenomenon>,
    /// Duration of the run on its own clock: virtual time if the run is simulated.
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

    /// Returns the unmet expectations and other complaints, one sentence for each. If a complaint is about a line of
    /// the scenario file, the sentence begins with that line's number.
    pub fn complaints<'a>(&'a self, named: &'a Named) -> impl Iterator<Item = String> + 'a {
        self.findings.complaints_by_place().map(|(pointer, sentence)| match pointer {
            "" => sentence,
            pointer => format!("{}:{}: {sentence}", named.file, named.written.place(pointer).0),
        })
    }

    /// Returns the summary of this run.
    pub fn summary(&self, named: &Named) -> Summary {
        Summary {
            name: named.name.clone(),
            file: named.file.clone(),
            seed: self.seed,
            outcome: self.findings.outcome,
            complaints: self.complaints(named).collect(),
            phenomenon: self.findings.phenomenon.as_ref().map(|phenomenon| phenomenon.name),
            lasted: self.lasted,
        }
    }
}
