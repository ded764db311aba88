//! Lines of the protocol: the inputs for the program, and the answers of the program.

use std::collections::BTreeMap;

use interlock_algorithm::{NodeId, Outcome, View};
use interlock_machine::wire::Services;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// Version of the protocol that this process implements.
pub const PROTOCOL: u32 = 1;

/// The first line to a program: the identity of its node, and facts about the run.
#[derive(Clone, Debug, Serialize)]
pub struct Init {
    /// Version of the protocol.
    pub protocol: u32,
    /// Number of this node, from 0.
    pub node: NodeId,
    /// Number of nodes in the run.
    pub nodes: u32,
    /// Number of locks in the run.
    pub locks: u32,
    /// Algorithm that the program implements; `own` if it is not an algorithm of the catalogue.
    pub algorithm: String,
    /// Variant of the algorithm.
    pub variant: Option<String>,
    /// Parameters of the algorithm.
    pub parameters: BTreeMap<String, Value>,
    /// Seed of the run, for random draws of the program.
    pub seed: u64,
    /// Incarnation of the node, from 1.
    pub incarnation: u32,
    /// Addresses of the services that the program may use.
    #[serde(skip_serializing_if = "Services::is_empty")]
    pub services: Services,
}

/// The first answer of a program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Greeting {
    /// Content of the greeting.
    pub hello: Hello,
}

/// Information that a program gives about itself.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Version of the protocol that the program implements.
    pub protocol: u32,
}

/// The answer to an input. Each input has one answer, which is one line.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Number of the step that the program answers.
    pub step: u64,
    /// Effects of the input, in order.
    #[serde(default)]
    pub effects: Vec<Effect>,
    /// Reasons for the effects, in words for people.
    #[serde(default)]
    pub because: Vec<String>,
    /// View of the program's state for people. If absent, the view has not changed.
    #[serde(default)]
    pub view: Option<View>,
}

/// An effect of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Sends a message to each of the receivers.
    Send {
        /// Receivers: other nodes of the run.
        to: Vec<NodeId>,
        /// Kind of the message.
        kind: String,
        /// Fields of the message.
        body: Value,
    },
    /// Sets a timer. The new timer replaces a pending timer of the same name.
    SetTimer {
        /// Name of the timer.
        timer: String,
        /// Delay after which the timer expires, in ms.
        after_ms: u64,
    },
    /// Cancels a pending timer.
    CancelTimer {
        /// Name of the timer.
        timer: String,
    },
    /// Replaces the stored state, which survives a crash.
    Store(Value),
    /// Reports an outcome to the client, the monitors and the people.
    Outcome(Outcome),
}

/// All effects except outcomes, in their JSON form.
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

/// Names of all effects except outcomes, in JSON.
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
