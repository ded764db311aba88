//! The numbers that order the requests: the number of a new request, the effect of received numbers, and the order of
//! two numbers.

use core::cmp::Ordering;

use crate::clock::Clock;

/// How requests are numbered. Each process has one clock. With sequence numbers, the clock shows the highest number
/// sent or received, the paper's `Highest_Sequence_Number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// A Lamport clock, which every message carries and advances.
    LamportClock,
    /// 1 + the highest number sent or received. A REPLY carries no number. This is the paper, section 2.1.
    SequenceNumbers,
    /// Sequence numbers modulo 2N−1 (section 5). Any two numbers that processes compare are less than N apart. The
    /// reason is that each number between the two belongs to an outstanding request, and every other process has at
    /// most one outstanding request. A smaller modulus is faulty.
    Modulo {
        /// 2N−1, or 2N−2 in the faulty variant.
        modulus: u64,
    },
    /// A Lamport clock modulo 2N−1, which every message carries and advances; faulty.
    LamportClockModulo {
        /// 2N−1.
        modulus: u64,
    },
    /// 1 + the highest number sent; faulty, because received numbers are ignored.
    NothingHeard,
    /// No numbers: every request has the number 0, so the process with the smaller id always comes first; faulty.
    NoNumbers,
}

impl Numbering {
    /// Returns sequence numbers modulo 2N−1.
    #[must_use]
    pub const fn modulo(nodes: u32) -> Self {
        Self::Modulo { modulus: window(nodes) }
    }

    /// Returns sequence numbers modulo 2N−2, or modulo 1 if there is one node.
    #[must_use]
    pub const fn modulo_too_small(nodes: u32) -> Self {
        Self::Modulo { modulus: if nodes > 1 { window(nodes) - 1 } else { 1 } }
    }

    /// Returns Lamport clocks modulo 2N−1.
    #[must_use]
    pub const fn lamport_clock_modulo(nodes: u32) -> Self {
        Self::LamportClockModulo { modulus: window(nodes) }
    }

    /// Returns the modulus, if the numbers wrap around.
    const fn modulus(self) -> Option<u64> {
        match self {
            Self::Modulo { modulus } | Self::LamportClockModulo { modulus } => Some(modulus),
            Self::LamportClock | Self::SequenceNumbers | Self::NothingHeard | Self::NoNumbers => None,
        }
    }

    /// Returns whether numbers grow without bound and a request's number depends on received numbers.
    pub(super) const fn grows(self) -> bool {
        matches!(self, Self::LamportClock | Self::SequenceNumbers)
    }

    /// Returns whether each request has a number, and numbers never wrap around.
    pub(super) const fn orders_requests(self) -> bool {
        matches!(self, Self::LamportClock | Self::SequenceNumbers | Self::NothingHeard)
    }

    /// Returns whether every message carries the clock, including REPLY.
    const fn is_on_every_message(self) -> bool {
        matches!(self, Self::LamportClock | Self::LamportClockModulo { .. })
    }

    /// Returns the number of a new request, and advances the clock to that number.
    pub(super) fn next(self, clock: &mut Clock) -> u64 {
        if self == Self::NoNumbers {
            return 0;
        }
        let next = clock.tick();
        if let Some(modulus) = self.modulus() {
            *clock = Clock::at(next % modulus);
        }
        clock.now()
    }

    /// Updates the clock with a received number: the number of another process's request, or the clock in any other
    /// message.
    pub(super) fn hear(self, clock: &mut Clock, theirs: u64) {
        match self {
            Self::LamportClock => clock.observe(theirs),
            Self::NothingHeard | Self::NoNumbers => {}
            Self::SequenceNumbers | Self::Modulo { .. } => self.catch_up(clock, theirs),
            Self::LamportClockModulo { .. } => {
                self.catch_up(clock, theirs);
                self.next(clock);
            }
        }
    }

    fn catch_up(self, clock: &mut Clock, theirs: u64) {
        if self.compare(clock.now(), theirs) == Ordering::Less {
            *clock = Clock::at(theirs);
        }
    }

    /// Returns the clock for a message other than a REQUEST, if every message carries the clock.
    pub(super) fn stamp(self, clock: &mut Clock) -> Option<u64> {
        self.is_on_every_message().then(|| self.next(clock))
    }

    /// Returns the clock of a REPLY, in the variants in which every message carries the clock. A REPLY without a clock
    /// counts as older than any request.
    pub(super) fn sent(self, clock: Option<u64>) -> Option<u64> {
        self.is_on_every_message().then(|| clock.unwrap_or(0))
    }

    /// Compares two numbers. If numbers wrap around, `one` comes first if `other` is ahead of `one` by less than
    /// half the modulus. Since the numbers are less than N apart, this order is well defined.
    pub(super) fn compare(self, one: u64, other: u64) -> Ordering {
        let Some(modulus) = self.modulus() else { return one.cmp(&other) };
        match (other + modulus - one) % modulus {
            0 => Ordering::Equal,
            steps if steps <= (modulus - 1) / 2 => Ordering::Less,
            _ => Ordering::Greater,
        }
    }

    /// Returns whether `number` is possible: less than the modulus, if numbers wrap around.
    pub(super) fn has(self, number: u64) -> bool {
        self.modulus().is_none_or(|modulus| number < modulus)
    }
}

/// Returns 2N−1, the smallest modulus with which any two numbers less than N apart have an order.
const fn window(nodes: u32) -> u64 {
    2 * nodes.saturating_sub(1) as u64 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_the_circle_numbers_less_than_n_apart_compare_as_they_would_without() {
        for nodes in 1_u32..=9 {
            let circle = Numbering::modulo(nodes);
            let modulus = 2 * u64::from(nodes) - 1;
            for (one, apart) in (0..3 * modulus).flat_map(|one| (0..u64::from(nodes)).map(move |apart| (one, apart))) {
                let other = one + apart;
                assert_eq!(circle.compare(one % modulus, other % modulus), one.cmp(&other), "{nodes}: {one}, {other}");
                assert_eq!(circle.compare(other % modulus, one % modulus), other.cmp(&one), "{nodes}: {other}, {one}");
            }
        }
    }

    #[test]
    fn numbers_n_apart_compare_wrong() {
        let circle = Numbering::modulo(4);
        assert_eq!(circle.compare(1, 5), Ordering::Greater);
    }

    /// If two numbers are half the modulus apart, each compares as later than the other.
    #[test]
    fn of_one_number_too_few_two_can_be_opposite() {
        for nodes in 2_u32..=9 {
            let circle = Numbering::modulo_too_small(nodes);
            let apart = u64::from(nodes) - 1;
            assert_eq!([circle.compare(0, apart), circle.compare(apart, 0)], [Ordering::Greater; 2], "{nodes}");
        }
        assert_eq!(Numbering::modulo_too_small(1), Numbering::modulo(1));
    }

    #[test]
    fn only_numbers_below_the_modulus_are_there() {
        let circle = Numbering::modulo(3);
        assert_eq!([4, 5].map(|number| circle.has(number)), [true, false]);
        assert!(Numbering::SequenceNumbers.has(u64::MAX));
    }

    #[test]
    fn only_a_lamport_clock_is_on_every_message() {
        let mut clock = Clock::at(3);
        let others = [Numbering::SequenceNumbers, Numbering::modulo(3), Numbering::NothingHeard, Numbering::NoNumbers];
        let circle = Numbering::lamport_clock_modulo(2);
        assert_eq!((circle.stamp(&mut clock), circle.stamp(&mut clock)), (Some(1), Some(2)), "4 and 5, modulo 3");
        let mut clock = Clock::at(3);
        assert_eq!(others.map(|numbering| numbering.stamp(&mut clock)), [None; 4]);
        assert_eq!((Numbering::LamportClock.stamp(&mut clock), clock.now()), (Some(4), 4));
    }

    #[test]
    fn the_next_number_is_past_the_highest_sent_or_received() {
        let numbers = |numbering: Numbering| {
            let mut clock = Clock::default();
            let first = numbering.next(&mut clock);
            numbering.hear(&mut clock, 3);
            numbering.hear(&mut clock, 2);
            [first, numbering.next(&mut clock), numbering.next(&mut clock)]
        };
        assert_eq!(numbers(Numbering::SequenceNumbers), [1, 4, 5]);
        assert_eq!(numbers(Numbering::modulo(3)), [1, 4, 0]);
        assert_eq!(numbers(Numbering::NothingHeard), [1, 2, 3]);
        assert_eq!(numbers(Numbering::LamportClock), [1, 6, 7]);
        assert_eq!(numbers(Numbering::lamport_clock_modulo(3)), [1, 1, 2], "past 3 and past 2, once round");
        assert_eq!(numbers(Numbering::NoNumbers), [0; 3]);
    }
}
