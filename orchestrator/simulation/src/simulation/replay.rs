//! Simulation of a schedule: its actions replace virtual time, and the same monitors observe the run.

use interlock_algorithm::Refusal;

use super::observer::Watcher;
use super::{Report, Simulation, Watch};
use crate::schedule::{Misplaced, Schedule};
use interlock_world::setting_of;

impl Simulation {
    /// Creates the simulation of the run of a schedule. The simulation keeps the events.
    #[must_use]
    pub fn of_schedule(schedule: &Schedule) -> Self {
        let simulation = Self::new(schedule.specification.clone(), 0);
        Self { entries: schedule.rounds, watch: Watch::Events, ..simulation }
    }

    /// Executes a schedule. Nothing happens except its actions.
    ///
    /// # Errors
    /// Returns an error if the algorithm does not support the configuration. The inner error is the first action
    /// that is impossible at its position.
    pub fn replay(&self, schedule: &Schedule) -> Result<Result<Report, Misplaced>, Refusal> {
        let setting = setting_of(&self.specification)?;
        let mut watcher = Watcher::new(self, true);
        let mut world = setting.world(&self.specification, self.entries, Some(&mut watcher));
        world.break_off_after(self.most_steps, self.most_steps_without_progress);
        if let Err(misplaced) = schedule.play(&mut world) {
            return Ok(Err(misplaced));
        }
        let mut report = Report::of(&world, None, None);
        drop(world);
        watcher.report(&mut report);
        Ok(Ok(report))
    }
}
