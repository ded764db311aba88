//! How all schedules are gone through.

#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which of the states that were found is looked at next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchOrder {
    /// The one that was found first: what breaks a rule is as near to the beginning as can be.
    #[default]
    BreadthFirst,
    /// The one that was found last: what breaks a rule far from the beginning is often found sooner, and is longer than it
    /// need be.
    DepthFirst,
}

/// How all schedules are gone through. Which states there are and whether a rule is broken does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Which state is looked at next.
    pub search: SearchOrder,
    /// How many threads look, breadth first: with two, one works out what follows from states, and the other looks for it
    /// among those that were found. What comes of it is the same, to the order in which states are found. More are no use;
    /// depth first one looks.
    pub threads: NonZeroUsize,
}

impl Default for Manner {
    fn default() -> Self {
        Self { search: SearchOrder::default(), threads: NonZeroUsize::MIN }
    }
}
