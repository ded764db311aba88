//! Faults that some algorithms repair.

use interlock_algorithm::FailureDetector;
use serde::Serialize;

use super::special::{circles, special};
use crate::matrix::{Contender, Expectation, Fate, Fault};

/// A fault after which a waiting process must enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairedFault {
    /// The process in the critical section crashes.
    CrashOfHolder,
    /// The process in the critical section crashes and restarts at once with its stored state.
    ReturnOfHolder,
    /// A process on which the others depend crashes while a request to it is in transit.
    CrashOfSpecial,
    /// A circulating token is lost in transit.
    LossOfToken,
}

/// All faults, in table order.
pub const FAULTS: [RepairedFault; 4] = [
    RepairedFault::CrashOfHolder,
    RepairedFault::ReturnOfHolder,
    RepairedFault::CrashOfSpecial,
    RepairedFault::LossOfToken,
];

impl RepairedFault {
    /// Returns the name of the fault in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CrashOfHolder => "crash-of-holder",
            Self::ReturnOfHolder => "return-of-holder",
            Self::CrashOfSpecial => "crash-of-special",
            Self::LossOfToken => "loss-of-token",
        }
    }

    /// Returns the description of the fault.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::CrashOfHolder => "the process in the critical section crashes",
            Self::ReturnOfHolder => "the process in the critical section crashes, and restarts at once",
            Self::CrashOfSpecial => {
                "the coordinator, leader, arbiter or idle token holder crashes, while a request is in transit to it"
            }
            Self::LossOfToken => "the token is lost in transit",
        }
    }

    /// Returns whether the algorithm of `contender` repairs the fault.
    #[must_use]
    pub fn is_repaired_by(self, contender: &Contender) -> bool {
        let is_missed = contender.assumes.failure_detector != FailureDetector::None;
        match self {
            Self::CrashOfHolder => is_missed,
            // A process that restarts without memory of the ring may let a second process enter before the ring has
            // stabilised. Such an entry is not the result of a repair, so its cost is not measured.
            Self::ReturnOfHolder => {
                let expected = Expectation::of(contender, Fault::RestartWithState).fate;
                expected == Fate::SafeAndLive && !contender.stabilises()
            }
            Self::CrashOfSpecial => is_missed && !contender.assumes.no_crash && special(contender.entry).is_some(),
            Self::LossOfToken => circles(contender.entry) && regenerates(contender),
        }
    }
}

/// Returns whether the variant regenerates a lost token.
pub(super) fn regenerates(contender: &Contender) -> bool {
    contender.entry.conduct.regenerates.contains(&contender.variant.name)
}
