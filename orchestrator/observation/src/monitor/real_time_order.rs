//! Monitor of the order of real time: if one process requests a lock before another process does, it also enters
//! before it. Real time is the clock that all processes of the machine share.
//!
//! No algorithm that exchanges messages keeps this order: two processes may request without any message between them,
//! so no process knows which request was made first. The monitor therefore runs only if the specification names it.
//!
//! Reports may arrive late. A request that seems to wait may have been granted, because the report of its entry may
//! still be in transit. The monitor therefore reports an inversion only after a later timestamp of the process that
//! still waits.

use super::finding::{Finding, Monitor, Property, findings};
use super::interventions::Interventions;
use super::precedence::Inversion;
use super::queues::{Entry, Key, Queues};
use interlock_algorithm::{LockId, NodeId, Outcome, RequestId};
use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::{OptionalMonitor, Specification};

/// The name of this monitor.
pub const NAME: &str = "real-time-order";

findings! {
    /// A request was granted although another request, which had been made earlier, still waited. Arguments: `lock`,
    /// `first` (the node that made the earlier request), `second` (the node that entered).
    pub const LATER_REQUEST_FIRST = "later-request-first";
    LaterRequestFirst { lock: LockId, first: NodeId, second: NodeId } => format!(
        "{second} entered the critical section of lock {lock} before {first}, although {first} had requested it \
         earlier, by the machine's clock."
    )
}

/// Maximum number of inversions that wait for confirmation. A paused process confirms nothing. Further inversions are
/// not reported.
const MOST_UNCONFIRMED: usize = 4_096;

/// The monitor of the order of real time. If the specification does not name it, it does nothing.
#[derive(Debug)]
pub struct RealTimeOrder {
    queues: Option<Queues>,
    unconfirmed: Vec<Unconfirmed>,
}

/// An inversion whose earlier request may have been granted before, as far as the reports show.
#[derive(Debug)]
struct Unconfirmed {
    inversion: Inversion,
    request: RequestId,
    /// Time of the entry for the later request, in microseconds since the run began.
    entered_us: u64,
}

impl Monitor for RealTimeOrder {
    const PROPERTIES: &'static [Property] = &[PROPERTY];

    fn new(specification: &Specification) -> Self {
        let is_asked = specification.monitors.contains(&OptionalMonitor::RealTimeOrder);
        Self { queues: is_asked.then(|| Queues::new(Key::RealTime)), unconfirmed: Vec::new() }
    }

    fn reads(&self, event: &Event, _: &Interventions) -> bool {
        self.queues.is_some() && !matches!(event.what, What::Sent { .. })
    }

    fn observe(&mut self, event: &Event, _: &Interventions, found: &mut Vec<Violation>) {
        if !self.unconfirmed.is_empty() {
            self.confirm(event, found);
        }
        let unconfirmed = &mut self.unconfirmed;
        if let Some(queues) = &mut self.queues {
            queues.observe(event, |entry| remember(unconfirmed, entry, event.at_us));
        }
    }
}

impl RealTimeOrder {
    /// Reports the inversions whose earlier request still waited after the later one was granted. Discards the
    /// inversions whose earlier request has ended until then.
    fn confirm(&mut self, event: &Event, found: &mut Vec<Violation>) {
        let (node, over) = match &event.what {
            What::Commanded { at, .. } | What::Fired { at, .. } | What::Delivered { at, .. } => (at.node, None),
            What::Outcome { at, outcome: Outcome::Entered { request, .. } | Outcome::Aborted { request, .. } } => {
                (at.node, Some(*request))
            }
            What::Crashed { node, .. } => (*node, None),
            _ => return,
        };
        let has_crashed = matches!(event.what, What::Crashed { .. });
        self.unconfirmed.retain(|unconfirmed| {
            let Unconfirmed { inversion, request, entered_us } = *unconfirmed;
            if inversion.first != node {
                return true;
            }
            if event.at_us > entered_us {
                found.push(violation(&inversion));
                return false;
            }
            !has_crashed && over != Some(request)
        });
    }
}

fn remember(unconfirmed: &mut Vec<Unconfirmed>, entry: Entry<'_>, entered_us: u64) {
    let news = entry.passed_over().map(|first| Unconfirmed {
        inversion: entry.inversion(first),
        request: first.request,
        entered_us,
    });
    unconfirmed.extend(news.take(MOST_UNCONFIRMED.saturating_sub(unconfirmed.len())));
}

fn violation(&Inversion { lock, first, second, events }: &Inversion) -> Violation {
    LaterRequestFirst { lock, first, second }.violation(events)
}

#[cfg(test)]
mod tests {
    use super::super::sentence;
    use super::*;
    use crate::state::test_stream::{IDLE, TestStream};

    /// P0 requests at 1 ms and P1 at 2 ms. P1 enters at 5 ms. Then `follows` adds events.
    fn found(is_asked: bool, follows: &dyn Fn(&mut TestStream)) -> Vec<Violation> {
        let mut stream = TestStream::new(2);
        stream.specification.monitors = OptionalMonitor::ALL.into_iter().filter(|_| is_asked).collect();
        stream.at(1_000).request(0);
        stream.at(2_000).request(1);
        stream.at(5_000).enter(1);
        follows(&mut stream);
        stream.violations().into_iter().filter(|violation| *violation.monitor == *NAME).collect()
    }

    fn codes(follows: &dyn Fn(&mut TestStream)) -> Vec<String> {
        found(true, follows).iter().map(|violation| violation.code.to_string()).collect()
    }

    #[test]
    fn an_inversion_is_reported_when_the_earlier_process_takes_a_later_step() {
        let steps = |stream: &mut TestStream| stream.at(6_000).fire(0, IDLE);
        let violations = found(true, &steps);
        assert_eq!(violations.len(), 1);
        assert_eq!((&*violations[0].code, &violations[0].events), (LATER_REQUEST_FIRST, &vec![4, 6, 7]));
        let expected = "P1 entered the critical section of lock 0 before P0, although P0 had requested it earlier, by the \
                        machine's clock.";
        assert_eq!(sentence(&violations[0]), expected);
        assert_eq!(found(false, &steps), [], "the run does not name the monitor");
    }

    #[test]
    fn an_entry_that_is_reported_late_is_no_inversion() {
        assert_eq!(codes(&|_| {}), [""; 0], "the report of an entry of P0 may be in transit");
        let late = |stream: &mut TestStream| {
            stream.at(4_000).fire(0, IDLE);
            stream.enter(0);
            stream.at(9_000).exit(0);
        };
        assert_eq!(codes(&late), [""; 0], "P0 had entered before");
        let later = |stream: &mut TestStream| _ = stream.at(7_000).enter(0);
        assert_eq!(codes(&later), [LATER_REQUEST_FIRST]);
    }

    #[test]
    fn a_crash_ends_the_wait_of_its_process() {
        assert_eq!(codes(&|stream| _ = stream.at(4_000).crash(0)), [""; 0]);
        assert_eq!(codes(&|stream| _ = stream.at(6_000).crash(0)), [LATER_REQUEST_FIRST]);
    }
}
