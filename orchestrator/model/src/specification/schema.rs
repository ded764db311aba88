//! Channels and detectors as the OpenAPI document describes them.

use utoipa::ToSchema;

use super::{Heartbeats, Retransmission};

/// Channel layer above the links: a word, or a reliable channel with settings.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum ChannelName {
    /// A word.
    Word(ChannelKind),
    /// A reliable channel: each message comes through once, in order.
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
    /// Messages come through in the order in which they were sent. A lost message blocks all later ones.
    Fifo,
    /// Each message comes through once, in order. Unacknowledged messages are retransmitted.
    Reliable,
}

/// Failure detector: `none`, `perfect` (all crashes are reported, and nothing else), `heartbeat` (a process that is
/// silent for too long is suspected), or a heartbeat detector with settings.
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
