//! The messages of the paper, independent of which process is the arbiter.

use super::MaekawaMessage;
use crate::contract::Message;
use crate::prelude::*;

/// The kind of a message of the paper, without its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// Asks for the vote.
    Request,
    /// Gives the vote.
    Locked,
    /// The arbiter knows a better request.
    Failed,
    /// Asks for the vote back.
    Inquire,
    /// Gives the vote back before the section. The sender then waits for the vote again.
    Relinquish,
    /// Gives the vote back after the section.
    Release,
}

impl Said {
    /// Returns whether the recipient is an arbiter; otherwise the sender is an arbiter.
    const fn is_for_arbiters(self) -> bool {
        matches!(self, Self::Request | Self::Relinquish | Self::Release)
    }

    /// Returns the message about the vote of `place`, whose current arbiter is `arbiter`.
    pub(super) fn message(self, place: NodeId, arbiter: NodeId, timestamp: u64, clock: u64) -> MaekawaMessage {
        match self {
            said if place != arbiter => MaekawaMessage::InPlace { place, said, timestamp, clock },
            Self::Request => MaekawaMessage::Request { timestamp },
            Self::Locked => MaekawaMessage::Locked { timestamp, clock },
            Self::Failed => MaekawaMessage::Failed { timestamp, clock },
            Self::Inquire => MaekawaMessage::Inquire { timestamp, clock },
            Self::Relinquish => MaekawaMessage::Relinquish { timestamp, clock },
            Self::Release => MaekawaMessage::Release { timestamp, clock },
        }
    }

    /// Returns the place that a message is about, the kind of the message, and the time of the request that it names.
    /// Returns none for TAKES-OVER and STATE, which are not in the paper.
    pub(super) fn of(message: MaekawaMessage, from: NodeId, me: NodeId) -> Option<(NodeId, Self, u64)> {
        let (said, timestamp) = match message {
            MaekawaMessage::Request { timestamp } => (Self::Request, timestamp),
            MaekawaMessage::Locked { timestamp, .. } => (Self::Locked, timestamp),
            MaekawaMessage::Failed { timestamp, .. } => (Self::Failed, timestamp),
            MaekawaMessage::Inquire { timestamp, .. } => (Self::Inquire, timestamp),
            MaekawaMessage::Relinquish { timestamp, .. } => (Self::Relinquish, timestamp),
            MaekawaMessage::Release { timestamp, .. } => (Self::Release, timestamp),
            MaekawaMessage::InPlace { place, said, timestamp, .. } => return Some((place, said, timestamp)),
            MaekawaMessage::TakesOver { .. } | MaekawaMessage::State { .. } => return None,
        };
        Some((if said.is_for_arbiters() { me } else { from }, said, timestamp))
    }
}

impl MaekawaMessage {
    /// Returns the clock of the sender. A REQUEST carries no separate clock: its timestamp was the sender's clock.
    pub(super) fn clock(mut self) -> u64 {
        let mut clock = 0;
        self.show_times(&mut |_, time| clock = *time);
        clock
    }
}
