//! Capacities of critical sections: the number of processes that may be in one at the same time.

use interlock_algorithm::{Algorithm, LockId, Visitor, catalogue};

use interlock_model::specification::Specification;

/// For each lock, the number of processes that may be in its section at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capacities(Vec<u32>);

impl Capacities {
    /// Returns the capacities of a run. If the algorithm rejects the configuration, each lock has capacity 1.
    #[must_use]
    pub fn of(specification: &Specification) -> Self {
        struct Ask(u32);
        impl Visitor for Ask {
            type Output = Capacities;
            fn visit<A: Algorithm>(self, setting: A::Setting) -> Capacities {
                Capacities::of_setting::<A>(&setting, self.0)
            }
        }
        let asked = catalogue::instantiate_erased(&specification.configuration(), Ask(specification.locks));
        asked.unwrap_or_else(|_| Self(Vec::new()))
    }

    /// Returns the capacities of `locks` locks of an algorithm.
    #[must_use]
    pub fn of_setting<A: Algorithm>(setting: &A::Setting, locks: u32) -> Self {
        Self((0..locks).map(|lock| A::capacity(setting, LockId(lock))).collect())
    }

    /// Returns how many processes may be in the section of this lock.
    #[must_use]
    pub fn of_lock(&self, lock: LockId) -> u32 {
        self.0.get(lock.0 as usize).copied().unwrap_or(1)
    }

    /// Returns whether `inside` processes are too many for the section of this lock. This is mutual exclusion (ME1)
    /// as a property of a single state, wherever states are checked. For a stream of events, [the
    /// monitor](crate::monitor::mutual_exclusion) demands more: of two sections, the exit of one must have happened
    /// before the entry of the other.
    #[must_use]
    pub fn are_exceeded(&self, lock: LockId, inside: usize) -> bool {
        inside > self.of_lock(lock) as usize
    }

    /// Returns whether only one process may be in the section of this lock.
    #[must_use]
    pub fn is_exclusive(&self, lock: LockId) -> bool {
        self.of_lock(lock) <= 1
    }

    /// Returns whether every lock admits only one process at a time.
    #[must_use]
    pub fn are_exclusive(&self) -> bool {
        self.0.iter().all(|&units| units <= 1)
    }
}
