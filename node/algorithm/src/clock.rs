//! Logical time (Lamport 1978, "Time, Clocks, and the Ordering of Events in a Distributed System").

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::flat::{FlatMap, FlatSet};
use crate::identity::{NodeId, RequestId};

/// A logical clock. It ticks at each event and never falls behind a time that it has received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Clock(u64);

/// Index of the counter that contains logical clocks and all times from them: see
/// [`Algorithm::growing`](crate::contract::Algorithm::growing).
pub(crate) const CLOCK: usize = 0;

/// A callback that receives the index of a counter and a growing number of that counter: see
/// [`Algorithm::growing`](crate::contract::Algorithm::growing).
pub type Show<'s> = dyn FnMut(usize, &mut u64) + 's;

/// Maximum count of requests of a process in one incarnation.
const LONGEST_COUNT: u64 = 1_000_000_000_000;

/// Returns a request number that is unique over all incarnations of the process. `count` is the number of the request
/// within its incarnation, and `incarnation` is counted from 1. The incarnation forms the leading digits and `count`
/// the trailing digits, like the epochs of Hunt et al. 2010, section 4. In the first incarnation, the result is
/// `count`.
#[must_use]
pub fn number_in_life(incarnation: u32, count: u64) -> u64 {
    let earlier = u64::from(incarnation.saturating_sub(1)).saturating_mul(LONGEST_COUNT);
    earlier.saturating_add(count.min(LONGEST_COUNT - 1))
}

/// Returns the number that a request has within its incarnation: the trailing digits of its request number.
#[must_use]
pub const fn count_in_life(number: u64) -> u64 {
    number % LONGEST_COUNT
}

impl Clock {
    /// Returns a clock that shows `time`.
    #[must_use]
    pub const fn at(time: u64) -> Self {
        Self(time)
    }

    /// Advances the clock for an event at this process, and returns the time of the event (rule IR1).
    ///
    /// At the greatest number the clock stops, so a peer that sends the greatest number cannot make a process fail.
    pub fn tick(&mut self) -> u64 {
        self.0 = self.0.saturating_add(1);
        self.0
    }

    /// Advances the clock past a received time (rule IR2).
    pub fn observe(&mut self, heard: u64) {
        self.0 = self.0.max(heard).saturating_add(1);
    }

    /// Returns the current time.
    #[must_use]
    pub const fn now(self) -> u64 {
        self.0
    }
}

/// A time and the process to which it belongs. If times are equal, the smaller process comes first, so the order is
/// total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Timestamp {
    /// The logical time.
    pub clock: u64,
    /// The process.
    pub process: NodeId,
}

impl Timestamp {
    /// Returns the sort key of a request whose number includes an incarnation: the number within the incarnation, then
    /// the process.
    #[must_use]
    pub const fn by_count(&self) -> (u64, NodeId) {
        (count_in_life(self.clock), self.process)
    }
}

/// A part of a state or message that contains times of a logical clock: numbers that
/// [grow](crate::contract::Algorithm::growing).
pub trait Timed {
    /// Passes every time in this value to `show`.
    fn show_times(&mut self, show: &mut Show<'_>);
}

impl Timed for u64 {
    fn show_times(&mut self, show: &mut Show<'_>) {
        show(CLOCK, self);
    }
}

/// A client's request number is a count and not a logical time, so it contains no time to show.
impl Timed for RequestId {
    fn show_times(&mut self, _: &mut Show<'_>) {}
}

impl Timed for Clock {
    fn show_times(&mut self, show: &mut Show<'_>) {
        show(CLOCK, &mut self.0);
    }
}

impl Timed for Timestamp {
    fn show_times(&mut self, show: &mut Show<'_>) {
        show(CLOCK, &mut self.clock);
    }
}

impl<T: Timed> Timed for Option<T> {
    fn show_times(&mut self, show: &mut Show<'_>) {
        if let Some(part) = self {
            part.show_times(show);
        }
    }
}

impl<T: Timed> Timed for Vec<T> {
    fn show_times(&mut self, show: &mut Show<'_>) {
        for part in self {
            part.show_times(show);
        }
    }
}

impl<K, T: Timed> Timed for FlatMap<K, T> {
    fn show_times(&mut self, show: &mut Show<'_>) {
        self.iter_mut().for_each(|(_, part)| part.show_times(show));
    }
}

impl Timed for FlatSet<Timestamp> {
    fn show_times(&mut self, show: &mut Show<'_>) {
        let mut times: Vec<Timestamp> = core::mem::take(self).into_iter().collect();
        times.show_times(show);
        self.extend(times);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_has_a_later_time() {
        let mut clock = Clock::default();
        assert_eq!([clock.tick(), clock.tick(), clock.now()], [1, 2, 2]);
    }

    #[test]
    fn no_number_is_given_in_two_lives() {
        assert_eq!(number_in_life(1, 17), 17);
        assert!(number_in_life(1, u64::MAX) < number_in_life(2, 0));
        assert!(number_in_life(2, 5) < number_in_life(3, 1));
        assert_eq!([17, number_in_life(4, 5)].map(count_in_life), [17, 5]);
    }

    #[test]
    fn what_was_heard_of_is_past() {
        let mut clock = Clock::default();
        clock.observe(7);
        assert_eq!(clock.now(), 8);
        clock.observe(3);
        assert_eq!(clock.now(), 9, "hearing of the past is an event too");
    }

    #[test]
    fn at_the_end_of_time_the_clock_stands_still() {
        let mut clock = Clock::default();
        clock.observe(u64::MAX);
        assert_eq!([clock.tick(), clock.tick()], [u64::MAX, u64::MAX]);
    }

    #[test]
    fn time_comes_before_process_and_ties_go_to_the_smaller_one() {
        let at = |clock, process| Timestamp { clock, process: NodeId(process) };
        assert!(at(1, 5) < at(2, 0));
        assert!(at(2, 0) < at(2, 1));
    }
}
