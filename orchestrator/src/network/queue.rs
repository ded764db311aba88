//! The messages in the network: a heap of deadlines over those on their way, and those that wait for a hand.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use interlock_algorithm::NodeId;
use interlock_node::message_id::MessageId;

use super::Carried;

/// What is in the network. A message that is taken out by hand leaves its deadline behind, which is passed over later.
#[derive(Debug, Default)]
pub(super) struct Queue {
    places: HashMap<MessageId, Place>,
    deadlines: BinaryHeap<Reverse<(u64, u64, MessageId)>>,
    on_link: HashMap<(NodeId, NodeId), usize>,
    next_order: u64,
}

#[derive(Debug)]
struct Place {
    carried: Carried,
    /// In the order in which messages came: among equal deadlines, and among the held.
    order: u64,
    held: bool,
}

impl Queue {
    pub fn send(&mut self, due_us: u64, carried: Carried) {
        let id = carried.id;
        let order = self.put(carried, false);
        self.deadlines.push(Reverse((due_us, order, id)));
    }

    pub fn hold(&mut self, carried: Carried) {
        self.put(carried, true);
    }

    fn put(&mut self, carried: Carried, held: bool) -> u64 {
        let order = self.next_order;
        self.next_order += 1;
        *self.on_link.entry((carried.id.from, carried.id.to)).or_default() += 1;
        self.places.insert(carried.id, Place { carried, order, held });
        order
    }

    /// How many messages are on a link, held or on their way.
    pub fn on_link(&self, from: NodeId, to: NodeId) -> usize {
        self.on_link.get(&(from, to)).copied().unwrap_or(0)
    }

    /// The message with the earliest deadline, if that is not after `now_us`.
    pub fn pop(&mut self, now_us: u64) -> Option<Carried> {
        let due_us = self.next_due_us()?;
        if due_us > now_us {
            return None;
        }
        let Reverse((_, _, id)) = self.deadlines.pop()?;
        self.take(id)
    }

    pub fn next_due_us(&mut self) -> Option<u64> {
        while let Some(&Reverse((due_us, order, id))) = self.deadlines.peek() {
            if self.places.get(&id).is_some_and(|place| place.order == order) {
                return Some(due_us);
            }
            self.deadlines.pop();
        }
        None
    }

    pub fn take(&mut self, id: MessageId) -> Option<Carried> {
        let place = self.places.remove(&id)?;
        if let Some(count) = self.on_link.get_mut(&(id.from, id.to)) {
            *count -= 1;
        }
        Some(place.carried)
    }

    pub fn find(&self, id: MessageId) -> Option<&Carried> {
        self.places.get(&id).map(|place| &place.carried)
    }

    pub fn held(&self) -> Vec<MessageId> {
        let held: BTreeMap<u64, MessageId> =
            self.places.iter().filter(|(_, place)| place.held).map(|(&id, place)| (place.order, id)).collect();
        held.into_values().collect()
    }

    pub fn clear(&mut self) -> Vec<MessageId> {
        let all: BTreeMap<u64, MessageId> = self.places.drain().map(|(id, place)| (place.order, id)).collect();
        self.deadlines.clear();
        self.on_link.clear();
        all.into_values().collect()
    }
}
