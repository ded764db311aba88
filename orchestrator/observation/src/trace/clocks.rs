//! Vector clocks, computed from the events. The messages of the algorithms do not carry vector clocks.
//!
//! Sources: Fidge 1988, "Timestamps in message-passing systems that preserve the partial ordering". Mattern 1989,
//! "Virtual time and global states of distributed systems".

use std::collections::HashMap;

use interlock_algorithm::{FlatMap, NodeId};
use interlock_machine::message_id::MessageId;

use interlock_model::event::What;

/// A vector clock, with an entry for each process that the owner of the clock knows of. The size of the clock is
/// therefore bounded by the events. It does not depend on the number of processes, which a document may set to any
/// value.
pub(super) type Clock = FlatMap<NodeId, u64>;

/// The clocks of all processes.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    nodes: u32,
    of: HashMap<NodeId, Clock>,
    /// The clocks that messages in the network carry.
    carried: HashMap<MessageId, Clock>,
    /// The message sent last, and its clock. After losing this message, the network may still duplicate it.
    latest: Option<(MessageId, Clock)>,
}

impl Clocks {
    /// Returns the clocks of a run with `nodes` processes before its first event.
    pub fn new(nodes: u32) -> Self {
        Self { nodes, of: HashMap::new(), carried: HashMap::new(), latest: None }
    }

    /// Processes the next event. If the event happens at a process and `looks` is true, advances the clock of that
    /// process and returns the new clock.
    pub fn observe(&mut self, what: &What, looks: bool) -> Option<(NodeId, &Clock)> {
        match what {
            What::Delivered { at, message, .. } => {
                let carried = self.carried.remove(message);
                let mine = self.clock(at.node)?;
                for (node, theirs) in carried.into_iter().flatten() {
                    let mine = mine.entry(node).or_default();
                    *mine = theirs.max(*mine);
                }
            }
            What::Duplicated { message, copy, .. } => {
                let latest = || self.latest.as_ref().filter(|(sent, _)| sent == message).map(|(_, clock)| clock);
                if let Some(clock) = self.carried.get(message).or_else(latest).cloned() {
                    self.carried.insert(*copy, clock);
                }
            }
            What::Dropped { message, .. } | What::Refused { message: Some(message), .. } => {
                self.carried.remove(message);
            }
            _ => {}
        }
        let node = what.node().filter(|_| looks)?;
        let mine = self.clock(node)?;
        *mine.entry(node).or_default() += 1;
        if let What::Sent { message, .. } = what {
            let clock = mine.clone();
            self.carried.insert(*message, clock.clone());
            self.latest = Some((*message, clock));
        }
        Some((node, self.clock(node)?))
    }

    fn clock(&mut self, node: NodeId) -> Option<&mut Clock> {
        (node.0 < self.nodes).then(|| self.of.entry(node).or_default())
    }
}
