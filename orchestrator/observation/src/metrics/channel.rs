//! The cost of channels: the messages that channels send in addition to the messages of the algorithm and the
//! application.

use std::collections::BTreeMap;

use interlock_algorithm::NodeId;
use interlock_machine::channel::CHANNEL_ACK;
use serde::Serialize;

use interlock_model::event::{Event, What};

/// After this many retransmissions of one message without an acknowledgement, its link is listed in `stay_away`. By
/// then the time-out of the channel no longer doubles.
const STAYS_AWAY: u64 = 6;

/// Counts of messages that channels have sent so far.
#[derive(Clone, Debug, Default)]
pub(super) struct ChannelCost {
    retransmissions: u64,
    acknowledgements: u64,
    delivered: u64,
    taken: u64,
    /// The links on which a message was retransmitted and no acknowledgement has arrived since. For each link: the
    /// number of the first such message, and how often that message was retransmitted.
    unanswered: BTreeMap<(NodeId, NodeId), (u64, u64)>,
}

/// Messages that channels sent in addition to those of the algorithm and the application.
#[derive(Clone, Debug, Default, PartialEq, Serialize, utoipa::ToSchema)]
pub struct ChannelDocument {
    /// Number of messages that channels sent again.
    pub retransmissions: u64,
    /// Number of acknowledgements sent.
    pub acknowledgements: u64,
    /// Number of messages that arrived and that the receiver's channel has not passed on to the algorithm.
    pub kept_back: u64,
    /// Links whose receiver does not acknowledge a message although the message was sent again many times. The
    /// receiver is crashed, partitioned, or very slow.
    pub stay_away: Vec<StaysAway>,
}

/// A link whose receiver does not acknowledge a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct StaysAway {
    /// The sender.
    pub from: NodeId,
    /// The receiver, which does not acknowledge the message.
    pub to: NodeId,
    /// Number of times that the message was sent again.
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
