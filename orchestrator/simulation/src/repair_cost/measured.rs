//! The measured cost of a repair, computed from the events of a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use interlock_algorithm::{NodeId, Outcome};
use serde::Serialize;

use super::case::{Case, MARK};
use crate::scenario::{Findings, Scenario};
use crate::simulation::{Report, Simulation};
use interlock_model::event::{Event, What};
use interlock_model::field_error::FieldError;
use interlock_model::span::Span;

/// Number of runs of each case, with the seeds 1, 2, …. The runs use no random numbers, so all must have the same
/// result.
pub const SEEDS: u64 = 3;

/// The cost from the fault to the next entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// Number of messages sent.
    pub messages: u64,
    /// Number of messages sent of each kind.
    pub by_kind: BTreeMap<String, u64>,
    /// The duration, in units of time. One unit is the delay of a message.
    pub time: Span,
}

/// The result of the runs of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "came")]
pub enum Measured {
    /// The waiting process has entered, and the cost was the same in all runs.
    Entered(Cost),
    /// The waiting process has entered, but the cost differed between the runs.
    Varied {
        /// The cost of each run.
        costs: Vec<Cost>,
    },
    /// The waiting process has not entered.
    NobodyEntered,
    /// Mutual exclusion was violated.
    TwoInside,
}

impl Measured {
    /// Returns the cost, if it is the same in all runs.
    #[must_use]
    pub const fn cost(&self) -> Option<&Cost> {
        if let Self::Entered(cost) = self { Some(cost) } else { None }
    }

    /// Simulates the runs of a case. If `comes` is true, the runs contain the fault.
    ///
    /// # Errors
    ///
    /// Returns the errors of the scenario, or the reason why a run ended before the fault.
    pub(super) fn of(case: &Case<'_>, comes: bool) -> Result<Self, Vec<FieldError>> {
        let scenario = Arc::new(Scenario::read(case.scenario(comes))?);
        let mut costs = Vec::new();
        for seed in 1..=SEEDS {
            let specification = scenario.specification(Some(seed), false)?;
            let simulation = Simulation { records: false, ..Simulation::of_scenario(specification) };
            let played = simulation.carry_out(&scenario);
            let (report, findings) = played.map_err(|refusal| vec![FieldError::new("", refusal.to_string())])?;
            match one(case, &scenario, &report, &findings)? {
                Self::Entered(cost) => costs.push(cost),
                other => return Ok(other),
            }
        }
        let is_equal = costs.windows(2).all(|pair| pair[0] == pair[1]);
        Ok(match costs.pop() {
            Some(cost) if is_equal => Self::Entered(cost),
            last => Self::Varied { costs: costs.into_iter().chain(last).collect() },
        })
    }
}

/// Simulates one run and returns its result.
fn one(
    case: &Case<'_>,
    scenario: &Scenario,
    report: &Report,
    findings: &Findings,
) -> Result<Measured, Vec<FieldError>> {
    // The last step waits for the entry. If an earlier step fails, the run ended before the fault.
    let last = scenario.steps.last().map(|step| step.place.as_str());
    if let Some(failure) = findings.failure.as_ref().filter(|failure| Some(failure.place.as_str()) != last) {
        let place = format!("{}, {}", case.contender.name(), case.fault.name());
        return Err(vec![FieldError::new(&failure.place, format!("{place}: {}", failure.because))]);
    }
    if findings.expectations.iter().any(|judgement| !judgement.met) {
        return Ok(Measured::TwoInside);
    }
    Ok(cost(&report.events, case.waiter()).map_or(Measured::NobodyEntered, Measured::Entered))
}

/// Returns the cost from the mark to the entry of this process, or none if the process has not entered.
pub(super) fn cost(events: &[Event], waiter: NodeId) -> Option<Cost> {
    let is_mark =
        |event: &Event| matches!(&event.what, What::Noted { detail } if detail.strip_prefix("mark: ") == Some(MARK));
    let mut since = events.iter().skip_while(|event| !is_mark(event));
    let begun = since.next()?.at_us;
    let mut by_kind = BTreeMap::new();
    for event in since {
        match &event.what {
            What::Sent { message_kind, .. } => *by_kind.entry(message_kind.to_string()).or_default() += 1,
            What::Outcome { at, outcome: Outcome::Entered { .. } } if at.node == waiter => {
                let time = Span(event.at_us.saturating_sub(begun));
                return Some(Cost { messages: by_kind.values().sum(), by_kind, time });
            }
            _ => {}
        }
    }
    None
}
