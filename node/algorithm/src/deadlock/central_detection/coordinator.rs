//! The coordinator: the union of all local wait-for graphs, and the cycles in it.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::message::Edge;
use crate::flat::FlatMap;
use crate::identity::NodeId;

/// The coordinator's state. It is empty at other processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Coordinator {
    graphs: FlatMap<NodeId, Graph>,
    /// For each victim, the ticket of the latest wait that the coordinator has ordered the victim to give up. The
    /// victim's waits with this ticket or a smaller ticket no longer count.
    told: FlatMap<NodeId, u64>,
}

/// The latest report of a site.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Graph {
    version: u64,
    edges: Vec<Edge>,
}

impl Coordinator {
    /// Stores a report of `site`. Returns false if a report of `site` that is at least as new is already stored.
    pub fn take(&mut self, site: NodeId, version: u64, edges: Vec<Edge>) -> bool {
        let is_news = self.graphs.get(&site).is_none_or(|graph| graph.version < version);
        if is_news {
            self.graphs.insert(site, Graph { version, edges });
        }
        is_news
    }

    /// Returns the global wait-for graph. Only the latest request of each process counts.
    pub fn waits(&self) -> FlatMap<NodeId, Edge> {
        let mut waits = FlatMap::<NodeId, Edge>::new();
        for edge in self.graphs.values().flat_map(|graph| &graph.edges) {
            let is_told = self.told.get(&edge.process).is_some_and(|&told| edge.ticket <= told);
            let is_older = waits.get(&edge.process).is_some_and(|known| edge.ticket < known.ticket);
            if !is_told && !is_older {
                waits.insert(edge.process, *edge);
            }
        }
        waits
    }

    /// Finds a cycle, and returns it with its victim, the youngest transaction. The victim's wait no longer counts
    /// from then on, so later calls do not find that cycle again.
    pub fn resolve(&mut self) -> Option<(Vec<NodeId>, Edge)> {
        let circle = circle(&self.waits())?;
        let victim = *circle.iter().max_by_key(|edge| edge.age())?;
        self.told.insert(victim.process, victim.ticket);
        Some((circle.iter().map(|edge| edge.process).collect(), victim))
    }
}

/// Finds a cycle in which each process waits for the next. A process waits for at most one other process. So a walk
/// along the edges from each process finds every cycle.
fn circle(waits: &FlatMap<NodeId, Edge>) -> Option<Vec<Edge>> {
    // For each visited process, the start of the walk that visited it.
    let mut passed = FlatMap::<NodeId, NodeId>::new();
    for &start in waits.keys() {
        let mut walk = Vec::new();
        let mut at = start;
        while let Some(edge) = waits.get(&at) {
            if let Some(&before) = passed.get(&at) {
                let place = walk.iter().position(|edge: &Edge| edge.process == at).filter(|_| before == start);
                match place {
                    Some(place) => return Some(walk.split_off(place)),
                    None => break,
                }
            }
            passed.insert(at, start);
            walk.push(*edge);
            at = edge.holder;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::LockId;

    fn edge(process: u32, ticket: u64, holder: u32) -> Edge {
        Edge {
            process: NodeId(process),
            ticket,
            timestamp: 10 + u64::from(process),
            lock: LockId(0),
            holder: NodeId(holder),
        }
    }

    fn nodes(nodes: &[u32]) -> Vec<NodeId> {
        nodes.iter().copied().map(NodeId).collect()
    }

    #[test]
    fn a_circle_over_two_sites_is_found_once_and_its_youngest_gives_up() {
        let mut coordinator = Coordinator::default();
        assert!(coordinator.take(NodeId(0), 1, [edge(0, 1, 1), edge(3, 1, 0)].into()));
        assert_eq!(coordinator.resolve(), None);
        assert!(coordinator.take(NodeId(1), 1, [edge(1, 1, 2), edge(2, 1, 0)].into()));
        let (circle, victim) = coordinator.resolve().expect("a circle");
        assert_eq!((circle, victim), (nodes(&[0, 1, 2]), edge(2, 1, 0)));
        assert_eq!(coordinator.resolve(), None);
        assert!(coordinator.take(NodeId(1), 2, [edge(1, 1, 2), edge(2, 2, 0)].into()));
        assert!(coordinator.resolve().is_some(), "it has asked again, and there is a circle again");
    }

    #[test]
    fn an_older_report_does_not_replace_a_newer_one() {
        let mut coordinator = Coordinator::default();
        assert!(coordinator.take(NodeId(0), 2, [].into()));
        assert!(!coordinator.take(NodeId(0), 1, [edge(0, 1, 1), edge(1, 1, 0)].into()));
        assert_eq!(coordinator.resolve(), None);
    }

    #[test]
    fn what_is_old_elsewhere_makes_a_circle_that_never_was() {
        let mut coordinator = Coordinator::default();
        coordinator.take(NodeId(0), 1, [edge(0, 1, 1)].into());
        // At this moment, process 0 already has the resource, but has not reported that.
        coordinator.take(NodeId(1), 1, [edge(1, 2, 0)].into());
        assert_eq!(coordinator.resolve().map(|(circle, _)| circle), Some(nodes(&[0, 1])));
    }

    #[test]
    fn every_circle_is_found() {
        let mut coordinator = Coordinator::default();
        let edges = [edge(0, 1, 1), edge(1, 1, 2), edge(2, 1, 1), edge(3, 1, 4), edge(4, 1, 3), edge(5, 1, 0)];
        coordinator.take(NodeId(0), 1, edges.into());
        let mut found: Vec<_> = core::iter::from_fn(|| coordinator.resolve()).map(|(circle, _)| circle).collect();
        found.sort();
        assert_eq!(found, [nodes(&[1, 2]), nodes(&[3, 4])]);
    }
}
