//! Every value that a node has was broadcast by a client, and the node keeps it until it crashes.
//!
//! This monitor does not check that a value reaches all nodes in the end, which is liveness. To test that, wait
//! for `converged`.

use std::collections::BTreeSet;

use super::Call;
use crate::monitor::finding::{Finding, finding};
use interlock_algorithm::{FlatMap, NodeId, Operation, Response};
use interlock_model::event::Violation;

/// The name of this monitor.
pub const NAME: &str = "broadcast";

finding! {
    /// A node has a value that no client broadcast. Arguments: `node`, `value`.
    pub const UNHEARD_VALUE = "unheard-value";
    UnheardValue { node: NodeId, value: u64 } =>
        format!("{node} has the value {value}, which was never broadcast.")
}

finding! {
    /// A node no longer has a value that it had. Arguments: `node`, `value`.
    pub const FORGOTTEN_VALUE = "forgotten-value";
    ForgottenValue { node: NodeId, value: u64 } =>
        format!("{node} no longer has the value {value}, although it has not crashed in the meantime.")
}

/// Maximum number of broadcast values that are remembered. Once it is reached, the monitor no longer reports
/// values that no client broadcast.
const MOST_VALUES: usize = 1_000_000;

/// The values that were broadcast, and those that each node has.
#[derive(Debug, Default)]
pub(super) struct Broadcast {
    values: BTreeSet<u64>,
    /// The values that each live node has reported last, and the event.
    had: FlatMap<NodeId, (BTreeSet<u64>, u64)>,
}

impl Broadcast {
    /// Records the operation of a client.
    pub fn asked(&mut self, operation: &Operation) {
        if let Operation::Broadcast { value } = operation
            && self.values.len() < MOST_VALUES
        {
            self.values.insert(*value);
        }
    }

    /// Judges the values that a node reports.
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

    /// Records that a node crashes. It may forget its values.
    pub fn died(&mut self, node: NodeId) {
        self.had.remove(&node);
    }
}
