//! Behaviour of a node's client: the client is idle, acquires locks, holds them, releases them, and repeats this.

use serde::{Deserialize, Serialize};

use crate::distribution::Distribution;
use crate::lock_choice::LockChoice;
use crate::service::Service;

/// The loop of a client, which is idle and then holds locks (`verteilte-systeme-2003`, slide 7.39). The default is a closed loop. Each
/// iteration is a round: the client acquires the locks that it needs, one after the other, holds all of them, and
/// releases them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientLoop {
    /// Idle time of a client before its next request, in units of time (ms in a live run).
    pub idle: Distribution,
    /// Time for which the client stays in the critical section, or holds all its locks, in units of time.
    pub hold: Distribution,
    /// Number of rounds after which each client stops; `None` means that clients do not stop.
    #[serde(default)]
    pub entries: Option<u64>,
    /// Event at which the idle time begins.
    #[serde(default, rename = "loop", skip_serializing_if = "LoopKind::is_closed")]
    pub kind: LoopKind,
    /// Locks that a client acquires in a round.
    #[serde(default, skip_serializing_if = "is_default")]
    pub locks: LockChoice,
    /// Time between the grant of a lock and the request for the next lock of the round, in units of time.
    #[serde(default = "no_time", skip_serializing_if = "is_no_time")]
    pub between: Distribution,
    /// Back-off: time between an abort of a request and its repetition, in units of time.
    #[serde(default = "back_off", skip_serializing_if = "is_back_off")]
    pub again: Distribution,
    /// Probability, 0 … 1, that a client sends an application message to another client directly after a request. If
    /// the other client is idle, the message makes that client send a request as well.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tell: f64,
    /// Service to which the client sends a request in each round, instead of acquiring locks. `None` means that the
    /// client acquires locks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<Service>,
}

/// Default back-off. It is random, so that two clients whose requests have collided do not collide in every
/// attempt.
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

/// The event at which the idle time of a client begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoopKind {
    /// The idle time begins at the client's exit. While the client waits for a lock, it sends no further request.
    #[default]
    Closed,
    /// The idle time begins at the client's previous request, whether or not that request has been granted. If the next
    /// request comes before the grant, it waits in a queue at the client.
    Open,
}

impl LoopKind {
    /// Whether the loop is closed.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        matches!(self, Self::Closed)
    }
}
