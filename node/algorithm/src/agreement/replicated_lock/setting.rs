//! What is fixed for a run of the replicated lock service.

use crate::agreement::LONGEST;
use crate::catalogue::{Parameter, Variant};
use crate::configuration::{Configuration, Refusal};
use crate::identity::{NodeId, Ticks};

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

/// What may be wrong, kept for teaching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Nothing.
    None,
    /// A new leader begins with what it has applied itself.
    AdoptsNothing,
}

const FLAWS: [(&str, Flaw); 2] = [("leased", Flaw::None), ("adopts-nothing", Flaw::AdoptsNothing)];

/// The parts of a lease after which it is renewed, at the latest.
const RENEWALS: Ticks = 4;
const LEASE: Ticks = 400_000;

pub(super) const VARIANTS: &[Variant] = &[
    Variant { name: "leased", summary: "a lock is held for the length of a lease, and renewed", broken: None },
    Variant {
        name: "adopts-nothing",
        summary: "a new leader begins with what it has applied itself, whatever its promises say was accepted",
        broken: Some("what was granted by the leader before is granted again"),
    },
];

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter { name: "leader", summary: "who leads first", default: "0", range: "0 … N-1" },
    Parameter {
        name: "lease",
        summary: "how long a lock is held without a renewal, in microseconds",
        default: "400000",
        range: "4 … 3600000000",
    },
    Parameter {
        name: "retry",
        summary: "how long a node waits before it asks again, renews or sends again, in microseconds; \
                  a quarter of the lease if not given",
        default: "100000",
        range: "1 … a quarter of the lease",
    },
];

pub(super) fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
    let lease = configuration.number_parameter("lease", RENEWALS..=LONGEST)?.unwrap_or(LEASE);
    let longest = lease / RENEWALS;
    Ok(Setting {
        nodes: configuration.nodes,
        locks: configuration.locks,
        leader: configuration.node_parameter("leader")?,
        lease,
        retry: configuration.number_parameter("retry", 1..=longest)?.unwrap_or(longest),
        flaw: configuration.variant_as(&FLAWS)?,
    })
}
