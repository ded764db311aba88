//! Shortens a schedule so that it still violates the same property. The method is delta debugging of the list of
//! actions.
//!
//! If an action is left out, later actions may become impossible. The search leaves these actions out as well. If a
//! message is not sent, later messages on its link have other numbers. Each message is therefore identified by its
//! origin and not by its id. In the result, no action can be left out, even together with the actions that become
//! impossible. Shorter schedules of a different kind may exist.
//!
//! A schedule can force events that no network produces by itself, and a violation that needs such events is not a
//! finding. Therefore, two kinds of events occur only if the original schedule contains them:
//! - a message overtakes another message on a FIFO link;
//! - a timer of an algorithm expires while a message is late.

mod attempt;
mod attempted;
mod origin;
#[cfg(test)]
mod tests;

use std::ops::Range;

use interlock_algorithm::Refusal;

use super::Simulation;
use super::thinning::thin;
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
    /// The first violation in the original schedule. The shortened schedule violates the same property.
    pub violation: Violation,
    /// Number of schedules that were executed during the search.
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
    /// The schedule violates no property, so there is no violation to preserve.
    #[error("cannot shrink the schedule: it violates no property")]
    BreaksNoRule,
}

/// An action of a candidate, with its index in the original schedule.
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
    /// The shortest schedule so far, and its actions.
    best: Schedule,
    kept: Vec<Kept>,
    played: usize,
}

impl Schedule {
    /// Returns a shorter schedule that violates the same property as the first violation of this schedule. Every
    /// action of the shorter schedule is needed for the violation.
    ///
    /// # Errors
    /// Returns an error if the schedule violates no property, or if one of its actions is impossible.
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
        let mut search = Shrinking { original: self, simulation, rule, origins, best: self.clone(), kept, played: 2 };
        search.simplify()?;
        thin(&mut search, |search| search.kept.len(), Shrinking::leave_out)?;
        Ok(Shrunk { schedule: search.best, violation, played: search.played })
    }
}

fn kept(schedule: &Schedule) -> Vec<Kept> {
    let kept = |(place, scheduled): (usize, &Scheduled)| Kept { place, scheduled: scheduled.clone() };
    schedule.choices.iter().enumerate().map(kept).collect()
}

impl Shrinking<'_> {
    /// Simplifies a recording of a live run, if the violation remains. Partial actions are merged into whole actions,
    /// and the times are removed.
    fn simplify(&mut self) -> Result<(), Refusal> {
        let merged = |one: &Kept| Some(Kept { scheduled: whole(&one.scheduled)?, ..*one });
        let timeless = |one: &Kept| Kept { scheduled: Scheduled { at_us: None, ..one.scheduled.clone() }, ..*one };
        if !self.attempt(&self.kept.iter().filter_map(merged).collect::<Vec<_>>())? {
            self.attempt(&self.kept.clone())?;
        }
        self.attempt(&self.kept.iter().map(timeless).collect::<Vec<_>>())?;
        Ok(())
    }

    /// Leaves out the actions at the indices `cut`, if the violation remains. Returns whether the violation
    /// remains.
    fn leave_out(&mut self, cut: Range<usize>) -> Result<bool, Refusal> {
        self.attempt(&[&self.kept[..cut.start], &self.kept[cut.end..]].concat())
    }

    /// Executes the actions in `candidate`. If the violation occurs, keeps the actions that were executed until
    /// then. Returns whether the violation occurs.
    fn attempt(&mut self, candidate: &[Kept]) -> Result<bool, Refusal> {
        self.played += 1;
        let in_parts = candidate.iter().any(|one| one.scheduled.choice.is_part_of_beginning());
        let attempt = Attempt::new(&self.simulation, in_parts, candidate, &self.rule, &self.origins);
        let Attempted { happened, choices, broken, .. } = attempt.play()?;
        if !broken {
            return Ok(false);
        }
        // The violation must also occur if the result is executed as a schedule, in which every action must be
        // possible.
        let schedule = Schedule { choices, ..self.original.clone() };
        self.played += 1;
        let breaks = match Simulation::of_schedule(&schedule).replay(&schedule)? {
            Ok(report) => report.violations.iter().any(|(_, violation)| self.rule == Rule::of(violation)),
            Err(_) => false,
        };
        if breaks {
            (self.best, self.kept) = (schedule, happened);
        }
        Ok(breaks)
    }
}

/// Returns the whole action that replaces this partial action. Returns none if another action already implies it.
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
