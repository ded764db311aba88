//! Operations that clients invoked at a service: their number, their results and their latency.

use interlock_algorithm::{FlatMap, NodeId, Outcome, RequestId, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::delays::{DelayDocument, Delays};
use interlock_model::event::Event;

/// Operations that clients invoked at a service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct OperationsDocument {
    /// Number of operations invoked.
    pub invoked: u64,
    /// Number of operations that succeeded.
    pub done: u64,
    /// Number of operations that the service refused and therefore did not execute.
    pub refused: u64,
    /// Number of operations whose result is unknown, because no answer arrived in time.
    pub unknown: u64,
    /// Time from invocation to answer, for operations that succeeded.
    pub latency: DelayDocument,
}

/// The counts of operations so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Operations {
    invoked: u64,
    done: u64,
    refused: u64,
    unknown: u64,
    latency: Delays,
    /// For each client, its latest request and the time of that request, in microseconds since the run began.
    asked: FlatMap<NodeId, (RequestId, u64)>,
}

impl Operations {
    /// Processes the next event.
    pub fn observe(&mut self, event: &Event) {
        match event.outcome() {
            Some((at, Outcome::Invoked { request, .. })) => {
                self.invoked += 1;
                self.asked.insert(at.node, (*request, event.at_us));
            }
            Some((_, Outcome::Returned { response: Response::Refused { .. }, .. })) => self.refused += 1,
            Some((_, Outcome::Returned { response: Response::Unknown {}, .. })) => self.unknown += 1,
            Some((at, Outcome::Returned { request, .. })) => {
                self.done += 1;
                if let Some((_, since_us)) = self.asked.get(&at.node).filter(|(asked, _)| asked == request) {
                    self.latency.record(event.at_us.saturating_sub(*since_us));
                }
            }
            _ => {}
        }
    }

    pub fn document(&self) -> OperationsDocument {
        let Self { invoked, done, refused, unknown, ref latency, .. } = *self;
        OperationsDocument { invoked, done, refused, unknown, latency: latency.document() }
    }
}
