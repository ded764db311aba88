//! Behaviour of a node's client: idle, acquire, hold, release, repeat.

use serde::{Deserialize, Serialize};

use crate::distribution::Distribution;
use crate::lock_choice::LockChoice;
use crate::service::Service;

/// The loop of a client: it is idle, and then holds locks (s0, slide 7.39). The default is a closed loop. Each turn
/// is a round: the client takes the locks that it needs, one after the other, holds them all, and releases them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientLoop {
    /// Idle time of a client before its next request, in units of time (ms in a live run).
    pub idle: Distribution,
    /// Time for which the client stays in the critical section, or holds all its locks, in units of time.
    pub hold: Distribution,
    /// Number of rounds after which each client stops; `None` means never.
    #[serde(default)]
    pub entries: Option<u64>,
    /// Event from which the idle time is counted.
    #[serde(default, rename = "loop", skip_serializing_if = "LoopKind::is_closed")]
    pub kind: LoopKind,
    /// Locks that a client takes in a round.
    #[serde(default, skip_serializing_if = "is_default")]
    pub locks: LockChoice,
    /// Pause between obtaining one lock and requesting the next of the same round, in units of time.
    #[serde(default = "no_time", skip_serializing_if = "is_no_time")]
    pub between: Distribution,
    /// Back-off before the next attempt after an abort of its request, in units of time.
    #[serde(default = "back_off", skip_serializing_if = "is_back_off")]
    pub again: Distribution,
    /// Probability, 0 … 1, that a client that has just sent a request notifies another client. The notification is
    /// a message of the application; the other client also sends a request if it is idle.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tell: f64,
    /// Service to which the client sends a request in each round, instead of taking a lock. `None` means that it
    /// takes locks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<Service>,
}

/// Default back-off. It is random, so that clients that collided once do not collide in every attempt.
pub const BACK_OFF: Distribution = Distribution::Uniform(5.0, 25.0);

const fn no_time() -> Distribution {
    Distribution::ZERO
}

const fn back_off() -> Distribution {
    BACK_OFF
}

fn is_no_time(time: &Distribution) -> bool {
    *time == Distribution::ZERO
}

fn is_back_off(time: &Distribution) -> bool {
    *time == BACK_OFF
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Event from which the idle times of a client are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoopKind {
    /// The exit of the client. While a client waits, it sends no further request.
    #[default]
    Closed,
    /// The previous request: requests arrive whether or not the earlier ones have been granted, and queue at the
    /// client.
    Open,
}

impl LoopKind {
    /// Whether the loop is closed.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        matches!(self, Self::Closed)
    }
}
