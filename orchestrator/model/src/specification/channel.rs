//! The channel layer of a run, above the links.

use std::fmt;

use interlock_machine::channel::{Channel, ChannelSetting};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Delays, Specification};
use crate::field_error::FieldError;
use crate::schema::Time;
use crate::span::Span;
use crate::strict;

/// Margin of the default retransmission time-out above the longest round trip, in microseconds. It covers the
/// delays that processes and the machine add.
const MARGIN_US: u64 = 10_000;
/// Minimum retransmission time-out. With a shorter time-out, messages would be retransmitted while they are still
/// in transit.
const SHORTEST_TIMEOUT: Span = Span(1_000);

/// Channel layer of a run: `raw`, `fifo`, `reliable`, or `{"reliable": {"timeout": "50ms"}}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelLayer {
    /// Kind of the channels.
    pub kind: Channel,
    /// Retransmission settings; used by reliable channels only.
    pub retransmission: Retransmission,
}

/// Retransmission of unacknowledged messages by a reliable channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Retransmission {
    /// Time-out before the first retransmission, in ms, from 1 [default: twice the longest delay, plus 10]. If a
    /// retransmission is not acknowledged either, the time-out doubles. It doubles at most six times, to 64 times
    /// the first time-out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Time>)]
    pub timeout: Option<Span>,
}

/// The written form of a reliable channel with settings.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reliable {
    reliable: Retransmission,
}

impl From<Channel> for ChannelLayer {
    fn from(kind: Channel) -> Self {
        Self { kind, ..Self::default() }
    }
}

impl ChannelLayer {
    /// Returns whether there is no channel layer.
    #[must_use]
    pub const fn is_raw(&self) -> bool {
        self.kind.is_raw()
    }

    /// If the channel layer is invalid, returns the error.
    pub(super) fn errors(&self) -> Option<FieldError> {
        let short = self.retransmission.timeout.filter(|timeout| *timeout < SHORTEST_TIMEOUT)?;
        let detail =
            format!("{} ms are too short; a channel waits at least 1 ms before it retransmits", f64::from(short));
        Some(FieldError::new("/channel/reliable/timeout", detail))
    }
}

impl Serialize for ChannelLayer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.retransmission == Retransmission::default() {
            return self.kind.serialize(serializer);
        }
        Reliable { reliable: self.retransmission }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ChannelLayer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Written)
    }
}

/// Visitor that reads a word or the settings of a reliable channel. Its errors point to the place within the
/// settings.
struct Written;

impl<'de> Visitor<'de> for Written {
    type Value = ChannelLayer;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("`raw`, `fifo`, `reliable` or `{\"reliable\": {\"timeout\": \"50ms\"}}`")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<ChannelLayer, E> {
        Channel::deserialize(StrDeserializer::new(word)).map(ChannelLayer::from)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ChannelLayer, A::Error> {
        let Reliable { reliable } = Reliable::deserialize(MapAccessDeserializer::new(map))?;
        Ok(ChannelLayer { kind: Channel::Reliable, retransmission: reliable })
    }
}

impl Specification {
    /// Reads a complete specification, as it is in a journal or in the first event of a run.
    ///
    /// # Errors
    /// If the text is not a specification.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// Reads a complete specification that may have been written by another program.
    ///
    /// # Errors
    /// The first error of the document, with a pointer to its place.
    pub fn read(document: &serde_json::Value) -> Result<Self, FieldError> {
        strict::deserialize(document)
    }

    /// Returns the channel setting of the nodes. If the specification sets no time-out, the default applies: the
    /// longest round trip of a message and its acknowledgement, plus a margin.
    #[must_use]
    pub fn channel_setting(&self) -> ChannelSetting {
        let ChannelLayer { kind: channel, retransmission } = self.channel;
        let longest = || Delays::of(self, &[]).longest().saturating_mul(2).saturating_add(MARGIN_US);
        let again_after_us = match channel {
            Channel::Raw | Channel::Fifo => 0,
            Channel::Reliable => retransmission.timeout.map_or_else(longest, |timeout| timeout.0),
        };
        ChannelSetting { channel, again_after_us }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::specification::Draft;

    fn setting(written: &Value) -> Result<ChannelSetting, String> {
        let draft = json!({ "algorithm": "lamport", "network": { "delay": 20 }, "channel": written });
        let draft: Draft = serde_json::from_value(draft).map_err(|error| error.to_string())?;
        let specification = draft.complete().map_err(|errors| format!("{errors:?}"))?;
        let shown = serde_json::to_value(&specification).map_err(|error| error.to_string())?;
        let again = serde_json::from_value::<Specification>(shown);
        assert_eq!(again.map_err(|error| error.to_string()), Ok(specification.clone()), "it is read as it is written");
        Ok(specification.channel_setting())
    }

    #[test]
    fn a_channel_is_a_word_or_says_when_it_sends_again() {
        let is = |channel, again_after_us| Ok(ChannelSetting { channel, again_after_us });
        assert_eq!(setting(&json!("raw")), is(Channel::Raw, 0));
        assert_eq!(setting(&json!("fifo")), is(Channel::Fifo, 0));
        assert_eq!(setting(&json!("reliable")), is(Channel::Reliable, 50_000), "there and back, and 10 ms");
        assert_eq!(setting(&json!({ "reliable": {} })), is(Channel::Reliable, 50_000));
        assert_eq!(setting(&json!({ "reliable": { "timeout": "200ms" } })), is(Channel::Reliable, 200_000));
        assert_eq!(setting(&json!({ "reliable": { "timeout": 1 } })), is(Channel::Reliable, 1_000));
    }

    #[test]
    fn what_no_channel_is_is_refused() {
        for (wrong, named) in [
            (json!("pipe"), "unknown variant `pipe`"),
            (json!(7), "`raw`, `fifo`, `reliable` or"),
            (json!({ "fifo": {} }), "unknown field `fifo`"),
            (json!({ "reliable": { "again": 5 } }), "unknown field `again`"),
            (json!({ "reliable": { "timeout": 0.5 } }), "/channel/reliable/timeout"),
        ] {
            let refused = setting(&wrong).expect_err("it cannot be");
            assert!(refused.contains(named), "{refused}");
        }
    }
}
