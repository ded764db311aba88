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
//! not. Only what is sent for the lock that is asked for counts: where there are several, what a message says tells.
//!
//! A crashed process takes no request. A request that goes to all others, or asks for a token, has arrived when it is with
//! all of them that live, and with at least one: no other process needs the answer of the crashed one, since others enter.
//! A request to a quorum, a coordinator or a parent has not: the answer of the crashed process may be what is missing. If
//! the process comes back and takes the message after all, the request has arrived then.
//!
//! Who asks for several locks, together or apart, waits for each of them, and what is asked for in one step has arrived
//! when all that this step sent has. Of several units of one lock that a process asks for, one wait is followed: that for
//! the unit asked for first, and what is asked for while it lasts has none. Its own entries to other units pass nobody over.
//!
//! Each event costs the same, however many wait: entries are counted, and a wait remembers where the count began.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use interlock_algorithm::catalogue::conduct;
use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{LockId, NodeId, RequestId};
use interlock_machine::message_id::MessageId;
use rustc_hash::FxBuildHasher;

use crate::event::{Event, Json, MessageKind, StepId, What};
use crate::specification::Specification;
use crate::state::label::lock_of;

/// How many receipts of waits that are over may be remembered besides as many as there are of others.
const SPARE_RECEIPTS: usize = 1_024;
/// How many processes may be missing of a request that is looked at before it has arrived: each look costs time.
const FEW: u32 = 64;

/// All who wait.
#[derive(Clone, Debug)]
pub struct Waits {
    /// Whether requests go through a doorway.
    doorway: bool,
    /// Whether each message names the lock that it is about.
    labelled: bool,
    /// The step under way and the messages sent in it so far: an algorithm may send before it says that it wants.
    step: Option<StepId>,
    sent: Vec<(Receipt, Option<LockId>)>,
    carried: Option<Received>,
    /// Whether a request goes to a token, wherever that is.
    seeks_token: bool,
    crashed: BTreeSet<NodeId>,
    /// The messages that have yet to arrive, and the step that asked. Those of waits that are over may linger.
    awaited: HashMap<Receipt, Awaited, FxBuildHasher>,
    /// How many of them belong to somebody who waits.
    alive: usize,
    /// Of each node its waits, in the order in which it asked.
    waiting: Vec<Vec<Wait>>,
    entries: BTreeMap<LockId, u64>,
}

/// A message, whichever copy of it arrives.
type Receipt = (NodeId, NodeId, u64);

/// A message that has yet to arrive.
#[derive(Clone, Copy, Debug)]
struct Awaited {
    /// The step that asked.
    asked: StepId,
    /// Whether that step has sent it, and not one that passes the request on.
    is_first: bool,
    /// Whether its receiver has crashed.
    at_crashed: bool,
}

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
    Messages(Messages),
    /// Messages must be sent, in so many steps after this one.
    Steps(u32, u64),
}

/// How many messages of a request are where.
#[derive(Clone, Copy, Debug, Default)]
struct Messages {
    /// Not received yet.
    awaited: u32,
    /// Sent to a process that has crashed.
    at_crashed: u32,
    /// How many its own step has sent, and whether one of them has been received.
    sent: u32,
    is_heard: bool,
    /// With how many of them it can do without the answer of a crashed process.
    enough: u32,
}

impl Messages {
    const fn have_arrived(self) -> bool {
        self.awaited == 0 && (self.at_crashed == 0 || (self.is_heard && self.sent >= self.enough))
    }
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
        match self.missing {
            Missing::Messages(messages) => messages.have_arrived(),
            Missing::Steps(left, _) => left == 0,
        }
    }

    /// Whether a message that names this lock, or none, is about it.
    fn is_meant_by(&self, named: Option<LockId>) -> bool {
        named.is_none_or(|named| named == self.lock)
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
            seeks_token: specification.known_algorithm().is_some_and(|known| !known.token_kinds.is_empty()),
            crashed: BTreeSet::new(),
            awaited: HashMap::default(),
            alive: 0,
            waiting: vec![Vec::new(); NodeId::all(specification.nodes).len()],
            entries: BTreeMap::new(),
        }
    }

    /// Whether it must read what the messages say: only that tells which of several locks they are about.
    #[must_use]
    pub const fn reads_bodies(specification: &Specification) -> bool {
        specification.locks > 1
    }

    /// Takes the next event; calls `tell` with what it means for those who wait.
    pub fn observe(&mut self, event: &Event, mut tell: impl FnMut(News)) {
        let news = match &event.what {
            What::Sent { at, message_kind, body, .. } if self.doorway => self.passes(*at, message_kind, body),
            What::Sent { at, message, message_kind, body, .. } => {
                self.sent(*at, message, message_kind, body);
                None
            }
            What::Delivered { at, message, message_kind, .. } => self.delivered(*at, message, message_kind),
            What::Requested { at, lock, request } => self.requested(*at, *lock, *request, event.seq),
            What::Entered { at, lock, request, .. } => self.entered(at.node, *lock, *request),
            What::Started { node, .. } => {
                self.crashed.remove(node);
                None
            }
            What::Crashed { node, .. } => {
                let news = self.settle(*node, |_| true);
                self.crash(*node, &mut tell);
                news
            }
            What::Aborted { at, request, .. } => self.settle(at.node, |wait| wait.request == *request),
            _ => None,
        };
        news.map(tell);
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

    /// Whether a request seeks a token by messages to all others.
    #[must_use]
    pub fn asks_all_for_a_token(&self, wait: &Wait) -> bool {
        matches!(wait.missing, Missing::Messages(messages) if self.seeks_token && messages.sent >= self.others())
    }

    /// The live processes that such a request has not reached yet, if it has reached some and only a few are missing.
    #[must_use]
    pub fn not_reached(&self, wait: &Wait) -> Option<Vec<NodeId>> {
        let Missing::Messages(messages) = wait.missing else { return None };
        if !messages.is_heard || messages.awaited > FEW || !self.asks_all_for_a_token(wait) {
            return None;
        }
        let missing = self.awaited.iter().filter(|(_, awaited)| awaited.asked == wait.step && !awaited.at_crashed);
        missing.map(|((_, to, _), awaited)| awaited.is_first.then_some(*to)).collect()
    }

    fn others(&self) -> u32 {
        u32::try_from(self.waiting.len().saturating_sub(1)).unwrap_or(u32::MAX)
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

    fn sent(&mut self, at: StepId, message: &MessageId, kind: &MessageKind, body: &Json) {
        self.begin(at);
        let lock = if self.labelled { lock_of(body) } else { None };
        self.sent.push((receipt(message), lock));
        if self.of(at).any(|wait| wait.is_meant_by(lock)) {
            self.expect(at, receipt(message), true);
        } else if let Some(Received { asked, .. }) =
            self.carried.as_ref().filter(|carried| carried.at == at && carried.kind == *kind)
            // Who sends the same kind to the one who asks, asks for himself.
            && asked.node != message.to
        {
            let asked = *asked;
            if self.of(asked).next().is_some() {
                self.expect(asked, receipt(message), false);
            }
        }
    }

    /// The request of the step `asked` has not arrived before this message has.
    fn expect(&mut self, asked: StepId, receipt: Receipt, is_first: bool) {
        let at_crashed = is_first && self.crashed.contains(&receipt.1);
        if self.awaited.insert(receipt, Awaited { asked, is_first, at_crashed }).is_some() {
            return;
        }
        self.alive += 1;
        for messages in self.messages_of(asked) {
            messages.sent += u32::from(is_first);
            *if at_crashed { &mut messages.at_crashed } else { &mut messages.awaited } += 1;
        }
    }

    /// What is missing of what was asked for in a step.
    fn messages_of(&mut self, asked: StepId) -> impl Iterator<Item = &mut Messages> {
        self.of_mut(asked).filter_map(|wait| match &mut wait.missing {
            Missing::Messages(messages) => Some(messages),
            Missing::Steps(..) => None,
        })
    }

    /// A process has crashed: what was on its way to it is with it no more.
    fn crash(&mut self, node: NodeId, mut tell: impl FnMut(News)) {
        self.crashed.insert(node);
        let mut asked = BTreeSet::new();
        for (receipt, awaited) in &mut self.awaited {
            if receipt.1 == node && awaited.is_first && !awaited.at_crashed {
                awaited.at_crashed = true;
                asked.insert(awaited.asked);
            }
        }
        for asked in asked {
            for messages in self.messages_of(asked) {
                messages.awaited = messages.awaited.saturating_sub(1);
                messages.at_crashed += 1;
            }
            if self.arrive(asked) {
                tell(News::Arrived(asked));
            }
        }
    }

    /// Counts from now on if what was asked for in a step has arrived; returns whether it has.
    fn arrive(&mut self, asked: StepId) -> bool {
        let Some(waits) = self.waiting.get_mut(asked.node.index()) else { return false };
        let mut has_arrived = false;
        for wait in waits.iter_mut().filter(|wait| wait.step == asked) {
            wait.entries_at_arrival = self.entries.get(&wait.lock).copied().unwrap_or_default();
            has_arrived = wait.has_arrived();
        }
        has_arrived
    }

    fn requested(&mut self, at: StepId, lock: LockId, request: RequestId, requested: u64) -> Option<News> {
        self.begin(at);
        let entries = self.entries_to(lock);
        // What was asked for in the same step waits for the same messages.
        let missing = self.of(at).next().map_or_else(|| self.nothing_sent(), |wait| wait.missing);
        let (entries_then, entries_at_arrival) = (entries, entries);
        let wait = Wait { lock, request, step: at, requested, missing, entries_then, entries_at_arrival };
        let waits = self.waiting.get_mut(at.node.index())?;
        if waits.iter().any(|other| other.lock == lock) {
            return None;
        }
        waits.push(wait);
        if !self.doorway {
            let meant = |(_, named): &&(Receipt, Option<LockId>)| named.is_none_or(|named| named == lock);
            let sent: Vec<Receipt> = self.sent.iter().filter(meant).map(|(receipt, _)| *receipt).collect();
            for receipt in sent {
                self.expect(at, receipt, true);
            }
        }
        self.of(at).all(Wait::has_arrived).then_some(News::Arrived(at))
    }

    /// What is missing of a request of which nothing was sent yet.
    fn nothing_sent(&self) -> Missing {
        if self.doorway {
            return Missing::Steps(u32::MAX, 0);
        }
        let enough = if self.seeks_token { 0 } else { self.others() };
        Missing::Messages(Messages { enough, ..Messages::default() })
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
        let Awaited { asked, is_first, at_crashed } = self.awaited.remove(&receipt(message))?;
        self.messages_of(asked).next()?;
        for messages in self.messages_of(asked) {
            *if at_crashed { &mut messages.at_crashed } else { &mut messages.awaited } -= 1;
            messages.is_heard |= is_first;
        }
        self.alive -= 1;
        self.carried = Some(Received { at, kind: kind.clone(), asked });
        self.arrive(asked).then_some(News::Arrived(asked))
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
            if let Missing::Messages(Messages { awaited, at_crashed, .. }) = wait.missing
                && self.of(wait.step).next().is_none()
            {
                self.alive -= (awaited + at_crashed) as usize;
            }
        }
        if most.is_some() && self.awaited.len() > 2 * self.alive + SPARE_RECEIPTS {
            let waiting = &self.waiting;
            let is_alive =
                |asked: &StepId| waiting.get(asked.node.index()).into_iter().flatten().any(|wait| wait.step == *asked);
            self.awaited.retain(|_, awaited| is_alive(&awaited.asked));
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
            waits.observe(event, |news| {
                if let News::Over(passed) = news {
                    most = most.max(passed);
                }
            });
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

    /// P0 asks P1 and P2, of which P2 has crashed before or crashes on the way. P1 enters before and after it hears of it.
    fn asked_of_a_crashed_process(algorithm: &str, before: bool, to: &[u32]) -> TestStream {
        let mut stream = TestStream::new(3);
        stream.specification.algorithm = algorithm.to_owned();
        if before {
            stream.crash(2);
        }
        stream.request(0);
        let sent: Vec<MessageId> = to.iter().map(|&to| stream.send(0, to, "REQUEST")).collect();
        passes(&mut stream, 1);
        if !before {
            stream.crash(2);
        }
        for message in sent {
            if message.to == NodeId(1) {
                stream.deliver(message);
            } else {
                stream.push(What::dropped(message, "ANY".into(), crate::event::DropReason::Crashed));
            }
        }
        passes(&mut stream, 1);
        stream
    }

    #[test]
    fn a_request_to_all_has_arrived_where_a_crashed_process_is_the_only_one_missing() {
        for before in [true, false] {
            for algorithm in ["ricart-agrawala", "suzuki-kasami"] {
                let (passed, left) = most(&asked_of_a_crashed_process(algorithm, before, &[1, 2]));
                assert_eq!(passed, Passed { since_request: 2, since_arrival: 1 }, "{algorithm} {before}");
                assert_eq!(left, 1, "it may come back");
            }
        }
    }

    #[test]
    fn a_request_that_no_live_process_has_or_to_some_has_not_arrived_at_a_crashed_one() {
        for before in [true, false] {
            for (algorithm, to) in [("raymond", &[2][..]), ("maekawa", &[2]), ("centralised", &[2])] {
                let (passed, _) = most(&asked_of_a_crashed_process(algorithm, before, to));
                assert_eq!(passed, Passed { since_request: 2, since_arrival: 0 }, "{algorithm} {before}");
            }
        }
        let mut quorum = TestStream::new(4);
        quorum.crash(2);
        quorum.request(0);
        let sent = [1, 2].map(|to| quorum.send(0, to, "REQUEST"));
        quorum.deliver(sent[0]);
        passes(&mut quorum, 1);
        assert_eq!(most(&quorum).0, Passed { since_request: 1, since_arrival: 0 }, "the crashed one may be needed");
    }

    #[test]
    fn a_request_that_a_restarted_process_takes_has_arrived_then() {
        let mut stream = TestStream::new(3);
        stream.crash(2);
        stream.request(0);
        let sent = [1, 2].map(|to| stream.send(0, to, "REQUEST"));
        stream.deliver(sent[0]);
        passes(&mut stream, 1);
        stream.restart(2, crate::event::RestartState::Stored);
        stream.start(2);
        stream.deliver(sent[1]);
        passes(&mut stream, 1);
        assert_eq!(most(&stream).0, Passed { since_request: 2, since_arrival: 1 });
    }

    /// P0 asks for lock 0 and in the same step tells P1 something about lock 1 that is lost.
    #[test]
    fn a_message_about_another_lock_is_not_awaited() {
        for (named, since_arrival) in [(1, 1), (0, 0)] {
            let mut stream = TestStream::new(2);
            stream.specification.locks = 2;
            let early = says(&mut stream, 1, named, "RELEASE");
            asks(&mut stream, 1, &[(0, 1)]);
            let late = says(&mut stream, 1, named, "RELEASE");
            for lost in [early, late] {
                stream.lose(lost);
            }
            enters(&mut stream, 1, 0, 1);
            assert_eq!(most(&stream).0, Passed { since_request: 1, since_arrival });
        }
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
        let mut arrived = Vec::new();
        stream.events.iter().for_each(|event| waits.observe(event, |news| arrived.push(news)));
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
    fn bodies_are_read_only_where_there_are_several_locks() {
        let reads = |algorithm: &str, locks| {
            let mut specification = TestStream::new(3).specification;
            (specification.algorithm, specification.locks) = (algorithm.to_owned(), locks);
            Waits::reads_bodies(&specification)
        };
        assert!(reads("bakery", 2) && reads("ricart-agrawala", 2));
        assert!(!reads("bakery", 1) && !reads("ricart-agrawala", 1));
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
