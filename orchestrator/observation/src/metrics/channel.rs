//! What channels cost: what they send besides what the algorithm and the application say.

use std::collections::BTreeMap;

use interlock_algorithm::NodeId;
use interlock_machine::channel::CHANNEL_ACK;
use serde::Serialize;

use interlock_model::event::{Event, What};

/// How many times in a row the same must have been sent again before its receiver counts as one that stays away: by then
/// the time-out no longer doubles.
const STAYS_AWAY: u64 = 6;

/// What channels have sent so far.
#[derive(Clone, Debug, Default)]
pub(super) struct ChannelCost {
    retransmissions: u64,
    acknowledgements: u64,
    delivered: u64,
    taken: u64,
    /// Of each link whose receiver acknowledges nothing: the message that was sent again first, and how many times.
    unanswered: BTreeMap<(NodeId, NodeId), (u64, u64)>,
}

/// What channels sent besides what the algorithm and the application said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, utoipa::ToSchema)]
pub struct ChannelDocument {
    /// Messages that were sent again.
    pub retransmissions: u64,
    /// Acknowledgements.
    pub acknowledgements: u64,
    /// Messages that came and were not let through, or not yet.
    pub kept_back: u64,
    /// Those who have acknowledged nothing although the same was sent to them again and again: dead, cut off, or very slow.
    pub stay_away: Vec<StaysAway>,
}

/// A process from which the channel of another hears nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct StaysAway {
    /// Who sends.
    pub from: NodeId,
    /// Who does not acknowledge it.
    pub to: NodeId,
    /// How many times the same has been sent again since anything was acknowledged.
    pub times: u64,
}

impl ChannelCost {
    /// Takes the next event.
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
