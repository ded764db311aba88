//! The numbers by which requests are ordered: which one a request gets, what is learnt from those that are heard, and
//! how two of them compare.

use core::cmp::Ordering;

use crate::clock::Clock;

/// How requests are numbered. The clock is that of the process; with sequence numbers it shows the highest one sent or
/// received, the paper's `Highest_Sequence_Number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// By a Lamport clock, which every message carries and advances.
    LamportClock,
    /// By 1 + the highest number sent or received; a REPLY carries none: the paper, section 2.1.
    SequenceNumbers,
    /// By the same numbers modulo 2N−1 (section 5). Two numbers that are ever compared are less than N apart: each
    /// number between them is that of an outstanding request, and every other process has at most one. With a smaller
    /// modulus, wrong.
    Modulo {
        /// 2N−1.
        modulus: u64,
    },
    /// By a Lamport clock modulo 2N−1, which every message carries and advances: wrong.
    LamportClockModulo {
        /// 2N−1.
        modulus: u64,
    },
    /// By 1 + the highest number sent; what is received does not count: wrong.
    NothingHeard,
    /// By nothing: every request has the number 0, so the smaller process always comes first: wrong.
    NoNumbers,
}

impl Numbering {
    /// Sequence numbers modulo 2N−1.
    #[must_use]
    pub const fn modulo(nodes: u32) -> Self {
        Self::Modulo { modulus: window(nodes) }
    }

    /// Sequence numbers modulo 2N−2, or modulo 1 if there is one node.
    #[must_use]
    pub const fn modulo_too_small(nodes: u32) -> Self {
        Self::Modulo { modulus: if nodes > 1 { window(nodes) - 1 } else { 1 } }
    }

    /// Lamport clocks modulo 2N−1.
    #[must_use]
    pub const fn lamport_clock_modulo(nodes: u32) -> Self {
        Self::LamportClockModulo { modulus: window(nodes) }
    }

    /// How many numbers there are, where they are on a circle.
    const fn modulus(self) -> Option<u64> {
        match self {
            Self::Modulo { modulus } | Self::LamportClockModulo { modulus } => Some(modulus),
            Self::LamportClock | Self::SequenceNumbers | Self::NothingHeard | Self::NoNumbers => None,
        }
    }

    /// Whether numbers grow for ever, and a request has one by what has been heard of.
    pub(super) const fn grows(self) -> bool {
        matches!(self, Self::LamportClock | Self::SequenceNumbers)
    }

    /// Returns whether every message carries the clock, also a REPLY.
    const fn is_on_every_message(self) -> bool {
        matches!(self, Self::LamportClock | Self::LamportClockModulo { .. })
    }

    /// The number of a new request.
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

    /// Learns the number of another process's request, or what another message carries.
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

    /// What a message that is no REQUEST carries.
    pub(super) fn stamp(self, clock: &mut Clock) -> Option<u64> {
        self.is_on_every_message().then(|| self.next(clock))
    }

    /// Returns what a REPLY carries. Where every message carries the clock, one without it is older than any request.
    pub(super) fn sent(self, clock: Option<u64>) -> Option<u64> {
        self.is_on_every_message().then(|| clock.unwrap_or(0))
    }

    /// Which of two numbers comes first: on the circle, the one from which the other is reached in less than half of it,
    /// which is less than N steps.
    pub(super) fn compare(self, one: u64, other: u64) -> Ordering {
        let Some(modulus) = self.modulus() else { return one.cmp(&other) };
        match (other + modulus - one) % modulus {
            0 => Ordering::Equal,
            steps if steps <= (modulus - 1) / 2 => Ordering::Less,
            _ => Ordering::Greater,
        }
    }

    /// Whether there is such a number.
    pub(super) fn has(self, number: u64) -> bool {
        self.modulus().is_none_or(|modulus| number < modulus)
    }
}

/// 2N−1: as many numbers as it takes to tell which of two comes first that are less than N apart.
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

    /// Of two that are opposite, each takes the other for the older one.
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
