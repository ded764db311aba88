//! Virtual time: the earliest thing happens next, and what is scripted happens at its time.

use interlock_algorithm::Algorithm;

use super::Simulation;
use super::report::Cut;
use crate::choice::Choice;
use crate::event::Ending;
use crate::impossible::noted;
use crate::schedule::Scheduled;
use crate::specification::Scripted;
use crate::world::{Due, World};

/// A run in virtual time.
pub(super) struct VirtualTime<'a, A: Algorithm> {
    pub world: World<'a, A>,
    pub cut: Option<Cut>,
    /// What happened, one after the other, if that is recorded.
    pub recorded: Option<Vec<Scheduled>>,
    simulation: &'a Simulation,
    script: std::vec::IntoIter<Scripted>,
}

impl<'a, A: Algorithm> VirtualTime<'a, A> {
    pub fn new(simulation: &'a Simulation, world: World<'a, A>) -> Self {
        let mut script = simulation.specification.script.clone();
        script.sort_by_key(|scripted| scripted.at);
        let recorded = simulation.records.then(Vec::new);
        Self { world, cut: None, recorded, simulation, script: script.into_iter() }
    }

    /// Runs to the end.
    pub fn run(&mut self) {
        self.world.begin();
        while self.cut.is_none() && self.advance() {}
        if self.cut.is_none() && !self.has_only_background() {
            self.world.settle(0);
        }
        self.world.end(self.ending());
    }

    /// Why the run ended.
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

    /// Lets the earliest thing happen; false if there is nothing left to happen.
    #[inline(always)]
    fn advance(&mut self) -> bool {
        self.cut = self.too_long();
        if self.cut.is_some() {
            return false;
        }
        if self.has_only_background() {
            return false;
        }
        let scripted = self.script.as_slice().first().map(|scripted| scripted.at.0);
        // What is scripted for a time that has passed happens now; of what is for the same time, it is the first.
        let due = self.world.next_due().filter(|(at, _)| scripted.is_none_or(|scripted| *at < scripted));
        let Some(next) = due.map(|(at, _)| at).or(scripted) else { return false };
        if self.simulation.until.is_some_and(|until| next > until) {
            self.cut = Some(Cut::Time);
            return false;
        }
        self.world.reach(next);
        match due {
            Some((_, due)) => self.happen(due),
            None => self.follow_script(),
        }
        true
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

    /// Does the next thing that is scripted; what cannot be done is noted.
    fn follow_script(&mut self) {
        let Some(Scripted { choice, .. }) = self.script.next() else { return };
        let happened = match self.world.apply(&choice) {
            Ok(()) => choice,
            Err(impossible) => {
                let note = Choice::Note(noted(&impossible));
                // A note can always be written.
                let _ = self.world.apply(&note);
                note
            }
        };
        self.record(happened);
        self.world.settle(self.script.as_slice().len());
    }

    fn record(&mut self, choice: Choice) {
        let at_us = Some(self.world.now());
        if let Some(recorded) = &mut self.recorded {
            recorded.push(Scheduled { at_us, choice });
        }
    }

    /// Whether it has taken too many steps, in all or since there was progress last.
    #[inline(always)]
    const fn too_long(&self) -> Option<Cut> {
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

    /// Whether nothing is left but a token that circles although nobody wants anything.
    #[inline(always)]
    fn has_only_background(&self) -> bool {
        self.script.as_slice().is_empty() && self.world.has_only_background()
    }
}
