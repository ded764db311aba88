//! What is true of who waits for whom, by what all have told.

use std::collections::{BTreeMap, BTreeSet};

use interlock_algorithm::{Algorithm, LockId, NodeId, Outcome};

use crate::driver::play::Rules;
use crate::driver::run::{Run, Verdict};
use crate::driver::watch::Happened;

/// Resources are exclusive, and in the end nobody waits.
pub const fn all_finish<A: Algorithm>() -> Rules<A> {
    Rules { always: |run| run.at_most_one_inside(), in_the_end: nobody_waits }
}

/// As before; and whoever is reported to wait in a circle has done so, all at the same time.
pub const fn all_finish_and_reports_are_true<A: Algorithm>() -> Rules<A> {
    Rules {
        always: |run| run.at_most_one_inside(),
        in_the_end: |run| reports_are_true(run).and_then(|()| nobody_waits(run)),
    }
}

/// Nobody waits, and nobody still has anything.
pub fn nobody_waits<A: Algorithm>(run: &Run<'_, A>) -> Verdict {
    run.nobody_waits()?;
    let inside = run.inside();
    if inside.is_empty() { Ok(()) } else { Err(format!("stuck: {inside:?}")) }
}

/// Whoever was reported has waited in that circle before.
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

/// Who waits for whom, and all circles there have been.
#[derive(Default)]
pub struct Graph {
    wants: BTreeMap<NodeId, BTreeSet<LockId>>,
    holders: BTreeMap<LockId, NodeId>,
    /// The circles, each from its lowest process on.
    pub stood: BTreeSet<Vec<NodeId>>,
}

impl Graph {
    /// Takes what a node has told.
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

    /// Goes on from the end of this walk, along all that is waited for there, and notes the circles.
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

/// The same circle from its lowest process on.
pub fn turned(mut circle: Vec<NodeId>) -> Vec<NodeId> {
    let lowest = (0..circle.len()).min_by_key(|&place| circle[place]).unwrap_or(0);
    circle.rotate_left(lowest);
    circle
}
