//! How far a run has come that follows a schedule, and what it must know for that.

use std::sync::Arc;

use interlock_algorithm::{NodeId, Outcome};
use interlock_machine::wire::{Step, StepEffect, StepInput, TimerName};
use serde_json::value::RawValue;

use super::calendar::Calendar;
use super::difference::{Difference, NotDone, ReplayDocument};
use super::played::{Played, same};
use interlock_model::choice::Choice;
use interlock_model::event::{Ending, Event, TimerLabel};
use interlock_model::schedule::Scheduled;

/// A schedule that a run follows.
pub(in crate::run) struct Following {
    played: Arc<Played>,
    /// How many choices have happened.
    position: usize,
    stage: Stage,
    forked: bool,
    in_parts: bool,
    difference: Option<Difference>,
    pub(super) calendar: Calendar,
    /// How many rounds the clients may still begin by themselves.
    rounds_left: Option<u64>,
}

/// What is happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The processes begin.
    Beginning,
    /// Nothing.
    Standing,
    /// The next choice.
    Happening,
    /// The run ends as its schedule says.
    Ending,
    /// The run has left its schedule by somebody's will, or was ended: what comes of that is held against nothing.
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

    /// Takes the next event and holds it against the model's; a timer is returned that its process need not come to any
    /// more.
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

    /// How many events there may be by the end of what is happening.
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

    /// Refuses to go on with a schedule that was left.
    ///
    /// # Errors
    /// When it was, by somebody's will or because the processes have done otherwise than the model.
    pub fn can_go_on(&self) -> Result<(), NotDone> {
        if self.forked {
            return Err(NotDone::Forked);
        }
        self.difference.as_ref().map_or(Ok(()), |difference| Err(NotDone::Differs(Box::new(difference.clone()))))
    }

    /// The next choice, which happens from now on; none at the end.
    ///
    /// # Errors
    /// When the schedule was left before.
    pub fn take_up(&mut self) -> Result<Option<Scheduled>, NotDone> {
        self.can_go_on()?;
        let next = self.next().cloned();
        if next.is_some() {
            self.stage = Stage::Happening;
        }
        Ok(next)
    }

    /// What was happening is over, with so many events told; it could not be done live for this reason, if for any.
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

    /// How the run is to end: as its schedule says, if all of that has happened.
    pub fn begin_to_end(&mut self) -> Ending {
        if self.left() > 0 || self.has_left() {
            return Ending::Stopped;
        }
        self.stage = Stage::Ending;
        self.played.schedule.ended.clone().unwrap_or(Ending::Stopped)
    }

    /// The run ends; unless its schedule says so, nothing is compared any more.
    pub fn end(&mut self) {
        if self.stage != Stage::Ending {
            self.stage = Stage::Over;
        }
    }

    /// How many choices are left.
    pub fn left(&self) -> usize {
        self.played.schedule.choices.len() - self.position
    }

    /// From now on the run lives by itself.
    ///
    /// # Errors
    /// When it does already.
    pub fn fork(&mut self) -> Result<(), NotDone> {
        if std::mem::replace(&mut self.forked, true) {
            return Err(NotDone::Forked);
        }
        self.stage = Stage::Over;
        Ok(())
    }

    /// Whether nothing happens but what the schedule says.
    pub const fn holds(&self) -> bool {
        !self.forked
    }

    /// Whether its choices say when each process starts, and when it takes what.
    pub fn is_in_parts(&self) -> bool {
        self.in_parts
    }

    /// How many steps of a process that is paused by the next choice are told after that and before it goes on or dies:
    /// they were on their way to the network when it was stopped.
    pub fn late_steps(&self, node: NodeId) -> usize {
        let ahead = self.played.schedule.choices.iter().skip(self.position + 1).map(|scheduled| &scheduled.choice);
        let stands = |choice: &&Choice| !matches!(choice, Choice::Resume { node: other } | Choice::Crash { node: other } | Choice::Die { node: other, .. } if *other == node);
        ahead.take_while(stands).filter(|choice| choice.steps() == Some(node)).count()
    }

    /// Whether the processes have done otherwise than the model.
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

    /// Whether clients may begin nothing more by themselves.
    pub fn is_exhausted(&self) -> bool {
        self.rounds_left == Some(0)
    }

    /// Counts the rounds that clients begin by themselves: one whose timer ran out for that, and who asked.
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
