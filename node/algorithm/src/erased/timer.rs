//! Timers without their types. A driver copies them, so they are numbers.

use core::cmp::Ordering;
use core::fmt::{self, Debug, Formatter};
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::contract::Data;

/// A timer as a number.
pub trait Packed: Data + Copy {
    /// Returns its number. Numbers have the order of timers.
    fn pack(self) -> u64;

    /// Returns the timer of this number; none if there is none.
    fn unpack(number: u64) -> Option<Self>;
}

impl Packed for () {
    fn pack(self) -> u64 {
        0
    }

    fn unpack(number: u64) -> Option<Self> {
        (number == 0).then_some(())
    }
}

impl Packed for u8 {
    fn pack(self) -> u64 {
        self.into()
    }

    fn unpack(number: u64) -> Option<Self> {
        number.try_into().ok()
    }
}

/// What the type of a timer knows of its numbers.
trait Kind: Sync {
    fn debug(&self, number: u64, formatter: &mut Formatter<'_>) -> fmt::Result;
    /// Calls `take` with the timer.
    fn serialize(&self, number: u64, take: &mut dyn FnMut(&dyn erased_serde::Serialize));
}

struct KindOf<T>(PhantomData<fn() -> T>);

impl<T: Packed> Kind for KindOf<T> {
    fn debug(&self, number: u64, formatter: &mut Formatter<'_>) -> fmt::Result {
        T::unpack(number).fmt(formatter)
    }

    fn serialize(&self, number: u64, take: &mut dyn FnMut(&dyn erased_serde::Serialize)) {
        if let Some(timer) = T::unpack(number) {
            take(&timer);
        }
    }
}

/// A timer of any algorithm. Timers of one run have one type.
#[derive(Clone, Copy)]
pub struct ErasedTimer {
    number: u64,
    kind: &'static dyn Kind,
}

impl ErasedTimer {
    pub(super) fn new<T: Packed>(timer: T) -> Self {
        Self { number: timer.pack(), kind: &KindOf::<T>(PhantomData) }
    }

    pub(super) fn open<T: Packed>(self) -> Option<T> {
        T::unpack(self.number)
    }
}

impl PartialEq for ErasedTimer {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for ErasedTimer {}

impl PartialOrd for ErasedTimer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ErasedTimer {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number.cmp(&other.number)
    }
}

impl Hash for ErasedTimer {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.number.hash(hasher);
    }
}

impl Debug for ErasedTimer {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.kind.debug(self.number, formatter)
    }
}

impl Serialize for ErasedTimer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (mut serializer, mut written) = (Some(serializer), None);
        self.kind.serialize(self.number, &mut |timer| {
            written = serializer.take().map(|serializer| erased_serde::serialize(timer, serializer));
        });
        written.unwrap_or_else(|| Err(serde::ser::Error::custom("there is no timer of this number")))
    }
}

/// Always fails: only the setting of a run knows the type. See [`ErasedSetting`](super::ErasedSetting).
impl<'de> Deserialize<'de> for ErasedTimer {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Err(D::Error::custom("the type of a timer is known to the setting only"))
    }
}
