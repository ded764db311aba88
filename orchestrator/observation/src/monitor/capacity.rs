//! Monitor of capacities: processes never hold more units of a lock than exist. This monitor judges locks with
//! several units. The monitor of mutual exclusion judges locks with one unit.

use super::finding::{Finding, finding};
use crate::state::Capacities;
use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome};
use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "capacity";

finding! {
    /// Processes hold more units of a lock than exist. Arguments: `lock`, `units`, `taken`.
    pub const TOO_MANY = "too-many";
    TooMany { lock: LockId, units: u32, taken: usize } =>
        format!("{taken} units of lock {lock} were in use at the same time, but it has only {units}.")
}

/// The monitor, which counts the units that processes hold.
#[derive(Debug)]
pub struct Capacity {
    capacities: Capacities,
    taken: FlatMap<LockId, Vec<NodeId>>,
}

impl Capacity {
    /// Returns the monitor of a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        Self { capacities: Capacities::of(specification), taken: FlatMap::new() }
    }

    /// Returns whether an event is about a lock with several units.
    #[must_use]
    pub fn is_shared(&self, event: &Event) -> bool {
        match event.outcome() {
            Some((_, Outcome::Entered { lock, .. } | Outcome::Exited { lock, .. })) => {
                !self.capacities.is_exclusive(*lock)
            }
            _ => false,
        }
    }

    /// Processes the next event.
    pub fn observe(&mut self, event: &Event, found: &mut Vec<Violation>) {
        match &event.what {
            What::Outcome { at, outcome: Outcome::Entered { lock, .. } } if self.is_shared(event) => {
                self.taken.entry(*lock).or_default().push(at.node);
                found.extend(self.judge(*lock, event.seq));
            }
            What::Outcome { at, outcome: Outcome::Exited { lock, .. } } if self.is_shared(event) => {
                let taken = self.taken.entry(*lock).or_default();
                if let Some(place) = taken.iter().position(|node| *node == at.node) {
                    taken.swap_remove(place);
                }
            }
            What::Crashed { node, .. } => {
                self.taken.values_mut().for_each(|taken| taken.retain(|holder| holder != node));
            }
            _ => {}
        }
    }

    fn judge(&self, lock: LockId, seq: u64) -> Option<Violation> {
        let (units, taken) = (self.capacities.of_lock(lock), self.taken.get(&lock).map_or(0, Vec::len));
        self.capacities.are_exceeded(lock, taken).then(|| TooMany { lock, units, taken }.violation([seq]))
    }
}
