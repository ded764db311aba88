//! What the client of a node does: idle, acquire, hold, release, and again.

use serde::{Deserialize, Serialize};

use crate::distribution::Distribution;

/// A loop of idle time and hold time (s0, slide 7.39), closed unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientLoop {
    /// How long a client waits before it asks (again), in units of time (ms in a live run).
    pub idle: Distribution,
    /// How long it stays in the critical section, in units of time.
    pub hold: Distribution,
    /// How often each client enters before it stops; none means for ever.
    #[serde(default)]
    pub entries: Option<u64>,
    /// What the idle time is counted from.
    #[serde(default, rename = "loop", skip_serializing_if = "LoopKind::is_closed")]
    pub kind: LoopKind,
}

/// What the idle times of a client are counted from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoopKind {
    /// From its exit: who waits asks for nothing more.
    #[default]
    Closed,
    /// From the request before: requests come whether or not the earlier ones have been granted, and wait in line at
    /// the client.
    Open,
}

impl LoopKind {
    /// Whether it is the closed loop.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        matches!(self, Self::Closed)
    }
}
