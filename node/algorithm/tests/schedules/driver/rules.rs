//! What must be true of every state of every algorithm.

use std::collections::BTreeSet;

use interlock_algorithm::{Algorithm, NodeId};

use super::world::{Doing, World};

/// A rule broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// ME1: these are in the section together.
    TwoInSection(BTreeSet<NodeId>),
    /// ME3: these want the section, and nothing can happen any more.
    Stuck(BTreeSet<NodeId>),
    /// ORDER: `late` entered although `early` had asked before, in the sense of happened-before.
    OutOfOrder {
        /// Who asked first.
        early: NodeId,
        /// Who asked later and entered first.
        late: NodeId,
    },
}

/// ME1: at most one is in the section.
pub fn at_most_one_in_section<A: Algorithm>(world: &World<A>) -> Result<(), Violation> {
    let inside = world.doing(Doing::InSection);
    if inside.len() > 1 { Err(Violation::TwoInSection(inside)) } else { Ok(()) }
}

/// ME3 where nothing can happen any more: nobody is left waiting.
pub fn nobody_left_waiting<A: Algorithm>(world: &World<A>) -> Result<(), Violation> {
    let waiting = world.doing(Doing::Wanting);
    if waiting.is_empty() { Ok(()) } else { Err(Violation::Stuck(waiting)) }
}
