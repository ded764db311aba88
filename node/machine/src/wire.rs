//! Protocol between a node and the network: batches of JSON over HTTP. Each direction is one ordered stream.
//!
//! The network posts an [`InputBatch`] to `POST {node}/inbox`. The node handles the inputs in order, and answers
//! with a [`Report`] of its steps. Steps without an input from the network, such as the expiry of a timer, are in
//! separate reports to `POST {hub}/report`. Both kinds of reports share one sequence of numbers, in the order of
//! their steps. So the network can distinguish a repeated report from a missing report. All requests have the
//! header `Authorization: Bearer SECRET`.
//!
//! `B` is the type of JSON values that are passed on without being parsed: `&RawValue` for reading, `Arc<RawValue>`
//! for storing.

use std::path::PathBuf;

use interlock_algorithm::{LockId, NodeId, Outcome, Parameters, RequestId};
use serde::{Deserialize, Serialize};

use crate::channel::{ChannelSetting, Header};
use crate::detector::DetectorSetting;
use crate::message_id::MessageId;
use crate::workload::ClientLoop;

/// Maximum size of a request body in either direction, in bytes. A node stops handling inputs long before its
/// unreported steps reach this size.
pub const LARGEST_BODY: usize = 8 << 20;

/// Initialization that the orchestrator writes to a node's standard input, on one line. The standard input then
/// stays open; when it is closed, the node exits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Initialization {
    /// Base URL for reports: `POST {hub}/hello` and `POST {hub}/report`.
    pub hub: String,
    /// Secret that both sides include in every request.
    pub secret: String,
    /// Process id that the parent of the node must have. If the parent has another process id, the node exits at
    /// once.
    pub parent: u32,
    /// Number of this node, from 0.
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
    /// Client loop of this node. `None` means that the client makes no requests by itself.
    pub client_loop: Option<ClientLoop>,
    /// Whether the node's own timers run. If not, events report each set timer, but it expires only by an order.
    pub timers: bool,
    /// Number of the next request of this node.
    pub next_request: RequestId,
    /// Number of rounds in which the node's client reached a critical section in earlier incarnations.
    pub entries: u64,
    /// Number of locks in the run.
    pub locks: u32,
    /// Channels between the algorithm and the links.
    #[serde(default)]
    pub channel: ChannelSetting,
    /// Failure detectors of the processes.
    #[serde(default)]
    pub detector: DetectorSetting,
    /// User's program that plays the part of the algorithm. `None` means that the node runs an algorithm of the
    /// catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ForeignProgram>,
    /// Message kinds that the user's program declares, if it runs an algorithm of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_kinds: Option<Vec<String>>,
    /// Whether the user's program runs an algorithm of its own, and the scenario declares that this algorithm
    /// leases locks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declares_leases: bool,
    /// Confinement of the process. `None` means that the process has all permissions of its user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confinement: Option<Confinement>,
}

/// Confinement of a node's process, as far as the operating system can enforce it. A node reads and writes no
/// files, and connects only to the network of its run. A user's program writes only to its own folder, and connects
/// to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Maximum size of the writable memory of each process, in bytes; `None` means no limit.
    pub memory_bytes: Option<u64>,
}

/// Default memory limit of a process, in MiB: far more than a node needs, and far less than a machine has.
pub const USUAL_MEMORY_MIB: u64 = 2_048;

impl Default for Confinement {
    fn default() -> Self {
        Self { memory_bytes: Some(USUAL_MEMORY_MIB << 20) }
    }
}

/// Maximum number of kinds of messages of a user's program.
pub const MOST_KINDS: usize = 256;
/// Maximum length of the name of such a kind, in bytes.
pub const LONGEST_KIND: usize = 64;

/// A user's program, and the facts that are needed to start it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignProgram {
    /// The program, followed by its arguments.
    pub command: Vec<String>,
    /// Folder in which the program is started.
    pub folder: PathBuf,
    /// Value of `PATH` in the environment of the program. The environment contains nothing else from the
    /// environment of this process.
    pub path: String,
    /// The program's own folder, to which it may write; `None` means that it has no such folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_folder: Option<OwnFolder>,
    /// Protocol by which the node and the program communicate.
    #[serde(default, skip_serializing_if = "Protocol::is_ours")]
    pub protocol: Protocol,
}

/// A folder that only one user's program uses, in all incarnations of its node. It is the `HOME` and `TMPDIR` of
/// the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnFolder {
    /// Path of the folder, which is created if necessary.
    pub path: PathBuf,
    /// Whether a new incarnation of the node keeps the files of earlier incarnations.
    pub keeps: bool,
}

/// The protocol by which a node and a user's program communicate, over the program's standard input and output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Interlock's own protocol: each line of input is a step, and the program answers with one line of output.
    #[default]
    Interlock,
    /// The protocol of Maelstrom: messages with `src`, `dest` and `body`, which the program may send at any time.
    Maelstrom,
}

impl Protocol {
    /// Whether the protocol is Interlock's own.
    #[must_use]
    pub const fn is_ours(&self) -> bool {
        matches!(self, Self::Interlock)
    }
}

/// The first message of a node to the hub. It contains the address of the node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Incarnation of the node.
    pub incarnation: u32,
    /// Base URL of the node, on the loopback interface.
    pub url: String,
}

/// A batch of inputs for a node, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputBatch<I> {
    /// Incarnation of the node for which the batch is meant. Every other incarnation refuses the batch.
    pub incarnation: u32,
    /// Number of the batch in this incarnation, from 1. If a batch is repeated, the node does not handle it again,
    /// but sends the same answer.
    pub batch: u64,
    /// Whether the client stops beginning rounds by itself, because the clients of the run have begun the maximum
    /// number of rounds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exhausted: bool,
    /// The inputs, each an [`InputItem`]. Each input is parsed separately, so a corrupt input is refused alone.
    pub items: Vec<I>,
}

/// One input of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputItem<B> {
    /// The node begins its first incarnation.
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
    /// A timer expires by an order: before it is due, or while the node's own timers are switched off.
    Timer(TimerName<B>),
}

/// A message as it is delivered to a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery<B> {
    /// Name of the copy that is delivered.
    pub id: MessageId,
    /// Sender of the message. The network guarantees that it is correct.
    pub from: NodeId,
    /// Kind of the message, with the name of the paper.
    pub kind: String,
    /// Fields of the message, with the names of the paper.
    pub body: B,
    /// Position in the sequence from this sender to this receiver; absent if the run has no channels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Header>,
}

/// A command from outside, numbered by the orchestrator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandItem {
    /// Number of the command in this incarnation of the node, from 1.
    pub id: u64,
    /// The order.
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
        /// Time after which the client releases the lock, in microseconds. `None` means that the client holds the
        /// lock until an order releases it.
        hold_us: Option<u64>,
    },
    /// Request several locks at the same time.
    AcquireTogether {
        /// The locks. If several units of a lock are requested, the list contains the lock once for each unit.
        locks: Vec<LockId>,
        /// Time for which the client holds all the locks before it releases them, in microseconds. `None` means
        /// that the client holds them until an order releases them.
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
    /// Overwrite the state of a self-stabilising algorithm. The requests and locks of the client do not change.
    Corrupt {
        /// Number of the state: see [`Algorithm::arbitrary`](interlock_algorithm::Algorithm::arbitrary).
        choice: u64,
    },
}

impl Order {
    /// Returns the command of the catalogue that an algorithm must support to accept this order. Returns `None` if
    /// every algorithm accepts the order.
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
    /// A timer of the algorithm, with the name that the algorithm gave to it.
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
    /// Timer that makes the detector send the next heartbeat and check for missing heartbeats.
    Beat,
}

/// The timers of the client loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientTimer {
    /// End of the idle time: the client sends the next request.
    Idle,
    /// End of the hold time of lock 0, or of all locks of a round of the client loop.
    Hold,
    /// End of the hold time of another lock.
    HoldLock(LockId),
    /// Timer without delay after an exit: the client sends a queued request.
    Queued,
    /// Timer for the next lock of a round: the client requests or releases this lock.
    Next,
    /// End of the back-off after an abort: the client repeats its request.
    Again,
}

impl ClientTimer {
    /// Whether the client may begin a round by itself when the timer expires.
    #[must_use]
    pub const fn begins_a_round(self) -> bool {
        matches!(self, Self::Idle | Self::Queued)
    }
}

/// The steps that a node has executed, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report<B> {
    /// Incarnation that executed the steps. A report of an incarnation that is not the current one is dropped.
    pub incarnation: u32,
    /// Number of the report in this incarnation, from 1.
    pub batch: u64,
    /// One step for each input, even if the input had no effects.
    pub steps: Vec<Step<B>>,
    /// The reason why the node can no longer take part, as a sentence: its program has violated the protocol, or
    /// has exited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// One step: an input, and its effects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step<B> {
    /// Number of the step in this incarnation, from 1.
    pub step: u64,
    /// Time of the step, in microseconds since the run began.
    pub at_us: u64,
    /// Input of the step.
    pub input: StepInput<B>,
    /// Effects of the step, in order.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<StepEffect<B>>,
    /// Reasons that the algorithm gives.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<B>,
    /// View of the state after the step. Only the last step of a report has a view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<B>,
}

/// The cause of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepInput<B> {
    /// The node began its first incarnation.
    Start {},
    /// The node restarted after a crash.
    Restart {
        /// Whether the new incarnation has a stored state.
        stored: bool,
    },
    /// A message.
    Message(MessageId),
    /// A command from outside.
    Command(CommandItem),
    /// A timer.
    Timer(TimerName<B>),
    /// An input that is so corrupt that its name is unreadable. The node refuses the input in this step.
    Unreadable {},
}

/// An effect of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepEffect<B> {
    /// A message, with the same content for all receivers.
    Send {
        /// Receivers of the message.
        to: Vec<NodeId>,
        /// Kind of the message.
        kind: String,
        /// Fields of the message.
        body: B,
        /// Position in the sequence from this node to this receiver; absent if the run has no channels.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        header: Option<Header>,
    },
    /// The channel passed a message on to the algorithm.
    Taken {
        /// Name of the copy that arrived.
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
    /// The stored state was replaced by this state. A report contains the stored state together with its step, so
    /// both are recorded or neither is.
    Store(B),
    /// An outcome, for the client, the monitors and the people.
    Outcome(Outcome),
    /// The node refused the input. The step has no other effects.
    Refused {
        /// The reason of the refusal, as a lower-case phrase.
        detail: String,
    },
}
