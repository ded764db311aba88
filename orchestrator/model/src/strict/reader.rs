//! The deserializer. It does not accept a list as an object, but accepts `1.0` as a whole number. It tracks the
//! location of each value in the document.
//!
//! This module replaces `serde_path_to_error`, which would be a second layer around the deserializer of `Value`. A
//! single layer compiles to a third of the code for each type that is read.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Map, Number, Value};

use super::place::{Place, Segment};

/// A value and its location in the document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'de, 'p> {
    pub value: &'de Value,
    pub place: &'p Place<'p>,
}

/// Largest bound up to which `f64` represents every integer exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// If the value is a number without a fraction, such as `1.0`, returns it as an integer.
fn whole(value: &Value) -> Option<Number> {
    let is_whole = |number: &f64| value.is_f64() && number.fract() == 0.0 && number.abs() <= EXACT;
    let number = value.as_f64().filter(is_whole)?;
    format!("{number:.0}").parse().ok()
}

macro_rules! whole_numbers {
    ($($method:ident)+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match whole(self.value) {
                Some(number) => number.deserialize_any(visitor),
                None => self.deserialize_any(visitor),
            }
        })+
    };
}

impl<'de> Reader<'de, '_> {
    fn list<V: Visitor<'de>>(self, items: &'de [Value], visitor: V) -> Result<V::Value, Error> {
        let mut access = Items { list: items, next: 0, place: self.place };
        let read = visitor.visit_seq(&mut access)?;
        access.end().map(|()| read)
    }

    fn object<V: Visitor<'de>>(self, fields: &'de Map<String, Value>, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(Fields { rest: fields.iter(), next: None, place: self.place })
    }
}

impl<'de> Deserializer<'de> for Reader<'de, '_> {
    type Error = Error;

    whole_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    forward_to_deserialize_any! {
        bool i128 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct identifier ignored_any
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Array(items) => self.list(items, visitor),
            Value::Object(fields) => self.object(fields, visitor),
            simple => simple.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Object(fields) => self.object(fields, visitor),
            Value::Array(_) => Err(Error::invalid_type(Unexpected::Seq, &visitor)),
            simple => simple.deserialize_any(visitor),
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
        // A raw value can be read only by the deserializer of `serde_json` itself.
        if name.starts_with("$serde_json") {
            return self.value.deserialize_newtype_struct(name, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let only = self.value.as_object().filter(|fields| fields.len() == 1).and_then(|fields| fields.iter().next());
        match only {
            Some((name, value)) => visitor.visit_enum(Only { name, value, place: self.place }),
            None => self.value.deserialize_enum(name, variants, visitor),
        }
    }
}

/// The items of a list that are not read yet.
struct Items<'de, 'p> {
    list: &'de [Value],
    next: usize,
    place: &'p Place<'p>,
}

impl Items<'_, '_> {
    /// Checks that the visitor has consumed all items.
    fn end(&self) -> Result<(), Error> {
        if self.next == self.list.len() {
            return Ok(());
        }
        let expected = match self.next {
            1 => "1 element in sequence".to_owned(),
            taken => format!("{taken} elements in sequence"),
        };
        Err(Error::invalid_length(self.list.len(), &expected.as_str()))
    }
}

impl<'de> SeqAccess<'de> for &mut Items<'de, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(value) = self.list.get(self.next) else { return Ok(None) };
        let place = self.place.part(Segment::Item(self.next));
        self.next += 1;
        seed.deserialize(Reader { value, place: &place }).inspect_err(|_| place.note()).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len() - self.next)
    }
}

/// The fields of an object that are not read yet.
struct Fields<'de, 'p> {
    rest: serde_json::map::Iter<'de>,
    next: Option<(&'de str, &'de Value)>,
    place: &'p Place<'p>,
}

impl<'de> MapAccess<'de> for Fields<'de, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((name, value)) = self.rest.next() else { return Ok(None) };
        self.next = Some((name, value));
        let key = seed.deserialize(BorrowedStrDeserializer::new(name));
        key.inspect_err(|_| self.place.part(Segment::Field(name)).note()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let Some((name, value)) = self.next.take() else { return Err(Error::custom("a value without its key")) };
        let place = self.place.part(Segment::Field(name));
        seed.deserialize(Reader { value, place: &place }).inspect_err(|_| place.note())
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// An object with one field that represents a variant of an enum: the name of the field and its value.
struct Only<'de, 'p> {
    name: &'de str,
    value: &'de Value,
    place: &'p Place<'p>,
}

impl<'de> EnumAccess<'de> for Only<'de, '_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let variant = seed.deserialize(BorrowedStrDeserializer::new(self.name));
        variant.inspect_err(|_| self.place.note()).map(|variant| (variant, self))
    }
}

impl<'de> Only<'de, '_> {
    /// Reads the content of the variant. If this fails, records the location of the error.
    fn content<T>(self, read: impl FnOnce(Reader<'de, '_>) -> Result<T, Error>) -> Result<T, Error> {
        let place = self.place.part(Segment::Field(self.name));
        read(Reader { value: self.value, place: &place }).inspect_err(|_| place.note())
    }
}

impl<'de> VariantAccess<'de> for Only<'de, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.content(|reader| Deserialize::deserialize(reader))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        self.content(|reader| seed.deserialize(reader))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.content(|reader| reader.deserialize_tuple(len, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.content(|reader| reader.deserialize_map(visitor))
    }
}
