//! One node in an election: the term for which it has called an election, and the coordinator that it believes in.

use interlock_algorithm::NodeId;

/// The latest reports of a node in its current incarnation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Voter {
    pub is_alive: bool,
    /// The latest term for which the node has called an election, and the event of that call.
    pub called: Option<(u64, u64)>,
    pub takes: Option<Belief>,
}

/// The coordinator that a node believes in. Beliefs are ordered by term, and then by the id of the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Belief {
    pub term: u64,
    pub leader: NodeId,
    /// The event in which the node reported this belief.
    pub seq: u64,
}
