//! Channels and detectors in the form in which the OpenAPI document describes them.

use utoipa::ToSchema;

use super::{Heartbeats, Retransmission};

/// Channel layer above the links: a word, or a reliable channel with settings.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum ChannelName {
    /// A word.
    Word(ChannelKind),
    /// A reliable channel: each message is delivered once, in order.
    Reliable {
        /// Retransmission settings.
        reliable: Retransmission,
    },
}

/// Kinds of channel layers.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChannelKind {
    /// No channel layer: only the network settings determine the fate of messages.
    Raw,
    /// Messages are delivered in the order in which they were sent. If a message is lost, no later message is
    /// delivered.
    Fifo,
    /// Each message is delivered once, in order. Unacknowledged messages are retransmitted.
    Reliable,
}

/// Failure detector: `none`, `perfect`, `heartbeat`, or a heartbeat detector with settings. A perfect detector
/// reports all crashes, and reports nothing else. A heartbeat detector suspects a process that is silent for too
/// long.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum DetectorName {
    /// `none`, `perfect` or `heartbeat`.
    Word(String),
    /// A heartbeat detector with settings.
    Heartbeat {
        /// Settings of the heartbeats.
        heartbeat: Heartbeats,
    },
}
