//! Determines the processes whose reports of expired leases count.
//!
//! After a lease has expired, the critical section of its holder is over for all other processes (Gray and Cheriton
//! 1989, "Leases"). A false report of an expired lease would therefore hide a violation of mutual exclusion. The state
//! and the monitors ignore a report that does not count.

use interlock_algorithm::{NodeId, Outcome, catalogue};
use serde::{Deserialize, Serialize};

use interlock_model::event::What;
use interlock_model::specification::Specification;

/// The processes that may take back a lease, and so report that the lease has expired.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leases {
    /// No process: the algorithm has no leases.
    Nobody,
    /// The processes that the scenario declares.
    These(Vec<NodeId>),
    /// Any process: the algorithm has leases, or the scenario declares nothing about its programs. Only the process
    /// that has granted a lock may take back its lease, but this is not checked here.
    #[default]
    Any,
}

impl Leases {
    /// Returns the processes that may take back a lease in a run.
    #[must_use]
    pub fn of(specification: &Specification) -> Self {
        let Some(known) = specification.known_algorithm() else { return Self::Any };
        if let Some(keepers) = specification.own.as_ref().and_then(|declared| declared.leases.clone()) {
            return if keepers.is_empty() { Self::Nobody } else { Self::These(keepers) };
        }
        let is_own = known.entry.name == catalogue::OWN.name;
        if known.entry.conduct.leases || is_own { Self::Any } else { Self::Nobody }
    }

    /// Returns whether this process may take back a lease.
    #[must_use]
    pub fn are_kept_by(&self, node: NodeId) -> bool {
        match self {
            Self::Nobody => false,
            Self::These(keepers) => keepers.contains(&node),
            Self::Any => true,
        }
    }

    /// Returns whether an event counts. All events count except reports of expired leases by processes that keep no
    /// leases.
    #[must_use]
    pub fn admit(&self, what: &What) -> bool {
        !matches!(what, What::Outcome { at, outcome: Outcome::Expired { .. } } if !self.are_kept_by(at.node))
    }
}
