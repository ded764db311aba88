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

#[cfg(test)]
mod tests {
    use super::super::sentence;
    use super::*;
    use crate::state::test_stream::TestStream;

    /// P0 and P1 request with these timestamps, and P1 enters first.
    fn found(timestamps: [u64; 2], monitors: &[OptionalMonitor]) -> Vec<Violation> {
        let mut stream = TestStream::new(2);
        stream.specification.monitors = monitors.to_vec();
        stream.request_stamped(0, timestamps[0]);
        stream.request_stamped(1, timestamps[1]);
        stream.enter(1);
        stream.violations()
    }

    #[test]
    fn a_smaller_timestamp_that_waits_is_overtaken() {
        let asked = [OptionalMonitor::TimestampOrder];
        let violations = found([3, 5], &asked);
        assert_eq!(violations.len(), 1);
        assert_eq!((&*violations[0].monitor, &*violations[0].code), (NAME, LARGER_TIMESTAMP_FIRST));
        assert_eq!(violations[0].events, [4, 6, 7]);
        let expected = "P1 entered the critical section of lock 0 before P0, although the waiting request of P0 has the \
                        smaller timestamp: (3, P0) < (5, P1).";
        assert_eq!(sentence(&violations[0]), expected);
        assert_eq!(found([5, 3], &asked), []);
        assert_eq!(found([3, 5], &[OptionalMonitor::RealTimeOrder]), [], "the run does not name the monitor");
    }

    #[test]
    fn optional_monitors_have_the_names_of_their_properties() {
        let names = OptionalMonitor::ALL.map(OptionalMonitor::name);
        assert_eq!(names, [NAME, super::super::real_time_order::NAME]);
    }
}
