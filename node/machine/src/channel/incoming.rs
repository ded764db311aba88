//! What a process hears from another, put in order.

use super::packet::{Acknowledgement, Header, MOST_BEYOND, Said};
use crate::message_id::MessageId;

use interlock_algorithm::FlatMap;

/// How far ahead of the next a message may be to be kept until its turn comes.
pub const MOST_EARLY: u64 = 256;

/// What comes from one process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Incoming<M> {
    /// Which life of it that is; 0 if nothing came yet.
    life: u32,
    /// The number of the next message.
    next: u64,
    /// What came before its turn, by number, with the name of the copy that did.
    early: FlatMap<u64, (MessageId, Said<M>)>,
}

impl<M> Default for Incoming<M> {
    fn default() -> Self {
        Self { life: 0, next: 1, early: FlatMap::new() }
    }
}

impl<M> Incoming<M> {
    /// Takes a message that has arrived, and says which are to be taken now, in order. `begins` is the number of the first
    /// one of a life that is new here.
    pub fn receive(&mut self, header: &Header, begins: u64, id: MessageId, said: Said<M>) -> Vec<(MessageId, Said<M>)> {
        if header.life < self.life {
            return Vec::new();
        }
        if header.life > self.life {
            *self = Self { life: header.life, next: begins, early: FlatMap::new() };
        }
        let mut now = Vec::new();
        if header.oldest > self.next {
            // What is missing below will never come.
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

    /// What has arrived of what this life of the other has said, said by this life of the receiver.
    pub fn acknowledgement(&self, life: u32, of: u32) -> Acknowledgement {
        if of != self.life {
            return Acknowledgement { life, of, received: 0, beyond: 0 };
        }
        let place = |number: &u64| number.checked_sub(self.next + 1).filter(|place| *place < MOST_BEYOND);
        let beyond = self.early.keys().filter_map(place).map(|place| 1 << place).sum();
        Acknowledgement { life, of, received: self.next - 1, beyond }
    }
}
