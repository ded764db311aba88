//! Actions on a run: one vocabulary for scripts, schedules, recordings and manual actions.

pub mod forms;

use interlock_algorithm::{LockId, NodeId};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::Order;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::event::{RestartState, TimerLabel};
use crate::listed;
use crate::network::{LinkOverride, LinkPatch, PartitionDraft, RuleDraft};
use crate::schema::{NumberList, Time};
use crate::span::Span;
use crate::write::Write;

/// Maximum length of a note, in characters.
pub const LONGEST_NOTE: usize = 1_000;

/// Name of a message: `0.1.12` is the twelfth message from node 0 to node 1, and `0.1.12.1` is the first copy of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct MessageName(pub MessageId);

/// An action on a run, or the next event in a schedule. Scripts, manual actions, recordings and schedules are lists
/// of actions. Each action means the same in live and in simulated runs.
///
/// Actions are executed one after the other, each to its end. An action of a script may be impossible to execute,
/// such as a command to a crashed process. A `noted` event then reports this, and the next action follows. If a
/// client or an algorithm cannot follow a command now, the node refuses the command in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Choice {
    /// The client of a node requests a lock. Once the lock is granted, the client stays in the critical section for
    /// `hold`, or until it gets `release`. A paused process handles this and all other commands to its client only
    /// after it is resumed, in the order in which its inputs arrived.
    Acquire {
        /// Node of the client.
        node: NodeId,
        /// Number of the lock [default: 0].
        #[serde(default)]
        #[schema(required = false)]
        lock: LockId,
        /// Time in the critical section, in ms. If absent, the client leaves on `release`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Time>)]
        hold: Option<Span>,
    },
    /// The client of a node requests several locks at the same time. Once it has acquired all of them, it holds
    /// them for `hold`.
    AcquireTogether {
        /// Node of the client.
        node: NodeId,
        /// Numbers of the locks. If the algorithm can grant several units of a lock to a node, the list names a
        /// lock once for each requested unit.
        #[serde(deserialize_with = "listed::list")]
        #[schema(value_type = NumberList)]
        locks: Vec<LockId>,
        /// Time in the critical section, in ms. If absent, the client leaves on `release`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Time>)]
        hold: Option<Span>,
    },
    /// The client of a node leaves the critical section.
    Release {
        /// Node of the client.
        node: NodeId,
        /// Number of the lock [default: 0].
        #[serde(default)]
        #[schema(required = false)]
        lock: LockId,
    },
    /// A node calls an election.
    Elect {
        /// Number of the node.
        node: NodeId,
    },
    /// A node proposes a value.
    Propose {
        /// Number of the node.
        node: NodeId,
        /// Number of the agreement instance [default: 0].
        #[serde(default)]
        instance: u64,
        /// The proposed value, 1 character or more.
        value: String,
    },
    /// The application of a node sends a message to the application of another node. If the algorithm has
    /// timestamps, the message carries one. The receiver requests the critical section if `asks` is true or `hold`
    /// is given.
    Tell {
        /// Number of the sender.
        from: NodeId,
        /// Number of the receiver.
        to: NodeId,
        /// Time that the receiver stays in the critical section that it requests, in ms. If absent, the receiver
        /// requests only if `asks` is true, and stays as long as its client's own settings say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Time>)]
        hold: Option<Span>,
        /// Whether the receiver requests the critical section even if `hold` is absent [default: false].
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[schema(required = false)]
        asks: bool,
    },
    /// The state of a process of a self-stabilising algorithm is overwritten. The requests and locks of its client
    /// do not change.
    Corrupt {
        /// Number of the node.
        node: NodeId,
        /// Number of the new state, from 0. The number of states depends on the algorithm and its parameters.
        choice: u64,
    },
    /// The failure detector of a process suspects another process: correctly, as a perfect detector does after a
    /// crash, or wrongly.
    Suspect {
        /// Node of the failure detector.
        node: NodeId,
        /// Number of the suspected process.
        whom: NodeId,
    },
    /// The failure detector of a process trusts a suspected process again.
    Trust {
        /// Node of the failure detector.
        node: NodeId,
        /// Number of the trusted process.
        whom: NodeId,
    },
    /// A client outside the run writes to a resource.
    Put(Write),
    /// A running or paused process crashes. It loses all inputs that it has not handled, and all state that it has
    /// not stored.
    Crash {
        /// Number of the node.
        node: NodeId,
    },
    /// A crashed process restarts, with its stored state or without any state. Messages in transit from its earlier
    /// incarnations are still delivered.
    Restart {
        /// Number of the node.
        node: NodeId,
        /// State with which the process restarts [default: `stored`].
        #[serde(default = "stored")]
        #[schema(required = false)]
        state: RestartState,
    },
    /// A running process is paused. Its inputs wait until it is resumed.
    Pause {
        /// Number of the node.
        node: NodeId,
    },
    /// A paused process is resumed. It handles the inputs that arrived in the meantime, in order.
    Resume {
        /// Number of the node.
        node: NodeId,
    },
    /// A timer of a node fires: in a run with `timers: false` any pending timer, otherwise a timer that is due.
    Fire {
        /// Node of the timer.
        node: NodeId,
        /// Name of the timer, as in the event that set it: `{"client":"idle"}`.
        timer: TimerLabel,
    },
    /// A message is delivered. A message that is due is delivered as the network would deliver it. A message that
    /// is held, or not due yet, is delivered manually and immediately, even before earlier messages.
    Deliver(MessageName),
    /// A message that is held or in transit is lost.
    Lose(MessageName),
    /// A message in transit is held until it is delivered or lost.
    Hold(MessageName),
    /// A message that is held or in transit is duplicated; the copy is held.
    Duplicate(MessageName),
    /// The settings of links change from now on. Messages that are already held stay held.
    Network(NetworkChange),
    /// A partition cuts links. Messages that are sent over a cut link are dropped. Messages that were already in
    /// transit on the link are dropped at their delivery times. With `lost: hold`, all these messages are held
    /// instead of dropped.
    Partition(PartitionDraft),
    /// A targeted rule acts on messages that are sent from now on.
    Rule(RuleDraft),
    /// All faults that can be healed are healed:
    ///
    /// - Partitions, targeted rules and settings of single links are removed.
    /// - Links no longer lose, duplicate or hold messages.
    /// - Held messages are delivered, in the order in which they were held.
    /// - Paused processes are resumed, in the order of their numbers.
    ///
    /// Delay and order of links do not change, and crashed processes stay crashed.
    Heal {},
    /// Time advances by this much, in ms. Everything that is due by the new time is executed, in the order of due
    /// times. Only schedules contain this action: in a script each action has its own time.
    After(Span),
    /// A note is added to the events, 1 … 1,000 characters.
    Note(String),
    /// A process has started and has reported the address on which it listens.
    ///
    /// Only schedules may contain this action and the actions below it. In a live run, each of the actions above it
    /// consists of several parts at different times, and a recording lists these parts. If a schedule contains
    /// `start`, no process starts by itself, and each process handles an input only when the schedule says so.
    Start {
        /// Number of the node.
        node: NodeId,
    },
    /// A process that has started executes its first step.
    Begin {
        /// Number of the node.
        node: NodeId,
    },
    /// The orchestrator begins to start a new process for a crashed process. The new process has not reported its
    /// address yet.
    Relaunch {
        /// Number of the node.
        node: NodeId,
        /// State with which the process restarts [default: `stored`].
        #[serde(default = "stored")]
        #[schema(required = false)]
        state: RestartState,
    },
    /// A process ends by itself, or is killed from outside the playground.
    Die {
        /// Number of the node.
        node: NodeId,
        /// Cause of the end, as the operating system reports it.
        how: String,
    },
    /// A message that is due arrives at its process. The process handles the message at a later action.
    Arrive(MessageName),
    /// A message that is held or in transit is released manually and arrives at its process. The process handles
    /// the message at a later action.
    Forward(MessageName),
    /// A partition or a rule is removed.
    Remove(Removal),
    /// The run is checked: the monitors judge whether it is stuck.
    Judge {
        /// Number of pending events that the run knows of. Only if this number is 0 can the run be stuck.
        left: usize,
    },
}

/// A partition or a rule to remove, by its number in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Removal {
    /// Number of the partition.
    Partition(u64),
    /// Number of the rule.
    Rule(u64),
}

/// A change to the settings of links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum NetworkChange {
    /// Changes the default settings. If a field is absent, its setting does not change.
    Default(LinkPatch),
    /// Sets the settings of one link. If no field is given, the link gets the default settings again.
    Link(LinkOverride),
}

const fn stored() -> RestartState {
    RestartState::Stored
}

impl Choice {
    /// If the action is a command for the client of a node, returns the node and the command.
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
            Self::Corrupt { node, choice } => (*node, Order::Corrupt { choice: *choice }),
            Self::Suspect { node, whom } => (*node, Order::Suspect { whom: *whom }),
            Self::Trust { node, whom } => (*node, Order::Trust { whom: *whom }),
            Self::Tell { from, to, hold, asks } => {
                (*from, Order::Tell { to: *to, asks: *asks || hold.is_some(), hold_us: us(hold) })
            }
            _ => return None,
        })
    }

    /// Returns the action for a command to the client of a node. Returns none if no action can express the command.
    #[must_use]
    pub fn of_order(node: NodeId, order: Order) -> Option<Self> {
        let span = |us: Option<u64>| us.map(Span);
        Some(match order {
            Order::Acquire { lock, hold_us } => Self::Acquire { node, lock, hold: span(hold_us) },
            Order::AcquireTogether { locks, hold_us } => Self::AcquireTogether { node, locks, hold: span(hold_us) },
            Order::Release { lock } => Self::Release { node, lock },
            Order::Elect {} => Self::Elect { node },
            Order::Propose { instance, value } => Self::Propose { node, instance, value },
            Order::Corrupt { choice } => Self::Corrupt { node, choice },
            Order::Suspect { whom } => Self::Suspect { node, whom },
            Order::Trust { whom } => Self::Trust { node, whom },
            // No action can express a hold time for a receiver that does not request the critical section.
            Order::Tell { asks: false, hold_us: Some(_), .. } => return None,
            Order::Tell { to, asks, hold_us } => {
                Self::Tell { from: node, to, hold: span(hold_us), asks: asks && hold_us.is_none() }
            }
        })
    }

    /// Returns whether the monitors judge the run after this action. They do not judge the run after `judge`, or
    /// after the actions that can also happen by themselves (`deliver`, `fire`).
    #[must_use]
    pub const fn ends_a_turn(&self) -> bool {
        !matches!(self, Self::Deliver(_) | Self::Fire { .. } | Self::Judge { .. })
    }

    /// Returns whether the action is a part of the beginning of a process: its start or its first step. A schedule
    /// with such an action also lists the parts of all other actions one by one.
    #[must_use]
    pub const fn is_part_of_beginning(&self) -> bool {
        matches!(self, Self::Start { .. } | Self::Begin { .. })
    }

    /// Returns whether the action is only a part of a larger action. Recordings of live runs contain such parts.
    #[must_use]
    pub const fn is_part(&self) -> bool {
        let comes = matches!(self, Self::Start { .. } | Self::Begin { .. } | Self::Relaunch { .. });
        comes || matches!(self, Self::Die { .. } | Self::Arrive(_) | Self::Forward(_) | Self::Judge { .. })
    }

    /// Returns the process that executes a step in this action, if there is exactly one such process.
    #[must_use]
    pub fn steps(&self) -> Option<NodeId> {
        match self {
            Self::Begin { node } | Self::Fire { node, .. } => Some(*node),
            Self::Deliver(MessageName(message)) => Some(message.to),
            _ => self.order().map(|(node, _)| node),
        }
    }

    /// Returns the nodes that get an input through this action, in a run with `nodes` nodes. If such a node is
    /// running, it handles the input immediately.
    #[must_use]
    pub fn reaches(&self, nodes: u32) -> Vec<NodeId> {
        match self {
            Self::Fire { node, .. } | Self::Resume { node } | Self::Begin { node } => vec![*node],
            Self::Deliver(MessageName(message)) => vec![message.to],
            Self::Heal {} => NodeId::all(nodes).collect(),
            _ => self.order().map(|(node, _)| node).into_iter().collect(),
        }
    }
}
