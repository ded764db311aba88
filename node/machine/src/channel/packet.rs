//! Packets that the channels of two processes exchange.

use interlock_algorithm::Message;
use serde::{Deserialize, Serialize};

use crate::application::{TELL, Told};

/// Kind of acknowledgements. A channel handles acknowledgements itself and does not pass them on to the algorithm.
pub const CHANNEL_ACK: &str = "CHANNEL-ACK";

/// Number of bits in [`Acknowledgement::beyond`]. Every JSON reader reads an integer of 52 bits without a loss of
/// precision.
pub(super) const MOST_BEYOND: u64 = 52;

/// A message that a process sends to another process: a message of its algorithm, or of its application.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Said<M> {
    /// A message of the algorithm.
    Protocol(M),
    /// A message of the application.
    Told(Told),
}

impl<M: Message> Said<M> {
    /// Returns the kind of the message, as the paper names it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Protocol(message) => message.kind(),
            Self::Told(_) => TELL,
        }
    }
}

/// A packet of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Packet<M> {
    /// A message, with its position in the sequence to this receiver.
    Data {
        /// Position of the message in the sequence.
        header: Header,
        /// The message.
        said: Said<M>,
    },
    /// An acknowledgement of messages that have arrived.
    Acknowledgement(Acknowledgement),
}

impl<M: Message> Packet<M> {
    /// Returns the kind of the message, or [`CHANNEL_ACK`] for an acknowledgement.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Data { said, .. } => said.kind(),
            Self::Acknowledgement(_) => CHANNEL_ACK,
        }
    }
}

impl<M> Packet<M> {
    /// Converts the message of the algorithm in the packet with `put`. If `put` returns `None`, returns `None`. A
    /// packet without such a message stays unchanged.
    pub fn try_map<N>(self, put: impl FnOnce(M) -> Option<N>) -> Option<Packet<N>> {
        Some(match self {
            Self::Data { header, said: Said::Protocol(message) } => {
                Packet::Data { header, said: Said::Protocol(put(message)?) }
            }
            Self::Data { header, said: Said::Told(told) } => Packet::Data { header, said: Said::Told(told) },
            Self::Acknowledgement(acknowledgement) => Packet::Acknowledgement(acknowledgement),
        })
    }
}

/// The position of a message in the sequence from one incarnation of a process to another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Incarnation of the sender.
    pub life: u32,
    /// Latest incarnation of the receiver that the sender knows. The message is addressed to this incarnation.
    pub to_life: u32,
    /// Sequence number of the message, from 1.
    pub number: u64,
    /// Lowest number of a message that the sender can still retransmit. Every message with a lower number has
    /// already arrived, or will never arrive.
    pub oldest: u64,
    /// Whether the packet is a retransmission.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// An acknowledgement: it states which messages from one incarnation of the sender have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acknowledgement {
    /// Incarnation of the receiver.
    pub life: u32,
    /// Incarnation of the sender.
    pub of: u32,
    /// Number of the last message before the first missing message. All messages up to this number have arrived.
    pub received: u64,
    /// Bits for later messages: bit i is set if the message with number `received` + 2 + i has arrived. There are
    /// 52 bits.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub beyond: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Acknowledgement {
    /// Whether the acknowledgement states that the message with number `number` has arrived.
    #[must_use]
    pub const fn covers(&self, number: u64) -> bool {
        if number <= self.received {
            return true;
        }
        let place = number - self.received;
        place >= 2 && place < MOST_BEYOND + 2 && self.beyond >> (place - 2) & 1 == 1
    }
}
