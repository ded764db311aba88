//! What channels cost: what they send besides what the algorithm and the application say.

use interlock_machine::channel::CHANNEL_ACK;
use serde::Serialize;

use crate::event::{Event, What};

/// What channels have sent so far.
#[derive(Clone, Debug, Default)]
pub(super) struct ChannelCost {
    retransmissions: u64,
    acknowledgements: u64,
    delivered: u64,
    taken: u64,
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
}

impl ChannelCost {
    /// Takes the next event.
    pub fn observe(&mut self, event: &Event) {
        match &event.what {
            what if what.is_heartbeat() => {}
            What::Sent { message_kind, .. } if **message_kind == *CHANNEL_ACK => self.acknowledgements += 1,
            What::Sent { message, .. } if message.copy > 0 => self.retransmissions += 1,
            What::Delivered { message_kind, .. } if **message_kind != *CHANNEL_ACK => self.delivered += 1,
            What::Taken { .. } => self.taken += 1,
            _ => {}
        }
    }

    pub const fn document(&self) -> ChannelDocument {
        ChannelDocument {
            retransmissions: self.retransmissions,
            acknowledgements: self.acknowledgements,
            kept_back: self.delivered.saturating_sub(self.taken),
        }
    }
}
