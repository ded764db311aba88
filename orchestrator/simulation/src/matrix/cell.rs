//! A cell of the fault matrix: the results of several runs of one scenario.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use super::Fate;
use super::clock::Clock;
use super::contender::Contender;
use super::expectation::{Expectation, Lost};
use super::fault::Fault;
use crate::scenario::{Findings, Outcome, Scenario};
use crate::simulation::{Report, Simulation};
use interlock_model::field_error::FieldError;

/// Number of runs of each cell, with the seeds 1, 2, ….
pub const SEEDS: u64 = 8;

/// The results of one algorithm under one fault.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Cell {
    /// The fault, which is the column of the cell.
    pub fault: Fault,
    /// The worst fate of all runs.
    pub fate: Fate,
    /// The expected fate.
    pub expected: Fate,
    /// The assumptions of the algorithm that the fault violates.
    pub lost: Vec<Lost>,
    /// Number of runs in which the fault could be injected.
    pub runs: u64,
    /// Number of runs in which mutual exclusion was violated.
    #[serde(rename = "unsafe")]
    pub overlapping: u64,
    /// Number of runs in which mutual exclusion held, but a live process did not enter again.
    pub stuck: u64,
    /// The run with the fewest events among the runs with the fate of the cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Example>,
}

/// A run that has the fate of a cell.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = MatrixExample)]
pub struct Example {
    /// The seed.
    pub seed: u64,
    /// Number of events.
    pub events: u64,
    /// A scenario that expects the fate of the cell, and that is met with this seed.
    #[schema(value_type = Object)]
    pub scenario: Value,
}

impl Cell {
    /// Simulates the runs of a cell.
    ///
    /// # Errors
    /// Returns the errors of the scenario.
    pub fn of(contender: &Contender, fault: Fault) -> Result<Self, Vec<FieldError>> {
        let document = contender.scenario(fault, Clock::Virtual);
        let scenario = Arc::new(Scenario::read(document.clone())?);
        let Expectation { fate: expected, lost } = Expectation::of(contender, fault);
        let mut cell =
            Self { fault, fate: Fate::SafeAndLive, expected, lost, runs: 0, overlapping: 0, stuck: 0, example: None };
        for seed in 1..=SEEDS {
            let specification = scenario.specification(Some(seed), false)?;
            let played = Simulation::of_scenario(specification).only_judged().carry_out(&scenario);
            let (report, findings) = played.map_err(|refusal| vec![FieldError::new("", refusal.to_string())])?;
            if let Some(fate) = fate(&findings, contender, fault) {
                cell.add(&document, seed, &report, fate);
            }
        }
        Ok(cell)
    }

    fn add(&mut self, document: &Value, seed: u64, report: &Report, fate: Fate) {
        self.runs += 1;
        self.overlapping += u64::from(fate == Fate::Unsafe);
        self.stuck += u64::from(fate == Fate::SafeButStuck);
        let events = report.told;
        let is_clearer = |example: &Example| fate > self.fate || fate == self.fate && events < example.events;
        if self.example.as_ref().is_none_or(is_clearer) {
            let scenario = as_it_came(document, seed, fate, report.is_stuck());
            self.example = Some(Example { seed, events, scenario });
        }
        self.fate = self.fate.max(fate);
    }

    /// Returns whether the fate is better or worse than expected.
    #[must_use]
    pub fn is_finding(&self) -> bool {
        self.fate != self.expected
    }
}

/// Returns the fate of one run of a cell, simulated or live. Returns none if the fault could not be injected in the
/// run.
#[must_use]
pub fn fate(findings: &Findings, contender: &Contender, fault: Fault) -> Option<Fate> {
    let failed = findings.failure.as_ref().and_then(|failure| failure.place.strip_prefix("/steps/")?.parse().ok());
    // The number of steps that inject a fault does not depend on the duration of the fault.
    let steps = fault.steps(contender, 0, 0).len();
    // The first step of the scenario waits for the entries before the fault.
    if findings.outcome == Outcome::CouldNotRun || failed.is_some_and(|step: usize| (1..=steps).contains(&step)) {
        return None;
    }
    let is_met = |place: &str| findings.expectations.iter().any(|judgement| judgement.place == place && judgement.met);
    Some(match (is_met("/expect/0"), is_met("/expect/1")) {
        (false, _) => Fate::Unsafe,
        (true, false) => Fate::SafeButStuck,
        (true, true) => Fate::SafeAndLive,
    })
}

/// Returns the scenario with this seed, changed so that the observed fate meets its expectations. The last step of
/// the changed scenario waits for that fate.
fn as_it_came(document: &Value, seed: u64, fate: Fate, is_stuck: bool) -> Value {
    let mut scenario = document.clone();
    scenario["seed"] = json!(seed);
    let (last, expected) = match fate {
        Fate::SafeAndLive => return scenario,
        Fate::SafeButStuck if is_stuck => (json!({ "wait": "stuck" }), json!({ "violation": "stuck" })),
        // Waiting processes repeat their requests, so the monitor cannot prove that the run is stuck.
        Fate::SafeButStuck => {
            let within = document["expect"][1]["within"].clone();
            let mut never = document["expect"][1].clone();
            never["never"] = json!({ "every_node": never["every_node"].take() });
            if let Some(never) = never.as_object_mut() {
                never.remove("every_node");
            }
            (json!({ "sleep": within }), never)
        }
        Fate::Unsafe => {
            scenario["expect"] = json!([{ "violation": "mutual-exclusion" }]);
            replace_last(&mut scenario["steps"], json!({ "wait": { "violation": "mutual-exclusion" } }));
            return scenario;
        }
    };
    scenario["expect"][1] = expected;
    replace_last(&mut scenario["steps"], last);
    scenario
}

fn replace_last(steps: &mut Value, step: Value) {
    if let Some(last) = steps.as_array_mut().and_then(|steps| steps.last_mut()) {
        *last = step;
    }
}
