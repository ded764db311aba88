//! What to know of a run before it starts.

use interlock_algorithm::Risk;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A time-out on which the algorithm relies is no longer than messages can take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Warning {
    /// What it is about: `delay-beyond-time-out`.
    pub code: String,
    /// The parameter that is the time-out.
    pub parameter: String,
    /// What it is, in ms.
    pub value_ms: f64,
    /// What it would have to be longer than, in ms.
    pub needed_ms: f64,
    /// For how long a message can be on its way, in ms, as far as the network is told; in a live run what the processes
    /// and the machine need comes to that.
    pub longest_delay_ms: f64,
    /// Whether no message takes longer; if not, one in a thousand does.
    pub bounded: bool,
    /// How many messages, one after the other, it must outlast.
    pub messages: u64,
    /// What may be lost: `safety` (a rule may be broken) or `progress` (it may not get on).
    pub risk: Risk,
    /// The same in plain words.
    pub sentence: String,
}
