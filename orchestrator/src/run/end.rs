//! The network's end of a node: what waits to be handed to it, and how far its reports have come.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{CommandItem, InputItem};
use tokio::sync::{Notify, oneshot};

use super::taken::Taken;
use crate::supervisor::Process;
use interlock_model::event::{Json, MessageKind, TimerLabel};
use interlock_model::network::{InFlight, Payload};

/// The most reports that may be kept because one before them is missing.
pub(super) const MOST_EARLY_REPORTS: usize = 64;

/// An input that waits to be handed to a node.
#[derive(Debug)]
pub(super) enum Waiting {
    Start,
    Restart(Option<Json>),
    Message(InFlight<Payload>),
    Command(CommandItem),
    Timer(TimerLabel),
}

/// The network's end of a node.
#[derive(Debug, Default)]
pub(super) struct NodeEnd {
    /// Which life of the node is being lived; 0 before the first.
    pub incarnation: u32,
    pub secret: String,
    pub process: Option<Process>,
    /// Where the node listens, once it has said so.
    pub url: Option<Arc<str>>,
    /// The event that told of the latest pause, so that the end of an earlier one does not end it.
    pub paused_at: u64,
    /// Whether the death of the process was ordered.
    pub crash_ordered: bool,
    /// How the process ended, in the words of the operating system.
    pub last_words: String,
    /// What to hand to the node when it has said hello.
    pub first_input: Option<Waiting>,
    pub outbox: VecDeque<Waiting>,
    /// How many inputs were put into the outbox in this life, and how many of them are done with: taken and reported,
    /// or lost. They are taken in order.
    pub put: u64,
    pub taken: u64,
    /// Wakes the task that hands over what is in the outbox.
    pub wake: Arc<Notify>,
    /// The messages in the outbox, or handed over and not reported yet.
    pub handed: HashMap<MessageId, MessageKind>,
    /// Whether it was told to begin and has not reported it yet.
    pub begins: bool,
    /// The messages that have reached it where a schedule says when it takes them.
    pub reached: Vec<InFlight<Payload>>,
    /// How many things it has yet to take that a schedule says it took before it was paused, though it is paused.
    pub late: usize,
    /// How the schedule says that the process ended, if not by order.
    pub death: Option<String>,
    /// The timers that were told to run out, and have not been reported yet.
    pub fired: Vec<TimerLabel>,
    /// The messages of the batch under way.
    pub under_way: HashSet<MessageId>,
    pub next_batch: u64,
    pub next_report: u64,
    pub next_step: u64,
    pub last_report: Option<(u64, u64)>,
    pub early: BTreeMap<u64, axum::body::Bytes>,
    /// The number of the next order in this life.
    pub next_command: u64,
    pub commands: HashMap<u64, oneshot::Sender<Taken>>,
}

impl NodeEnd {
    /// Begins a new life.
    pub fn reborn(&mut self, secret: String, first_input: Waiting) {
        let incarnation = self.incarnation + 1;
        let wake = Arc::clone(&self.wake);
        *self = Self { incarnation, secret, wake, first_input: Some(first_input), ..Self::default() };
        (self.next_batch, self.next_report, self.next_step, self.next_command) = (1, 1, 1, 1);
    }

    /// Puts an input at the end of the queue.
    pub fn put(&mut self, input: Waiting) {
        match &input {
            Waiting::Message(in_flight) => {
                self.handed.insert(in_flight.id, in_flight.content.kind.clone());
            }
            Waiting::Start | Waiting::Restart(_) => self.begins = true,
            Waiting::Timer(timer) => self.fired.push(timer.clone()),
            // It is among the commands already.
            Waiting::Command(_) => {}
        }
        self.outbox.push_back(input);
        self.put += 1;
        self.wake.notify_one();
    }

    /// Forgets a timer in the outbox that was told to run out and is pending no more.
    pub fn withdraw_timer(&mut self, timer: &TimerLabel) {
        let is_it = |input: &Waiting| matches!(input, Waiting::Timer(waiting) if waiting == timer);
        if let Some(place) = self.outbox.iter().position(is_it) {
            self.outbox.remove(place);
            self.fired.retain(|fired| fired != timer);
            self.taken += 1;
        }
    }

    /// Forgets what was handed over and is lost, so that only what is still in the outbox is expected.
    pub fn expect_only_what_waits(&mut self) {
        let Self { outbox, commands, fired, begins, .. } = self;
        let waits = |is: &dyn Fn(&Waiting) -> bool| outbox.iter().any(is);
        commands.retain(|id, _| waits(&|input| matches!(input, Waiting::Command(command) if command.id == *id)));
        fired.retain(|label| waits(&|input| matches!(input, Waiting::Timer(timer) if timer == label)));
        *begins = waits(&|input| matches!(input, Waiting::Start | Waiting::Restart(_)));
        self.taken = self.put - outbox.len() as u64;
    }

    /// Forgets everything that was for it; what was lost is returned, in order.
    pub fn forget_inputs(&mut self) -> Vec<(MessageId, MessageKind)> {
        self.outbox.clear();
        self.first_input = None;
        self.expect_only_what_waits();
        let reached = self.reached.drain(..).map(|in_flight| (in_flight.id, in_flight.content.kind));
        let mut lost: Vec<_> = self.handed.drain().chain(reached).collect();
        lost.sort_unstable_by_key(|(message, _)| *message);
        lost
    }

    /// How many inputs that are no messages wait or are not reported yet.
    pub fn pending_inputs(&self) -> usize {
        self.commands.len() + self.fired.len() + usize::from(self.begins || self.first_input.is_some())
    }
}

impl Waiting {
    /// As it is written on the wire.
    pub fn item(&self) -> InputItem<Json> {
        match self {
            Self::Start => InputItem::Start {},
            Self::Restart(stored) => InputItem::Restart { stored: stored.clone() },
            Self::Message(in_flight) => InputItem::Message(interlock_machine::wire::Delivery {
                id: in_flight.id,
                from: in_flight.id.from,
                kind: in_flight.content.kind.to_string(),
                body: in_flight.content.body.clone(),
                header: in_flight.content.header,
            }),
            Self::Command(command) => InputItem::Command(command.clone()),
            Self::Timer(timer) => InputItem::Timer(timer.clone()),
        }
    }
}
