//! The clock of a scenario. It determines how long a silence is significant, and how long live processes may take.

use serde_json::{Value, json};

use super::delay::SLOW;
use interlock_model::span::Span;

/// The clock by which time-outs expire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Virtual time: only the delays of the scenario take time.
    Virtual,
    /// The wall clock. A process runs when the operating system schedules it, and a message passes through three
    /// processes. On a busy machine, it is tens of milliseconds late, sometimes hundreds, which no scenario can
    /// know. A silence must therefore last for seconds to be significant; otherwise live processes would be
    /// suspected.
    Wall,
}

impl Clock {
    /// Returns the maximum delay of messages, such that no time-out expires before they arrive. A time-out is at
    /// least twice as long as everything that must arrive within it. On the wall clock, that is a second for each
    /// message.
    pub(super) const fn latest(self) -> &'static str {
        match self {
            Self::Virtual => SLOW,
            Self::Wall => "uniform:0..500ms",
        }
    }

    /// Returns the maximum time in which all live processes enter once more. A wait ends earlier if they do.
    pub(super) const fn patience(self) -> &'static str {
        match self {
            Self::Virtual => "5s",
            Self::Wall => "60s",
        }
    }

    /// Returns the time after which a run without a result ends. It exceeds all waits of the run.
    pub(super) const fn end(self) -> &'static str {
        match self {
            Self::Virtual => "60s",
            Self::Wall => "15m",
        }
    }

    /// Returns the failure detector with this name. A heartbeat detector on the wall clock needs the length of a
    /// significant silence.
    pub(super) fn detector(self, name: &str) -> Value {
        match (self, name) {
            (Self::Wall, "heartbeat") => json!({ "heartbeat": { "timeout": f64::from(SILENCE) } }),
            (_, name) => json!(name),
        }
    }

    /// Returns the silence after which such a detector suspects a process. It is 0 for a detector that does not
    /// measure silence. It is also 0 in virtual time, where it is shorter than the time that all faults leave for
    /// it.
    pub(super) fn silence(self, detector: &str) -> Span {
        if self == Self::Wall && detector == "heartbeat" { SILENCE } else { Span(0) }
    }
}

/// Thirty missed heartbeats: their sender was not scheduled all that time, or has crashed.
const SILENCE: Span = Span(3_000_000);
