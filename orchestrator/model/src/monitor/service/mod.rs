//! What clients are told by a service is what it promises: the rules of Maelstrom's workloads (Kingsbury,
//! `doc/workloads.md`).
//!
//! A store is linearizable (Herlihy and Wing 1990, "Linearizability", section 2): each operation seems to take effect at
//! one moment between its beginning and its end. An echo is what was said, no name is given twice, and what a node has read
//! of what is broadcast was broadcast by somebody and stays with it as long as it lives. That it comes to all in the end
//! is no rule but a hope: wait for `converged`.

mod history;
mod register;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use interlock_algorithm::{NodeId, Operation, RequestId, Response};
use serde_json::{Value, json};

use crate::event::{Event, Violation, What};
use history::History;
use register::Number;

/// The name of the monitor of stores.
pub const LINEARIZABILITY: &str = "linearizability";
/// There is no order in which all operations on a key have taken effect. Arguments: `node`, `key`, `operation`, `response`
/// (of the first that does not fit).
pub const NOT_LINEARIZABLE: &str = "not-linearizable";
/// The name of the monitor of echoes.
pub const ECHO: &str = "echo";
/// Something else came back. Arguments: `node`, `said`, `heard`.
pub const OTHER_ECHO: &str = "other-echo";
/// The name of the monitor of names that are given once.
pub const UNIQUE_IDS: &str = "unique-ids";
/// A name was given twice. Arguments: `node`, `id`.
pub const SAME_ID: &str = "same-id";
/// The name of the monitor of what is broadcast.
pub const BROADCAST: &str = "broadcast";
/// A node has a value that nobody broadcast. Arguments: `node`, `value`.
pub const UNHEARD_VALUE: &str = "unheard-value";
/// A node has no more a value that it had. Arguments: `node`, `value`.
pub const FORGOTTEN_VALUE: &str = "forgotten-value";

/// How many keys are remembered: the latest.
const MOST_KEYS: usize = 1_000;
/// How many names that were given are remembered, and values that were broadcast: the first.
const MOST_REMEMBERED: usize = 1_000_000;

/// Watches what all clients ask for and are told.
#[derive(Debug, Default)]
pub struct ServiceMonitor {
    open: BTreeMap<(NodeId, RequestId), Open>,
    keys: BTreeMap<u64, History>,
    /// The first key that is not forgotten.
    first_key: u64,
    /// The names given, and the events.
    names: BTreeMap<String, u64>,
    /// The values broadcast so far.
    broadcast: BTreeSet<u64>,
    /// What each node that lives has said it has, and the event.
    had: BTreeMap<NodeId, (BTreeSet<u64>, u64)>,
}

/// An operation that has begun and not ended.
#[derive(Debug)]
struct Open {
    operation: Operation,
    seq: u64,
    /// The key and its number there, if it is one on a store.
    on: Option<(u64, Number)>,
}

impl ServiceMonitor {
    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, found: &mut Vec<Violation>) {
        match &event.what {
            What::Invoked { at, request, operation } => {
                let on = key(operation)
                    .and_then(|key| Some((key, self.history(key)?.begin((event.at_us, event.seq), operation))));
                if let Operation::Broadcast { value } = operation
                    && self.broadcast.len() < MOST_REMEMBERED
                {
                    self.broadcast.insert(*value);
                }
                self.open.insert((at.node, *request), Open { operation: operation.clone(), seq: event.seq, on });
            }
            What::Returned { at, request, response } => {
                if let Some(open) = self.open.remove(&(at.node, *request)) {
                    self.returned(at.node, &open, response, event, found);
                }
            }
            What::Crashed { node, .. } => {
                self.had.remove(node);
                self.give_up(*node, event);
            }
            _ => {}
        }
    }

    fn returned(&mut self, node: NodeId, open: &Open, response: &Response, event: &Event, found: &mut Vec<Violation>) {
        let events = vec![open.seq, event.seq];
        let mut tell = |monitor: &str, code: &str, arguments: Value, events: Vec<u64>| {
            found.push(Violation { monitor: monitor.into(), code: code.into(), arguments, events });
        };
        match (&open.operation, response) {
            (Operation::Echo { text }, Response::Text(heard)) if text != heard => {
                tell(ECHO, OTHER_ECHO, json!({ "node": node, "said": text, "heard": heard }), events);
            }
            (Operation::Generate {}, Response::Text(id)) => {
                if let Some(first) = self.names.get(id) {
                    tell(UNIQUE_IDS, SAME_ID, json!({ "node": node, "id": id }), vec![*first, event.seq]);
                } else if self.names.len() < MOST_REMEMBERED {
                    self.names.insert(id.clone(), event.seq);
                }
            }
            (Operation::ReadAll {}, Response::Values(values)) => {
                let values: BTreeSet<u64> = values.iter().copied().collect();
                let is_known = self.broadcast.len() < MOST_REMEMBERED;
                if let Some(value) = values.difference(&self.broadcast).next().filter(|_| is_known) {
                    tell(BROADCAST, UNHEARD_VALUE, json!({ "node": node, "value": value }), events);
                }
                let before = self.had.insert(node, (values.clone(), event.seq));
                if let Some((before, seq)) = before
                    && let Some(value) = before.difference(&values).next()
                {
                    tell(BROADCAST, FORGOTTEN_VALUE, json!({ "node": node, "value": value }), vec![seq, event.seq]);
                }
            }
            (operation, response) => {
                let Some((key, number)) = open.on else { return };
                let history = self.history(key);
                let broken = history.and_then(|history| history.end((event.at_us, event.seq), number, response));
                if let Some(events) = broken {
                    let arguments = json!({ "node": node, "key": key, "operation": operation, "response": response });
                    tell(LINEARIZABILITY, NOT_LINEARIZABLE, arguments, events);
                }
            }
        }
    }

    /// A node is dead: nobody is told any more what comes of what its client had asked for.
    fn give_up(&mut self, node: NodeId, event: &Event) {
        let lost: Vec<_> = self.open.extract_if(.., |(whose, _), _| *whose == node).collect();
        for (key, number) in lost.into_iter().filter_map(|(_, open)| open.on) {
            if let Some(history) = self.history(key) {
                history.end((event.at_us, event.seq), number, &Response::Unknown {});
            }
        }
    }

    /// What has happened to a key, unless that is forgotten.
    fn history(&mut self, key: u64) -> Option<&mut History> {
        if self.keys.len() >= MOST_KEYS
            && !self.keys.contains_key(&key)
            && let Some((forgotten, _)) = self.keys.pop_first()
        {
            self.first_key = forgotten + 1;
        }
        (key >= self.first_key).then(|| self.keys.entry(key).or_default())
    }
}

/// The key that an operation is on, if it is one on a store.
const fn key(operation: &Operation) -> Option<u64> {
    match operation {
        Operation::Read { key } | Operation::Write { key, .. } | Operation::CompareAndSet { key, .. } => Some(*key),
        _ => None,
    }
}
