//! Repeated fields and line numbers. A parsed document no longer contains repeated fields or line numbers, so this
//! module reads the text.

use std::collections::HashSet;
use std::fmt::{self, Formatter};

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Error;

use super::place::{Place, Segment, Track};
use crate::field_error::FieldError;

/// Returns an error for the first field that occurs twice in the same object of the document. Returns none if there
/// is no such field, or if the text is not JSON.
#[must_use]
pub fn repeated_field(text: &[u8]) -> Option<FieldError> {
    let track = Track::default();
    let root = Place::root(&track);
    let error = Walk { place: &root, goal: None }.through(text).err()?;
    error.is_data().then(|| track.located(&error))
}

/// Returns the line, from 1, of the value at a JSON pointer. If the document has no value there, returns the line
/// of the innermost value that encloses this location.
#[must_use]
pub fn line_of(text: &[u8], pointer: &str) -> usize {
    let track = Track::default();
    let root = Place::root(&track);
    match (Walk { place: &root, goal: Some(pointer) }.through(text), pointer.rsplit_once('/')) {
        // If the error is at the root, `line` returns 0, which is not a line.
        (Err(error), _) => error.line().max(1),
        (Ok(()), Some((around, _))) => line_of(text, around),
        (Ok(()), None) => 1,
    }
}

/// A visitor of all values of a document. It stops with an error at a repeated field, or at its goal.
#[derive(Clone, Copy)]
struct Walk<'p> {
    place: &'p Place<'p>,
    /// Pointer to the value at which to stop.
    goal: Option<&'p str>,
}

impl Walk<'_> {
    fn through(self, text: &[u8]) -> Result<(), Error> {
        self.deserialize(&mut serde_json::Deserializer::from_slice(text))
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.goal.is_some_and(|goal| goal == self.place.pointer()) {
            return Err(D::Error::custom("here"));
        }
        deserializer.deserialize_any(self)
    }
}

macro_rules! ends {
    ($($method:ident: $value:ty),+) => {
        $(fn $method<E>(self, _: $value) -> Result<(), E> {
            Ok(())
        })+
    };
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    ends! { visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut at = 0;
        while items.next_element_seed(Walk { place: &self.place.part(Segment::Item(at)), ..self })?.is_some() {
            at += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = fields.next_key::<String>()? {
            if names.contains(&name) && self.goal.is_none() {
                self.place.note();
                return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
            }
            fields.next_value_seed(Walk { place: &self.place.part(Segment::Field(&name)), ..self })?;
            names.insert(name);
        }
        Ok(())
    }
}
