//! Faults that are repaired.

use interlock_algorithm::FailureDetector;
use serde::Serialize;

use super::special::{circles, special};
use crate::matrix::{Contender, Expectation, Fate, Fault};

/// A fault after which somebody who waits is to enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepairedFault {
    /// Who is in the section dies.
    CrashOfHolder,
    /// Who is in the section dies, and is back at once with what it had stored.
    ReturnOfHolder,
    /// One on whom the others depend dies, with a request on its way to it.
    CrashOfSpecial,
    /// A token that goes round is lost on its way.
    LossOfToken,
}

/// All of them, in the order of the table.
pub const FAULTS: [RepairedFault; 4] = [
    RepairedFault::CrashOfHolder,
    RepairedFault::ReturnOfHolder,
    RepairedFault::CrashOfSpecial,
    RepairedFault::LossOfToken,
];

impl RepairedFault {
    /// Its name in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CrashOfHolder => "crash-of-holder",
            Self::ReturnOfHolder => "return-of-holder",
            Self::CrashOfSpecial => "crash-of-special",
            Self::LossOfToken => "loss-of-token",
        }
    }

    /// What happens, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::CrashOfHolder => "who is in the section dies",
            Self::ReturnOfHolder => "who is in the section dies, and is back at once",
            Self::CrashOfSpecial => {
                "the coordinator, leader, arbiter or idle token holder dies, with a request on its way to it"
            }
            Self::LossOfToken => "the token is lost on its way",
        }
    }

    /// Whether this algorithm repairs it.
    #[must_use]
    pub fn is_repaired_by(self, contender: &Contender) -> bool {
        let is_missed = contender.assumes.failure_detector != FailureDetector::None;
        match self {
            Self::CrashOfHolder => is_missed,
            // Who has no memory of the ring may let a second one in until it has stabilised: that is no cost of an entry.
            Self::ReturnOfHolder => {
                let expected = Expectation::of(contender, Fault::RestartWithState).fate;
                expected == Fate::SafeAndLive && !contender.stabilises()
            }
            Self::CrashOfSpecial => is_missed && !contender.assumes.no_crash && special(contender.entry).is_some(),
            Self::LossOfToken => circles(contender.entry) && regenerates(contender),
        }
    }
}

/// Whether it makes a lost token anew.
pub(super) fn regenerates(contender: &Contender) -> bool {
    contender.entry.conduct.regenerates.contains(&contender.variant.name)
}
