//! What the client of a node does: idle, acquire, hold, release, and again.

use serde::{Deserialize, Serialize};

use crate::distribution::Distribution;
use crate::lock_choice::LockChoice;
use crate::service::Service;

/// A loop of idle time and hold time (s0, slide 7.39), closed unless said otherwise. Each turn of it is a round: the
/// client takes the locks that it needs, one after the other, holds them all, and releases them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientLoop {
    /// How long a client waits before it asks (again), in units of time (ms in a live run).
    pub idle: Distribution,
    /// How long it stays in the critical section, or has all its locks, in units of time.
    pub hold: Distribution,
    /// How many rounds each client makes before it stops; none means for ever.
    #[serde(default)]
    pub entries: Option<u64>,
    /// What the idle time is counted from.
    #[serde(default, rename = "loop", skip_serializing_if = "LoopKind::is_closed")]
    pub kind: LoopKind,
    /// Which locks a client takes in a round.
    #[serde(default, skip_serializing_if = "is_default")]
    pub locks: LockChoice,
    /// How long it waits between getting one lock and asking for the next of the same round, in units of time.
    #[serde(default = "no_time", skip_serializing_if = "is_no_time")]
    pub between: Distribution,
    /// How long it waits before it asks again when its request was aborted, in units of time.
    #[serde(default = "back_off", skip_serializing_if = "is_back_off")]
    pub again: Distribution,
    /// How probable it is, 0 … 1, that a client that has just asked tells another, by a message of the application,
    /// and that the other asks, too, if it is idle.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tell: f64,
    /// Which service it asks for something in each round, in the place of a lock; none means that it takes locks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<Service>,
}

/// The back-off unless told otherwise: drawn, so that who got into each other's way once does not do so for ever.
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
