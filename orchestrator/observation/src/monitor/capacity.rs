//! Monitor of capacities: processes never hold more units of a lock than exist. This monitor judges locks with
//! several units. The monitor of mutual exclusion judges locks with one unit.

use super::finding::{Finding, Monitor, Property, findings};
use super::interventions::Interventions;
use crate::state::Capacities;
use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome};
use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "capacity";

findings! {
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

impl Monitor for Capacity {
    const PROPERTIES: &'static [Property] = &[PROPERTY];
    const READS_EXCHANGES: bool = false;

    fn new(specification: &Specification) -> Self {
        Self { capacities: Capacities::of(specification), taken: FlatMap::new() }
    }

    fn observe(&mut self, event: &Event, _: &Interventions, found: &mut Vec<Violation>) {
        match &event.what {
            What::Outcome { at, outcome: Outcome::Entered { lock, .. } } if self.is_shared(*lock) => {
                self.taken.entry(*lock).or_default().push(at.node);
                found.extend(self.judge(*lock, event.seq));
            }
            What::Outcome { at, outcome: Outcome::Exited { lock, .. } } if self.is_shared(*lock) => {
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
}

impl Capacity {
    fn is_shared(&self, lock: LockId) -> bool {
        !self.capacities.is_exclusive(lock)
    }

    fn judge(&self, lock: LockId, seq: u64) -> Option<Violation> {
        let (units, taken) = (self.capacities.of_lock(lock), self.taken.get(&lock).map_or(0, Vec::len));
        self.capacities.are_exceeded(lock, taken).then(|| TooMany { lock, units, taken }.violation([seq]))
    }
}
