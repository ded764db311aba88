//! The search strategy of an exploration.

#[cfg(test)]
mod tests;

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The order in which the search examines the states that it has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchOrder {
    /// The state that was found first is examined next. So violations are found as close to the initial state as
    /// possible.
    #[default]
    BreadthFirst,
    /// The state that was found last is examined next. This often finds violations far from the initial state
    /// sooner, with schedules that are longer than necessary.
    DepthFirst,
}

/// The search strategy. It affects neither the set of states nor whether a property is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The order of the search.
    pub search: SearchOrder,
    /// Number of threads of a breadth-first search. With two threads, one computes successors, and the other looks
    /// them up in the visited set. The result is the same, including the order of states. More than two threads have
    /// no effect, and a depth-first search uses one.
    pub threads: NonZeroUsize,
}

impl Default for Strategy {
    fn default() -> Self {
        Self { search: SearchOrder::default(), threads: NonZeroUsize::MIN }
    }
}
