//! Channels and detectors as the OpenAPI document describes them.

use utoipa::ToSchema;

use super::{Heartbeats, Retransmission};

/// What lies above the links: a word, or when what is not acknowledged is sent again.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum ChannelName {
    /// A word.
    Word(ChannelKind),
    /// Each message comes through once, in order.
    Reliable {
        /// When a channel sends again.
        reliable: Retransmission,
    },
}

/// What lies above the links.
#[derive(Clone, Debug, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChannelKind {
    /// Nothing: messages fare as the network is told.
    Raw,
    /// Messages come through in the order in which they were sent; one that is lost stops all behind it.
    Fifo,
    /// Each message comes through once, in order: what is not acknowledged is sent again.
    Reliable,
}

/// How processes know of each other's crashes: `none` (they do not), `perfect` (they are told), `heartbeat` (who is silent
/// for long is suspected), or what the heartbeats are.
#[derive(Clone, Debug, ToSchema)]
#[serde(untagged)]
pub enum DetectorName {
    /// `none`, `perfect` or `heartbeat`.
    Word(String),
    /// What the heartbeats are.
    Heartbeat {
        /// When they come, and are missed.
        heartbeat: Heartbeats,
    },
}
