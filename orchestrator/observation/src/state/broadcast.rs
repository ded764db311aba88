//! Values whose broadcast was acknowledged to the client that had requested the broadcast. All nodes must receive
//! these values.

use std::collections::BTreeSet;

use interlock_algorithm::{FlatMap, NodeId, Operation, Outcome, RequestId, Response};
use serde::{Deserialize, Serialize};

use interlock_model::event::Event;

/// The broadcast values of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broadcast {
    /// The values whose broadcast was acknowledged.
    acknowledged: BTreeSet<u64>,
    /// For each node, the latest broadcast that its client requested: the request and the value.
    asked: FlatMap<NodeId, (RequestId, u64)>,
}

impl Broadcast {
    /// Processes the next event.
    pub(super) fn apply(&mut self, event: &Event) {
        match event.outcome() {
            Some((at, Outcome::Invoked { request, operation: Operation::Broadcast { value } })) => {
                self.asked.insert(at.node, (*request, *value));
            }
            Some((at, Outcome::Returned { request, response: Response::Done {} })) => {
                let asked = self.asked.get(&at.node).filter(|(asked, _)| asked == request);
                self.acknowledged.extend(asked.map(|(_, value)| *value));
            }
            _ => {}
        }
    }

    /// Returns the values whose broadcast has been acknowledged so far.
    #[must_use]
    pub const fn acknowledged(&self) -> &BTreeSet<u64> {
        &self.acknowledged
    }
}
