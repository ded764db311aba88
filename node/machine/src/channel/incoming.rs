//! Receiving side of a channel: it restores the order of the messages from one process.

use super::packet::{Acknowledgement, Header, MOST_BEYOND, Said};
use crate::message_id::MessageId;

use interlock_algorithm::FlatMap;

/// Maximum distance between an early message and the next message to deliver. A message beyond this distance is
/// discarded.
pub const MOST_EARLY: u64 = 256;

/// State of the reception of messages from one process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Incoming<M> {
    /// Incarnation of the sender; 0 before the first message.
    life: u32,
    /// Number of the next message to deliver.
    next: u64,
    /// Early messages by number. A message is early if an earlier message must be delivered first and has not
    /// arrived. Each entry has the name of the copy that arrived.
    early: FlatMap<u64, (MessageId, Said<M>)>,
}

impl<M> Default for Incoming<M> {
    fn default() -> Self {
        Self { life: 0, next: 1, early: FlatMap::new() }
    }
}

impl<M> Incoming<M> {
    /// Processes a message that has arrived, and returns the messages to deliver now, in order. If the sender's
    /// incarnation is new, `begins` is the number of the first message to deliver.
    pub fn receive(&mut self, header: &Header, begins: u64, id: MessageId, said: Said<M>) -> Vec<(MessageId, Said<M>)> {
        if header.life < self.life {
            return Vec::new();
        }
        if header.life > self.life {
            *self = Self { life: header.life, next: begins, early: FlatMap::new() };
        }
        let mut now = Vec::new();
        if header.oldest > self.next {
            // The sender no longer retransmits messages with numbers below `oldest`. If such a message has not
            // arrived yet, it will never arrive.
            let later = self.early.split_off(&header.oldest);
            now.extend(std::mem::replace(&mut self.early, later).into_values());
            self.next = header.oldest;
        }
        let ahead = header.number.checked_sub(self.next);
        if ahead.is_some_and(|ahead| ahead < MOST_EARLY) {
            self.early.entry(header.number).or_insert((id, said));
        }
        while let Some(next) = self.early.remove(&self.next) {
            now.push(next);
            self.next += 1;
        }
        now
    }

    /// Returns the acknowledgement of all messages that have arrived from incarnation `of` of the sender. `life` is
    /// the incarnation of the receiver.
    pub fn acknowledgement(&self, life: u32, of: u32) -> Acknowledgement {
        if of != self.life {
            return Acknowledgement { life, of, received: 0, beyond: 0 };
        }
        let place = |number: &u64| number.checked_sub(self.next + 1).filter(|place| *place < MOST_BEYOND);
        let beyond = self.early.keys().filter_map(place).map(|place| 1 << place).sum();
        Acknowledgement { life, of, received: self.next - 1, beyond }
    }
}
