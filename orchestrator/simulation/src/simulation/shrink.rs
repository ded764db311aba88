//! A shorter schedule that breaks the same rule: delta debugging (Zeller and Hildebrandt 2002, "Simplifying and isolating
//! failure-inducing input") over what happens.
//!
//! Where a choice is left out, others may become impossible: they are left out, too. Messages get other numbers when
//! earlier ones are never sent, so each is known by where it comes from, not by its name. What comes out is as short as
//! leaving out one choice, with what becomes impossible, can make it; a shorter one of another kind there may be.
//!
//! A schedule can do by hand what no network does by itself. That would be no finding: so no message overtakes another
//! on a link that keeps their order, and no timer of an algorithm runs out while a message is late, unless the longer
//! schedule has that, too.

mod attempt;
mod attempted;
mod origin;
#[cfg(test)]
mod tests;

use interlock_algorithm::Refusal;

use super::Simulation;
use crate::schedule::{Misplaced, Schedule, Scheduled};
use attempt::{Attempt, Rule};
use attempted::Attempted;
use interlock_model::choice::Choice;
use interlock_model::event::Violation;
use origin::Origins;

/// A schedule that was made shorter.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The schedule.
    pub schedule: Schedule,
    /// The rule that it breaks, as the longer one did.
    pub violation: Violation,
    /// How many schedules were played to find it.
    pub played: usize,
}

/// Why a schedule cannot be made shorter.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unshrinkable {
    /// The algorithm cannot run so.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It cannot happen.
    #[error(transparent)]
    Misplaced(#[from] Misplaced),
    /// There is nothing that a shorter one should show.
    #[error("it breaks no rule, so there is nothing to shrink it to")]
    BreaksNoRule,
}

/// A choice, and its place in the schedule that is made shorter.
#[derive(Clone, Debug)]
struct Kept {
    place: usize,
    scheduled: Scheduled,
}

/// The search for a shorter schedule.
struct Shrinking<'a> {
    original: &'a Schedule,
    simulation: Simulation,
    rule: Rule,
    origins: Origins,
    best: Schedule,
    played: usize,
}

impl Schedule {
    /// Makes a shorter schedule that breaks the same rule as this one does first. No choice of it can be left out.
    ///
    /// # Errors
    /// When it breaks no rule, or cannot happen at all.
    pub fn shrunk(&self) -> Result<Shrunk, Unshrinkable> {
        let simulation = Simulation::of_schedule(self);
        let report = simulation.replay(self)??;
        let Some((_, violation)) = report.violations.into_iter().next() else {
            return Err(Unshrinkable::BreaksNoRule);
        };
        let rule = Rule::of(&violation);
        let kept = kept(self);
        let first = Attempt::new(&simulation, self.is_in_parts(), &kept, &rule, &Origins::default()).play()?;
        let origins = Origins::of(self, &first);
        let mut shrinking = Shrinking { original: self, simulation, rule, origins, best: self.clone(), played: 2 };
        let kept = shrinking.simplified(kept)?;
        shrinking.minimise(kept)?;
        Ok(Shrunk { schedule: shrinking.best, violation, played: shrinking.played })
    }
}

fn kept(schedule: &Schedule) -> Vec<Kept> {
    let kept = |(place, scheduled): (usize, &Scheduled)| Kept { place, scheduled: scheduled.clone() };
    schedule.choices.iter().enumerate().map(kept).collect()
}

impl Shrinking<'_> {
    /// The same without what only recordings need: parts of what can happen at once, and times.
    fn simplified(&mut self, mut kept: Vec<Kept>) -> Result<Vec<Kept>, Refusal> {
        let whole = kept.iter().filter_map(|one| Some(Kept { scheduled: whole(&one.scheduled)?, ..*one })).collect();
        let timeless = |kept: &[Kept]| {
            let timeless = |one: &Kept| Kept {
                place: one.place,
                scheduled: Scheduled { at_us: None, choice: one.scheduled.choice.clone() },
            };
            kept.iter().map(timeless).collect::<Vec<_>>()
        };
        for candidate in [whole, kept.clone()] {
            if let Some(simpler) = self.attempt(&candidate)? {
                kept = simpler;
                break;
            }
        }
        Ok(self.attempt(&timeless(&kept))?.unwrap_or(kept))
    }

    /// Leaves out ever smaller pieces, until not a single choice can be left out.
    fn minimise(&mut self, mut kept: Vec<Kept>) -> Result<(), Refusal> {
        let mut size = kept.len().div_ceil(2);
        while size > 0 {
            let before = kept.len();
            let mut start = 0;
            while start < kept.len() {
                let end = (start + size).min(kept.len());
                match self.attempt(&[&kept[..start], &kept[end..]].concat())? {
                    Some(fewer) => kept = fewer,
                    None => start = end,
                }
            }
            // What could be left out changes what else can be.
            size = if size == 1 && kept.len() < before { 1 } else { size / 2 };
        }
        Ok(())
    }

    /// What of these choices happens up to where the rule is broken; none if it is not.
    fn attempt(&mut self, candidate: &[Kept]) -> Result<Option<Vec<Kept>>, Refusal> {
        self.played += 1;
        let in_parts = candidate.iter().any(|one| one.scheduled.choice.is_part_of_beginning());
        let attempt = Attempt::new(&self.simulation, in_parts, candidate, &self.rule, &self.origins);
        let Attempted { happened, choices, broken, .. } = attempt.play()?;
        if !broken {
            return Ok(None);
        }
        // What is handed over must break the rule as it stands, with every choice possible.
        let schedule = Schedule { choices, ..self.original.clone() };
        self.played += 1;
        let breaks = match Simulation::of_schedule(&schedule).replay(&schedule)? {
            Ok(report) => report.violations.iter().any(|(_, violation)| self.rule == Rule::of(violation)),
            Err(_) => false,
        };
        if breaks {
            self.best = schedule;
        }
        Ok(breaks.then_some(happened))
    }
}

/// What happens at once of which this is a part, if it is that part which says what.
fn whole(scheduled: &Scheduled) -> Option<Scheduled> {
    let choice = match &scheduled.choice {
        Choice::Start { .. } | Choice::Begin { .. } | Choice::Arrive(_) | Choice::Forward(_) | Choice::Judge { .. } => {
            return None;
        }
        Choice::Relaunch { node, state } => Choice::Restart { node: *node, state: *state },
        Choice::Die { node, .. } => Choice::Crash { node: *node },
        other => other.clone(),
    };
    Some(Scheduled { at_us: scheduled.at_us, choice })
}
