//! The kind of a message. If the kind is in the catalogue, a clone needs no allocation.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use interlock_algorithm::catalogue;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use interlock_machine::application::TELL;
use interlock_machine::channel::CHANNEL_ACK;
use interlock_machine::detector::HEARTBEAT;

/// Kinds of messages on the connections of services, as TCP calls them. A `DATA` carries bytes.
pub mod stream {
    /// The sender opens a connection.
    pub const SYN: &str = "SYN";
    /// The sender sends bytes.
    pub const DATA: &str = "DATA";
    /// The sender sends nothing more.
    pub const FIN: &str = "FIN";
    /// The sender has broken the connection.
    pub const RST: &str = "RST";
}

/// Name of a kind of message, as in the paper.
#[derive(Clone)]
pub struct MessageKind(Name);

#[derive(Clone)]
enum Name {
    Known(&'static str),
    Other(Arc<str>),
}

impl MessageKind {
    /// Returns the kind with this name. A name in the catalogue is borrowed from the catalogue; any other name is
    /// copied.
    #[must_use]
    pub fn named(name: &str) -> Self {
        let known =
            || catalogue::ENTRIES.iter().flat_map(|entry| entry.message_kinds).chain(&[TELL, CHANNEL_ACK, HEARTBEAT]);
        Self(known().find(|known| **known == name).map_or_else(|| Name::Other(name.into()), |known| Name::Known(known)))
    }
}

impl From<&'static str> for MessageKind {
    fn from(name: &'static str) -> Self {
        Self(Name::Known(name))
    }
}

impl Deref for MessageKind {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match &self.0 {
            Name::Known(name) => name,
            Name::Other(name) => name,
        }
    }
}

impl PartialEq for MessageKind {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for MessageKind {}

impl fmt::Display for MessageKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self)
    }
}

impl fmt::Debug for MessageKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self)
    }
}

impl Serialize for MessageKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for MessageKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|name| Self::named(&name))
    }
}
