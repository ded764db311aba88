//! Simulation: the algorithms in virtual time. The network and its faults, the clients, the stream of events and the
//! monitors are the same as in live runs.
//!
//! A run is a function of its specification and its script: it has the same events, byte for byte, on every machine.
//! One unit of time is one millisecond of a live run, and virtual time counts thousandths of a unit. At the same
//! instant, scripted actions happen first. Then messages arrive in the order in which they were sent. Then timers
//! expire in the order in which they were set.

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
mod thinning;
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

/// Default maximum number of steps of a run. A run that needs more steps is cut short, and its report says so.
pub const MOST_STEPS: u64 = 10_000_000_000;

/// A simulation.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The specification of the run. Its workload determines when the clients request.
    pub specification: Specification,
    /// Maximum number of rounds that all clients together start by themselves. If each round takes one lock,
    /// `entries` is the number of entries. The run then continues until nothing is left to do. If absent, the
    /// workload specifies the number. If the workload has no limit either, set `until`.
    pub entries: Option<u64>,
    /// Number of entries before the measurement begins.
    pub warm_up: u64,
    /// Number of entries after which the measurement ends; none if the measurement lasts to the end of the run. A
    /// mean describes the steady state only if the first entries and the last entries are not measured. For the
    /// last entries, fewer clients request.
    pub measured_until: Option<u64>,
    /// The timed actions on the run, in addition to those of the specification.
    pub script: Vec<Scripted>,
    /// The virtual time at which the run is cut short.
    pub until: Option<Ticks>,
    /// Number of steps after which the run is cut short.
    pub most_steps: u64,
    /// Number of consecutive steps without progress after which the run is cut short: see [`Cut::NoProgress`].
    pub most_steps_without_progress: u64,
    /// The results of the run that are kept.
    pub watch: Watch,
    /// Whether the actions are recorded as a schedule.
    pub records: bool,
}

/// The results of a simulation that are kept. Each level includes the levels before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watch {
    /// Only the numbers of steps, messages and entries.
    Nothing,
    /// The metrics, which contain the cost of the run.
    Metrics,
    /// The results of the monitors: violations of properties. The memory of the monitors grows with the square of the
    /// number of nodes.
    Monitors,
    /// All events, with the fields of messages and the states of nodes.
    Events,
}

impl Simulation {
    /// Creates a simulation of a run in which all clients together make `entries` requests. The monitors observe the
    /// run.
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

    /// Runs the simulation to its end with an algorithm that may be missing from the catalogue.
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

    /// Returns the same simulation, with its additional actions moved into the script of the specification. The first
    /// event of the run then contains the whole script.
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

    /// Returns the recorded actions as a schedule.
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
