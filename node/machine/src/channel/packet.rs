//! What channels say to each other.

use interlock_algorithm::Message;
use serde::{Deserialize, Serialize};

use crate::application::{TELL, Told};

/// The kind of the messages by which a channel says what has arrived, which no algorithm knows.
pub const CHANNEL_ACK: &str = "CHANNEL-ACK";

/// How many numbers an acknowledgement tells of besides: as many bits as every reader of JSON keeps.
pub(super) const MOST_BEYOND: u64 = 52;

/// What a process says to another: its algorithm or its client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Said<M> {
    /// A message of the algorithm.
    Protocol(M),
    /// A message of the application.
    Told(Told),
}

impl<M: Message> Said<M> {
    /// Its kind, as in the paper.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Protocol(message) => message.kind(),
            Self::Told(_) => TELL,
        }
    }
}

/// What a channel sends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Packet<M> {
    /// Something that a process says, with its place among all that it says to this one.
    Data {
        /// The place.
        header: Header,
        /// What it says.
        said: Said<M>,
    },
    /// What has arrived.
    Acknowledgement(Acknowledgement),
}

impl<M: Message> Packet<M> {
    /// Its kind: that of what is said, or [`CHANNEL_ACK`].
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Data { said, .. } => said.kind(),
            Self::Acknowledgement(_) => CHANNEL_ACK,
        }
    }
}

impl<M> Packet<M> {
    /// The same, with something in the place of what the algorithm says; none if there is nothing to put there.
    pub fn try_map<N>(self, put: impl FnOnce(M) -> Option<N>) -> Option<Packet<N>> {
        Some(match self {
            Self::Data { header, said: Said::Protocol(message) } => {
                Packet::Data { header, said: Said::Protocol(put(message)?) }
            }
            Self::Data { header, said: Said::Told(told) } => Packet::Data { header, said: Said::Told(told) },
            Self::Acknowledgement(acknowledgement) => Packet::Acknowledgement(acknowledgement),
        })
    }

    /// The same, of which what the algorithm says is borrowed.
    pub const fn as_ref(&self) -> Packet<&M> {
        match self {
            Self::Data { header, said: Said::Protocol(message) } => {
                Packet::Data { header: *header, said: Said::Protocol(message) }
            }
            Self::Data { header, said: Said::Told(told) } => Packet::Data { header: *header, said: Said::Told(*told) },
            Self::Acknowledgement(acknowledgement) => Packet::Acknowledgement(*acknowledgement),
        }
    }
}

/// The place of a message among all that one life of a process says to another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Which life of the sender says it.
    pub life: u32,
    /// Which life of the receiver it is meant for, as far as the sender knows.
    pub to_life: u32,
    /// Its number, from 1.
    pub number: u64,
    /// The lowest number that the sender can still send again: what is below has arrived or will never come.
    pub oldest: u64,
    /// Whether it was sent before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// What has arrived of what one life of a process has said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Acknowledgement {
    /// Which life of the receiver says so.
    pub life: u32,
    /// Of which life of the sender.
    pub of: u32,
    /// All numbers up to this one have arrived.
    pub received: u64,
    /// And these of the 52 after the next: bit 0 stands for `received` + 2.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub beyond: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Acknowledgement {
    /// Whether a number has arrived.
    #[must_use]
    pub const fn covers(&self, number: u64) -> bool {
        if number <= self.received {
            return true;
        }
        let place = number - self.received;
        place >= 2 && place < MOST_BEYOND + 2 && self.beyond >> (place - 2) & 1 == 1
    }
}
