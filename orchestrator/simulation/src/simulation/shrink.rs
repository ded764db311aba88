//! Shortens a schedule so that it violates the same property, with delta debugging (Zeller and Hildebrandt 2002,
//! "Simplifying and isolating failure-inducing input") of its actions.
//!
//! If an action is left out, others may become impossible; they are left out as well. If earlier messages are never
//! sent, later ones have other numbers. Each message is therefore identified by its origin, not by its id. The
//! result cannot be shortened by leaving out one action and those that it makes impossible. Shorter schedules of
//! another kind may exist.
//!
//! A schedule can force events that no network produces by itself, and a violation that needs such events is not a
//! finding. Two kinds of event therefore occur only if the original schedule contains them: a message overtakes
//! another on a FIFO link, or a timer of an algorithm expires while a message is late.

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

/// A shortened schedule.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The schedule.
    pub schedule: Schedule,
    /// The violation found in the shortened schedule. It violates the same property as the original.
    pub violation: Violation,
    /// Number of schedules played to find it.
    pub played: usize,
}

/// The reason why a schedule cannot be shortened.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unshrinkable {
    /// The algorithm does not support the configuration.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// An action of the schedule is impossible.
    #[error(transparent)]
    Misplaced(#[from] Misplaced),
    /// The schedule violates no property that a shorter one should violate.
    #[error("cannot shrink the schedule: it violates no property")]
    BreaksNoRule,
}

/// An action with its index in the original schedule.
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
    /// Returns a shorter schedule that violates the same property as the first violation of this schedule. No
    /// action of the shorter schedule can be left out.
    ///
    /// # Errors
    /// Returns an error if the schedule violates no property, or if it is impossible.
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
    /// Simplifies a recording: merges the parts of actions that can happen at once, and removes the times.
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

    /// Leaves out ever smaller pieces, until no single action can be left out.
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
            // A removal can make other removals possible.
            size = if size == 1 && kept.len() < before { 1 } else { size / 2 };
        }
        Ok(())
    }

    /// Plays these actions. Returns the actions that were executed up to the violation, or none if there is no
    /// violation.
    fn attempt(&mut self, candidate: &[Kept]) -> Result<Option<Vec<Kept>>, Refusal> {
        self.played += 1;
        let in_parts = candidate.iter().any(|one| one.scheduled.choice.is_part_of_beginning());
        let attempt = Attempt::new(&self.simulation, in_parts, candidate, &self.rule, &self.origins);
        let Attempted { happened, choices, broken, .. } = attempt.play()?;
        if !broken {
            return Ok(None);
        }
        // The result must violate the property as a schedule, with all its actions possible.
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

/// Returns the whole action to which this part belongs, if the part alone determines that action.
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
