//! The director carries out a scenario: it determines the next action and its time, and judges the result.
//!
//! It depends neither on processes nor on virtual time. A driver passes it every event and, after each turn, the
//! state. The driver asks for the next action, and reports when the action is done. Therefore a scenario means the
//! same live and simulated.

mod conclusion;

use std::fmt::Display;
use std::sync::Arc;

use interlock_machine::message_id::MessageId;
use serde_json::Value;

use super::Scenario;
use super::findings::Failure;
use super::handed::{Handed, Refusal};
use super::judge::Judge;
use super::role::{self, Missing};
use super::step::{Action, Step};
use super::stop::StopReason;
use super::undo::{Undo, Undoing};
use super::window::Window;
use interlock_model::choice::{Choice, forms};
use interlock_model::event::{Event, What};
use interlock_model::specification::Detector;
use interlock_model::strict;
use interlock_observation::state::State;

/// The answer to a driver that asks for the next action.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// The driver executes this action now, and reports it to [`Director::done`].
    Do(Choice),
    /// There is no action before this time, in microseconds since the start of the run. The driver asks again at
    /// that time, or after an event.
    At(u64),
    /// The run is over.
    Over,
}

/// The reason for the end if nothing can happen and no process requests anything.
pub const IDLE: &str = "no event is left";
/// The reason for the end if nothing can happen without intervention and a process requests something.
pub const STUCK: &str = "nothing moves by itself";

/// The state of a run at the moment at which a driver asks its director.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The state.
    pub state: &'a State,
    /// The time, in microseconds since the start of the run.
    pub now_us: u64,
    /// Number of events known to be pending, besides the actions of the director.
    pub pending: usize,
    /// Returns whether a message is still in the network and has not been handed over.
    pub network: &'a dyn Fn(MessageId) -> bool,
}

/// The progress of the director within the steps.
#[derive(Debug)]
enum Doing {
    /// The next step can be taken.
    Ready,
    /// The next step is taken at this time.
    Due(u64),
    /// The step sleeps until this time.
    Sleeping(u64),
    /// The step waits for the condition of its window, until this time at most.
    Waiting(u64),
    /// No process or message matches the name in the step.
    Seeking(Missing),
}

/// The reason for an action.
#[derive(Debug)]
enum Origin {
    /// A step, with the time in microseconds after which it is undone, if it is.
    Step(Option<u64>),
    /// A mark.
    Mark(String),
    /// The undo of an earlier action.
    Undo(Undo),
    /// A fault of the nemesis, with the time in microseconds after which it is undone, if it is.
    Nemesis(Option<u64>),
}

/// The director of one run.
#[derive(Debug)]
pub struct Director {
    scenario: Arc<Scenario>,
    seed: u64,
    /// When the run began, in microseconds.
    begun_us: u64,
    /// Number of steps taken.
    taken: usize,
    doing: Doing,
    /// The reason for the current action, until the driver reports that it is done.
    acting: Option<Origin>,
    /// The progress of the next wait.
    window: Window,
    handed: Handed,
    /// A node's refusal of the current action.
    refusal: Option<String>,
    undo: Undoing,
    /// Number of faults that the nemesis has drawn, and the time of the next one.
    nemesis: Option<(u32, u64)>,
    judge: Judge,
    /// The latest action as executed, and the number of the partition or rule that it created.
    last: (Option<Choice>, Option<u64>),
    ended: Option<StopReason>,
    failure: Option<Failure>,
}

impl Director {
    /// Creates the director of a scenario in a run with this seed.
    #[must_use]
    pub fn new(scenario: Arc<Scenario>, seed: u64) -> Self {
        let nemesis = scenario.nemesis.as_ref().map(|nemesis| (0, nemesis.gap_us(seed, 0)));
        Self {
            judge: Judge::new(&scenario.expectations),
            window: Window::open(&scenario.steps, 0),
            scenario,
            seed,
            begun_us: 0,
            taken: 0,
            doing: Doing::Ready,
            acting: None,
            handed: Handed::default(),
            refusal: None,
            undo: Undoing::default(),
            nemesis,
            last: (None, None),
            ended: None,
            failure: None,
        }
    }

    /// Notes that the run begins at this time, in microseconds. Times since the start of the run count from now.
    pub fn begin(&mut self, now_us: u64) {
        self.begun_us = now_us;
        if let Some((_, at)) = &mut self.nemesis {
            *at = at.saturating_add(now_us);
        }
        self.judge.begin(now_us);
    }

    /// Processes the next event.
    pub fn observe(&mut self, event: &Event) {
        // At the end of a run, all messages are lost. These losses must not affect the result.
        if self.ended.is_some() && !matches!(event.what, What::Violated { .. }) {
            return;
        }
        self.judge.observe(event);
        self.window.observe(&self.scenario.steps, event);
        self.undo.observe(event, self.scenario.run.detector == Some(Detector::Perfect));
        if let Some(refusal) = self.handed.observe(event) {
            self.refused(refusal);
        }
        if let What::Configured { change } = &event.what
            && self.acting.is_some()
            && change.value.is_some()
        {
            self.last.1 = change.id.as_deref().and_then(|id| id.parse().ok());
        }
    }

    /// Examines the run at the end of a turn, when no step is in progress.
    pub fn turn_over(&mut self, moment: Moment<'_>) {
        let Moment { state, now_us, pending, .. } = moment;
        let pending = pending + self.left();
        self.judge.look(state, now_us, pending);
        let has_begun = self.is_waiting();
        self.window.look(&self.scenario.steps, has_begun, (state, now_us, pending));
    }

    /// Returns the next action.
    pub fn next(&mut self, moment: Moment<'_>) -> Next {
        loop {
            if self.ended.is_some() {
                return Next::Over;
            }
            if self.acting.is_some() {
                return Next::At(u64::MAX);
            }
            self.turn_over(moment);
            self.stop_if_due(moment);
            if self.ended.is_some() {
                continue;
            }
            if let Some(choice) = self.due_by_itself(moment).or_else(|| self.step(moment)) {
                self.last = (Some(choice.clone()), None);
                return Next::Do(choice);
            }
            // After a step without an action, the next step may be due at the same moment.
            let rests = match &self.doing {
                Doing::Ready => self.taken == self.scenario.steps.len(),
                Doing::Waiting(_) => !self.window.has_met(self.taken),
                Doing::Due(_) | Doing::Sleeping(_) | Doing::Seeking(_) => true,
            };
            if rests {
                self.stop_if_due(moment);
                if self.ended.is_none() {
                    return Next::At(self.next_time(moment));
                }
            }
        }
    }

    /// Processes the result of the current action.
    pub fn done(&mut self, moment: Moment<'_>, done: Result<(), impl Display>) {
        // A run that has ended rejects every action; the reason for its end is known.
        let Some(origin) = self.acting.take().filter(|_| self.ended.is_none()) else { return };
        let undone_at = |after_us: u64| moment.now_us.saturating_add(after_us);
        match (origin, done) {
            (Origin::Mark(name), Ok(())) => {
                self.judge.mark(&name, moment.now_us);
                self.pass();
            }
            (Origin::Step(undone_after), Ok(())) => {
                if let Some(why) = self.refusal.take() {
                    self.fail_at(self.taken, cannot(&self.scenario, self.taken, &why));
                } else {
                    self.undo_at(undone_after.map(undone_at), Some(self.taken));
                    self.pass();
                }
            }
            (Origin::Nemesis(lasts), Ok(())) => self.undo_at(lasts.map(undone_at), None),
            (Origin::Step(_) | Origin::Mark(_), Err(why)) => {
                self.fail_at(self.taken, cannot(&self.scenario, self.taken, &why.to_string()));
            }
            (Origin::Undo(undo), Err(why)) if !undo.is_void(moment.state) => {
                if let Some(step) = undo.step {
                    self.fail_at(step, format!("cannot undo the action after its duration: {why}"));
                }
            }
            (Origin::Undo(_), _) | (Origin::Nemesis(_), Err(_)) => {}
        }
    }

    /// Processes a node's refusal of a step, at once or when the node resumes.
    fn refused(&mut self, Refusal { step, because }: Refusal) {
        if step == self.taken && matches!(self.acting, Some(Origin::Step(_))) {
            self.refusal = Some(because);
        } else {
            self.fail_at(step, cannot(&self.scenario, step, &because));
        }
    }

    /// Returns the number of actions that the director will take whatever happens in the run.
    #[must_use]
    pub fn left(&self) -> usize {
        if self.ended.is_some() {
            return 0;
        }
        let steps = self.scenario.steps.len() - self.taken;
        let sleeps = match &self.doing {
            Doing::Ready => usize::from(steps > 0),
            Doing::Due(_) | Doing::Sleeping(_) => 1,
            Doing::Waiting(_) => usize::from(self.window.has_met(self.taken)),
            Doing::Seeking(_) => 0,
        };
        sleeps + usize::from(self.acting.is_some()) + self.undo.len() + self.faults_left()
    }

    fn faults_left(&self) -> usize {
        match (&self.scenario.nemesis, self.nemesis) {
            (Some(nemesis), Some((drawn, _))) => (nemesis.budget - drawn) as usize,
            _ => 0,
        }
    }

    /// Returns whether the director has no actions left. If so, no action would have ended a standstill at the end
    /// of the run.
    #[must_use]
    pub fn has_done_all(&self) -> bool {
        self.is_done() && self.faults_left() == 0
    }

    /// Returns whether the run is over.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    /// Returns whether all steps are taken and no undo is planned.
    fn is_done(&self) -> bool {
        self.taken == self.scenario.steps.len() && self.undo.is_empty()
    }

    /// Returns the undo or the fault of the nemesis that is due now.
    fn due_by_itself(&mut self, moment: Moment<'_>) -> Option<Choice> {
        if let Some(undo) = self.undo.take_due(moment.now_us) {
            return Some(self.act(undo.choice.clone(), Origin::Undo(undo)));
        }
        let nemesis = self.scenario.nemesis.clone()?;
        let (number, _) = self.nemesis.filter(|(number, at)| *number < nemesis.budget && *at <= moment.now_us)?;
        let at = moment.now_us.saturating_add(nemesis.gap_us(self.seed, number + 1));
        self.nemesis = Some((number + 1, at));
        let drawn = nemesis.draw(self.seed, number, moment.state)?;
        let choice = strict::deserialize(&drawn.choice).ok()?;
        Some(self.act(choice, Origin::Nemesis(drawn.lasts_us)))
    }

    fn act(&mut self, choice: Choice, origin: Origin) -> Choice {
        self.acting = Some(origin);
        choice
    }

    /// Takes the next step if possible, and returns its action, if it has one.
    fn step(&mut self, moment: Moment<'_>) -> Option<Choice> {
        match &mut self.doing {
            Doing::Ready | Doing::Seeking(_) => {}
            Doing::Due(at) if *at <= moment.now_us => {}
            Doing::Sleeping(until) if *until <= moment.now_us => self.pass(),
            Doing::Waiting(_) if self.window.has_met(self.taken) => self.pass(),
            Doing::Waiting(until) if *until <= moment.now_us => {
                let missing = self.missing(moment.state);
                self.fail(format!("timed out: {missing}"));
                return None;
            }
            Doing::Due(_) | Doing::Sleeping(_) | Doing::Waiting(_) => return None,
        }
        let scenario = Arc::clone(&self.scenario);
        let step = scenario.steps.get(self.taken)?;
        let due = step.at.map(|at| self.begun_us.saturating_add(at.0)).filter(|due| *due > moment.now_us);
        if let Some(due) = due {
            self.doing = Doing::Due(due);
            return None;
        }
        let later = |span: interlock_model::span::Span| moment.now_us.saturating_add(span.0);
        match &step.action {
            // A driver wakes the director only for a later time, so a sleep of 0 ends at once.
            Action::Sleep(span) if span.0 == 0 => self.pass(),
            Action::Sleep(span) => self.doing = Doing::Sleeping(later(*span)),
            Action::Wait { within, .. } => {
                let pending = moment.pending + self.left();
                self.window.begin(&scenario.steps, self.taken, (moment.state, moment.now_us, pending));
                self.doing = Doing::Waiting(within.map_or(u64::MAX, later));
            }
            Action::Mark(name) => {
                let note = Choice::Note(format!("mark: {name}"));
                return Some(self.act(note, Origin::Mark(name.clone())));
            }
            Action::Choose { choice, undone_after } => {
                let acted = self.choose(choice, undone_after.map(|span| span.0), moment);
                if acted.is_some() && step.is_an_action() {
                    self.window = Window::open(&scenario.steps, self.taken + 1);
                }
                return acted;
            }
        }
        None
    }

    fn pass(&mut self) {
        self.taken += 1;
        self.doing = Doing::Ready;
    }

    fn choose(&mut self, written: &Value, undone_after: Option<u64>, moment: Moment<'_>) -> Option<Choice> {
        match role::resolve(written, moment.state, moment.network) {
            Err(missing) => {
                self.doing = Doing::Seeking(missing);
                None
            }
            Ok(resolved) => match forms::read(&resolved, None) {
                Ok(choice) => {
                    self.handed.note(self.taken, &choice);
                    Some(self.act(choice, Origin::Step(undone_after)))
                }
                Err(error) => {
                    self.fail(cannot(&self.scenario, self.taken, &error.detail));
                    None
                }
            },
        }
    }

    /// Plans the undo of the latest action, if it has one.
    fn undo_at(&mut self, at_us: Option<u64>, step: Option<usize>) {
        if let (Some(at_us), (Some(last), id)) = (at_us, &self.last) {
            self.undo.add(at_us, last, *id, step);
        }
    }

    /// Returns when the driver must ask again although no event occurs.
    fn next_time(&self, moment: Moment<'_>) -> u64 {
        let doing = match &self.doing {
            Doing::Due(until) | Doing::Sleeping(until) => Some(*until),
            Doing::Waiting(until) => {
                let look = self.window.watch().and_then(|watch| watch.next_look(moment.state));
                look.into_iter().chain([*until]).min()
            }
            _ => None,
        };
        let undo = self.undo.next_us();
        let budget = self.scenario.nemesis.as_ref().map_or(0, |nemesis| nemesis.budget);
        let nemesis = self.nemesis.filter(|(drawn, _)| *drawn < budget).map(|(_, at)| at);
        let judged = self.judge.next_time(moment.state);
        let all = [doing, undo, nemesis, judged, self.stop_look(moment.state), Some(self.end_us())];
        // Times that have passed have been examined already.
        all.into_iter().flatten().filter(|at| *at > moment.now_us).min().unwrap_or(u64::MAX)
    }
}

/// Returns the sentence that reports that a step cannot be taken.
fn cannot(scenario: &Scenario, step: usize, why: &str) -> String {
    let verb = scenario.steps.get(step).map_or("continue", Step::verb);
    format!("cannot {verb}: {why}")
}
