//! Clients whose transactions take several resources.

use interlock_algorithm::NodeId;

use crate::driver::play::Length;

/// Schedules in which anything goes for long: who gives up begins again at once, and only chance keeps processes from
/// getting into each other's way for ever.
pub const LONG: Length = Length { wild: 5_000, kind: 5_000 };

/// Five philosophers: each takes the fork of its own number, then the next.
pub fn philosophers(node: NodeId) -> Vec<u32> {
    vec![node.0 % 5, (node.0 + 1) % 5]
}

/// Two or three of four resources, in an order that is not the same for all.
pub fn mixed(node: NodeId) -> Vec<u32> {
    let step = if node.0.is_multiple_of(2) { 1 } else { 3 };
    (0..2 + node.0 % 2).map(|place| (node.0 + 1 + step * place) % 4).collect()
}
