//! Who watches a simulation.

use std::cell::RefCell;

use super::measured::Measured;
use super::report::Report;
use super::{Simulation, Watch};
use crate::scenario::{Director, Findings, IDLE, Moment, Next, STUCK};
use crate::world::Observer;
use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::Specification;
use interlock_observation::monitor::Monitors;
use interlock_observation::monitor::tokens::Tokens;
use interlock_observation::monitor::waits::Waits;
use interlock_observation::state::{Locks, State};

/// Measures what the run costs.
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

    /// Adds what was seen to the report.
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

/// Watches whether the run keeps the rules, and keeps the events if it is asked to.
pub(super) struct Watcher {
    seq: u64,
    state: State,
    measured: Measured,
    monitors: Monitors,
    found: Vec<Violation>,
    violations: Vec<(u64, Violation)>,
    keeps: bool,
    reads_bodies: bool,
    events: Vec<Event>,
    marks: Vec<u64>,
    /// Who says what is done to the run, if that is no script.
    director: Option<Director>,
}

/// Returns the knowledge of a director about a simulated run.
const fn moment(state: &State, now_us: u64) -> Moment<'_> {
    Moment { state, now_us, pending: 0, network: &|_| true }
}

/// The most violations that are kept: a wrong algorithm finds ever more.
const MOST_VIOLATIONS: usize = 1_000;

impl Watcher {
    pub fn new(simulation: &Simulation, keeps: bool) -> Self {
        let specification: &Specification = &simulation.specification;
        Self {
            seq: 0,
            state: if keeps { State::new(specification) } else { State::new(specification).without_messages() },
            measured: Measured::new(simulation),
            monitors: Monitors::new(specification),
            found: Vec::new(),
            violations: Vec::new(),
            keeps,
            reads_bodies: keeps || Tokens::reads_bodies(specification) || Waits::reads_bodies(specification),
            events: Vec::new(),
            marks: Vec::new(),
            director: None,
        }
    }

    /// One who shows what it sees to a director, and remembers the messages for it.
    pub fn with(simulation: &Simulation, director: Director) -> Self {
        let state = State::new(&simulation.specification);
        Self { state, director: Some(director), ..Self::new(simulation, simulation.watch == Watch::Events) }
    }

    /// What the director does next.
    pub fn direct(&mut self, now_us: u64) -> Next {
        self.director.as_mut().map_or(Next::Over, |director| director.next(moment(&self.state, now_us)))
    }

    /// What the director said to do is done, or could not be.
    pub fn directed(&mut self, now_us: u64, done: Result<(), String>) {
        if let Some(director) = &mut self.director {
            director.done(moment(&self.state, now_us), done);
        }
    }

    /// A turn is over.
    pub fn turn_over(&mut self, now_us: u64) {
        if let Some(director) = &mut self.director {
            director.turn_over(moment(&self.state, now_us));
        }
    }

    /// Nothing is left to happen: says whether the director does something all the same.
    pub fn nothing_moves(&mut self, now_us: u64) -> bool {
        let Some(director) = &mut self.director else { return false };
        let how = self.state.standstill(0).map_or(IDLE, |_| STUCK);
        director.nothing_moves(moment(&self.state, now_us), how);
        !director.is_over()
    }

    /// How many things the director does yet, whatever happens.
    pub fn left(&self) -> usize {
        self.director.as_ref().map_or(0, Director::left)
    }

    /// Whether the director has nothing to do any more, however the run went on.
    pub fn has_done_all(&self) -> bool {
        self.director.as_ref().is_none_or(Director::has_done_all)
    }

    /// What came of the scenario, if there was one; broken off for this reason if it was.
    pub fn findings(&mut self, broken_off: Option<String>) -> Option<Findings> {
        let director = self.director.as_mut()?;
        if let Some(why) = broken_off {
            director.break_off(why);
        }
        Some(director.findings(&self.state, &self.measured.document()))
    }

    /// The rules found broken so far, each with the seq of its event.
    pub fn violations(&self) -> &[(u64, Violation)] {
        &self.violations
    }

    /// Adds what was seen to the report.
    pub fn report(self, report: &mut Report) {
        self.measured.report(report);
        report.resources = self.state.resources().clone();
        report.violations = self.violations;
        report.told = self.seq;
        report.events = self.events;
        report.marks = self.marks;
    }

    /// Tells what was found, in its order: what a monitor finds comes before what another makes of it.
    fn emit_violations(&mut self, at_us: u64) {
        while !self.found.is_empty() {
            let violation = self.found.remove(0);
            if self.violations.len() < MOST_VIOLATIONS {
                self.violations.push((self.seq + 1, violation.clone()));
            }
            self.observe(at_us, What::Violated { violation });
        }
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
        self.seq += 1;
        let event = Event { seq: self.seq, at_us, what };
        self.state.apply(&event);
        self.measured.observe(&event, self.state.locks());
        self.monitors.observe(&event, &mut self.found);
        if let Some(director) = &mut self.director {
            director.observe(&event);
        }
        if self.keeps {
            self.events.push(event);
        }
        let follows = self.state.resources().follows();
        if !self.found.is_empty() {
            self.emit_violations(at_us);
        }
        if let Some(what) = follows {
            self.observe(at_us, what);
        }
    }

    fn transmit(&mut self) {
        self.measured.transmit();
    }

    fn mark(&mut self) {
        self.marks.push(self.seq);
    }

    fn settle(&mut self, at_us: u64, script_left: usize) {
        self.monitors.settle(&self.state, script_left, &mut self.found);
        self.emit_violations(at_us);
    }
}

/// The same watcher, for a world and whoever asks it besides.
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
