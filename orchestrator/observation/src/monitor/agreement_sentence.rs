//! What is wrong about agreement, in plain words.

use interlock_algorithm::NodeId;
use serde::Deserialize;

use super::agreement;
use super::phrases::{arguments, names};
use interlock_model::event::Violation;

#[derive(Deserialize)]
struct TwoValues {
    instance: u64,
    first: String,
    second: String,
}

#[derive(Deserialize)]
struct Learnt {
    node: NodeId,
    instance: u64,
    value: String,
}

#[derive(Deserialize)]
struct Promise {
    node: NodeId,
    promised: String,
    accepted: String,
}

#[derive(Deserialize)]
struct Duel {
    instance: u64,
    proposers: Vec<NodeId>,
    ballots: u64,
}

#[derive(Deserialize)]
struct Undecided {
    instance: u64,
}

/// What a violation means, if it is one of these.
pub(super) fn of(violation: &Violation) -> Option<String> {
    match &*violation.code {
        agreement::TWO_VALUES => arguments(violation).map(|TwoValues { instance, first, second }| {
            format!("Two values were chosen in instance {instance}: `{first}`, and then `{second}`.")
        }),
        agreement::NOT_PROPOSED => arguments(violation).map(|Learnt { node, instance, value }| {
            format!("{node} learnt that `{value}` was chosen in instance {instance}, which nobody had proposed.")
        }),
        agreement::BROKEN_PROMISE => arguments(violation).map(|Promise { node, promised, accepted }| {
            format!("{node} broke its promise: it accepted number {accepted}, and had promised {promised}.")
        }),
        agreement::DUEL => arguments(violation).map(|Duel { instance, proposers, ballots }| {
            let proposers = names(&proposers);
            format!(
                "Livelock: {proposers} are in each other's way in instance {instance}: {ballots} ballots had enough \
                 promises, and nothing is chosen."
            )
        }),
        agreement::UNDECIDED => arguments(violation).map(|Undecided { instance }| {
            format!(
                "Nothing moves any more, and nothing was chosen in instance {instance}, though enough acceptors are alive."
            )
        }),
        _ => None,
    }
}
