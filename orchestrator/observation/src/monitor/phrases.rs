//! Parts of the sentences about violations.

use interlock_algorithm::NodeId;
use serde::de::DeserializeOwned;

use interlock_model::event::Violation;

/// Reads the arguments of a violation, if they have this form.
pub(super) fn arguments<T: DeserializeOwned>(violation: &Violation) -> Option<T> {
    T::deserialize(&violation.arguments).ok()
}

/// Returns a list of nodes in words: `P1`, `P1 and P2`, `P1, P2 and P3`.
pub(super) fn names(nodes: &[NodeId]) -> String {
    let names: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    match names.as_slice() {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
