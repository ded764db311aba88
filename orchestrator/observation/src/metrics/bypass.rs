//! Bypass counts: how often other processes enter before a waiting process enters.

use crate::monitor::waits::{Change, Passed, Waits};
use interlock_model::event::Event;
use interlock_model::specification::Specification;

/// The largest bypass counts of a run: for one waiting request, how often other processes entered before it.
#[derive(Clone, Debug)]
pub(super) struct Bypass {
    waits: Waits,
    /// The largest counts of the waits that have ended.
    most: Passed,
}

impl Bypass {
    pub(super) fn new(specification: &Specification) -> Self {
        Self { waits: Waits::new(specification), most: Passed { since_request: 0, since_arrival: 0 } }
    }

    pub(super) fn observe(&mut self, event: &Event) {
        let most = &mut self.most;
        self.waits.observe(event, |change| {
            if let Change::Over(passed) = change {
                *most = most.max(passed);
            }
        });
    }

    /// Returns the largest counts of all waits, including those that have not ended.
    pub(super) fn most(&self) -> Passed {
        self.waits.iter().map(|wait| self.waits.passed(wait)).fold(self.most, Passed::max)
    }
}
