//! One node in an election: the term for which it has called, and the coordinator that it takes.

use interlock_algorithm::NodeId;

/// Reports of a node in its present incarnation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Voter {
    pub is_alive: bool,
    /// The latest term for which it has called an election, and the event.
    pub called: Option<(u64, u64)>,
    pub takes: Option<Belief>,
}

/// The coordinator that a node takes. The later term counts more, then the higher id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Belief {
    pub term: u64,
    pub leader: NodeId,
    /// The event that reported it.
    pub seq: u64,
}
