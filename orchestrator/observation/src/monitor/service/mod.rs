//! What clients are told by a service is what it promises: the rules of Maelstrom's workloads (Kingsbury,
//! `doc/workloads.md`), one a file.

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

/// Watches what all clients ask for and are told.
#[derive(Debug, Default)]
pub struct ServiceMonitor {
    /// What they have asked for and not been told, with the event.
    open: BTreeMap<(NodeId, RequestId), (Operation, u64)>,
    broadcast: broadcast::Broadcast,
    stores: linearizability::Linearizability,
    unique_ids: unique_ids::UniqueIds,
}

/// Something that a client has asked for and is told now.
struct Call<'a> {
    node: NodeId,
    operation: Operation,
    /// By which event it has asked.
    asked: u64,
    response: &'a Response,
    /// The event by which it is told.
    told: u64,
}

impl Call<'_> {
    /// The events by which the client asks and gets its answer.
    const fn events(&self) -> [u64; 2] {
        [self.asked, self.told]
    }
}

impl ServiceMonitor {
    /// Takes the next event.
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
