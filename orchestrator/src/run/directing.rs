//! Execution of a scenario by live processes.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use super::directed_scenario::Directing;
use super::{Core, Run, RunError};
use interlock_model::event::Ending;
use interlock_simulation::scenario::{Findings, IDLE, Moment, Next, STUCK, Until};

impl Run {
    /// Returns a channel that contains the findings of the scenario once they are known. Returns none if the run
    /// has no scenario.
    #[must_use]
    pub fn findings(&self) -> Option<watch::Receiver<Option<Findings>>> {
        self.with(|core| core.driver.scenario().is_some()).then(|| self.findings.subscribe())
    }

    /// Executes the scenario to its end, and returns its findings. Returns none if the run has no scenario.
    pub(super) async fn carry_out(self: &Arc<Self>) -> Option<Findings> {
        let woken = self.with(|core| core.driver.scenario().map(|scenario| scenario.woken()))?;
        loop {
            match self.with(Core::next_of_scenario) {
                Next::Over => {
                    let findings = self.with(Core::findings);
                    self.findings.send_replace(findings.clone());
                    return findings;
                }
                Next::Do(choice) => {
                    let done = self.apply(&choice).await;
                    self.with(|core| core.done_of_scenario(done));
                }
                Next::At(at_us) => {
                    let now_us = self.with(|core| core.time.now_us());
                    tokio::select! {
                        () = woken.notified() => {}
                        () = sleep(Duration::from_micros(at_us.saturating_sub(now_us))), if at_us < u64::MAX => {}
                    }
                }
            }
        }
    }
}

impl Core {
    /// Begins the scenario together with its run. The first step is determined before any process has reported an
    /// event. So conditions count events from the beginning of the run, as in virtual time.
    pub(super) fn begin_scenario(&mut self) {
        self.directed(Directing::begin);
    }

    fn next_of_scenario(&mut self) -> Next {
        self.tell_of_the_end();
        loop {
            let next = self.directed(Directing::next).unwrap_or(Next::Over);
            let (true, Some(how)) = (matches!(next, Next::At(_)), self.nothing_moves()) else { return next };
            // No further event can occur. The scenario may wait for this standstill or expect it, and then has a next
            // step.
            self.settle();
            let changes = self.directed(|scenario, moment| scenario.director().nothing_moves(moment, how));
            if changes != Some(true) {
                return next;
            }
        }
    }

    /// Notifies the director if the run has ended or cannot continue, so that the scenario ends as well.
    fn tell_of_the_end(&mut self) {
        let Some(scenario) = self.driver.scenario() else { return };
        if let Some(why) = self.nodes.broken() {
            scenario.director().refute(why.to_owned());
        }
        let ended = self.log.ended().map(|ending| match ending {
            Ending::Stopped => "the run was stopped".to_owned(),
            Ending::Shutdown => "the playground was closed".to_owned(),
            Ending::Failed(why) => format!("the run could not continue: {why}"),
        });
        if let Some(why) = ended {
            scenario.director().break_off(why);
        }
    }

    /// Returns the reason why neither the nodes nor the director can cause further events; none if further events
    /// are possible.
    fn nothing_moves(&self) -> Option<&'static str> {
        if self.inputs_under_way() + self.driver.left() > 0 {
            return None;
        }
        let stands_still = self.log.state().standstill(0).map(|_| STUCK);
        stands_still.or_else(|| Until::Idle.met_in(self.log.state(), self.time.now_us(), 0).then_some(IDLE))
    }

    /// Calls a function with the scenario and the present moment. Returns none if the run has no scenario.
    fn directed<T>(&mut self, does: impl FnOnce(&mut Directing, Moment<'_>) -> T) -> Option<T> {
        let (now_us, pending) = (self.time.now_us(), self.inputs_under_way());
        let network = |message| self.network.standing(message).is_some();
        let moment = Moment { state: self.log.state(), now_us, pending, network: &network };
        self.driver.scenario().map(|scenario| does(scenario, moment))
    }

    fn done_of_scenario(&mut self, done: Result<(), RunError>) {
        if done.is_err() {
            self.tell_of_the_end();
        }
        self.directed(|scenario, moment| scenario.director().done(moment, done));
        // While the step was pending, the run could not be at a standstill. Now it may be.
        self.settle();
    }

    fn findings(&mut self) -> Option<Findings> {
        if self.driver.scenario()?.director().has_done_all() {
            self.settle();
            self.directed(|scenario, moment| scenario.director().turn_over(moment));
        }
        let metrics = self.metrics().document();
        self.directed(|scenario, moment| scenario.director().findings(moment.state, &metrics))
    }
}
