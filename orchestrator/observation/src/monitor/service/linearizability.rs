//! Linearizability of a key–value store: each operation seems to take effect at one moment between its invocation and
//! its response. The source is Herlihy and Wing 1990, "Linearizability: A Correctness Condition for Concurrent
//! Objects", section 2. The store is linearizable if each of its keys is (section 3.2, theorem 1).

use std::collections::BTreeMap;

use super::Call;
use super::history::History;
use super::register::Number;
use crate::monitor::finding::{Finding, finding};
use interlock_algorithm::{NodeId, Operation, RequestId, Response};
use interlock_model::event::{Event, Violation};
use interlock_model::operation_words::{operation_in_words, response_in_words};

/// The name of this monitor.
pub const NAME: &str = "linearizability";

finding! {
    /// No order explains all operations on a key. Arguments: `node`, `key`, `operation`, `response` (of the first
    /// operation that does not fit).
    pub const NOT_LINEARIZABLE = "not-linearizable";
    NotLinearizable { node: NodeId, key: u64, operation: Operation, response: Response } => format!(
        "Key {key} is not linearizable: there is no order of the operations on it, each between its invocation and its \
         response, in which {node} asks to {} and is told {}.",
        operation_in_words(operation),
        response_in_words(response)
    )
}

/// Maximum number of keys that are remembered: those with the largest numbers.
pub(super) const MOST_KEYS: usize = 1_000;

/// The history of each key.
#[derive(Debug, Default)]
pub(super) struct Linearizability {
    keys: BTreeMap<u64, History>,
    /// The first key that is not forgotten.
    first: u64,
    /// Operations that have begun and not ended: the key, and the operation's number in the key's history.
    open: BTreeMap<(NodeId, RequestId), (u64, Number)>,
}

impl Linearizability {
    /// Records that an operation begins.
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

    /// Records that an operation has ended, and judges its key.
    pub fn end(&mut self, request: RequestId, call: &Call<'_>, event: &Event) -> Option<Violation> {
        let (key, number) = self.open.remove(&(call.node, request))?;
        let events = self.history(key)?.end((event.at_us, event.seq), number, call.response)?;
        let Call { node, operation, response, .. } = call;
        let (operation, response) = (operation.clone(), (*response).clone());
        Some(NotLinearizable { node: *node, key, operation, response }.violation(events))
    }

    /// Records that a node crashes. The results of its client's open operations stay unknown.
    pub fn died(&mut self, node: NodeId, event: &Event) {
        let lost: Vec<_> = self.open.extract_if(.., |(whose, _), _| *whose == node).map(|(_, on)| on).collect();
        for (key, number) in lost {
            if let Some(history) = self.history(key) {
                history.end((event.at_us, event.seq), number, &Response::Unknown {});
            }
        }
    }

    /// Returns the history of a key, or `None` if the key is forgotten.
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
