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
