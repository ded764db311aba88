//! Monitors of services. They check whether each response to a client is correct. Each file checks the property of one
//! of Maelstrom's workloads (Kingsbury, `doc/workloads.md`).

pub mod broadcast;
pub mod echo;
mod history;
pub mod linearizability;
mod register;
#[cfg(test)]
mod tests;
pub mod unique_ids;

use std::collections::BTreeMap;

use super::finding::{Monitor, Property};
use super::interventions::Interventions;
use interlock_algorithm::{NodeId, Operation, Outcome, RequestId, Response};

use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::Specification;

/// The monitor of the operations that clients invoke, and of the responses that they receive.
#[derive(Debug, Default)]
pub struct ServiceMonitor {
    /// Operations that have no response yet, each with the event of its invocation.
    open: BTreeMap<(NodeId, RequestId), (Operation, u64)>,
    broadcast: broadcast::Broadcast,
    stores: linearizability::Linearizability,
    unique_ids: unique_ids::UniqueIds,
}

/// An operation of a client, with the response that the current event reports.
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
    /// Returns the event of the invocation and the event of the response.
    const fn events(&self) -> [u64; 2] {
        [self.asked, self.told]
    }
}

impl Monitor for ServiceMonitor {
    const PROPERTIES: &'static [Property] =
        &[broadcast::PROPERTY, echo::PROPERTY, linearizability::PROPERTY, unique_ids::PROPERTY];
    const READS_EXCHANGES: bool = false;

    fn new(_: &Specification) -> Self {
        Self::default()
    }

    fn observe(&mut self, event: &Event, _: &Interventions, found: &mut Vec<Violation>) {
        match &event.what {
            What::Outcome { at, outcome: Outcome::Invoked { request, operation } } => {
                self.broadcast.asked(operation);
                self.stores.begin((at.node, *request), operation, event);
                self.open.insert((at.node, *request), (operation.clone(), event.seq));
            }
            What::Outcome { at, outcome: Outcome::Returned { request, response } } => {
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
