//! Bypass counts of waiting processes: entries of others since the request was made, and since the request arrived.
//!
//! A request has *arrived* when it is where the algorithm needs it:
//!
//! - In most algorithms, a request has arrived when all messages that the requesting step sent have been received.
//! - In Raymond's and Naimi–Tréhel's algorithms, processes pass requests on. If the receiving step sends a message of
//!   the same kind to a third process, that message carries the request on. The request has arrived when a process
//!   does not pass it on. That process has the token, has already passed on a request of another process, or has a
//!   request of its own in transit.
//! - A request that needs no message, or that waits for a circulating token, arrives at once.
//! - In the bakery algorithm, a request has arrived when its process has passed the doorway. If processes ask for
//!   numbers, the doorway ends with the first READ after the READ messages that ask for numbers. If processes
//!   announce numbers, the doorway ends with the third WRITE.
//!
//! Arrival of a duplicate counts as arrival of the original message. If a message of a request is lost, the request
//! does not arrive. With several locks, only messages that name the lock of the request count.
//!
//! A crashed process receives nothing. A request to all other processes, or for a token, has arrived when all live
//! receivers, and at least one process, have received it. Other processes enter without the answer of the crashed
//! process, so the request could also be granted without this answer. A request to a quorum, a coordinator or a
//! parent has not arrived, since it may need the answer of the crashed process. If the crashed process restarts and
//! receives the message, the request then arrives.
//!
//! A process that requests several locks waits for each of them. Requests of one step arrive together. If a process
//! requests several units of one lock, only the wait for the first unit is tracked. The process's own entries to other
//! units of the lock are not bypasses.
//!
//! The cost of an event does not depend on the number of waiting processes. There is one count of entries for each
//! lock, and each wait stores the value of that count when the wait began.

mod arrival;
#[cfg(test)]
mod tests;
mod wait;

use std::collections::HashMap;

use interlock_algorithm::catalogue::conduct;
use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{FlatMap, FlatSet, LockId, NodeId, Outcome, RequestId};
use interlock_machine::message_id::MessageId;
use rustc_hash::FxBuildHasher;

use arrival::{Awaited, Messages, Missing, Receipt, Received, receipt};
pub use wait::{Change, Passed, Wait};

use crate::state::label::lock_of;
use interlock_model::event::{Event, Json, MessageKind, StepId, What};
use interlock_model::specification::Specification;

/// Receipts of ended waits are removed once they outnumber the receipts of open waits by more than this number.
const SPARE_RECEIPTS: usize = 1_024;
/// Maximum number of receivers that [`Waits::not_reached`] lists. If more receivers are missing, no list is made,
/// since making it would take too much time.
const FEW: u32 = 64;

/// The open waits of all processes in a run.
#[derive(Clone, Debug)]
pub struct Waits {
    /// Whether a request arrives when its process has passed a doorway.
    doorway: bool,
    /// Whether each message names its lock.
    labelled: bool,
    /// The current step. `sent` contains the messages sent in this step so far, because an algorithm may send the
    /// messages of a request before it reports the request.
    step: Option<StepId>,
    sent: Vec<(Receipt, Option<LockId>)>,
    carried: Option<Received>,
    /// Whether requests are for a token whose holder is unknown.
    seeks_token: bool,
    crashed: FlatSet<NodeId>,
    /// The messages that must be received before a request has arrived. Each is stored with the step that made the
    /// request. Messages of ended waits may stay here for a while.
    awaited: HashMap<Receipt, Awaited, FxBuildHasher>,
    /// Number of messages in `awaited` that belong to open waits.
    alive: usize,
    /// The open waits of each node, in the order of the requests.
    waiting: Vec<Vec<Wait>>,
    entries: FlatMap<LockId, u64>,
}

impl Waits {
    /// Returns the waits of a run before its first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        Self {
            doorway: has_doorway(specification),
            labelled: specification.locks > 1,
            step: None,
            sent: Vec::new(),
            carried: None,
            seeks_token: specification.known_algorithm().is_some_and(|known| !known.token_kinds.is_empty()),
            crashed: FlatSet::new(),
            awaited: HashMap::default(),
            alive: 0,
            waiting: vec![Vec::new(); NodeId::all(specification.nodes).len()],
            entries: FlatMap::new(),
        }
    }

    /// Returns whether bodies of messages are needed. With several locks, only the body names the lock.
    #[must_use]
    pub const fn reads_bodies(specification: &Specification) -> bool {
        specification.locks > 1
    }

    /// Processes the next event. Calls `notify` with each change of waits that the event causes.
    pub fn observe(&mut self, event: &Event, mut notify: impl FnMut(Change)) {
        let change = match &event.what {
            What::Sent { at, message_kind, body, .. } if self.doorway => self.passes(*at, message_kind, body),
            What::Sent { at, message, message_kind, body, .. } => {
                self.sent(*at, message, message_kind, body);
                None
            }
            What::Delivered { at, message, message_kind, .. } => self.delivered(*at, message, message_kind),
            What::Outcome { at, outcome } => match outcome {
                Outcome::Requested { lock, request, .. } => self.requested(*at, *lock, *request, event.seq),
                Outcome::Entered { lock, request, .. } => self.entered(at.node, *lock, *request),
                Outcome::Aborted { request, .. } => self.settle(at.node, |wait| wait.request == *request),
                _ => None,
            },
            What::Started { node, .. } => {
                self.crashed.remove(node);
                None
            }
            What::Crashed { node, .. } => {
                let change = self.settle(*node, |_| true);
                self.crash(*node, &mut notify);
                change
            }
            _ => None,
        };
        change.map(notify);
    }

    /// Returns all open waits.
    pub fn iter(&self) -> impl Iterator<Item = &Wait> {
        self.waiting.iter().flatten()
    }

    /// Returns the open waits for the requests that the step `asked` made, one for each lock.
    pub fn of(&self, asked: StepId) -> impl Iterator<Item = &Wait> {
        self.waiting.get(asked.node.index()).into_iter().flatten().filter(move |wait| wait.step == asked)
    }

    fn of_mut(&mut self, asked: StepId) -> impl Iterator<Item = &mut Wait> {
        self.waiting.get_mut(asked.node.index()).into_iter().flatten().filter(move |wait| wait.step == asked)
    }

    /// Returns the bypass counts of `wait` so far.
    #[must_use]
    pub fn passed(&self, wait: &Wait) -> Passed {
        wait.passed(self.entries_to(wait.lock))
    }

    /// Returns whether the request of a wait is for a token and was sent to all other processes.
    #[must_use]
    pub fn asks_all_for_a_token(&self, wait: &Wait) -> bool {
        matches!(wait.missing, Missing::Messages(messages) if self.seeks_token && messages.sent >= self.others())
    }

    /// Returns the live processes that have not yet received a request for a token which was sent to all others.
    /// Returns `None` if no process has received the request, or if more than `FEW` processes have not received it.
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
            // A message to the process that made the request does not carry this request on. Such a message is a
            // request of the sender itself.
            && asked.node != message.to
        {
            let asked = *asked;
            if self.of(asked).next().is_some() {
                self.expect(asked, receipt(message), false);
            }
        }
    }

    /// Records that the message `receipt` must be received before the requests of the step `asked` have arrived.
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

    /// Returns the message counts of each request that a step made.
    fn messages_of(&mut self, asked: StepId) -> impl Iterator<Item = &mut Messages> {
        self.of_mut(asked).filter_map(|wait| match &mut wait.missing {
            Missing::Messages(messages) => Some(messages),
            Missing::Steps(..) => None,
        })
    }

    /// Records a crash. Messages in transit to the crashed process no longer arrive.
    fn crash(&mut self, node: NodeId, mut notify: impl FnMut(Change)) {
        self.crashed.insert(node);
        let mut asked = FlatSet::new();
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
                notify(Change::Arrived(asked));
            }
        }
    }

    /// If the requests of a step have arrived, begins to count the entries since their arrival. Returns whether the
    /// requests have arrived.
    fn arrive(&mut self, asked: StepId) -> bool {
        let Some(waits) = self.waiting.get_mut(asked.node.index()) else { return false };
        let mut has_arrived = false;
        for wait in waits.iter_mut().filter(|wait| wait.step == asked) {
            wait.begin_count(self.entries.get(&wait.lock).copied().unwrap_or_default());
            has_arrived = wait.has_arrived();
        }
        has_arrived
    }

    fn requested(&mut self, at: StepId, lock: LockId, request: RequestId, requested: u64) -> Option<Change> {
        self.begin(at);
        let entries = self.entries_to(lock);
        // All requests of a step wait for the same messages.
        let missing = self.of(at).next().map_or_else(|| self.nothing_sent(), |wait| wait.missing);
        let wait = Wait {
            lock,
            request,
            step: at,
            requested,
            missing,
            entries_then: entries,
            entries_at_arrival: entries,
            own: 0,
            own_since_arrival: 0,
        };
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
        self.of(at).all(Wait::has_arrived).then_some(Change::Arrived(at))
    }

    /// Returns the conditions for the arrival of a request that has not sent a message yet.
    fn nothing_sent(&self) -> Missing {
        if self.doorway {
            return Missing::Steps(u32::MAX, 0);
        }
        let enough = if self.seeks_token { 0 } else { self.others() };
        Missing::Messages(Messages { enough, ..Messages::default() })
    }

    /// Records an entry and ends the wait for its request. The entry may be to another unit of a lock for which the
    /// node still waits.
    fn entered(&mut self, node: NodeId, lock: LockId, request: RequestId) -> Option<Change> {
        let change = self.settle(node, |wait| (wait.lock, wait.request) == (lock, request));
        *self.entries.entry(lock).or_default() += 1;
        let other =
            self.waiting.get_mut(node.index()).and_then(|waits| waits.iter_mut().find(|wait| wait.lock == lock));
        if let Some(wait) = other {
            wait.enter_another_unit();
        }
        change
    }

    fn delivered(&mut self, at: StepId, message: &MessageId, kind: &MessageKind) -> Option<Change> {
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
        self.arrive(asked).then_some(Change::Arrived(asked))
    }

    /// In the bakery algorithm, records a step of a process that may be in the doorway.
    fn passes(&mut self, at: StepId, kind: &MessageKind, body: &Json) -> Option<Change> {
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
        wait.begin_count(self.entries.get(&wait.lock).copied().unwrap_or_default());
        wait.has_arrived().then_some(Change::Arrived(wait.step))
    }

    /// Ends the waits of a node for which `is_over` is true. Returns the largest bypass counts of these waits.
    fn settle(&mut self, node: NodeId, is_over: impl Fn(&Wait) -> bool) -> Option<Change> {
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
        most.map(Change::Over)
    }

    fn take(&mut self, node: NodeId, is_over: impl Fn(&Wait) -> bool) -> Option<Wait> {
        let waits = self.waiting.get_mut(node.index())?;
        let place = waits.iter().position(is_over)?;
        Some(waits.remove(place))
    }
}

/// Returns whether requests of a run arrive when their process has passed a doorway.
fn has_doorway(specification: &Specification) -> bool {
    conduct(&specification.algorithm).arrival == Arrival::Doorway
}
