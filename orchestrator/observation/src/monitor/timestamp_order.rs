//! Monitor of timestamp order, also called FIFO fairness: of two waiting requests, the request with the smaller
//! timestamp is granted first.
//!
//! The timestamps are those of the algorithm itself, as its outcomes report them. The logical clock of a trace is
//! another one: it also counts messages that carry no time in the algorithm.
//!
//! The monitor runs only if the specification names it. Several correct algorithms grant requests in another order.

use super::finding::{Finding, Monitor, Property, findings};
use super::interventions::Interventions;
use super::queues::{Entry, Key, Queues, Waiting};
use interlock_algorithm::{LockId, NodeId};
use interlock_model::event::{Event, Violation};
use interlock_model::specification::{OptionalMonitor, Specification};

/// The name of this monitor.
pub const NAME: &str = "timestamp-order";

findings! {
    /// A request was granted although another request with a smaller timestamp waited. Arguments: `lock`, `first` (the
    /// node that waits), `second` (the node that entered), `smaller` and `larger` (the timestamps of their requests).
    pub const LARGER_TIMESTAMP_FIRST = "larger-timestamp-first";
    LargerTimestampFirst { lock: LockId, first: NodeId, second: NodeId, smaller: u64, larger: u64 } => format!(
        "{second} entered the critical section of lock {lock} before {first}, although the waiting request of {first} \
         has the smaller timestamp: ({smaller}, {first}) < ({larger}, {second})."
    )
}

/// The monitor of timestamp order. If the specification does not name it, it does nothing.
#[derive(Debug)]
pub struct TimestampOrder {
    queues: Option<Queues>,
}

impl Monitor for TimestampOrder {
    const PROPERTIES: &'static [Property] = &[PROPERTY];

    fn new(specification: &Specification) -> Self {
        let is_asked = specification.monitors.contains(&OptionalMonitor::TimestampOrder);
        Self { queues: is_asked.then(|| Queues::new(Key::Timestamp)) }
    }

    fn reads(&self, event: &Event, _: &Interventions) -> bool {
        self.queues.is_some() && !event.what.is_exchange()
    }

    fn observe(&mut self, event: &Event, _: &Interventions, found: &mut Vec<Violation>) {
        if let Some(queues) = &mut self.queues {
            queues.observe(event, |entry| found.extend(entry.passed_over().map(|first| violation(entry, first))));
        }
    }
}

fn violation(entry: Entry<'_>, first: &Waiting) -> Violation {
    let Entry { lock, granted, .. } = entry;
    let inversion = entry.inversion(first);
    LargerTimestampFirst { lock, first: first.node, second: granted.node, smaller: first.key, larger: granted.key }
        .violation(inversion.events)
}
