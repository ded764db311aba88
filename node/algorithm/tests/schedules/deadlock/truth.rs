//! The true wait-for graph, derived from the outcomes that the processes have reported.

use std::collections::{BTreeMap, BTreeSet};

use interlock_algorithm::{Algorithm, LockId, NodeId, Outcome};

use crate::driver::random::Rules;
use crate::driver::run::{Run, Verdict};
use crate::driver::watch::Happened;

/// After every step, at most one process holds each resource. At the end, no process waits.
pub const fn all_finish<A: Algorithm>() -> Rules<A> {
    Rules { always: |run| run.at_most_one_inside(), in_the_end: nobody_waits }
}

/// The properties of [`all_finish`]. In addition, the members of every reported cycle must have waited for each
/// other at the same time.
pub const fn all_finish_and_reports_are_true<A: Algorithm>() -> Rules<A> {
    Rules {
        always: |run| run.at_most_one_inside(),
        in_the_end: |run| reports_are_true(run).and_then(|()| nobody_waits(run)),
    }
}

/// Checks that no process waits, and that no process holds a lock.
pub fn nobody_waits<A: Algorithm>(run: &Run<'_, A>) -> Verdict {
    run.nobody_waits()?;
    let inside = run.inside();
    if inside.is_empty() { Ok(()) } else { Err(format!("stuck: {inside:?}")) }
}

/// Checks that every reported cycle existed at some moment before its report.
pub fn reports_are_true<A: Algorithm>(run: &Run<'_, A>) -> Verdict {
    let mut graph = Graph::default();
    for (node, what) in run.log().iter() {
        let Happened::Told(outcome) = what else { continue };
        graph.apply(*node, outcome);
        if let Outcome::Reported { cycle, .. } = outcome
            && !graph.stood.contains(&turned(cycle.clone()))
        {
            return Err(format!("phantom: {cycle:?}"));
        }
    }
    Ok(())
}

/// The wait-for graph, and all cycles that have existed.
#[derive(Default)]
pub struct Graph {
    wants: BTreeMap<NodeId, BTreeSet<LockId>>,
    holders: BTreeMap<LockId, NodeId>,
    /// All cycles that have existed, each starting with its lowest process.
    pub stood: BTreeSet<Vec<NodeId>>,
}

impl Graph {
    /// Applies to the graph an outcome that a node has reported.
    pub fn apply(&mut self, node: NodeId, outcome: &Outcome) {
        match outcome {
            Outcome::Requested { lock, .. } => drop(self.wants.entry(node).or_default().insert(*lock)),
            Outcome::Entered { lock, .. } => {
                self.wants.entry(node).or_default().remove(lock);
                self.holders.insert(*lock, node);
            }
            Outcome::Exited { lock, .. } => drop(self.holders.remove(lock)),
            Outcome::Aborted { .. } => drop(self.wants.remove(&node)),
            _ => {}
        }
        let nodes: Vec<NodeId> = self.wants.keys().copied().collect();
        for start in nodes {
            self.walk(&[start]);
        }
    }

    /// Extends a path by each wait of its last process, and records the resulting cycles.
    fn walk(&mut self, walk: &[NodeId]) {
        let waits = walk.last().and_then(|last| self.wants.get(last)).into_iter().flatten();
        let holders: BTreeSet<NodeId> = waits.filter_map(|lock| self.holders.get(lock)).copied().collect();
        for next in holders {
            match walk.iter().position(|&node| node == next) {
                Some(0) => drop(self.stood.insert(turned(walk.to_vec()))),
                Some(_) => {}
                None => self.walk(&[walk, &[next]].concat()),
            }
        }
    }
}

/// Rotates a cycle so that it begins with its lowest process.
pub fn turned(mut circle: Vec<NodeId>) -> Vec<NodeId> {
    let lowest = (0..circle.len()).min_by_key(|&place| circle[place]).unwrap_or(0);
    circle.rotate_left(lowest);
    circle
}
