//! Transitions of the system, and their kinds.

use interlock_algorithm::NodeId;

/// A transition between two states of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// A node takes the local step at this index of its list of local steps.
    Act(NodeId, usize),
    /// A node receives this message, or this notice of its failure detector.
    Deliver(NodeId, u32),
    /// The network loses this message to a node.
    Lose(NodeId, u32),
    /// The network duplicates this message to a node.
    Copy(NodeId, u32),
    /// Several nodes move at once. The number identifies the combination of moves: see [`together`](super::daemon).
    Together(u64),
}

/// The kind of a move: owed, optional or a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A move that eventually happens unless something prevents it: a delivery, a release, a timer, a restart.
    Owed,
    /// A move that a client may make or not: a request, or a message to another client.
    Free,
    /// A fault.
    Fault,
}
