//! The global state of a run, computed by a fold over its events.

mod agreement;
mod broadcast;
mod capacities;
mod hearts;
#[cfg(test)]
mod hearts_tests;
pub(crate) mod label;
mod leases;
mod lock;
mod messages;
mod node;
#[cfg(test)]
mod node_tests;
#[cfg(test)]
mod rest_tests;
#[cfg(test)]
pub(crate) mod test_stream;
#[cfg(test)]
mod tests;
mod tokens;
mod verdict;
#[cfg(test)]
mod verdict_tests;
mod wait_cycle;
mod wait_for;

use interlock_algorithm::NodeId;
use serde::{Deserialize, Serialize};

pub use agreement::{AcceptedValue, Agreement, Instance, InstanceDocument, SupersededBallot};
pub use broadcast::Broadcast;
pub use capacities::Capacities;
pub use hearts::Hearts;
pub use leases::Leases;
pub use lock::{Lock, Locks, Waiting};
pub use messages::{Message, MessageStatus, Messages, NamedMessage};
pub use node::{Interest, Leader, Node, PendingTimer};
pub use tokens::Tokens;
pub use verdict::{Because, Hands, Inside, STUCK, SlowWait, Standstill, Status, Verdict};
pub(crate) use wait_cycle::shortest_cycle;
pub use wait_for::{Bond, WaitEdge, WaitForGraph};

use crate::above_channels::AboveChannels;
use crate::resource::Resources;
use interlock_model::event::{Event, What};
use interlock_model::specification::{Specification, TimeOuts};

/// The state of a run after a number of events. Written as JSON, it is a snapshot to which the following events can be
/// applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    seq: u64,
    at_us: u64,
    setting: Setting,
    nodes: Vec<Node>,
    locks: Locks,
    messages: Messages,
    #[serde(default)]
    resources: Resources,
    #[serde(default)]
    agreement: Agreement,
    #[serde(default)]
    broadcast: Broadcast,
    #[serde(default)]
    tokens: Tokens,
    #[serde(default)]
    above_channels: Option<AboveChannels>,
    /// `None` in runs without heartbeats.
    #[serde(default)]
    hearts: Option<Hearts>,
    #[serde(default)]
    leases: Leases,
    record: verdict::Record,
    #[serde(default)]
    time_outs: TimeOuts,
}

/// The properties of the run, from its specification, on which the verdict depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Setting {
    timers: bool,
    slow_after_us: u64,
    /// Whether the processes communicate through channels above the links.
    #[serde(default)]
    channels: bool,
    /// Whether each lock admits only one holder at a time.
    #[serde(default)]
    exclusive: bool,
}

impl State {
    /// Returns whether the nodes' timers fire by themselves.
    pub(crate) fn timers_run(&self) -> bool {
        self.setting.timers
    }

    /// Reads a state from a JSON snapshot.
    ///
    /// # Errors
    /// If the text is not a state.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// Writes the state as a JSON snapshot.
    ///
    /// # Errors
    /// If a part of the state cannot be written as JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// Returns the state before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        let background = specification.known_algorithm().map(|known| known.background_kinds).unwrap_or_default();
        let nodes: Vec<Node> = NodeId::all(specification.nodes).map(|_| Node::new()).collect();
        Self {
            seq: 0,
            at_us: 0,
            setting: Setting {
                timers: specification.timers,
                slow_after_us: specification.slow_after_ms.saturating_mul(1_000),
                channels: !specification.channel.is_raw(),
                exclusive: Capacities::of(specification).are_exclusive(),
            },
            messages: Messages::new(nodes.len(), &background),
            nodes,
            locks: Locks::new(),
            resources: Resources::new(specification),
            agreement: Agreement::default(),
            broadcast: Broadcast::default(),
            tokens: Tokens::new(specification),
            above_channels: AboveChannels::new(specification),
            hearts: Hearts::new(specification),
            leases: Leases::of(specification),
            record: verdict::Record::default(),
            time_outs: TimeOuts::of(specification, &[]),
        }
    }

    /// Returns the state with one change: in a simulation it does not store messages, but records only whether any
    /// message is in transit.
    #[must_use]
    pub fn without_messages(self) -> Self {
        Self { messages: self.messages.counted_only(), ..self }
    }

    /// Processes the next event.
    pub fn apply(&mut self, event: &Event) {
        self.seq = event.seq;
        self.at_us = self.at_us.max(event.at_us);
        if !self.leases.admit(&event.what) {
            return;
        }
        match &mut self.above_channels {
            None => self.tokens.apply(event),
            Some(above_channels) => above_channels.follow(event, |event| self.tokens.apply(event)),
        }
        self.messages.apply(event);
        if let Some(hearts) = &mut self.hearts {
            hearts.apply(&event.what);
        }
        // Most events are exchanges of messages. The following parts of the state ignore exchanges.
        if !event.what.is_exchange() {
            self.locks.apply(event);
            self.agreement.apply(event);
            self.broadcast.apply(event);
            self.resources.apply(event);
        }
        self.record.apply(event);
        if let What::Configured { change } = &event.what {
            self.time_outs.change(change);
        }
        if let Some(node) = node::concerned(&mut self.nodes, event) {
            node.apply(event);
        } else if matches!(event.what, What::Ended { .. }) {
            self.nodes.iter_mut().for_each(Node::end);
        }
    }

    /// Returns the `seq` of the last applied event; 0 before the first event.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// Returns the latest timestamp of any applied event, in microseconds since the run began.
    #[must_use]
    pub const fn at_us(&self) -> u64 {
        self.at_us
    }

    /// Returns the nodes, by id.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the node with this id, or `None` if the run has no such node.
    #[must_use]
    pub fn node(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node.index())
    }

    /// Returns the locks.
    #[must_use]
    pub const fn locks(&self) -> &Locks {
        &self.locks
    }

    /// Returns the resources that the locks protect.
    #[must_use]
    pub const fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Returns the latest instances of agreement.
    #[must_use]
    pub const fn agreement(&self) -> &Agreement {
        &self.agreement
    }

    /// Returns the values that clients broadcast and whose broadcasts were acknowledged.
    #[must_use]
    pub const fn broadcast(&self) -> &Broadcast {
        &self.broadcast
    }

    /// Returns the known holders of the tokens, by lock. It is empty if the algorithm has no token.
    #[must_use]
    pub const fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// Returns the messages in the network.
    #[must_use]
    pub const fn network(&self) -> &Messages {
        &self.messages
    }

    fn node_count(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)
    }
}
