//! What is done to a run, and when: part of its specification, played by live and simulated runs alike.

use interlock_algorithm::{Entry, LockId, LockUse, NodeId, Ticks};
use interlock_machine::message_id::MessageId;
use interlock_machine::quantity::Duration;
use interlock_machine::wire::Order;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::complete::{FieldError, link_errors, unknown_node};
use super::link::LinkPatch;
use super::schema::Time;
use crate::event::{Timer, TimerLabel};
use crate::network::{PartitionDraft, RuleDraft};

/// The most that can be done to a run by its script.
pub const LONGEST_SCRIPT: usize = 1_000;
/// The longest time that may be asked for, in units of time: an hour live.
const LONGEST_SPAN: f64 = 3_600_000.0;

/// A length of time: a number of units of time in JSON, milliseconds live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "f64", try_from = "Duration")]
pub struct Span(pub Ticks);

impl From<Span> for f64 {
    #[expect(clippy::cast_precision_loss, reason = "an hour in ticks has far fewer than 53 bits")]
    fn from(Span(ticks): Span) -> Self {
        ticks as Self / 1_000.0
    }
}

impl TryFrom<Duration> for Span {
    type Error = String;

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range has been checked")]
    fn try_from(Duration(units): Duration) -> Result<Self, String> {
        if (0.0..=LONGEST_SPAN).contains(&units) {
            Ok(Self((units * 1_000.0).round() as Ticks))
        } else {
            Err(format!("{units} is outside 0 … {LONGEST_SPAN}"))
        }
    }
}

/// Something that is done at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Scripted {
    /// When, in ms since the run began.
    #[schema(value_type = Time)]
    pub at: Span,
    /// What.
    #[serde(rename = "do")]
    pub action: Action,
}

/// The name of a message, such as `0.1.12`, the twelfth from node 0 to node 1; `0.1.12.1` is the first copy of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String)]
pub struct MessageName(pub MessageId);

/// What can be done to a run: the same live and simulated. One thing is done after the other, each to its end. What
/// cannot be done, such as an order to a dead process, is noted among the events, and the next thing is done. An order
/// that the node's client or algorithm cannot follow now is refused by the node, which says so in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// The client of a node asks for a lock; it stays in the section for `hold`, or until it is told to leave. As with
    /// all orders to a client: a paused process takes it when it goes on, in the order in which things came to it.
    Acquire {
        /// Whose client.
        #[schema(value_type = u32)]
        node: NodeId,
        /// For which lock.
        #[serde(default)]
        #[schema(value_type = u32, required = false)]
        lock: LockId,
        /// How long it stays, in ms.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Time>)]
        hold: Option<Span>,
    },
    /// The client of a node asks for several locks at the same time; it stays for `hold` once it has all.
    AcquireTogether {
        /// Whose client.
        #[schema(value_type = u32)]
        node: NodeId,
        /// For which locks; where a node may have a lock several times, as often as it is named.
        #[schema(value_type = Vec<u32>)]
        locks: Vec<LockId>,
        /// How long it stays, in ms.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<f64>)]
        hold: Option<Span>,
    },
    /// The client of a node leaves the section.
    Release {
        /// Whose client.
        #[schema(value_type = u32)]
        node: NodeId,
        /// Of which lock.
        #[serde(default)]
        #[schema(value_type = u32, required = false)]
        lock: LockId,
    },
    /// A node calls an election.
    Elect {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
    },
    /// A node proposes a value.
    Propose {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
        /// In which instance of agreement.
        #[serde(default)]
        instance: u64,
        /// The value.
        value: String,
    },
    /// The application sends a message of its own, with the algorithm's stamp if there is one. Who gets it asks for
    /// the section, if `hold` says for how long.
    Tell {
        /// Who tells.
        #[schema(value_type = u32)]
        from: NodeId,
        /// Whom.
        #[schema(value_type = u32)]
        to: NodeId,
        /// How long the other stays in the section that it then asks for, in ms; none means that it does not ask.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Time>)]
        hold: Option<Span>,
    },
    /// A process dies, also a paused one. What had been handed to it and not been taken is lost, and what it had not
    /// stored.
    Crash {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
    },
    /// A dead process comes back, with what it had stored or with nothing. Messages of its earlier life that are
    /// still on their way are delivered.
    Restart {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
        /// Whether it is given back what it had stored.
        #[serde(default = "yes")]
        #[schema(required = false)]
        stored: bool,
    },
    /// A running process is stopped in its tracks. What comes to it meanwhile waits.
    Pause {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
    },
    /// A paused process goes on, and takes what has come to it meanwhile, in that order.
    Resume {
        /// Which.
        #[schema(value_type = u32)]
        node: NodeId,
    },
    /// A timer of a node runs out, in a run whose nodes' own timers are switched off.
    Fire {
        /// Whose timer.
        #[schema(value_type = u32)]
        node: NodeId,
        /// Which, as in the event that set it: `{"client":"idle"}`.
        #[schema(value_type = Timer)]
        timer: TimerLabel,
    },
    /// A message that is held or on its way is handed over at once, before others if need be.
    Deliver(MessageName),
    /// A message that is held or on its way is lost.
    Lose(MessageName),
    /// A copy is made of a message that is held or on its way; the copy is held.
    Duplicate(MessageName),
    /// All links without a setting of their own behave differently from now on: what is present replaces what was.
    Network {
        /// How they behave.
        default: LinkPatch,
    },
    /// A link behaves differently from now on; with nothing, like the others. Messages that it holds stay held.
    Link {
        /// Where it begins.
        #[schema(value_type = u32)]
        from: NodeId,
        /// Where it ends.
        #[schema(value_type = u32)]
        to: NodeId,
        /// How it differs.
        patch: Option<LinkPatch>,
    },
    /// Links are cut. A partition drops what is sent over them, and what is on its way when it would arrive.
    Partition(PartitionDraft),
    /// A rule acts on messages that are sent from now on.
    Rule(RuleDraft),
    /// Everything that was broken and can be mended is: partitions, rules and settings of single links are gone, nothing
    /// is lost, copied or held by links any more, held messages are handed over in the order in which they were held,
    /// and paused processes go on, in the order of their numbers. The delay and the order of links stay as they are,
    /// and the dead stay dead.
    Heal {},
}

const fn yes() -> bool {
    true
}

impl Action {
    /// The nodes that it is about.
    fn nodes(&self) -> Vec<(&'static str, NodeId)> {
        match self {
            Self::Acquire { node, .. } => vec![("acquire/node", *node)],
            Self::AcquireTogether { node, .. } => vec![("acquire_together/node", *node)],
            Self::Release { node, .. } => vec![("release/node", *node)],
            Self::Elect { node } => vec![("elect/node", *node)],
            Self::Propose { node, .. } => vec![("propose/node", *node)],
            Self::Crash { node } => vec![("crash/node", *node)],
            Self::Restart { node, .. } => vec![("restart/node", *node)],
            Self::Pause { node } => vec![("pause/node", *node)],
            Self::Resume { node } => vec![("resume/node", *node)],
            Self::Tell { from, to, .. } => vec![("tell/from", *from), ("tell/to", *to)],
            Self::Fire { node, .. } => vec![("fire/node", *node)],
            Self::Deliver(MessageName(message)) => vec![("deliver", message.from), ("deliver", message.to)],
            Self::Lose(MessageName(message)) => vec![("lose", message.from), ("lose", message.to)],
            Self::Duplicate(MessageName(message)) => vec![("duplicate", message.from), ("duplicate", message.to)],
            Self::Link { from, to, .. } => vec![("link/from", *from), ("link/to", *to)],
            Self::Network { .. } | Self::Partition(_) | Self::Rule(_) | Self::Heal {} => Vec::new(),
        }
    }

    /// The order that it gives to the client of a node, if it is one.
    #[must_use]
    pub fn order(&self) -> Option<(NodeId, Order)> {
        let us = |span: &Option<Span>| span.map(|Span(us)| us);
        Some(match self {
            Self::Acquire { node, lock, hold } => (*node, Order::Acquire { lock: *lock, hold_us: us(hold) }),
            Self::AcquireTogether { node, locks, hold } => {
                (*node, Order::AcquireTogether { locks: locks.clone(), hold_us: us(hold) })
            }
            Self::Release { node, lock } => (*node, Order::Release { lock: *lock }),
            Self::Elect { node } => (*node, Order::Elect {}),
            Self::Propose { node, instance, value } => {
                (*node, Order::Propose { instance: *instance, value: value.clone() })
            }
            Self::Tell { from, to, hold } => (*from, Order::Tell { to: *to, asks: hold.is_some(), hold_us: us(hold) }),
            _ => return None,
        })
    }

    /// The nodes, of so many, to which it hands something that they take at once if they run.
    #[must_use]
    pub fn reaches(&self, nodes: u32) -> Vec<NodeId> {
        match self {
            Self::Fire { node, .. } | Self::Resume { node } => vec![*node],
            Self::Deliver(MessageName(message)) => vec![message.to],
            Self::Heal {} => NodeId::all(nodes).collect(),
            _ => self.order().map(|(node, _)| node).into_iter().collect(),
        }
    }

    /// What of the catalogue it takes for granted: a command.
    fn command(&self) -> Option<&'static str> {
        self.order().and_then(|(_, order)| order.command())
    }

    fn locks(&self) -> Vec<(&'static str, LockId)> {
        match self {
            Self::Acquire { lock, .. } => vec![("acquire/lock", *lock)],
            Self::AcquireTogether { locks, .. } => locks.iter().map(|lock| ("acquire_together/locks", *lock)).collect(),
            Self::Release { lock, .. } => vec![("release/lock", *lock)],
            _ => Vec::new(),
        }
    }
}

impl Scripted {
    /// What is wrong with it, standing at `pointer`, in a run of this algorithm with so many nodes and locks.
    #[must_use]
    pub fn errors(&self, pointer: &str, entry: &Entry, nodes: u32, locks: u32) -> Vec<FieldError> {
        let action = &self.action;
        let at = |place: &str| format!("{pointer}/do/{place}");
        let mut errors: Vec<FieldError> =
            action.nodes().into_iter().filter_map(|(place, node)| unknown_node(&at(place), node, nodes)).collect();
        if let Some(command) = action.command().filter(|command| !entry.commands.contains(command)) {
            let mut error = FieldError::new(at(command), format!("`{}` cannot be told to {command}", entry.name));
            error.allowed = entry.commands.iter().map(ToString::to_string).collect();
            errors.push(error);
        }
        let no_lock = |(_, lock): &(&str, LockId)| entry.locks != LockUse::None && lock.0 >= locks;
        if let Some((place, lock)) = action.locks().into_iter().find(no_lock) {
            errors.push(FieldError::new(at(place), format!("there is no lock {lock}: the run has {locks}")));
        }
        let kinds = entry.message_kinds;
        let inner = match action {
            Action::Network { default } => link_errors(&at("network/default"), default, Some(kinds)),
            Action::Link { from, to, .. } if from == to => {
                vec![FieldError::new(at("link"), "a link has two ends: a node sends itself nothing")]
            }
            Action::Link { patch: Some(patch), .. } => link_errors(&at("link/patch"), patch, Some(kinds)),
            Action::Partition(draft) => under(&at("partition"), draft.errors(nodes)),
            Action::Rule(draft) => under(&at("rule"), draft.errors(nodes, kinds)),
            Action::Propose { value, .. } if value.is_empty() => {
                vec![FieldError::new(at("propose/value"), "a proposal needs a value: one character or more")]
            }
            Action::Tell { from, to, .. } if from == to => {
                vec![FieldError::new(at("tell/to"), "a node tells others: itself it need not tell")]
            }
            _ => Vec::new(),
        };
        errors.extend(inner);
        errors
    }
}

fn under(pointer: &str, errors: Vec<FieldError>) -> Vec<FieldError> {
    errors.into_iter().map(|error| FieldError { pointer: format!("{pointer}{}", error.pointer), ..error }).collect()
}
