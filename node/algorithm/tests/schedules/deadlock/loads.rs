//! Clients whose transactions acquire several resources.

use interlock_algorithm::NodeId;

use crate::driver::random::{Phases, USUAL};

/// Phases of a long schedule. A process that gives up begins again at once. Only chance prevents such processes
/// from obstructing each other endlessly, so a schedule may take many steps.
pub const LONG: Phases = Phases { wild: 5_000, kind: 5_000, ..USUAL };

/// Returns the two forks of a philosopher: the fork with the philosopher's own number, and the fork with the next
/// number.
pub fn philosophers(node: NodeId) -> Vec<u32> {
    vec![node.0 % 5, (node.0 + 1) % 5]
}

/// Returns two or three of four resources, in an order that differs between processes.
pub fn mixed(node: NodeId) -> Vec<u32> {
    let step = if node.0.is_multiple_of(2) { 1 } else { 3 };
    (0..2 + node.0 % 2).map(|place| (node.0 + 1 + step * place) % 4).collect()
}
