//! Waiting until something happens in a run.

use interlock_algorithm::{NodeId, RequestId};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::TimerName;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::oneshot;
use utoipa::ToSchema;

use super::core::Core;
use interlock_model::event::{Event, What};
use interlock_model::state::{Node, PendingTimer, ProcessStatus, State};

/// The most who may wait for something in one run.
pub const MOST_WAITERS: usize = 1_000;

/// What to wait for: `{"entered":{"node":2}}`, `{"exited":{}}`, `"stuck"`, `"violation"`, `"idle"`,
/// `{"elected":{"leader":6}}`, `{"decided":{"instance":0}}`,
/// `{"event":{"kind":"delivered","message_kind":"REPLY"}}`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Until {
    /// Somebody, or this node, is in the critical section, now or from now on.
    Entered {
        /// Which node; any if absent.
        #[schema(value_type = Option<u32>)]
        node: Option<NodeId>,
    },
    /// Somebody, or this node, leaves the section, or has left it and wants nothing now.
    Exited {
        /// Which node; any if absent.
        #[schema(value_type = Option<u32>)]
        node: Option<NodeId>,
    },
    /// Somebody wants the lock, and it is proved that nothing can move.
    Stuck,
    /// A monitor has found a rule broken.
    Violation,
    /// Nobody wants anything, nothing is on its way, and no timer is set.
    Idle,
    /// All living processes take the same living one for the coordinator: this one, if it is named.
    Elected {
        /// Which node; any if absent.
        #[schema(value_type = Option<u32>)]
        leader: Option<NodeId>,
    },
    /// Somebody has learnt which value is chosen.
    Decided {
        /// In which instance of agreement; 0 if absent.
        #[serde(default)]
        instance: u64,
    },
    /// An event from now on with all of these.
    Event(EventPattern),
}

/// What an event must have; what is absent matches all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventPattern {
    /// Its kind.
    pub kind: Option<String>,
    /// The node at which it happened.
    #[schema(value_type = Option<u32>)]
    pub node: Option<NodeId>,
    /// The message.
    #[schema(value_type = Option<String>)]
    pub message: Option<MessageId>,
    /// The kind of message, as in the paper.
    pub message_kind: Option<String>,
    /// Who sent the message.
    #[schema(value_type = Option<u32>)]
    pub from: Option<NodeId>,
    /// Whom the message is for.
    #[schema(value_type = Option<u32>)]
    pub to: Option<NodeId>,
}

impl EventPattern {
    /// Whether an event has all of it.
    #[must_use]
    pub fn matches(&self, event: &Event) -> bool {
        let (message, message_kind) = match &event.what {
            What::Sent { message, message_kind, .. } | What::Delivered { message, message_kind, .. } => {
                (Some(*message), Some(message_kind))
            }
            What::Held { message }
            | What::Dropped { message, .. }
            | What::Forwarded { message }
            | What::Duplicated { message, .. } => (Some(*message), None),
            _ => (None, None),
        };
        self.kind.as_deref().is_none_or(|kind| kind == event.kind())
            && self.node.is_none_or(|node| Some(node) == event.node())
            && self.message_kind.as_deref().is_none_or(|wanted| message_kind.is_some_and(|kind| **kind == *wanted))
            && self.message.is_none_or(|wanted| Some(wanted) == message)
            && self.from.is_none_or(|node| message.is_some_and(|message| message.from == node))
            && self.to.is_none_or(|node| message.is_some_and(|message| message.to == node))
    }
}

impl Until {
    /// Whether an event brings it about.
    #[must_use]
    pub fn met_by(&self, event: &Event) -> bool {
        let at = |node: &Option<NodeId>| node.is_none_or(|node| Some(node) == event.node());
        match self {
            Self::Entered { node } => matches!(event.what, What::Entered { .. }) && at(node),
            Self::Exited { node } => matches!(event.what, What::Exited { .. }) && at(node),
            Self::Violation => matches!(event.what, What::Violated { .. }),
            Self::Event(pattern) => pattern.matches(event),
            Self::Stuck | Self::Idle | Self::Elected { .. } | Self::Decided { .. } => false,
        }
    }

    /// Whether it is about the state of the whole run, which one event does not show.
    #[must_use]
    pub const fn is_of_the_whole(&self) -> bool {
        matches!(self, Self::Stuck | Self::Idle | Self::Elected { .. } | Self::Decided { .. })
    }

    /// Whether it is so now.
    fn met_in(&self, state: &State, pending: usize) -> bool {
        let any = |wanted: &Option<NodeId>, is: fn(&Node) -> bool| match wanted {
            Some(node) => state.node(*node).is_some_and(is),
            None => state.nodes().iter().any(is),
        };
        match self {
            Self::Entered { node } => any(node, Node::is_inside),
            Self::Exited { node } => any(node, |node| node.is_idle() && node.entries > 0),
            Self::Stuck => state.standstill(pending).is_some_and(|standstill| standstill.hands.are_tied()),
            Self::Idle => is_idle(state, pending),
            Self::Violation => state.verdict(0, pending).violations > 0,
            Self::Elected { leader } => is_elected(*leader, state),
            Self::Decided { instance } => state.agreement().is_decided(*instance),
            Self::Event(_) => false,
        }
    }
}

/// Whether all living processes take the same living one for the coordinator.
fn is_elected(leader: Option<NodeId>, state: &State) -> bool {
    let lives = |node: &&Node| matches!(node.process, ProcessStatus::Running | ProcessStatus::Paused);
    let mut taken = state.nodes().iter().filter(lives).map(|node| node.leader.map(|leader| leader.leader));
    let Some(Some(first)) = taken.next() else { return false };
    let is_alive = state.node(first).is_some_and(|node| lives(&node));
    is_alive && leader.is_none_or(|leader| leader == first) && taken.all(|other| other == Some(first))
}

/// Whether nobody wants anything, nothing but background traffic is in the network, no timer is set and no process is
/// starting.
fn is_idle(state: &State, pending: usize) -> bool {
    let runs_anyway =
        |timer: &PendingTimer| state.network().flows_anyway() && matches!(timer.timer, TimerName::Algorithm(_));
    let rests = |node: &Node| match node.process {
        ProcessStatus::Starting => false,
        ProcessStatus::Running | ProcessStatus::Paused => node.is_idle() && node.timers.iter().all(runs_anyway),
        ProcessStatus::Crashed | ProcessStatus::Stopped => true,
    };
    pending == 0 && state.network().foreground() == 0 && state.nodes().iter().all(rests)
}

/// Those who wait.
#[derive(Debug, Default)]
pub(super) struct Waiters {
    waiting: Vec<(Wanted, oneshot::Sender<u64>)>,
}

#[derive(Debug)]
enum Wanted {
    Until(Until),
    Entry(NodeId, RequestId),
}

impl Waiters {
    fn add(&mut self, wanted: Wanted) -> oneshot::Receiver<u64> {
        let (sender, receiver) = oneshot::channel();
        self.waiting.retain(|(_, sender)| !sender.is_closed());
        // One too many is told that nobody will tell it: its sender is dropped here.
        if self.waiting.len() < MOST_WAITERS {
            self.waiting.push((wanted, sender));
        }
        receiver
    }

    /// Waits until this request of a node is granted.
    pub fn entry(&mut self, node: NodeId, request: RequestId) -> oneshot::Receiver<u64> {
        self.add(Wanted::Entry(node, request))
    }

    /// Tells those whom an event concerns.
    pub fn observe(&mut self, event: &Event) {
        if !self.waiting.is_empty() {
            self.tell(event.seq, |wanted| match wanted {
                Wanted::Until(until) => until.met_by(event),
                Wanted::Entry(node, request) => {
                    matches!(&event.what, What::Entered { at, request: entered, .. } if at.node == *node && entered == request)
                }
            });
        }
    }

    /// Tells those who wait for a condition of the whole run, when a turn is over.
    pub fn settle(&mut self, seq: u64, state: &State, pending: usize) {
        if !self.waiting.is_empty() {
            self.tell(seq, |wanted| match wanted {
                Wanted::Until(until) if until.is_of_the_whole() => until.met_in(state, pending),
                _ => false,
            });
        }
    }

    /// Tells all that nothing will come any more.
    pub fn dismiss(&mut self) {
        self.waiting.clear();
    }

    fn tell(&mut self, seq: u64, met: impl Fn(&Wanted) -> bool) {
        let mut place = 0;
        while place < self.waiting.len() {
            if met(&self.waiting[place].0) {
                let (_, sender) = self.waiting.swap_remove(place);
                // Whoever has given up waiting need not be told.
                let _ = sender.send(seq);
            } else {
                place += 1;
            }
        }
    }
}

impl Core {
    /// Tells the seq at which it is so: at once if it is now.
    pub fn wait(&mut self, until: Until) -> oneshot::Receiver<u64> {
        if until.met_in(&self.state, self.pending_inputs()) {
            let (sender, receiver) = oneshot::channel();
            let _ = sender.send(self.latest());
            return receiver;
        }
        self.waiters.add(Wanted::Until(until))
    }
}

/// Reads an [`Until`] also from a bare word: `"stuck"` for `{"stuck": null}`, `"entered"` for `{"entered": {}}`.
///
/// # Errors
/// When it is neither.
pub fn read_until(value: Value) -> serde_json::Result<Until> {
    match value {
        Value::String(word) if ["entered", "exited", "elected", "decided", "event"].contains(&&*word) => {
            serde_json::from_value(serde_json::json!({ word: {} }))
        }
        Value::Object(map) if map.len() == 1 => match map.into_iter().next() {
            Some((word, Value::Object(empty)))
                if empty.is_empty() && ["stuck", "violation", "idle"].contains(&&*word) =>
            {
                serde_json::from_value(Value::String(word))
            }
            Some((word, value)) => serde_json::from_value(serde_json::json!({ word: value })),
            None => serde_json::from_value(Value::Null),
        },
        other => serde_json::from_value(other),
    }
}
