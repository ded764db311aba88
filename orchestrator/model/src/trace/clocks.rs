//! Vector clocks (Fidge 1988, "Timestamps in message-passing systems that preserve the partial ordering"; Mattern 1989,
//! "Virtual time and global states of distributed systems"), worked out from the events: no algorithm carries them.

use std::collections::HashMap;

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;

use crate::event::What;

/// The clocks of all processes.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    of: Vec<Vec<u64>>,
    /// What messages in the network carry.
    carried: HashMap<MessageId, Vec<u64>>,
    /// The message sent last: a copy may be made of it when it is itself lost already.
    latest: Option<(MessageId, Vec<u64>)>,
}

impl Clocks {
    /// All at their beginning.
    pub fn new(nodes: u32) -> Self {
        let of = NodeId::all(nodes).map(|_| vec![0; NodeId::all(nodes).len()]).collect();
        Self { of, carried: HashMap::new(), latest: None }
    }

    /// Takes the next event. One of a process counts if somebody `looks`: then this is the clock of the process after it.
    pub fn observe(&mut self, what: &What, looks: bool) -> Option<(NodeId, &[u64])> {
        match what {
            What::Delivered { at, message, .. } => {
                let carried = self.carried.remove(message);
                let mine = self.of.get_mut(at.node.index())?;
                for (mine, theirs) in mine.iter_mut().zip(carried.into_iter().flatten()) {
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
        let mine = self.of.get_mut(node.index())?;
        mine[node.index()] += 1;
        if let What::Sent { message, .. } = what {
            self.carried.insert(*message, mine.clone());
            self.latest = Some((*message, mine.clone()));
        }
        Some((node, mine))
    }
}
