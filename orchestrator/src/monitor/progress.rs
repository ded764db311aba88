//! Who waits is not passed over for ever: starvation, which is no deadlock, since others go on.
//!
//! No finite stream proves that somebody will never enter. A wait is said to starve when others have entered more than
//! [`PATIENCE`] times as often as there are nodes since its request arrived where it must (see [`super::waits`]): right
//! algorithms let each of the others in a few times at most. A request that is passed on depends on messages of others
//! that may still be under way, each as long as any, over a hop for each node: so long nothing is counted. Where somebody
//! holds messages or pauses processes, nothing is said.

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
    /// For each lock those whose requests have arrived, in that order. Some wait no more, or had not arrived after all.
    arrived: BTreeMap<LockId, VecDeque<Arrived>>,
    nodes: u64,
    /// The longest that a message has been under way, in microseconds; the longest there is once a hand was in it.
    longest_us: u64,
    /// The waits that have been told of, by node.
    told: BTreeMap<NodeId, StepId>,
}

/// A request that has arrived.
#[derive(Clone, Copy, Debug)]
struct Arrived {
    step: StepId,
    /// The count of entries then.
    entries: u64,
    since_us: u64,
    /// How often it had been passed over when all that it depended on had arrived, too.
    passed_before: Option<u64>,
}

impl Progress {
    /// The monitor of a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        Self {
            most: PATIENCE * u64::from(specification.nodes),
            waits: Waits::new(specification),
            arrived: BTreeMap::new(),
            nodes: u64::from(specification.nodes),
            longest_us: 0,
            told: BTreeMap::new(),
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, found: &mut Vec<Violation>) {
        if let Some(News::Arrived(node)) = self.waits.observe(event)
            && let Some(wait) = self.waits.of(node)
            && let Some(entries) = wait.arrived_after()
        {
            let arrived = Arrived { step: wait.step, entries, since_us: event.at_us, passed_before: None };
            self.arrived.entry(wait.lock).or_default().push_back(arrived);
        }
        match &event.what {
            What::Sent { due_us: Some(due_us), .. } => {
                self.longest_us = self.longest_us.max(due_us.saturating_sub(event.at_us));
            }
            What::Held { .. } | What::Paused { .. } => self.longest_us = u64::MAX,
            What::Entered { lock, .. } => self.entered(*lock, event, found),
            _ => {}
        }
    }

    /// Looks at the one whose request arrived first, and at the next if that is over.
    fn entered(&mut self, lock: LockId, event: &Event, found: &mut Vec<Violation>) {
        let Some(arrived) = self.arrived.get_mut(&lock) else { return };
        let all_hops_us = self.longest_us.saturating_mul(self.nodes);
        while let Some(first) = arrived.front_mut() {
            let node = first.step.node;
            if let Some(wait) = self.waits.of(node).filter(|wait| wait.step == first.step)
                && wait.arrived_after() == Some(first.entries)
                && self.told.get(&node) != Some(&first.step)
            {
                if event.at_us <= first.since_us.saturating_add(all_hops_us) {
                    first.passed_before = None;
                    return;
                }
                let passed = self.waits.passed(wait).since_arrival;
                if passed - *first.passed_before.get_or_insert(passed) <= self.most {
                    return;
                }
                self.told.insert(node, first.step);
                found.push(starvation(wait, passed, event.seq));
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
