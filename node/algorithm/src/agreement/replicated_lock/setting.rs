//! What is fixed for a run of the replicated lock service.

use crate::needs::{Risk, TimeOut};
use crate::prelude::*;

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// How many nodes there are.
    pub nodes: u32,
    /// How many locks there are.
    pub locks: u32,
    /// Who leads first.
    pub leader: NodeId,
    /// How long a lock is held without a renewal.
    pub lease: Ticks,
    /// How long a node waits before it asks again.
    pub retry: Ticks,
    /// What is wrong.
    pub flaw: Flaw,
}

impl Setting {
    /// How many nodes are enough.
    #[must_use]
    pub const fn quorum(&self) -> usize {
        self.nodes as usize / 2 + 1
    }
}

choices! {
    /// What may be wrong, kept for teaching.
    pub enum Flaw {
        None = "leased": "a lock is held for the length of a lease, and renewed",
        AdoptsNothing = "adopts-nothing":
            "a new leader begins with what it has applied itself, whatever its promises say was accepted";
            broken: "what was granted by the leader before is granted again",
    }
}

/// The parts of a lease after which it is renewed, at the latest.
const RENEWALS: u32 = 4;
/// How long a lease can be, each of its parts a tick at least.
const LEASES: Times = Times::from(RENEWALS as Ticks);
/// How long a node can wait.
const RETRIES: Times = Times::part_of("lease", RENEWALS);
const LEASE: Ticks = 400_000;

/// REQUEST, ACCEPT, ACCEPTED and GRANT, within half a lease: by then a client that waits has asked twice again, and what
/// is granted to the first time that it asked counts no more.
pub(super) const GRANTED: TimeOut = TimeOut::of("lease", 8, Risk::Progress);
/// The same where `retry` is less than a quarter of the lease: twice as long is half of these messages.
pub(super) const ASKED_TWICE: TimeOut = TimeOut::of("retry", 2, Risk::Progress);

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::node("leader", "who leads first"),
    Parameter::new(
        "lease",
        "how long a lock is held without a renewal, in ms",
        "400",
        Range::Time(LEASES, Pace::TimeOut),
    ),
    Parameter::new(
        "retry",
        "how long a node waits before it asks again, renews or sends again, in ms; \
 a quarter of the lease if not given",
        "100",
        Range::Time(RETRIES, Pace::TimeOut),
    ),
];

/// The values in force of the parameters that are times.
pub(super) fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
    [("lease", ParameterValue::time(setting.lease)), ("retry", ParameterValue::time(setting.retry))].into()
}

pub(super) fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
    let lease = configuration.time_parameter("lease", LEASES.all())?.unwrap_or(LEASE);
    let retries = RETRIES.within(lease);
    let longest = *retries.end();
    Ok(Setting {
        nodes: configuration.nodes,
        locks: configuration.locks,
        leader: configuration.node_parameter("leader")?,
        lease,
        retry: configuration.time_parameter("retry", retries)?.unwrap_or(longest),
        flaw: configuration.variant()?,
    })
}
