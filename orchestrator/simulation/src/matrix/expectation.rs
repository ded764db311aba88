//! What is expected of a cell: it follows from what the algorithm assumes, and from what the channel makes good.

use interlock_algorithm::{Assumptions, FailureDetector, Risk};
use serde::Serialize;

use super::Fate;
use super::contender::Contender;
use super::fault::Fault;

/// Something that an algorithm assumes and a fault takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = LostAssumption)]
pub enum Lost {
    /// No message is lost.
    NoLoss,
    /// No message arrives twice.
    NoDuplication,
    /// Messages arrive in the order in which they were sent.
    Fifo,
    /// No process dies; or, where nobody is told who is dead, none for good.
    NoCrash,
    /// Who has died does not come back.
    NoReturn,
    /// Who comes back has what it had stored.
    StableStorage,
    /// Nobody is taken for dead who is alive.
    FailureDetector,
    /// Messages are faster than a time-out.
    TimeOut,
}

/// What is expected of a cell, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// What is to come of it.
    pub fate: Fate,
    /// What the fault takes away; nothing where all that the algorithm assumes is kept.
    pub lost: Vec<Lost>,
}

impl Lost {
    /// What goes with it. A message or a process that is missing is waited for; what is there twice, too late or of an earlier
    /// life passes for what it is not, and lets a second one in.
    const fn costs(self) -> Fate {
        match self {
            Self::NoLoss | Self::NoCrash | Self::NoReturn => Fate::SafeButStuck,
            Self::NoDuplication | Self::Fifo | Self::StableStorage | Self::FailureDetector | Self::TimeOut => {
                Fate::Unsafe
            }
        }
    }
}

impl Expectation {
    /// What is expected of this row in this column.
    #[must_use]
    pub fn of(contender: &Contender, fault: Fault) -> Self {
        let mut lost = Vec::new();
        let assumes = &contender.assumes;
        let mut take = |is_lost: bool, what: Lost| {
            if is_lost {
                lost.push(what);
            }
        };
        let (raw, reliable) = (contender.channel == "raw", contender.channel == "reliable");
        // A channel that only keeps the order lets nothing through behind a gap.
        let loses = assumes.no_loss || contender.channel == "fifo";
        let is_lost = loses && !reliable;
        let is_told = assumes.failure_detector != FailureDetector::None;
        match fault {
            Fault::Nothing | Fault::Corruption => {}
            Fault::Loss => {
                take(is_lost, Lost::NoLoss);
                // What is sent again is late, and what is lost may be taken for a silence.
                let passes_for_late = reliable || assumes.no_loss;
                take(contender.hears_heartbeats() || passes_for_late && breaks_when_late(assumes), Lost::TimeOut);
            }
            Fault::Duplication => take(assumes.no_duplication && raw, Lost::NoDuplication),
            Fault::Reordering => take(assumes.fifo && raw, Lost::Fifo),
            Fault::CrashOfWaiter | Fault::CrashOfHolder | Fault::CrashOfSpecial => {
                take(assumes.no_crash || !is_told, Lost::NoCrash);
            }
            Fault::RestartWithState | Fault::RestartWithoutState => {
                take(assumes.no_crash, Lost::NoCrash);
                take(!assumes.no_crash && !contender.takes_back(), Lost::NoReturn);
                // What is said to a new life before it has spoken is numbered like what was said to the earlier one.
                take(assumes.no_loss && contender.channel == "fifo", Lost::NoLoss);
                take(assumes.stable_storage && fault == Fault::RestartWithoutState, Lost::StableStorage);
            }
            Fault::Pause => take(contender.suspects_the_late(), Lost::TimeOut),
            Fault::OneWayPartition | Fault::Partition => {
                take(is_lost, Lost::NoLoss);
                take(contender.suspects_the_late(), Lost::TimeOut);
            }
            Fault::WrongSuspicion => {
                let heeds = assumes.failure_detector == FailureDetector::Perfect || contender.heeds_suspicions();
                take(heeds, Lost::FailureDetector);
            }
        }
        let fate = lost.iter().map(|lost| lost.costs()).max().unwrap_or(Fate::SafeAndLive);
        Self { fate, lost }
    }
}

/// Whether a second one may be let in where a message takes longer than a time-out.
fn breaks_when_late(assumes: &Assumptions) -> bool {
    assumes.time_outs.iter().any(|time_out| time_out.risk == Risk::Safety)
}

impl Contender {
    /// Whether who is late may be taken for dead, or for gone, and a second one let in.
    fn suspects_the_late(&self) -> bool {
        self.hears_heartbeats() || breaks_when_late(&self.assumes)
    }

    /// Whether it takes for dead whose heartbeats do not come.
    fn hears_heartbeats(&self) -> bool {
        self.detector == "heartbeat" && self.assumes.failure_detector == FailureDetector::Perfect
    }
}
