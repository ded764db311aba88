//! Values of algorithms without their types: messages, stored states and reasons.

use alloc::boxed::Box;
use core::any::Any;
use core::cmp::Ordering;
use core::fmt::{self, Debug, Formatter};
use core::hash::{Hash, Hasher};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::contract::{Data, Message};
use crate::identity::LockId;

/// Operations on a value of any type.
pub(super) trait Object: Any + Debug + Send {
    fn duplicate(&self) -> Box<dyn Object>;
    /// Compares two values. If the values have different types, compares the types.
    fn compare(&self, other: &dyn Object) -> Ordering;
    fn hash_into(&self, hasher: &mut dyn Hasher);
    fn as_serialize(&self) -> &dyn erased_serde::Serialize;
}

impl<T: Data> Object for T {
    fn duplicate(&self) -> Box<dyn Object> {
        Box::new(self.clone())
    }

    fn compare(&self, other: &dyn Object) -> Ordering {
        let any: &dyn Any = other;
        any.downcast_ref::<T>().map_or_else(|| self.type_id().cmp(&any.type_id()), |other| self.cmp(other))
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn as_serialize(&self) -> &dyn erased_serde::Serialize {
        self
    }
}

/// Implements the traits that every value needs, such as `Ord`, for a box of a trait object.
macro_rules! value {
    ($name:ident, $label:literal) => {
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.cmp(other).is_eq()
            }
        }

        impl Eq for $name {}

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> Ordering {
                self.0.compare(&*other.0)
            }
        }

        impl Hash for $name {
            fn hash<H: Hasher>(&self, hasher: &mut H) {
                self.0.hash_into(hasher);
            }
        }

        impl Debug for $name {
            fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                erased_serde::serialize(self.0.as_serialize(), serializer)
            }
        }

        /// Always fails: only the setting of a run knows the type. See [`ErasedSetting`](super::ErasedSetting).
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
                Err(D::Error::custom(concat!("the type of ", $label, " is known to the setting only")))
            }
        }
    };
}

pub(super) use value;

/// A stored state or a reason.
pub struct Opaque(Box<dyn Object>);

impl Opaque {
    pub(super) fn new(value: impl Data) -> Self {
        Self(Box::new(value))
    }

    /// Returns the value; none if it is of another type.
    pub(super) fn open<T: Data>(self) -> Option<T> {
        let any: Box<dyn Any> = self.0;
        any.downcast().ok().map(|value| *value)
    }
}

impl Clone for Opaque {
    fn clone(&self) -> Self {
        Self(self.0.duplicate())
    }
}

value!(Opaque, "a value");

/// Operations on a message of any type.
pub(super) trait MessageObject: Object {
    fn duplicate_message(&self) -> Box<dyn MessageObject>;
    fn kind(&self) -> &'static str;
    fn lock(&self) -> Option<LockId>;
}

impl<M: Message> MessageObject for M {
    fn duplicate_message(&self) -> Box<dyn MessageObject> {
        Box::new(self.clone())
    }

    fn kind(&self) -> &'static str {
        Message::kind(self)
    }

    fn lock(&self) -> Option<LockId> {
        Message::lock(self)
    }
}

/// A message of any algorithm.
pub struct ErasedMessage(Box<dyn MessageObject>);

impl ErasedMessage {
    pub(super) fn new(message: impl Message) -> Self {
        Self(Box::new(message))
    }

    /// Returns the message; none if it belongs to another algorithm.
    pub(super) fn open<M: Message>(self) -> Option<M> {
        let any: Box<dyn Any> = self.0;
        any.downcast().ok().map(|message| *message)
    }

    pub(super) fn typed<M: Message>(&self) -> Option<&M> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref()
    }

    pub(super) fn typed_mut<M: Message>(&mut self) -> Option<&mut M> {
        let any: &mut dyn Any = &mut *self.0;
        any.downcast_mut()
    }
}

impl Clone for ErasedMessage {
    fn clone(&self) -> Self {
        Self(self.0.duplicate_message())
    }
}

value!(ErasedMessage, "a message");

impl Message for ErasedMessage {
    fn kind(&self) -> &'static str {
        self.0.kind()
    }

    fn lock(&self) -> Option<LockId> {
        self.0.lock()
    }
}
