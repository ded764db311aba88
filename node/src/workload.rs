//! What the client of a node does: idle, acquire, hold, release, and again.

use serde::{Deserialize, Serialize};

use crate::distribution::Distribution;

/// A closed loop of idle time and hold time (s0, slide 7.39).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientLoop {
    /// How long a client waits before it asks (again), in ms.
    pub idle: Distribution,
    /// How long it stays in the critical section, in ms.
    pub hold: Distribution,
    /// How often each client enters before it stops; none means for ever.
    #[serde(default)]
    pub entries: Option<u64>,
}
