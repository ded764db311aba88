//! All schedules of a small run: every order in which messages arrive, clients ask and leave, timers run out and what may
//! go wrong goes wrong.
//!
//! The search is exact and over explicit states: a state is known by all of it, never by a fingerprint. It is quick since
//! the parts of states, each process and each inbox, are kept once and bear numbers, and what comes of a step of a process
//! is worked out once. So a state is as many numbers as there are processes, and one more.

mod environment;
mod interner;
mod parts;
mod past;
mod process;
mod property;
mod search;
mod system;
#[cfg(test)]
mod tests;
mod trace;

use interlock_algorithm::{Algorithm, Refusal, Visitor, catalogue};
use interlock_machine::distribution::Distribution;

use crate::network::LinkSetting;
use crate::schedule::{self, Schedule, Scheduled};
use crate::specification::{Specification, Workload};

pub use environment::{Environment, TimerPolicy};
pub use parts::Look;
use parts::PartsOf;
use process::Frame;
pub use property::Property;
pub use search::Progress;
use search::{Found, Search};
use system::System;

/// What is explored.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The run: its algorithm, nodes and locks. What its clients do and how its links behave is up to the environment.
    pub specification: Specification,
    /// What may happen.
    pub environment: Environment,
    /// What is looked for.
    pub properties: Vec<Property>,
}

/// What came of an exploration.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// What it says.
    pub verdict: Verdict,
    /// How far it came.
    pub progress: Progress,
}

/// What an exploration says.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// No schedule of this configuration breaks a rule: all were tried.
    Holds,
    /// A schedule breaks a rule, and none that does is shorter.
    Violated {
        /// Which rule.
        property: Property,
        /// The schedule.
        schedule: Box<Schedule>,
    },
    /// It was ended before all schedules had been tried; none of those that were breaks a rule.
    Unfinished,
}

impl Exploration {
    /// Tries all schedules, until one breaks a rule or `goes_on`, which is asked now and then, says no.
    ///
    /// # Errors
    /// What of the configuration the algorithm cannot run with.
    pub fn run(&self, mut goes_on: impl FnMut(&Progress) -> bool) -> Result<Explored, Refusal> {
        self.run_watched(&mut goes_on)
    }

    // Without a type parameter, so that the explorers of all algorithms are compiled once and not for each caller.
    fn run_watched(&self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Result<Explored, Refusal> {
        catalogue::instantiate(&self.specification.configuration(), Explore { exploration: self, goes_on })
    }

    /// Tries all schedules with an algorithm that may be in no catalogue. The first processes begin in the states of
    /// `beginning`, one each, the others as usual; every state that is found is shown to `look`.
    ///
    /// A schedule that breaks a rule is one of processes that begin like that: see [`World::beginning_in`].
    ///
    /// [`World::beginning_in`]: crate::world::World::beginning_in
    pub fn run_with<A: Algorithm>(
        &self,
        setting: &A::Setting,
        beginning: &[A],
        look: Option<Look<'_, A>>,
        goes_on: &mut dyn FnMut(&Progress) -> bool,
    ) -> Explored {
        let Specification { nodes, locks, seed, .. } = self.specification;
        let order = self.properties.contains(&Property::Order);
        let frame = Frame { setting, environment: &self.environment, beginning, order, nodes, locks, seed };
        self.search(System::new(&self.environment, nodes, Box::new(PartsOf::new(frame, look))), goes_on)
    }

    fn search(&self, mut system: System<'_>, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Explored {
        let mut search = Search::new(&mut system);
        let found = search.run(&self.properties, goes_on);
        let progress = search.progress;
        let verdict = match found {
            Found::Nothing => Verdict::Holds,
            Found::CutOff => Verdict::Unfinished,
            Found::Broken(property, state) => {
                let way = search.way_to(state);
                let choices = trace::choices(&mut system, &way);
                Verdict::Violated { property, schedule: Box::new(self.schedule(choices)) }
            }
        };
        Explored { verdict, progress }
    }

    /// What happens in a run of which nobody measures time.
    fn schedule(&self, choices: Vec<crate::choice::Choice>) -> Schedule {
        let network = LinkSetting { delay: Distribution::ZERO, fifo: self.environment.fifo, ..LinkSetting::default() };
        let specification = Specification {
            network,
            links: Vec::new(),
            workload: self.environment.client_loop().map(Workload::of_all),
            script: Vec::new(),
            timers: false,
            ..self.specification.clone()
        };
        Schedule {
            version: schedule::VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            specification,
            rounds: None,
            choices: choices.into_iter().map(|choice| Scheduled { at_us: None, choice }).collect(),
            ended: None,
        }
    }
}

struct Explore<'a> {
    exploration: &'a Exploration,
    goes_on: &'a mut dyn FnMut(&Progress) -> bool,
}

impl Visitor for Explore<'_> {
    type Output = Explored;

    fn visit<A: Algorithm>(self, setting: A::Setting) -> Explored {
        self.exploration.run_with::<A>(&setting, &[], None, self.goes_on)
    }
}
