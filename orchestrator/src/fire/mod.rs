//! Safety under fire: every algorithm in random runs, as hard as its assumptions allow.
//!
//! A right variant must break no rule and leave nobody stuck in any of them; a wrong one must be caught. The runs are
//! simulated, and each is a function of its seed, so what is found once is found again.

mod agreement;
mod deadlock;
mod draws;
mod election;
mod scene;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use interlock_algorithm::catalogue::{ENTRIES, Entry, Variant};
use serde::Serialize;

use crate::event::Violation;
use crate::monitor::{self, mutual_exclusion};
use crate::simulation::Simulation;
use crate::specification::FieldError;

/// A variant of an algorithm to be tried.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The algorithm.
    pub entry: &'static Entry,
    /// The variant.
    pub variant: &'static Variant,
}

/// What came of trying a variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// The algorithm.
    pub algorithm: &'static str,
    /// The variant.
    pub variant: &'static str,
    /// What is known to be broken, if it is a wrong one.
    pub broken: Option<&'static str>,
    /// How many seeds were tried: all of them, or up to the first that broke a rule.
    pub seeds: u64,
    /// How many entries there were in all these runs.
    pub entries: u64,
    /// How many messages there were in all these runs.
    pub messages: u64,
    /// How often a deadlock was reported that never was, in all these runs: no rule is broken by that alone.
    pub phantoms: u64,
    /// The first seed whose run broke a rule.
    pub caught_by: Option<u64>,
    /// What it broke, in words.
    pub because: Option<String>,
}

impl Tried {
    /// Whether a right variant kept all rules, or a wrong one was caught.
    #[must_use]
    pub const fn is_as_expected(&self) -> bool {
        self.broken.is_some() == self.caught_by.is_some()
    }
}

/// All variants of the families that have scenes.
pub fn candidates() -> impl Iterator<Item = Candidate> {
    let entries = ENTRIES
        .iter()
        .filter(|entry| ["mutual-exclusion", "election", "deadlock", "agreement"].contains(&entry.family));
    entries.flat_map(|entry| entry.variants.iter().map(move |variant| Candidate { entry, variant }))
}

/// The run of this seed.
///
/// # Errors
/// When the run cannot be: that would be a mistake of this module or of the catalogue.
pub fn simulation(candidate: Candidate, seed: u64) -> Result<Simulation, Vec<FieldError>> {
    match candidate.entry.family {
        "agreement" => agreement::one_decree(candidate, seed),
        _ if candidate.entry.name == "replicated-lock" => agreement::lock_service(candidate, seed),
        "deadlock" => deadlock::simulation(candidate, seed),
        "election" => election::simulation(candidate, seed),
        _ => scene::simulation(candidate, seed),
    }
}

/// Tries a variant with the seeds from `first` on, `count` of them, until one breaks a rule. `tick` is called after
/// each run.
#[must_use]
pub fn try_seeds(candidate: Candidate, first: u64, count: u64, tick: &(impl Fn() + Sync)) -> Tried {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    // Seeds are handed out in order, so whichever worker catches it, none before the first has been left out.
    let caught = AtomicU64::new(u64::MAX);
    let work = || {
        let mut share = Share::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count || number > caught.load(Ordering::Relaxed) {
                return share;
            }
            let outcome = fire_at(candidate, first.saturating_add(number));
            if let Err(because) = &outcome.verdict {
                caught.fetch_min(number, Ordering::Relaxed);
                share.caught.push((number, because.clone()));
            }
            share.runs.push((number, outcome));
            tick();
        }
    };
    let shares: Vec<Share> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    sum_up(candidate, first, &shares)
}

/// What one worker has done.
#[derive(Debug, Default)]
struct Share {
    /// The number of the seed, and what came of it.
    runs: Vec<(u64, Outcome)>,
    caught: Vec<(u64, String)>,
}

fn sum_up(candidate: Candidate, first: u64, shares: &[Share]) -> Tried {
    let caught = shares.iter().flat_map(|share| &share.caught).min();
    let last = caught.map_or(u64::MAX, |(number, _)| *number);
    // Later seeds that another worker had begun do not count, or the sums would depend on who was faster.
    let counted =
        || shares.iter().flat_map(|share| &share.runs).filter(|(number, _)| *number <= last).map(|(_, run)| run);
    Tried {
        algorithm: candidate.entry.name,
        variant: candidate.variant.name,
        broken: candidate.variant.broken,
        seeds: counted().count() as u64,
        entries: counted().map(|run| run.entries).sum(),
        messages: counted().map(|run| run.messages).sum(),
        phantoms: counted().map(|run| run.phantoms).sum(),
        caught_by: caught.map(|(number, _)| first + number),
        because: caught.map(|(_, because)| because.clone()),
    }
}

/// What came of one run.
#[derive(Debug)]
struct Outcome {
    entries: u64,
    messages: u64,
    phantoms: u64,
    verdict: Result<(), String>,
}

fn fire_at(candidate: Candidate, seed: u64) -> Outcome {
    let nothing = |because: String| Outcome { entries: 0, messages: 0, phantoms: 0, verdict: Err(because) };
    let simulation = match simulation(candidate, seed) {
        Ok(simulation) => simulation,
        Err(errors) => return nothing(format!("the run cannot be: {errors:?}")),
    };
    let report = match simulation.run() {
        Ok(report) => report,
        Err(refusal) => return nothing(refusal.to_string()),
    };
    let found = || report.violations.iter().map(|(_, violation)| violation);
    let phantoms = found().filter(|violation| deadlock::is_phantom(violation)).count() as u64;
    // A transaction enters several locks, and some of them more than once. Whoever dies takes its request along.
    let several = candidate.entry.family == "deadlock" || !simulation.script.is_empty();
    let verdict = match (found().find(|violation| is_wrong(candidate, violation)), report.cut) {
        (Some(violation), _) => Err(monitor::sentence(violation)),
        (None, Some(cut)) => Err(format!("it did not end: {cut:?}")),
        (None, None) if !several && Some(report.entries) != simulation.entries => {
            Err(format!("{} of {:?} requests were granted", report.entries, simulation.entries))
        }
        (None, None) => Ok(()),
    };
    Outcome { entries: report.entries, messages: report.messages, phantoms, verdict }
}

fn is_wrong(candidate: Candidate, violation: &Violation) -> bool {
    // That a dead process has left is known from its silence, not from a message: the clock decides, not happened-before.
    let is_timed = candidate.entry.commands.contains(&"elect");
    let excused = is_timed && *violation.code == *mutual_exclusion::CONCURRENT_SECTIONS;
    !excused && deadlock::is_wrong(candidate, violation)
}
