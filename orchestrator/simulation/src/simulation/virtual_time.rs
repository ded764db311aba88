//! Virtual time: the earliest event happens next, and scripted actions happen at their own times.

use super::Simulation;
use super::agenda::Agenda;
use super::report::Cut;
use crate::schedule::Scheduled;
use interlock_model::choice::Choice;
use interlock_model::event::Ending;
use interlock_model::impossible::noted;
use interlock_model::span::Span;
use interlock_world::{Due, World};

/// A run in virtual time.
pub(super) struct VirtualTime<'a, 'w> {
    pub world: &'a mut World<'w>,
    pub cut: Option<Cut>,
    /// The executed actions in order, if they are recorded.
    pub recorded: Option<Vec<Scheduled>>,
    simulation: &'a Simulation,
    agenda: Agenda<'a>,
}

impl<'a, 'w> VirtualTime<'a, 'w> {
    pub fn new(simulation: &'a Simulation, world: &'a mut World<'w>) -> Self {
        let mut script = simulation.specification.script.clone();
        script.sort_by_key(|scripted| scripted.at);
        Self::by(simulation, world, Agenda::Script(script.into_iter()))
    }

    /// Creates a run in which an agenda determines the actions.
    pub fn by(simulation: &'a Simulation, world: &'a mut World<'w>, agenda: Agenda<'a>) -> Self {
        let recorded = simulation.records.then(Vec::new);
        Self { world, cut: None, recorded, simulation, agenda }
    }

    /// Runs to the end.
    pub fn run(&mut self) {
        self.world.begin();
        while self.cut.is_none() && self.advance() {}
        if self.cut.is_none() && self.agenda.has_done_all() && !self.has_only_background() {
            self.world.settle(0);
            self.agenda.turn_over(self.world.now());
        }
        self.record_the_end();
        self.world.end(self.ending());
    }

    /// Records the time at which the director examined the run for the last time. The examination may be later than
    /// the last event.
    fn record_the_end(&mut self) {
        let now = self.world.now();
        let latest = self.recorded.as_ref().map(|choices| choices.last().and_then(|scheduled| scheduled.at_us));
        let is_directed = matches!(self.agenda, Agenda::Directed(..));
        if is_directed && latest.is_some_and(|at| at.unwrap_or_default() < now) {
            self.record(Choice::After(Span(0)));
        }
    }

    /// Returns why the run ended.
    pub fn ending(&self) -> Ending {
        match self.cut {
            Some(Cut::Steps) => Ending::Failed(format!("it took more than {} steps", self.simulation.most_steps)),
            Some(Cut::NoProgress) => {
                let steps = self.simulation.most_steps_without_progress;
                Ending::Failed(format!("it took {steps} steps without progress"))
            }
            Some(Cut::Time) | None => Ending::Stopped,
        }
    }

    /// Executes the earliest event. Returns false if none is left.
    #[inline(always)]
    fn advance(&mut self) -> bool {
        self.cut = self.too_long();
        if self.cut.is_some() {
            return false;
        }
        if self.has_only_background() && !self.goes_on() {
            return false;
        }
        let mut scripted = self.agenda.next_at(self.world.now());
        if self.agenda.is_over() {
            return false;
        }
        let next_due = self.world.next_due();
        if self.agenda.left() == 0 && (next_due.is_none() || self.world.only_layers_go_on()) {
            if !self.goes_on() {
                return false;
            }
            scripted = self.agenda.next_at(self.world.now());
        }
        // If the time of a scripted action has passed, the action is executed now. If an action and an event are
        // due at the same time, the action is executed first.
        let due = next_due.filter(|(at, _)| scripted.is_none_or(|scripted| *at < scripted));
        let Some(next) = due.map(|(at, _)| at).or(scripted) else { return false };
        if self.simulation.until.is_some_and(|until| next > until) {
            self.cut = Some(Cut::Time);
            return false;
        }
        self.world.reach(next);
        match due {
            Some((_, due)) => self.happen(due),
            None => self.do_next(),
        }
        self.agenda.turn_over(self.world.now());
        true
    }

    /// Asks the monitors to judge the state when no event is left. Returns whether the director nevertheless
    /// continues with an action.
    #[cold]
    fn goes_on(&mut self) -> bool {
        matches!(self.agenda, Agenda::Directed(..)) && {
            self.world.settle(0);
            self.agenda.goes_on(self.world.now())
        }
    }

    #[inline(always)]
    fn happen(&mut self, due: Due) {
        if self.recorded.is_some()
            && let Some(choice) = self.world.name_of(due)
        {
            self.record(choice);
        }
        self.world.happen(due);
    }

    /// Executes the next action. If the action is impossible, a note is recorded instead.
    fn do_next(&mut self) {
        let Some(choice) = self.agenda.take() else { return };
        let done = self.world.apply(&choice);
        let notices = if done.is_ok() { self.world.notices(&choice) } else { Vec::new() };
        let happened = match &done {
            Ok(()) => choice,
            Err(impossible) => {
                let note = Choice::Note(noted(impossible));
                // A note is always possible.
                let _ = self.world.apply(&note);
                note
            }
        };
        self.record(happened);
        for told in notices {
            // The process that is notified may already suspect or trust the other process. The notification is then
            // impossible, which is not an error of the action.
            if self.world.apply(&told).is_ok() {
                self.record(told);
            }
        }
        self.agenda.done(self.world.now(), done);
        self.world.settle(self.agenda.left());
    }

    fn record(&mut self, choice: Choice) {
        let at_us = Some(self.world.now());
        if let Some(recorded) = &mut self.recorded {
            recorded.push(Scheduled { at_us, choice });
        }
    }

    /// Returns whether the run has taken too many steps, in total or since the last progress.
    #[inline(always)]
    fn too_long(&self) -> Option<Cut> {
        let Simulation { most_steps, most_steps_without_progress, .. } = self.simulation;
        let counts = self.world.counts();
        if counts.steps >= *most_steps {
            Some(Cut::Steps)
        } else if counts.steps - counts.steps_at_progress >= *most_steps_without_progress {
            Some(Cut::NoProgress)
        } else {
            None
        }
    }

    /// Returns whether only background traffic is left: a token that circulates although no process requests it.
    #[inline(always)]
    fn has_only_background(&self) -> bool {
        self.world.has_only_background() && self.agenda.left() == 0
    }
}
