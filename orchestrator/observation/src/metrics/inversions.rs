//! Pairs of requests that were granted in another order than that of their timestamps, or of real time.

use crate::monitor::precedence::MOST_NODES;
use crate::monitor::queues::{Key, Queues};
use interlock_model::event::Event;
use interlock_model::specification::Specification;

/// The counts of inversions of a run so far.
#[derive(Clone, Debug)]
pub(super) struct Inversions {
    by_timestamp: Option<Count>,
    in_real_time: Option<Count>,
}

/// A count of inversions.
#[derive(Clone, Debug)]
struct Count {
    queues: Queues,
    inversions: u64,
}

impl Count {
    const fn of(key: Key) -> Self {
        Self { queues: Queues::new(key), inversions: 0 }
    }
}

impl Inversions {
    pub fn new(specification: &Specification) -> Self {
        let is_small = specification.nodes <= MOST_NODES;
        Self {
            by_timestamp: (is_small && specification.has_timestamps()).then(|| Count::of(Key::Timestamp)),
            in_real_time: is_small.then(|| Count::of(Key::RealTime)),
        }
    }

    /// Processes the next event. Exchanges of messages change nothing.
    pub fn observe(&mut self, event: &Event) {
        for Count { queues, inversions } in [&mut self.by_timestamp, &mut self.in_real_time].into_iter().flatten() {
            queues.observe(event, |entry| *inversions += entry.passed_over().count() as u64);
        }
    }

    /// Returns the number of inversions of timestamps. Returns none until a request has had a timestamp: a program of a
    /// user, or an older version of this program, may report none.
    pub fn by_timestamp(&self) -> Option<u64> {
        self.by_timestamp.as_ref().filter(|count| !count.queues.are_unused()).map(|count| count.inversions)
    }

    /// Returns the number of inversions of real time.
    pub fn in_real_time(&self) -> Option<u64> {
        self.in_real_time.as_ref().map(|count| count.inversions)
    }
}
