//! The fault matrix: the fate of each algorithm for mutual exclusion under each fault. Each cell summarises several
//! runs.
//!
//! A cell is a scenario: processes enter, a fault begins and ends, and all live processes must enter once more. The
//! scenario is simulated in virtual time with several seeds. The expected fate follows from the assumptions that the
//! catalogue lists for the algorithm. If the fault violates none of them, the algorithm must stay safe and live. If
//! the fault violates an assumption, the guarantee that depends on this assumption is lost. The table therefore tests
//! whether the listed assumptions are sufficient, and whether each of them is necessary.

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

/// The fate of an algorithm under a fault. The order is from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Mutual exclusion holds, and all live processes enter again.
    SafeAndLive,
    /// Mutual exclusion holds, but a live process does not enter again.
    SafeButStuck,
    /// Mutual exclusion is violated.
    Unsafe,
}

impl Fate {
    /// All fates, from best to worst.
    pub const ALL: [Self; 3] = [Self::SafeAndLive, Self::SafeButStuck, Self::Unsafe];

    /// Returns the text for this fate in the table.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::SafeAndLive => "safe and live",
            Self::SafeButStuck => "safe but stuck",
            Self::Unsafe => "unsafe",
        }
    }
}
