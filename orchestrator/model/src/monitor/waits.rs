//! How often those who wait are passed over: by entries of others since they asked, and since their requests arrived.
//!
//! A request has *arrived* when it is where it must be. With most algorithms that is when the messages of the requesting
//! step have all been received: everywhere, by the quorum, at the coordinator. Where a request is passed on (Raymond,
//! Naimi–Tréhel), it must have come to where it goes no further: a message of the same kind that is sent to a third in
//! the step that takes one of the request carries it on. That may be short of the token: at one who has asked already
//! for somebody else, or whose own request is still on its way. A request that needs no message, or waits for a token
//! that comes by, arrives at once. In the bakery it is there when it is through the doorway: when the process sends the
//! first READ after those that ask for the numbers (its own is drawn then), or, telling instead of asking, its third
//! WRITE (its number is known everywhere then). Copies arrive for their originals; a request whose message is lost does
//! not.
//!
//! Each event costs the same, however many wait: entries are counted, and a wait remembers where the count began.

use std::collections::{BTreeMap, HashMap};

use interlock_algorithm::catalogue::conduct;
use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{LockId, NodeId};
use interlock_machine::message_id::MessageId;
use rustc_hash::FxBuildHasher;

use crate::event::{Event, MessageKind, StepId, What};
use crate::specification::Specification;

/// How many receipts of waits that are over may be remembered besides as many as there are of others.
const SPARE_RECEIPTS: usize = 1_024;

/// All who wait.
#[derive(Clone, Debug)]
pub struct Waits {
    /// Whether requests go through a doorway.
    doorway: bool,
    /// The step under way and the messages sent in it so far: an algorithm may send before it says that it wants.
    step: Option<StepId>,
    sent: Vec<Receipt>,
    carried: Option<Received>,
    /// The messages that have yet to arrive, and the step that asked. Those of waits that are over may linger.
    awaited: HashMap<Receipt, StepId, FxBuildHasher>,
    /// How many of them belong to somebody who waits.
    alive: usize,
    waiting: Vec<Option<Wait>>,
    entries: BTreeMap<LockId, u64>,
}

/// A message, whichever copy of it arrives.
type Receipt = (NodeId, NodeId, u64);

/// A request that has just been received: in the same step it may be sent on.
#[derive(Clone, Debug)]
struct Received {
    at: StepId,
    kind: MessageKind,
    asked: StepId,
}

/// A node that wants.
#[derive(Clone, Debug)]
pub struct Wait {
    /// What it wants.
    pub lock: LockId,
    /// The step in which it asked.
    pub step: StepId,
    /// The event that says so.
    pub requested: u64,
    missing: Missing,
    /// The entries to the lock when it asked, and when its request arrived, if it has.
    entries_then: u64,
    entries_at_arrival: u64,
}

/// What must happen before a request has arrived.
#[derive(Clone, Copy, Debug)]
enum Missing {
    /// Messages must be received.
    Messages(u32),
    /// Messages must be sent, in so many steps after this one.
    Steps(u32, u64),
}

/// What an event means for those who wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// The request of this node has arrived, unless the step goes on to send it to others.
    Arrived(NodeId),
    /// A wait is over.
    Over(Passed),
}

/// How often a wait was passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Since it began.
    pub since_request: u64,
    /// Since the request had arrived; 0 if it never had.
    pub since_arrival: u64,
}

impl Passed {
    /// The larger of each.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            since_request: self.since_request.max(other.since_request),
            since_arrival: self.since_arrival.max(other.since_arrival),
        }
    }
}

const fn receipt(message: &MessageId) -> Receipt {
    (message.from, message.to, message.number)
}

impl Wait {
    const fn has_arrived(&self) -> bool {
        matches!(self.missing, Missing::Messages(0) | Missing::Steps(0, _))
    }

    /// How many entries to the lock there had been when its request arrived, if it has.
    #[must_use]
    pub const fn arrived_after(&self) -> Option<u64> {
        if self.has_arrived() { Some(self.entries_at_arrival) } else { None }
    }
}

impl Waits {
    /// Those who wait in a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        Self {
            doorway: conduct(&specification.algorithm).arrival == Arrival::Doorway,
            step: None,
            sent: Vec::new(),
            carried: None,
            awaited: HashMap::default(),
            alive: 0,
            waiting: vec![None; NodeId::all(specification.nodes).len()],
            entries: BTreeMap::new(),
        }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event) -> Option<News> {
        match &event.what {
            What::Sent { at, message_kind, .. } if self.doorway => self.passes(*at, message_kind),
            What::Sent { at, message, message_kind, .. } => {
                self.sent(*at, message, message_kind);
                None
            }
            What::Delivered { at, message, message_kind, .. } => self.delivered(*at, message, message_kind),
            What::Requested { at, lock, .. } => self.requested(*at, *lock, event.seq),
            What::Entered { at, lock, .. } => {
                let news = self.settle(at.node);
                *self.entries.entry(*lock).or_default() += 1;
                news
            }
            What::Crashed { node, .. } => self.settle(*node),
            What::Aborted { at, .. } => self.settle(at.node),
            _ => None,
        }
    }

    /// Who waits.
    pub fn iter(&self) -> impl Iterator<Item = &Wait> {
        self.waiting.iter().flatten()
    }

    /// The wait of `node`, if it waits.
    #[must_use]
    pub fn of(&self, node: NodeId) -> Option<&Wait> {
        self.waiting.get(node.index())?.as_ref()
    }

    /// How often `wait` has been passed over so far.
    #[must_use]
    pub fn passed(&self, wait: &Wait) -> Passed {
        let entries = self.entries_to(wait.lock);
        let since_arrival = wait.arrived_after().map_or(0, |then| entries - then);
        Passed { since_request: entries - wait.entries_then, since_arrival }
    }

    fn entries_to(&self, lock: LockId) -> u64 {
        self.entries.get(&lock).copied().unwrap_or_default()
    }

    fn begin(&mut self, step: StepId) {
        if self.step != Some(step) {
            self.step = Some(step);
            self.sent.clear();
        }
    }

    fn sent(&mut self, at: StepId, message: &MessageId, kind: &MessageKind) {
        self.begin(at);
        self.sent.push(receipt(message));
        if self.of(at.node).is_some_and(|wait| wait.step == at) {
            self.expect(at, message);
        } else if let Some(Received { asked, .. }) =
            self.carried.as_ref().filter(|carried| carried.at == at && carried.kind == *kind)
            // Who sends the same kind to the one who asks, asks for himself.
            && asked.node != message.to
        {
            self.expect(*asked, message);
        }
    }

    /// The request of the step `asked` has not arrived before this message has.
    fn expect(&mut self, asked: StepId, message: &MessageId) {
        if let Some(Some(wait)) = self.waiting.get_mut(asked.node.index())
            && wait.step == asked
            && let Missing::Messages(awaited) = &mut wait.missing
            && self.awaited.insert(receipt(message), asked).is_none()
        {
            *awaited += 1;
            self.alive += 1;
        }
    }

    fn requested(&mut self, at: StepId, lock: LockId, requested: u64) -> Option<News> {
        self.begin(at);
        self.settle(at.node);
        let entries = self.entries_to(lock);
        let awaited = u32::try_from(self.sent.len()).unwrap_or(u32::MAX);
        let missing = if self.doorway { Missing::Steps(u32::MAX, 0) } else { Missing::Messages(awaited) };
        let wait = Wait { lock, step: at, requested, missing, entries_then: entries, entries_at_arrival: entries };
        let arrived = wait.has_arrived();
        *self.waiting.get_mut(at.node.index())? = Some(wait);
        if !self.doorway {
            self.alive += self.sent.len();
            self.awaited.extend(self.sent.iter().map(|receipt| (*receipt, at)));
        }
        arrived.then_some(News::Arrived(at.node))
    }

    fn delivered(&mut self, at: StepId, message: &MessageId, kind: &MessageKind) -> Option<News> {
        if self.awaited.is_empty() {
            return None;
        }
        let asked = self.awaited.remove(&receipt(message))?;
        let entries = self.of(asked.node).map(|wait| self.entries_to(wait.lock))?;
        let wait = self.waiting.get_mut(asked.node.index())?.as_mut().filter(|wait| wait.step == asked)?;
        let Missing::Messages(awaited) = &mut wait.missing else { return None };
        *awaited -= 1;
        self.alive -= 1;
        self.carried = Some(Received { at, kind: kind.clone(), asked });
        wait.entries_at_arrival = entries;
        wait.has_arrived().then_some(News::Arrived(asked.node))
    }

    /// Bakery: a step of somebody who may be in the doorway.
    fn passes(&mut self, at: StepId, kind: &MessageKind) -> Option<News> {
        let steps = match &**kind {
            "READ" => 2,
            "WRITE" => 3,
            _ => return None,
        };
        let entries = self.of(at.node).map(|wait| self.entries_to(wait.lock))?;
        let wait = self.waiting.get_mut(at.node.index())?.as_mut().filter(|wait| !wait.has_arrived())?;
        let Missing::Steps(left, last) = &mut wait.missing else { return None };
        if *last == at.step {
            return None;
        }
        (*left, *last) = ((*left).min(steps) - 1, at.step);
        wait.entries_at_arrival = entries;
        wait.has_arrived().then_some(News::Arrived(at.node))
    }

    fn settle(&mut self, node: NodeId) -> Option<News> {
        let wait = self.waiting.get_mut(node.index())?.take()?;
        if let Missing::Messages(awaited) = wait.missing {
            self.alive -= awaited as usize;
        }
        if self.awaited.len() > 2 * self.alive + SPARE_RECEIPTS {
            let waiting = &self.waiting;
            let is_alive = |asked: &StepId| {
                waiting.get(asked.node.index()).and_then(Option::as_ref).is_some_and(|wait| wait.step == *asked)
            };
            self.awaited.retain(|_, asked| is_alive(asked));
        }
        Some(News::Over(self.passed(&wait)))
    }
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::{AbortCause, RequestId};

    use super::*;
    use crate::state::test_stream::TestStream;

    /// The largest counts in a whole stream, and the receipts left.
    fn most(stream: &TestStream) -> (Passed, usize) {
        let mut waits = Waits::new(&stream.specification);
        let mut most = Passed { since_request: 0, since_arrival: 0 };
        for event in &stream.events {
            if let Some(News::Over(passed)) = waits.observe(event) {
                most = most.max(passed);
            }
        }
        (waits.iter().map(|wait| waits.passed(wait)).fold(most, Passed::max), waits.awaited.len())
    }

    fn passes(stream: &mut TestStream, node: u32) {
        stream.request(node);
        stream.enter(node);
        stream.exit(node);
    }

    #[test]
    fn a_request_that_is_passed_on_has_arrived_where_it_stops() {
        let mut stream = TestStream::new(4);
        stream.request(0);
        let first = stream.send(0, 1, "ANY");
        passes(&mut stream, 3);
        stream.deliver(first);
        let onwards = stream.send(1, 2, "ANY");
        passes(&mut stream, 3);
        assert_eq!(most(&stream).0, Passed { since_request: 2, since_arrival: 0 });
        stream.deliver(onwards);
        passes(&mut stream, 3);
        assert_eq!(most(&stream).0, Passed { since_request: 3, since_arrival: 1 });
    }

    #[test]
    fn what_is_sent_to_the_one_who_asks_or_is_of_another_kind_carries_nothing_on() {
        for (to, kind) in [(0, "ANY"), (2, "OTHER")] {
            let mut stream = TestStream::new(4);
            stream.request(0);
            let request = stream.send(0, 1, "ANY");
            stream.deliver(request);
            stream.send(1, to, kind);
            passes(&mut stream, 3);
            assert_eq!(most(&stream).0, Passed { since_request: 1, since_arrival: 1 });
        }
    }

    #[test]
    fn a_lost_request_never_arrives() {
        let mut stream = TestStream::new(2);
        stream.request(0);
        let request = stream.send(0, 1, "REQUEST");
        stream.lose(request);
        passes(&mut stream, 1);
        assert_eq!(most(&stream).0, Passed { since_request: 1, since_arrival: 0 });
    }

    #[test]
    fn in_the_bakery_the_doorway_counts() {
        for (kind, times) in [("READ", 2), ("WRITE", 3)] {
            let mut stream = TestStream::new(3);
            stream.specification.algorithm = "bakery".to_owned();
            stream.request(0);
            for time in 1..=times {
                stream.multicast(0, kind);
                passes(&mut stream, 1);
                let since_arrival = u64::from(time == times);
                assert_eq!(most(&stream).0, Passed { since_request: time, since_arrival }, "{kind}");
                let word = stream.send(1, 0, "ACK");
                stream.deliver(word);
            }
        }
    }

    /// P0 has asked, and its wait ends; P1 enters before and after.
    #[test]
    fn who_dies_or_gives_up_waits_no_more() {
        let ends: [fn(&mut TestStream); 2] = [
            |stream| _ = stream.crash(0),
            |stream| {
                let at = StepId { node: NodeId(0), incarnation: 1, step: 2 };
                stream.push(What::Aborted { at, request: RequestId(1), cause: AbortCause::Victim });
            },
        ];
        for end in ends {
            let mut stream = TestStream::new(2);
            stream.request(0);
            passes(&mut stream, 1);
            end(&mut stream);
            passes(&mut stream, 1);
            assert_eq!(most(&stream).0, Passed { since_request: 1, since_arrival: 1 });
        }
    }

    /// P0 asks so many times in vain, each time by so many messages, which are all lost, and dies.
    fn in_vain(stream: &mut TestStream, times: usize, messages: u32) {
        for _ in 0..times {
            stream.request(0);
            for to in 1..=messages {
                let lost = stream.send(0, to, "REQUEST");
                stream.lose(lost);
            }
            stream.crash(0);
        }
    }

    #[test]
    fn so_many_receipts_of_the_past_are_spared() {
        for (messages, times, spared) in [(1, 1_024, 1_024), (1, 1_025, 0), (3, 341, 1_023), (3, 342, 0)] {
            let mut stream = TestStream::new(4);
            in_vain(&mut stream, times, messages);
            assert_eq!(most(&stream).1, spared, "{messages} messages, {times} times");
        }
    }

    /// Requests that arrived and were granted leave nothing behind, and room for no more.
    #[test]
    fn what_has_arrived_makes_no_room_for_what_has_not() {
        let mut stream = TestStream::new(2);
        for _ in 0..1_000 {
            stream.request(0);
            let request = stream.send(0, 1, "REQUEST");
            stream.deliver(request);
            stream.enter(0);
            stream.exit(0);
        }
        in_vain(&mut stream, 1_025, 1);
        assert_eq!(most(&stream).1, 0);
    }

    /// P1 waits for its request to arrive meanwhile.
    #[test]
    fn the_receipts_of_those_who_wait_are_kept() {
        let mut stream = TestStream::new(4);
        stream.request(1);
        let requests = [2, 3].map(|to| stream.send(1, to, "REQUEST"));
        in_vain(&mut stream, 1_100, 1);
        passes(&mut stream, 3);
        for request in requests {
            stream.deliver(request);
        }
        passes(&mut stream, 3);
        assert_eq!(most(&stream), (Passed { since_request: 2, since_arrival: 1 }, 73));
    }

    #[test]
    fn receipts_of_the_past_do_not_pile_up() {
        let mut stream = TestStream::new(2);
        for _ in 0..2 * SPARE_RECEIPTS {
            stream.request(0);
            let lost = stream.send(0, 1, "REQUEST");
            stream.lose(lost);
            stream.crash(0);
        }
        assert!(most(&stream).1 <= SPARE_RECEIPTS + 1);
    }
}
