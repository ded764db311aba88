//! The messages in the network: a heap of deadlines over those on their way, and those that wait for a hand.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use interlock_node::message_id::MessageId;
use slab::Slab;

use super::Carried;

/// The most messages that can be in the network; further ones are dropped, visibly.
const MOST: usize = 1 << PLACE_BITS;
/// The bits of a deadline that tell the place of its message.
const PLACE_BITS: u32 = 24;
/// The bits above them that tell the order: a trillion messages.
const ORDER_BITS: u32 = 64 - PLACE_BITS;

/// What is in the network. A message that is taken out by hand leaves its deadline behind, which is passed over later.
#[derive(Debug)]
pub(super) struct Queue<C> {
    places: Slab<Place<C>>,
    deadlines: BinaryHeap<Reverse<Deadline>>,
    /// The first deadline has been met. It stays on the heap until the next one is wanted or takes its place, which
    /// saves half the work when each message that arrives sends one on.
    met: bool,
    /// How many deadlines have no message any more.
    orphans: usize,
    next_order: u64,
}

/// When a message is to be handed over, its order among those of the same time, and its place, in one number: heaps
/// compare little else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Deadline(u128);

impl Deadline {
    fn new(due_us: u64, order: u64, place: usize) -> Self {
        Self(u128::from(due_us) << 64 | u128::from(order) << PLACE_BITS | place as u128)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the upper half of 128 bits")]
    const fn due_us(self) -> u64 {
        (self.0 >> 64) as u64
    }

    #[expect(clippy::cast_possible_truncation, reason = "the lower bits are meant")]
    const fn place(self) -> usize {
        self.0 as usize & (MOST - 1)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the lower half is meant")]
    const fn order(self) -> u64 {
        self.0 as u64 >> PLACE_BITS
    }
}

#[derive(Debug)]
struct Place<C> {
    carried: Carried<C>,
    /// In the order in which messages came: among equal deadlines, and among the held.
    order: u64,
    held: bool,
}

impl<C> Default for Queue<C> {
    fn default() -> Self {
        Self { places: Slab::new(), deadlines: BinaryHeap::new(), met: false, orphans: 0, next_order: 0 }
    }
}

impl<C> Queue<C> {
    /// Whether no more messages fit.
    pub fn is_full(&self) -> bool {
        self.places.len() >= MOST
    }

    pub fn send(&mut self, due_us: u64, carried: Carried<C>) {
        let (order, place) = self.put(carried, false);
        let deadline = Reverse(Deadline::new(due_us, order, place));
        if std::mem::take(&mut self.met)
            && let Some(mut first) = self.deadlines.peek_mut()
        {
            *first = deadline;
        } else {
            self.deadlines.push(deadline);
        }
    }

    pub fn hold(&mut self, carried: Carried<C>) {
        self.put(carried, true);
    }

    fn put(&mut self, carried: Carried<C>, held: bool) -> (u64, usize) {
        let order = self.next_order;
        self.next_order = (order + 1) & ((1 << ORDER_BITS) - 1);
        (order, self.places.insert(Place { carried, order, held }))
    }

    /// The message with the earliest deadline, if that is not after `now_us`.
    pub fn pop(&mut self, now_us: u64) -> Option<Carried<C>> {
        let deadline = self.next().filter(|deadline| deadline.due_us() <= now_us)?;
        self.met = true;
        Some(self.places.remove(deadline.place()).carried)
    }

    pub fn next_due_us(&mut self) -> Option<u64> {
        self.next().map(Deadline::due_us)
    }

    fn next(&mut self) -> Option<Deadline> {
        if std::mem::take(&mut self.met) {
            self.deadlines.pop();
        }
        loop {
            let &Reverse(deadline) = self.deadlines.peek()?;
            if self.orphans == 0
                || self.places.get(deadline.place()).is_some_and(|place| place.order == deadline.order())
            {
                return Some(deadline);
            }
            self.orphans -= 1;
            self.deadlines.pop();
        }
    }

    pub fn take(&mut self, id: MessageId) -> Option<Carried<C>> {
        let (key, _) = self.places.iter().find(|(_, place)| place.carried.id == id)?;
        let place = self.places.remove(key);
        self.orphans += usize::from(!place.held);
        Some(place.carried)
    }

    pub fn find(&self, id: MessageId) -> Option<&Carried<C>> {
        self.places.iter().map(|(_, place)| &place.carried).find(|carried| carried.id == id)
    }

    pub fn held(&self) -> Vec<MessageId> {
        let held: BTreeMap<u64, MessageId> = self
            .places
            .iter()
            .filter(|(_, place)| place.held)
            .map(|(_, place)| (place.order, place.carried.id))
            .collect();
        held.into_values().collect()
    }

    pub fn clear(&mut self) -> Vec<MessageId> {
        let all: BTreeMap<u64, MessageId> = self.places.drain().map(|place| (place.order, place.carried.id)).collect();
        self.deadlines.clear();
        (self.met, self.orphans) = (false, 0);
        all.into_values().collect()
    }
}
