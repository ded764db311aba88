//! Simulation: the algorithms in virtual time, with the same network and faults, the same clients, the same stream
//! of events and the same monitors as live runs.
//!
//! A run is a function of its specification and its script: the same events, byte for byte, on every machine. One
//! unit of time is the millisecond of a live run; virtual time counts thousandths of it. At the same instant,
//! scripted actions come first. Then come messages, in the order in which they were sent, then timers, in the order
//! in which they were set.

mod agenda;
#[cfg(test)]
mod channel_tests;
#[cfg(test)]
mod detector_tests;
mod directed;
#[cfg(test)]
mod judged_tests;
mod measured;
mod observer;
mod replay;
mod report;
#[cfg(test)]
mod restart_tests;
#[cfg(test)]
mod round_tests;
mod shrink;
mod smaller;
#[cfg(test)]
mod tests;
mod virtual_time;

use interlock_algorithm::{Algorithm, Refusal, Ticks};

use crate::schedule::{self, Schedule};
use interlock_model::event::Ending;
use interlock_model::specification::{Scripted, Specification};
use interlock_world::{AnySetting, Observer, SettingOf, setting_of, steps_without_progress};
use observer::{Accountant, Watcher};
use virtual_time::VirtualTime;

pub use report::{Cut, Report};
pub use shrink::{Shrunk, Unshrinkable};
pub use smaller::{MOST_TRIES, Size, Smaller, smaller};

/// Default maximum number of steps of a run. A longer run is cut short, and its report says so.
pub const MOST_STEPS: u64 = 10_000_000_000;

/// A simulation.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The run. Its clients request as its workload specifies.
    pub specification: Specification,
    /// Number of rounds that all clients together make by themselves before they stop. If each round takes one
    /// lock, this is the number of entries. The run then continues until nothing is left to do. If this is none,
    /// the workload specifies the number. If the workload has no limit, set `until`.
    pub entries: Option<u64>,
    /// Number of entries before the measurement begins.
    pub warm_up: u64,
    /// Number of entries of the run at which the measurement ends; none means never. If clients stop requesting
    /// before the end, a mean is that of a steady state only if both the first and the last entries are left out.
    pub measured_until: Option<u64>,
    /// The timed actions on the run, besides those of its specification.
    pub script: Vec<Scripted>,
    /// The virtual time at which the run is cut short.
    pub until: Option<Ticks>,
    /// Number of steps after which the run is cut short.
    pub most_steps: u64,
    /// Number of steps without progress after which the run is cut short: see [`Cut::NoProgress`].
    pub most_steps_without_progress: u64,
    /// The observation of the run.
    pub watch: Watch,
    /// Whether the actions are recorded, to be played again.
    pub records: bool,
}

/// The observation of a simulation. Each level includes the levels before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watch {
    /// Nothing: only steps, messages and entries are counted.
    Nothing,
    /// The metrics: the cost of the run.
    Metrics,
    /// The monitors: violations of properties. Memory grows with the square of the number of nodes.
    Monitors,
    /// Everything: the events are kept, with the fields of messages and the states of nodes.
    Events,
}

impl Simulation {
    /// Creates a simulation of a run with `entries` requests in total, observed by the monitors.
    #[must_use]
    pub const fn new(specification: Specification, entries: u64) -> Self {
        Self {
            most_steps_without_progress: steps_without_progress(specification.nodes),
            specification,
            entries: Some(entries),
            warm_up: 0,
            measured_until: None,
            script: Vec::new(),
            until: None,
            most_steps: MOST_STEPS,
            watch: Watch::Monitors,
            records: false,
        }
    }

    /// Runs the simulation to its end.
    ///
    /// # Errors
    /// Returns an error if the algorithm does not support the configuration.
    pub fn run(&self) -> Result<Report, Refusal> {
        Ok(self.run_in(&*setting_of(&self.specification)?))
    }

    /// Runs the simulation to its end with an algorithm that need not be in the catalogue.
    #[must_use]
    pub fn run_with<A: Algorithm>(&self, setting: &A::Setting) -> Report {
        self.run_in(&SettingOf::<A, _>::new(setting))
    }

    fn run_in(&self, setting: &dyn AnySetting) -> Report {
        if !self.script.is_empty() {
            return self.with_all_scripted().run_in(setting);
        }
        match self.watch {
            Watch::Nothing => self.observed(setting, None),
            Watch::Metrics => {
                let mut accountant = Accountant::new(self);
                let mut report = self.observed(setting, Some(&mut accountant));
                accountant.report(&mut report);
                report
            }
            Watch::Monitors | Watch::Events => {
                let mut watcher = Watcher::new(self, self.watch == Watch::Events);
                let mut report = self.observed(setting, Some(&mut watcher));
                watcher.report(&mut report);
                report
            }
        }
    }

    /// Returns the same simulation with the whole script in its specification, so that its first event contains the
    /// script.
    fn with_all_scripted(&self) -> Self {
        let mut whole = self.clone();
        whole.specification.script.append(&mut whole.script);
        whole
    }

    fn observed<'a>(
        &'a self,
        setting: &'a (dyn AnySetting + 'a),
        observer: Option<&'a mut (dyn Observer + 'a)>,
    ) -> Report {
        let mut world = setting.world(&self.specification, self.entries, observer);
        let mut time = VirtualTime::new(self, &mut world);
        time.run();
        let schedule = time.recorded.take().map(|choices| self.schedule(choices, time.ending()));
        Report::of(time.world, time.cut, schedule)
    }

    /// Returns the recording as a document that can be played again.
    fn schedule(&self, choices: Vec<schedule::Scheduled>, ended: Ending) -> Schedule {
        Schedule {
            version: schedule::VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            specification: self.specification.clone(),
            rounds: self.entries,
            choices,
            repeat: None,
            ended: Some(ended),
        }
    }
}
