//! Rows of the table of repair costs, simulated on all cores.

use std::collections::BTreeMap;

use serde::Serialize;

use super::case::Case;
use super::fault::{FAULTS, RepairedFault};
use super::measured::{Cost, Measured};
use super::theory::Theory;
use crate::matrix::Contender;
use crate::parallel::on_all_cores;
use crate::scenario::Scenario;
use interlock_model::field_error::FieldError;
use interlock_model::span::Span;

/// The cost of repairing a fault, for one algorithm and one number of processes.
#[derive(Clone, Debug, Serialize)]
pub struct RepairCost {
    /// The algorithm.
    pub algorithm: &'static str,
    /// The variant of the algorithm.
    pub variant: &'static str,
    /// The failure detector: `none` or `perfect`.
    pub detector: &'static str,
    /// The fault.
    pub fault: RepairedFault,
    /// Number of processes.
    pub nodes: u32,
    /// The time-outs of the algorithm, in units of time.
    pub time_outs: BTreeMap<String, Span>,
    /// The measured cost from the fault to the next entry.
    pub measured: Measured,
    /// The measured cost of the same entry in the scenario without the fault, in which the holder leaves the critical
    /// section.
    pub without: Measured,
    /// The expected cost after the fault, if the algorithm determines it.
    pub theory: Theory,
    /// Whether the measured cost equals the expected cost.
    pub verdict: Verdict,
}

/// The result of the comparison of a measured cost with the expected cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The costs are equal.
    AsInTheory,
    /// The costs differ.
    Differs,
    /// The expected cost is unknown.
    NoTheory,
    /// There is no measured cost. Either no process enters, or mutual exclusion is violated, or the runs differ
    /// although they use no random numbers.
    NoCost,
}

impl Verdict {
    /// Returns the verdict on these costs.
    #[must_use]
    pub fn of(measured: &Measured, without: &Measured, theory: &Theory) -> Self {
        let (Some(cost), Some(_)) = (measured.cost(), without.cost()) else { return Self::NoCost };
        let Cost { messages, time, .. } = cost;
        let messages = theory.messages.as_ref().map(|formula| formula.value == *messages);
        let time = theory.time.as_ref().map(|formula| formula.as_time() == *time);
        match (messages, time) {
            (None, None) => Self::NoTheory,
            (messages, time) if messages != Some(false) && time != Some(false) => Self::AsInTheory,
            _ => Self::Differs,
        }
    }

    /// Returns whether the verdict does not count as a failure.
    #[must_use]
    pub const fn is_well(self) -> bool {
        matches!(self, Self::AsInTheory | Self::NoTheory)
    }
}

/// Simulates each fault that these repairs survive, with each number of processes, and returns the costs in order.
/// Calls `tick` after each cost.
///
/// # Errors
/// Returns the errors of a scenario, or the reason why a run ended before the fault.
pub fn play(
    contenders: &[Contender],
    nodes: &[u32],
    tick: &(impl Fn() + Sync),
) -> Result<Vec<RepairCost>, Vec<FieldError>> {
    let cases = cases(contenders, nodes);
    let played = on_all_cores(cases.len(), |number| {
        let row = RepairCost::of(&cases[number]);
        tick();
        row
    });
    played.into_iter().collect()
}

fn cases<'a>(contenders: &'a [Contender], nodes: &[u32]) -> Vec<Case<'a>> {
    let mut cases = Vec::new();
    for contender in contenders {
        for fault in FAULTS.into_iter().filter(|fault| fault.is_repaired_by(contender)) {
            cases.extend(nodes.iter().map(|&nodes| Case { contender, fault, nodes }));
        }
    }
    cases
}

impl RepairCost {
    pub(super) fn of(case: &Case<'_>) -> Result<Self, Vec<FieldError>> {
        let (measured, without) = (Measured::of(case, true)?, Measured::of(case, false)?);
        let specification = Scenario::read(case.scenario(true))?.specification(Some(1), false)?;
        let configuration = specification.configuration();
        let time_out = |name: &str| configuration.time_parameter(name, 0..=u64::MAX).ok().flatten().map(Span);
        let theory = Theory::of(case, &|name| time_out(name).unwrap_or_default());
        let verdict = Verdict::of(&measured, &without, &theory);
        let named = case.contender.assumes.time_outs.iter().map(|time_out| time_out.parameter);
        let time_outs = named.filter_map(|name| Some((name.to_owned(), time_out(name)?))).collect();
        let Contender { entry, variant, detector, .. } = *case.contender;
        Ok(Self {
            algorithm: entry.name,
            variant: variant.name,
            detector,
            fault: case.fault,
            nodes: case.nodes,
            time_outs,
            measured,
            without,
            theory,
            verdict,
        })
    }
}
