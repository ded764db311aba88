//! Documents read as their schemas say: a list is not an object, and 1.0 is a whole number.

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Number, Value};

use crate::field_error::FieldError;
use crate::flow::flow;

/// Reads a document that somebody wrote.
///
/// # Errors
/// The first thing wrong with it, with a pointer to its place.
pub fn read<T: DeserializeOwned>(document: &Value) -> Result<T, FieldError> {
    serde_path_to_error::deserialize(Strict(document)).map_err(|error| with_list(FieldError::reading(&error), document))
}

/// Shows the list where an object stands in the place of a list that has one item.
fn with_list(error: FieldError, document: &Value) -> FieldError {
    let item = document.pointer(&error.pointer).filter(|item| item.is_object());
    let is_one = error.detail.starts_with("an object is not a list");
    let Some(item) = item.filter(|_| is_one && !error.detail.contains("write `")) else { return error };
    let field = error.pointer.rsplit('/').find(|name| name.parse::<usize>().is_err()).unwrap_or_default();
    FieldError { detail: format!("{}; write `{field}: [{}]`", error.detail, flow(item)), ..error }
}

/// A deserializer that refuses a list in the place of an object.
#[derive(Clone, Copy, Debug)]
pub struct Strict<'a>(pub &'a Value);

impl<'de> IntoDeserializer<'de, Error> for Strict<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Up to here every whole number has a place of its own among those with a fraction.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The whole number that is written with a fraction of zero.
fn whole(value: &Value) -> Option<Number> {
    let is_whole = |number: &f64| value.is_f64() && number.fract() == 0.0 && number.abs() <= EXACT;
    let number = value.as_f64().filter(is_whole)?;
    format!("{number:.0}").parse().ok()
}

macro_rules! whole_numbers {
    ($($method:ident)+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match whole(self.0) {
                Some(number) => number.deserialize_any(visitor),
                None => self.deserialize_any(visitor),
            }
        })+
    };
}

impl<'de> Deserializer<'de> for Strict<'de> {
    type Error = Error;

    whole_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    forward_to_deserialize_any! {
        bool i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct identifier ignored_any
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(items) => {
                let mut items = SeqDeserializer::new(items.iter().map(Strict));
                let read = visitor.visit_seq(&mut items)?;
                items.end().map(|()| read)
            }
            Value::Object(fields) => {
                let mut fields =
                    MapDeserializer::new(fields.iter().map(|(name, value)| (name.as_str(), Strict(value))));
                let read = visitor.visit_map(&mut fields)?;
                fields.end().map(|()| read)
            }
            simple => simple.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_array() {
            Err(Error::invalid_type(Unexpected::Seq, &visitor))
        } else {
            self.deserialize_any(visitor)
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_map(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        // What is kept as the text that it is knows of its own reader alone.
        if name.starts_with("$serde_json") {
            return self.0.deserialize_newtype_struct(name, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(fields) if fields.len() == 1 => {
                let fields = fields.iter().map(|(name, value)| (name.as_str(), Strict(value)));
                visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(fields)))
            }
            other => other.deserialize_enum(name, variants, visitor),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "lowercase")]
    enum Deed {
        Stop,
        Wait { ms: u32 },
        Go(Option<Inner>),
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        far: u8,
        #[serde(default)]
        list: Vec<i64>,
    }

    fn read(value: &Value) -> Result<Deed, String> {
        Deed::deserialize(Strict(value)).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_right_is_read_and_a_whole_number_may_have_a_fraction_of_zero() {
        assert_eq!(read(&json!("stop")), Ok(Deed::Stop));
        assert_eq!(read(&json!({ "wait": { "ms": 5.0 } })), Ok(Deed::Wait { ms: 5 }));
        assert_eq!(read(&json!({ "go": null })), Ok(Deed::Go(None)));
        let inner = Inner { far: 1, list: vec![-3, 4] };
        assert_eq!(read(&json!({ "go": { "far": 1, "list": [-3.0, 4] } })), Ok(Deed::Go(Some(inner))));
    }

    #[test]
    fn lists_in_the_place_of_objects_and_numbers_that_are_none_are_refused() {
        for wrong in [
            json!({ "go": [1] }),
            json!({ "wait": [5] }),
            json!({ "wait": { "ms": 5.5 } }),
            json!({ "wait": { "ms": -1.0 } }),
            json!({ "go": { "far": 256.0 } }),
            json!({ "go": { "far": 1e300 } }),
            json!({ "go": { "far": 1, "list": [-9_223_372_036_854_775_809.0] } }),
            json!({ "go": { "far": 1, "list": {} } }),
            json!({ "go": null, "stop": null }),
            json!(["stop"]),
        ] {
            assert!(read(&wrong).is_err(), "{wrong}");
        }
        // The usual reader takes the first two.
        assert!(serde_json::from_value::<Deed>(json!({ "go": [1] })).is_ok());
    }
}
