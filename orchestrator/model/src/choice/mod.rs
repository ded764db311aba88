//! What can happen to a run: one vocabulary for scripts, schedules, recordings and what is done by hand.

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

/// The longest note, in characters.
pub const LONGEST_NOTE: usize = 1_000;

/// The name of a message, such as `0.1.12`, the twelfth from node 0 to node 1; `0.1.12.1` is the first copy of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct MessageName(pub MessageId);

/// Something that can happen to a run: what somebody does to it, and what a schedule lets happen next. A script, what is
/// done by hand, a recording, a schedule: each is a list of it, and it means the same live and simulated.
///
/// One thing happens after the other, each to its end. What a script asks for and cannot be done, such as an order to a
/// dead process, is noted among the events, and the next thing is done. An order that the node's client or algorithm
/// cannot follow now is refused by the node, which says so in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Choice {
    /// The client of a node asks for a lock; it stays in the section for `hold`, or until it is told to leave. As with
    /// all orders to a client: a paused process takes it when it goes on, in the order in which things came to it.
    Acquire {
        /// Whose client.
        node: NodeId,
        /// For which lock.
        #[serde(default)]
        #[schema(required = false)]
        lock: LockId,
        /// How long it stays, in ms.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Time>)]
        hold: Option<Span>,
    },
    /// The client of a node asks for several locks at the same time; it stays for `hold` once it has all.
    AcquireTogether {
        /// Whose client.
        node: NodeId,
        /// For which locks; where a node may have a lock several times, as often as it is named.
        #[serde(deserialize_with = "listed::list")]
        #[schema(value_type = NumberList)]
        locks: Vec<LockId>,
        /// How long it stays, in ms.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Time>)]
        hold: Option<Span>,
    },
    /// The client of a node leaves the section.
    Release {
        /// Whose client.
        node: NodeId,
        /// Of which lock.
        #[serde(default)]
        #[schema(required = false)]
        lock: LockId,
    },
    /// A node calls an election.
    Elect {
        /// Which.
        node: NodeId,
    },
    /// A node proposes a value.
    Propose {
        /// Which.
        node: NodeId,
        /// In which instance of agreement.
        #[serde(default)]
        instance: u64,
        /// The value.
        value: String,
    },
    /// The application sends a message of its own, with the algorithm's stamp if there is one. Who gets it asks for
    /// the section, if `asks` says so or `hold` says for how long.
    Tell {
        /// Who tells.
        from: NodeId,
        /// Whom.
        to: NodeId,
        /// How long the other stays in the section that it then asks for, in ms; none means that it does not ask, or
        /// stays as its own client says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<Time>)]
        hold: Option<Span>,
        /// Whether the other asks although nothing says how long it stays.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[schema(required = false)]
        asks: bool,
    },
    /// A process of a self-stabilising algorithm finds itself in another state: its memory was overwritten, but for what its
    /// client wants and has.
    Corrupt {
        /// Which.
        node: NodeId,
        /// The number of the state, from 0; how many there are is up to the algorithm and its parameters.
        choice: u64,
    },
    /// The failure detector of a process takes another for dead: what a perfect one is told when somebody dies, or a wrong
    /// suspicion.
    Suspect {
        /// Whose detector.
        node: NodeId,
        /// Which other process.
        whom: NodeId,
    },
    /// The failure detector of a process takes another for dead no more.
    Trust {
        /// Whose detector.
        node: NodeId,
        /// Which other process.
        whom: NodeId,
    },
    /// Somebody writes into a resource, from outside.
    Put(Write),
    /// A process dies, also a paused one. What had been handed to it and not been taken is lost, and what it had not
    /// stored.
    Crash {
        /// Which.
        node: NodeId,
    },
    /// A dead process comes back, with what it had stored or with nothing. Messages of its earlier life that are
    /// still on their way are delivered.
    Restart {
        /// Which.
        node: NodeId,
        /// With what it comes back; with what it had stored if absent.
        #[serde(default = "stored")]
        #[schema(required = false)]
        state: RestartState,
    },
    /// A running process is stopped in its tracks. What comes to it meanwhile waits.
    Pause {
        /// Which.
        node: NodeId,
    },
    /// A paused process goes on, and takes what has come to it meanwhile, in that order.
    Resume {
        /// Which.
        node: NodeId,
    },
    /// A timer of a node runs out: one whose time has come, or any in a run whose nodes' own timers are switched off.
    Fire {
        /// Whose timer.
        node: NodeId,
        /// Which, as in the event that set it: `{"client":"idle"}`.
        timer: TimerLabel,
    },
    /// A message is handed over: one whose time has come, as the network does by itself; one that is held or still on
    /// its way at once, by hand, before others if need be.
    Deliver(MessageName),
    /// A message that is held or on its way is lost.
    Lose(MessageName),
    /// A message on its way is held until somebody delivers or loses it.
    Hold(MessageName),
    /// A copy is made of a message that is held or on its way; the copy is held.
    Duplicate(MessageName),
    /// Links behave differently from now on. Messages that they hold stay held.
    Network(NetworkChange),
    /// Links are cut. A partition drops what is sent over them, and what is on its way when it would arrive.
    Partition(PartitionDraft),
    /// A rule acts on messages that are sent from now on.
    Rule(RuleDraft),
    /// Everything that was broken and can be mended is: partitions, rules and settings of single links are gone, nothing
    /// is lost, copied or held by links any more, held messages are handed over in the order in which they were held,
    /// and paused processes go on, in the order of their numbers. The delay and the order of links stay as they are,
    /// and the dead stay dead.
    Heal {},
    /// Time goes on for so long, in ms: what is due by then happens, in the order of deadlines. For schedules: a script
    /// says of everything when it happens.
    After(Span),
    /// Something worth knowing is written among the events.
    Note(String),
    /// A process is there: it has said where it listens. This and what follows below is for schedules: a live run does in
    /// several moments what the choices above do in one, and is recorded so. Where a schedule says when processes start,
    /// none starts by itself, and each takes what has reached it only where the schedule says so.
    Start {
        /// Which.
        node: NodeId,
    },
    /// A process that is there takes its first step.
    Begin {
        /// Which.
        node: NodeId,
    },
    /// A new process is being started for a dead one: it is not there yet.
    Relaunch {
        /// Which.
        node: NodeId,
        /// With what it comes back; with what it had stored if absent.
        #[serde(default = "stored")]
        #[schema(required = false)]
        state: RestartState,
    },
    /// A process ends by itself, or is killed by somebody who is no part of the playground.
    Die {
        /// Which.
        node: NodeId,
        /// How, in the words of the operating system.
        how: String,
    },
    /// A message whose time has come reaches its process, which takes it later.
    Arrive(MessageName),
    /// A message that is held or on its way is set free by hand and reaches its process, which takes it later.
    Forward(MessageName),
    /// A partition or a rule is gone.
    Remove(Removal),
    /// It is judged how the run stands.
    Judge {
        /// How many things are known to be still to come: 0 if nothing is, and the run may be stuck.
        left: usize,
    },
}

/// What is taken away, by its number in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Removal {
    /// A partition.
    Partition(u64),
    /// A rule.
    Rule(u64),
}

/// Which links behave differently, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum NetworkChange {
    /// All links without a setting of their own: what is present replaces what was.
    Default(LinkPatch),
    /// One link; with nothing present, like the others again.
    Link(LinkOverride),
}

const fn stored() -> RestartState {
    RestartState::Stored
}

impl Choice {
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
            Self::Corrupt { node, choice } => (*node, Order::Corrupt { choice: *choice }),
            Self::Suspect { node, whom } => (*node, Order::Suspect { whom: *whom }),
            Self::Trust { node, whom } => (*node, Order::Trust { whom: *whom }),
            Self::Tell { from, to, hold, asks } => {
                (*from, Order::Tell { to: *to, asks: *asks || hold.is_some(), hold_us: us(hold) })
            }
            _ => return None,
        })
    }

    /// The choice that gives this order to the client of a node; none if no choice can say it.
    #[must_use]
    pub fn of_order(node: NodeId, order: &Order) -> Option<Self> {
        let span = |us: &Option<u64>| us.map(Span);
        Some(match order {
            Order::Acquire { lock, hold_us } => Self::Acquire { node, lock: *lock, hold: span(hold_us) },
            Order::AcquireTogether { locks, hold_us } => {
                Self::AcquireTogether { node, locks: locks.clone(), hold: span(hold_us) }
            }
            Order::Release { lock } => Self::Release { node, lock: *lock },
            Order::Elect {} => Self::Elect { node },
            Order::Propose { instance, value } => Self::Propose { node, instance: *instance, value: value.clone() },
            Order::Corrupt { choice } => Self::Corrupt { node, choice: *choice },
            Order::Suspect { whom } => Self::Suspect { node, whom: *whom },
            Order::Trust { whom } => Self::Trust { node, whom: *whom },
            // Whoever does not ask stays for no time.
            Order::Tell { asks: false, hold_us: Some(_), .. } => return None,
            Order::Tell { to, asks, hold_us } => {
                Self::Tell { from: node, to: *to, hold: span(hold_us), asks: *asks && hold_us.is_none() }
            }
        })
    }

    /// Whether it is judged, once it has happened, how the run stands: not where it is what would have happened by itself.
    #[must_use]
    pub const fn ends_a_turn(&self) -> bool {
        !matches!(self, Self::Deliver(_) | Self::Fire { .. } | Self::Judge { .. })
    }

    /// Whether it says when a process begins its first life: a schedule with such a choice lets happen in parts what
    /// others let happen at once.
    #[must_use]
    pub const fn is_part_of_beginning(&self) -> bool {
        matches!(self, Self::Start { .. } | Self::Begin { .. })
    }

    /// Whether it is a part of what other choices let happen at once.
    #[must_use]
    pub const fn is_part(&self) -> bool {
        let comes = matches!(self, Self::Start { .. } | Self::Begin { .. } | Self::Relaunch { .. });
        comes || matches!(self, Self::Die { .. } | Self::Arrive(_) | Self::Forward(_) | Self::Judge { .. })
    }

    /// The process that takes a step by it, if it is one process that does.
    #[must_use]
    pub fn steps(&self) -> Option<NodeId> {
        match self {
            Self::Begin { node } | Self::Fire { node, .. } => Some(*node),
            Self::Deliver(MessageName(message)) => Some(message.to),
            _ => self.order().map(|(node, _)| node),
        }
    }

    /// The nodes, of so many, to which it hands something that they take at once if they run.
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
