//! When timers run out: those of all nodes, by time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use interlock_algorithm::{NodeId, Ticks};

/// When which timer of which node runs out. A timer that is cancelled leaves its deadline behind, which its node does
/// not await any more.
#[derive(Debug, Default)]
pub(super) struct Calendar {
    deadlines: BinaryHeap<Reverse<Deadline>>,
    next_order: u64,
}

/// A deadline; among equal times, in the order in which they were set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Deadline {
    /// When, in virtual time.
    pub due: Ticks,
    /// How many deadlines there were before it.
    pub order: u64,
    /// Whose timer it is.
    pub node: NodeId,
    /// In which of its lives it was set, by which setting of that life.
    pub incarnation: u32,
    pub setting: u64,
}

impl Calendar {
    /// Notes when a timer runs out that a node has set by this setting of this life.
    pub fn set(&mut self, node: NodeId, incarnation: u32, setting: u64, due: Ticks) {
        let order = self.next_order;
        self.next_order += 1;
        self.deadlines.push(Reverse(Deadline { due, order, node, incarnation, setting }));
    }

    /// The earliest deadline.
    pub fn first(&self) -> Option<Deadline> {
        self.deadlines.peek().map(|&Reverse(deadline)| deadline)
    }

    /// Takes the earliest deadline out.
    pub fn pop(&mut self) -> Option<Deadline> {
        self.deadlines.pop().map(|Reverse(deadline)| deadline)
    }
}
