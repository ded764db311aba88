//! Bounded waiting, counted as entries of other processes between two consecutive entries of one process. The count
//! includes the time in which the process requests nothing.

use std::collections::HashMap;

use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome};
use rustc_hash::FxBuildHasher;
use serde::Serialize;
use utoipa::ToSchema;

use super::ratio;
use interlock_model::event::{Event, What};

/// Entries of others between two consecutive entries of one process to one lock. A crash of the process ends the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct TripsDocument {
    /// Number of pairs of consecutive entries.
    pub count: u64,
    /// Mean number of entries of other processes; null if `count` is 0.
    pub mean: Option<f64>,
    /// Largest number of entries of other processes; null if `count` is 0.
    pub max: Option<u64>,
}

/// The counts so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Trips {
    pairs: u64,
    sum: u64,
    max: u64,
    /// For each lock, the number of entries.
    entries: FlatMap<LockId, u64>,
    /// For each node and lock, the number of entries to the lock up to and including the latest entry of the node.
    latest: HashMap<(NodeId, LockId), u64, FxBuildHasher>,
}

impl Trips {
    /// Processes the next event. Exchanges of messages change nothing.
    pub fn observe(&mut self, event: &Event) {
        match &event.what {
            What::Outcome { at, outcome: Outcome::Entered { lock, .. } } => self.entered(at.node, *lock),
            What::Crashed { node, .. } => self.latest.retain(|(of, _), _| of != node),
            _ => {}
        }
    }

    fn entered(&mut self, node: NodeId, lock: LockId) {
        let entries = self.entries.entry(lock).or_default();
        *entries += 1;
        if let Some(before) = self.latest.insert((node, lock), *entries) {
            let others = *entries - before - 1;
            self.pairs += 1;
            self.sum += others;
            self.max = self.max.max(others);
        }
    }

    pub fn document(&self) -> TripsDocument {
        let &Self { pairs, sum, max, .. } = self;
        TripsDocument { count: pairs, mean: ratio(sum, pairs), max: (pairs > 0).then_some(max) }
    }
}
