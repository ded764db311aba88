//! What broken rules of services mean, in plain words.

use interlock_algorithm::{NodeId, Operation, Response};
use serde::Deserialize;

use super::phrases::arguments;
use super::service::{broadcast, echo, linearizability, unique_ids};
use interlock_model::event::Violation;
use interlock_model::operation_words::{operation_in_words, response_in_words};

#[derive(Deserialize)]
struct NotLinearizable {
    node: NodeId,
    key: u64,
    operation: Operation,
    response: Response,
}

#[derive(Deserialize)]
struct OtherEcho {
    node: NodeId,
    said: String,
    heard: String,
}

#[derive(Deserialize)]
struct SameId {
    node: NodeId,
    id: String,
}

#[derive(Deserialize)]
struct OfValue {
    node: NodeId,
    value: u64,
}

/// What a violation of this kind means; none if it is of another.
pub(super) fn of(violation: &Violation) -> Option<String> {
    match &*violation.code {
        linearizability::NOT_LINEARIZABLE => arguments(violation).map(|NotLinearizable { node, key, operation, response }| {
            format!(
                "Key {key} is not linearizable: there is no order of what was done to it, each between its beginning and \
                 its end, in which {node} asks to {} and is told {}.",
                operation_in_words(&operation),
                response_in_words(&response)
            )
        }),
        echo::OTHER_ECHO => arguments(violation)
            .map(|OtherEcho { node, said, heard }| format!("{node} said `{said}`, and heard `{heard}` as its echo.")),
        unique_ids::SAME_ID => arguments(violation)
            .map(|SameId { node, id }| format!("{node} was given the name {id}, which had been given before.")),
        broadcast::UNHEARD_VALUE => arguments(violation)
            .map(|OfValue { node, value }| format!("{node} has the value {value}, which nobody broadcast.")),
        broadcast::FORGOTTEN_VALUE => arguments(violation).map(|OfValue { node, value }| {
            format!("{node} has forgotten the value {value}, which it had, though it has not died meanwhile.")
        }),
        _ => None,
    }
}
