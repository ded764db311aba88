//! The name of one copy of a message.

use std::fmt;
use std::str::FromStr;

use interlock_algorithm::NodeId;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Name of one copy of a message. `0.1.12` is the twelfth message from node 0 to node 1, and `0.1.12.1` is the
/// first additional copy of this message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId {
    /// Sender.
    pub from: NodeId,
    /// Receiver.
    pub to: NodeId,
    /// Number of the message on its link, from 1. The network numbers messages in the order in which it accepts
    /// them.
    pub number: u64,
    /// Number of the copy: 0 for the message itself, 1 or more for additional copies.
    pub copy: u32,
}

/// Error for a text that is not a message id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a message id; write FROM.TO.NUMBER or FROM.TO.NUMBER.COPY, such as 0.1.12")]
pub struct MessageIdError(String);

impl fmt::Display for MessageId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.from.0, self.to.0, self.number)?;
        if self.copy > 0 { write!(formatter, ".{}", self.copy) } else { Ok(()) }
    }
}

impl FromStr for MessageId {
    type Err = MessageIdError;

    fn from_str(text: &str) -> Result<Self, MessageIdError> {
        let refused = || MessageIdError(text.to_owned());
        let mut parts = text.split('.');
        let mut next = || parts.next().and_then(|part| part.parse::<u64>().ok());
        let (Some(from), Some(to), Some(number)) = (next(), next(), next()) else { return Err(refused()) };
        let copy = if text.matches('.').count() == 3 { next().ok_or_else(refused)? } else { 0 };
        if parts.next().is_some() {
            return Err(refused());
        }
        let small = |value: u64| u32::try_from(value).map_err(|_| refused());
        Ok(Self { from: NodeId(small(from)?), to: NodeId(small(to)?), number, copy: small(copy)? })
    }
}

impl Serialize for MessageId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MessageId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl de::Visitor<'_> for Text {
            type Value = MessageId;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a message id such as \"0.1.12\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<MessageId, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_and_written() {
        for text in ["0.1.12", "3.0.1.2"] {
            assert_eq!(text.parse::<MessageId>().map(|id| id.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "0.1", "0.1.2.3.4", "a.b.c", "0.1.-2", "0.1.2.", "99999999999.1.2"] {
            assert!(text.parse::<MessageId>().is_err(), "{text}");
        }
    }
}
