//! The expected fate of a cell. It follows from the assumptions of the algorithm and the guarantees of the channel.

use interlock_algorithm::{Assumptions, FailureDetector, Risk};
use serde::Serialize;

use super::Fate;
use super::contender::Contender;
use super::fault::Fault;

/// An assumption of an algorithm that a fault violates.
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
    /// With a failure detector: no process crashes. Without a failure detector: no process crashes permanently.
    NoCrash,
    /// A crashed process does not restart.
    NoReturn,
    /// A restarted process still has its stored state.
    StableStorage,
    /// The failure detector suspects no live process.
    FailureDetector,
    /// Every message arrives before the time-out that waits for the message expires.
    TimeOut,
}

/// The expected fate of a cell, with the assumptions that explain it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The expected fate.
    pub fate: Fate,
    /// The violated assumptions; empty if all assumptions of the algorithm hold.
    pub lost: Vec<Lost>,
}

impl Lost {
    /// Returns the fate that results if this assumption is violated. A missing message or process blocks other
    /// processes. A message that is duplicated, late or of an earlier incarnation is mistaken for a valid message,
    /// and lets a second process enter. So does a loss, if processes conclude from later messages that none is missing.
    fn costs(self, contender: &Contender) -> Fate {
        match self {
            Self::NoLoss if contender.concludes_wrongly_from_loss() => Fate::Unsafe,
            Self::NoLoss | Self::NoCrash | Self::NoReturn => Fate::SafeButStuck,
            Self::NoDuplication | Self::Fifo | Self::StableStorage | Self::FailureDetector | Self::TimeOut => {
                Fate::Unsafe
            }
        }
    }
}

impl Expectation {
    /// Returns the expectation of the cell in the row of `contender` and the column of `fault`.
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
        // The channel `fifo` only preserves the order: after a lost message it delivers no later message.
        let loses = assumes.no_loss || contender.channel == "fifo";
        let is_lost = loses && !reliable;
        let is_told = assumes.failure_detector != FailureDetector::None;
        match fault {
            Fault::Nothing | Fault::Corruption => {}
            Fault::Loss => {
                take(is_lost, Lost::NoLoss);
                // A message that the channel retransmits is late. A lost heartbeat may look like the silence of a
                // crashed process.
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
                // A new incarnation that has not sent anything yet may miss a message. The message has the same
                // number as a message to the earlier incarnation, so the channel may discard it.
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
        let fate = lost.iter().map(|lost| lost.costs(contender)).max().unwrap_or(Fate::SafeAndLive);
        Self { fate, lost }
    }
}

/// Returns whether a second process may enter if a message takes longer than a time-out.
fn breaks_when_late(assumes: &Assumptions) -> bool {
    assumes.time_outs.iter().any(|time_out| time_out.risk == Risk::Safety)
}

impl Contender {
    /// Returns whether a second process may enter because a message is lost. Over the channel `fifo`, no later message
    /// arrives, so the algorithm draws no conclusion from it.
    fn concludes_wrongly_from_loss(&self) -> bool {
        self.channel == "raw" && self.assumes.loss_risk == Risk::Safety
    }

    /// Returns whether a second process may enter because a slow process is suspected, or is assumed to have left the
    /// critical section.
    fn suspects_the_late(&self) -> bool {
        self.hears_heartbeats() || breaks_when_late(&self.assumes)
    }

    /// Returns whether the algorithm depends on a failure detector that suspects a process whose heartbeats are
    /// missing.
    fn hears_heartbeats(&self) -> bool {
        self.detector == "heartbeat" && self.assumes.failure_detector == FailureDetector::Perfect
    }
}
