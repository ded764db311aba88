//! Warnings about a run, issued before it starts.

use interlock_algorithm::Risk;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A warning: the algorithm relies on a time-out that may be shorter than the delays of the messages for which it
/// waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Warning {
    /// Code of the warning: `delay-beyond-time-out`.
    pub code: String,
    /// Parameter of the algorithm that sets the time-out.
    pub parameter: String,
    /// Value of the parameter, in ms.
    pub value_ms: f64,
    /// Lower bound for a safe value, in ms: the value must be greater than this bound.
    pub needed_ms: f64,
    /// Longest delay of a message, in ms, according to the network's settings. In a live run, processes and machine
    /// add delays that this number does not include.
    pub longest_delay_ms: f64,
    /// Whether `longest_delay_ms` is an upper bound for the delay of every message. If false, one message in a
    /// thousand takes longer.
    pub bounded: bool,
    /// Number of successive messages that must arrive before the time-out expires.
    pub messages: u64,
    /// Property at risk: `safety` (the algorithm may violate a property) or `progress` (it may get stuck).
    pub risk: Risk,
    /// The warning as a sentence for people.
    pub sentence: String,
}
