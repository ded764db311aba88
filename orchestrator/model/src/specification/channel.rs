//! What lies above the links of a run.

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

/// How much longer than the longest way there and back a reliable channel waits before it sends again, in microseconds: what
/// processes and the machine may need.
const MARGIN_US: u64 = 10_000;
/// The shortest time-out: what is shorter sends again what is on its way.
const SHORTEST_TIMEOUT: Span = Span(1_000);

/// What lies above the links of a run: `raw`, `fifo`, `reliable`, or `{"reliable": {"timeout": "50ms"}}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelLayer {
    /// Of which kind the channels are.
    pub kind: Channel,
    /// What is said of their sending again, if they do.
    pub retransmission: Retransmission,
}

/// When a reliable channel sends again what is not acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Retransmission {
    /// After how long for the first time, in ms, 1 at least; twice the longest delay, and 10 ms, if absent. It doubles up to
    /// 64 times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Time>)]
    pub timeout: Option<Span>,
}

/// A reliable channel of which more is said.
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
    /// Whether there is none.
    #[must_use]
    pub const fn is_raw(&self) -> bool {
        self.kind.is_raw()
    }

    /// What is wrong with it.
    pub(super) fn errors(&self) -> Option<FieldError> {
        let short = self.retransmission.timeout.filter(|timeout| *timeout < SHORTEST_TIMEOUT)?;
        let detail =
            format!("{} ms are too short: a channel waits for 1 ms at least before it sends again", f64::from(short));
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

/// Reads a word, or what is said of a reliable channel, and tells where in it something is wrong.
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
    /// Reads a complete specification, as journals and first events have it.
    ///
    /// # Errors
    /// When the text is not a specification.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// Reads a complete specification that somebody else may have written.
    ///
    /// # Errors
    /// The first thing wrong with the document, with a pointer to its place.
    pub fn read(document: &serde_json::Value) -> Result<Self, FieldError> {
        strict::deserialize(document)
    }

    /// The channels of its nodes. What is not acknowledged is sent again after the longest that a message and its
    /// acknowledgement can be on their way, and a little more, unless told otherwise.
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
