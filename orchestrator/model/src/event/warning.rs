//! Warnings about a run before it starts.

use interlock_algorithm::Risk;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A warning: a time-out on which the algorithm relies is not longer than the delay of messages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Warning {
    /// Code of the warning: `delay-beyond-time-out`.
    pub code: String,
    /// Parameter of the algorithm that sets the time-out.
    pub parameter: String,
    /// Value of the parameter, in ms.
    pub value_ms: f64,
    /// Bound that the value must exceed, in ms.
    pub needed_ms: f64,
    /// Longest delay of a message, in ms, according to the network's settings. In a live run, processes and machine
    /// add their own delays.
    pub longest_delay_ms: f64,
    /// Whether this delay is an upper bound. If not, one message in a thousand takes longer.
    pub bounded: bool,
    /// Number of successive messages that the time-out must outlast.
    pub messages: u64,
    /// Property at risk: `safety` (the algorithm may violate a property) or `progress` (it may get stuck).
    pub risk: Risk,
    /// The warning in plain words.
    pub sentence: String,
}
