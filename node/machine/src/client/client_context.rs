//! Properties of the algorithm and of the run that a client depends on.

use interlock_algorithm::{Algorithm, Discipline, LockId, LockUse, NodeId};

/// Properties of the algorithm and of the run that a client depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientContext {
    /// Number of locks in the run; 0 if the algorithm has no locks.
    pub locks: u32,
    /// Rule by which a client requests several locks in a round.
    pub discipline: Discipline,
    /// Whether all locks of a round are acquired with the same request, so that an abort of this request releases
    /// all of them.
    pub transactions: bool,
    /// Whether a node may hold several units of one lock.
    pub shares: bool,
}

impl ClientContext {
    /// The context of a run with one lock, as in most algorithms for mutual exclusion.
    pub const ONE_LOCK: Self = Self { locks: 1, discipline: Discipline::AsPlanned, transactions: false, shares: false };

    /// Returns the context for algorithm `A` in a run with `locks` locks.
    #[must_use]
    pub fn of<A: Algorithm>(setting: &A::Setting, locks: u32) -> Self {
        let shares = (0..locks).any(|lock| A::may_have_several(setting, LockId(lock)));
        Self {
            locks: if A::entry(setting).locks == LockUse::None { 0 } else { locks },
            discipline: A::discipline(setting),
            transactions: A::has_transactions(setting) && !shares,
            shares,
        }
    }

    /// Returns the locks that the client of node `me` may never acquire under algorithm `A`.
    #[must_use]
    pub fn barred<A: Algorithm>(setting: &A::Setting, me: NodeId, locks: u32) -> Vec<LockId> {
        (0..locks).map(LockId).filter(|lock| !A::may_have(setting, me, *lock)).collect()
    }
}
