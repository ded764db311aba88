//! Monitor of generated ids: no id is generated twice.

use std::collections::BTreeMap;

use super::Call;
use crate::monitor::finding::{Finding, findings};
use interlock_algorithm::{NodeId, Operation, Response};
use interlock_model::event::Violation;

/// The name of this monitor.
pub const NAME: &str = "unique-ids";

findings! {
    /// An id was generated twice. Arguments: `node`, `id`.
    pub const SAME_ID = "same-id";
    SameId { node: NodeId, id: String } =>
        format!("{node} received the ID {id}, which had already been assigned.")
}

/// Maximum number of ids that are stored. The ids that were generated first are stored.
const MOST_NAMES: usize = 1_000_000;

/// The ids generated so far, each with the event that reported it.
#[derive(Debug, Default)]
pub(super) struct UniqueIds(BTreeMap<String, u64>);

impl UniqueIds {
    /// Judges an id that a client has just received.
    pub fn judge(&mut self, call: &Call<'_>) -> Option<Violation> {
        let (Operation::Generate {}, Response::Text(id)) = (&call.operation, call.response) else { return None };
        if let Some(first) = self.0.get(id) {
            return Some(SameId { node: call.node, id: id.clone() }.violation([*first, call.told]));
        }
        if self.0.len() < MOST_NAMES {
            self.0.insert(id.clone(), call.told);
        }
        None
    }
}
