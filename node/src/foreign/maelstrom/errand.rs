//! Requests of the client, and the meaning of the answers to them, as messages of Maelstrom's workloads.

use interlock_algorithm::{NodeId, Operation, RequestId, Response};
use serde_json::{Value, json};

use super::envelope::Place;

/// Error codes after which it is useless to repeat the request: the program does not support the request, or does
/// not understand it.
const NEVER: [u64; 2] = [10, 12];
/// Error code for a key that does not exist.
const NO_KEY: u64 = 20;
/// Error codes that guarantee that the operation was not executed. After any other error code, the operation may
/// have been executed.
const DEFINITE: [u64; 7] = [1, 11, 14, NO_KEY, 21, 22, 30];

/// A request of the client to the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Errand {
    /// Announce the topology. Broadcasts need the topology.
    Topology,
    /// Acquire the lock.
    Lock(RequestId),
    /// Release the lock.
    Unlock,
    /// Perform an operation of a service.
    Call(RequestId, Operation),
}

/// The meaning of an answer.
#[derive(Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The program has executed the request. The response contains the result.
    Done(Response),
    /// The program has not executed the request, so the client may repeat it. The field is the error code.
    Refused(u64),
    /// It is unknown whether the program has executed the request.
    Unknown,
}

impl Errand {
    /// Returns the type of the request's message.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Topology => "topology",
            Self::Lock(_) => "lock",
            Self::Unlock => "unlock",
            Self::Call(_, operation) => match operation {
                Operation::Read { .. } | Operation::ReadAll {} => "read",
                Operation::Write { .. } => "write",
                Operation::CompareAndSet { .. } => "cas",
                Operation::Echo { .. } => "echo",
                Operation::Generate {} => "generate",
                Operation::Broadcast { .. } => "broadcast",
            },
        }
    }

    /// Returns the body of the request's message, without its number.
    pub fn body(&self, nodes: u32) -> Value {
        let mut body = match self {
            Self::Topology => json!({ "topology": topology(nodes) }),
            Self::Call(_, operation) => match operation {
                Operation::Read { key } => json!({ "key": key }),
                Operation::Write { key, value } => json!({ "key": key, "value": value }),
                Operation::CompareAndSet { key, from, to } => json!({ "key": key, "from": from, "to": to }),
                Operation::Echo { text } => json!({ "echo": text }),
                Operation::Broadcast { value } => json!({ "message": value }),
                Operation::Generate {} | Operation::ReadAll {} => json!({}),
            },
            Self::Lock(_) | Self::Unlock => json!({}),
        };
        body["type"] = self.name().into();
        body
    }

    /// Returns the meaning of an answer of type `kind` with the body `body`; `None` if the answer is invalid.
    pub fn meaning(&self, kind: &str, body: &Value) -> Option<Meaning> {
        if kind == "error" {
            let code = body["code"].as_u64()?;
            return match code {
                NO_KEY if self.reads_a_key() => Some(Meaning::Done(Response::Value(None))),
                code if NEVER.contains(&code) => None,
                code if DEFINITE.contains(&code) || !self.changes_something() => Some(Meaning::Refused(code)),
                _ => Some(Meaning::Unknown),
            };
        }
        if kind.strip_suffix("_ok") != Some(self.name()) {
            return None;
        }
        let Self::Call(_, operation) = self else { return Some(Meaning::Done(Response::Done {})) };
        response(operation, body).map(Meaning::Done)
    }

    const fn reads_a_key(&self) -> bool {
        matches!(self, Self::Call(_, Operation::Read { .. }))
    }

    fn changes_something(&self) -> bool {
        matches!(self, Self::Call(_, operation) if operation.changes_something())
    }
}

/// Returns the response from the body of a successful answer; `None` if the body does not contain the response.
fn response(operation: &Operation, body: &Value) -> Option<Response> {
    Some(match operation {
        Operation::Read { .. } => match body.get("value") {
            None | Some(Value::Null) => Response::Value(None),
            Some(value) => Response::Value(Some(value.as_i64()?)),
        },
        Operation::Echo { .. } => Response::Text(text(body.get("echo")?)),
        Operation::Generate {} => Response::Text(text(body.get("id")?)),
        Operation::ReadAll {} => {
            let values = body.get("messages")?.as_array()?.iter().map(Value::as_u64);
            Response::Values(values.collect::<Option<_>>()?)
        }
        Operation::Write { .. } | Operation::CompareAndSet { .. } | Operation::Broadcast { .. } => Response::Done {},
    })
}

/// Returns a string value as text without quotes, and any other value as JSON.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

/// Returns the neighbours of each node in a grid, the default topology of Maelstrom.
fn topology(nodes: u32) -> Value {
    let side = nodes.isqrt() + u32::from(nodes.isqrt().pow(2) < nodes);
    let neighbours = |node: u32| {
        let (row, column) = (node / side, node % side);
        let places = [
            row.checked_sub(1).map(|row| (row, column)),
            Some((row + 1, column)),
            column.checked_sub(1).map(|column| (row, column)),
            Some((row, column + 1)).filter(|(_, column)| *column < side),
        ];
        let there = places.into_iter().flatten().map(|(row, column)| row * side + column).filter(|node| *node < nodes);
        there.map(|node| Place::Node(NodeId(node)).name()).collect::<Vec<_>>()
    };
    (0..nodes)
        .map(|node| (Place::Node(NodeId(node)).name(), neighbours(node).into()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(operation: Operation) -> Errand {
        Errand::Call(RequestId(1), operation)
    }

    #[test]
    fn a_grid_has_neighbours_on_both_sides() {
        let grid = topology(5);
        for (node, neighbours) in [
            ("n0", json!(["n3", "n1"])),
            ("n1", json!(["n4", "n0", "n2"])),
            ("n2", json!(["n1"])),
            ("n3", json!(["n0", "n4"])),
            ("n4", json!(["n1", "n3"])),
        ] {
            assert_eq!(grid[node], neighbours, "{node}");
        }
        assert_eq!(topology(1), json!({ "n0": [] }));
    }

    #[test]
    fn each_is_asked_for_in_the_words_of_its_workload() {
        for (operation, body) in [
            (Operation::Read { key: 3 }, json!({ "type": "read", "key": 3 })),
            (Operation::Write { key: 3, value: 4 }, json!({ "type": "write", "key": 3, "value": 4 })),
            (
                Operation::CompareAndSet { key: 3, from: 4, to: 0 },
                json!({ "type": "cas", "key": 3, "from": 4, "to": 0 }),
            ),
            (Operation::Echo { text: "hello".into() }, json!({ "type": "echo", "echo": "hello" })),
            (Operation::Generate {}, json!({ "type": "generate" })),
            (Operation::Broadcast { value: 9 }, json!({ "type": "broadcast", "message": 9 })),
            (Operation::ReadAll {}, json!({ "type": "read" })),
        ] {
            assert_eq!(call(operation).body(3), body);
        }
    }

    #[test]
    fn each_answer_means_what_its_workload_says() {
        let (read, write) = (call(Operation::Read { key: 0 }), call(Operation::Write { key: 0, value: 1 }));
        let (echo, all) = (call(Operation::Echo { text: "a".into() }), call(Operation::ReadAll {}));
        let done = |response| Some(Meaning::Done(response));
        for (errand, kind, body, meaning) in [
            (&read, "read_ok", json!({ "value": 5 }), done(Response::Value(Some(5)))),
            (&read, "read_ok", json!({ "value": null }), done(Response::Value(None))),
            (&read, "read_ok", json!({ "value": "five" }), None),
            (&read, "write_ok", json!({}), None),
            (&read, "error", json!({ "code": 20 }), done(Response::Value(None))),
            (&write, "error", json!({ "code": 20 }), Some(Meaning::Refused(20))),
            (&read, "error", json!({ "code": 13 }), Some(Meaning::Refused(13))),
            (&write, "write_ok", json!({}), done(Response::Done {})),
            (&write, "error", json!({ "code": 11 }), Some(Meaning::Refused(11))),
            (&write, "error", json!({ "code": 13 }), Some(Meaning::Unknown)),
            (&write, "error", json!({ "code": 1_001 }), Some(Meaning::Unknown)),
            (&write, "error", json!({ "code": 10 }), None),
            (&write, "error", json!({}), None),
            (&echo, "echo_ok", json!({ "echo": "a" }), done(Response::Text("a".into()))),
            (&echo, "echo_ok", json!({ "echo": [1] }), done(Response::Text("[1]".into()))),
            (&echo, "echo_ok", json!({}), None),
            (&all, "read_ok", json!({ "messages": [3, 1] }), done(Response::Values(vec![3, 1]))),
            (&all, "read_ok", json!({ "messages": [-1] }), None),
            (&Errand::Lock(RequestId(1)), "lock_ok", json!({}), done(Response::Done {})),
            (&Errand::Lock(RequestId(1)), "error", json!({ "code": 11 }), Some(Meaning::Refused(11))),
        ] {
            assert_eq!(errand.meaning(kind, &body), meaning, "{errand:?} {kind} {body}");
        }
    }
}
