//! Minimisation of a failing scenario. The method is delta debugging of the document. Each try runs in virtual time
//! with the same seed.
//!
//! The search removes steps, expectations, links and faults. It lowers the numbers of nodes, entries and repetitions,
//! and the duration of the run. An edit is kept if the edited scenario still fails for the same reason. The result
//! cannot be made smaller by any single edit.

mod edit;
mod reason;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::Simulation;
use super::thinning::thin;
use crate::scenario::{Findings, Nemesis, Scenario};
use edit::Edit;
use interlock_model::event::Violation;
use interlock_model::network::LinkPatch;
use reason::Reason;

/// Default maximum number of tries.
pub const MOST_TRIES: usize = 2_000;
/// Maximum number of steps that a smaller scenario may take, as a multiple of the steps of the original scenario.
const PATIENCE: u64 = 10;
/// Number of steps that every smaller scenario may take, even if the original scenario took few steps.
const LEAST_STEPS: u64 = 100_000;
/// Default number of nodes, for a scenario that does not state the number of nodes.
const USUAL_NODES: u64 = 5;

/// The result of a minimisation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Smaller {
    /// The smaller scenario with its seed. In virtual time it fails for the same reason as the original scenario.
    pub scenario: Value,
    /// Size of the original scenario.
    pub from: Size,
    /// Size of the smaller scenario.
    pub to: Size,
    /// Number of edits that were kept.
    pub changes: usize,
    /// Number of edited scenarios that were run.
    pub tries: usize,
    /// Whether no edit can make the scenario smaller. If false, the maximum number of tries was reached.
    pub is_smallest: bool,
}

/// The size of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Number of steps in the document.
    pub steps: usize,
    /// Number of nodes.
    pub nodes: u64,
    /// Number of sources of faults outside the steps: kinds of faults of the nemesis, links with settings, and the
    /// probabilities of loss and duplication.
    pub faults: usize,
    /// Number of expectations.
    pub expectations: usize,
}

/// Minimises a scenario that fails in virtual time with this seed, in at most `most_tries` tries. Returns none if
/// the scenario succeeds with this seed, or if the document is not a scenario.
#[must_use]
pub fn smaller(scenario: &Value, seed: u64, most_tries: usize) -> Option<Smaller> {
    let mut scenario = scenario.clone();
    scenario.as_object_mut()?.insert("seed".to_owned(), seed.into());
    let played = Played::of(&scenario, u64::MAX)?;
    let reason = Reason::of(&played.findings, &played.violations)?;
    let from = Size::of(&scenario);
    let most_steps = played.steps.saturating_mul(PATIENCE).max(LEAST_STEPS);
    let mut search = Search { best: scenario, reason, most_steps, most_tries, changes: 0, tries: 0 };
    let is_smallest = search.run().is_ok() && search.tries < most_tries;
    let Search { best, changes, tries, .. } = search;
    Some(Smaller { from, to: Size::of(&best), scenario: best, changes, tries, is_smallest })
}

/// The outcome of one try.
struct Played {
    findings: Findings,
    violations: Vec<(u64, Violation)>,
    steps: u64,
}

impl Played {
    /// Runs a scenario for at most `most_steps` steps. Returns none if the document is not a scenario.
    fn of(scenario: &Value, most_steps: u64) -> Option<Self> {
        let scenario = Arc::new(Scenario::read(scenario.clone()).ok()?);
        let mut simulation = Simulation::of_scenario(scenario.specification(None, false).ok()?).only_judged();
        simulation.most_steps = simulation.most_steps.min(most_steps);
        let (report, findings) = simulation.carry_out(&scenario).ok()?;
        Some(Self { findings, violations: report.violations, steps: report.steps })
    }
}

/// The maximum number of tries was reached.
struct Exhausted;

/// The search for a smaller scenario.
struct Search {
    best: Value,
    /// The reason why the best scenario fails. Its JSON pointers refer to the best scenario.
    reason: Reason,
    most_steps: u64,
    most_tries: usize,
    changes: usize,
    tries: usize,
}

impl Search {
    /// Applies edits until no edit makes the scenario smaller.
    fn run(&mut self) -> Result<(), Exhausted> {
        loop {
            let before = self.best.clone();
            for list in edit::lists(&self.best) {
                let length = |search: &Self| search.best.pointer(&list).and_then(Value::as_array).map_or(0, Vec::len);
                thin(self, length, |search, items| search.attempt(&Edit::Cut { list: list.clone(), items }))?;
            }
            for place in edit::optional(&self.best) {
                self.attempt(&Edit::LeaveOut(place))?;
            }
            for number in edit::numbers(&self.best) {
                self.lower(&number)?;
            }
            if self.best == before {
                return Ok(());
            }
        }
    }

    /// Finds, by bisection, a smaller value of a number with which the scenario still fails for the same reason.
    fn lower(&mut self, number: &edit::Number) -> Result<(), Exhausted> {
        let (mut too_small, mut enough) = (number.least.saturating_sub(1), number.value);
        // Values below `least` are invalid, so they count as too small.
        while enough.saturating_sub(too_small) > 1 {
            let middle = too_small + (enough - too_small) / 2;
            if self.attempt(&number.set_to(middle))? {
                enough = middle;
            } else {
                too_small = middle;
            }
        }
        Ok(())
    }

    /// Tries an edit, and keeps it if the result fails for the same reason. Returns whether the edit was kept.
    fn attempt(&mut self, edit: &Edit) -> Result<bool, Exhausted> {
        if self.tries >= self.most_tries {
            return Err(Exhausted);
        }
        let Some(scenario) = edit.of(&self.best) else { return Ok(false) };
        let Some(reason) = self.reason.after(edit) else { return Ok(false) };
        self.tries += 1;
        let fails = Played::of(&scenario, self.most_steps)
            .is_some_and(|played| reason.is_that_of(&played.findings, &played.violations));
        if fails {
            (self.best, self.reason) = (scenario, reason);
            self.changes += 1;
        }
        Ok(fails)
    }
}

impl Size {
    fn of(scenario: &Value) -> Self {
        let count = |pointer: &str| scenario.pointer(pointer).map_or(0, |part| part.as_array().map_or(1, Vec::len));
        let bad_links = LinkPatch::PROBABILITIES.map(|name| count(&format!("/network/{name}"))).iter().sum::<usize>()
            + count("/links");
        let nemesis = scenario.get("nemesis").and_then(|nemesis| Nemesis::read(nemesis, "").ok());
        Self {
            steps: edit::lists(scenario).iter().filter(|list| list.starts_with("/steps")).map(|list| count(list)).sum(),
            nodes: scenario["nodes"].as_u64().unwrap_or(USUAL_NODES),
            faults: bad_links + nemesis.map_or(0, |nemesis| nemesis.kinds.len()),
            expectations: count("/expect"),
        }
    }
}
