//! All schedules of a small run: every order in which messages arrive, clients ask and leave, timers run out and what may
//! go wrong goes wrong.
//!
//! The search is exact and over explicit states: a state is known by all of it, never by a fingerprint. It is quick since
//! the parts of states, each process and each inbox, are kept once and bear numbers, and what comes of a step of a process
//! is worked out once. So a state is as many numbers as there are processes, and one more.

mod arrival;
mod batch;
mod beginning;
mod blocks;
mod bypass;
mod circumstances;
#[cfg(test)]
mod compared;
mod component;
mod daemon;
mod document;
mod draft;
mod environment;
mod expansion;
mod fairness;
mod followers;
mod growth;
mod interner;
mod known;
mod least;
mod limits;
mod manner;
mod moves;
mod part;
mod participants;
mod parts;
mod past;
mod pipeline;
mod process;
mod promise;
mod property;
mod rebase;
mod search;
mod seen;
mod stabilisation;
mod starvation;
mod states;
mod system;
mod table;
#[cfg(test)]
mod tests;
mod tiding;
mod tidings;
mod trace;
mod under_way;
mod voting;
mod ways;
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
pub use limits::{Limits, Memory, MemoryError};
pub use manner::{Manner, SearchOrder};
use participants::Participants;
pub use parts::Look;
use parts::PartsOf;
use process::Frame;
pub use property::Property;
pub use search::Progress;
use search::{Found, Search};
pub use stabilisation::Stabilisation;
use system::System;
pub use table::{Row, Table};
pub use under_way::UnderWay;

/// The most nodes that are explored.
pub const MOST_NODES: u32 = 16;

/// What is explored.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The run: its algorithm, nodes and locks. What its clients do, how its links behave and who is told of deaths is up to
    /// the environment.
    pub specification: Specification,
    /// What may happen.
    pub environment: Environment,
    /// What is looked for.
    pub properties: Vec<Property>,
    /// How it is looked for.
    pub manner: Manner,
}

/// What came of an exploration.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// What it says.
    pub verdict: Verdict,
    /// How far it came.
    pub progress: Progress,
    /// What was measured where what is looked for holds.
    pub measured: Measured,
    /// What there may be no end of, where clients ask without end and it was ended before all schedules had been tried.
    pub growth: Option<Growth>,
    /// Whether no schedule that breaks a rule is shorter than one that was found: all that are shorter were tried.
    pub is_shortest: bool,
    /// Whether in no schedule that is as short and breaks the same rule fewer processes take part: all of them were
    /// compared. Who takes a step takes part: who is told to ask, takes a message, crashes. Of what goes on for ever, of how
    /// often others enter and of stabilisation the first that is found is taken.
    pub is_fewest: bool,
}

/// What is measured by the way, if it is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// How it stabilises: with closure or convergence.
    pub stabilisation: Option<Stabilisation>,
    /// How often others enter before one who waits: with bounded bypass.
    pub bypass: Option<Bypass>,
}

impl Explored {
    /// Why not all schedules were tried, if this is why it was ended.
    #[must_use]
    pub fn unfinished(&self, why: Option<&str>) -> String {
        let growth = self.growth.map(|growth| format!("; {growth}")).unwrap_or_default();
        format!("{}{growth}", why.unwrap_or("it was ended"))
    }
}

/// What an exploration says.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// No schedule of this configuration breaks a rule: all were tried.
    Holds,
    /// A schedule breaks a rule. None that does is shorter, and where it goes on for ever none has a shorter way to its
    /// circle, if the search went breadth first and was not ended before: see [`Explored::is_shortest`]. Of those as short
    /// it is one in which fewest processes take part: see [`Explored::is_fewest`].
    Violated {
        /// Which rule.
        property: Property,
        /// The schedule.
        schedule: Box<Schedule>,
    },
    /// A run breaks a rule in a way that no schedule can say: it begins in other states than usual, or several processes
    /// move at once.
    Shown {
        /// Which rule.
        property: Property,
        /// The run. None that breaks the rule is shorter; where it goes on for ever, none has a shorter way to the circle.
        table: Table,
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
        catalogue::instantiate_erased(&self.specification.configuration(), Explore { exploration: self, goes_on })?
    }

    /// Tries all schedules with an algorithm that may be in no catalogue; every state that is found is shown to `look`.
    ///
    /// # Errors
    /// What of the environment or the properties the algorithm does not have: arbitrary states, privileges, steps that
    /// read the states of neighbours.
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
            let detail = "how often others enter first is counted where clients ask a limited number of times: say how often \
                          they ask again after an abort (`--again 1`)";
            return Err(Refusal::new(Subject::Algorithm, detail, []));
        }
        if self.environment.corrupt > 0 {
            beginning::corruptible::<A>(setting, nodes)?;
        }
        let promises = self.properties.contains(&Property::PromisesKept);
        let environment = &self.environment;
        let frame = Frame { setting, environment, order, bypass, promises, nodes, locks, seed };
        let system = System::new(&self.environment, nodes, Box::new(PartsOf::new(frame, look)))?;
        self.search(system, goes_on)
    }

    fn search(&self, mut system: System<'_>, goes_on: &mut dyn FnMut(&Progress) -> bool) -> Result<Explored, Refusal> {
        self.check(&mut system)?;
        let mut search = Search::new(&mut system, &self.properties, self.manner);
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

    /// What is to be looked at once all states are known, and nothing is wrong with any.
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

    /// What is to be looked at where not all states are known: who goes round in a circle needs no more of them.
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

    /// Whether the algorithm has what is asked for.
    fn check(&self, system: &mut System<'_>) -> Result<(), Refusal> {
        let refuse = |detail: &str| Err(Refusal::new(Subject::Algorithm, detail, []));
        if self.environment.daemon != Daemon::Central && !system.is_instantaneous() {
            return refuse(
                "only where a step reads the states of neighbours may several processes move at once: its \
                           variant with composite atomicity, if it has one",
            );
        }
        if self.environment.pause > 0 && system.is_instantaneous() {
            return refuse(
                "where a step reads the states of neighbours nobody stands still: a state can be read all the same",
            );
        }
        self.check_detector(system)?;
        let starvation = self.properties.contains(&Property::StarvationFree);
        if starvation && self.environment.daemon != Daemon::Central {
            return refuse("starvation is of runs in which one process moves after the other: the central daemon");
        }
        let timers = matches!(self.environment.timers, TimerPolicy::AnyTime(_));
        if timers && (starvation || self.properties.contains(&Property::Convergence)) {
            return refuse(
                "convergence and starvation are of runs whose timers run out without end: `patient` or `always`",
            );
        }
        if self.properties.contains(&Property::BoundedBypass) && !self.environment.delivers_all() {
            return refuse(
                "how often others enter first is counted where each message arrives once, nobody crashes or stands still, \
                 clients ask a limited number of times (`--requests 2`) and processes begin as usual",
            );
        }
        let (first, _) = system.begin(0);
        let asked = self.properties.iter().find(|property| property.is_of_privileges());
        match asked.filter(|_| system.privileges(&first).is_none()) {
            Some(property) => refuse(&format!("this algorithm does not tell its privileges: {}", property.name())),
            None => Ok(()),
        }
    }

    /// Whether deaths can be told as is asked for.
    fn check_detector(&self, system: &System<'_>) -> Result<(), Refusal> {
        let refuse = |detail: &str| Err(Refusal::new(Subject::Algorithm, detail, []));
        match self.environment.detector {
            Detector::Heartbeat(_) => refuse(
                "heartbeats go by time, of which nothing is known here: nobody is told of deaths, or a `perfect` failure detector \
                 tells of them at any moment",
            ),
            Detector::Perfect if system.is_instantaneous() => refuse(
                "where a step reads the states of neighbours nobody is told of deaths: what the living say of them would be known \
                 sooner",
            ),
            Detector::Perfect | Detector::None => Ok(()),
        }
    }

    /// What there is to say of a way that breaks a rule, and in which only these take part where several moves lead on.
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

    /// What happens in a run of which nobody measures time.
    fn schedule(&self, choices: Vec<interlock_model::choice::Choice>) -> Schedule {
        let network = LinkSetting { delay: Distribution::ZERO, fifo: self.environment.fifo, ..LinkSetting::default() };
        let specification = Specification {
            network,
            links: Vec::new(),
            workload: self.environment.client_loop().map(Workload::of_all),
            script: Vec::new(),
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

/// What came of looking at states and the ways between them.
enum Judged {
    /// All is well; what was measured, if it was looked for.
    Holds(Measured),
    /// A rule is broken by this way, whose last state is that of the given place again if it goes on for ever.
    Broken(Property, Vec<Vec<u32>>, Option<usize>),
    /// It was ended before all was looked at.
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
