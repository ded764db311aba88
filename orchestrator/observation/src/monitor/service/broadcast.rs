//! Monitor of broadcasts. A client has broadcast each value that a node has, and the node does not lose a value until
//! it crashes.
//!
//! This monitor does not check that each value reaches all nodes in the end, which is a liveness property. To test
//! that property, wait for `converged`.

use std::collections::BTreeSet;

use super::Call;
use crate::monitor::finding::{Finding, findings};
use interlock_algorithm::{FlatMap, NodeId, Operation, Response};
use interlock_model::event::Violation;

/// The name of this monitor.
pub const NAME: &str = "broadcast";

findings! {
    /// A node has a value that no client has broadcast. Arguments: `node`, `value`.
    pub const UNHEARD_VALUE = "unheard-value";
    UnheardValue { node: NodeId, value: u64 } =>
        format!("{node} has the value {value}, which was never broadcast.");

    /// A node has lost a value without a crash. Arguments: `node`, `value`.
    pub const FORGOTTEN_VALUE = "forgotten-value";
    ForgottenValue { node: NodeId, value: u64 } =>
        format!("{node} no longer has the value {value}, although it has not crashed in the meantime.")
}

/// Maximum number of broadcast values that are stored. Once this limit is reached, the monitor can no longer report
/// values that no client has broadcast.
const MOST_VALUES: usize = 1_000_000;

/// The values that clients have broadcast, and the values that each node has.
#[derive(Debug, Default)]
pub(super) struct Broadcast {
    values: BTreeSet<u64>,
    /// For each live node, the values in its latest report, and the event of that report.
    had: FlatMap<NodeId, (BTreeSet<u64>, u64)>,
}

impl Broadcast {
    /// Records that a client has invoked an operation. Only a broadcast has an effect.
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

    /// Records that a node has crashed. The node may lose its values in a crash, so they are no longer expected.
    pub fn died(&mut self, node: NodeId) {
        self.had.remove(&node);
    }
}
