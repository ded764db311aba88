//! Sending side of a channel: it numbers the messages to one process, and keeps each message until it is
//! acknowledged.

use std::collections::VecDeque;

use super::packet::{Acknowledgement, Header, Packet, Said};

/// Maximum number of messages to one process that are kept for retransmission. If there are more, the oldest
/// message is dropped and never retransmitted again.
pub const MOST_KEPT: usize = 1_000;
/// Maximum number of messages in one retransmission.
const MOST_AGAIN: usize = 32;
/// Maximum number of times that the retransmission time-out is doubled.
const MOST_DOUBLED: u32 = 6;

/// State of the transmission of messages to one process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Outgoing<M> {
    /// Latest known incarnation of the receiver.
    to_life: u32,
    /// Number of the next new message.
    next: u64,
    /// Messages that are kept for retransmission, in order. The first of them is not acknowledged yet. A fifo
    /// channel keeps no messages.
    kept: VecDeque<Kept<M>>,
    /// Number of successive retransmission time-outs without a new acknowledgement.
    vain: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kept<M> {
    number: u64,
    said: Said<M>,
    /// Whether the arrival of this message is acknowledged. The message is kept because an earlier message has not
    /// arrived.
    arrived: bool,
}

/// Change in the state of a channel that an acknowledgement causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// The first missing message is still missing, or no message was missing.
    None,
    /// The first missing message has arrived, but a later message is still missing.
    Progress,
    /// All missing messages have arrived.
    Settled,
    /// The receiver is in a new incarnation. All kept messages must be retransmitted to this incarnation.
    OtherLife,
}

impl<M> Default for Outgoing<M> {
    fn default() -> Self {
        Self { to_life: 1, next: 1, kept: VecDeque::new(), vain: 0 }
    }
}

impl<M: Clone> Outgoing<M> {
    /// Numbers a new message, and returns the packet that transmits the message for the first time. `life` is the
    /// incarnation of the sender.
    pub fn send(&mut self, life: u32, said: Said<M>, is_kept: bool) -> Packet<M> {
        let number = self.next;
        self.next += 1;
        if is_kept {
            if self.kept.len() == MOST_KEPT {
                self.kept.pop_front();
            }
            self.kept.push_back(Kept { number, said: said.clone(), arrived: false });
        }
        Packet::Data { header: self.header(life, number, false), said }
    }

    fn header(&self, life: u32, number: u64, again: bool) -> Header {
        let oldest = self.kept.front().map_or(number, |kept| kept.number);
        Header { life, to_life: self.to_life, number, oldest, again }
    }

    /// Applies an acknowledgement, and returns the change that it causes.
    pub fn acknowledged(&mut self, acknowledgement: &Acknowledgement) -> News {
        if acknowledgement.life != self.to_life {
            return if self.meet(acknowledgement.life) { News::OtherLife } else { News::None };
        }
        let (before, missing) = (self.missing().count(), self.missing().next().map(|kept| kept.number));
        while self.kept.front().is_some_and(|kept| acknowledgement.covers(kept.number)) {
            self.kept.pop_front();
        }
        for kept in &mut self.kept {
            kept.arrived |= acknowledgement.covers(kept.number);
        }
        if self.missing().count() < before {
            self.vain = 0;
        }
        match self.missing().next() {
            None if missing.is_some() => News::Settled,
            Some(kept) if Some(kept.number) != missing => News::Progress,
            _ => News::None,
        }
    }

    /// Records the incarnation of the receiver. Returns true if this incarnation is new and kept messages must be
    /// retransmitted.
    pub fn meet(&mut self, life: u32) -> bool {
        if life <= self.to_life {
            return false;
        }
        self.to_life = life;
        self.vain = 0;
        self.kept.iter_mut().for_each(|kept| kept.arrived = false);
        !self.kept.is_empty()
    }

    /// Returns the messages whose arrival is not acknowledged, in order.
    fn missing(&self) -> impl Iterator<Item = &Kept<M>> {
        self.kept.iter().filter(|kept| !kept.arrived)
    }

    /// Whether the arrival of all kept messages is acknowledged, so that there is nothing to retransmit.
    pub fn is_settled(&self) -> bool {
        self.missing().next().is_none()
    }

    /// Counts a retransmission time-out, and returns the packets to retransmit.
    pub fn run_out(&mut self, life: u32) -> Vec<Packet<M>> {
        self.vain = self.vain.saturating_add(1);
        self.again(life)
    }

    /// Returns the packets of the oldest messages whose arrival is not acknowledged, at most `MOST_AGAIN`.
    pub fn again(&self, life: u32) -> Vec<Packet<M>> {
        let packet =
            |kept: &Kept<M>| Packet::Data { header: self.header(life, kept.number, true), said: kept.said.clone() };
        self.missing().take(MOST_AGAIN).map(packet).collect()
    }

    /// Returns the factor by which the time-out is multiplied. The factor doubles with each time-out without a new
    /// acknowledgement (Jacobson 1988, "Congestion Avoidance and Control", section 2).
    pub const fn back_off(&self) -> u64 {
        let doubled = if self.vain < MOST_DOUBLED { self.vain } else { MOST_DOUBLED };
        1 << doubled
    }
}
