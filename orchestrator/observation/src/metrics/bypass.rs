//! How often others enter before one who waits.

use crate::monitor::waits::{Change, Passed, Waits};
use interlock_model::event::Event;
use interlock_model::specification::Specification;

/// Finds the largest counts.
#[derive(Clone, Debug)]
pub(super) struct Bypass {
    waits: Waits,
    /// The largest counts of the waits that are over.
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

    /// The largest counts, requests included that still wait.
    pub(super) fn most(&self) -> Passed {
        self.waits.iter().map(|wait| self.waits.passed(wait)).fold(self.most, Passed::max)
    }
}
