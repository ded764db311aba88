//! Computes which requests happened before others, and finds pairs of requests that were granted in the opposite
//! order.
//!
//! A request happened before another if the process that makes the later request can know of the earlier request.
//! This is Lamport's definition (1978, "Time, Clocks, and the Ordering of Events in a Distributed System"). The
//! process can know of the earlier request through messages of the algorithm or of the application. Only pending
//! requests matter, since a granted request can no longer be bypassed.
//!
//! The knowledge of a node is therefore a set of nodes: those whose pending request lies in its causal past. The
//! sets of all nodes together need one bit for each pair of nodes. A message is stored only if it carries knowledge
//! that its receiver does not have yet.

use std::collections::HashMap;
use std::sync::Arc;

use interlock_algorithm::{LockId, NodeId, Outcome};
use interlock_machine::message_id::MessageId;
use rustc_hash::FxBuildHasher;

use interlock_model::event::{Event, What};

/// Maximum number of nodes in a run for which precedence is computed. Memory grows with the square of the number of
/// nodes and reaches 1 MiB at this limit. The time for each entry grows with the number of nodes.
pub const MOST_NODES: u32 = 2_048;

/// Two requests for one lock that were granted in the opposite order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inversion {
    /// The lock.
    pub lock: LockId,
    /// The node whose request happened first and still waits.
    pub first: NodeId,
    /// The node whose request happened later and was granted.
    pub second: NodeId,
    /// The events of the earlier request, of the later request, and of the entry.
    pub events: [u64; 3],
}

/// Tracks which pending requests each node knows of.
#[derive(Clone, Debug)]
pub struct Precedence {
    waiting: Vec<Option<Wait>>,
    /// Number of waiting requests.
    number: usize,
    /// For each node, the nodes whose pending request lies in its causal past.
    heard: Rows,
    /// For each node with a pending request, the nodes whose pending request happened before this request.
    before: Rows,
    /// For each node, the knowledge that its next message will carry; `None` until this knowledge is computed.
    to_tell: Vec<Option<Arc<[u64]>>>,
    /// For each message in the network, the knowledge that it carries.
    told: HashMap<MessageId, Told, FxBuildHasher>,
    /// The message stored last. After losing this message, the network may still duplicate it.
    latest: Option<(MessageId, Told)>,
    /// Number of requests that have ended in the run. `last_over` contains, for each node, the value of `over` when the
    /// node's latest request ended.
    over: u64,
    last_over: Vec<u64>,
}

/// A pending request.
#[derive(Clone, Copy, Debug)]
struct Wait {
    lock: LockId,
    requested: u64,
}

/// The knowledge that a message carries: the nodes whose pending request the sender knew of.
#[derive(Clone, Debug)]
struct Told {
    of: Arc<[u64]>,
    /// Number of requests that had ended when the message was sent. If a request has ended since then, the message's
    /// knowledge of it is outdated.
    over: u64,
}

/// For each node, a set of nodes.
#[derive(Clone, Debug)]
struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn new(nodes: usize) -> Self {
        let words = nodes.div_ceil(64).max(1);
        Self { words, bits: vec![0; words * nodes] }
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }

    fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.bits[row * self.words..][..self.words]
    }

    fn insert(&mut self, row: usize, member: usize) {
        self.row_mut(row)[member / 64] |= 1 << (member % 64);
    }

    /// Removes `member` from the sets of all nodes. Calls `changed` with each node whose set contained `member`.
    fn remove_everywhere(&mut self, member: usize, mut changed: impl FnMut(usize)) {
        let (place, bit) = (member / 64, 1 << (member % 64));
        for (row, words) in self.bits.chunks_exact_mut(self.words).enumerate() {
            if words[place] & bit != 0 {
                words[place] ^= bit;
                changed(row);
            }
        }
    }
}

/// Returns the members of a set that is stored as bits.
fn members(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(place, mut word)| {
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(place * 64 + bit)
        })
    })
}

impl Precedence {
    /// Returns the precedence of a run with `nodes` processes, or `None` if there are more than [`MOST_NODES`].
    #[must_use]
    pub fn new(nodes: u32) -> Option<Self> {
        let number = NodeId::all(nodes).len();
        (nodes <= MOST_NODES).then(|| Self {
            waiting: vec![None; number],
            number: 0,
            heard: Rows::new(number),
            before: Rows::new(number),
            to_tell: vec![None; number],
            told: HashMap::default(),
            latest: None,
            over: 0,
            last_over: vec![0; number],
        })
    }

    /// Processes the next event. Calls `found` with each pair of requests which, as the event shows, were granted in
    /// the opposite order.
    pub fn observe(&mut self, event: &Event, found: impl FnMut(Inversion)) {
        match &event.what {
            What::Sent { at, message, .. } => self.sent(at.node, *message),
            What::Duplicated { message, copy, .. } => self.duplicated(message, *copy),
            What::Delivered { at, message, .. } => self.delivered(at.node, message),
            What::Dropped { message, .. } | What::Refused { message: Some(message), .. } => {
                self.told.remove(message);
            }
            What::Outcome { at, outcome: Outcome::Requested { lock, .. } } => self.requested(at.node, *lock, event.seq),
            What::Outcome { at, outcome: Outcome::Entered { lock, .. } } => {
                self.entered(at.node, *lock, event.seq, found);
            }
            // All incarnations of a node are one process. Its knowledge before a crash stays in its causal past.
            What::Crashed { node, .. } => self.settle(*node),
            _ => {}
        }
    }

    fn sent(&mut self, from: NodeId, message: MessageId) {
        let (from, to) = (from.index(), message.to.index());
        if self.number == 0 || from.max(to) >= self.waiting.len() {
            return;
        }
        let (mine, theirs) = (self.heard.row(from), self.heard.row(to));
        // If the receiver already has the knowledge that the message carries, the message need not be stored.
        if mine.iter().zip(theirs).all(|(mine, theirs)| mine & !theirs == 0) {
            return;
        }
        let of = Arc::clone(self.to_tell[from].get_or_insert_with(|| mine.into()));
        let told = Told { of, over: self.over };
        self.latest = Some((message, told.clone()));
        self.told.insert(message, told);
    }

    fn duplicated(&mut self, original: &MessageId, copy: MessageId) {
        let latest = || self.latest.as_ref().filter(|(message, _)| message == original).map(|(_, told)| told);
        if let Some(told) = self.told.get(original).or_else(latest).cloned() {
            self.told.insert(copy, told);
        }
    }

    fn delivered(&mut self, to: NodeId, message: &MessageId) {
        if self.told.is_empty() || to.index() >= self.waiting.len() {
            return;
        }
        let Some(told) = self.told.remove(message) else { return };
        let heard = self.heard.row_mut(to.index());
        for (place, told_word) in told.of.iter().enumerate() {
            let news = members(std::iter::once(told_word & !heard[place]));
            for member in news.filter(|member| self.last_over[place * 64 + member] <= told.over) {
                heard[place] |= 1 << member;
                self.to_tell[to.index()] = None;
            }
        }
    }

    fn requested(&mut self, node: NodeId, lock: LockId, requested: u64) {
        let me = node.index();
        if me >= self.waiting.len() {
            return;
        }
        self.settle(node);
        for word in 0..self.before.words {
            let of_this_lock = |other: &usize| self.waiting[word * 64 + other].is_some_and(|wait| wait.lock == lock);
            let before = members(std::iter::once(self.heard.row(me)[word])).filter(of_this_lock);
            self.before.row_mut(me)[word] = before.map(|member| 1 << member).sum();
        }
        self.waiting[me] = Some(Wait { lock, requested });
        self.number += 1;
        self.heard.insert(me, me);
        self.to_tell[me] = None;
    }

    /// Handles an entry. Only the latest request of each process is stored, so an entry for an earlier request of the
    /// process is ignored.
    fn entered(&mut self, node: NodeId, entered: LockId, seq: u64, mut found: impl FnMut(Inversion)) {
        if let Some(&Some(Wait { lock, requested })) = self.waiting.get(node.index()) {
            if lock != entered {
                return;
            }
            let before = members(self.before.row(node.index()).iter().copied());
            for (first, other) in before.filter_map(|other| Some((other, self.waiting[other]?))) {
                let first = NodeId(u32::try_from(first).unwrap_or(u32::MAX));
                found(Inversion { lock, first, second: node, events: [other.requested, requested, seq] });
            }
        }
        self.settle(node);
    }

    /// Ends the pending request of `node`, because it was granted or will never be granted. Removes the request from
    /// the knowledge of all nodes.
    fn settle(&mut self, node: NodeId) {
        if self.waiting.get_mut(node.index()).and_then(Option::take).is_none() {
            return;
        }
        self.number -= 1;
        self.over += 1;
        self.last_over[node.index()] = self.over;
        let to_tell = &mut self.to_tell;
        self.heard.remove_everywhere(node.index(), |row| to_tell[row] = None);
        self.before.remove_everywhere(node.index(), |_| {});
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use interlock_algorithm::RequestId;
    use proptest::prelude::*;

    use super::*;
    use crate::state::test_stream::{LOCK, TestStream};
    use interlock_model::event::StepId;

    fn inversions(stream: &TestStream) -> Vec<[u64; 3]> {
        let (mut found, mut precedence) = (Vec::new(), Precedence::new(stream.specification.nodes).expect("few nodes"));
        for event in &stream.events {
            precedence.observe(event, |inversion| found.push(inversion.events));
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn a_million_nodes_are_too_many() {
        assert!(Precedence::new(MOST_NODES).is_some());
        assert!(Precedence::new(1_000_000).is_none());
    }

    #[test]
    fn a_message_from_before_tells_nothing_of_the_next_request() {
        let mut stream = TestStream::new(2);
        stream.request(0);
        let old = stream.send(0, 1, "TELL");
        stream.enter(0);
        stream.exit(0);
        stream.request(0);
        stream.deliver(old);
        stream.request(1);
        stream.enter(1);
        assert_eq!(inversions(&stream), Vec::<[u64; 3]>::new());
    }

    /// P0 requests lock 0, learns that P1 has requested lock 1, and then also requests lock 1. When P0 enters lock 0,
    /// it bypasses no process.
    #[test]
    fn an_entry_is_one_by_its_own_request() {
        let mut stream = TestStream::new(2);
        let (zero, one) = (LockId(0), LockId(1));
        let at = |node, step| StepId { node: NodeId(node), incarnation: 1, step };
        let asks = |stream: &mut TestStream, node, lock, request| {
            stream.outcome(at(node, 1), Outcome::requested(lock, RequestId(request)))
        };
        let enters = |stream: &mut TestStream, lock, request| {
            stream.outcome(at(0, 2), Outcome::Entered { lock, request: RequestId(request), fence: None })
        };
        asks(&mut stream, 0, zero, 1);
        let first = asks(&mut stream, 1, one, 1);
        let word = stream.send(1, 0, "TELL");
        stream.deliver(word);
        let second = asks(&mut stream, 0, one, 2);
        enters(&mut stream, zero, 1);
        assert_eq!(inversions(&stream), Vec::<[u64; 3]>::new());
        let entered = enters(&mut stream, one, 2);
        assert_eq!(inversions(&stream), [[first, second, entered]]);
    }

    #[test]
    fn a_copy_tells_what_its_original_tells() {
        let mut stream = TestStream::new(2);
        let first = stream.request(0);
        let word = stream.send(0, 1, "TELL");
        stream.lose(word);
        let copy = stream.duplicate(word);
        stream.deliver(copy);
        let second = stream.request(1);
        let entered = stream.enter(1);
        assert_eq!(inversions(&stream), [[first, second, entered]]);
    }

    #[test]
    fn messages_that_tell_nothing_new_are_not_remembered() {
        let mut stream = TestStream::new(70);
        stream.request(69);
        for _ in 0..3 {
            let word = stream.send(69, 1, "TELL");
            stream.deliver(word);
        }
        stream.send(69, 1, "TELL");
        stream.send(1, 69, "TELL");
        let mut precedence = Precedence::new(70).expect("few nodes");
        stream.events.iter().for_each(|event| precedence.observe(event, |_| {}));
        assert_eq!(precedence.told.len(), 0);
        stream.send(1, 2, "TELL");
        stream.events.last().into_iter().for_each(|event| precedence.observe(event, |_| {}));
        assert_eq!(precedence.told.len(), 1);
    }

    #[test]
    fn what_is_lost_is_not_remembered() {
        let mut stream = TestStream::new(2);
        stream.request(0);
        let word = stream.send(0, 1, "TELL");
        stream.lose(word);
        let mut precedence = Precedence::new(2).expect("few nodes");
        stream.events.iter().for_each(|event| precedence.observe(event, |_| {}));
        assert_eq!(precedence.told.len(), 0);
    }

    /// P0 makes a request, and P1 receives a message from P0. P0 crashes if `dies`. Then P1 makes a request and
    /// enters.
    #[test]
    fn the_dead_are_not_passed_over() {
        for (dies, expected) in [(false, 1), (true, 0)] {
            let mut stream = TestStream::new(2);
            stream.request(0);
            let word = stream.send(0, 1, "TELL");
            stream.deliver(word);
            if dies {
                stream.crash(0);
            }
            stream.request(1);
            stream.enter(1);
            assert_eq!(inversions(&stream).len(), expected);
        }
    }

    /// Runs with 70 nodes that resemble the runs above. A set of 70 nodes needs more than one word of bits.
    #[test]
    fn of_many_nodes_each_is_told_apart() {
        let mut stream = TestStream::new(70);
        let first = stream.request(69);
        let old = stream.send(69, 1, "TELL");
        let word = stream.send(69, 2, "TELL");
        stream.deliver(word);
        let second = stream.request(2);
        let entered = stream.enter(2);
        assert_eq!(inversions(&stream), [[first, second, entered]]);
        stream.enter(69);
        stream.exit(69);
        stream.request(69);
        stream.deliver(old);
        stream.request(1);
        stream.enter(1);
        assert_eq!(inversions(&stream), [[first, second, entered]], "what P1 has heard of is over");
    }

    #[test]
    fn who_is_not_in_the_run_asks_tells_and_hears_nothing() {
        let mut stream = TestStream::new(2);
        stream.request(0);
        let word = stream.send(0, 1, "TELL");
        for stranger in [2, 3].map(NodeId) {
            let at = StepId { node: stranger, incarnation: 1, step: 1 };
            let (kind, body) = (|| "TELL".into(), interlock_model::event::Json::NULL);
            stream.outcome(at, Outcome::requested(LOCK, RequestId(1)));
            for (from, to) in [(stranger, NodeId(0)), (NodeId(0), stranger)] {
                let (message, body) = (MessageId { from, to, number: 1, copy: 0 }, body.clone());
                stream.push(What::Sent {
                    at: StepId { node: from, ..at },
                    message,
                    to,
                    message_kind: kind(),
                    body,
                    due_us: None,
                    rule: None,
                });
            }
            let because = Vec::new();
            stream.push(What::Delivered {
                at,
                message: word,
                from: word.from,
                message_kind: kind(),
                because,
                view: None,
            });
        }
        assert_eq!(inversions(&stream), Vec::<[u64; 3]>::new());
    }

    /// A process in [`reckless`]: the events in its causal past, and its pending request with the events that happened
    /// before the request.
    #[derive(Clone, Default)]
    struct Process {
        past: BTreeSet<u64>,
        request: Option<(u64, BTreeSet<u64>)>,
    }

    /// Processes make requests and enter in an arbitrary way. Returns the stream, and the inversions in it. To find the
    /// inversions, the function stores the whole causal past of each process.
    fn reckless(actions: &[(u32, u32, u16)]) -> (TestStream, Vec<[u64; 3]>) {
        let mut stream = TestStream::new(3);
        let mut processes = vec![Process::default(); 3];
        let (mut under_way, mut expected) = (Vec::new(), Vec::new());
        for &(action, node, choice) in actions {
            let me = node as usize;
            match (action, processes[me].request.take()) {
                (0, None) => {
                    let past = processes[me].past.clone();
                    let request = stream.request(node);
                    processes[me].past.insert(request);
                    processes[me].request = Some((request, past));
                }
                (1, Some((request, past))) => {
                    let entered = stream.enter(node);
                    let waiting = processes.iter().filter_map(|process| process.request.as_ref());
                    let earlier = waiting.filter(|(other, _)| past.contains(other));
                    expected.extend(earlier.map(|(other, _)| [*other, request, entered]));
                    stream.exit(node);
                }
                (kind, request) => {
                    processes[me].request = request;
                    if kind == 2 {
                        let to = (node + 1 + u32::from(choice) % 2) % 3;
                        under_way.push((stream.send(node, to, "ANY"), processes[me].past.clone()));
                    } else if kind == 3 && !under_way.is_empty() {
                        let (message, past) = under_way.swap_remove(usize::from(choice) % under_way.len());
                        stream.deliver(message);
                        processes[message.to.index()].past.extend(past);
                    }
                }
            }
        }
        expected.sort_unstable();
        (stream, expected)
    }

    proptest! {
        #[test]
        fn inversions_are_those_of_the_definition(
            actions in prop::collection::vec((0..4_u32, 0..3_u32, any::<u16>()), 0..80),
        ) {
            let (stream, expected) = reckless(&actions);
            prop_assert_eq!(inversions(&stream), expected);
        }
    }
}
