//! What the messages of the paper say, whoever is the arbiter.

use super::MaekawaMessage;
use crate::prelude::*;

/// What a message of the paper says of the request that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// Asks for the vote.
    Request,
    /// The vote.
    Locked,
    /// A better request is known.
    Failed,
    /// Asks for the vote back.
    Inquire,
    /// Gives the vote back, and waits for it.
    Relinquish,
    /// Gives the vote back for good.
    Release,
}

impl Said {
    /// Whether it is said to an arbiter, and not by one.
    pub(super) const fn is_for_arbiters(self) -> bool {
        matches!(self, Self::Request | Self::Relinquish | Self::Release)
    }

    /// The message that says this of the vote of a place in which `arbiter` is.
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

    /// What a message of the paper says, and of which request.
    pub(super) const fn of(message: MaekawaMessage) -> Option<(Self, u64)> {
        Some(match message {
            MaekawaMessage::Request { timestamp } => (Self::Request, timestamp),
            MaekawaMessage::Locked { timestamp, .. } => (Self::Locked, timestamp),
            MaekawaMessage::Failed { timestamp, .. } => (Self::Failed, timestamp),
            MaekawaMessage::Inquire { timestamp, .. } => (Self::Inquire, timestamp),
            MaekawaMessage::Relinquish { timestamp, .. } => (Self::Relinquish, timestamp),
            MaekawaMessage::Release { timestamp, .. } => (Self::Release, timestamp),
            _ => return None,
        })
    }
}

impl MaekawaMessage {
    /// The clock of its sender; that of a REQUEST was its time.
    pub(super) fn clock(mut self) -> u64 {
        self.times_mut().into_iter().flatten().last().map_or(0, |clock| *clock)
    }

    /// The time of the request that it is about and its sender's clock, as far as it carries them.
    pub(super) fn times_mut(&mut self) -> [Option<&mut u64>; 2] {
        match self {
            Self::Request { timestamp } => [Some(timestamp), None],
            Self::TakesOver { clock, .. } => [None, Some(clock)],
            Self::State { timestamp, clock, .. } => [timestamp.as_mut(), Some(clock)],
            Self::Locked { timestamp, clock }
            | Self::Failed { timestamp, clock }
            | Self::Inquire { timestamp, clock }
            | Self::Relinquish { timestamp, clock }
            | Self::Release { timestamp, clock }
            | Self::InPlace { timestamp, clock, .. } => [Some(timestamp), Some(clock)],
        }
    }
}
