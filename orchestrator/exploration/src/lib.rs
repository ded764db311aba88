//! Explores all schedules of a small run: every order of message deliveries, client requests and releases, timer
//! expiries and faults.
//!
//! The search is exact and uses explicit states: it compares whole states, never fingerprints. The search is fast for
//! two reasons. First, each distinct part of a state (a process, an inbox) is stored once and has a number. Second,
//! each step of a process is computed once. A state consists of one number for each process, and a number for the
//! remaining budgets.

mod arrival;
mod auxiliary;
mod batch;
mod beginning;
mod blocks;
mod bypass;
#[cfg(test)]
mod compared;
mod component;
mod daemon;
mod document;
mod draft;
mod edges;
mod environment;
mod expansion;
mod fairness;
mod followers;
mod growth;
mod in_transit;
mod interner;
mod known;
mod least;
mod limits;
mod marks;
mod moves;
mod notice;
mod notices;
mod participants;
mod parts;
mod past;
mod pipeline;
mod process;
mod promise;
mod property;
mod rebase;
mod search;
mod stabilisation;
mod starvation;
mod states;
mod strategy;
mod subgraph;
mod system;
mod table;
#[cfg(test)]
mod tests;
mod timestamps;
mod trace;
mod visited;
mod voting;
mod wording;

use interlock_algorithm::{Algorithm, Refusal, Subject, Visitor, catalogue};
use interlock_machine::distribution::Distribution;

use interlock_model::network::LinkSetting;
use interlock_model::specification::{Detector, Planned, Specification, Workload};
use interlock_simulation::schedule::{self, Repeat, Schedule, Scheduled};

pub use bypass::Bypass;
pub use document::{ExplorationDocument, VerdictWord};
pub use draft::{BeginningDraft, BeginningWord, ExplorationDraft, Requests, Unlimited};
pub use environment::{Beginning, Daemon, Environment, TimerPolicy, TimerPolicyError};
pub use growth::Growth;
pub use in_transit::InTransit;
pub use limits::Limits;
use participants::Participants;
pub use parts::Look;
use parts::PartsOf;
use process::Frame;
pub use property::Property;
pub use search::Progress;
use search::{Found, Search};
pub use stabilisation::Stabilisation;
pub use strategy::{SearchOrder, Strategy};
use system::System;
pub use table::{Row, Table};

/// Maximum number of nodes in an exploration.
pub const MOST_NODES: u32 = 16;

/// The subject of an exploration: a run, its environment and the properties to check.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The run: its algorithm, nodes and locks. The environment determines the client behaviour, the link behaviour
    /// and the failure detector.
    pub specification: Specification,
    /// The environment: the events that may happen, and how often.
    pub environment: Environment,
    /// The properties to check.
    pub properties: Vec<Property>,
    /// The order of the search, and its number of threads.
    pub strategy: Strategy,
}

/// The result of an exploration.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// The verdict.
    pub verdict: Verdict,
    /// The progress of the search when it ended.
    pub progress: Progress,
    /// The measurements of the properties that hold.
    pub measured: Measured,
    /// The quantity that may grow without bound. Set only if clients request without limit and the search ended
    /// before it had tried all schedules.
    pub growth: Option<Growth>,
    /// Whether no violating schedule is shorter than the schedule found. This is known only if all shorter schedules
    /// were tried.
    pub is_shortest: bool,
    /// Whether no schedule of the same length violates the same property with fewer participants. This is known
    /// only if all such schedules were compared. A process participates if it takes a step: it receives a command
    /// or a message, or it crashes. Violations of starvation freedom, bounded bypass and stabilisation are not
    /// compared: the first violation found is reported.
    pub is_fewest: bool,
}

/// Measurements that the checks of some properties produce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// The measurement of stabilisation, if closure or convergence is checked.
    pub stabilisation: Option<Stabilisation>,
    /// The measurement of bypasses, if bounded bypass is checked.
    pub bypass: Option<Bypass>,
}

impl Explored {
    /// Returns the reason for which not all schedules were tried. `why` is the limit or interruption that ended the
    /// search.
    #[must_use]
    pub fn unfinished(&self, why: Option<&str>) -> String {
        let growth = self.growth.map(|growth| format!("; {growth}")).unwrap_or_default();
        format!("{}{growth}", why.unwrap_or("it was stopped"))
    }
}

/// The verdict of an exploration.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All schedules of this configuration were tried, and none of them violates a property.
    Holds,
    /// A schedule violates a property. If the search was breadth first and was not ended early, no violating
    /// schedule is shorter: see [`Explored::is_shortest`]. If the schedule is infinite, the path to its cycle is the
    /// shortest. The schedule has the fewest participants among the violating schedules of its length: see
    /// [`Explored::is_fewest`].
    Violated {
        /// The violated property.
        property: Property,
        /// The schedule.
        schedule: Box<Schedule>,
    },
    /// A run violates a property, but no schedule can express the run, because it begins in unusual states or because
    /// several processes move at once.
    Shown {
        /// The violated property.
        property: Property,
        /// The run. No violating run is shorter. If the run is infinite, the path to its cycle is the shortest.
        table: Table,
    },
    /// The search ended before it had tried all schedules. None of the tried schedules violates a property.
    Unfinished,
}

impl Exploration {
    /// Tries all schedules until one violates a property or `goes_on` returns false. The search calls `goes_on`
    /// from time to time.
    ///
    /// # Errors
    /// Returns an error if the algorithm does not support the configuration.
    pub fn run(&self, mut goes_on: impl FnMut(&Progress) -> bool) -> Result<Explored, Refusal> {
        self.run_watched(&mut goes_on)
    }

    // This function has no type parameter. So the explorers of all algorithms are compiled once, and not for each
    // caller.
    fn run_watched(&self, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Result<Explored, Refusal> {
        catalogue::instantiate_erased(&self.specification.configuration(), Explore { exploration: self, goes_on })?
    }

    /// Tries all schedules of an algorithm that need not be in the catalogue, and passes every state found to
    /// `look`.
    ///
    /// # Errors
    /// Returns an error if the environment or the properties need something that the algorithm does not support:
    /// arbitrary states, privileges, or steps that read the states of neighbours.
    pub fn run_with<A: Algorithm>(
        &self,
        setting: &A::Setting,
        look: Option<Look<'_, A>>,
        goes_on: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Explored, Refusal> {
        let Specification { nodes, locks, seed, .. } = self.specification;
        let order = self.properties.contains(&Property::Order);
        let bypass = self.properties.contains(&Property::BoundedBypass);
        let aborts = A::entry(setting).conduct.aborts.contains(&self.specification.variant.as_str());
        if bypass && aborts && self.environment.again.is_none() {
            let detail = "the bypass is counted only if clients request a limited number of times; limit the requests \
                          after an abort (`--again 1`)";
            return Err(Refusal::new(Subject::Algorithm, detail, []));
        }
        if self.environment.corrupt > 0 {
            beginning::corruptible::<A>(setting, nodes)?;
        }
        let promises = self.properties.contains(&Property::PromisesKept);
        let environment = &self.environment;
        let frame = Frame { setting, environment, order, bypass, promises, nodes, locks, seed };
        let timestamps = self.properties.contains(&Property::TimestampOrder);
        if timestamps && !A::has_timestamps(setting) {
            let detail = "requests of this variant have no timestamps, so they have no order of timestamps";
            return Err(Refusal::new(Subject::Variant, detail, []));
        }
        let mut system = System::new(&self.environment, nodes, Box::new(PartsOf::new(frame, look)))?;
        system.timestamps = timestamps;
        self.search(system, goes_on)
    }

    fn search(&self, mut system: System<'_>, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Result<Explored, Refusal> {
        self.check(&mut system)?;
        let mut search = Search::new(&mut system, &self.properties, self.strategy);
        let found = search.run(goes_on);
        let (mut among, mut is_fewest) = (Participants::ALL, false);
        let judged = match found {
            Found::Nothing => self.judge(&mut search, goes_on),
            Found::Broken(property, state) => {
                let shortest = search.fewest(property, state, goes_on);
                (among, is_fewest) = (shortest.among, shortest.is_fewest);
                Judged::Broken(property, shortest.way, None)
            }
            Found::CutOff => self.judge_what_was_found(&mut search, goes_on),
        };
        let progress = search.progress;
        let is_endless = self.environment.unlimited && matches!(judged, Judged::CutOff);
        let growth = if is_endless { search.growth() } else { None };
        let is_shortest = search.is_shortest();
        let (verdict, measured) = match judged {
            Judged::Holds(measured) => (Verdict::Holds, measured),
            Judged::Broken(property, way, again) => {
                (self.broken(&mut system, property, &way, again, among), Measured::default())
            }
            Judged::CutOff => (Verdict::Unfinished, Measured::default()),
        };
        Ok(Explored { verdict, progress, measured, growth, is_shortest, is_fewest })
    }

    /// Checks the properties of the state graph. Call this function when all states are known and none of them violates
    /// a property by itself.
    fn judge(&self, search: &mut Search<'_, '_>, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Judged {
        search.progress.judging = true;
        let (locks, mut measured) = (self.specification.locks, Measured::default());
        if self.properties.iter().any(|property| Property::STABILISATION.contains(property)) {
            match stabilisation::judge(search, &self.properties, goes_on) {
                Judged::Holds(Measured { stabilisation, .. }) => measured.stabilisation = stabilisation,
                found => return found,
            }
        }
        if self.properties.contains(&Property::BoundedBypass) {
            match bypass::judge(search, locks, goes_on) {
                Judged::Holds(Measured { bypass, .. }) => measured.bypass = bypass,
                found => return found,
            }
        }
        if self.properties.contains(&Property::StarvationFree) {
            match starvation::judge(search, locks, fairness::is_owed, goes_on) {
                Judged::Holds(_) => {}
                found => return found,
            }
        }
        Judged::Holds(measured)
    }

    /// Checks starvation freedom although not all states are known. A cycle among the known states is a violation,
    /// whatever the unknown states are.
    fn judge_what_was_found(&self, search: &mut Search<'_, '_>, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Judged {
        search.progress.judging = true;
        if !self.properties.contains(&Property::StarvationFree) {
            return Judged::CutOff;
        }
        match starvation::judge(search, self.specification.locks, fairness::is_owed, goes_on) {
            Judged::Holds(_) => Judged::CutOff,
            found => found,
        }
    }

    /// Checks that the algorithm supports the requested properties and environment.
    fn check(&self, system: &mut System<'_>) -> Result<(), Refusal> {
        let refuse = |detail: &str| Err(Refusal::new(Subject::Algorithm, detail, []));
        if self.environment.daemon != Daemon::Central && !system.is_instantaneous() {
            return refuse(
                "several processes move at once only with composite atomicity; choose such a variant, if there is one",
            );
        }
        if self.environment.pause > 0 && system.is_instantaneous() {
            return refuse(
                "with composite atomicity a pause has no effect, because the state of a paused process can still be \
                 read",
            );
        }
        self.check_detector(system)?;
        let starvation = self.properties.contains(&Property::StarvationFree);
        if starvation && self.environment.daemon != Daemon::Central {
            return refuse("starvation needs the central daemon, with which one process moves at a time");
        }
        let timers = matches!(self.environment.timers, TimerPolicy::AnyTime(_));
        if timers && (starvation || self.properties.contains(&Property::Convergence)) {
            return refuse("convergence and starvation need timers that fire without limit: `patient` or `always`");
        }
        if self.properties.contains(&Property::BoundedBypass) && !self.environment.delivers_all() {
            return refuse(
                "the bypass is counted only if each message arrives once, no process crashes or is paused, clients \
                 request a limited number of times (`--requests 2`) and processes begin as usual",
            );
        }
        let (first, _) = system.begin(0);
        let asked = self.properties.iter().find(|property| property.is_of_privileges());
        match asked.filter(|_| system.privileges(&first).is_none()) {
            Some(property) => {
                refuse(&format!("cannot check {}: this algorithm does not report privileges", property.name()))
            }
            None => Ok(()),
        }
    }

    /// Checks that the requested failure detector can be explored.
    fn check_detector(&self, system: &System<'_>) -> Result<(), Refusal> {
        let refuse = |detail: &str| Err(Refusal::new(Subject::Algorithm, detail, []));
        match self.environment.detector {
            Detector::Heartbeat(_) => refuse(
                "heartbeats depend on time, which an exploration does not model; choose no failure detector, or a \
                 `perfect` one, which notifies of crashes at any moment",
            ),
            Detector::Perfect if system.is_instantaneous() => refuse(
                "with composite atomicity there is no failure detector, because the states of live processes would \
                 reveal crashes earlier",
            ),
            Detector::Perfect | Detector::None => Ok(()),
        }
    }

    /// Returns the verdict for a path that violates a property. If several moves lead from one state to the next,
    /// the schedule contains a move whose participants are all in `among`.
    fn broken(
        &self,
        system: &mut System<'_>,
        property: Property,
        way: &[Vec<u32>],
        again: Option<usize>,
        among: Participants,
    ) -> Verdict {
        match trace::choices(system, way, again, among) {
            Some((choices, from)) if !property.is_of_privileges() => {
                let repeat = from.map(|from| Repeat { from, times: None });
                Verdict::Violated { property, schedule: Box::new(Schedule { repeat, ..self.schedule(choices) }) }
            }
            _ => Verdict::Shown { property, table: Table::of(system, way, again) },
        }
    }

    /// Returns a schedule that executes the actions `choices`. The actions have no times.
    fn schedule(&self, choices: Vec<interlock_model::choice::Choice>) -> Schedule {
        let network = LinkSetting { delay: Distribution::ZERO, fifo: self.environment.fifo, ..LinkSetting::default() };
        let specification = Specification {
            network,
            links: Vec::new(),
            workload: self.environment.client_loop().map(Workload::of_all),
            script: Vec::new(),
            monitors: Vec::new(),
            planned: Planned::default(),
            timers: false,
            detector: self.environment.detector,
            ..self.specification.clone()
        };
        Schedule {
            version: schedule::VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            specification,
            rounds: None,
            choices: choices.into_iter().map(|choice| Scheduled { at_us: None, choice }).collect(),
            repeat: None,
            ended: None,
        }
    }
}

/// The result of a check of the state graph.
enum Judged {
    /// All properties hold. The measurements are those that the properties require.
    Holds(Measured),
    /// The states of a path that violates a property. If the violation is infinite, the last state equals the state
    /// at the given index.
    Broken(Property, Vec<Vec<u32>>, Option<usize>),
    /// The check was ended before it had examined everything.
    CutOff,
}

struct Explore<'a> {
    exploration: &'a Exploration,
    goes_on: &'a mut dyn FnMut(&Progress) -> bool,
}

impl Visitor for Explore<'_> {
    type Output = Result<Explored, Refusal>;

    fn visit<A: Algorithm>(self, setting: A::Setting) -> Self::Output {
        self.exploration.run_with::<A>(&setting, None, self.goes_on)
    }
}
