//! Queue of the messages in the network: messages in transit, by delivery time, and messages held for manual
//! delivery.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use interlock_machine::message_id::MessageId;
use slab::Slab;

use super::{InFlight, Standing};

/// Maximum number of messages in the network. If the network is full, each further message is dropped, and an event
/// reports this.
const MOST: usize = 1 << PLACE_BITS;
/// Number of low bits of a `Deadline` that hold the index of its message.
const PLACE_BITS: u32 = 24;
/// Number of bits of a `Deadline` above the index. They hold the order of messages, and suffice for a trillion
/// messages.
const ORDER_BITS: u32 = 64 - PLACE_BITS;

/// All messages in the network. If a message is removed manually, its `Deadline` stays in the queue and is skipped
/// later.
#[derive(Debug)]
pub(super) struct Queue<C> {
    places: Slab<Place<C>>,
    /// Entries of messages that were added in the order of their delivery times. If delays are constant, these are
    /// all entries.
    ordered: VecDeque<Deadline>,
    /// Entries of messages that were added after a message with a later delivery time.
    others: BinaryHeap<Reverse<Deadline>>,
    /// Number of entries whose message was removed.
    orphans: usize,
    next_order: u64,
}

/// Delivery time of a message, its order among messages with the same time, and its index. The three values are
/// packed into one number, because comparisons take most of a heap's time and are faster for one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Deadline(u128);

impl Deadline {
    fn new(due_us: u64, order: u64, place: usize) -> Self {
        Self(u128::from(due_us) << 64 | u128::from(order) << PLACE_BITS | place as u128)
    }

    const fn due_us(self) -> u64 {
        (self.0 >> 64) as u64
    }

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
    in_flight: InFlight<C>,
    /// Order in which messages were added. It determines the order of messages with equal delivery times, and the
    /// order of held messages.
    order: u64,
    held: bool,
}

impl<C> Default for Queue<C> {
    fn default() -> Self {
        Self { places: Slab::new(), ordered: VecDeque::new(), others: BinaryHeap::new(), orphans: 0, next_order: 0 }
    }
}

impl<C> Queue<C> {
    /// Returns whether the queue is full.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.places.len() >= MOST
    }

    #[inline(always)]
    pub fn send(&mut self, due_us: u64, in_flight: InFlight<C>) {
        let (order, place) = self.put(in_flight, false);
        let deadline = Deadline::new(due_us, order, place);
        if self.ordered.back().is_none_or(|last| *last < deadline) {
            self.ordered.push_back(deadline);
        } else {
            self.others.push(Reverse(deadline));
        }
    }

    pub fn hold(&mut self, in_flight: InFlight<C>) {
        self.put(in_flight, true);
    }

    #[inline(always)]
    fn put(&mut self, in_flight: InFlight<C>, held: bool) -> (u64, usize) {
        let order = self.next_order;
        self.next_order = (order + 1) & ((1 << ORDER_BITS) - 1);
        (order, self.places.insert(Place { in_flight, order, held }))
    }

    /// Removes and returns the message with the earliest delivery time, if this time is not after `now_us`.
    #[inline(always)]
    pub fn pop(&mut self, now_us: u64) -> Option<InFlight<C>> {
        let deadline = self.first().filter(|deadline| deadline.due_us() <= now_us)?;
        self.pass();
        Some(self.places.remove(deadline.place()).in_flight)
    }

    #[inline(always)]
    pub fn next_due_us(&mut self) -> Option<u64> {
        self.first().map(Deadline::due_us)
    }

    /// Returns the earliest entry whose message is still in the queue.
    #[inline(always)]
    fn first(&mut self) -> Option<Deadline> {
        loop {
            let deadline = self.earliest()?;
            if self.orphans == 0 || self.is_of_a_message(deadline) {
                return Some(deadline);
            }
            self.orphans -= 1;
            self.pass();
        }
    }

    #[inline(always)]
    fn earliest(&self) -> Option<Deadline> {
        let other = self.others.peek().map(|&Reverse(deadline)| deadline);
        let ordered = self.ordered.front().copied();
        match (ordered, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    fn is_of_a_message(&self, deadline: Deadline) -> bool {
        self.places.get(deadline.place()).is_some_and(|place| place.order == deadline.order())
    }

    /// Removes the earliest entry from the queue.
    #[inline(always)]
    fn pass(&mut self) {
        let other_is_earlier = match (self.ordered.front(), self.others.peek()) {
            (Some(one), Some(Reverse(other))) => other < one,
            (None, _) => true,
            (Some(_), None) => false,
        };
        if other_is_earlier {
            self.others.pop();
        } else {
            self.ordered.pop_front();
        }
    }

    pub fn take(&mut self, id: MessageId) -> Option<InFlight<C>> {
        let (key, _) = self.places.iter().find(|(_, place)| place.in_flight.id == id)?;
        let place = self.places.remove(key);
        self.orphans += usize::from(!place.held);
        Some(place.in_flight)
    }

    pub fn find(&self, id: MessageId) -> Option<&InFlight<C>> {
        self.places.iter().map(|(_, place)| &place.in_flight).find(|in_flight| in_flight.id == id)
    }

    /// Returns the name of the message with the earliest delivery time.
    pub fn next(&self) -> Option<MessageId> {
        let deadline = self.deadlines().filter(|deadline| self.is_of_a_message(*deadline)).min()?;
        self.places.get(deadline.place()).map(|place| place.in_flight.id)
    }

    /// Returns whether a message is held, or at which time it is due; none if the message is not in the queue.
    pub fn standing(&self, id: MessageId) -> Option<Standing> {
        let (key, place) = self.places.iter().find(|(_, place)| place.in_flight.id == id)?;
        if place.held {
            return Some(Standing::Held);
        }
        let is_its = |deadline: &Deadline| (deadline.place(), deadline.order()) == (key, place.order);
        self.deadlines().find(is_its).map(|deadline| Standing::Due(deadline.due_us()))
    }

    fn deadlines(&self) -> impl Iterator<Item = Deadline> {
        self.ordered.iter().copied().chain(self.others.iter().map(|&Reverse(deadline)| deadline))
    }

    /// Returns all messages, unordered.
    pub fn all(&self) -> impl Iterator<Item = &InFlight<C>> {
        self.places.iter().map(|(_, place)| &place.in_flight)
    }

    /// Returns the messages in transit, unordered. Held messages are not included.
    pub fn due(&self) -> impl Iterator<Item = &InFlight<C>> {
        self.places.iter().filter(|(_, place)| !place.held).map(|(_, place)| &place.in_flight)
    }

    pub fn held(&self) -> Vec<MessageId> {
        let held: BTreeMap<u64, MessageId> = self
            .places
            .iter()
            .filter(|(_, place)| place.held)
            .map(|(_, place)| (place.order, place.in_flight.id))
            .collect();
        held.into_values().collect()
    }

    /// Removes all messages and returns them, ordered by name.
    pub fn clear(&mut self) -> Vec<InFlight<C>> {
        let mut all: Vec<_> = self.places.drain().map(|place| place.in_flight).collect();
        all.sort_unstable_by_key(|in_flight| in_flight.id);
        self.ordered.clear();
        self.others.clear();
        self.orphans = 0;
        all
    }
}
