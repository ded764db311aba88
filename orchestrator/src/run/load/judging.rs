//! Judges loaded events: finds the violations that the monitors report and the events do not.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use interlock_model::event::{Ending, Event, Violation, What};
use interlock_model::specification::Specification;
use interlock_observation::monitor::Monitors;
use interlock_observation::state::State;

/// Maximum number of violations that are appended to the loaded events.
const MOST_ADDED: usize = 1_000;

/// The monitors, and the violations that they have found but that the events do not report.
#[derive(Debug)]
pub(super) struct Judging {
    monitors: Monitors,
    found: Vec<Violation>,
    /// Fingerprints of violations that the events report but that the monitors have not found yet.
    reported: HashSet<u64>,
    missing: Vec<Violation>,
    /// Times at which the actions of the script are due, in microseconds.
    script: Vec<u64>,
}

impl Judging {
    /// Creates the monitors of a run, before its first event.
    pub(super) fn new(specification: &Specification) -> Self {
        let mut monitors = Monitors::new(specification);
        // Until the first event about a message, the monitors do not judge the causal order of critical sections.
        // A file without messages, such as the history of another system, contains no information about that
        // order.
        monitors.set_causal(false);
        Self {
            monitors,
            found: Vec::new(),
            reported: HashSet::new(),
            missing: Vec::new(),
            script: specification.script.iter().map(|scripted| scripted.at.0).collect(),
        }
    }

    /// Passes the next event to the monitors. `before` is the state before the event.
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

    /// Returns the violations that the events do not report, in the order in which the monitors found them. Must be
    /// called after the last event.
    pub(super) fn end(&mut self) -> Vec<Violation> {
        std::mem::take(&mut self.missing)
    }

    /// Judges the state in which a run was stopped, in case the run could make no further progress. The remaining
    /// actions of its script and its scenario count as pending. If a log ends without a stop, its last state is
    /// not judged.
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

/// Returns a hash of the violated property and of the events that violate it. The hash omits the texts and
/// arguments, because they may differ between versions of this program.
fn fingerprint(violation: &Violation) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&violation.monitor, &violation.code, &violation.events).hash(&mut hasher);
    hasher.finish()
}
