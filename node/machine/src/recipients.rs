//! Recipients of a message.

use std::{ops, slice};

use interlock_algorithm::{Algorithm, NodeId, Recipients};

/// The nodes that receive a message. The sender of the message is not included.
#[derive(Clone, Debug)]
pub struct Receivers<'a> {
    sender: NodeId,
    meant: Meant<'a>,
}

/// The nodes to which a message is addressed. The sender of the message may be included.
#[derive(Clone, Debug)]
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

impl Iterator for Receivers<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        let sender = self.sender;
        self.meant.find(|node| *node != sender)
    }
}

/// Returns the nodes to which a message is addressed, without the sender.
#[inline]
pub fn recipients<A: Algorithm>(setting: &A::Setting, me: NodeId, nodes: u32, to: Recipients) -> Receivers<'_> {
    let meant = match to {
        Recipients::One(node) => Meant::One(Some(node)),
        Recipients::Others => Meant::All(0..nodes),
        Recipients::Set(set) => Meant::Members(A::members(setting, me, set).iter()),
    };
    Receivers { sender: me, meant }
}
