//! The timers of all nodes, by the time at which they run out.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use interlock_algorithm::{NodeId, Ticks};

/// When which timer of which node runs out. A timer that is cancelled leaves its deadline behind, which its node does
/// not await any more.
#[derive(Debug, Default)]
pub(super) struct Timers {
    deadlines: BinaryHeap<Reverse<Deadline>>,
    next_order: u64,
}

/// A deadline; among equal times, in the order in which they were set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Deadline {
    /// When, in virtual time.
    pub due: Ticks,
    /// Which setting of a timer it belongs to.
    pub order: u64,
    /// Whose timer it is.
    pub node: NodeId,
}

impl Timers {
    /// Sets a timer of a node, which never runs out by itself if it is not said when, and returns the number of this
    /// setting.
    pub fn set(&mut self, node: NodeId, due: Option<Ticks>) -> u64 {
        let order = self.next_order;
        self.next_order += 1;
        self.deadlines.extend(due.map(|due| Reverse(Deadline { due, order, node })));
        order
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
