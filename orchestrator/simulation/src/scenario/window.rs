//! The window of a wait: the events that count for the wait. Some of these events may be earlier than the start of
//! the wait.
//!
//! The window of the first wait after an action opens when the action begins. Until the next action, the window of
//! each further wait opens after the event that met the previous wait. Sleeps, marks and notes have no effect on
//! windows.

use super::condition::Until;
use super::step::{Action, Step};
use super::watch::Watch;
use interlock_model::event::Event;
use interlock_observation::state::State;

/// The first wait after an action whose condition is not met yet: the index of its step, and its progress.
#[derive(Debug)]
pub(super) struct Window(Option<(usize, Watch)>);

impl Window {
    /// Opens the windows of the waits from the step with index `from` until the next action.
    pub fn open(steps: &[Step], from: usize) -> Self {
        Self(next_wait(steps, from))
    }

    /// Returns the progress of the first wait that is not met yet.
    pub fn watch(&self) -> Option<&Watch> {
        self.0.as_ref().map(|(_, watch)| watch)
    }

    /// Returns whether the wait at this step is met.
    pub fn has_met(&self, step: usize) -> bool {
        self.0.as_ref().is_none_or(|(first, _)| *first > step)
    }

    /// Processes the next event.
    pub fn observe(&mut self, steps: &[Step], event: &Event) {
        self.advance_if(steps, |watch| watch.observe(event));
    }

    /// Examines the state of the run while no process is executing a step. Until the wait begins, only events count.
    pub fn look(&mut self, steps: &[Step], has_begun: bool, (state, now_us, pending): (&State, u64, usize)) {
        self.advance_if(
            steps,
            |watch| {
                if has_begun { watch.look(state, now_us, pending) } else { watch.look_ahead(state) }
            },
        );
    }

    /// Examines the state of the run when the wait at this step begins. If the state already meets the condition,
    /// the wait is over. Exception: the event that met the condition may also have met an earlier wait of the same
    /// window.
    pub fn begin(&mut self, steps: &[Step], step: usize, (state, now_us, pending): (&State, u64, usize)) {
        if self.has_met(step) {
            return;
        }
        let repeats = repeats_an_earlier(steps, step);
        self.advance_if(steps, |watch| {
            if repeats { watch.look(state, now_us, pending) } else { watch.look_first(state, now_us, pending) }
        });
    }

    fn advance_if(&mut self, steps: &[Step], mut is_met: impl FnMut(&mut Watch) -> bool) {
        if let Some((step, watch)) = &mut self.0
            && is_met(watch)
        {
            self.0 = next_wait(steps, *step + 1);
        }
    }
}

/// Returns the first wait at or after the step with index `from`. Returns none if an action precedes this wait.
fn next_wait(steps: &[Step], from: usize) -> Option<(usize, Watch)> {
    let mut before_an_action = steps.iter().enumerate().skip(from).take_while(|(_, step)| !step.is_an_action());
    before_an_action.find_map(|(number, step)| Some((number, Watch::new(waited_for(step)?))))
}

/// Returns whether an event that met an earlier wait may also meet this wait. Only earlier waits after the latest
/// action count.
fn repeats_an_earlier(steps: &[Step], step: usize) -> bool {
    let Some(until) = steps.get(step).and_then(waited_for) else { return false };
    let earlier = steps[..step].iter().rev().take_while(|step| !step.is_an_action()).filter_map(waited_for);
    earlier.into_iter().any(|earlier| until.may_share_an_event_with(earlier))
}

const fn waited_for(step: &Step) -> Option<&Until> {
    if let Action::Wait { until, .. } = &step.action { Some(until) } else { None }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scenario::Scenario;

    /// Before a wait begins, the state of the run does not meet the condition of the wait, because an action may
    /// still be in progress.
    #[test]
    fn the_state_of_the_run_counts_once_the_wait_has_begun() {
        let document = json!({ "algorithm": "ricart-agrawala", "nodes": 2, "seed": 1,
            "steps": [{ "acquire": 0 }, { "sleep": "5ms" }, { "wait": { "verdict": "ok" } }] });
        let scenario = Scenario::read(document).expect("a scenario");
        let state = State::new(&scenario.specification(None, false).expect("a run"));
        let mut window = Window::open(&scenario.steps, 1);
        for (has_begun, is_met) in [(false, false), (true, true)] {
            window.look(&scenario.steps, has_begun, (&state, 0, 0));
            assert_eq!(window.has_met(2), is_met);
        }
    }
}
