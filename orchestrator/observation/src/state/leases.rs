//! The processes whose reports of an expired lease count, derived from what is known of the run's algorithm.
//!
//! A lease ends the critical section of its holder for all others (Gray and Cheriton 1989, "Leases"). A false
//! report would therefore hide a violation of mutual exclusion. State and monitors ignore a report that does not
//! count.

use interlock_algorithm::{NodeId, catalogue};
use serde::{Deserialize, Serialize};

use interlock_model::event::What;
use interlock_model::specification::Specification;

/// The processes that may take a lease back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leases {
    /// None: the algorithm has no leases.
    Nobody,
    /// These processes, as the scenario declares.
    These(Vec<NodeId>),
    /// Any process that has granted a lock: the algorithm has leases, or the scenario declares nothing about its
    /// programs.
    #[default]
    Any,
}

impl Leases {
    /// Returns the lease keepers of a run.
    #[must_use]
    pub fn of(specification: &Specification) -> Self {
        let Some(known) = specification.known_algorithm() else { return Self::Any };
        if let Some(keepers) = specification.own.as_ref().and_then(|declared| declared.leases.clone()) {
            return if keepers.is_empty() { Self::Nobody } else { Self::These(keepers) };
        }
        let is_own = known.entry.name == catalogue::OWN.name;
        if known.entry.conduct.leases || is_own { Self::Any } else { Self::Nobody }
    }

    /// Returns whether this process may take a lease back.
    #[must_use]
    pub fn are_kept_by(&self, node: NodeId) -> bool {
        match self {
            Self::Nobody => false,
            Self::These(keepers) => keepers.contains(&node),
            Self::Any => true,
        }
    }

    /// Returns whether an event counts. Every event does, except a report of an expired lease by a process that
    /// keeps none.
    #[must_use]
    pub fn admit(&self, what: &What) -> bool {
        !matches!(what, What::Expired { at, .. } if !self.are_kept_by(at.node))
    }
}
