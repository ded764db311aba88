//! Calendar: the times at which the timers of all nodes expire, in ascending order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use interlock_algorithm::{NodeId, Ticks};

/// The expiry times of all timers. If a timer is cancelled, its entry stays in the calendar. When the time of the
/// entry is reached, the node ignores the entry.
#[derive(Debug, Default)]
pub(super) struct Calendar {
    deadlines: BinaryHeap<Reverse<Deadline>>,
    next_order: u64,
}

/// Time at which a timer expires. Entries with equal times are ordered by the order in which the timers were set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Deadline {
    /// Time at which the timer expires, in virtual time.
    pub due: Ticks,
    /// Number of timers, of all nodes, that were set earlier.
    pub order: u64,
    /// Owner of the timer.
    pub node: NodeId,
    /// Incarnation of the owner that set the timer.
    ///
    /// This incarnation and `setting` together identify the timer. `setting` is the number of timers that the
    /// incarnation had set before this timer.
    pub incarnation: u32,
    pub setting: u64,
}

impl Calendar {
    /// Adds a timer that expires at `due`. `setting` is the number of timers that `incarnation` of the node had set
    /// before this timer; this number identifies the timer.
    pub fn set(&mut self, node: NodeId, incarnation: u32, setting: u64, due: Ticks) {
        let order = self.next_order;
        self.next_order += 1;
        self.deadlines.push(Reverse(Deadline { due, order, node, incarnation, setting }));
    }

    /// Returns the entry with the earliest time.
    pub fn first(&self) -> Option<Deadline> {
        self.deadlines.peek().map(|&Reverse(deadline)| deadline)
    }

    /// Removes and returns the entry with the earliest time.
    pub fn pop(&mut self) -> Option<Deadline> {
        self.deadlines.pop().map(|Reverse(deadline)| deadline)
    }
}
