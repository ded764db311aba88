//! The messages or steps that a request still needs before it has arrived.

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;

use interlock_model::event::{MessageKind, StepId};

/// Identifies a message together with its duplicates: sender, receiver, number.
pub(super) type Receipt = (NodeId, NodeId, u64);

/// Returns the part of a message's id that is the same for all duplicates of the message.
pub(super) const fn receipt(message: &MessageId) -> Receipt {
    (message.from, message.to, message.number)
}

/// A message that must still be received before a request has arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Awaited {
    /// The step that made the request.
    pub asked: StepId,
    /// Whether the requesting step itself has sent the message. If not, a later step has sent the message to pass the
    /// request on.
    pub is_first: bool,
    /// Whether the receiver of the message has crashed.
    pub at_crashed: bool,
}

/// A message of a request that has just been received. The receiving step may pass the request on.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub at: StepId,
    pub kind: MessageKind,
    pub asked: StepId,
}

/// The conditions that must still be fulfilled before a request has arrived.
#[derive(Clone, Copy, Debug)]
pub(super) enum Missing {
    /// These messages must be received.
    Messages(Messages),
    /// The first number counts the steps in which the process must still send messages. The second number is the latest
    /// step that has been counted.
    Steps(u32, u64),
}

/// Counts of the messages that carry a request.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Messages {
    /// Number of messages to live processes that have not been received yet.
    pub awaited: u32,
    /// Number of messages to crashed processes that have not been received.
    pub at_crashed: u32,
    /// Number of messages that the requesting step itself has sent.
    pub sent: u32,
    /// Whether at least one message that the requesting step itself sent has been received.
    pub is_heard: bool,
    /// If the requesting step has sent at least this many messages, the request does not need the answers of crashed
    /// processes.
    pub enough: u32,
}

impl Messages {
    /// Returns whether the request has reached all processes that it needs.
    pub const fn have_arrived(self) -> bool {
        self.awaited == 0 && (self.at_crashed == 0 || (self.is_heard && self.sent >= self.enough))
    }
}
