//! Messages and stored state of a user's program. They are JSON that this process does not interpret.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use interlock_algorithm::Message;
use interlock_machine::wire::{LONGEST_KIND, MOST_KINDS};
use serde::de::Error;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

static KINDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// A piece of JSON. It is stored as text, so that it can be compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Body(String);

impl From<&Value> for Body {
    fn from(value: &Value) -> Self {
        Self(value.to_string())
    }
}

impl Body {
    /// Returns the JSON value of the body.
    pub fn value(&self) -> Value {
        // The text was written from a JSON value, so it can be parsed.
        serde_json::from_str(&self.0).unwrap_or_default()
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<Value>(&self.0).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(|value| Self::from(&value))
    }
}

/// The kind of a message. Its name stays in memory until the process ends, which is acceptable because the number
/// of kinds is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Kind(&'static str);

/// The reason why a name cannot be a kind of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KindError {
    /// The name is empty or too long.
    #[error("a message kind must have 1 to {LONGEST_KIND} bytes")]
    Length,
    /// The process already has the maximum number of kinds.
    #[error("there are more than {MOST_KINDS} message kinds")]
    TooMany,
}

impl Kind {
    /// Returns the kind named `name`.
    ///
    /// # Errors
    /// If the name is invalid, or if there are too many kinds.
    pub fn named(name: &str) -> Result<Self, KindError> {
        if name.is_empty() || name.len() > LONGEST_KIND {
            return Err(KindError::Length);
        }
        let mut kinds = KINDS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = kinds.get(name) {
            return Ok(Self(known));
        }
        if kinds.len() == MOST_KINDS {
            return Err(KindError::TooMany);
        }
        let kind: &'static str = Box::leak(name.into());
        kinds.insert(kind);
        Ok(Self(kind))
    }
}

impl Kind {
    /// Returns the name of the kind.
    pub const fn name(self) -> &'static str {
        self.0
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::named(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// A message of a program: its kind, and its fields.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Letter {
    /// Kind of the message.
    pub kind: Kind,
    /// Fields of the message.
    pub body: Body,
}

impl Message for Letter {
    fn kind(&self) -> &'static str {
        self.kind.0
    }

    fn read(kind: &str, body: &RawValue) -> serde_json::Result<Self> {
        let kind = Kind::named(kind).map_err(Error::custom)?;
        Ok(Self { kind, body: Body::deserialize(body)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_written_as_it_was_read_and_equal_if_it_says_the_same() {
        let read = |text: &str| serde_json::from_str::<Letter>(text).expect("a message");
        let letter = read(r#"{ "kind": "PING", "body": { "b": [1, 2.5, null], "a": "x" } }"#);
        assert_eq!((letter.kind(), letter.body.value()["b"][1].as_f64()), ("PING", Some(2.5)));
        let written = serde_json::to_string(&letter).expect("written");
        assert_eq!(read(&written), letter);
        let body = serde_json::from_str(r#"{ "a": "x", "b": [1, 2.5, null] }"#).expect("JSON");
        assert_eq!(Letter::read("PING", body).expect("a message"), letter);
        assert!(Letter::read("", body).is_err());
        assert_ne!(read(r#"{ "kind": "PING", "body": 1 }"#), letter);
    }

    #[test]
    fn a_kind_has_a_name_of_some_length() {
        assert!(Kind::named("").is_err() && Kind::named(&"x".repeat(LONGEST_KIND + 1)).is_err());
        assert_eq!(Kind::named("PONG").map(Kind::name), Ok("PONG"));
    }
}
