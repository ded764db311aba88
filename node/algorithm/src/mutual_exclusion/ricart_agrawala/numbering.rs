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
    /// number between them is that of an outstanding request, and every other process has at most one.
    Modulo {
        /// 2N−1.
        modulus: u64,
    },
    /// By 1 + the highest number sent; what is received does not count: wrong.
    NothingHeard,
}

impl Numbering {
    /// Sequence numbers modulo 2N−1.
    #[must_use]
    pub const fn modulo(nodes: u32) -> Self {
        Self::Modulo { modulus: 2 * nodes.saturating_sub(1) as u64 + 1 }
    }

    /// The number of a new request.
    pub(super) fn next(self, clock: &mut Clock) -> u64 {
        let next = clock.tick();
        if let Self::Modulo { modulus } = self {
            *clock = Clock::at(next % modulus);
        }
        clock.now()
    }

    /// Learns the number of another process's request.
    pub(super) fn hear(self, clock: &mut Clock, theirs: u64) {
        match self {
            Self::LamportClock => clock.observe(theirs),
            Self::NothingHeard => {}
            Self::SequenceNumbers | Self::Modulo { .. } => {
                if self.compare(clock.now(), theirs) == Ordering::Less {
                    *clock = Clock::at(theirs);
                }
            }
        }
    }

    /// What a message that is no REQUEST carries.
    pub(super) fn stamp(self, clock: &mut Clock) -> Option<u64> {
        (self == Self::LamportClock).then(|| clock.tick())
    }

    /// Which of two numbers comes first: on the circle, the one from which the other is reached in less than N steps.
    pub(super) fn compare(self, one: u64, other: u64) -> Ordering {
        let Self::Modulo { modulus } = self else { return one.cmp(&other) };
        match (other + modulus - one) % modulus {
            0 => Ordering::Equal,
            steps if steps <= modulus / 2 => Ordering::Less,
            _ => Ordering::Greater,
        }
    }

    /// Whether there is such a number.
    pub(super) fn has(self, number: u64) -> bool {
        !matches!(self, Self::Modulo { modulus } if number >= modulus)
    }
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

    #[test]
    fn only_numbers_below_the_modulus_are_there() {
        let circle = Numbering::modulo(3);
        assert_eq!([4, 5].map(|number| circle.has(number)), [true, false]);
        assert!(Numbering::SequenceNumbers.has(u64::MAX));
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
    }
}
