//! Simulation: the algorithms in virtual time, over the same network with its faults, the same clients, the same
//! stream of events and the same monitors as live runs.
//!
//! A run is a function of its specification and its script: the same events, byte for byte, on every machine. One unit
//! of time is the millisecond of a live run; virtual time counts in thousandths of it. Of what happens at the same
//! instant, what was scripted comes first, then messages in the order in which they were sent, then timers in the
//! order in which they were set.

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

/// The most steps of a run unless told otherwise: a run that takes more is cut short, and says so.
pub const MOST_STEPS: u64 = 10_000_000_000;

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The run. Its clients ask as its workload says.
    pub specification: Specification,
    /// How many rounds all clients together make by themselves before they stop, which are as many entries where each
    /// takes one lock; the run then goes on until nothing is left to do. None means as many as the workload says, which may be for ever: set `until` then.
    pub entries: Option<u64>,
    /// How many entries are made before measuring begins.
    pub warm_up: u64,
    /// After how many entries of the run measuring ends; none means never. Where clients stop asking before the end, a
    /// mean is that of a steady state only if the last entries are left out like the first.
    pub measured_until: Option<u64>,
    /// What is done to the run and when, besides what its specification says.
    pub script: Vec<Scripted>,
    /// When the run is cut short, in virtual time.
    pub until: Option<Ticks>,
    /// After how many steps the run is cut short.
    pub most_steps: u64,
    /// After how many steps without progress the run is cut short: see [`Cut::NoProgress`].
    pub most_steps_without_progress: u64,
    /// What is watched.
    pub watch: Watch,
    /// Whether what happens is recorded, to be played again.
    pub records: bool,
}

/// What is watched of a simulation: each includes the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watch {
    /// Nothing: steps, messages and entries are counted.
    Nothing,
    /// What it costs: the metrics.
    Metrics,
    /// Whether it keeps the rules: the monitors. Memory grows with the square of the number of nodes.
    Monitors,
    /// Everything: the events are kept, with the fields of messages and the states of nodes.
    Events,
}

impl Simulation {
    /// A simulation of a run that makes `entries` requests in all, watched by the monitors.
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

    /// Runs it to its end.
    ///
    /// # Errors
    /// Says what of the configuration the algorithm cannot run with.
    pub fn run(&self) -> Result<Report, Refusal> {
        Ok(self.run_in(&*setting_of(&self.specification)?))
    }

    /// Runs it to its end with an algorithm that may be in no catalogue.
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

    /// The same simulation, all of whose script is in its specification: so it stands in its first event.
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

    /// What was recorded, as a document that can be played again.
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
