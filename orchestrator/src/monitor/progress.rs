//! Who waits is not passed over for ever: starvation, which is no deadlock, since others go on.
//!
//! No finite stream proves that somebody will never enter. A wait is said to starve when others have entered more than
//! [`PATIENCE`] times as often as there are nodes since its request arrived where it must (see [`super::waits`]): right
//! algorithms let each of the others in a few times at most.

use std::collections::{BTreeMap, VecDeque};

use interlock_algorithm::{LockId, NodeId};
use serde_json::json;

use super::waits::{News, Wait, Waits};
use crate::event::{Event, StepId, Violation, What};
use crate::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "progress";
/// A wait is passed over again and again. Arguments: `lock`, `node`, `passed` (how often).
pub const STARVATION: &str = "starvation";

/// How often each of the nodes may enter on average before one whose request has arrived.
pub const PATIENCE: u64 = 50;

/// Watches those who wait.
#[derive(Debug)]
pub struct Progress {
    most: u64,
    waits: Waits,
    /// For each lock those whose requests have arrived, in that order, each with the count of entries then. Some wait no
    /// more, or had not arrived after all.
    arrived: BTreeMap<LockId, VecDeque<(StepId, u64)>>,
    /// The waits that have been told of, by node.
    told: BTreeMap<NodeId, StepId>,
}

impl Progress {
    /// The monitor of a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        Self {
            most: PATIENCE * u64::from(specification.nodes),
            waits: Waits::new(specification),
            arrived: BTreeMap::new(),
            told: BTreeMap::new(),
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, found: &mut Vec<Violation>) {
        if let Some(News::Arrived(node)) = self.waits.observe(event)
            && let Some(wait) = self.waits.of(node)
            && let Some(entries) = wait.arrived_after()
        {
            self.arrived.entry(wait.lock).or_default().push_back((wait.step, entries));
        }
        if let What::Entered { lock, .. } = &event.what {
            self.entered(*lock, event.seq, found);
        }
    }

    /// Looks at the one whose request arrived first, and at the next if that is over.
    fn entered(&mut self, lock: LockId, seq: u64, found: &mut Vec<Violation>) {
        let Some(arrived) = self.arrived.get_mut(&lock) else { return };
        while let Some(&(step, entries)) = arrived.front() {
            if let Some(wait) = self.waits.of(step.node).filter(|wait| wait.step == step)
                && wait.arrived_after() == Some(entries)
                && self.told.get(&step.node) != Some(&step)
            {
                let passed = self.waits.passed(wait).since_arrival;
                if passed <= self.most {
                    return;
                }
                self.told.insert(step.node, step);
                found.push(starvation(wait, passed, seq));
            }
            arrived.pop_front();
        }
    }
}

fn starvation(wait: &Wait, passed: u64, seq: u64) -> Violation {
    Violation {
        monitor: NAME.into(),
        code: STARVATION.into(),
        arguments: json!({ "lock": wait.lock, "node": wait.step.node, "passed": passed }),
        events: vec![wait.requested, seq],
    }
}
