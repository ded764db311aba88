//! The network's endpoint for a node: the queue of the node's inputs, and the state of its reports.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{CommandItem, InputItem};
use tokio::sync::{Notify, oneshot};

use super::taken::Taken;
use crate::supervisor::Process;
use interlock_model::event::{Json, MessageKind, TimerLabel};
use interlock_model::network::{InFlight, Payload};

/// Maximum number of reports that are stored because an earlier report has not arrived yet.
pub(super) const MOST_EARLY_REPORTS: usize = 64;

/// An input in the queue of a node.
#[derive(Debug)]
pub(super) enum Waiting {
    Start,
    Restart(Option<Json>),
    Message(InFlight<Payload>),
    Command(CommandItem),
    Timer(TimerLabel),
}

/// The network's endpoint for a node.
#[derive(Debug, Default)]
pub(super) struct NodeEnd {
    /// Number of the node's present incarnation; 0 before the first incarnation.
    pub incarnation: u32,
    pub secret: String,
    pub process: Option<Process>,
    /// Address at which the node listens; none until the node has reported it.
    pub url: Option<Arc<str>>,
    /// The `seq` of the event that reported the latest pause. If an earlier pause has a time limit, this number
    /// prevents that limit from ending the latest pause.
    pub paused_at: u64,
    /// Whether the run itself has ordered the crash of the process.
    pub crash_ordered: bool,
    /// How the process ended, as the operating system describes it.
    pub last_words: String,
    /// First input of the node, which is queued after the hello of the node.
    pub first_input: Option<Waiting>,
    pub outbox: VecDeque<Waiting>,
    /// `put` is the number of inputs that were put into the outbox in this incarnation. `taken` is the number of
    /// inputs that are finished: the node has reported them, or they were lost. Nodes handle inputs in order.
    pub put: u64,
    pub taken: u64,
    /// Wakes the task that posts the inputs in the outbox.
    pub wake: Arc<Notify>,
    /// Messages in the outbox, and posted messages that the node has not reported yet.
    pub handed: HashMap<MessageId, MessageKind>,
    /// Whether the node has been ordered to start and has not yet reported its start.
    pub begins: bool,
    /// Messages that have arrived at the node, but that it handles only at a later action of the schedule.
    pub reached: Vec<InFlight<Payload>>,
    /// Number of inputs that the paused node must still handle, because it handles them before the pause according
    /// to the schedule.
    pub late: usize,
    /// How the process ends according to the schedule, if its end was not ordered.
    pub death: Option<String>,
    /// Timers that were made to expire, and whose expiry the node has not reported yet.
    pub fired: Vec<TimerLabel>,
    /// Messages of the posted batch that the node has not reported yet.
    pub under_way: HashSet<MessageId>,
    pub next_batch: u64,
    pub next_report: u64,
    pub next_step: u64,
    pub last_report: Option<(u64, u64)>,
    pub early: BTreeMap<u64, axum::body::Bytes>,
    /// Number of the next command in this incarnation.
    pub next_command: u64,
    pub commands: HashMap<u64, oneshot::Sender<Taken>>,
}

impl NodeEnd {
    /// Begins a new incarnation, with a new secret and a first input.
    pub fn reborn(&mut self, secret: String, first_input: Waiting) {
        let incarnation = self.incarnation + 1;
        let wake = Arc::clone(&self.wake);
        *self = Self { incarnation, secret, wake, first_input: Some(first_input), ..Self::default() };
        (self.next_batch, self.next_report, self.next_step, self.next_command) = (1, 1, 1, 1);
    }

    /// Puts an input at the end of the outbox.
    pub fn put(&mut self, input: Waiting) {
        match &input {
            Waiting::Message(in_flight) => {
                self.handed.insert(in_flight.id, in_flight.content.kind.clone());
            }
            Waiting::Start | Waiting::Restart(_) => self.begins = true,
            Waiting::Timer(timer) => self.fired.push(timer.clone()),
            // The command is already in `commands`.
            Waiting::Command(_) => {}
        }
        self.outbox.push_back(input);
        self.put += 1;
        self.wake.notify_one();
    }

    /// Removes the expiry of a timer from the outbox, since the node has cancelled or replaced the timer.
    pub fn withdraw_timer(&mut self, timer: &TimerLabel) {
        let is_it = |input: &Waiting| matches!(input, Waiting::Timer(waiting) if waiting == timer);
        if let Some(place) = self.outbox.iter().position(is_it) {
            self.outbox.remove(place);
            self.fired.retain(|fired| fired != timer);
            self.taken += 1;
        }
    }

    /// Forgets inputs that were posted but are lost. From then on, only reports about inputs in the outbox are
    /// valid.
    pub fn expect_only_what_waits(&mut self) {
        let Self { outbox, commands, fired, begins, .. } = self;
        let waits = |is: &dyn Fn(&Waiting) -> bool| outbox.iter().any(is);
        commands.retain(|id, _| waits(&|input| matches!(input, Waiting::Command(command) if command.id == *id)));
        fired.retain(|label| waits(&|input| matches!(input, Waiting::Timer(timer) if timer == label)));
        *begins = waits(&|input| matches!(input, Waiting::Start | Waiting::Restart(_)));
        self.taken = self.put - outbox.len() as u64;
    }

    /// Forgets all inputs of the node. Returns the messages that are lost, in order.
    pub fn forget_inputs(&mut self) -> Vec<(MessageId, MessageKind)> {
        self.outbox.clear();
        self.first_input = None;
        self.expect_only_what_waits();
        let reached = self.reached.drain(..).map(|in_flight| (in_flight.id, in_flight.content.kind));
        let mut lost: Vec<_> = self.handed.drain().chain(reached).collect();
        lost.sort_unstable_by_key(|(message, _)| *message);
        lost
    }

    /// Returns the number of inputs, other than messages, that the node has not reported yet.
    pub fn pending_inputs(&self) -> usize {
        self.commands.len() + self.fired.len() + usize::from(self.begins || self.first_input.is_some())
    }
}

impl Waiting {
    /// Returns the input in the form in which it is sent to the node.
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
