//! Logical time (Lamport 1978, "Time, Clocks, and the Ordering of Events in a Distributed System").

use serde::{Deserialize, Serialize};

use crate::identity::NodeId;

/// A logical clock: it ticks at each event and never falls behind what has been heard of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Clock(u64);

impl Clock {
    /// Advances the clock for an event here and returns the time of that event (rule IR1).
    pub fn tick(&mut self) -> u64 {
        // A corrupt message can carry any time: the clock then stands still at the end of time.
        self.0 = self.0.saturating_add(1);
        self.0
    }

    /// Advances the clock past a time that was heard of (rule IR2).
    pub fn observe(&mut self, heard: u64) {
        self.0 = self.0.max(heard).saturating_add(1);
    }

    /// The time now.
    #[must_use]
    pub const fn now(self) -> u64 {
        self.0
    }
}

/// A time with the process it belongs to; ties of time go to the smaller process, so the order is total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Timestamp {
    /// The logical time.
    pub clock: u64,
    /// The process.
    pub process: NodeId,
}
