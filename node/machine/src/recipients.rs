//! Who gets a message.

use interlock_algorithm::{Algorithm, NodeId, Recipients};

/// The nodes that are meant, without the sender.
#[inline]
pub fn recipients<A: Algorithm>(
    setting: &A::Setting,
    me: NodeId,
    nodes: u32,
    to: Recipients,
) -> impl Iterator<Item = NodeId> {
    let (one, all, members): (Option<NodeId>, u32, &[NodeId]) = match to {
        Recipients::One(node) => (Some(node), 0, &[]),
        Recipients::Others => (None, nodes, &[]),
        Recipients::Set(set) => (None, 0, A::members(setting, me, set)),
    };
    one.into_iter().chain(NodeId::all(all)).chain(members.iter().copied()).filter(move |&node| node != me)
}
