//! Capacities of critical sections. The capacity is the maximum number of processes in the section at the same time.

use interlock_algorithm::{Algorithm, LockId, Visitor, catalogue};

use interlock_model::specification::Specification;

/// The capacity of each lock's critical section, by the lock's number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capacities(Vec<u32>);

impl Capacities {
    /// Returns the capacities in a run. If the algorithm rejects the configuration of the run, each lock has capacity
    /// 1.
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

    /// Returns the capacities of an algorithm with this setting and this number of locks.
    #[must_use]
    pub fn of_setting<A: Algorithm>(setting: &A::Setting, locks: u32) -> Self {
        Self((0..locks).map(|lock| A::capacity(setting, LockId(lock))).collect())
    }

    /// Returns the capacity of a lock.
    #[must_use]
    pub fn of_lock(&self, lock: LockId) -> u32 {
        self.0.get(lock.0 as usize).copied().unwrap_or(1)
    }

    /// Returns whether `inside` processes are too many for the section of this lock. Every check of a single state
    /// uses this definition of mutual exclusion (ME1). For a stream of events, the [monitor of mutual
    /// exclusion](crate::monitor::mutual_exclusion) requires more: of any two sections, the exit of one must have
    /// happened before the entry of the other.
    #[must_use]
    pub fn are_exceeded(&self, lock: LockId, inside: usize) -> bool {
        inside > self.of_lock(lock) as usize
    }

    /// Returns whether only one process may be in the section of this lock.
    #[must_use]
    pub fn is_exclusive(&self, lock: LockId) -> bool {
        self.of_lock(lock) <= 1
    }

    /// Returns whether each lock admits only one process at a time.
    #[must_use]
    pub fn are_exclusive(&self) -> bool {
        self.0.iter().all(|&units| units <= 1)
    }
}
