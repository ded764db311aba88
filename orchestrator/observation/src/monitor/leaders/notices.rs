//! Records which processes have noticed the crash of their coordinator. A process has noticed the crash if its failure
//! detector suspects the coordinator, or if the process has called an election since the crash.

use std::collections::BTreeSet;

use interlock_algorithm::{FlatMap, NodeId};

use super::voter::{Belief, Voter};
use interlock_model::event::{Event, What};

/// The latest crashes and the current suspicions in a run.
#[derive(Debug, Default)]
pub(super) struct Notices {
    /// For each node that has crashed, the event of its latest crash.
    crashes: FlatMap<NodeId, u64>,
    /// Current suspicions: in each pair, the first node suspects the second node.
    suspicions: BTreeSet<(NodeId, NodeId)>,
}

impl Notices {
    /// Processes the next event. Returns whether the event is about a crash or a suspicion.
    pub fn observe(&mut self, event: &Event) -> bool {
        match event.what {
            What::Crashed { node, .. } => {
                self.crashes.insert(node, event.seq);
                self.suspicions.retain(|(of, _)| *of != node);
            }
            What::Suspected { at, whom } => _ = self.suspicions.insert((at.node, whom)),
            What::Trusted { at, whom } => _ = self.suspicions.remove(&(at.node, whom)),
            _ => return false,
        }
        true
    }

    /// Returns whether a node suspects its coordinator, or has called an election since the coordinator crashed.
    pub fn has_noticed(&self, node: NodeId, voter: &Voter) -> bool {
        voter.takes.is_some_and(|Belief { leader, .. }| {
            let crashed = self.crashes.get(&leader);
            let called_since = voter.called.is_some_and(|(_, called)| crashed.is_some_and(|crashed| *crashed < called));
            called_since || self.suspects(node, leader)
        })
    }

    /// Returns whether `node` suspects `whom`.
    pub fn suspects(&self, node: NodeId, whom: NodeId) -> bool {
        self.suspicions.contains(&(node, whom))
    }
}
