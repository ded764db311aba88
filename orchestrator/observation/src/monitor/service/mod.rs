//! Monitors of the responses of a service to its clients. Each file checks the property of one of Maelstrom's
//! workloads (Kingsbury, `doc/workloads.md`).

pub mod broadcast;
pub mod echo;
mod history;
pub mod linearizability;
mod register;
#[cfg(test)]
mod tests;
pub mod unique_ids;

use std::collections::BTreeMap;

use interlock_algorithm::{NodeId, Operation, RequestId, Response};

use interlock_model::event::{Event, Violation, What};

/// The monitor of all clients' operations and responses.
#[derive(Debug, Default)]
pub struct ServiceMonitor {
    /// Operations without a response so far, with their events.
    open: BTreeMap<(NodeId, RequestId), (Operation, u64)>,
    broadcast: broadcast::Broadcast,
    stores: linearizability::Linearizability,
    unique_ids: unique_ids::UniqueIds,
}

/// An operation of a client, together with the response that it receives now.
struct Call<'a> {
    node: NodeId,
    operation: Operation,
    /// The event of the invocation.
    asked: u64,
    response: &'a Response,
    /// The event of the response.
    told: u64,
}

impl Call<'_> {
    /// Returns the events of the invocation and the response.
    const fn events(&self) -> [u64; 2] {
        [self.asked, self.told]
    }
}

impl ServiceMonitor {
    /// Processes the next event.
    pub fn observe(&mut self, event: &Event, found: &mut Vec<Violation>) {
        match &event.what {
            What::Invoked { at, request, operation } => {
                self.broadcast.asked(operation);
                self.stores.begin((at.node, *request), operation, event);
                self.open.insert((at.node, *request), (operation.clone(), event.seq));
            }
            What::Returned { at, request, response } => {
                let Some((operation, asked)) = self.open.remove(&(at.node, *request)) else { return };
                let call = Call { node: at.node, operation, asked, response, told: event.seq };
                found.extend(echo::judge(&call));
                found.extend(self.unique_ids.judge(&call));
                self.broadcast.judge(&call, found);
                found.extend(self.stores.end(*request, &call, event));
            }
            What::Crashed { node, .. } => {
                self.open.retain(|(whose, _), _| whose != node);
                self.broadcast.died(*node);
                self.stores.died(*node, event);
            }
            _ => {}
        }
    }
}
