//! What clients of a service asked for, what came of it, and how long it took.

use interlock_algorithm::{FlatMap, NodeId, RequestId, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::delays::{DelayDocument, Delays};
use interlock_model::event::{Event, What};

/// What clients of a service asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct OperationsDocument {
    /// How often they asked.
    pub invoked: u64,
    /// How often it was done, or what was asked for was told.
    pub done: u64,
    /// How often it was refused, and so not done.
    pub refused: u64,
    /// How often nobody knows: no answer came in time.
    pub unknown: u64,
    /// From the question to the answer, where it was done.
    pub latency: DelayDocument,
}

/// The same, while it is being counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Operations {
    invoked: u64,
    done: u64,
    refused: u64,
    unknown: u64,
    latency: Delays,
    /// What each client has asked for last, and when, in microseconds since the run began.
    asked: FlatMap<NodeId, (RequestId, u64)>,
}

impl Operations {
    /// Takes the next event.
    pub fn observe(&mut self, event: &Event) {
        match &event.what {
            What::Invoked { at, request, .. } => {
                self.invoked += 1;
                self.asked.insert(at.node, (*request, event.at_us));
            }
            What::Returned { response: Response::Refused { .. }, .. } => self.refused += 1,
            What::Returned { response: Response::Unknown {}, .. } => self.unknown += 1,
            What::Returned { at, request, .. } => {
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
