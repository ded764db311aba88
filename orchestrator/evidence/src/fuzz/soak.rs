//! Chaos between real processes: the scenarios of [`super::chaos`], round after round with the next seed, until a time is
//! over.
//!
//! Each run is removed when it is over, so nothing may be left of any: what this process holds of the system is looked at after
//! the first round, in which all is opened that is opened once, and at the end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use interlock_model::event::Event;
use interlock_model::field_error::FieldErrors;
use interlock_observation::monitor::stuck;
use interlock_orchestrator::grounds::Grounds;
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

/// How many runs there are at a time: they spend most of theirs asleep, or waiting for a time-out.
const AT_ONCE: usize = 4;
/// How many rounds there are at least, however short the time: one to open what is opened once, one to compare with.
const LEAST_ROUNDS: u64 = 2;

/// Runs of many variants, and what has come of them so far.
pub struct Soak {
    grounds: Arc<Grounds>,
    first_seed: u64,
    tallies: Vec<Tally>,
    held: Option<Held>,
}

/// What this process held of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Held {
    /// After the first round.
    pub before: Footprint,
    /// At the end.
    pub after: Footprint,
}

/// A run that was not as a right variant does it.
pub struct Failure {
    /// The variant.
    pub candidate: Candidate,
    /// The seed of its scenario.
    pub seed: u64,
    /// What was wrong, in words.
    pub because: String,
    /// What happened; nothing where it could not be run.
    pub events: Vec<Event>,
}

/// The runs of a variant.
struct Tally {
    candidate: Candidate,
    first_seed: u64,
    runs: Vec<(u64, TrialResult)>,
    /// Of the earliest seed that had one: the one that is told of.
    failure: Option<Failure>,
}

impl Tally {
    const fn new(candidate: Candidate, first_seed: u64) -> Self {
        Self { candidate, first_seed, runs: Vec::new(), failure: None }
    }

    const fn is_over(&self) -> bool {
        self.failure.is_some()
    }

    /// Takes what came of the run of a number, counted from the first seed, and says whether that is its failure now. Of some that
    /// were under way together the one of a later seed may be over first.
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

    /// What came of it.
    fn tried(&self) -> Tried {
        sum_up(self.candidate, self.first_seed, self.runs.clone())
    }
}

/// Who is told after each run, with what was wrong if nothing was in one of its variant with an earlier seed.
pub type Teller<'a> = &'a dyn Fn(&Soak, Option<&Failure>);

/// A run that is over: of which tally, its number, and what came of it.
type Over = (usize, u64, Result<Played, Unplayable>);

/// What came of a run.
struct Played {
    entries: u64,
    messages: u64,
    finding: Option<Finding>,
    /// What happened, if that was not as it should be.
    events: Vec<Event>,
}

impl Soak {
    /// Runs of these variants, whose seeds begin with this one. The grounds have no other runs.
    #[must_use]
    pub fn new(grounds: Arc<Grounds>, chosen: &[Candidate], first_seed: u64) -> Self {
        let tallies = chosen.iter().map(|&candidate| Tally::new(candidate, first_seed)).collect();
        Self { grounds, first_seed, tallies, held: None }
    }

    /// Goes on for so long, and for two rounds at least, and finishes what is under way then. A variant is tried until the
    /// first run that is not as a right one does it.
    ///
    /// # Errors
    /// When the system does not say what this process holds of it, or a run is lost.
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
                let grounds = Arc::clone(&self.grounds);
                under_way.spawn(async move { (place, round, play(&grounds, candidate, seed).await) });
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

    /// What came of each variant that was tried.
    #[must_use]
    pub fn tried(&self) -> Vec<Tried> {
        let tried = self.tallies.iter().filter(|tally| !tally.runs.is_empty());
        tried.map(Tally::tried).collect()
    }

    /// What was not as a right variant does it: of each variant that of the earliest seed, as in what was tried.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.tallies.iter().filter_map(|tally| tally.failure.as_ref())
    }

    /// How many runs there have been.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.tallies.iter().map(|tally| tally.runs.len()).sum()
    }

    /// What this process held of the system, once it is over.
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

/// Carries out the scenario of a seed, and removes its run.
async fn play(grounds: &Grounds, candidate: Candidate, seed: u64) -> Result<Played, Unplayable> {
    let drawn = chaos::scenario(candidate, seed, Clock::Wall).ok_or(Unplayable::NoScenario)?;
    carry_out(grounds, drawn).await
}

async fn carry_out(grounds: &Grounds, drawn: Value) -> Result<Played, Unplayable> {
    let scenario = Arc::new(Scenario::read(drawn).map_err(FieldErrors)?);
    let specification = scenario.specification(None, true).map_err(FieldErrors)?;
    let registry = &grounds.registry;
    let (run, findings) = registry.carry_out(specification, &scenario, Vec::new()).await?;
    let (metrics, code) = run.with(|core| (core.metrics_document(), first_broken(core)));
    let finding = not_met(&findings, code);
    let events = if finding.is_some() { all_events(registry, &run) } else { Ok(Vec::new()) };
    registry.delete(run.id).await?;
    Ok(Played { entries: metrics.entries, messages: metrics.messages, finding, events: events? })
}

/// What happened in a run that is over.
fn all_events(registry: &Registry, run: &Run) -> Result<Vec<Event>, RunError> {
    Ok(registry.reader(run.id)?.events_after(0).collect::<Result<_, _>>()?)
}

/// The first rule that was broken, but for that of progress, which the scenario judges.
fn first_broken(core: &mut Core) -> Option<String> {
    let mut broken = core.violations().iter().map(|(_, violation)| violation);
    broken.find(|violation| *violation.monitor != *stuck::NAME).map(|violation| violation.code.to_string())
}

/// What was wrong, if anything was.
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

    /// What is kept of a failure is of the seed that is said to have caught it, whichever of several runs is over first.
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
