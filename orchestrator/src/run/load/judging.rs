//! Judges loaded events: the violations that the monitors find in them and that the events do not report themselves.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use interlock_model::event::{Ending, Event, Violation, What};
use interlock_model::specification::Specification;
use interlock_observation::monitor::Monitors;
use interlock_observation::state::State;

/// Maximum number of violations that are added to the events.
const MOST_ADDED: usize = 1_000;

/// The monitors, and the violations that they have found and that the events do not report.
#[derive(Debug)]
pub(super) struct Judging {
    monitors: Monitors,
    found: Vec<Violation>,
    /// Fingerprints of the violations that the events report and the monitors have not found yet.
    reported: HashSet<u64>,
    missing: Vec<Violation>,
    /// Times at which the actions of the script are due, in microseconds.
    script: Vec<u64>,
}

impl Judging {
    /// Creates the judge for a run before its first event.
    pub(super) fn new(specification: &Specification) -> Self {
        let mut monitors = Monitors::new(specification);
        // Until an event reports a message, the order of critical sections is not judged. A file without messages,
        // such as the history of another system, says nothing about that order.
        monitors.set_causal(false);
        Self {
            monitors,
            found: Vec::new(),
            reported: HashSet::new(),
            missing: Vec::new(),
            script: specification.script.iter().map(|scripted| scripted.at.0).collect(),
        }
    }

    /// Takes the next event. `before` is the state before it.
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

    /// Returns the violations that the events do not report, in the order in which they were found. Must be called
    /// after the last event.
    pub(super) fn end(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.missing)
    }

    /// Judges the state in which a run was stopped, if it makes no further progress. The remaining actions of its
    /// script and its scenario count as pending. A log that breaks off before its end is not judged in this way.
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

/// Returns a hash of the violated property and of the events that violate it. Words and arguments are left out,
/// because they may differ between versions.
fn fingerprint(violation: &Violation) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&violation.monitor, &violation.code, &violation.events).hash(&mut hasher);
    hasher.finish()
}
