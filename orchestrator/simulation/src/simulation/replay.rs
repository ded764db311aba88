//! A schedule, played instead of virtual time, with the same monitors.

use interlock_algorithm::Refusal;

use super::observer::Watcher;
use super::{Report, Simulation, Watch};
use crate::schedule::{Misplaced, Schedule};
use interlock_world::setting_of;

impl Simulation {
    /// The simulation of the run that a schedule is of, whose events are kept.
    #[must_use]
    pub fn of_schedule(schedule: &Schedule) -> Self {
        let simulation = Self::new(schedule.specification.clone(), 0);
        Self { entries: schedule.rounds, watch: Watch::Events, ..simulation }
    }

    /// Plays a schedule: nothing happens but what it says.
    ///
    /// # Errors
    /// What of the configuration the algorithm cannot run with; inside, the first choice that cannot happen where it
    /// stands.
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
