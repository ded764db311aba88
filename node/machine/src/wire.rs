//! Protocol between a node and the network: JSON batches over HTTP, one ordered stream in each direction.
//!
//! The network posts an [`InputBatch`] to `POST {node}/inbox`. The node takes the items in order and answers with
//! a [`Report`] of its steps. Steps without an input from the network (an expired timer) are reported separately
//! to `POST {hub}/report`. All reports are numbered in the order of their steps. So the network can distinguish a
//! repeated report from a missing one. Requests in both directions carry `Authorization: Bearer SECRET`.
//!
//! `B` is a piece of JSON that is passed on unread: `&RawValue` when reading, `Arc<RawValue>` when keeping it.

use std::path::PathBuf;

use interlock_algorithm::{LockId, NodeId, Outcome, Parameters, RequestId};
use serde::{Deserialize, Serialize};

use crate::channel::{ChannelSetting, Header};
use crate::detector::DetectorSetting;
use crate::message_id::MessageId;
use crate::workload::ClientLoop;

/// Maximum size of a request body in either direction, in bytes. A node stops taking inputs long before its reports
/// reach this size.
pub const LARGEST_BODY: usize = 8 << 20;

/// Initialization that the orchestrator writes to a node's standard input, on one line. The input then stays open;
/// when it ends, the node exits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Initialization {
    /// Base URL for reports: `POST {hub}/hello` and `POST {hub}/report`.
    pub hub: String,
    /// Secret that both sides send with every request.
    pub secret: String,
    /// Process id that the parent must have; otherwise the node exits at once.
    pub parent: u32,
    /// Identity of this node.
    pub node: NodeId,
    /// Incarnation of the node, from 1.
    pub incarnation: u32,
    /// Number of nodes in the run.
    pub nodes: u32,
    /// Name of the algorithm.
    pub algorithm: String,
    /// Name of the variant.
    pub variant: Option<String>,
    /// Parameters of the algorithm.
    pub parameters: Parameters,
    /// Seed of the run.
    pub seed: u64,
    /// Time at which the run began, by the machine's monotonic clock, in nanoseconds.
    pub epoch_ns: u64,
    /// Client loop of this node; `None` means that its client does nothing by itself.
    pub client_loop: Option<ClientLoop>,
    /// Whether the node's own timers run. If not, they are reported as set and expire only by order.
    pub timers: bool,
    /// Number of the next request of this node.
    pub next_request: RequestId,
    /// Number of rounds of the node's client that reached a critical section in earlier incarnations.
    pub entries: u64,
    /// Number of locks in the run.
    pub locks: u32,
    /// Channels between the algorithm and the links.
    #[serde(default)]
    pub channel: ChannelSetting,
    /// Failure detectors of the processes.
    #[serde(default)]
    pub detector: DetectorSetting,
    /// User's program that acts as the algorithm; `None` means an algorithm of the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ForeignProgram>,
    /// Message kinds that the user's program declares, if it runs an algorithm of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_kinds: Option<Vec<String>>,
    /// Whether the user's program runs an algorithm of its own and declares that locks are leased.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declares_leases: bool,
    /// Confinement of the process; `None` means that it may do everything that its user may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confinement: Option<Confinement>,
}

/// Confinement of a node's process, as far as the operating system can enforce it. A node reads and writes no
/// files, and connects only to the network of its run. A user's program writes into a folder of its own, and
/// connects to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Maximum memory that each process may write to, in bytes; `None` means no limit.
    pub memory_bytes: Option<u64>,
}

/// Default limit of the memory of a process, in MiB: far more than a node needs, far less than a machine has.
pub const USUAL_MEMORY_MIB: u64 = 2_048;

impl Default for Confinement {
    fn default() -> Self {
        Self { memory_bytes: Some(USUAL_MEMORY_MIB << 20) }
    }
}

/// Maximum number of message kinds of a user's program.
pub const MOST_KINDS: usize = 256;
/// Maximum length of the name of such a kind, in bytes.
pub const LONGEST_KIND: usize = 64;

/// A user's program, and how it is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignProgram {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Folder in which the program is started.
    pub folder: PathBuf,
    /// `PATH` in its environment, which contains nothing else from this process.
    pub path: String,
    /// The program's own folder, to which it may write; `None` means that it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_folder: Option<OwnFolder>,
    /// Protocol between the node and the program.
    #[serde(default, skip_serializing_if = "Protocol::is_ours")]
    pub protocol: Protocol,
}

/// A folder for the exclusive use of a user's program, through all incarnations of its node: its `HOME` and
/// `TMPDIR`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnFolder {
    /// Path of the folder, which is created if necessary.
    pub path: PathBuf,
    /// Whether the files of an earlier incarnation of the node are kept.
    pub keeps: bool,
}

/// The protocol between a node and a user's program, over its standard input and output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Steps: one line of output for each line of input.
    #[default]
    Interlock,
    /// The protocol of Maelstrom: messages with `src`, `dest` and `body`, at any time.
    Maelstrom,
}

impl Protocol {
    /// Whether the protocol is Interlock's own.
    #[must_use]
    pub const fn is_ours(&self) -> bool {
        matches!(self, Self::Interlock)
    }
}

/// The first message of a node: its address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Incarnation of the node.
    pub incarnation: u32,
    /// Base of its URLs, on the loopback interface.
    pub url: String,
}

/// A batch of inputs for a node, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputBatch<I> {
    /// Incarnation of the node for which the batch is meant; another incarnation refuses the batch.
    pub incarnation: u32,
    /// Number of the batch in this incarnation, from 1. A repeated batch gets the same answer, and is not taken
    /// again.
    pub batch: u64,
    /// Whether the client no longer begins rounds by itself, because the clients of the run have begun all rounds
    /// that they may begin together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exhausted: bool,
    /// Inputs: [`InputItem`]s. Each is parsed separately, so that a corrupt one is refused alone.
    pub items: Vec<I>,
}

/// One input of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputItem<B> {
    /// The run begins.
    Start {},
    /// The node restarts after a crash.
    Restart {
        /// Stored state of the node, if the restart keeps it.
        stored: Option<B>,
    },
    /// A message has arrived.
    Message(Delivery<B>),
    /// A command from outside.
    Command(CommandItem),
    /// A timer expires by order, before its time or with the node's own timers switched off.
    Timer(TimerName<B>),
}

/// A message as it is delivered to a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery<B> {
    /// Name of this copy.
    pub id: MessageId,
    /// Sender, guaranteed by the network.
    pub from: NodeId,
    /// Kind, as in the paper.
    pub kind: String,
    /// Fields, as in the paper.
    pub body: B,
    /// Place in the sequence from this sender to this receiver, where there is a channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Header>,
}

/// A command from outside, numbered by the orchestrator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandItem {
    /// Number of the command in this incarnation of the node, from 1.
    pub id: u64,
    /// The order itself.
    #[serde(flatten)]
    pub order: Order,
}

/// An order from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Request a lock.
    Acquire {
        /// The lock.
        lock: LockId,
        /// Time after which to release the lock, in microseconds; `None` means that only a command releases it.
        hold_us: Option<u64>,
    },
    /// Request several locks at the same time.
    AcquireTogether {
        /// The locks. To request several units of one lock, the list contains the lock that many times.
        locks: Vec<LockId>,
        /// Time for which the client holds all the locks before it releases them, in microseconds. `None` means
        /// that only a command releases them.
        hold_us: Option<u64>,
    },
    /// Leave the critical section.
    Release {
        /// Lock of the section.
        lock: LockId,
    },
    /// Call an election.
    Elect {},
    /// Propose a value.
    Propose {
        /// The instance of agreement.
        instance: u64,
        /// The value.
        value: String,
    },
    /// Send a message of the application.
    Tell {
        /// Receiver.
        to: NodeId,
        /// Whether the message asks the receiver to request its locks.
        asks: bool,
        /// Time for which the receiver then holds the locks, in microseconds.
        hold_us: Option<u64>,
    },
    /// Suspect another process.
    Suspect {
        /// The other process.
        whom: NodeId,
    },
    /// Trust another process again.
    Trust {
        /// The other process.
        whom: NodeId,
    },
    /// Change to another state, for self-stabilising algorithms. The requests and locks of the client do not
    /// change.
    Corrupt {
        /// Number of the state: see [`Algorithm::arbitrary`](interlock_algorithm::Algorithm::arbitrary).
        choice: u64,
    },
}

impl Order {
    /// Returns the name of the order in the catalogue, or `None` if every algorithm allows the order.
    #[must_use]
    pub const fn command(&self) -> Option<&'static str> {
        match self {
            Self::Acquire { .. } | Self::AcquireTogether { .. } => Some("acquire"),
            Self::Release { .. } => Some("release"),
            Self::Elect {} => Some("elect"),
            Self::Propose { .. } => Some("propose"),
            Self::Corrupt { .. } => Some("corrupt"),
            Self::Tell { .. } | Self::Suspect { .. } | Self::Trust { .. } => None,
        }
    }
}

/// The name of a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimerName<B> {
    /// A timer of the client loop.
    Client(ClientTimer),
    /// A timer of the algorithm, by the algorithm's own name for it.
    Algorithm(B),
    /// The retransmission timer of the channel to this node.
    Channel(NodeId),
    /// A timer of the failure detector.
    Detector(DetectorTimer),
}

/// The timers of the failure detector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DetectorTimer {
    /// Time to send the next heartbeat, and to check for missing ones.
    Beat,
}

/// The timers of the client loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientTimer {
    /// End of the idle time: send the next request.
    Idle,
    /// End of the hold time: of lock 0, or of all locks of a round of the client loop.
    Hold,
    /// End of the hold time of another lock.
    HoldLock(LockId),
    /// Time to send a queued request: immediately after an exit.
    Queued,
    /// Time to request the next lock of a round, or to release one.
    Next,
    /// End of the back-off: send the request again after an abort.
    Again,
}

impl ClientTimer {
    /// Whether the client may begin a round by itself when the timer expires.
    #[must_use]
    pub const fn begins_a_round(self) -> bool {
        matches!(self, Self::Idle | Self::Queued)
    }
}

/// The steps that a node took, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report<B> {
    /// Incarnation that took the steps; reports of another incarnation are dropped.
    pub incarnation: u32,
    /// Number of the report in this incarnation, from 1.
    pub batch: u64,
    /// Steps: one for each input, even if the input had no effects.
    pub steps: Vec<Step<B>>,
    /// Why the node can no longer take part, as a sentence: its program has violated the protocol, or has exited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// One step: an input and its effects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step<B> {
    /// Number of the step in this incarnation, from 1.
    pub step: u64,
    /// Time at which the step was taken, in microseconds since the run began.
    pub at_us: u64,
    /// Input of the step.
    pub input: StepInput<B>,
    /// Effects, in order.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<StepEffect<B>>,
    /// Reasons of the algorithm.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<B>,
    /// View of the state after the step; only on the last step of a report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<B>,
}

/// The cause of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepInput<B> {
    /// The beginning of the run.
    Start {},
    /// The restart after a crash.
    Restart {
        /// Whether the restart kept a stored state.
        stored: bool,
    },
    /// A message.
    Message(MessageId),
    /// A command from outside.
    Command(CommandItem),
    /// A timer.
    Timer(TimerName<B>),
    /// An input so corrupt that not even its name could be read; the step refuses it.
    Unreadable {},
}

/// An effect of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepEffect<B> {
    /// A message, the same to all recipients.
    Send {
        /// Receivers.
        to: Vec<NodeId>,
        /// Kind.
        kind: String,
        /// Fields.
        body: B,
        /// Place in the sequence from this node to this receiver, where there is a channel.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        header: Option<Header>,
    },
    /// The channel passed a message on to the algorithm.
    Taken {
        /// The copy that had arrived.
        message: MessageId,
        /// Kind of the message.
        kind: String,
    },
    /// The failure detector suspects another process.
    Suspected {
        /// The other process.
        whom: NodeId,
    },
    /// The failure detector trusts another process again.
    Trusted {
        /// The other process.
        whom: NodeId,
    },
    /// A timer was set.
    SetTimer {
        /// The timer.
        timer: TimerName<B>,
        /// Delay after which it expires, in microseconds.
        delay_us: u64,
    },
    /// A timer was cancelled.
    CancelTimer {
        /// The timer.
        timer: TimerName<B>,
    },
    /// The stored state was replaced. It is kept together with the step, so a step is stored completely or not at
    /// all.
    Store(B),
    /// An outcome, for the client, the monitors and the people.
    Outcome(Outcome),
    /// The input was refused, and nothing else followed.
    Refused {
        /// Why, as a lower-case phrase.
        detail: String,
    },
}
