//! The time in which a scenario is carried out: how long silence lasts before it means something, and how long those who
//! live may take.

use serde_json::{Value, json};

use super::delay::SLOW;
use interlock_model::span::Span;

/// A clock by which time-outs run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Virtual time: nothing takes any but what the scenario says.
    Virtual,
    /// The time of the machine. A process gets its turn when the system gives it one, and a message passes through three of
    /// them: on a busy machine that is tens of milliseconds late, now and then hundreds, which no scenario can know. So
    /// silence must last for seconds before it means something, or the living would be taken for dead.
    Wall,
}

impl Clock {
    /// How long messages may take at the most, so that no time-out runs out before they are there. A time-out is at least
    /// twice as long as all that must arrive within it: by the clock of the machine a second for each message.
    pub(super) const fn latest(self) -> &'static str {
        match self {
            Self::Virtual => SLOW,
            Self::Wall => "uniform:0..500ms",
        }
    }

    /// For how long those who live may take to enter once more: nobody waits longer than it takes.
    pub(super) const fn patience(self) -> &'static str {
        match self {
            Self::Virtual => "5s",
            Self::Wall => "60s",
        }
    }

    /// When a run is over that comes to nothing: after the patience of all that is waited for in it.
    pub(super) const fn end(self) -> &'static str {
        match self {
            Self::Virtual => "60s",
            Self::Wall => "15m",
        }
    }

    /// A failure detector of this name, which needs to be told how long silence lasts that means something.
    pub(super) fn detector(self, name: &str) -> Value {
        match (self, name) {
            (Self::Wall, "heartbeat") => json!({ "heartbeat": { "timeout": f64::from(SILENCE) } }),
            (_, name) => json!(name),
        }
    }

    /// After how long such a detector takes who is silent for dead; at once if it does not go by silence, and in virtual time
    /// in less than all faults leave for it.
    pub(super) fn silence(self, detector: &str) -> Span {
        if self == Self::Wall && detector == "heartbeat" { SILENCE } else { Span(0) }
    }
}

/// Thirty heartbeats of which none comes: their sender got no turn all that time, or is dead.
const SILENCE: Span = Span(3_000_000);
