//! A message of Maelstrom: sender, receiver and body.

use interlock_algorithm::NodeId;
use serde_json::{Value, json};

use super::reply::{described, text};
use crate::foreign::breach::{Breach, quoted};

/// A sender or receiver of messages: a node or a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A node: `n0`, `n1`, ….
    Node(NodeId),
    /// The client of a node: `c0`, `c1`, ….
    Client(NodeId),
}

impl Place {
    /// Parses a name.
    fn named(name: &str) -> Option<Self> {
        let (role, number) = name.split_at_checked(1)?;
        let node = NodeId(number.parse().ok()?);
        match role {
            "n" => Some(Self::Node(node)),
            "c" => Some(Self::Client(node)),
            _ => None,
        }
    }

    /// Returns the name of the sender or receiver.
    pub fn name(self) -> String {
        match self {
            Self::Node(node) => format!("n{}", node.0),
            Self::Client(node) => format!("c{}", node.0),
        }
    }

    /// Returns the number of the node. For a client, this is the node of the client.
    pub const fn node(self) -> NodeId {
        match self {
            Self::Node(node) | Self::Client(node) => node,
        }
    }
}

/// A message with its sender and receiver.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// Sender.
    pub src: Place,
    /// Receiver.
    pub dest: Place,
    /// Content; its `type` is the kind of the message.
    pub body: Value,
}

impl Envelope {
    /// Parses the message in a line.
    ///
    /// # Errors
    /// If the message does not have the required form.
    pub fn read(value: &Value) -> Result<Self, Breach> {
        let said = || quoted(&value.to_string());
        if !value.is_object() {
            return Err(Breach::NoObject { said: said(), what: described(value) });
        }
        let place = |key: &'static str| {
            let name = text(value, key, said)?;
            Place::named(name).ok_or_else(|| Breach::Place { said: said(), name: name.to_owned() })
        };
        let (src, dest) = (place("src")?, place("dest")?);
        match &value["body"] {
            body @ Value::Object(_) => Ok(Self { src, dest, body: body.clone() }),
            Value::Null => Err(Breach::NoField { said: said(), key: "body" }),
            other => {
                let (what, right) = (described(other), "an object".to_owned());
                Err(Breach::Field { said: said(), key: "body", what, right })
            }
        }
    }

    /// Returns the message as JSON.
    pub fn value(&self) -> Value {
        json!({ "src": self.src.name(), "dest": self.dest.name(), "body": self.body })
    }

    /// Returns the message as a line, with its line end.
    pub fn written(&self) -> Vec<u8> {
        let mut line = self.value().to_string().into_bytes();
        line.push(b'\n');
        line
    }
}
