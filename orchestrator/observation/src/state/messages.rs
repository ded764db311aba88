//! The messages in the network. Each message is in transit, or is held until a manual action delivers or drops it.

use std::collections::{BTreeMap, BTreeSet};

use interlock_algorithm::NodeId;
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::message_id::MessageId;
use serde::{Deserialize, Serialize};

use interlock_model::event::{Event, Json, MessageKind, What};

/// The status of a message in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MessageStatus {
    /// In transit: the network delivers the message by itself.
    OnTheWay,
    /// Held until a manual action delivers or drops the message.
    Held,
}

/// A message by its name and its kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct NamedMessage {
    /// The name of the message.
    pub message: MessageId,
    /// The kind of the message.
    pub message_kind: MessageKind,
}

/// A message or a duplicate that was sent, and that is neither received nor lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The kind of the message, with its name from the paper.
    pub kind: MessageKind,
    /// The fields of the message, with their names from the paper.
    pub body: Json,
    /// The status of the message.
    pub status: MessageStatus,
    /// Time at which the message got this status, in microseconds since the run began.
    pub since_us: u64,
    /// Time of the message's delivery, in microseconds since the run began. `None` if the network does not deliver the
    /// message by itself.
    pub due_us: Option<u64>,
}

/// All messages in the network. A message that was passed to a node stays here until the node has reported the step
/// that handles it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Messages {
    under_way: BTreeMap<MessageId, Message>,
    /// The message sent last. After losing this message, the network may still duplicate it.
    latest: Option<(MessageId, Message)>,
    held: usize,
    /// Number of messages, including held ones, that are not background traffic.
    foreground: usize,
    /// For each node, the number of messages in transit to it.
    moving: Vec<usize>,
    /// Whether the messages are only counted and not stored.
    #[serde(default)]
    counted_only: bool,
    /// Ids of the held messages. Used only if messages are counted and not stored.
    #[serde(default)]
    held_names: BTreeSet<MessageId>,
    /// The kinds of messages that are background traffic.
    background: Vec<String>,
}

impl Messages {
    /// Returns an empty network of `nodes` nodes.
    pub(super) fn new(nodes: usize, background: &[&str]) -> Self {
        Self {
            under_way: BTreeMap::new(),
            latest: None,
            held: 0,
            foreground: 0,
            moving: vec![0; nodes],
            counted_only: false,
            held_names: BTreeSet::new(),
            background: background.iter().map(ToString::to_string).collect(),
        }
    }

    /// Returns an empty network that counts its messages but does not store them. The numbers of held messages and of
    /// messages in transit show whether anything moves.
    pub(super) fn counted_only(self) -> Self {
        Self { counted_only: true, ..self }
    }

    /// Returns the number of messages in the network, including held ones.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.under_way.len()
    }

    /// Returns the number of held messages.
    #[must_use]
    pub const fn held(&self) -> usize {
        self.held
    }

    /// Returns the message with this id, or `None` if it is not in the network.
    #[must_use]
    pub fn find(&self, id: MessageId) -> Option<&Message> {
        self.under_way.get(&id)
    }

    /// Returns all messages in the network, ordered by link and number.
    pub fn iter(&self) -> impl Iterator<Item = (MessageId, &Message)> {
        self.under_way.iter().map(|(&id, message)| (id, message))
    }

    /// Returns the number of messages that are not background traffic. A token that circulates although no process
    /// wants anything is an example of background traffic.
    #[must_use]
    pub const fn foreground(&self) -> usize {
        self.foreground
    }

    /// Returns whether the algorithm has background traffic: it sends messages and sets timers even if no process
    /// wants anything.
    #[must_use]
    pub fn flows_anyway(&self) -> bool {
        !self.background.is_empty()
    }

    /// Returns the nodes to which messages are in transit. Background traffic counts, since a circulating token can
    /// make a process enter.
    pub(super) fn receivers(&self) -> impl Iterator<Item = NodeId> {
        (0..).map(NodeId).zip(&self.moving).filter(|(_, count)| **count > 0).map(|(node, _)| node)
    }

    pub(super) fn apply(&mut self, event: &Event) {
        if self.counted_only {
            return self.tally(&event.what);
        }
        let since_us = event.at_us;
        match &event.what {
            What::Sent { message, message_kind, body, due_us, .. } => {
                let (kind, body) = (message_kind.clone(), body.clone());
                let sent = Message { kind, body, status: MessageStatus::OnTheWay, since_us, due_us: *due_us };
                self.latest = Some((*message, sent.clone()));
                self.insert(*message, sent);
            }
            What::Duplicated { message, copy, due_us, .. } => self.duplicate(*message, *copy, since_us, *due_us),
            What::Held { message, .. } => self.change(*message, MessageStatus::Held, since_us, None),
            What::Forwarded { message, .. } => {
                self.change(*message, MessageStatus::OnTheWay, since_us, Some(since_us));
            }
            What::Delivered { message, .. }
            | What::Dropped { message, .. }
            | What::Refused { message: Some(message), .. } => {
                self.remove(*message);
            }
            _ => {}
        }
    }

    /// Updates the numbers of held messages and of messages in transit after an event about a message. In a simulation,
    /// only held messages need a record: a dropped message may or may not have been held. For all other events, the
    /// kind of event shows how the numbers change.
    fn tally(&mut self, what: &What) {
        if what.is_heartbeat() {
            return;
        }
        let (to, moving) = match what {
            What::Sent { to, .. } => (*to, 1),
            What::Duplicated { copy, .. } => (copy.to, 1),
            What::Held { message, .. } if self.held_names.insert(*message) => (message.to, -1),
            What::Forwarded { message, .. } if self.held_names.remove(message) => (message.to, 1),
            What::Dropped { message, .. } if self.held_names.remove(message) => (message.to, 0),
            What::Delivered { message, .. } | What::Dropped { message, .. } => (message.to, -1),
            _ => return,
        };
        self.held = self.held_names.len();
        if let Some(count) = self.moving.get_mut(to.index()) {
            *count = count.saturating_add_signed(moving);
        }
    }

    fn duplicate(&mut self, original: MessageId, copy: MessageId, since_us: u64, due_us: Option<u64>) {
        let latest = || self.latest.as_ref().filter(|(id, _)| *id == original).map(|(_, message)| message);
        let Some(message) = self.under_way.get(&original).or_else(latest) else { return };
        let copied = Message { status: MessageStatus::OnTheWay, since_us, due_us, ..message.clone() };
        self.insert(copy, copied);
    }

    fn change(&mut self, id: MessageId, status: MessageStatus, since_us: u64, due_us: Option<u64>) {
        if let Some(message) = self.remove(id) {
            self.insert(id, Message { status, since_us, due_us, ..message });
        }
    }

    fn insert(&mut self, id: MessageId, message: Message) {
        self.count(id.to, &message, 1);
        if let Some(replaced) = self.under_way.insert(id, message) {
            self.count(id.to, &replaced, -1);
        }
    }

    fn remove(&mut self, id: MessageId) -> Option<Message> {
        let message = self.under_way.remove(&id)?;
        self.count(id.to, &message, -1);
        Some(message)
    }

    fn count(&mut self, to: NodeId, message: &Message, change: isize) {
        let is_heartbeat = *message.kind == *HEARTBEAT;
        if !is_heartbeat && self.background.iter().all(|background| **background != *message.kind) {
            self.foreground = self.foreground.saturating_add_signed(change);
        }
        if message.status == MessageStatus::Held {
            self.held = self.held.saturating_add_signed(change);
        } else if is_heartbeat {
            // Heartbeats do not count as moving: their number does not show whether they can still have an effect.
        } else if let Some(moving) = self.moving.get_mut(to.index()) {
            *moving = moving.saturating_add_signed(change);
        }
    }
}
