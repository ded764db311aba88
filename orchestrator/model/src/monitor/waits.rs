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
//! not. Only what is sent for the lock that is asked for counts.
//!
//! Who asks for several locks, together or apart, waits for each of them, and what is asked for in one step has arrived
//! when all that this step sent has. Of several units of one lock that a process asks for, one wait is followed: that for
//! the unit asked for first, and what is asked for while it lasts has none. Its own entries to other units pass nobody over.
//!
//! Each event costs the same, however many wait: entries are counted, and a wait remembers where the count began.

use std::collections::{BTreeMap, HashMap};

use interlock_algorithm::catalogue::conduct;
use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{LockId, NodeId, RequestId};
use interlock_machine::message_id::MessageId;
use rustc_hash::FxBuildHasher;

use super::label::lock_of;
use crate::event::{Event, Json, MessageKind, StepId, What};
use crate::specification::Specification;

/// How many receipts of waits that are over may be remembered besides as many as there are of others.
const SPARE_RECEIPTS: usize = 1_024;

/// All who wait.
#[derive(Clone, Debug)]
pub struct Waits {
    /// Whether requests go through a doorway.
    doorway: bool,
    /// Whether each message names the lock that it is about.
    labelled: bool,
    /// The step under way and the messages sent in it so far: an algorithm may send before it says that it wants.
    step: Option<StepId>,
    sent: Vec<Receipt>,
    carried: Option<Received>,
    /// The messages that have yet to arrive, and the step that asked. Those of waits that are over may linger.
    awaited: HashMap<Receipt, StepId, FxBuildHasher>,
    /// How many of them belong to somebody who waits.
    alive: usize,
    /// Of each node its waits, in the order in which it asked.
    waiting: Vec<Vec<Wait>>,
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

/// A node that wants a lock.
#[derive(Clone, Debug)]
pub struct Wait {
    /// What it wants.
    pub lock: LockId,
    request: RequestId,
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
    /// What was asked for in this step has arrived, unless the step goes on to send it to others.
    Arrived(StepId),
    /// One wait is over or several of one node are; the most of them.
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
            doorway: has_doorway(specification),
            labelled: specification.locks > 1,
            step: None,
            sent: Vec::new(),
            carried: None,
            awaited: HashMap::default(),
            alive: 0,
            waiting: vec![Vec::new(); NodeId::all(specification.nodes).len()],
            entries: BTreeMap::new(),
        }
    }

    /// Whether it must read what the messages say: of several locks only that tells for which one somebody is in a doorway.
    #[must_use]
    pub fn reads_bodies(specification: &Specification) -> bool {
        has_doorway(specification) && specification.locks > 1
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event) -> Option<News> {
        match &event.what {
            What::Sent { at, message_kind, body, .. } if self.doorway => self.passes(*at, message_kind, body),
            What::Sent { at, message, message_kind, .. } => {
                self.sent(*at, message, message_kind);
                None
            }
            What::Delivered { at, message, message_kind, .. } => self.delivered(*at, message, message_kind),
            What::Requested { at, lock, request } => self.requested(*at, *lock, *request, event.seq),
            What::Entered { at, lock, request, .. } => self.entered(at.node, *lock, *request),
            What::Crashed { node, .. } => self.settle(*node, |_| true),
            What::Aborted { at, request, .. } => self.settle(at.node, |wait| wait.request == *request),
            _ => None,
        }
    }

    /// Who waits for what.
    pub fn iter(&self) -> impl Iterator<Item = &Wait> {
        self.waiting.iter().flatten()
    }

    /// The waits for what was asked for in a step, one for each lock, as far as they are not over.
    pub fn of(&self, asked: StepId) -> impl Iterator<Item = &Wait> {
        self.waiting.get(asked.node.index()).into_iter().flatten().filter(move |wait| wait.step == asked)
    }

    fn of_mut(&mut self, asked: StepId) -> impl Iterator<Item = &mut Wait> {
        self.waiting.get_mut(asked.node.index()).into_iter().flatten().filter(move |wait| wait.step == asked)
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
        if self.of(at).next().is_some() {
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
        if self.of(asked).next().is_none() || self.awaited.insert(receipt(message), asked).is_some() {
            return;
        }
        self.alive += 1;
        for wait in self.of_mut(asked) {
            if let Missing::Messages(awaited) = &mut wait.missing {
                *awaited += 1;
            }
        }
    }

    fn requested(&mut self, at: StepId, lock: LockId, request: RequestId, requested: u64) -> Option<News> {
        self.begin(at);
        let entries = self.entries_to(lock);
        let awaited = u32::try_from(self.sent.len()).unwrap_or(u32::MAX);
        let missing = if self.doorway { Missing::Steps(u32::MAX, 0) } else { Missing::Messages(awaited) };
        let (entries_then, entries_at_arrival) = (entries, entries);
        let wait = Wait { lock, request, step: at, requested, missing, entries_then, entries_at_arrival };
        let arrived = wait.has_arrived();
        // What was sent in a step is awaited once, however much is asked for in it.
        let is_first = self.of(at).next().is_none();
        let waits = self.waiting.get_mut(at.node.index())?;
        if waits.iter().any(|other| other.lock == lock) {
            return None;
        }
        waits.push(wait);
        if !self.doorway && is_first {
            self.alive += self.sent.len();
            self.awaited.extend(self.sent.iter().map(|receipt| (*receipt, at)));
        }
        arrived.then_some(News::Arrived(at))
    }

    /// A node enters: by the request of a wait, which is over, or to one unit of a lock while it waits for another.
    fn entered(&mut self, node: NodeId, lock: LockId, request: RequestId) -> Option<News> {
        let news = self.settle(node, |wait| (wait.lock, wait.request) == (lock, request));
        *self.entries.entry(lock).or_default() += 1;
        let other =
            self.waiting.get_mut(node.index()).and_then(|waits| waits.iter_mut().find(|wait| wait.lock == lock));
        if let Some(wait) = other {
            wait.entries_then += 1;
            wait.entries_at_arrival += 1;
        }
        news
    }

    fn delivered(&mut self, at: StepId, message: &MessageId, kind: &MessageKind) -> Option<News> {
        if self.awaited.is_empty() {
            return None;
        }
        let asked = self.awaited.remove(&receipt(message))?;
        let (waits, entries) = (self.waiting.get_mut(asked.node.index())?, &self.entries);
        let mut arrived = None;
        for wait in waits.iter_mut().filter(|wait| wait.step == asked) {
            let Missing::Messages(awaited) = &mut wait.missing else { continue };
            *awaited -= 1;
            wait.entries_at_arrival = entries.get(&wait.lock).copied().unwrap_or_default();
            arrived = Some(wait.has_arrived());
        }
        let has_arrived = arrived?;
        self.alive -= 1;
        self.carried = Some(Received { at, kind: kind.clone(), asked });
        has_arrived.then_some(News::Arrived(asked))
    }

    /// Bakery: a step of somebody who may be in the doorway.
    fn passes(&mut self, at: StepId, kind: &MessageKind, body: &Json) -> Option<News> {
        let steps = match &**kind {
            "READ" => 2,
            "WRITE" => 3,
            _ => return None,
        };
        let waits = self.waiting.get_mut(at.node.index()).filter(|waits| !waits.is_empty())?;
        let lock = if self.labelled { Some(lock_of(body)?) } else { None };
        let is_meant = |wait: &&mut Wait| lock.is_none_or(|lock| lock == wait.lock) && !wait.has_arrived();
        let wait = waits.iter_mut().find(is_meant)?;
        let Missing::Steps(left, last) = &mut wait.missing else { return None };
        if *last == at.step {
            return None;
        }
        (*left, *last) = ((*left).min(steps) - 1, at.step);
        wait.entries_at_arrival = self.entries.get(&wait.lock).copied().unwrap_or_default();
        wait.has_arrived().then_some(News::Arrived(wait.step))
    }

    /// These waits of a node are over.
    fn settle(&mut self, node: NodeId, is_over: impl Fn(&Wait) -> bool) -> Option<News> {
        let mut most = None::<Passed>;
        while let Some(wait) = self.take(node, &is_over) {
            let passed = self.passed(&wait);
            most = Some(most.map_or(passed, |most| most.max(passed)));
            if let Missing::Messages(awaited) = wait.missing
                && self.of(wait.step).next().is_none()
            {
                self.alive -= awaited as usize;
            }
        }
        if most.is_some() && self.awaited.len() > 2 * self.alive + SPARE_RECEIPTS {
            let waiting = &self.waiting;
            let is_alive =
                |asked: &StepId| waiting.get(asked.node.index()).into_iter().flatten().any(|wait| wait.step == *asked);
            self.awaited.retain(|_, asked| is_alive(asked));
        }
        most.map(News::Over)
    }

    fn take(&mut self, node: NodeId, is_over: impl Fn(&Wait) -> bool) -> Option<Wait> {
        let waits = self.waiting.get_mut(node.index())?;
        let place = waits.iter().position(is_over)?;
        Some(waits.remove(place))
    }
}

/// Whether requests of a run go through a doorway.
fn has_doorway(specification: &Specification) -> bool {
    conduct(&specification.algorithm).arrival == Arrival::Doorway
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::AbortCause;
    use serde_json::json;

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

    /// A step of P0 or P1.
    fn step(node: u32, step: u64) -> StepId {
        StepId { node: NodeId(node), incarnation: 1, step }
    }

    /// In a step P0 asks for locks, each by a request of its own number.
    fn asks(stream: &mut TestStream, at: u64, asked: &[(u32, u64)]) {
        for &(lock, request) in asked {
            stream.push(What::Requested { at: step(0, at), lock: LockId(lock), request: RequestId(request) });
        }
    }

    /// In a step P0 tells P1 something about a lock.
    fn says(stream: &mut TestStream, at: u64, lock: u32, kind: &'static str) -> MessageId {
        let (at, to) = (step(0, at), NodeId(1));
        let message = MessageId { from: at.node, to, number: stream.events.len() as u64, copy: 0 };
        let body = Json::of(&json!({ "lock": lock, "message": {} })).expect("JSON");
        stream.push(What::Sent { at, message, to, message_kind: kind.into(), body, due_us: None, rule: None });
        message
    }

    fn enters(stream: &mut TestStream, node: u32, lock: u32, request: u64) {
        let (at, request) = (step(node, 1_000), RequestId(request));
        stream.push(What::Entered { at, lock: LockId(lock), request, fence: None });
    }

    #[test]
    fn in_the_bakery_the_doorway_of_one_lock_is_not_that_of_another() {
        for (kind, times) in [("READ", 2), ("WRITE", 3)] {
            let mut stream = TestStream::new(2);
            (stream.specification.algorithm, stream.specification.locks) = ("bakery".to_owned(), 2);
            asks(&mut stream, 1, &[(1, 1)]);
            asks(&mut stream, 2, &[(0, 2)]);
            for at in 2..2 + times {
                says(&mut stream, 2 * at, 1, kind);
                enters(&mut stream, 1, 0, at);
                assert_eq!(most(&stream).0, Passed { since_request: at - 1, since_arrival: 0 }, "{kind}");
                says(&mut stream, 2 * at + 1, 0, kind);
            }
            enters(&mut stream, 1, 0, 9);
            assert_eq!(most(&stream).0, Passed { since_request: times + 1, since_arrival: 1 }, "{kind}");
        }
    }

    /// P1 enters one lock twice and the other once, and P0 waits for both; then it waits for one, which P1 enters again.
    #[test]
    fn who_asks_for_several_locks_waits_for_each() {
        for (first, second) in [(&[(0, 1), (1, 1)][..], &[][..]), (&[(0, 1)], &[(1, 2)])] {
            for (often, once) in [(0, 1), (1, 0)] {
                let mut stream = TestStream::new(2);
                asks(&mut stream, 1, first);
                asks(&mut stream, 2, second);
                for (request, lock) in [(1, often), (2, once), (3, often)] {
                    enters(&mut stream, 1, lock, request);
                }
                assert_eq!(most(&stream).0, Passed { since_request: 2, since_arrival: 2 });
                let request =
                    |lock| first.iter().chain(second).find(|asked| asked.0 == lock).expect("it is asked for").1;
                enters(&mut stream, 0, once, request(once));
                (4..8).for_each(|request| enters(&mut stream, 1, once, request));
                enters(&mut stream, 1, often, 8);
                assert_eq!(most(&stream).0, Passed { since_request: 3, since_arrival: 3 });
            }
        }
    }

    #[test]
    fn what_is_asked_for_together_arrives_together() {
        let mut stream = TestStream::new(2);
        asks(&mut stream, 1, &[(0, 1)]);
        let words = [0, 1].map(|lock| says(&mut stream, 1, lock, "REQUEST"));
        asks(&mut stream, 1, &[(1, 1)]);
        for (number, word) in (1..).zip(words) {
            for lock in [0, 1] {
                enters(&mut stream, 1, lock, number);
            }
            stream.deliver(word);
        }
        for lock in [0, 1] {
            enters(&mut stream, 1, lock, 3);
        }
        assert_eq!(most(&stream), (Passed { since_request: 3, since_arrival: 1 }, 0));
        let mut waits = Waits::new(&stream.specification);
        let arrived = stream.events.iter().filter_map(|event| waits.observe(event)).collect::<Vec<_>>();
        // Before the first message is sent, too, and when both have arrived.
        assert_eq!(arrived, [News::Arrived(step(0, 1)); 2]);
        assert_eq!((waits.of(step(0, 1)).count(), waits.alive), (2, 0));
    }

    /// What is lost of requests for two locks in one step counts once.
    #[test]
    fn receipts_of_what_was_asked_for_together_do_not_pile_up() {
        let mut stream = TestStream::new(2);
        for time in 1..=1_025 {
            asks(&mut stream, time, &[(0, time), (1, time)]);
            let lost = says(&mut stream, time, 0, "REQUEST");
            stream.lose(lost);
            stream.crash(0);
        }
        assert_eq!(most(&stream).1, 0);
    }

    /// P0 asks for two units of a lock and gets the second first: that passes nobody over.
    #[test]
    fn of_several_units_of_a_lock_the_wait_for_the_first_is_followed() {
        let mut stream = TestStream::new(2);
        asks(&mut stream, 1, &[(0, 1), (0, 2)]);
        enters(&mut stream, 1, 0, 1);
        enters(&mut stream, 0, 0, 2);
        assert_eq!(most(&stream).0, Passed { since_request: 1, since_arrival: 1 });
        enters(&mut stream, 1, 0, 2);
        assert_eq!(most(&stream).0, Passed { since_request: 2, since_arrival: 2 });
        enters(&mut stream, 0, 0, 1);
        enters(&mut stream, 1, 0, 3);
        assert_eq!(most(&stream).0, Passed { since_request: 2, since_arrival: 2 });
    }

    /// In a simulation that is a cost of each message.
    #[test]
    fn bodies_are_read_only_where_there_are_doorways_of_several_locks() {
        let reads = |algorithm: &str, locks| {
            let mut specification = TestStream::new(3).specification;
            (specification.algorithm, specification.locks) = (algorithm.to_owned(), locks);
            Waits::reads_bodies(&specification)
        };
        assert!(reads("bakery", 2));
        assert!(!reads("bakery", 1) && !reads("ricart-agrawala", 2));
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
