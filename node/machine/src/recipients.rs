//! Who gets a message.

use std::{ops, slice};

use interlock_algorithm::{Algorithm, NodeId, Recipients};

/// Those who are meant, the sender perhaps among them.
enum Meant<'a> {
    One(Option<NodeId>),
    All(ops::Range<u32>),
    Members(slice::Iter<'a, NodeId>),
}

impl Iterator for Meant<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        match self {
            Self::One(node) => node.take(),
            Self::All(nodes) => nodes.next().map(NodeId),
            Self::Members(members) => members.next().copied(),
        }
    }
}

/// The nodes that are meant, without the sender.
#[inline]
pub fn recipients<A: Algorithm>(
    setting: &A::Setting,
    me: NodeId,
    nodes: u32,
    to: Recipients,
) -> impl Iterator<Item = NodeId> {
    let meant = match to {
        Recipients::One(node) => Meant::One(Some(node)),
        Recipients::Others => Meant::All(0..nodes),
        Recipients::Set(set) => Meant::Members(A::members(setting, me, set).iter()),
    };
    meant.filter(move |&node| node != me)
}
