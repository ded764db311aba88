//! The lines of the protocol: what the program is asked, and what it answers.

use std::collections::BTreeMap;

use interlock_algorithm::{NodeId, Outcome, View};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// The version of the protocol that this program speaks.
pub const PROTOCOL: u32 = 1;

/// The first line that a program gets: who it is.
#[derive(Clone, Debug, Serialize)]
pub struct Init {
    /// The version of the protocol.
    pub protocol: u32,
    /// Who this node is, from 0.
    pub node: NodeId,
    /// How many nodes the run has.
    pub nodes: u32,
    /// How many locks the run has.
    pub locks: u32,
    /// The algorithm whose part it plays; `own` if none of the catalogue.
    pub algorithm: String,
    /// The variant of the algorithm.
    pub variant: Option<String>,
    /// The parameters of the algorithm.
    pub parameters: BTreeMap<String, Value>,
    /// The seed of the run, for what the program draws.
    pub seed: u64,
    /// Which life of the node this is, from 1.
    pub incarnation: u32,
}

/// The first answer of a program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Greeting {
    /// What it says.
    pub hello: Hello,
}

/// What a program says of itself.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The version of the protocol that it speaks.
    pub protocol: u32,
}

/// The answer to an input: one line for each.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The number of the step that it answers.
    pub step: u64,
    /// What follows from the input, in order.
    #[serde(default)]
    pub effects: Vec<Effect>,
    /// Why, in words, for people.
    #[serde(default)]
    pub because: Vec<String>,
    /// What people look at; as before if absent.
    #[serde(default)]
    pub view: Option<View>,
}

/// What follows from an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A message to each of these.
    Send {
        /// To whom: other nodes of the run.
        to: Vec<NodeId>,
        /// The kind of the message.
        kind: String,
        /// Its fields.
        body: Value,
    },
    /// A timer is set; one of the same name that is pending is replaced.
    SetTimer {
        /// Its name.
        timer: String,
        /// After how many ms it is to run out.
        after_ms: u64,
    },
    /// A pending timer is forgotten.
    CancelTimer {
        /// Its name.
        timer: String,
    },
    /// What survives a crash is replaced by this.
    Store(Value),
    /// Something that the client, the monitors and the people want to know.
    Outcome(Outcome),
}

/// The effects that are no outcomes, as they are written.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Written {
    Send {
        to: Vec<NodeId>,
        kind: String,
        #[serde(default)]
        body: Value,
    },
    SetTimer {
        timer: String,
        after_ms: u64,
    },
    CancelTimer {
        timer: String,
    },
    Store(Value),
}

/// Their names.
const WRITTEN: [&str; 4] = ["send", "set_timer", "cancel_timer", "store"];

impl<'de> Deserialize<'de> for Effect {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let effect = Map::<String, Value>::deserialize(deserializer)?;
        let name = effect.keys().next().filter(|_| effect.len() == 1);
        let name = name.ok_or_else(|| D::Error::custom("an effect has one key, which says what it is"))?;
        if WRITTEN.contains(&name.as_str()) {
            let written = serde_json::from_value(Value::Object(effect)).map_err(D::Error::custom)?;
            return Ok(match written {
                Written::Send { to, kind, body } => Self::Send { to, kind, body },
                Written::SetTimer { timer, after_ms } => Self::SetTimer { timer, after_ms },
                Written::CancelTimer { timer } => Self::CancelTimer { timer },
                Written::Store(stored) => Self::Store(stored),
            });
        }
        serde_json::from_value(Value::Object(effect)).map(Self::Outcome).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::{LockId, RequestId};

    use super::*;

    fn read(text: &str) -> Result<Effect, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn effects_and_outcomes_stand_in_one_list() {
        let send = Effect::Send { to: vec![NodeId(1)], kind: "REPLY".to_owned(), body: Value::Null };
        assert_eq!(read(r#"{"send":{"to":[1],"kind":"REPLY"}}"#), Ok(send));
        let entered = Outcome::Entered { lock: LockId(0), request: RequestId(3), fence: None };
        assert_eq!(read(r#"{"entered":{"lock":0,"request":3}}"#), Ok(Effect::Outcome(entered)));
        assert_eq!(read(r#"{"store":[1]}"#), Ok(Effect::Store(serde_json::json!([1]))));
    }

    #[test]
    fn what_is_no_effect_is_refused_with_what_is_wrong() {
        for (text, part) in [
            (r#"{"sned":{}}"#, "`sned`"),
            (r#"{"send":{"to":[1]}}"#, "missing field `kind`"),
            (r#"{"send":{"to":1,"kind":"A"}}"#, "invalid type"),
            (r#"{"send":{"to":[1],"kind":"A","bdy":1}}"#, "unknown field `bdy`"),
            (r#"{"entered":{"lock":0}}"#, "missing field `request`"),
            ("{}", "one key"),
            (r#"{"store":1,"send":{}}"#, "one key"),
            ("[]", "invalid type"),
        ] {
            assert!(read(text).as_ref().is_err_and(|error| error.contains(part)), "{text}: {:?}", read(text));
        }
    }
}
