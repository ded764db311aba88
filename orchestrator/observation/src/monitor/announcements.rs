//! The messages with which processes announce their requests, and which of them have not arrived.
//!
//! The messages that a process sends in the step of its request announce the request. Until they have arrived, no other
//! process can know of it.

use crate::state::NamedMessage;
use interlock_algorithm::{FlatMap, NodeId, Outcome};
use interlock_machine::message_id::MessageId;
use interlock_model::event::{Event, MessageKind, StepId, What};

/// The announcements of the latest request of each process.
#[derive(Debug, Default)]
pub(super) struct Announcements {
    latest: FlatMap<NodeId, Announcement>,
}

/// The messages that announce one request.
#[derive(Debug)]
pub(super) struct Announcement {
    /// The step in which the process made the request.
    at: StepId,
    /// Number of messages that were sent.
    pub(super) sent: usize,
    /// The messages that were neither received nor lost.
    pub(super) in_transit: Vec<NamedMessage>,
}

impl Announcements {
    /// Returns the announcements of the latest request of a process.
    pub(super) fn of(&self, node: NodeId) -> Option<&Announcement> {
        self.latest.get(&node)
    }

    /// Returns whether the latest request of a process has arrived wherever it was announced. `step` is the step to
    /// which the current event belongs: in the step of the request, announcements may still follow.
    pub(super) fn have_arrived(&self, node: NodeId, step: Option<&StepId>) -> bool {
        let has_arrived = |one: &Announcement| one.in_transit.is_empty() && step != Some(&one.at);
        self.of(node).is_none_or(has_arrived)
    }

    /// Returns whether a message announces a request, or is the end of such a message.
    pub(super) fn concern(&self, event: &Event) -> bool {
        match &event.what {
            What::Sent { at, .. } => self.of(at.node).is_some_and(|announcement| announcement.at == *at),
            What::Delivered { message, .. }
            | What::Dropped { message, .. }
            | What::Refused { message: Some(message), .. } => {
                self.of(message.from).is_some_and(|announcement| !announcement.in_transit.is_empty())
            }
            _ => false,
        }
    }

    /// Processes the next event.
    pub(super) fn observe(&mut self, event: &Event) {
        match &event.what {
            What::Sent { at, message, message_kind, .. } => self.sent(*at, *message, message_kind),
            What::Delivered { message, .. }
            | What::Dropped { message, .. }
            | What::Refused { message: Some(message), .. } => self.ended(*message),
            What::Outcome { at, outcome: Outcome::Requested { .. } } => self.requested(*at),
            What::Crashed { node, .. } => _ = self.latest.remove(node),
            _ => {}
        }
    }

    /// Begins a new announcement. Requests for several locks in one step have one announcement.
    fn requested(&mut self, at: StepId) {
        if self.of(at.node).is_none_or(|announcement| announcement.at != at) {
            self.latest.insert(at.node, Announcement { at, sent: 0, in_transit: Vec::new() });
        }
    }

    fn sent(&mut self, at: StepId, message: MessageId, kind: &MessageKind) {
        if let Some(announcement) = self.latest.get_mut(&at.node).filter(|announcement| announcement.at == at) {
            announcement.sent += 1;
            announcement.in_transit.push(NamedMessage { message, message_kind: kind.clone() });
        }
    }

    /// Handles the arrival or the loss of a message. A copy that the network made counts as the message itself.
    fn ended(&mut self, MessageId { from, to, number, .. }: MessageId) {
        if let Some(announcement) = self.latest.get_mut(&from) {
            announcement.in_transit.retain(|one| (one.message.to, one.message.number) != (to, number));
        }
    }
}
