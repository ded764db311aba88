//! Observers of a simulation.

use std::cell::RefCell;

use super::measured::Measured;
use super::report::Report;
use super::{Simulation, Watch};
use crate::scenario::{Director, Findings, IDLE, Moment, Next, STUCK};
use interlock_model::event::{Event, Violation, What};
use interlock_model::impossible::Impossible;
use interlock_model::specification::Specification;
use interlock_observation::monitor::tokens::Tokens;
use interlock_observation::monitor::waits::Waits;
use interlock_observation::observation::Observation;
use interlock_observation::state::{Locks, State};
use interlock_world::Observer;

/// Observer that measures the cost of the run.
pub(super) struct Accountant {
    seq: u64,
    locks: Locks,
    measured: Measured,
    reads_bodies: bool,
}

impl Accountant {
    pub fn new(simulation: &Simulation) -> Self {
        let reads_bodies = Waits::reads_bodies(&simulation.specification);
        Self { seq: 0, locks: Locks::default(), measured: Measured::new(simulation), reads_bodies }
    }

    /// Writes the measurements into the report.
    pub fn report(&self, report: &mut Report) {
        self.measured.report(report);
    }
}

impl Observer for Accountant {
    fn records(&self) -> bool {
        false
    }

    fn reads_bodies(&self) -> bool {
        self.reads_bodies
    }

    fn observe(&mut self, at_us: u64, what: What) {
        self.seq += 1;
        let event = Event { seq: self.seq, at_us, what };
        self.locks.apply(&event);
        self.measured.observe(&event, &self.locks);
    }

    fn transmit(&mut self) {
        self.measured.transmit();
    }
}

/// Observer that checks the properties of the run, and keeps the events if requested.
pub(super) struct Watcher {
    observation: Observation,
    measured: Measured,
    keeps: bool,
    reads_bodies: bool,
    events: Vec<Event>,
    marks: Vec<u64>,
    /// The director that determines the actions on the run, unless there is a script.
    director: Option<Director>,
}

/// Returns the situation of a simulated run, as a director needs it. In virtual time a running process handles each input
/// at once, and the state knows every message in the network. So nothing else is pending.
const fn moment(state: &State, now_us: u64) -> Moment<'_> {
    Moment { state, now_us, pending: 0, network: &|_| true }
}

impl Watcher {
    pub fn new(simulation: &Simulation, keeps: bool) -> Self {
        let specification: &Specification = &simulation.specification;
        let observation = Observation::new(specification);
        Self {
            observation: if keeps { observation } else { observation.without_messages() },
            measured: Measured::new(simulation),
            keeps,
            reads_bodies: keeps || Tokens::reads_bodies(specification) || Waits::reads_bodies(specification),
            events: Vec::new(),
            marks: Vec::new(),
            director: None,
        }
    }

    /// Creates a watcher that passes the events to a director. For the director, the watcher also stores the messages
    /// in transit.
    pub fn with(simulation: &Simulation, director: Director) -> Self {
        let observation = Observation::new(&simulation.specification);
        Self { observation, director: Some(director), ..Self::new(simulation, simulation.watch == Watch::Events) }
    }

    /// Returns the next action of the director.
    pub fn direct(&mut self, now_us: u64) -> Next {
        self.director.as_mut().map_or(Next::Over, |director| director.next(moment(self.observation.state(), now_us)))
    }

    /// Passes the result of the current action to the director.
    pub fn directed(&mut self, now_us: u64, done: Result<(), Impossible>) {
        if let Some(director) = &mut self.director {
            director.done(moment(self.observation.state(), now_us), done);
        }
    }

    /// Passes the end of a turn on to the director.
    pub fn turn_over(&mut self, now_us: u64) {
        if let Some(director) = &mut self.director {
            director.turn_over(moment(self.observation.state(), now_us));
        }
    }

    /// Reports to the director that no event is left. Returns whether the director nevertheless continues with an
    /// action.
    pub fn nothing_moves(&mut self, now_us: u64) -> bool {
        let Some(director) = &mut self.director else { return false };
        let how = self.observation.state().standstill(0).map_or(IDLE, |_| STUCK);
        director.nothing_moves(moment(self.observation.state(), now_us), how);
        !director.is_over()
    }

    /// Returns the number of actions that the director will still request even if no further event occurs.
    pub fn left(&self) -> usize {
        self.director.as_ref().map_or(0, Director::left)
    }

    /// Returns whether the director has no actions left, whatever happens in the run.
    pub fn has_done_all(&self) -> bool {
        self.director.as_ref().is_none_or(Director::has_done_all)
    }

    /// Returns the findings of the scenario, or none if the run has no scenario. If the run was aborted, `broken_off`
    /// is the reason.
    pub fn findings(&mut self, broken_off: Option<String>) -> Option<Findings> {
        let director = self.director.as_mut()?;
        if let Some(why) = broken_off {
            director.break_off(why);
        }
        Some(director.findings(self.observation.state(), &self.measured.document()))
    }

    /// Returns the violations so far, each with the `seq` of its event.
    pub fn violations(&self) -> &[(u64, Violation)] {
        self.observation.violations()
    }

    /// Writes the observations into the report.
    pub fn report(self, report: &mut Report) {
        self.measured.report(report);
        report.resources = self.observation.state().resources().clone();
        report.violations = self.observation.violations().to_vec();
        report.told = self.observation.latest();
        report.events = self.events;
        report.marks = self.marks;
    }

    /// Calls `does` with the observation, and passes the resulting events to the director.
    fn observing<T>(&mut self, does: impl FnOnce(&mut Observation, &mut dyn FnMut(Event, &State)) -> T) -> T {
        let Self { observation, measured, director, keeps, events, .. } = self;
        does(observation, &mut |event, state| {
            measured.observe(&event, state.locks());
            if let Some(director) = director {
                director.observe(&event);
            }
            if *keeps {
                events.push(event);
            }
        })
    }
}

impl Observer for Watcher {
    fn records(&self) -> bool {
        self.keeps
    }

    fn reads_bodies(&self) -> bool {
        self.reads_bodies
    }

    fn observe(&mut self, at_us: u64, what: What) {
        self.observing(|observation, each| observation.record(at_us, what, each));
    }

    fn transmit(&mut self) {
        self.measured.transmit();
    }

    fn mark(&mut self) {
        self.marks.push(self.observation.latest());
    }

    fn settle(&mut self, at_us: u64, script_left: usize) {
        self.observing(|observation, each| observation.settle(at_us, script_left, each));
    }
}

/// A watcher that a world and an agenda use together.
pub(super) struct Shared<'a>(pub &'a RefCell<Watcher>);

impl Observer for Shared<'_> {
    fn records(&self) -> bool {
        self.0.borrow().records()
    }

    fn reads_bodies(&self) -> bool {
        self.0.borrow().reads_bodies()
    }

    fn observe(&mut self, at_us: u64, what: What) {
        self.0.borrow_mut().observe(at_us, what);
    }

    fn transmit(&mut self) {
        self.0.borrow_mut().transmit();
    }

    fn settle(&mut self, at_us: u64, script_left: usize) {
        self.0.borrow_mut().settle(at_us, script_left);
    }
}
