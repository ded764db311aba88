//! The end of a scenario: the reason for the end, and the findings.

use super::{Director, Doing, Moment};
use crate::scenario::findings::{Failure, Findings, Outcome};
use crate::scenario::role::Missing;
use crate::scenario::stop::StopReason;
use interlock_observation::metrics::MetricsDocument;
use interlock_observation::state::State;

impl Director {
    /// Aborts the run, and stores the reason `why`.
    pub fn break_off(&mut self, why: impl Into<String>) {
        self.ended.get_or_insert_with(|| StopReason::BrokenOff(why.into()));
    }

    /// Ends the run because a process violated the protocol between processes and the run. The scenario then fails,
    /// with `why` as the reason.
    pub fn refute(&mut self, why: String) {
        if self.ended.is_none() {
            self.fail(why);
        }
    }

    /// Records that nothing else will happen without a manual action. From now on, only the passing of time can
    /// meet a condition. Returns whether the driver must ask for the next action again.
    pub fn nothing_moves(&mut self, moment: Moment<'_>, how: &str) -> bool {
        self.turn_over(moment);
        if self.left() > 0 || self.ended.is_some() {
            return true;
        }
        if self.comes_with_time(moment) {
            return false;
        }
        match &self.doing {
            _ if self.is_waiting() => {
                let missing = self.missing(moment.state);
                self.fail(format!("it can no longer happen, since {how}: {missing}"));
            }
            Doing::Seeking(Missing(missing)) => {
                let why = format!("{missing}, and {how}");
                self.fail(why);
            }
            _ => self.ended = Some(StopReason::NothingMoves(how.to_owned())),
        }
        true
    }

    /// Returns whether the passing of time alone will meet a condition of a wait, of an expectation or of the end.
    /// The only such condition is that a waiting process becomes slow.
    fn comes_with_time(&self, moment: Moment<'_>) -> bool {
        let waited_for = match &self.doing {
            Doing::Waiting(until) => {
                self.window.watch().and_then(|watch| watch.next_look(moment.state)).filter(|at| at < until)
            }
            _ => None,
        };
        let looks = [waited_for, self.judge.next_look(moment.state), self.stop_look(moment.state)];
        looks.into_iter().flatten().any(|at| moment.now_us < at && at < self.end_us())
    }

    /// Returns the time at which the condition that ends the run will be met without an event.
    pub(super) fn stop_look(&self, state: &State) -> Option<u64> {
        self.scenario.stop.when.as_ref().and_then(|until| until.next_look(state))
    }

    /// Returns whether the current step is a wait whose condition is not met yet.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.doing, Doing::Waiting(_)) && !self.window.has_met(self.taken)
    }

    /// Returns a description of what the current wait still needs, as the end of a sentence.
    pub(super) fn missing(&self, state: &State) -> String {
        self.window.watch().map(|watch| watch.missing(state)).unwrap_or_default()
    }

    /// Returns the findings at the end of the run.
    #[must_use]
    pub fn findings(&self, state: &State, metrics: &MetricsDocument) -> Findings {
        let judged = self.judge.at_the_end(state, metrics);
        let outcome = match &self.ended {
            Some(StopReason::BrokenOff(_)) | None => Outcome::CutShort,
            _ if self.failure.is_some() || judged.iter().any(|judgement| !judgement.met) => Outcome::NotMet,
            _ => Outcome::Met,
        };
        Findings {
            outcome,
            failure: self.failure.clone(),
            expectations: judged,
            steps: self.taken,
            of: self.scenario.steps.len(),
            ended: self.ended.as_ref().map(ToString::to_string).unwrap_or_default(),
            phenomenon: state.phenomenon(state.verdict(state.at_us(), 0).because.as_ref()),
        }
    }

    /// Returns the latest time at which the run must end.
    pub(super) fn end_us(&self) -> u64 {
        self.begun_us.saturating_add(self.scenario.stop.after.0)
    }

    pub(super) fn fail(&mut self, why: String) {
        self.fail_at(self.taken, why);
    }

    pub(super) fn fail_at(&mut self, step: usize, why: String) {
        let place = self.scenario.steps.get(step).map(|step| step.place.clone()).unwrap_or_default();
        self.failure = Some(Failure { place, because: why });
        self.ended = Some(StopReason::NotMet);
    }

    pub(super) fn stop_if_due(&mut self, moment: Moment<'_>) {
        let Moment { state, now_us, pending, .. } = moment;
        let left = self.left();
        let reason = if self.judge.judge_time(state, now_us) {
            Some(StopReason::NotMet)
        } else if self.scenario.stop.when.as_ref().is_some_and(|until| until.met_in(state, now_us, pending + left)) {
            Some(StopReason::When)
        } else if now_us >= self.end_us() {
            Some(StopReason::Time)
        } else if self.scenario.stop.when_decided && self.is_done() && self.judge.is_decided() {
            Some(StopReason::Decided)
        } else {
            None
        };
        if reason == Some(StopReason::Time) && self.is_waiting() {
            let missing = self.missing(state);
            self.fail(format!("the run reached its time limit: {missing}"));
        } else if let (Some(StopReason::Time), Doing::Seeking(Missing(missing))) = (&reason, &self.doing) {
            let why = format!("{missing}, and the run reached its time limit");
            self.fail(why);
        } else if reason == Some(StopReason::Time) && !self.is_done() {
            self.fail("the run reached its time limit before this step".to_owned());
        } else {
            self.ended = self.ended.take().or(reason);
        }
    }
}
