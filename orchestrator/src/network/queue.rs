//! The messages in the network: a heap of deadlines over those on their way, and those that wait for a hand.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use interlock_node::message_id::MessageId;
use slab::Slab;

use super::Carried;

/// What is in the network. A message that is taken out by hand leaves its deadline behind, which is passed over later.
#[derive(Debug)]
pub(super) struct Queue<C> {
    places: Slab<Place<C>>,
    deadlines: BinaryHeap<Reverse<Deadline>>,
    /// The first deadline has been met. It stays on the heap until the next one is wanted or takes its place, which
    /// saves half the work when each message that arrives sends one on.
    met: bool,
    next_order: u64,
}

/// When which message is to be handed over; among equal times, in the order in which messages came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Deadline {
    due_us: u64,
    order: u64,
    place: usize,
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
        Self { places: Slab::new(), deadlines: BinaryHeap::new(), met: false, next_order: 0 }
    }
}

impl<C> Queue<C> {
    pub fn send(&mut self, due_us: u64, carried: Carried<C>) {
        let (order, place) = self.put(carried, false);
        let deadline = Reverse(Deadline { due_us, order, place });
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
        self.next_order += 1;
        (order, self.places.insert(Place { carried, order, held }))
    }

    /// The message with the earliest deadline, if that is not after `now_us`.
    pub fn pop(&mut self, now_us: u64) -> Option<Carried<C>> {
        let Deadline { due_us, place, .. } = self.next()?;
        if due_us > now_us {
            return None;
        }
        self.met = true;
        Some(self.places.remove(place).carried)
    }

    pub fn next_due_us(&mut self) -> Option<u64> {
        self.next().map(|deadline| deadline.due_us)
    }

    fn next(&mut self) -> Option<Deadline> {
        if std::mem::take(&mut self.met) {
            self.deadlines.pop();
        }
        while let Some(&Reverse(deadline)) = self.deadlines.peek() {
            if self.places.get(deadline.place).is_some_and(|place| place.order == deadline.order) {
                return Some(deadline);
            }
            self.deadlines.pop();
        }
        None
    }

    pub fn take(&mut self, id: MessageId) -> Option<Carried<C>> {
        let (place, _) = self.places.iter().find(|(_, place)| place.carried.id == id)?;
        Some(self.places.remove(place).carried)
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
        self.met = false;
        all.into_values().collect()
    }
}
