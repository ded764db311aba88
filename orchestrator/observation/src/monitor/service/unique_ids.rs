//! No name is given twice.

use std::collections::BTreeMap;

use interlock_algorithm::{Operation, Response};
use serde_json::json;

use super::Call;
use interlock_model::event::Violation;

/// The name of this monitor.
pub const NAME: &str = "unique-ids";
/// A name was given twice. Arguments: `node`, `id`.
pub const SAME_ID: &str = "same-id";

/// How many names that were given are remembered: the first.
const MOST_NAMES: usize = 1_000_000;

/// The names given, and the events.
#[derive(Debug, Default)]
pub(super) struct UniqueIds(BTreeMap<String, u64>);

impl UniqueIds {
    /// Looks at a name that is given.
    pub fn judge(&mut self, call: &Call<'_>) -> Option<Violation> {
        let (Operation::Generate {}, Response::Text(id)) = (&call.operation, call.response) else { return None };
        if let Some(first) = self.0.get(id) {
            let arguments = json!({ "node": call.node, "id": id });
            return Some(Violation { events: vec![*first, call.told], ..call.violation(NAME, SAME_ID, arguments) });
        }
        if self.0.len() < MOST_NAMES {
            self.0.insert(id.clone(), call.told);
        }
        None
    }
}
