//! The clock of a scenario. The clock determines how long a process must be silent before a failure detector suspects
//! it. The clock also determines how long live processes may take to enter.

use serde_json::{Value, json};

use super::delay::SLOW;
use interlock_model::span::Span;

/// The clock that measures time-outs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Virtual time, which advances only by the delays of the scenario.
    Virtual,
    /// The wall clock. A process runs when the operating system schedules it, and each message passes through three
    /// operating-system processes. On a busy machine, a message is tens or even hundreds of milliseconds late, and a
    /// scenario cannot predict the delay. A failure detector must therefore wait for seconds of silence; otherwise it
    /// would suspect live processes.
    Wall,
}

impl Clock {
    /// Returns the distribution of message delays from which the time-outs are derived. Each time-out is at least
    /// twice the sum of the maximum delays of the messages that must arrive before it expires. On the wall clock, a
    /// time-out therefore allows one second for each message.
    pub(super) const fn latest(self) -> &'static str {
        match self {
            Self::Virtual => SLOW,
            Self::Wall => "uniform:0..500ms",
        }
    }

    /// Returns the maximum time to wait until every live process has entered once more. As soon as all of them have
    /// entered, the wait ends.
    pub(super) const fn patience(self) -> &'static str {
        match self {
            Self::Virtual => "5s",
            Self::Wall => "60s",
        }
    }

    /// Returns the time limit of a run. The limit is longer than all waits of the run together.
    pub(super) const fn end(self) -> &'static str {
        match self {
            Self::Virtual => "60s",
            Self::Wall => "15m",
        }
    }

    /// Returns the failure detector with this name. On the wall clock, the time-out of a heartbeat detector is
    /// [`SILENCE`].
    pub(super) fn detector(self, name: &str) -> Value {
        match (self, name) {
            (Self::Wall, "heartbeat") => json!({ "heartbeat": { "timeout": f64::from(SILENCE) } }),
            (_, name) => json!(name),
        }
    }

    /// Returns how long a process must be silent before the failure detector with this name suspects it. Returns 0 if
    /// the detector does not measure silence. Also returns 0 in virtual time, where every fault already leaves more
    /// time than the time-out of the detector.
    pub(super) fn silence(self, detector: &str) -> Span {
        if self == Self::Wall && detector == "heartbeat" { SILENCE } else { Span(0) }
    }
}

/// Time-out of heartbeat detectors on the wall clock: thirty missed heartbeats. If so many heartbeats are missing,
/// their sender has crashed or was not scheduled for three seconds.
const SILENCE: Span = Span(3_000_000);
