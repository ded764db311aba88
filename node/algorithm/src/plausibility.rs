//! Plausibility of the numbers in messages: a process accepts only numbers that can occur in a run.
//!
//! Clocks, ballots, terms and request numbers only grow. When a process receives such a number, it advances its own
//! number past the received number. After a single forged number near the end of a `u64`, no greater number would be
//! left. So a driver calls [`implausible`] before each message and rejects messages with numbers above
//! [`HIGHEST_NUMBER`].
//!
//! A process that has reached the highest accepted number continues to count. Other processes reject its higher
//! numbers, but its numbers still grow, so it never uses the same number twice.

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::Serialize;
use serde::ser::{
    Error, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, SerializeTupleStruct,
    SerializeTupleVariant, Serializer,
};

/// Highest accepted number: 2⁵³ − 1, the limit up to which every JSON reader represents whole numbers exactly. A
/// process that counts a million events a second reaches this number after 285 years.
pub const HIGHEST_NUMBER: u64 = (1 << 53) - 1;

/// If a number in this message, at any depth, is too great for any run, returns the reason as a lower-case phrase.
/// Otherwise returns none.
pub fn implausible(said: &impl Serialize) -> Option<String> {
    let number = said.serialize(Greatest).ok().filter(|&number| number > HIGHEST_NUMBER)?;
    Some(format!("{number} is too large; the maximum is {HIGHEST_NUMBER}"))
}

/// A serializer whose result is the greatest absolute value of the whole numbers in a value; 0 if it contains none.
#[derive(Clone, Copy)]
struct Greatest;

/// The greatest number so far while the parts of a value are serialized.
struct Parts(u64);

/// The error for a value that cannot be serialized, and therefore is not a message.
#[derive(Debug)]
struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("it cannot be written")
    }
}

impl core::error::Error for Unreadable {}

impl Error for Unreadable {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl Parts {
    fn add(&mut self, part: &(impl Serialize + ?Sized)) -> Result<(), Unreadable> {
        self.0 = self.0.max(part.serialize(Greatest)?);
        Ok(())
    }
}

macro_rules! number {
    ($($method:ident: $type:ty => $greatest:expr),+ $(,)?) => {
        $(fn $method(self, value: $type) -> Result<u64, Unreadable> {
            Ok($greatest(value))
        })+
    };
}

/// Returns 0, for values that are not numbers, and for numbers whose type is too small to contain an implausible
/// number.
const fn nothing<T: Copy>(_: T) -> u64 {
    0
}

impl Serializer for Greatest {
    type Ok = u64;
    type Error = Unreadable;
    type SerializeSeq = Parts;
    type SerializeTuple = Parts;
    type SerializeTupleStruct = Parts;
    type SerializeTupleVariant = Parts;
    type SerializeMap = Parts;
    type SerializeStruct = Parts;
    type SerializeStructVariant = Parts;

    number! {
        serialize_u64: u64 => u64::from,
        serialize_i64: i64 => i64::unsigned_abs,
        serialize_bool: bool => nothing,
        serialize_i8: i8 => nothing,
        serialize_i16: i16 => nothing,
        serialize_i32: i32 => nothing,
        serialize_u8: u8 => nothing,
        serialize_u16: u16 => nothing,
        serialize_u32: u32 => nothing,
        serialize_f32: f32 => nothing,
        serialize_f64: f64 => nothing,
        serialize_char: char => nothing,
        serialize_str: &str => nothing,
        serialize_bytes: &[u8] => nothing,
        serialize_unit_struct: &'static str => nothing,
    }

    fn serialize_i128(self, value: i128) -> Result<u64, Unreadable> {
        Ok(u64::try_from(value.unsigned_abs()).unwrap_or(u64::MAX))
    }

    fn serialize_u128(self, value: u128) -> Result<u64, Unreadable> {
        Ok(u64::try_from(value).unwrap_or(u64::MAX))
    }

    fn serialize_none(self) -> Result<u64, Unreadable> {
        Ok(0)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<u64, Unreadable> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<u64, Unreadable> {
        Ok(0)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<u64, Unreadable> {
        Ok(0)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<u64, Unreadable> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<u64, Unreadable> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts, Unreadable> {
        Ok(Parts(0))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts, Unreadable> {
        Ok(Parts(0))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts, Unreadable> {
        Ok(Parts(0))
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Parts, Unreadable> {
        Ok(Parts(0))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts, Unreadable> {
        Ok(Parts(0))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts, Unreadable> {
        Ok(Parts(0))
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Parts, Unreadable> {
        Ok(Parts(0))
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, _: &T) -> Result<u64, Unreadable> {
        Ok(0)
    }
}

macro_rules! parts {
    ($($compound:ident: $method:ident($($name:ident: $key:ty)?)),+ $(,)?) => {
        $(impl $compound for Parts {
            type Ok = u64;
            type Error = Unreadable;

            fn $method<T: Serialize + ?Sized>(&mut self, $($name: $key,)? part: &T) -> Result<(), Unreadable> {
                $(let _ = $name;)?
                self.add(part)
            }

            fn end(self) -> Result<u64, Unreadable> {
                Ok(self.0)
            }
        })+
    };
}

parts! {
    SerializeSeq: serialize_element(),
    SerializeTuple: serialize_element(),
    SerializeTupleStruct: serialize_field(),
    SerializeTupleVariant: serialize_field(),
    SerializeStruct: serialize_field(name: &'static str),
    SerializeStructVariant: serialize_field(name: &'static str),
}

impl SerializeMap for Parts {
    type Ok = u64;
    type Error = Unreadable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unreadable> {
        self.add(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unreadable> {
        self.add(value)
    }

    fn end(self) -> Result<u64, Unreadable> {
        Ok(self.0)
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::string::ToString;
    use alloc::vec;

    use super::*;
    use crate::identity::{LockId, NodeId};
    use crate::instances::Labelled;
    use crate::mutual_exclusion::bakery::{BakeryMessage, Variable};
    use crate::mutual_exclusion::suzuki_kasami::{SuzukiKasamiMessage, Token};

    #[test]
    fn up_to_the_bound_a_number_is_believed_and_beyond_it_is_not() {
        assert_eq!(implausible(&HIGHEST_NUMBER), None);
        let detail = "9007199254740992 is too large; the maximum is 9007199254740991";
        assert_eq!(implausible(&(HIGHEST_NUMBER + 1)), Some(detail.to_string()));
        assert_eq!(implausible(&-9_007_199_254_740_991_i64), None);
        assert!(implausible(&i64::MIN).is_some(), "a number is too great on either side of nothing");
    }

    #[test]
    fn a_number_is_found_wherever_it_stands() {
        let (small, great) = (1_u64, u64::MAX);
        let message = |value| BakeryMessage::Value { variable: Variable::Number, value, life: 1 };
        let token = |last| SuzukiKasamiMessage::Token(Token { queue: [NodeId(1)].into(), last, generation: 1 });
        assert_eq!(implausible(&message(small)), None);
        assert_eq!(implausible(&token(vec![small, small])), None);
        assert!(implausible(&message(great)).is_some());
        assert!(implausible(&token(vec![small, great])).is_some());
        assert!(implausible(&Labelled { lock: LockId(0), message: message(great) }).is_some());
        assert!(implausible(&Some((small, [great]))).is_some());
        assert!(implausible(&BTreeMap::from([(small, great)])).is_some());
        assert!(implausible(&BTreeMap::from([(great, small)])).is_some());
        assert!(implausible(&u128::MAX).is_some());
    }

    #[test]
    fn what_is_no_number_is_none_of_its_business() {
        assert_eq!(implausible(&("18446744073709551615", true, 'x', 1.0e300, NodeId(u32::MAX))), None);
        assert_eq!(implausible(&BakeryMessage::Ack {}), None);
    }
}
