//! One node in an election: the term for which it has called one, and the coordinator that it believes in.

use interlock_algorithm::NodeId;

/// Reports of a node in its current incarnation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Voter {
    pub is_alive: bool,
    /// The latest term for which it has called an election, and the event.
    pub called: Option<(u64, u64)>,
    pub takes: Option<Belief>,
}

/// The coordinator that a node believes in. Beliefs are ordered by term, then by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Belief {
    pub term: u64,
    pub leader: NodeId,
    /// The event that reported it.
    pub seq: u64,
}
