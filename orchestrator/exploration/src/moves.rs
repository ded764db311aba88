//! Transitions of the system, and their kinds.

use interlock_algorithm::NodeId;

/// A transition, in the terms of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// A node takes a local step: the one at this place in the list of its local steps.
    Act(NodeId, usize),
    /// A node takes this message, or this notice of its failure detector.
    Deliver(NodeId, u32),
    /// The network loses this message to a node.
    Lose(NodeId, u32),
    /// The network duplicates this message to a node.
    Copy(NodeId, u32),
    /// Several nodes move at once: see [`together`](super::daemon).
    Together(u64),
}

/// The kind of a move: whether fairness owes it, and whether it uses up a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It occurs eventually unless something prevents it: a delivery, a release, a timer, a restart.
    Owed,
    /// A client may do it or not: a request, or a message to another client.
    Free,
    /// A fault.
    Fault,
}
