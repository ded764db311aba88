//! Reads a message from its kind and its fields.

use serde::de::value::{BorrowedStrDeserializer, MapAccessDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Error, MapAccess};
use serde_json::value::RawValue;

/// Reads a message as from `{"kind": …, "body": …}`, without a copy of its text.
///
/// # Errors
/// If the algorithm has no such message.
pub(crate) fn read<'a, M: Deserialize<'a>>(kind: &'a str, body: &'a RawValue) -> serde_json::Result<M> {
    M::deserialize(MapAccessDeserializer::new(Tagged { kind: Some(kind), body: Some(body) }))
}

struct Tagged<'a> {
    kind: Option<&'a str>,
    body: Option<&'a RawValue>,
}

impl<'a> MapAccess<'a> for Tagged<'a> {
    type Error = serde_json::Error;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> serde_json::Result<Option<K::Value>> {
        let name = match (self.kind, self.body) {
            (Some(_), _) => "kind",
            (None, Some(_)) => "body",
            (None, None) => return Ok(None),
        };
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> serde_json::Result<V::Value> {
        match (self.kind.take(), self.body) {
            (Some(kind), _) => seed.deserialize(BorrowedStrDeserializer::new(kind)),
            (None, Some(body)) => {
                self.body = None;
                seed.deserialize(body)
            }
            (None, None) => Err(Error::custom("a message has a kind and a body only")),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(tag = "kind", content = "body", rename_all = "UPPERCASE", deny_unknown_fields)]
    enum Echo {
        Ping { number: u64 },
        Done {},
    }

    fn read_echo(kind: &str, body: &str) -> Result<Echo, String> {
        read(kind, serde_json::from_str(body).expect("some JSON")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_message_is_made_of_kind_and_fields() {
        assert_eq!(read_echo("PING", r#"{"number":3}"#), Ok(Echo::Ping { number: 3 }));
        assert_eq!(read_echo("DONE", "{}"), Ok(Echo::Done {}));
    }

    #[test]
    fn an_unknown_message_is_refused_with_the_reason() {
        for (kind, body, reason) in [
            ("PONG", "{}", "unknown variant `PONG`"),
            ("PING", "{}", "missing field `number`"),
            ("PING", r#"{"number":"3"}"#, "invalid type: string"),
            ("PING", r#"{"number":3,"more":1}"#, "unknown field `more`"),
            ("PING", "[1,2]", "invalid type: sequence"),
            ("PING", "null", "invalid type: null"),
        ] {
            let read = read_echo(kind, body);
            assert!(read.as_ref().is_err_and(|error| error.contains(reason)), "{kind} {body}: {read:?}");
        }
    }
}
