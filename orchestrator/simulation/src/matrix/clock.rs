//! The clock of a scenario. It determines after which silence a failure detector suspects a process, and how much
//! time live processes get to enter.

use serde_json::{Value, json};

use super::delay::SLOW;
use interlock_model::span::Span;

/// The clock by which time-outs expire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Virtual time: only the delays of the scenario take time.
    Virtual,
    /// The wall clock. A process runs when the operating system schedules it, and a message passes through three
    /// processes. On a busy machine, a message is tens of milliseconds late, sometimes hundreds, and a scenario
    /// cannot predict the delay. A failure detector must therefore wait for seconds of silence; otherwise it would
    /// suspect live processes.
    Wall,
}

impl Clock {
    /// Returns the distribution of message delays from which the time-outs are derived. A time-out is at least
    /// twice as long as the maximum delays of all messages that must arrive before it expires. On the wall clock,
    /// a time-out therefore allows one second for each message.
    pub(super) const fn latest(self) -> &'static str {
        match self {
            Self::Virtual => SLOW,
            Self::Wall => "uniform:0..500ms",
        }
    }

    /// Returns the maximum time to wait until every live process has entered once more. The wait ends as soon as
    /// all have entered.
    pub(super) const fn patience(self) -> &'static str {
        match self {
            Self::Virtual => "5s",
            Self::Wall => "60s",
        }
    }

    /// Returns the time after which a run without a result ends. This time exceeds all waits of the run together.
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

    /// Returns the silence after which the failure detector with this name suspects a process. It is 0 for a
    /// detector that does not measure silence. It is also 0 in virtual time, because every fault there leaves more
    /// time than the silence takes.
    pub(super) fn silence(self, detector: &str) -> Span {
        if self == Self::Wall && detector == "heartbeat" { SILENCE } else { Span(0) }
    }
}

/// Time-out of heartbeat detectors on the wall clock: thirty missed heartbeats. Their sender has crashed, or was
/// not scheduled during all that time.
const SILENCE: Span = Span(3_000_000);
