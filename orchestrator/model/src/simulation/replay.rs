//! A schedule, played instead of virtual time, with the same monitors.

use interlock_algorithm::{Algorithm, Refusal, Visitor, catalogue};

use super::observer::Watcher;
use super::{Report, Simulation, Watch};
use crate::schedule::{Misplaced, Schedule};
use crate::world::World;

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
        catalogue::instantiate(&self.specification.configuration(), Replay { simulation: self, schedule })
    }
}

struct Replay<'a> {
    simulation: &'a Simulation,
    schedule: &'a Schedule,
}

impl Visitor for Replay<'_> {
    type Output = Result<Report, Misplaced>;

    fn visit<A: Algorithm>(self, setting: A::Setting) -> Self::Output {
        let Self { simulation, schedule } = self;
        let mut watcher = Watcher::new(simulation, true);
        let world = World::<A>::new(&simulation.specification, &setting, simulation.entries, Some(&mut watcher));
        let mut world = world.with_most_steps(simulation.most_steps, simulation.most_steps_without_progress);
        schedule.play(&mut world)?;
        let mut report = Report::of(&world, None, None);
        watcher.report(&mut report);
        Ok(report)
    }
}
