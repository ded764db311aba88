//! Judging loaded events: what the monitors find in them, without what the events report themselves.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use interlock_model::event::{Ending, Event, Violation, What};
use interlock_model::specification::Specification;
use interlock_observation::monitor::Monitors;
use interlock_observation::state::State;

/// The most violations that are added to the events.
const MOST_ADDED: usize = 1_000;

/// The monitors, and what they have found that the events do not report.
#[derive(Debug)]
pub(super) struct Judging {
    monitors: Monitors,
    found: Vec<Violation>,
    /// What the events report and the monitors have not found yet, as fingerprints.
    reported: HashSet<u64>,
    missing: Vec<Violation>,
    /// When each act of the script is due, in microseconds.
    script: Vec<u64>,
}

impl Judging {
    /// Before the first event of a run.
    pub(super) fn new(specification: &Specification) -> Self {
        let mut monitors = Monitors::new(specification);
        // A file may have no messages at all, such as the history of another system.
        monitors.set_causal(false);
        Self {
            monitors,
            found: Vec::new(),
            reported: HashSet::new(),
            missing: Vec::new(),
            script: specification.script.iter().map(|scripted| scripted.at.0).collect(),
        }
    }

    /// Takes the next event, before which the run was in this state.
    pub(super) fn observe(&mut self, event: &Event, before: &State) {
        if matches!(event.what, What::Ended { why: Ending::Stopped }) {
            self.judge_rest(before, event.at_us);
        }
        if matches!(event.what, What::Sent { .. }) {
            self.monitors.set_causal(true);
        }
        self.monitors.observe(event, &mut self.found);
        self.compare();
        if let What::Violated { violation } = &event.what {
            let reported = fingerprint(violation);
            match self.missing.iter().position(|missing| fingerprint(missing) == reported) {
                Some(place) => _ = self.missing.remove(place),
                None => _ = self.reported.insert(reported),
            }
        }
    }

    /// What the events do not report, in the order in which it was found. The last event has been taken.
    pub(super) fn end(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.missing)
    }

    /// Judges the state in which a run was stopped, if nothing moves in it any more. What its script and its scenario were
    /// still to do counts as pending. A log that breaks off before its end is not judged so.
    fn judge_rest(&mut self, state: &State, now_us: u64) {
        let scripted = self.script.iter().filter(|at_us| **at_us >= now_us).count();
        let planned = usize::from(self.monitors.is_act_to_come());
        self.monitors.settle(state, scripted + planned, &mut self.found);
        self.compare();
    }

    fn compare(&mut self) {
        for violation in self.found.drain(..) {
            if !self.reported.remove(&fingerprint(&violation)) && self.missing.len() < MOST_ADDED {
                self.missing.push(violation);
            }
        }
    }
}

/// The rule that was broken and the events that broke it: words and arguments may differ between versions.
fn fingerprint(violation: &Violation) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&violation.monitor, &violation.code, &violation.events).hash(&mut hasher);
    hasher.finish()
}
