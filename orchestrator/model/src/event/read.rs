//! JSON of an event's content. An event that reports an outcome has the kind and the fields of the outcome.

use std::borrow::Cow;
use std::{fmt, iter, vec};

use interlock_algorithm::Outcome;
use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{DeserializeSeed, Error as _, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{OutcomeEvent, StepId, What};

impl Serialize for What {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Outcome { at, outcome } => OutcomeEvent::new(at, outcome).serialize(serializer),
            _ => Self::serialize(self, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for What {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(WhatVisitor)
    }
}

struct WhatVisitor;

impl<'de> Visitor<'de> for WhatVisitor {
    type Value = What;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("internally tagged enum What")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut rest: M) -> Result<What, M::Error> {
        let mut before = Vec::new();
        let kind: String = loop {
            match rest.next_key()? {
                Some(Name::Kind) => break rest.next_value()?,
                Some(Name::Other(name)) => before.push((name.into(), rest.next_value()?)),
                None => return Err(M::Error::missing_field("kind")),
            }
        };
        if !What::KINDS.contains(&&*kind) {
            return Err(M::Error::unknown_variant(&kind, What::KINDS));
        }
        if !Outcome::NAMES.contains(&&*kind) {
            before.push(("kind".into(), Value::String(kind)));
            let fields = Fields { before: before.into_iter(), value: None, rest };
            return What::deserialize(MapAccessDeserializer::new(fields));
        }
        let mut at = Vec::new();
        let fields = OutcomeFields { fields: Fields { before: before.into_iter(), value: None, rest }, at: &mut at };
        let outcome = MapDeserializer::new(iter::once((kind, MapAccessDeserializer::new(fields))));
        let outcome = Outcome::deserialize(MapAccessDeserializer::new(outcome))?;
        let at = StepId::deserialize(MapDeserializer::new(at.into_iter())).map_err(M::Error::custom)?;
        Ok(What::Outcome { at, outcome })
    }
}

/// The name of a field.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Name {
    Kind,
    Other(String),
}

/// A field of an event.
type Field = (Cow<'static, str>, Value);

/// The fields of an event: those that were read before its kind was known, and the rest.
struct Fields<M> {
    before: vec::IntoIter<Field>,
    value: Option<Value>,
    rest: M,
}

impl<'de, M: MapAccess<'de>> MapAccess<'de> for Fields<M> {
    type Error = M::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, M::Error> {
        let Some((name, value)) = self.before.next() else { return self.rest.next_key_seed(seed) };
        self.value = Some(value);
        seed.deserialize(name.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, M::Error> {
        match self.value.take() {
            Some(value) => seed.deserialize(value).map_err(M::Error::custom),
            None => self.rest.next_value_seed(seed),
        }
    }
}

/// The fields of an outcome. Reading them moves the fields of the step to `at`.
struct OutcomeFields<'a, M> {
    fields: Fields<M>,
    at: &'a mut Vec<Field>,
}

impl<'de, M: MapAccess<'de>> MapAccess<'de> for OutcomeFields<'_, M> {
    type Error = M::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, M::Error> {
        while let Some(name) = self.fields.next_key::<String>()? {
            match &*name {
                "node" | "incarnation" | "step" => self.at.push((name.into(), self.fields.next_value()?)),
                "kind" => return Err(M::Error::duplicate_field("kind")),
                _ => return seed.deserialize(name.into_deserializer()).map(Some),
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, M::Error> {
        self.fields.next_value_seed(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_an_event_come_in_any_order() {
        for [kind, step, fields] in [
            [r#""kind":"exited""#, r#""node":1,"incarnation":2,"step":3"#, r#""lock":4,"request":5"#],
            [r#""kind":"suspected""#, r#""node":1,"incarnation":2,"step":3"#, r#""whom":0"#],
        ] {
            let event = format!("{{{kind},{step},{fields}}}");
            let what: What = serde_json::from_str(&event).expect("an event");
            assert_eq!(serde_json::to_string(&what).expect("JSON"), event);
            for other in [format!("{{{fields},{step},{kind}}}"), format!("{{{step},\"more\":[],{kind},{fields}}}")] {
                assert_eq!(serde_json::from_str::<What>(&other).expect("an event"), what, "{other}");
            }
        }
    }

    #[test]
    fn an_event_without_a_field_or_with_a_field_twice_is_refused() {
        for (fields, reason) in [
            ("", "missing field `kind`"),
            (r#""kind":"danced""#, "unknown variant `danced`, expected one of `created`"),
            (r#""kind":"exited","lock":1,"request":1"#, "missing field `node`"),
            (r#""kind":"exited","node":1,"lock":0"#, "missing field `request`"),
            (r#""kind":"exited","kind":"exited""#, "duplicate field `kind`"),
            (r#""kind":"exited","lock":0,"request":1,"node":1,"node":1"#, "duplicate field `node`"),
            (r#""kind":"exited","lock":0,"lock":0"#, "duplicate field `lock`"),
        ] {
            let error = serde_json::from_str::<What>(&format!("{{{fields}}}")).expect_err(fields).to_string();
            assert!(error.starts_with(reason), "{fields}: {error}");
        }
    }
}
