//! Many random runs of one variant, and their totals.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use serde::Serialize;

use super::judge::{Finding, judge};
use super::unplayable::Unplayable;
use super::{Candidate, chaos, deadlock, document, simulation};
use interlock_model::field_error::FieldError;
use interlock_simulation::matrix::Clock;

/// The totals of the runs of a variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// Algorithm.
    pub algorithm: &'static str,
    /// Variant.
    pub variant: &'static str,
    /// Known flaw of the variant; absent if the variant is correct.
    pub broken: Option<&'static str>,
    /// Verdict on the variant.
    pub verdict: Verdict,
    /// Number of seeds that count: all seeds, or the seeds up to the first failed run.
    pub seeds: u64,
    /// Number of entries in all these runs.
    pub entries: u64,
    /// Number of messages in all these runs.
    pub messages: u64,
    /// Number of reported deadlocks that never existed, in all these runs. Such a report is not always a violation.
    pub phantoms: u64,
    /// First seed whose run violated a property, or could not be run.
    pub caught_by: Option<u64>,
    /// Code of the violation; absent if there is none, or if the run could not be run.
    pub code: Option<String>,
    /// Description of the violation, or the reason why the run could not be run.
    pub because: Option<String>,
}

/// Verdict on many random runs of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A correct variant satisfied all properties in all runs.
    KeptEveryRule,
    /// A faulty variant violated a property.
    Caught,
    /// A correct variant violated a property.
    BrokeARule,
    /// A faulty variant has satisfied all properties in all runs: there were too few runs to catch it.
    NotCaughtYet,
    /// A drawn run was invalid, which is an error in the random choices or in the catalogue.
    CouldNotRun,
}

impl Tried {
    /// Returns whether a correct variant satisfied all properties, or a faulty variant was caught.
    #[must_use]
    pub const fn is_as_expected(&self) -> bool {
        matches!(self.verdict, Verdict::KeptEveryRule | Verdict::Caught)
    }
}

/// Kind of run that is drawn from a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// A run that is as adverse as the assumptions of the algorithm allow.
    Run,
    /// A chaos scenario with faults that the algorithm claims to survive.
    Chaos,
}

/// Runs a variant with at most `count` seeds, starting with `first`, until a run fails. Calls `tick` after each run.
#[must_use]
pub fn try_seeds(candidate: Candidate, drawn: Drawn, first: u64, count: u64, tick: &(impl Fn() + Sync)) -> Tried {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    // Workers receive the seeds in ascending order. Therefore, no seed before the first failure is skipped,
    // regardless of which worker finds this failure.
    let caught = AtomicU64::new(u64::MAX);
    let work = || {
        let mut runs = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count || number > caught.load(Ordering::Relaxed) {
                return runs;
            }
            let seed = first.saturating_add(number);
            let outcome = match drawn {
                Drawn::Run => fire_at(candidate, seed),
                Drawn::Chaos => let_loose(candidate, seed),
            };
            if outcome.end.is_some() {
                caught.fetch_min(number, Ordering::Relaxed);
            }
            runs.push((number, outcome));
            tick();
        }
    };
    let runs = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    });
    sum_up(candidate, first, runs)
}

/// The result of one run.
#[derive(Clone, Debug, Default)]
pub(super) struct TrialResult {
    pub entries: u64,
    pub messages: u64,
    pub phantoms: u64,
    pub end: Option<End>,
}

/// The reason why no further seeds are run.
#[derive(Clone, Debug)]
pub(super) enum End {
    Found(Finding),
    Impossible(String),
}

impl End {
    /// Returns the reason in words.
    pub fn because(&self) -> &str {
        match self {
            Self::Found(finding) => &finding.because,
            Self::Impossible(because) => because,
        }
    }
}

/// Returns the totals of these runs. Each run has a number, which is the distance of its seed from the first seed.
pub(super) fn sum_up(candidate: Candidate, first: u64, mut runs: Vec<(u64, TrialResult)>) -> Tried {
    runs.sort_unstable_by_key(|(number, _)| *number);
    // Other workers may already have run later seeds. These runs do not count, because otherwise the totals would
    // depend on timing.
    let last = runs.iter().position(|(_, run)| run.end.is_some());
    runs.truncate(last.map_or(runs.len(), |last| last + 1));
    let sum = |of: fn(&TrialResult) -> u64| runs.iter().map(|(_, run)| of(run)).sum();
    let end = runs.last().and_then(|(number, run)| Some((first.saturating_add(*number), run.end.clone()?)));
    let (caught_by, end) = end.unzip();
    let verdict = match (&end, candidate.variant.broken) {
        (Some(End::Impossible(_)), _) => Verdict::CouldNotRun,
        (Some(End::Found(_)), Some(_)) => Verdict::Caught,
        (Some(End::Found(_)), None) => Verdict::BrokeARule,
        (None, Some(_)) => Verdict::NotCaughtYet,
        (None, None) => Verdict::KeptEveryRule,
    };
    let (code, because) = match end {
        Some(End::Found(Finding { code, because })) => (Some(code), Some(because)),
        Some(End::Impossible(because)) => (None, Some(because)),
        None => (None, None),
    };
    Tried {
        algorithm: candidate.entry.name,
        variant: candidate.variant.name,
        broken: candidate.variant.broken,
        verdict,
        seeds: runs.len() as u64,
        entries: sum(|run| run.entries),
        messages: sum(|run| run.messages),
        phantoms: sum(|run| run.phantoms),
        caught_by,
        code,
        because,
    }
}

fn fire_at(candidate: Candidate, seed: u64) -> TrialResult {
    let impossible = |because: String| TrialResult { end: Some(End::Impossible(because)), ..TrialResult::default() };
    let simulation = match simulation(&document(candidate, seed)) {
        Ok(simulation) => simulation,
        Err(errors) => return impossible(FieldError::in_words(&errors)),
    };
    let report = match simulation.run() {
        Ok(report) => report,
        Err(refusal) => return impossible(refusal.to_string()),
    };
    let is_phantom = |(_, violation): &&_| deadlock::is_phantom(violation);
    TrialResult {
        entries: report.entries,
        messages: report.messages,
        phantoms: report.violations.iter().filter(is_phantom).count() as u64,
        end: judge(candidate, &simulation, &report).map(End::Found),
    }
}

fn let_loose(candidate: Candidate, seed: u64) -> TrialResult {
    let drawn = chaos::scenario(candidate, seed, Clock::Virtual).ok_or(Unplayable::NoScenario);
    match drawn.and_then(chaos::play) {
        Ok((entries, messages, found)) => TrialResult { entries, messages, phantoms: 0, end: found.map(End::Found) },
        Err(why) => TrialResult { end: Some(End::Impossible(why.to_string())), ..TrialResult::default() },
    }
}
