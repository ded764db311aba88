//! What a client knows of the algorithm that it works with.

use interlock_algorithm::{Algorithm, Discipline, LockId, LockUse, NodeId};

/// What a client must know of its algorithm and of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientContext {
    /// How many locks the run has; 0 if its algorithm knows none.
    pub locks: u32,
    /// How several locks are taken.
    pub discipline: Discipline,
    /// Whether all locks of a round are taken by one request, so that an abort gives back all of them.
    pub transactions: bool,
    /// Whether a node may have a lock several times.
    pub shares: bool,
}

impl ClientContext {
    /// One lock, as most algorithms of mutual exclusion have it.
    pub const ONE_LOCK: Self = Self { locks: 1, discipline: Discipline::AsPlanned, transactions: false, shares: false };

    /// What clients must know of algorithm `A` in a run of so many locks.
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

    /// The locks that a client of algorithm `A` may never have.
    #[must_use]
    pub fn barred<A: Algorithm>(setting: &A::Setting, me: NodeId, locks: u32) -> Vec<LockId> {
        (0..locks).map(LockId).filter(|lock| !A::may_have(setting, me, *lock)).collect()
    }
}
