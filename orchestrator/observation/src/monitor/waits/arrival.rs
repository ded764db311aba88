//! The messages or steps that a request still needs in order to arrive.

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;

use interlock_model::event::{MessageKind, StepId};

/// A message and its duplicates: sender, receiver, number.
pub(super) type Receipt = (NodeId, NodeId, u64);

/// Returns what a message has in common with its duplicates.
pub(super) const fn receipt(message: &MessageId) -> Receipt {
    (message.from, message.to, message.number)
}

/// A message that has yet to arrive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Awaited {
    /// The requesting step.
    pub asked: StepId,
    /// Whether the requesting step has sent it, rather than a step that passes the request on.
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

/// The unmet requirements of an arrival.
#[derive(Clone, Copy, Debug)]
pub(super) enum Missing {
    /// Messages must be received.
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
    /// Whether one of the latter has been received.
    pub is_heard: bool,
    /// The smallest value of `sent` at which the request does not need the answer of a crashed process.
    pub enough: u32,
}

impl Messages {
    /// Returns whether all of them are where the request needs them.
    pub const fn have_arrived(self) -> bool {
        self.awaited == 0 && (self.at_crashed == 0 || (self.is_heard && self.sent >= self.enough))
    }
}
