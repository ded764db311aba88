//! A smaller scenario that is not met for the same reason: delta debugging (Zeller and Hildebrandt 2002, "Simplifying and
//! isolating failure-inducing input") over the document, each try played in virtual time with the same seed.
//!
//! Steps, expectations, links and faults are left out, and the numbers of nodes, entries and repetitions and the time of the
//! run are made smaller, as long as the scenario fails as the whole one does. What comes out is as small as one such change
//! can make it; a smaller one of another kind there may be.

mod edit;
mod reason;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::{Findings, Nemesis, Scenario};
use crate::event::Violation;
use crate::simulation::Simulation;
use edit::Edit;
use reason::Reason;

/// The most tries to make a scenario smaller, unless told otherwise.
pub const MOST_TRIES: usize = 2_000;
/// How many times as many steps as the whole scenario a smaller one may take, which fails later if at all.
const PATIENCE: u64 = 10;
/// How many steps any may take.
const LEAST_STEPS: u64 = 100_000;
/// How many nodes a run has where nothing is said.
const USUAL_NODES: u64 = 5;

/// A scenario that was made smaller.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Smaller {
    /// The scenario, which has its seed: played in virtual time it fails as the whole one does.
    pub scenario: Value,
    /// How large the whole one was.
    pub from: Size,
    /// How large this one is.
    pub to: Size,
    /// How many changes were made to it; none if it is the whole one.
    pub changes: usize,
    /// How many scenarios were tried to find it.
    pub tries: usize,
    /// Whether none of the changes makes it smaller; if not, there were no tries left.
    pub is_smallest: bool,
}

/// How large a scenario is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// How many steps are written in it.
    pub steps: usize,
    /// How many nodes its run has.
    pub nodes: u64,
    /// How many faults there are besides its steps: kinds of the nemesis, links of their own, loss and copies.
    pub faults: usize,
    /// How many things are expected.
    pub expectations: usize,
}

/// Makes a scenario smaller that is not met in virtual time with this seed; `most_tries` bounds how many are played. Nothing
/// if it is met with this seed, or is none.
#[must_use]
pub fn smaller(scenario: &Value, seed: u64, most_tries: usize) -> Option<Smaller> {
    let mut scenario = scenario.clone();
    scenario.as_object_mut()?.insert("seed".to_owned(), seed.into());
    let played = Played::of(&scenario, u64::MAX)?;
    let reason = Reason::of(&played.findings, &played.violations)?;
    let from = Size::of(&scenario);
    let most_steps = played.steps.saturating_mul(PATIENCE).max(LEAST_STEPS);
    let mut search = Search { best: scenario, reason, most_steps, most_tries, changes: 0, tries: 0 };
    let is_smallest = search.run();
    let Search { best, changes, tries, .. } = search;
    Some(Smaller { from, to: Size::of(&best), scenario: best, changes, tries, is_smallest })
}

/// A scenario that was tried.
struct Played {
    findings: Findings,
    violations: Vec<(u64, Violation)>,
    steps: u64,
}

impl Played {
    /// Plays what is written, for so many steps at the most; nothing if it is no scenario.
    fn of(scenario: &Value, most_steps: u64) -> Option<Self> {
        let scenario = Arc::new(Scenario::read(scenario.clone()).ok()?);
        let mut simulation = Simulation::of_scenario(scenario.specification(None, false).ok()?).only_judged();
        simulation.most_steps = simulation.most_steps.min(most_steps);
        let (report, findings) = simulation.carry_out(&scenario).ok()?;
        Some(Self { findings, violations: report.violations, steps: report.steps })
    }
}

/// The search for a smaller scenario.
struct Search {
    best: Value,
    /// Why the best one fails, by the places that things have in it.
    reason: Reason,
    most_steps: u64,
    most_tries: usize,
    changes: usize,
    tries: usize,
}

impl Search {
    /// Makes it as small as it can; says whether nothing makes it smaller.
    fn run(&mut self) -> bool {
        loop {
            let before = self.best.clone();
            for list in edit::lists(&self.best) {
                self.thin(&list);
            }
            for place in edit::optional(&self.best) {
                self.attempt(&Edit::LeaveOut(place));
            }
            for number in edit::numbers(&self.best) {
                self.lower(&number);
            }
            if self.tries >= self.most_tries {
                return false;
            }
            if self.best == before {
                return true;
            }
        }
    }

    /// Leaves out ever smaller pieces of a list, until not a single part can be left out.
    fn thin(&mut self, list: &str) {
        let length = |all: &Value| all.pointer(list).and_then(Value::as_array).map_or(0, Vec::len);
        let mut size = length(&self.best).div_ceil(2);
        while size > 0 {
            let before = length(&self.best);
            let mut start = 0;
            while start < length(&self.best) {
                let end = (start + size).min(length(&self.best));
                if !self.attempt(&Edit::Cut { list: list.to_owned(), start, end }) {
                    start = end;
                }
            }
            // What could be left out changes what else can be.
            size = if size == 1 && length(&self.best) < before { 1 } else { size / 2 };
        }
    }

    /// Looks for the smallest number that will do, by halves.
    fn lower(&mut self, number: &edit::Number) {
        let (mut too_small, mut enough) = (number.least.saturating_sub(1), number.value);
        // Below the smallest that makes sense nothing does.
        while enough.saturating_sub(too_small) > 1 && self.tries < self.most_tries {
            let middle = too_small + (enough - too_small) / 2;
            if self.attempt(&number.set_to(middle)) {
                enough = middle;
            } else {
                too_small = middle;
            }
        }
    }

    /// Makes the change if what is left fails for the same reason; says whether it does.
    fn attempt(&mut self, edit: &Edit) -> bool {
        if self.tries >= self.most_tries {
            return false;
        }
        let Some(scenario) = edit.of(&self.best) else { return false };
        let Some(reason) = self.reason.after(edit) else { return false };
        self.tries += 1;
        let fails = Played::of(&scenario, self.most_steps)
            .is_some_and(|played| reason.is_that_of(&played.findings, &played.violations));
        if fails {
            (self.best, self.reason) = (scenario, reason);
            self.changes += 1;
        }
        fails
    }
}

impl Size {
    fn of(scenario: &Value) -> Self {
        let count = |pointer: &str| scenario.pointer(pointer).map_or(0, |part| part.as_array().map_or(1, Vec::len));
        let bad_links = ["/network/loss", "/network/duplicate"].map(count).iter().sum::<usize>() + count("/links");
        let nemesis = scenario.get("nemesis").and_then(|nemesis| Nemesis::read(nemesis, "").ok());
        Self {
            steps: edit::lists(scenario).iter().filter(|list| list.starts_with("/steps")).map(|list| count(list)).sum(),
            nodes: scenario["nodes"].as_u64().unwrap_or(USUAL_NODES),
            faults: bad_links + nemesis.map_or(0, |nemesis| nemesis.kinds.len()),
            expectations: count("/expect"),
        }
    }
}
