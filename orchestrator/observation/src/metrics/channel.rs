//! The cost of channels: messages that they send in addition to those of the algorithm and the application.

use std::collections::BTreeMap;

use interlock_algorithm::NodeId;
use interlock_machine::channel::CHANNEL_ACK;
use serde::Serialize;

use interlock_model::event::{Event, What};

/// Number of consecutive retransmissions of a message after which its receiver is listed in `stay_away`. By then the
/// time-out no longer doubles.
const STAYS_AWAY: u64 = 6;

/// Counts of messages that channels have sent so far.
#[derive(Clone, Debug, Default)]
pub(super) struct ChannelCost {
    retransmissions: u64,
    acknowledgements: u64,
    delivered: u64,
    taken: u64,
    /// For each link on which no acknowledgement has followed a retransmission: number of the first message sent
    /// again, and how often it was sent again.
    unanswered: BTreeMap<(NodeId, NodeId), (u64, u64)>,
}

/// Messages that channels sent in addition to those of the algorithm and the application.
#[derive(Clone, Debug, Default, PartialEq, Serialize, utoipa::ToSchema)]
pub struct ChannelDocument {
    /// Messages that were sent again.
    pub retransmissions: u64,
    /// Acknowledgements.
    pub acknowledgements: u64,
    /// Messages that arrived and that the channel has not passed on to the algorithm.
    pub kept_back: u64,
    /// Receivers that do not acknowledge a message although it was sent again many times. They are crashed,
    /// partitioned, or very slow.
    pub stay_away: Vec<StaysAway>,
}

/// A link whose receiver acknowledges no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct StaysAway {
    /// The sender.
    pub from: NodeId,
    /// The receiver that does not acknowledge.
    pub to: NodeId,
    /// Number of times the same message was sent again since the last acknowledgement.
    pub times: u64,
}

impl ChannelCost {
    /// Processes the next event.
    pub fn observe(&mut self, event: &Event) {
        match &event.what {
            what if what.is_heartbeat() => {}
            What::Sent { message_kind, .. } if **message_kind == *CHANNEL_ACK => self.acknowledgements += 1,
            What::Sent { message, .. } if message.copy > 0 => {
                self.retransmissions += 1;
                let (number, times) = self.unanswered.entry((message.from, message.to)).or_insert((message.number, 0));
                *times += u64::from(*number == message.number);
            }
            What::Delivered { at, from, message_kind, .. } if **message_kind == *CHANNEL_ACK => {
                self.unanswered.remove(&(at.node, *from));
            }
            What::Crashed { node, .. } => self.unanswered.retain(|(from, _), _| from != node),
            What::Delivered { .. } => self.delivered += 1,
            What::Taken { .. } => self.taken += 1,
            _ => {}
        }
    }

    pub fn document(&self) -> ChannelDocument {
        let unanswered = self.unanswered.iter().map(|(&(from, to), &(_, times))| StaysAway { from, to, times });
        ChannelDocument {
            retransmissions: self.retransmissions,
            acknowledgements: self.acknowledgements,
            kept_back: self.delivered.saturating_sub(self.taken),
            stay_away: unanswered.filter(|unanswered| unanswered.times >= STAYS_AWAY).collect(),
        }
    }
}
