//! What has been broadcast, and acknowledged to who asked for it: it is to come to all nodes.

use std::collections::BTreeSet;

use interlock_algorithm::{FlatMap, NodeId, Operation, RequestId, Response};
use serde::{Deserialize, Serialize};

use interlock_model::event::{Event, What};

/// The values of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broadcast {
    /// What has been acknowledged.
    acknowledged: BTreeSet<u64>,
    /// What each client has asked for last.
    asked: FlatMap<NodeId, (RequestId, u64)>,
}

impl Broadcast {
    /// Takes the next event.
    pub(super) fn apply(&mut self, event: &Event) {
        match &event.what {
            What::Invoked { at, request, operation: Operation::Broadcast { value } } => {
                self.asked.insert(at.node, (*request, *value));
            }
            What::Returned { at, request, response: Response::Done {} } => {
                let asked = self.asked.get(&at.node).filter(|(asked, _)| asked == request);
                self.acknowledged.extend(asked.map(|(_, value)| *value));
            }
            _ => {}
        }
    }

    /// What has been acknowledged so far.
    #[must_use]
    pub const fn acknowledged(&self) -> &BTreeSet<u64> {
        &self.acknowledged
    }
}
