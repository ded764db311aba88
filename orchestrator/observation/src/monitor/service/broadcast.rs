//! What a node has of what is broadcast was broadcast by somebody, and stays with it as long as it lives.
//!
//! That it comes to all in the end is no rule but a hope: wait for `converged`.

use std::collections::BTreeSet;

use super::Call;
use crate::monitor::finding::{Finding, finding};
use interlock_algorithm::{FlatMap, NodeId, Operation, Response};
use interlock_model::event::Violation;

/// The name of this monitor.
pub const NAME: &str = "broadcast";

finding! {
    /// A node has a value that nobody broadcast. Arguments: `node`, `value`.
    pub const UNHEARD_VALUE = "unheard-value";
    UnheardValue { node: NodeId, value: u64 } =>
        format!("{node} has the value {value}, which nobody broadcast.")
}

finding! {
    /// A node has no more a value that it had. Arguments: `node`, `value`.
    pub const FORGOTTEN_VALUE = "forgotten-value";
    ForgottenValue { node: NodeId, value: u64 } =>
        format!("{node} has forgotten the value {value}, which it had, though it has not died meanwhile.")
}

/// How many values that were broadcast are remembered: with more of them it is not known any more what nobody broadcast.
const MOST_VALUES: usize = 1_000_000;

/// What was broadcast, and what nodes have of it.
#[derive(Debug, Default)]
pub(super) struct Broadcast {
    values: BTreeSet<u64>,
    /// What each node that lives has said it has, and the event.
    had: FlatMap<NodeId, (BTreeSet<u64>, u64)>,
}

impl Broadcast {
    /// A client asks for something.
    pub fn asked(&mut self, operation: &Operation) {
        if let Operation::Broadcast { value } = operation
            && self.values.len() < MOST_VALUES
        {
            self.values.insert(*value);
        }
    }

    /// Looks at what a node has.
    pub fn judge(&mut self, call: &Call<'_>, found: &mut Vec<Violation>) {
        let (Operation::ReadAll {}, Response::Values(values)) = (&call.operation, call.response) else { return };
        let values: BTreeSet<u64> = values.iter().copied().collect();
        let node = call.node;
        let unheard = values.difference(&self.values).next().filter(|_| self.values.len() < MOST_VALUES);
        found.extend(unheard.map(|&value| UnheardValue { node, value }.violation(call.events())));
        let before = self.had.insert(node, (values.clone(), call.told));
        if let Some((before, seq)) = before
            && let Some(&value) = before.difference(&values).next()
        {
            found.push(ForgottenValue { node, value }.violation([seq, call.told]));
        }
    }

    /// A node dies: it may forget.
    pub fn died(&mut self, node: NodeId) {
        self.had.remove(&node);
    }
}
