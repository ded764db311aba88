//! Calendar: the deadlines of the timers of all nodes, sorted by time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use interlock_algorithm::{NodeId, Ticks};

/// The deadlines of all timers. If a timer is cancelled, its deadline stays in the calendar. When the deadline is
/// reached, the node ignores it.
#[derive(Debug, Default)]
pub(super) struct Calendar {
    deadlines: BinaryHeap<Reverse<Deadline>>,
    next_order: u64,
}

/// A deadline. Deadlines with equal times are ordered by the order in which they were set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Deadline {
    /// Time of the deadline, in virtual time.
    pub due: Ticks,
    /// Number of deadlines that were set earlier.
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
    /// Records the deadline of a timer. `setting` is the number of timers that this incarnation of the node had set
    /// before this timer; this number identifies the timer.
    pub fn set(&mut self, node: NodeId, incarnation: u32, setting: u64, due: Ticks) {
        let order = self.next_order;
        self.next_order += 1;
        self.deadlines.push(Reverse(Deadline { due, order, node, incarnation, setting }));
    }

    /// Returns the earliest deadline.
    pub fn first(&self) -> Option<Deadline> {
        self.deadlines.peek().map(|&Reverse(deadline)| deadline)
    }

    /// Removes and returns the earliest deadline.
    pub fn pop(&mut self) -> Option<Deadline> {
        self.deadlines.pop().map(|Reverse(deadline)| deadline)
    }
}
