//! The messages or steps that a request still needs in order to arrive.

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;

use interlock_model::event::{MessageKind, StepId};

/// A message and its duplicates: sender, receiver, number.
pub(super) type Receipt = (NodeId, NodeId, u64);

/// Returns the part of a message's id that its duplicates share.
pub(super) const fn receipt(message: &MessageId) -> Receipt {
    (message.from, message.to, message.number)
}

/// A message that has yet to arrive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Awaited {
    /// The step that made the request.
    pub asked: StepId,
    /// Whether the requesting step has sent the message. Otherwise a later step has sent it to pass the request on.
    pub is_first: bool,
    /// Whether its receiver has crashed.
    pub at_crashed: bool,
}

/// A request that has just been received: the same step may pass it on.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub at: StepId,
    pub kind: MessageKind,
    pub asked: StepId,
}

/// The conditions that a request must still meet in order to arrive.
#[derive(Clone, Copy, Debug)]
pub(super) enum Missing {
    /// These messages must be received.
    Messages(Messages),
    /// The process must send messages in this many steps after the given one.
    Steps(u32, u64),
}

/// Counts of a request's messages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Messages {
    /// Number not received yet.
    pub awaited: u32,
    /// Number sent to a crashed process.
    pub at_crashed: u32,
    /// Number sent by the requesting step itself.
    pub sent: u32,
    /// Whether a message sent by the requesting step has been received.
    pub is_heard: bool,
    /// The number of messages sent from which on the request does not need the answer of a crashed process.
    pub enough: u32,
}

impl Messages {
    /// Returns whether the messages have reached all processes that the request needs.
    pub const fn have_arrived(self) -> bool {
        self.awaited == 0 && (self.at_crashed == 0 || (self.is_heard && self.sent >= self.enough))
    }
}
