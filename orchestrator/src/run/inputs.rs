//! The inputs of one node, from queueing to completion. An input waits in the outbox until the next batch is posted to
//! the node. The input stays pending until the node reports that it has handled the input.

use std::collections::VecDeque;
use std::sync::Arc;

use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{CommandItem, Delivery, InputItem, Order};
use rustc_hash::{FxHashMap, FxHashSet};
use tokio::sync::{Notify, oneshot};

use super::taken::Taken;
use interlock_model::event::{Json, MessageKind, TimerLabel};
use interlock_model::impossible::MOST_WAITING_ORDERS;
use interlock_model::network::{InFlight, Payload};

/// Maximum number of messages that may wait for one node.
const MOST_WAITING: usize = 100_000;

/// The inputs of a node's present incarnation.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    /// First input of the node, which is queued after the hello of the node.
    first: Option<InputItem<Json>>,
    outbox: VecDeque<InputItem<Json>>,
    /// `put` is the number of inputs that were put into the outbox in this incarnation. `taken` is the number of
    /// inputs that are finished: the node has reported them, or they were lost. Nodes handle inputs in order.
    put: u64,
    taken: u64,
    /// Wakes the task that posts the inputs in the outbox.
    wake: Arc<Notify>,
    /// Messages in the outbox, and posted messages that the node has not reported yet.
    handed: FxHashMap<MessageId, MessageKind>,
    /// Whether the node has been ordered to start and has not yet reported its start.
    begins: bool,
    /// Messages that have arrived at the node, but that it handles only at a later action of the schedule.
    reached: Vec<InFlight<Payload>>,
    /// Timers that were made to expire, and whose expiry the node has not reported yet.
    fired: Vec<TimerLabel>,
    /// Messages of the posted batch that the node has not reported yet.
    under_way: FxHashSet<MessageId>,
    next_batch: u64,
    /// Number of the next command in this incarnation.
    next_command: u64,
    commands: FxHashMap<u64, Unanswered>,
}

/// A command that the node has not handled yet.
#[derive(Debug)]
struct Unanswered {
    result: oneshot::Sender<Result<Taken, String>>,
    releases: bool,
}

impl Inputs {
    /// Begins a new incarnation, whose first input is `first`.
    pub fn begin(&mut self, first: InputItem<Json>) {
        let wake = Arc::clone(&self.wake);
        *self = Self { first: Some(first), wake, next_batch: 1, next_command: 1, ..Self::default() };
    }

    /// Queues the first input of the node.
    pub fn give_first(&mut self) {
        if let Some(input) = self.first.take() {
            self.put(input);
            // Other inputs may have arrived while the node was starting. The first input must precede them.
            self.outbox.rotate_right(1);
        }
    }

    /// Whether so many messages wait for the node that it accepts no further message.
    pub fn is_full(&self) -> bool {
        self.handed.len() >= MOST_WAITING
    }

    /// Queues a message.
    pub fn deliver(&mut self, InFlight { id, content: Payload { kind, body, header } }: InFlight<Payload>) {
        self.put(InputItem::Message(Delivery { id, from: id.from, kind: kind.to_string(), body, header }));
        self.handed.insert(id, kind);
    }

    /// Queues a command. The returned receiver gets the result. Returns none if there are too many pending
    /// commands.
    pub fn order(&mut self, order: Order) -> Option<oneshot::Receiver<Result<Taken, String>>> {
        if self.commands.len() >= MOST_WAITING_ORDERS {
            return None;
        }
        let (sender, receiver) = oneshot::channel();
        let releases = matches!(order, Order::Release { .. });
        self.commands.insert(self.next_command, Unanswered { result: sender, releases });
        self.put(InputItem::Command(CommandItem { id: self.next_command, order }));
        self.next_command += 1;
        Some(receiver)
    }

    /// Queues the expiry of a timer. Returns false if the timer has already been made to expire.
    pub fn fire(&mut self, timer: TimerLabel) -> bool {
        let is_new = !self.fired.contains(&timer);
        if is_new {
            self.fired.push(timer.clone());
            self.put(InputItem::Timer(timer));
        }
        is_new
    }

    /// Puts an input at the end of the outbox.
    fn put(&mut self, input: InputItem<Json>) {
        self.begins |= is_first(&input);
        self.outbox.push_back(input);
        self.put += 1;
        self.wake();
    }

    /// Wakes the task that posts the inputs.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// Returns the signal that wakes the task that posts the inputs.
    pub fn signal(&self) -> Arc<Notify> {
        Arc::clone(&self.wake)
    }

    /// Stores a message that has arrived, until an action of the schedule delivers it.
    pub fn reach(&mut self, in_flight: InFlight<Payload>) {
        self.reached.push(in_flight);
    }

    /// Removes `message` from the messages that have arrived, and returns it. Returns none if it has not arrived.
    pub fn take_reached(&mut self, message: MessageId) -> Option<InFlight<Payload>> {
        let place = self.reached.iter().position(|in_flight| in_flight.id == message)?;
        Some(self.reached.remove(place))
    }

    /// Removes all messages that have arrived.
    pub fn take_all_reached(&mut self) -> Vec<InFlight<Payload>> {
        std::mem::take(&mut self.reached)
    }

    /// Removes up to `most` inputs from the outbox, which form the next batch. Returns the inputs and the number of the
    /// batch, or none if the outbox is empty.
    pub fn next_batch(&mut self, most: usize) -> Option<(u64, Vec<InputItem<Json>>)> {
        let count = self.outbox.len().min(most);
        if count == 0 {
            return None;
        }
        let items: Vec<_> = self.outbox.drain(..count).collect();
        self.under_way.extend(items.iter().filter_map(|item| match item {
            InputItem::Message(delivery) => Some(delivery.id),
            _ => None,
        }));
        self.next_batch += 1;
        Some((self.next_batch - 1, items))
    }

    /// Records that the node has handled a message. Returns the kind of the message, or none if the message was not
    /// delivered.
    pub fn handled_message(&mut self, message: MessageId) -> Option<MessageKind> {
        let kind = self.handed.remove(&message)?;
        self.under_way.remove(&message);
        Some(kind)
    }

    /// Records that the node has handled the expiry of a timer. Returns false if the timer was not made to expire.
    pub fn handled_timer(&mut self, timer: &TimerLabel) -> bool {
        let place = self.fired.iter().position(|fired| fired == timer);
        place.map(|place| self.fired.swap_remove(place)).is_some()
    }

    /// Records that the node has handled its first input. Returns false if the node was not ordered to start.
    pub const fn handled_first(&mut self) -> bool {
        std::mem::replace(&mut self.begins, false)
    }

    pub fn has_command(&self, command: u64) -> bool {
        self.commands.contains_key(&command)
    }

    /// Records that the node has handled a command. Returns the sender for the result.
    pub fn handled_command(&mut self, command: u64) -> Option<oneshot::Sender<Result<Taken, String>>> {
        self.commands.remove(&command).map(|command| command.result)
    }

    /// Whether the node has been ordered to release a lock and has not handled the order.
    pub fn is_releasing(&self) -> bool {
        self.commands.values().any(|command| command.releases)
    }

    /// Counts an input that the node has handled.
    pub const fn count_handled(&mut self) {
        self.taken += 1;
    }

    /// Returns the number of inputs in this incarnation so far.
    pub const fn count(&self) -> u64 {
        self.put
    }

    /// Whether the first `count` inputs of this incarnation are finished.
    pub const fn has_finished(&self, count: u64) -> bool {
        self.taken >= count
    }

    /// Removes the expiry of a timer from the outbox, since the node has cancelled or replaced the timer.
    pub fn withdraw_timer(&mut self, timer: &TimerLabel) {
        let is_it = |input: &InputItem<Json>| matches!(input, InputItem::Timer(waiting) if waiting == timer);
        if let Some(place) = self.outbox.iter().position(is_it) {
            self.outbox.remove(place);
            self.fired.retain(|fired| fired != timer);
            self.taken += 1;
        }
    }

    /// Forgets the inputs of the posted batch. Returns the messages of the batch, which are lost, in the order of their
    /// ids.
    pub fn lose_posted(&mut self) -> Vec<(MessageId, MessageKind)> {
        let Self { under_way, handed, .. } = self;
        let lost = under_way.drain().filter_map(|message| Some((message, handed.remove(&message)?)));
        let lost = in_order(lost.collect());
        self.expect_only_what_waits();
        lost
    }

    /// Forgets all inputs of the node. Returns the messages that are lost, in the order of their ids.
    pub fn forget(&mut self) -> Vec<(MessageId, MessageKind)> {
        self.outbox.clear();
        self.first = None;
        self.expect_only_what_waits();
        self.wake();
        let reached = self.reached.drain(..).map(|in_flight| (in_flight.id, in_flight.content.kind));
        in_order(self.handed.drain().chain(reached).collect())
    }

    /// Forgets inputs that were posted but are lost. Afterwards, a report is valid only if it is about an input that
    /// is still in the outbox.
    fn expect_only_what_waits(&mut self) {
        let Self { outbox, commands, fired, begins, .. } = self;
        let waits = |is: &dyn Fn(&InputItem<Json>) -> bool| outbox.iter().any(is);
        commands.retain(|id, _| waits(&|input| matches!(input, InputItem::Command(command) if command.id == *id)));
        fired.retain(|label| waits(&|input| matches!(input, InputItem::Timer(timer) if timer == label)));
        *begins = waits(&is_first);
        self.taken = self.put - outbox.len() as u64;
    }

    /// Returns the number of inputs, other than messages, that the node has not reported yet.
    pub fn pending(&self) -> usize {
        self.commands.len() + self.fired.len() + usize::from(self.begins || self.first.is_some())
    }
}

fn in_order(mut messages: Vec<(MessageId, MessageKind)>) -> Vec<(MessageId, MessageKind)> {
    messages.sort_unstable_by_key(|(message, _)| *message);
    messages
}

/// Whether the input is the first input of an incarnation.
const fn is_first(input: &InputItem<Json>) -> bool {
    matches!(input, InputItem::Start {} | InputItem::Restart { .. })
}

#[cfg(test)]
mod tests {
    use interlock_machine::wire::TimerName;

    use super::*;

    /// An input that is withdrawn is finished, so that whoever waits for the inputs before it can go on.
    #[test]
    fn a_withdrawn_timer_is_finished() {
        let mut inputs = Inputs::default();
        let timer = || TimerName::Algorithm(Json::of(&"patience").expect("JSON"));
        assert!(inputs.fire(timer()) && !inputs.fire(timer()), "a timer expires once");
        assert_eq!((inputs.count(), inputs.pending(), inputs.has_finished(1)), (1, 1, false));
        inputs.withdraw_timer(&timer());
        assert_eq!((inputs.pending(), inputs.has_finished(1)), (0, true));
        assert_eq!(inputs.next_batch(10).map(|(_, items)| items.len()), None, "it is not posted");
    }
}
