//! Chaos with real processes. The scenarios of [`super::chaos`] are run for a given time, round after round. Each
//! round uses the next seed.
//!
//! Each run is removed after its end, and must leave no system resources behind. The resources of this process are
//! therefore measured twice: after the first round, which opens all permanent resources, and at the end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use interlock_model::event::Event;
use interlock_model::field_error::FieldErrors;
use interlock_observation::monitor::stuck;
use interlock_orchestrator::ephemeral::EphemeralPlayground;
use interlock_orchestrator::run::{Core, Registry, Run, RunError};
use interlock_simulation::matrix::Clock;
use interlock_simulation::scenario::{Findings, Outcome, Scenario};
use serde::Serialize;
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::chaos::{self, NOT_MET};
use super::footprint::Footprint;
use super::judge::Finding;
use super::trial::{End, TrialResult, sum_up};
use super::unplayable::Unplayable;
use super::{Candidate, Tried};

/// Number of concurrent runs. A run mostly sleeps or waits for a time-out, so concurrent runs slow each other down
/// only a little.
const AT_ONCE: usize = 4;
/// Minimum number of rounds, even if the duration of the test is over earlier. The first round opens the permanent
/// resources. The resources after the second round are compared with the resources after the first round.
const LEAST_ROUNDS: u64 = 2;

/// The runs of many variants with real processes, and their results so far.
pub struct Soak {
    ephemeral: Arc<EphemeralPlayground>,
    first_seed: u64,
    tallies: Vec<Tally>,
    held: Option<Held>,
}

/// System resources of this process, measured at two times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Held {
    /// The resources after the first round.
    pub before: Footprint,
    /// The resources at the end.
    pub after: Footprint,
}

/// A failed run: its result is impossible for a correct variant.
pub struct Failure {
    /// Variant.
    pub candidate: Candidate,
    /// Seed from which the scenario was drawn.
    pub seed: u64,
    /// Description of the fault.
    pub because: String,
    /// Events of the run; empty if the scenario could not be run.
    pub events: Vec<Event>,
}

/// Results of all runs of one variant.
struct Tally {
    candidate: Candidate,
    first_seed: u64,
    runs: Vec<(u64, TrialResult)>,
    /// The failed run with the earliest seed. Of several failures of a variant, only the failure with the earliest
    /// seed is reported.
    failure: Option<Failure>,
}

impl Tally {
    const fn new(candidate: Candidate, first_seed: u64) -> Self {
        Self { candidate, first_seed, runs: Vec::new(), failure: None }
    }

    const fn is_over(&self) -> bool {
        self.failure.is_some()
    }

    /// Adds the result of a run. `number` is the distance of the run's seed from the first seed. Returns whether the
    /// run is now the reported failure of the variant. Runs are concurrent, so a run with an earlier seed may still
    /// end later.
    fn take(&mut self, number: u64, played: Result<Played, Unplayable>) -> bool {
        let (entries, messages, end, events) = match played {
            Ok(Played { entries, messages, finding, events }) => (entries, messages, finding.map(End::Found), events),
            Err(why) => (0, 0, Some(End::Impossible(why.to_string())), Vec::new()),
        };
        let seed = self.first_seed.saturating_add(number);
        let is_earliest = self.failure.as_ref().is_none_or(|failure| seed < failure.seed);
        let because = end.as_ref().filter(|_| is_earliest).map(|end| end.because().to_owned());
        let failure = because.map(|because| Failure { candidate: self.candidate, seed, because, events });
        self.runs.push((number, TrialResult { entries, messages, phantoms: 0, end }));
        let is_new = failure.is_some();
        self.failure = failure.or_else(|| self.failure.take());
        is_new
    }

    /// Returns the totals of the runs.
    fn tried(&self) -> Tried {
        sum_up(self.candidate, self.first_seed, self.runs.clone())
    }
}

/// Callback that is called after each run. If the run failed, the callback receives the failure, unless a run of
/// the same variant with an earlier seed has already failed.
pub type Teller<'a> = &'a dyn Fn(&Soak, Option<&Failure>);

/// A finished run: the index of its tally, the distance of its seed from the first seed, and its result.
type Over = (usize, u64, Result<Played, Unplayable>);

/// The result of a run.
struct Played {
    entries: u64,
    messages: u64,
    finding: Option<Finding>,
    /// Events of the run; empty unless the run failed.
    events: Vec<Event>,
}

impl Soak {
    /// Creates a soak of the variants `chosen`, whose first round uses the seed `first_seed`. The playground must not
    /// be used for other runs.
    #[must_use]
    pub fn new(ephemeral: Arc<EphemeralPlayground>, chosen: &[Candidate], first_seed: u64) -> Self {
        let tallies = chosen.iter().map(|&candidate| Tally::new(candidate, first_seed)).collect();
        Self { ephemeral, first_seed, tallies, held: None }
    }

    /// Runs the variants for the duration `length`, but for at least two rounds. Then waits until the active runs
    /// have ended. After the first failure of a variant, no further runs of the variant are started.
    ///
    /// # Errors
    /// If the system does not report the resources of this process, or if the result of a run is lost.
    pub async fn go_on(&mut self, length: Duration, told: Teller<'_>) -> io::Result<()> {
        let begun = Instant::now();
        let mut under_way = JoinSet::new();
        let mut before = None;
        for round in 0.. {
            let is_over = || round >= LEAST_ROUNDS && begun.elapsed() >= length;
            let places: Vec<usize> = (0..self.tallies.len()).filter(|place| !self.tallies[*place].is_over()).collect();
            if places.is_empty() || is_over() {
                break;
            }
            for place in places {
                if under_way.len() >= AT_ONCE {
                    self.await_one(&mut under_way, told).await?;
                }
                if is_over() {
                    break;
                }
                let candidate = self.tallies[place].candidate;
                let seed = self.first_seed.saturating_add(round);
                let ephemeral = Arc::clone(&self.ephemeral);
                under_way.spawn(async move { (place, round, play(&ephemeral, candidate, seed).await) });
            }
            if before.is_none() {
                self.await_all(&mut under_way, told).await?;
                before = Some(Footprint::at_rest().await?);
            }
        }
        self.await_all(&mut under_way, told).await?;
        if let Some(before) = before {
            self.held = Some(Held { before, after: Footprint::at_rest().await? });
        }
        Ok(())
    }

    /// Returns the totals of each variant that has been run.
    #[must_use]
    pub fn tried(&self) -> Vec<Tried> {
        let tried = self.tallies.iter().filter(|tally| !tally.runs.is_empty());
        tried.map(Tally::tried).collect()
    }

    /// Returns one failure for each failed variant: the failure with the earliest seed. The totals report the same
    /// failure.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.tallies.iter().filter_map(|tally| tally.failure.as_ref())
    }

    /// Returns the number of runs so far.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.tallies.iter().map(|tally| tally.runs.len()).sum()
    }

    /// Returns the system resources of this process, or none if the soak has not ended.
    #[must_use]
    pub const fn held(&self) -> Option<Held> {
        self.held
    }

    async fn await_all(&mut self, under_way: &mut JoinSet<Over>, told: Teller<'_>) -> io::Result<()> {
        while !under_way.is_empty() {
            self.await_one(under_way, told).await?;
        }
        Ok(())
    }

    async fn await_one(&mut self, under_way: &mut JoinSet<Over>, told: Teller<'_>) -> io::Result<()> {
        let Some(over) = under_way.join_next().await else { return Ok(()) };
        let (place, number, played) = over.map_err(io::Error::other)?;
        let Some(tally) = self.tallies.get_mut(place) else { return Ok(()) };
        let is_new = tally.take(number, played);
        let failure = self.tallies.get(place).and_then(|tally| tally.failure.as_ref());
        told(self, failure.filter(|_| is_new));
        Ok(())
    }
}

/// Runs the scenario that is drawn from a seed, and then removes its run.
async fn play(ephemeral: &EphemeralPlayground, candidate: Candidate, seed: u64) -> Result<Played, Unplayable> {
    let drawn = chaos::scenario(candidate, seed, Clock::Wall).ok_or(Unplayable::NoScenario)?;
    carry_out(ephemeral, drawn).await
}

async fn carry_out(ephemeral: &EphemeralPlayground, drawn: Value) -> Result<Played, Unplayable> {
    let scenario = Arc::new(Scenario::read(drawn).map_err(FieldErrors)?);
    let specification = scenario.specification(None, true).map_err(FieldErrors)?;
    let registry = &ephemeral.registry;
    let (run, findings) = registry.carry_out(specification, &scenario, Vec::new()).await?;
    let (metrics, code) = run.with(|core| (core.metrics().document(), first_broken(core)));
    let finding = not_met(&findings, code);
    let events = if finding.is_some() { all_events(registry, &run) } else { Ok(Vec::new()) };
    registry.delete(run.id).await?;
    Ok(Played { entries: metrics.entries, messages: metrics.messages, finding, events: events? })
}

/// Returns the events of a finished run.
fn all_events(registry: &Registry, run: &Run) -> Result<Vec<Event>, RunError> {
    Ok(registry.reader(run.id)?.events_after(0).collect::<Result<_, _>>()?)
}

/// Returns the code of the first violation in the run. Ignores the report that the run is stuck, because the
/// scenario itself already requires progress.
fn first_broken(core: &mut Core) -> Option<String> {
    let mut broken = core.violations().iter().map(|(_, violation)| violation);
    broken.find(|violation| *violation.monitor != *stuck::NAME).map(|violation| violation.code.to_string())
}

/// Returns the finding for a run whose scenario is not met, or none if the scenario is met.
fn not_met(findings: &Findings, code: Option<String>) -> Option<Finding> {
    if findings.outcome == Outcome::Met {
        return None;
    }
    let because = findings.complaints().next().unwrap_or_else(|| findings.ended.clone());
    Some(Finding { code: code.unwrap_or_else(|| NOT_MET.to_owned()), because })
}

#[cfg(test)]
mod tests {
    use super::super::candidates;
    use super::*;

    fn played(because: Option<&str>) -> Played {
        let finding = because.map(|because| Finding { code: "tokens".into(), because: because.into() });
        Played { entries: 1, messages: 2, finding, events: Vec::new() }
    }

    /// The reported failure must be the failure with the earliest seed, even if a run with a later seed ends
    /// first.
    #[test]
    fn the_failure_of_the_earliest_seed_is_kept() {
        let candidate = candidates().next().expect("a variant");
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let mut tally = Tally::new(candidate, 7);
            let news = order.map(|number| {
                let because = ["", "of eight", "of nine", "of ten"][usize::try_from(number).expect("few")];
                tally.take(number, Ok(played(Some(because).filter(|because| !because.is_empty()))))
            });
            let failure = tally.failure.as_ref().expect("a failure");
            assert_eq!((failure.seed, failure.because.as_str()), (8, "of eight"), "{order:?}");
            let tried = tally.tried();
            assert_eq!((tried.caught_by, tried.because.as_deref()), (Some(8), Some("of eight")), "{order:?}");
            assert!(tally.is_over());
            let told = order.iter().zip(news).filter(|(_, is_new)| *is_new).map(|(number, _)| *number);
            let told: Vec<u64> = told.collect();
            assert!(told.is_sorted_by(|one, next| one > next) && told.last() == Some(&1), "{order:?}: {told:?}");
        }
    }
}
