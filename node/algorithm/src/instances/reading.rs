//! Reads what instances send, set and store. The setting of the inner algorithm may be the only one to know its types.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Formatter};

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{Labelled, Setting};
use crate::contract::{Algorithm, Message};
use crate::identity::LockId;

/// Reads a message: `{"kind": …, "body": {"lock": …, "message": …}}`.
pub(super) fn message<'de, A: Algorithm, D: Deserializer<'de>>(
    setting: &Setting<A::Setting>,
    reader: D,
) -> Result<Labelled<A::Message>, D::Error> {
    let body = Fields { names: &["lock", "message"], first: LockSeed, second: OfMessage::<A>(&setting.each) };
    let whole = Fields { names: &["kind", "body"], first: KindSeed, second: body };
    let (kind, (lock, message)) = whole.deserialize(reader)?;
    if kind == message.kind() {
        Ok(Labelled { lock, message })
    } else {
        Err(D::Error::custom(format_args!("a {kind} cannot hold a {}", message.kind())))
    }
}

/// Reads a timer: `[lock, timer]`.
pub(super) fn timer<'de, A: Algorithm, D: Deserializer<'de>>(
    setting: &Setting<A::Setting>,
    reader: D,
) -> Result<(LockId, A::Timer), D::Error> {
    reader.deserialize_tuple(2, OfTimer::<A>(&setting.each))
}

/// Reads what each instance has stored, if anything.
pub(super) fn stored<'de, A: Algorithm, D: Deserializer<'de>>(
    setting: &Setting<A::Setting>,
    reader: D,
) -> Result<Vec<Option<A::Stored>>, D::Error> {
    reader.deserialize_seq(AllStored::<A>(&setting.each))
}

struct LockSeed;

impl<'de> DeserializeSeed<'de> for LockSeed {
    type Value = LockId;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<LockId, D::Error> {
        LockId::deserialize(reader)
    }
}

struct KindSeed;

impl<'de> DeserializeSeed<'de> for KindSeed {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<String, D::Error> {
        String::deserialize(reader)
    }
}

struct OfMessage<'s, A: Algorithm>(&'s A::Setting);

impl<'de, A: Algorithm> DeserializeSeed<'de> for OfMessage<'_, A> {
    type Value = A::Message;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<A::Message, D::Error> {
        A::read_message(self.0, reader)
    }
}

struct OfTimer<'s, A: Algorithm>(&'s A::Setting);

impl<'de, A: Algorithm> DeserializeSeed<'de> for OfTimer<'_, A> {
    type Value = A::Timer;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<A::Timer, D::Error> {
        A::read_timer(self.0, reader)
    }
}

impl<'de, A: Algorithm> Visitor<'de> for OfTimer<'_, A> {
    type Value = (LockId, A::Timer);

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a lock and a timer")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<Self::Value, S::Error> {
        let lock = seq.next_element()?.ok_or_else(|| S::Error::invalid_length(0, &self))?;
        let timer = seq.next_element_seed(OfTimer::<A>(self.0))?.ok_or_else(|| S::Error::invalid_length(1, &self))?;
        Ok((lock, timer))
    }
}

struct OfStored<'s, A: Algorithm>(&'s A::Setting);

impl<'de, A: Algorithm> DeserializeSeed<'de> for OfStored<'_, A> {
    type Value = Option<A::Stored>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_option(self)
    }
}

impl<'de, A: Algorithm> Visitor<'de> for OfStored<'_, A> {
    type Value = Option<A::Stored>;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a stored state or null")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        A::read_stored(self.0, reader).map(Some)
    }
}

struct AllStored<'s, A: Algorithm>(&'s A::Setting);

impl<'de, A: Algorithm> Visitor<'de> for AllStored<'_, A> {
    type Value = Vec<Option<A::Stored>>;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of stored states")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut seq: S) -> Result<Self::Value, S::Error> {
        let mut all = Vec::new();
        while let Some(stored) = seq.next_element_seed(OfStored::<A>(self.0))? {
            all.push(stored);
        }
        Ok(all)
    }
}

/// An object of two fields, in any order.
struct Fields<F, S> {
    names: &'static [&'static str; 2],
    first: F,
    second: S,
}

impl<'de, F: DeserializeSeed<'de>, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Fields<F, S> {
    type Value = (F::Value, S::Value);

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de, F: DeserializeSeed<'de>, S: DeserializeSeed<'de>> Visitor<'de> for Fields<F, S> {
    type Value = (F::Value, S::Value);

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "an object with `{}` and `{}`", self.names[0], self.names[1])
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let Self { names, first, second } = self;
        let (mut seeds, mut values) = ((Some(first), Some(second)), (None, None));
        while let Some(name) = map.next_key::<String>()? {
            let place = names.iter().position(|known| *known == name);
            match place {
                Some(0) => {
                    let seed = seeds.0.take().ok_or_else(|| M::Error::duplicate_field(names[0]))?;
                    values.0 = Some(map.next_value_seed(seed)?);
                }
                Some(_) => {
                    let seed = seeds.1.take().ok_or_else(|| M::Error::duplicate_field(names[1]))?;
                    values.1 = Some(map.next_value_seed(seed)?);
                }
                None => return Err(M::Error::unknown_field(&name, names)),
            }
        }
        let first = values.0.ok_or_else(|| M::Error::missing_field(names[0]))?;
        let second = values.1.ok_or_else(|| M::Error::missing_field(names[1]))?;
        Ok((first, second))
    }
}
