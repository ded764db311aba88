//! The processes whose report that a lease has expired is believed, by what is known of the algorithm of a run.
//!
//! A lease ends the critical section of its holder for all others (Gray and Cheriton 1989, "Leases"), so a false report
//! would hide a second process inside. State and monitors pass over a report that does not count.

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
    /// These: the scenario declares them.
    These(Vec<NodeId>),
    /// Any that granted: the algorithm has leases, or nothing is declared of the programs.
    #[default]
    Any,
}

impl Leases {
    /// Those of a run.
    #[must_use]
    pub fn of(specification: &Specification) -> Self {
        let Some(known) = specification.known_algorithm() else { return Self::Any };
        if let Some(keepers) = specification.own.as_ref().and_then(|declared| declared.leases.clone()) {
            return if keepers.is_empty() { Self::Nobody } else { Self::These(keepers) };
        }
        let is_own = known.entry.name == catalogue::OWN.name;
        if known.entry.conduct.leases || is_own { Self::Any } else { Self::Nobody }
    }

    /// Whether this process may take a lease back.
    #[must_use]
    pub fn are_kept_by(&self, node: NodeId) -> bool {
        match self {
            Self::Nobody => false,
            Self::These(keepers) => keepers.contains(&node),
            Self::Any => true,
        }
    }

    /// Whether an event counts: any but the report of an expired lease by a process that keeps none.
    #[must_use]
    pub fn admit(&self, what: &What) -> bool {
        !matches!(what, What::Expired { at, .. } if !self.are_kept_by(at.node))
    }
}
