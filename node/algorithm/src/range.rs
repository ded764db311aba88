//! Ranges of parameters, as data. The code that checks a value, shows the allowed values or draws a random value uses
//! the same range.

use core::fmt;
use core::ops::RangeInclusive;

use serde::{Serialize, Serializer};

use crate::choice::Variant;
use crate::identity::Ticks;
use crate::span::{LONGEST, in_ms};

/// The formats of a tree.
pub const TREES: &str = "binary, star, line, k-ary:K, random:SEED, edges:0-1,1-2,…";
/// The formats of a ring order.
pub const RINGS: &str = "ascending, descending, random:SEED, 3,1,0,2";
/// The formats of voting sets.
pub const COTERIES: &str = "grid, plane, sets:0,1,2;1,3,5;…";
/// The formats of the sets of an information structure.
pub const SETS: &str = "own, all, sets:0,1;1,2;…";
/// The formats of a subset of the nodes.
pub const NODES: &str = "all, none, 0,2,…";

/// The range of a parameter. It is serialized, as in the catalogue, as a text for users: `1 … 1000`, `binary, star,
/// line`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// A node.
    Node,
    /// A whole number.
    Number(Numbers),
    /// One of the listed words. Words for faulty variants are for teaching.
    Word(&'static [Variant]),
    /// A length of time and its purpose.
    Time(Times, Pace),
    /// A tree that spans all nodes, in one of the forms of [`TREES`].
    Tree,
    /// The order of all nodes in a ring, in one of the forms of [`RINGS`].
    Ring,
    /// Voting sets, in one of the forms of [`COTERIES`].
    Coterie,
    /// The inform sets of an information structure.
    InformSets,
    /// The request sets of an information structure, whose inform sets another parameter gives.
    RequestSets {
        /// The name of the parameter that gives the inform sets.
        inform: &'static str,
    },
    /// A subset of the nodes.
    Nodes {
        /// Whether the set may be empty.
        or_none: bool,
        /// Whether progress is guaranteed only if the set contains all nodes. Smaller sets are allowed, to demonstrate
        /// the loss of progress.
        needs_all: bool,
    },
    /// The size of a quorum among the nodes that another parameter lists. A size below a majority is for teaching,
    /// because two such quorums need not intersect.
    Quorum {
        /// The name of the parameter that lists the nodes.
        of: &'static str,
    },
    /// The number of units of each lock: one number for each lock.
    Units {
        /// Maximum number of units of one lock.
        most: u32,
    },
    /// Maximum number of units of each lock that each node may hold: a row for each node, with a number for each
    /// lock.
    Claims {
        /// The name of the parameter that gives the number of units.
        on: &'static str,
    },
    /// A word for a value that depends on the run, or a value of another range.
    Or(Word, &'static Self),
}

/// A word for a value that depends on the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// The meaning of the word, for users; empty if the word is self-explanatory.
    pub meaning: &'static str,
}

/// The limits of a numeric parameter. Both can depend on the number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The minimum.
    pub least: Formula,
    /// The maximum.
    pub most: Formula,
    /// The number up to which each number causes different behaviour; all greater numbers behave like `most`. None
    /// if each number up to `most` causes different behaviour.
    pub telling: Option<Formula>,
}

impl Numbers {
    /// Returns the range from `least` to `most`, in which each number causes different behaviour.
    #[must_use]
    pub const fn new(least: Formula, most: Formula) -> Self {
        Self { least, most, telling: None }
    }

    /// Returns the numbers that are allowed in a run of `nodes` nodes.
    #[must_use]
    pub fn of(self, nodes: u32) -> RangeInclusive<u64> {
        self.least.of(nodes)..=self.most.of(nodes)
    }
}

/// A number that depends on the number of nodes, N: `times` × N + `plus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formula {
    times: u32,
    plus: i64,
}

impl Formula {
    /// Returns a number that does not depend on N.
    #[must_use]
    pub const fn number(number: u32) -> Self {
        Self { times: 0, plus: number as i64 }
    }

    /// Returns `times` × N + `plus`.
    #[must_use]
    pub const fn of_nodes(times: u32, plus: i64) -> Self {
        Self { times, plus }
    }

    /// Returns the value of the formula in a run of `nodes` nodes. A negative value becomes 0.
    #[must_use]
    pub fn of(self, nodes: u32) -> u64 {
        (u64::from(self.times) * u64::from(nodes)).saturating_add_signed(self.plus)
    }
}

/// The limits of a time parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    least: Ticks,
    part: Option<Part>,
}

/// A fraction of another parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    of: &'static str,
    parts: u32,
}

impl Times {
    /// From one tick to [`LONGEST`].
    pub const ANY: Self = Self::from(1);

    /// Returns the times from `least` ticks to [`LONGEST`].
    #[must_use]
    pub const fn from(least: Ticks) -> Self {
        Self { least, part: None }
    }

    /// Returns the times from one tick to 1/`parts` of the parameter `of`.
    #[must_use]
    pub const fn part_of(of: &'static str, parts: u32) -> Self {
        Self { least: 1, part: Some(Part { of, parts }) }
    }

    /// Returns the allowed times, in ticks. If the maximum is a fraction of another parameter, `whole` is the value
    /// of that parameter.
    #[must_use]
    pub fn within(self, whole: Ticks) -> RangeInclusive<Ticks> {
        self.least..=self.part.map_or(LONGEST, |Part { parts, .. }| whole / Ticks::from(parts))
    }

    /// Returns the times, in ticks, that are allowed for at least one value of the parameter that limits them.
    #[must_use]
    pub fn all(self) -> RangeInclusive<Ticks> {
        self.within(LONGEST)
    }
}

/// The purpose of a length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The time must exceed message delays, as [`Assumptions::time_outs`](crate::needs::Assumptions::time_outs) says.
    TimeOut,
    /// The interval after which a process repeats a message or report, as long as its cause lasts.
    Again,
    /// The time that a process rests while no message is in transit.
    Rest,
}

impl fmt::Display for Range {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node => formatter.write_str("0 … N-1"),
            Self::Number(numbers) => write!(formatter, "{} … {}", numbers.least, numbers.most),
            Self::Word(words) => words.iter().enumerate().try_for_each(|(place, word)| {
                let comma = if place == 0 { "" } else { ", " };
                write!(formatter, "{comma}{}", word.name)
            }),
            Self::Time(Times { least, part: None }, _) => {
                write!(formatter, "{} … {}", in_ms(*least), in_ms(LONGEST))
            }
            Self::Time(Times { least, part: Some(Part { of, parts }) }, _) => {
                write!(formatter, "{} … 1/{parts} of `{of}`", in_ms(*least))
            }
            Self::Tree => formatter.write_str(TREES),
            Self::Ring => formatter.write_str(RINGS),
            Self::Coterie => formatter.write_str(COTERIES),
            Self::InformSets | Self::RequestSets { .. } => formatter.write_str(SETS),
            Self::Nodes { or_none: true, .. } => formatter.write_str(NODES),
            Self::Nodes { or_none: false, .. } => formatter.write_str("all, 0,2,…"),
            Self::Quorum { of } => write!(formatter, "1 … the number of `{of}`"),
            Self::Units { most } => {
                write!(formatter, "a number from 0 to {most} for each resource, with commas between them")
            }
            Self::Claims { .. } => formatter.write_str("rows such as 4,1,1,1;0,2,1,2;…"),
            Self::Or(Word { name, meaning: "" }, range) => write!(formatter, "{name}, {range}"),
            Self::Or(Word { name, meaning }, range) => write!(formatter, "{name} ({meaning}), {range}"),
        }
    }
}

impl Serialize for Range {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { times: 0, plus } => return write!(formatter, "{plus}"),
            Self { times: 1, .. } => formatter.write_str("N")?,
            Self { times, .. } => write!(formatter, "{times}N")?,
        }
        if self.plus == 0 { Ok(()) } else { write!(formatter, "{:+}", self.plus) }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn formulas_are_written_as_people_write_them() {
        let table = [
            (Formula::number(7), "7", 7),
            (Formula::of_nodes(1, 0), "N", 5),
            (Formula::of_nodes(1, -1), "N-1", 4),
            (Formula::of_nodes(2, 2), "2N+2", 12),
            (Formula::of_nodes(1, -9), "N-9", 0),
        ];
        for (formula, text, of_five) in table {
            assert_eq!((formula.to_string().as_str(), formula.of(5)), (text, of_five));
        }
    }

    #[test]
    fn ranges_are_told_in_words() {
        const STATES: Range = Range::Number(Numbers::new(Formula::number(2), Formula::of_nodes(2, 2)));
        const WORDS: &[Variant] = &[Variant::new("one", "the first"), Variant::new("two", "").broken("all")];
        let auto = Word { name: "auto", meaning: "2N" };
        let table = [
            (Range::Node, "0 … N-1"),
            (STATES, "2 … 2N+2"),
            (Range::Or(auto, &STATES), "auto (2N), 2 … 2N+2"),
            (Range::Or(Word { meaning: "", ..auto }, &STATES), "auto, 2 … 2N+2"),
            (Range::Word(WORDS), "one, two"),
            (Range::Time(Times::ANY, Pace::Rest), "0.001 … 3600000"),
            (Range::Time(Times::from(4), Pace::TimeOut), "0.004 … 3600000"),
            (Range::Time(Times::part_of("lease", 4), Pace::TimeOut), "0.001 … 1/4 of `lease`"),
            (Range::Nodes { or_none: true, needs_all: false }, "all, none, 0,2,…"),
            (Range::Nodes { or_none: false, needs_all: true }, "all, 0,2,…"),
            (Range::Quorum { of: "acceptors" }, "1 … the number of `acceptors`"),
            (Range::Units { most: 9 }, "a number from 0 to 9 for each resource, with commas between them"),
        ];
        for (range, text) in table {
            assert_eq!(range.to_string(), text);
            assert_eq!(serde_json::to_value(range).expect("JSON"), text);
        }
    }

    #[test]
    fn a_part_is_of_what_another_parameter_is() {
        assert_eq!(Times::from(4).within(100), 4..=LONGEST);
        assert_eq!(Times::part_of("lease", 4).within(100), 1..=25);
        assert_eq!(Times::part_of("lease", 4).all(), 1..=LONGEST / 4);
    }
}
