//! Messages that overtook the announcement of a request, so that another process entered without knowing of it.
//!
//! Lamport's algorithm (Lamport 1978, "Time, Clocks, and the Ordering of Events in a Distributed System") assumes FIFO
//! links: a process that has received a later message of another one takes it as proof that no earlier request of this
//! process is in transit. If the later message overtakes the request, the proof is wrong.
//!
//! An overtaking counts as the cause of an entry only if all of this holds. Otherwise, it may be a coincidence.
//!
//! - The algorithm assumes FIFO links, and it announces each request to all other processes.
//! - The announcement has not arrived when the process enters. A lost announcement has not been overtaken.
//! - A later message of the same link arrived after the entering process had made its own request.
//! - The announced request has the smaller timestamp, so it should have been granted first.
//!
//! With several locks, only the body of a message names its lock. Then no overtaking is named.

use std::fmt;

use super::announcements::{Announcement, Announcements};
use crate::state::NamedMessage;
use interlock_algorithm::{FlatMap, NodeId, Outcome, catalogue};
use interlock_machine::message_id::MessageId;
use interlock_model::event::{Event, MessageKind, What};
use interlock_model::specification::Specification;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Two messages of one link that arrived in the wrong order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Overtaking {
    /// The message that was sent first.
    pub first: NamedMessage,
    /// The message that was sent later and arrived earlier.
    pub later: NamedMessage,
}

impl fmt::Display for Overtaking {
    /// Writes the overtaking as a clause: `The ACK 0.1.2 overtook the REQUEST 0.1.1`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, later } = self;
        let [first_kind, later_kind] = [first, later].map(|passed| &passed.message_kind);
        write!(formatter, "The {later_kind} {} overtook the {first_kind} {}", later.message, first.message)
    }
}

/// The overtakings in a run with one lock.
#[derive(Debug)]
pub(super) struct Overtakings {
    nodes: usize,
    announcements: Announcements,
    requests: FlatMap<NodeId, Request>,
    /// For each process, the overtakings because of which its latest entry was too early.
    causes: FlatMap<NodeId, Vec<Overtaking>>,
}

/// The latest request of a process.
#[derive(Debug)]
struct Request {
    timestamp: u64,
    /// The overtakings on the links to this process since its request.
    overtakings: Vec<Overtaking>,
}

impl Overtakings {
    /// Returns the overtakings before the first event, or `None` if no overtaking can be the cause of an entry.
    pub(super) fn new(specification: &Specification) -> Option<Self> {
        let Specification { algorithm, variant, locks, .. } = specification;
        let counts = *locks == 1 && catalogue::assumptions(algorithm, variant)?.fifo;
        counts.then(|| Self {
            nodes: NodeId::all(specification.nodes).len(),
            announcements: Announcements::default(),
            requests: FlatMap::new(),
            causes: FlatMap::new(),
        })
    }

    pub(super) fn observe(&mut self, event: &Event) {
        match &event.what {
            What::Delivered { message, message_kind, .. } => self.delivered(*message, message_kind),
            What::Outcome { at, outcome: Outcome::Requested { timestamp: Some(timestamp), .. } } => {
                self.requests.insert(at.node, Request { timestamp: *timestamp, overtakings: Vec::new() });
            }
            What::Outcome { at, outcome: Outcome::Entered { .. } } => self.entered(at.node),
            What::Crashed { node, .. } => _ = self.requests.remove(node),
            _ => {}
        }
        self.announcements.observe(event);
    }

    /// Returns the overtaking because of which one of two processes entered without knowing of the request of the other.
    pub(super) fn between(&self, one: NodeId, other: NodeId) -> Option<Overtaking> {
        let of = |entered: NodeId, from: NodeId| {
            self.causes.get(&entered)?.iter().find(|overtaking| overtaking.first.message.from == from)
        };
        of(one, other).or_else(|| of(other, one)).cloned()
    }

    fn delivered(&mut self, message: MessageId, kind: &MessageKind) {
        let Some(announcement) = self.announcements.of(message.from) else { return };
        let is_earlier = |one: &&NamedMessage| one.message.to == message.to && one.message.number < message.number;
        let first = announcement.in_transit.iter().find(is_earlier).cloned();
        if let Some((first, request)) = first.zip(self.requests.get_mut(&message.to)) {
            let later = NamedMessage { message, message_kind: kind.clone() };
            request.overtakings.push(Overtaking { first, later });
        }
    }

    /// Keeps the overtakings without which the process would have known that another request comes first.
    fn entered(&mut self, node: NodeId) {
        let Some(request) = self.requests.get_mut(&node) else { return };
        let (own, overtakings) = ((request.timestamp, node), std::mem::take(&mut request.overtakings));
        let is_cause = |Overtaking { first, .. }: &Overtaking| {
            let from = first.message.from;
            let comes_first = self.requests.get(&from).is_some_and(|other| (other.timestamp, from) < own);
            let is_unknown = |one: &Announcement| one.sent + 1 == self.nodes && one.in_transit.contains(first);
            comes_first && self.announcements.of(from).is_some_and(is_unknown)
        };
        let causes = overtakings.into_iter().filter(is_cause).collect();
        self.causes.insert(node, causes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitor::mutual_exclusion::CONCURRENT_SECTIONS;
    use crate::state::test_stream::TestStream;

    /// How the messages from P0 to P1 arrive.
    #[derive(Clone, Copy, PartialEq)]
    enum Order {
        /// The ACK overtakes the REQUEST, which is still in transit when P1 enters.
        Overtaken,
        /// The ACK overtakes the REQUEST, which arrives before P1 enters.
        ArrivedInTime,
        /// The REQUEST is lost before the ACK arrives.
        Lost,
        /// The ACK overtakes the REQUEST and arrives before P1 makes its request.
        BeforeTheRequest,
        Sent,
    }

    /// P0 and P1 request the lock with these timestamps, and both are in the critical section. Returns the kinds of the
    /// messages of the overtaking that the violation names.
    fn named((algorithm, variant): (&str, &str), timestamps: [u64; 2], order: Order) -> Option<[String; 2]> {
        let mut stream = TestStream::new(2);
        (stream.specification.algorithm, stream.specification.variant) = (algorithm.to_owned(), variant.to_owned());
        stream.request_stamped(0, timestamps[0]);
        let request = stream.send(0, 1, "REQUEST");
        let asks = |stream: &mut TestStream| {
            stream.request_stamped(1, timestamps[1]);
            stream.send(1, 0, "REQUEST")
        };
        let asked = (order != Order::BeforeTheRequest).then(|| asks(&mut stream));
        let other = asked.unwrap_or_else(|| stream.send(1, 0, "ANY"));
        stream.deliver(other);
        let ack = stream.send(0, 1, "ACK");
        if matches!(order, Order::Sent) {
            stream.deliver_kind(request, "REQUEST");
        } else if matches!(order, Order::Lost) {
            stream.lose(request);
        }
        stream.deliver_kind(ack, "ACK");
        if matches!(order, Order::ArrivedInTime) {
            stream.deliver_kind(request, "REQUEST");
        } else if matches!(order, Order::BeforeTheRequest) {
            asks(&mut stream);
        }
        stream.enter(0);
        stream.enter(1);
        let found = stream.violations();
        assert_eq!(&*found[0].code, CONCURRENT_SECTIONS, "{found:?}");
        let overtaking: Overtaking = serde_json::from_value(found[0].arguments.get("overtaking")?.clone()).ok()?;
        Some([overtaking.later, overtaking.first].map(|passed| passed.message_kind.to_string()))
    }

    const LAMPORT: (&str, &str) = ("lamport", "any-later-message");

    #[test]
    fn an_ack_that_overtook_the_request_is_named() {
        let named = named(LAMPORT, [1, 2], Order::Overtaken);
        assert_eq!(named, Some(["ACK", "REQUEST"].map(str::to_owned)));
    }

    #[test]
    fn an_overtaking_that_did_not_cause_the_entry_is_not_named() {
        for order in [Order::ArrivedInTime, Order::Lost, Order::BeforeTheRequest, Order::Sent] {
            assert_eq!(named(LAMPORT, [1, 2], order), None);
        }
        assert_eq!(named(LAMPORT, [2, 1], Order::Overtaken), None, "the request of P1 comes first");
        let needs_no_order = ("ricart-agrawala", "lamport-clock");
        assert_eq!(named(needs_no_order, [1, 2], Order::Overtaken), None, "the algorithm does not assume FIFO links");
    }

    /// P0 enters too early, and P1 is the second that the violation names.
    #[test]
    fn the_process_that_enters_first_may_be_the_one_that_knew_too_little() {
        let mut stream = TestStream::new(2);
        (stream.specification.algorithm, stream.specification.variant) = ("lamport".into(), LAMPORT.1.into());
        stream.request_stamped(1, 1);
        let request = stream.send(1, 0, "REQUEST");
        stream.request_stamped(0, 2);
        let asked = stream.send(0, 1, "REQUEST");
        stream.deliver(asked);
        let ack = stream.send(1, 0, "ACK");
        stream.deliver_kind(ack, "ACK");
        stream.enter(0);
        stream.deliver_kind(request, "REQUEST");
        stream.enter(1);
        let found = stream.violations();
        assert_eq!(found[0].arguments["first"], 0);
        assert_eq!(found[0].arguments["overtaking"]["later"]["message"], "1.0.2");
    }
}
