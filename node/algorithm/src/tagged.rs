//! Reading of a message from its kind and its fields.

use alloc::boxed::Box;
use alloc::string::String;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};
use serde_json::value::RawValue;

use crate::contract::Message;

/// The kind of a message and its fields, from which the enum of the message is read. This type saves compile time:
/// serde's derived code for tag and content is compiled twice for each message, once for JSON in which the content
/// precedes the tag.
pub(crate) struct Tagged<'de> {
    pub kind: &'de str,
    pub body: &'de RawValue,
}

impl<'de> Deserializer<'de> for Tagged<'de> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> serde_json::Result<V::Value> {
        visitor.visit_enum(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq
        tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> EnumAccess<'de> for Tagged<'de> {
    type Error = serde_json::Error;
    type Variant = Fields<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> serde_json::Result<(V::Value, Fields<'de>)> {
        let kind = seed.deserialize(BorrowedStrDeserializer::<serde_json::Error>::new(self.kind))?;
        Ok((kind, Fields(self.body)))
    }
}

/// The fields of a message.
pub(crate) struct Fields<'de>(&'de RawValue);

impl<'de> VariantAccess<'de> for Fields<'de> {
    type Error = serde_json::Error;

    fn unit_variant(self) -> serde_json::Result<()> {
        <()>::deserialize(self.0)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> serde_json::Result<T::Value> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> serde_json::Result<V::Value> {
        Err(Error::custom("the fields of a message have names"))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> serde_json::Result<V::Value> {
        self.0.deserialize_map(visitor)
    }
}

/// A message in its JSON form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: String,
    body: Box<RawValue>,
}

/// Reads a message from its JSON.
///
/// # Errors
/// If the algorithm has no such message.
pub(crate) fn deserialize<'de, M: Message, D: Deserializer<'de>>(deserializer: D) -> Result<M, D::Error> {
    let Written { kind, body } = Written::deserialize(deserializer)?;
    M::read(&kind, &body).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::prelude::*;

    messages! {
        pub enum Echo {
            "PING" Ping { number: u64 }: "Asks.",
            "DONE" Done {}: "Answers.",
        }
    }

    fn read_echo(kind: &str, body: &str) -> Result<Echo, String> {
        Echo::read(kind, serde_json::from_str(body).expect("some JSON")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_message_is_made_of_kind_and_fields() {
        assert_eq!(read_echo("PING", r#"{"number":3}"#), Ok(Echo::Ping { number: 3 }));
        assert_eq!(read_echo("DONE", "{}"), Ok(Echo::Done {}));
    }

    #[test]
    fn kind_and_fields_come_in_any_order() {
        for json in [r#"{"kind":"PING","body":{"number":3}}"#, r#"{"body":{"number":3},"kind":"PING"}"#] {
            assert_eq!(serde_json::from_str::<Echo>(json).expect("a message"), Echo::Ping { number: 3 }, "{json}");
        }
        for json in [r#"{"kind":"PING"}"#, r#"{"kind":"PING","body":{"number":3},"more":1}"#] {
            assert!(serde_json::from_str::<Echo>(json).is_err(), "{json}");
        }
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
            assert_eq!(Echo::KINDS.contains(&kind), kind == "PING", "{kind}");
            assert!(read.as_ref().is_err_and(|error| error.contains(reason)), "{kind} {body}: {read:?}");
        }
    }
}
