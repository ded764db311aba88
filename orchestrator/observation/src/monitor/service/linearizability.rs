//! Monitor of a key–value store: is it linearizable? Each operation must seem to take effect at one moment between its
//! invocation and its response. The source is Herlihy and Wing 1990, "Linearizability: A Correctness Condition for
//! Concurrent Objects", section 2. The store is linearizable if each of its keys is (section 3.2, theorem 1).

use std::collections::BTreeMap;

use super::Call;
use super::history::History;
use super::register::Number;
use crate::monitor::finding::{Finding, findings};
use interlock_algorithm::{NodeId, Operation, RequestId, Response};
use interlock_model::event::{Event, Violation};
use interlock_model::operation_words::{operation_in_words, response_in_words};

/// The name of this monitor.
pub const NAME: &str = "linearizability";

findings! {
    /// No order of the operations on a key explains all their results. Arguments: `node`, `key`, `operation`,
    /// `response`. These describe the first operation whose result no order explains.
    pub const NOT_LINEARIZABLE = "not-linearizable";
    NotLinearizable { node: NodeId, key: u64, operation: Operation, response: Response } => format!(
        "Key {key} is not linearizable: there is no order of the operations on it, each between its invocation and its \
         response, in which {node} asks to {} and is told {}.",
        operation_in_words(operation),
        response_in_words(response)
    )
}

/// Maximum number of keys whose history is stored: those with the largest numbers.
pub(super) const MOST_KEYS: usize = 1_000;

/// The history of each key.
#[derive(Debug, Default)]
pub(super) struct Linearizability {
    keys: BTreeMap<u64, History>,
    /// The first key whose history may still be stored.
    first: u64,
    /// Open operations, by client and request. Each entry has the key, and the operation's number in the history of
    /// that key.
    open: BTreeMap<(NodeId, RequestId), (u64, Number)>,
}

impl Linearizability {
    /// Records that a client has invoked an operation.
    pub fn begin(&mut self, whose: (NodeId, RequestId), operation: &Operation, event: &Event) {
        let (Operation::Read { key } | Operation::Write { key, .. } | Operation::CompareAndSet { key, .. }) = operation
        else {
            return;
        };
        if let Some(history) = self.history(*key) {
            let number = history.begin((event.at_us, event.seq), operation);
            self.open.insert(whose, (*key, number));
        }
    }

    /// Records that an operation has ended. Returns a violation if its key is no longer linearizable.
    pub fn end(&mut self, request: RequestId, call: &Call<'_>, event: &Event) -> Option<Violation> {
        let (key, number) = self.open.remove(&(call.node, request))?;
        let events = self.history(key)?.end((event.at_us, event.seq), number, call.response)?;
        let Call { node, operation, response, .. } = call;
        let (operation, response) = (operation.clone(), (*response).clone());
        Some(NotLinearizable { node: *node, key, operation, response }.violation(events))
    }

    /// Records that a node has crashed. The open operations of its client end without a known result.
    pub fn died(&mut self, node: NodeId, event: &Event) {
        let lost: Vec<_> = self.open.extract_if(.., |(whose, _), _| *whose == node).map(|(_, on)| on).collect();
        for (key, number) in lost {
            if let Some(history) = self.history(key) {
                history.end((event.at_us, event.seq), number, &Response::Unknown {});
            }
        }
    }

    /// Returns the history of a key, or `None` if this history is no longer stored.
    fn history(&mut self, key: u64) -> Option<&mut History> {
        if self.keys.len() >= MOST_KEYS
            && !self.keys.contains_key(&key)
            && let Some((forgotten, _)) = self.keys.pop_first()
        {
            self.first = forgotten + 1;
        }
        (key >= self.first).then(|| self.keys.entry(key).or_default())
    }
}
