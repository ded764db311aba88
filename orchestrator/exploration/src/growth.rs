//! Quantities that may grow without bound if clients request without limit. If a quantity grows without bound, the
//! exploration does not end by itself.

use std::collections::HashMap;
use std::fmt;

use super::system::System;

/// A quantity that is greater in the states found late in the search than in the states found early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// The distance between unbounded numbers, such as clocks.
    Clocks {
        /// Maximum distance so far.
        apart: u64,
    },
    /// The number of messages in transit.
    Messages {
        /// Maximum number so far.
        in_transit: usize,
    },
}

impl Growth {
    /// Returns the quantity that has grown over the first `count` states, in the order of their discovery. If none
    /// has grown, returns none.
    pub(super) fn of<'s>(system: &System<'_>, count: usize, state: impl Fn(usize) -> &'s [u32]) -> Option<Self> {
        let (mut early, mut late) = ((0, 0), (0, 0));
        let mut known = HashMap::new();
        let mut apart = |pair: u32| *known.entry(pair).or_insert_with(|| system.greatest(pair));
        for number in 0..count {
            let seen = if number < count / 2 { &mut early } else { &mut late };
            let pairs = system.pairs(state(number));
            let greatest = pairs.iter().map(|&pair| apart(pair)).max().unwrap_or(0);
            *seen = (seen.0.max(system.messages(pairs)), seen.1.max(greatest));
        }
        let messages = (late.0 > early.0).then_some(Self::Messages { in_transit: late.0 });
        messages.or_else(|| (late.1 > early.1).then_some(Self::Clocks { apart: late.1 }))
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clocks { apart } => {
                write!(formatter, "clocks drift apart without limit, {apart} so far")?;
            }
            Self::Messages { in_transit } => {
                write!(formatter, "the number of messages in transit grows, {in_transit} so far")?;
            }
        }
        formatter.write_str(", so the number of states may be infinite")
    }
}
