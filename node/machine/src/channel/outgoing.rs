//! What a process has said to another and does not know to have arrived.

use std::collections::VecDeque;

use super::packet::{Acknowledgement, Header, Packet, Said};

/// The most messages to one process that are kept to be sent again; the oldest are given up.
pub const MOST_KEPT: usize = 1_000;
/// The most messages that are sent again at a time.
const MOST_AGAIN: usize = 32;
/// The most times that the time-out is doubled.
const MOST_DOUBLED: u32 = 6;

/// What goes to one process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Outgoing<M> {
    /// Which life of it that is.
    to_life: u32,
    /// The number of the next message.
    next: u64,
    /// What is not known to have arrived, in order; those of fifo channels are not kept.
    kept: VecDeque<Kept<M>>,
    /// How many times in a row nothing new had arrived when the time-out ran out.
    vain: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Kept<M> {
    number: u64,
    said: Said<M>,
    /// Whether it has arrived, before one that has not.
    arrived: bool,
}

/// What follows from an acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// Nothing: what was missing first still is.
    None,
    /// Something else is missing first.
    Progress,
    /// Nothing is missing any more.
    Settled,
    /// The other has begun another life, and must be sent again what is kept.
    OtherLife,
}

impl<M> Default for Outgoing<M> {
    fn default() -> Self {
        Self { to_life: 1, next: 1, kept: VecDeque::new(), vain: 0 }
    }
}

impl<M: Clone> Outgoing<M> {
    /// The message as it is sent first by this life of the sender.
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

    /// Takes what the other says has arrived, and says what follows.
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

    /// Learns which life the other is in; says whether all must be sent again, because it is a new one.
    pub fn meet(&mut self, life: u32) -> bool {
        if life <= self.to_life {
            return false;
        }
        self.to_life = life;
        self.vain = 0;
        self.kept.iter_mut().for_each(|kept| kept.arrived = false);
        !self.kept.is_empty()
    }

    /// What is not known to have arrived, in order.
    fn missing(&self) -> impl Iterator<Item = &Kept<M>> {
        self.kept.iter().filter(|kept| !kept.arrived)
    }

    /// Whether nothing has to be sent again.
    pub fn is_settled(&self) -> bool {
        self.missing().next().is_none()
    }

    /// The time-out has run out: the messages that are sent again.
    pub fn run_out(&mut self, life: u32) -> Vec<Packet<M>> {
        self.vain = self.vain.saturating_add(1);
        self.again(life)
    }

    /// What is not known to have arrived, to be sent again: the oldest.
    pub fn again(&self, life: u32) -> Vec<Packet<M>> {
        let packet =
            |kept: &Kept<M>| Packet::Data { header: self.header(life, kept.number, true), said: kept.said.clone() };
        self.missing().take(MOST_AGAIN).map(packet).collect()
    }

    /// By how much the time-out is longer than at first: it doubles each time in vain (Jacobson 1988, "Congestion Avoidance
    /// and Control", section 2).
    pub const fn back_off(&self) -> u64 {
        let doubled = if self.vain < MOST_DOUBLED { self.vain } else { MOST_DOUBLED };
        1 << doubled
    }
}
