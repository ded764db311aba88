//! The director executes a scenario: it determines the next action and its time, and judges the result.
//!
//! The director depends neither on processes nor on virtual time. A driver passes every event to the director and,
//! after each turn, the state. The driver asks the director for the next action, executes it, and reports the result.
//! A scenario therefore means the same in a live run and in a simulated one.

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
    /// The driver must execute this action now, and report the result to [`Director::done`].
    Do(Choice),
    /// No action is due before this time, in microseconds since the start of the run. The driver must ask again at
    /// that time, or earlier if an event occurs.
    At(u64),
    /// The run is over.
    Over,
}

/// The reason for the end of a run in which nothing can happen and no process requests anything.
pub const IDLE: &str = "no event is left";
/// The reason for the end of a run in which a process requests something, but nothing can happen without a manual
/// action.
pub const STUCK: &str = "nothing moves by itself";

/// The situation of a run when a driver asks its director for the next action.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The state.
    pub state: &'a State,
    /// The time, in microseconds since the start of the run.
    pub now_us: u64,
    /// Number of pending events that the driver knows of. The actions of the director do not count.
    pub pending: usize,
    /// Returns whether the network still contains a message, that is, has not yet delivered it to the receiver.
    pub network: &'a dyn Fn(MessageId) -> bool,
}

/// The progress of the current step.
#[derive(Debug)]
enum Doing {
    /// The next step can start.
    Ready,
    /// The next step starts at this time.
    Due(u64),
    /// The current step sleeps until this time.
    Sleeping(u64),
    /// The current step waits for a condition, until this time at most.
    Waiting(u64),
    /// The next step cannot start yet: no process has the role that it names, or no message matches its description.
    Seeking(Missing),
}

/// The origin of an action.
#[derive(Debug)]
enum Origin {
    /// A step. If the action is undone, the value is the time after which it is undone, in microseconds.
    Step(Option<u64>),
    /// A mark.
    Mark(String),
    /// The end of an earlier fault.
    Undo(Undo),
    /// A fault of the nemesis. If the fault is undone, the value is the time after which it is undone, in
    /// microseconds.
    Nemesis(Option<u64>),
}

/// The director of one run.
#[derive(Debug)]
pub struct Director {
    scenario: Arc<Scenario>,
    seed: u64,
    /// The time at which the run began, in microseconds.
    begun_us: u64,
    /// Number of completed steps.
    taken: usize,
    doing: Doing,
    /// The origin of the current action. It is present until the driver reports that the action is done.
    acting: Option<Origin>,
    /// The progress towards the condition of the next wait.
    window: Window,
    handed: Handed,
    /// The reason why a node refused the current action.
    refusal: Option<String>,
    undo: Undoing,
    /// Number of faults that the nemesis has drawn so far, and the time of the next fault.
    nemesis: Option<(u32, u64)>,
    judge: Judge,
    /// The latest executed action. If the action created a partition or a rule, also the number of that partition or
    /// rule.
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

    /// Sets the start of the run to `now_us`, in microseconds. The times of the scenario are relative to this
    /// start.
    pub fn begin(&mut self, now_us: u64) {
        self.begun_us = now_us;
        if let Some((_, at)) = &mut self.nemesis {
            *at = at.saturating_add(now_us);
        }
        self.judge.begin(now_us);
    }

    /// Processes the next event.
    pub fn observe(&mut self, event: &Event) {
        // When a run ends, all messages in transit are reported as lost. These losses must not affect the result.
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

    /// Examines the state of the run at the end of a turn, when no process is executing a step.
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
            // If a step has no action, the next step may be due at the same moment.
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

    /// Processes the result of the current action, which the driver reports.
    pub fn done(&mut self, moment: Moment<'_>, done: Result<(), impl Display>) {
        // A run that has ended rejects every action. The action has not failed: the reason for the end is already
        // known.
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
                    self.fail_at(step, format!("cannot undo the action at the end of its `for`: {why}"));
                }
            }
            (Origin::Undo(_), _) | (Origin::Nemesis(_), Err(_)) => {}
        }
    }

    /// Processes a refusal of a step by a node or a resource. A paused node refuses only when it resumes.
    fn refused(&mut self, Refusal { step, because }: Refusal) {
        if step == self.taken && matches!(self.acting, Some(Origin::Step(_))) {
            self.refusal = Some(because);
        } else {
            self.fail_at(step, cannot(&self.scenario, step, &because));
        }
    }

    /// Returns the number of actions that the director will still request even if no further event occurs in the run.
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

    /// Returns whether the director has no actions left. If a run then makes no progress, no later action of the
    /// director can change that.
    #[must_use]
    pub fn has_done_all(&self) -> bool {
        self.is_done() && self.faults_left() == 0
    }

    /// Returns whether the director has ended the run.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    /// Returns whether all steps are completed and no undo is planned.
    fn is_done(&self) -> bool {
        self.taken == self.scenario.steps.len() && self.undo.is_empty()
    }

    /// Returns the undo or the fault of the nemesis that is due now, if any.
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

    /// Starts the next step if possible. Returns the action of the step, if the step has an action.
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
            // A driver asks again only at a later time, so a sleep of 0 must end immediately.
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

    /// Plans the undo of the latest action for the time `at_us`. Does nothing if `at_us` is none, or if the action
    /// cannot be undone.
    fn undo_at(&mut self, at_us: Option<u64>, step: Option<usize>) {
        if let (Some(at_us), (Some(last), id)) = (at_us, &self.last) {
            self.undo.add(at_us, last, *id, step);
        }
    }

    /// Returns the time at which the driver must ask again even if no event occurs.
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
        // The state at past times has already been examined.
        all.into_iter().flatten().filter(|at| *at > moment.now_us).min().unwrap_or(u64::MAX)
    }
}

/// Returns the sentence that reports that a step cannot be executed.
fn cannot(scenario: &Scenario, step: usize, why: &str) -> String {
    let verb = scenario.steps.get(step).map_or("continue", Step::verb);
    format!("cannot {verb}: {why}")
}
