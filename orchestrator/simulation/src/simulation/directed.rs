//! Simulation of a scenario in virtual time.

use std::cell::RefCell;
use std::sync::Arc;

use interlock_algorithm::Refusal;

use super::agenda::Agenda;
use super::observer::{Shared, Watcher};
use super::virtual_time::VirtualTime;
use super::{Cut, Report, Simulation, Watch};
use crate::scenario::{Director, Findings, Scenario};
use interlock_model::specification::Specification;
use interlock_world::setting_of;

impl Simulation {
    /// Creates the simulation of a scenario whose run has this specification. The simulation keeps the events and
    /// records the actions.
    #[must_use]
    pub fn of_scenario(specification: Specification) -> Self {
        Self { entries: None, watch: Watch::Events, records: true, ..Self::new(specification, 0) }
    }

    /// Returns the same simulation, but without events and recording. It keeps only the results of the monitors and
    /// of the scenario.
    #[must_use]
    pub fn only_judged(self) -> Self {
        Self { watch: Watch::Monitors, records: false, ..self }
    }

    /// Executes a scenario. The monitors always observe the run, because expectations may refer to their results. The
    /// events are kept only if the simulation is set to keep them.
    ///
    /// # Errors
    /// Returns an error if the algorithm does not support the configuration.
    pub fn carry_out(&self, scenario: &Arc<Scenario>) -> Result<(Report, Findings), Refusal> {
        let setting = setting_of(&self.specification)?;
        let director = Director::new(Arc::clone(scenario), self.specification.seed);
        let watcher = RefCell::new(Watcher::with(self, director));
        let mut shared = Shared(&watcher);
        let mut world = setting.world(&self.specification, None, Some(&mut shared));
        let mut time = VirtualTime::by(self, &mut world, Agenda::Directed(&watcher, None));
        time.run();
        let schedule = time.recorded.take().map(|choices| self.schedule(choices, time.ending()));
        let cut = time.cut;
        let mut report = Report::of(time.world, cut, schedule);
        drop(world);
        let mut watcher = watcher.into_inner();
        let broken_off = match cut {
            Some(Cut::Steps) => Some(format!("it took more than {} steps", self.most_steps)),
            Some(Cut::NoProgress) => Some(format!("{} steps without progress", self.most_steps_without_progress)),
            Some(Cut::Time) | None => None,
        };
        let findings =
            watcher.findings(broken_off).unwrap_or_else(|| Findings::could_not_run("the scenario had no director"));
        watcher.report(&mut report);
        Ok((report, findings))
    }
}
