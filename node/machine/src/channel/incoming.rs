//! Receiving side of a channel: restores the order of the messages from one process.

use super::packet::{Acknowledgement, Header, MOST_BEYOND, Said};
use crate::message_id::MessageId;

use interlock_algorithm::FlatMap;

/// Maximum distance of an early message from the next message to deliver. A message that is farther ahead is
/// discarded.
pub const MOST_EARLY: u64 = 256;

/// State of the reception of messages from one process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Incoming<M> {
    /// Incarnation of the sender; 0 if no message has arrived yet.
    life: u32,
    /// Number of the next message to deliver.
    next: u64,
    /// Early messages: they arrived before a message that must be delivered first. Each has its number, and the
    /// name of the copy that arrived.
    early: FlatMap<u64, (MessageId, Said<M>)>,
}

impl<M> Default for Incoming<M> {
    fn default() -> Self {
        Self { life: 0, next: 1, early: FlatMap::new() }
    }
}

impl<M> Incoming<M> {
    /// Accepts a message that has arrived, and returns the messages to deliver now, in order. If this is the first
    /// message from this incarnation of the sender, `begins` is the number of the first message to deliver.
    pub fn receive(&mut self, header: &Header, begins: u64, id: MessageId, said: Said<M>) -> Vec<(MessageId, Said<M>)> {
        if header.life < self.life {
            return Vec::new();
        }
        if header.life > self.life {
            *self = Self { life: header.life, next: begins, early: FlatMap::new() };
        }
        let mut now = Vec::new();
        if header.oldest > self.next {
            // The sender no longer retransmits messages below `oldest`. If such a message has not arrived yet, it
            // never will.
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

    /// Returns an acknowledgement of the messages that have arrived from incarnation `of` of the sender. `life` is
    /// the incarnation of the receiver, which sends the acknowledgement.
    pub fn acknowledgement(&self, life: u32, of: u32) -> Acknowledgement {
        if of != self.life {
            return Acknowledgement { life, of, received: 0, beyond: 0 };
        }
        let place = |number: &u64| number.checked_sub(self.next + 1).filter(|place| *place < MOST_BEYOND);
        let beyond = self.early.keys().filter_map(place).map(|place| 1 << place).sum();
        Acknowledgement { life, of, received: self.next - 1, beyond }
    }
}
