//! The progress of a run that follows a schedule.

mod calendar;
mod played;

use std::sync::Arc;

use interlock_algorithm::{NodeId, Outcome};
use interlock_machine::wire::{Step, StepEffect, StepInput, TimerName};
use serde_json::value::RawValue;

use super::difference::{Difference, NotDone, ReplayDocument};
use calendar::Calendar;
use interlock_model::choice::Choice;
use interlock_model::event::{Ending, Event, TimerLabel};
use interlock_simulation::schedule::Scheduled;
use played::same;

pub use played::Played;

/// A schedule that a run follows.
pub(super) struct Following {
    played: Arc<Played>,
    /// Number of actions that have been executed.
    position: usize,
    stage: Stage,
    forked: bool,
    in_parts: bool,
    difference: Option<Difference>,
    calendar: Calendar,
    /// Number of rounds that clients may still begin without a command.
    rounds_left: Option<u64>,
}

/// Present stage of a run that follows a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The processes start.
    Beginning,
    /// The run is between two actions.
    Standing,
    /// The run is executing the next action.
    Happening,
    /// The run is ending as its schedule specifies.
    Ending,
    /// A user has forked or ended the run. From then on, events are not compared with the model.
    Over,
}

impl Following {
    pub fn new(played: Arc<Played>) -> Self {
        let rounds_left = played.schedule.rounds;
        let (calendar, in_parts) = (Calendar::default(), played.schedule.is_in_parts());
        Self {
            played,
            position: 0,
            stage: Stage::Beginning,
            forked: false,
            in_parts,
            difference: None,
            calendar,
            rounds_left,
        }
    }

    /// Compares the next event with the model. Returns a timer if its expiry must be withdrawn: the event cancels
    /// or replaces an expired timer before the process has handled the expiry.
    pub fn observe(&mut self, event: &Event) -> Option<(NodeId, TimerLabel)> {
        if self.difference.is_none() && self.stage != Stage::Over {
            let expected = self.played.event(event.seq).filter(|_| event.seq <= self.bound());
            if !expected.is_some_and(|expected| same(expected, event)) {
                let expected = expected.cloned();
                self.differs(expected, Some(event.clone()), None);
            }
        }
        self.calendar.observe(event)
    }

    /// Returns the number of events that the model has at the end of the present stage.
    fn bound(&self) -> u64 {
        match self.stage {
            Stage::Beginning | Stage::Standing => self.played.told_by(self.position),
            Stage::Happening => self.played.told_by(self.position + 1),
            Stage::Ending | Stage::Over => self.played.report.events.len() as u64,
        }
    }

    fn differs(&mut self, expected: Option<Event>, seen: Option<Event>, because: Option<String>) {
        let choice = (self.stage == Stage::Happening).then(|| self.next().map(|next| next.choice.clone())).flatten();
        self.difference = Some(Difference { position: self.position, choice, expected, seen, because });
    }

    fn next(&self) -> Option<&Scheduled> {
        self.played.schedule.choices.get(self.position)
    }

    /// Checks that the run can continue its schedule.
    ///
    /// # Errors
    /// If a user has forked the run, or the processes differ from the model.
    pub fn can_go_on(&self) -> Result<(), NotDone> {
        if self.forked {
            return Err(NotDone::Forked);
        }
        self.difference.as_ref().map_or(Ok(()), |difference| Err(NotDone::Differs(Box::new(difference.clone()))))
    }

    /// Begins the next action of the schedule. Returns the action, or none at the end of the schedule.
    ///
    /// # Errors
    /// If the run can no longer continue its schedule.
    pub fn take_up(&mut self) -> Result<Option<Scheduled>, NotDone> {
        self.can_go_on()?;
        let next = self.next().cloned();
        if next.is_some() {
            self.stage = Stage::Happening;
        }
        Ok(next)
    }

    /// Completes the present stage after event `latest`. `failed` is the reason why live processes could not
    /// complete the stage, if they could not.
    pub fn conclude(&mut self, latest: u64, failed: Option<String>) {
        if self.stage == Stage::Over {
            return;
        }
        let bound = self.bound();
        if self.difference.is_none() && (latest < bound || failed.is_some()) {
            let expected = self.played.event(latest + 1).filter(|_| latest < bound).cloned();
            self.differs(expected, None, failed);
        }
        if self.difference.is_none() {
            self.position += usize::from(self.stage == Stage::Happening);
        }
        self.stage = Stage::Standing;
    }

    /// Begins the end of the run. If all actions have been executed, returns the ending in the schedule. Otherwise
    /// returns that the run was stopped.
    pub fn begin_to_end(&mut self) -> Ending {
        if self.left() > 0 || self.has_left() {
            return Ending::Stopped;
        }
        self.stage = Stage::Ending;
        self.played.schedule.ended.clone().unwrap_or(Ending::Stopped)
    }

    /// Ends the run. If a user ends the run before the end of its schedule, events are no longer compared with the
    /// model.
    pub fn end(&mut self) {
        if self.stage != Stage::Ending {
            self.stage = Stage::Over;
        }
    }

    /// Returns the number of actions that have not been executed yet.
    pub fn left(&self) -> usize {
        self.played.schedule.choices.len() - self.position
    }

    /// Forks the run, which then no longer follows its schedule.
    ///
    /// # Errors
    /// If the run is already forked.
    pub fn fork(&mut self) -> Result<(), NotDone> {
        if std::mem::replace(&mut self.forked, true) {
            return Err(NotDone::Forked);
        }
        self.stage = Stage::Over;
        Ok(())
    }

    pub const fn calendar(&mut self) -> &mut Calendar {
        &mut self.calendar
    }

    /// Whether the run still executes only the actions of the schedule.
    pub const fn holds(&self) -> bool {
        !self.forked
    }

    /// Whether the schedule is in parts: it has separate actions for the start of each process, and for each input
    /// that a process handles.
    pub const fn is_in_parts(&self) -> bool {
        self.in_parts
    }

    /// Returns how many steps of `node` follow in the schedule after the next action, which pauses `node`. The
    /// reports of these steps were in transit when the process was paused.
    pub fn late_steps(&self, node: NodeId) -> usize {
        let ahead = self.played.schedule.choices.iter().skip(self.position + 1).map(|scheduled| &scheduled.choice);
        let stands = |choice: &&Choice| !matches!(choice, Choice::Resume { node: other } | Choice::Crash { node: other } | Choice::Die { node: other, .. } if *other == node);
        ahead.take_while(stands).filter(|choice| choice.steps() == Some(node)).count()
    }

    /// Whether a difference between the processes and the model was found.
    pub const fn has_left(&self) -> bool {
        self.difference.is_some()
    }

    pub fn document(&self) -> ReplayDocument {
        ReplayDocument {
            position: self.position,
            of: self.played.schedule.choices.len(),
            next: self.next().map(|next| next.choice.clone()),
            difference: self.difference.clone(),
            forked: self.forked,
        }
    }

    /// Whether clients have begun all rounds that they may begin without a command.
    pub fn is_exhausted(&self) -> bool {
        self.rounds_left == Some(0)
    }

    /// Counts a round that a client begins in this step without a command. A client begins such a round if its timer
    /// has expired and it sends a request.
    pub fn count_rounds(&mut self, step: &Step<&RawValue>) {
        let asks = |effect: &StepEffect<_>| {
            matches!(effect, StepEffect::Outcome(Outcome::Requested { .. }) | StepEffect::Refused { .. })
        };
        let begins = matches!(step.input, StepInput::Timer(TimerName::Client(timer)) if timer.begins_a_round());
        if let Some(left) = self.rounds_left.as_mut().filter(|_| begins && step.effects.iter().any(asks)) {
            *left = left.saturating_sub(1);
        }
    }
}
