//! The settings of a run of the replicated lock service.

use crate::prelude::*;

/// The values that are fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Number of nodes.
    pub nodes: u32,
    /// Number of locks.
    pub locks: u32,
    /// The first leader.
    pub leader: NodeId,
    /// The length of a lease: how long a client holds a lock without a renewal.
    pub lease: Ticks,
    /// The time after which a node repeats a request.
    pub retry: Ticks,
    /// The fault of the variant.
    pub flaw: Flaw,
}

impl Setting {
    /// Returns the size of a majority.
    #[must_use]
    pub const fn quorum(&self) -> usize {
        self.nodes as usize / 2 + 1
    }
}

choices! {
    /// The faults that variants may have, kept for teaching.
    pub enum Flaw {
        None = "leased": "a client holds a lock for the length of a lease and renews it",
        AdoptsNothing = "adopts-nothing":
            "a new leader begins with what it has applied itself, whatever its promises report as accepted";
            broken: "what the former leader granted is granted again",
    }
}

/// Number of equal parts of a lease. The lease is renewed after one part at the latest.
const RENEWALS: u32 = 4;
/// The range of the length of a lease. Each of the equal parts must be at least one tick.
const LEASES: Times = Times::from(RENEWALS as Ticks);
/// The range of the time after which a node repeats a request.
const RETRIES: Times = Times::part_of("lease", RENEWALS);
const LEASE: Ticks = 400_000;

/// REQUEST, ACCEPT, ACCEPTED and GRANT must arrive within half a lease. After that time, a waiting client has sent
/// two newer requests, and a grant for its first request no longer counts.
pub(super) const GRANTED: TimeOut = TimeOut::of("lease", 8, Risk::Progress);
/// The bound that replaces [`GRANTED`] if `retry` is less than a quarter of the lease. The same four messages must
/// arrive within two intervals of `retry`.
pub(super) const ASKED_TWICE: TimeOut = TimeOut::of("retry", 2, Risk::Progress);

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::node("leader", "the node that leads first"),
    Parameter::new(
        "lease",
        "how long a lock is held without a renewal, in ms",
        "400",
        Range::Time(LEASES, Pace::TimeOut),
    ),
    Parameter::new(
        "retry",
        "how long a node waits before it asks again, renews or sends again, in ms; if not given, a quarter of the \
        lease",
        "100",
        Range::Time(RETRIES, Pace::TimeOut),
    ),
];

/// Returns the effective values of the parameters that are times.
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
