//! Monitor of request order: by happened-before, requests are granted in the order in which they were made.
//!
//! Only some variants promise this order; the catalogue lists them. For all other variants a different order is not
//! a violation. The metrics count the pairs of requests that were granted out of order.

use super::finding::{Finding, Monitor, Property, findings};
use super::interventions::Interventions;
use super::precedence::{Inversion, Precedence};
use interlock_algorithm::{LockId, NodeId, catalogue};
use interlock_model::event::{Event, Violation};
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "order";

findings! {
    /// A request was granted although another request that had happened before it still waited. Arguments: `lock`,
    /// `first` (the node that made the earlier request), `second` (the node that entered).
    pub const GRANTED_OUT_OF_ORDER = "granted-out-of-order";
    GrantedOutOfOrder { lock: LockId, first: NodeId, second: NodeId } => format!(
        "{second} entered the critical section of lock {lock} before {first}, although the request of {first} happened \
         before that of {second}."
    )
}

/// The monitor of request order. For a variant that does not promise the order, it does nothing.
#[derive(Debug)]
pub struct Order {
    precedence: Option<Precedence>,
}

impl Monitor for Order {
    const PROPERTIES: &'static [Property] = &[PROPERTY];

    fn new(specification: &Specification) -> Self {
        let keeps = catalogue::find(&specification.algorithm)
            .is_ok_and(|entry| entry.keeps_order.contains(&&*specification.variant));
        Self { precedence: keeps.then(|| Precedence::new(specification.nodes)).flatten() }
    }

    fn observe(&mut self, event: &Event, _: &Interventions, found: &mut Vec<Violation>) {
        if let Some(precedence) = &mut self.precedence {
            precedence.observe(event, |inversion| found.push(violation(&inversion)));
        }
    }
}

fn violation(&Inversion { lock, first, second, events }: &Inversion) -> Violation {
    GrantedOutOfOrder { lock, first, second }.violation(events)
}

#[cfg(test)]
mod tests {
    use super::super::sentence;
    use super::*;
    use crate::state::test_stream::TestStream;

    /// P0 makes a request. If `tells`, P1 then receives a message from P0. P1 makes a request and enters before P0.
    fn stream(tells: bool) -> (TestStream, Vec<u64>) {
        let mut stream = TestStream::new(3);
        let first = stream.request(0);
        if tells {
            let word = stream.send(0, 1, "TELL");
            stream.deliver(word);
        }
        let second = stream.request(1);
        let entered = stream.enter(1);
        (stream, vec![first, second, entered])
    }

    #[test]
    fn who_was_told_of_a_request_must_not_be_granted_before_it() {
        let (stream, events) = stream(true);
        let found = stream.violations();
        assert_eq!((&*found[0].monitor, &*found[0].code, &found[0].events), (NAME, GRANTED_OUT_OF_ORDER, &events));
        assert_eq!(
            sentence(&found[0]),
            "P1 entered the critical section of lock 0 before P0, although the request of P0 happened before that of \
             P1."
        );
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn requests_that_know_nothing_of_each_other_have_no_order() {
        let (stream, _) = stream(false);
        assert_eq!(stream.violations(), []);
    }

    #[test]
    fn what_promises_no_order_is_counted_only() {
        let (mut stream, _) = stream(true);
        stream.specification.variant = "sequence-numbers".to_owned();
        assert_eq!(stream.violations(), []);
        assert_eq!(stream.metrics().document().order_inversions, Some(1));
    }
}
