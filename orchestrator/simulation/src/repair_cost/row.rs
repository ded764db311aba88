//! Rows of the table, played on all cores.

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

/// What a repair of a fault costs among so many processes.
#[derive(Clone, Debug, Serialize)]
pub struct RepairCost {
    /// The algorithm.
    pub algorithm: &'static str,
    /// Its variant.
    pub variant: &'static str,
    /// How processes know of each other's crashes: `none` or `perfect`.
    pub detector: &'static str,
    /// The fault.
    pub fault: RepairedFault,
    /// How many processes there are.
    pub nodes: u32,
    /// The time-outs of the algorithm, in units of time.
    pub time_outs: BTreeMap<String, Span>,
    /// What is paid from the fault to the next entry.
    pub measured: Measured,
    /// What is paid for the same entry where there is no fault: whoever is in the section leaves.
    pub without: Measured,
    /// What is to be paid after the fault, as far as it follows from the algorithm.
    pub theory: Theory,
    /// Whether it is.
    pub verdict: Verdict,
}

/// Whether a cost is what it is in theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It is.
    AsInTheory,
    /// It is another.
    Differs,
    /// There is no theory.
    NoTheory,
    /// There is no cost: nobody enters, two are inside, or runs that are to be equal differ.
    NoCost,
}

impl Verdict {
    /// What is to be said of these costs.
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

    /// Whether it is as it should be.
    #[must_use]
    pub const fn is_well(self) -> bool {
        matches!(self, Self::AsInTheory | Self::NoTheory)
    }
}

/// Plays these repairs, each of its faults among each of these numbers of processes; in their order. `tick` is called after each.
///
/// # Errors
/// What is wrong with a scenario, or why it could not come to the fault.
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
