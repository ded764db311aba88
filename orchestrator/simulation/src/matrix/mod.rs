//! What each algorithm for mutual exclusion makes of each fault: a table of cells, each from runs.
//!
//! A cell is a scenario: entries are made, a fault comes and goes, and whoever lives is to enter once more. It is played in
//! virtual time with several seeds. What is expected follows from what the catalogue says that the algorithm assumes: where the
//! fault leaves its assumptions alone it must stay safe and live, and where it takes one away, what was to be lost with it is
//! lost. So the table shows whether the assumptions are right: enough, and all of them needed.

mod cell;
mod clock;
mod contender;
mod delay;
mod expectation;
mod fault;
mod row;
mod scenario;
#[cfg(test)]
mod tests;

use serde::Serialize;

pub use cell::{Cell, Example, SEEDS, fate};
pub use clock::Clock;
pub use contender::{CHANNELS, Contender, NODES, contenders};
pub use expectation::{Expectation, Lost};
pub use fault::{FAULTS, Fault};
pub use row::{Row, play};

/// What an algorithm makes of a fault; the worse is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Never two in the section, and all who live enter again.
    SafeAndLive,
    /// Never two in the section, but somebody who lives does not enter any more.
    SafeButStuck,
    /// Two were in the section at a time.
    Unsafe,
}

impl Fate {
    /// All of them, the best first.
    pub const ALL: [Self; 3] = [Self::SafeAndLive, Self::SafeButStuck, Self::Unsafe];

    /// In words, as it stands in a table.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::SafeAndLive => "safe and live",
            Self::SafeButStuck => "safe but stuck",
            Self::Unsafe => "unsafe",
        }
    }
}
