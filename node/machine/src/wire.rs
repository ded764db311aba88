//! Protocol between a node and the hub of its run: batches of JSON over HTTP. Each direction is one ordered stream.
//!
//! The hub posts an [`InputBatch`] to `POST {node}/inbox`. The node handles the inputs in order, and answers with a
//! [`Report`] of its steps. The node posts steps without an input from the hub, such as the expiry of a timer, in
//! separate reports to `POST {hub}/report`. Both kinds of reports are numbered in one sequence, in the order of the
//! steps. So the hub can distinguish a repeated report from a missing report. All requests have the header
//! `Authorization: Bearer SECRET`.
//!
//! `B` is the type of JSON values that are passed on without being parsed: `&RawValue` for reading, `Arc<RawValue>`
//! for storing.

use std::collections::BTreeMap;
use std::path::PathBuf;

use interlock_algorithm::{LockId, NodeId, Outcome, Parameters, RequestId};
use serde::{Deserialize, Serialize};

use crate::channel::{ChannelSetting, Header};
use crate::detector::DetectorSetting;
use crate::message_id::MessageId;
use crate::workload::ClientLoop;

/// Maximum size of a request body, in bytes, from the node or to the node. A node stops handling inputs long before
/// its unreported steps reach this size.
pub const LARGEST_BODY: usize = 8 << 20;

/// Initialization of a node, which the orchestrator writes to the node's standard input, on one line. The standard
/// input then stays open. When the standard input is closed, the node exits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Initialization {
    /// Base URL for reports: `POST {hub}/hello` and `POST {hub}/report`.
    pub hub: String,
    /// Secret that every request between the node and the hub must contain.
    pub secret: String,
    /// Process id of the node's parent. If the actual parent has another process id, the node exits at once.
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
    /// Time at which the run began, in nanoseconds of the machine's monotonic clock.
    pub epoch_ns: u64,
    /// Client loop of this node. `None` means that the client makes no requests by itself.
    pub client_loop: Option<ClientLoop>,
    /// Whether the node's own timers expire by themselves. Otherwise, events still report each timer, but a timer
    /// expires only by an order.
    pub timers: bool,
    /// Number that the next request of this node must have.
    pub next_request: RequestId,
    /// Number of rounds in which the node's client reached a critical section, over all earlier incarnations.
    pub entries: u64,
    /// Number of locks in the run.
    pub locks: u32,
    /// Channels between the algorithm and the links.
    #[serde(default)]
    pub channel: ChannelSetting,
    /// Failure detectors of the processes.
    #[serde(default)]
    pub detector: DetectorSetting,
    /// User's program that the node runs instead of an algorithm. `None` means that the node runs an algorithm of
    /// the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ForeignProgram>,
    /// Message kinds that are declared for the user's program. Absent unless the program runs an algorithm of its
    /// own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_kinds: Option<Vec<String>>,
    /// Whether locks are leased: the user's program runs an algorithm of its own, and the scenario declares leases
    /// for this algorithm.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declares_leases: bool,
    /// Confinement of the process. `None` means that the process has all permissions of its user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confinement: Option<Confinement>,
}

/// Confinement of a node's process, as far as the operating system can enforce it. A node neither reads nor writes
/// files, and connects only to the network of its run. A user's program writes only to its own folder, and makes no
/// connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Maximum size of the writable memory of each process, in bytes. `None` means that there is no limit.
    pub memory_bytes: Option<u64>,
}

/// Default memory limit of a process, in MiB. A node needs far less memory, and a machine has far more.
pub const USUAL_MEMORY_MIB: u64 = 2_048;

impl Default for Confinement {
    fn default() -> Self {
        Self { memory_bytes: Some(USUAL_MEMORY_MIB << 20) }
    }
}

/// Maximum number of message kinds of a user's program.
pub const MOST_KINDS: usize = 256;
/// Maximum length of the name of a message kind of a user's program, in bytes.
pub const LONGEST_KIND: usize = 64;

/// A user's program, with the data that are needed to start the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignProgram {
    /// The program, followed by its arguments.
    pub command: Vec<String>,
    /// Folder in which the program is started.
    pub folder: PathBuf,
    /// Value of `PATH` in the environment of the program. The program receives no other variable of this process's
    /// environment.
    pub path: String,
    /// The program's own folder, to which the program may write. `None` means that the program may write to no
    /// folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_folder: Option<OwnFolder>,
    /// Protocol by which the node and the program communicate. A service has none.
    #[serde(default, skip_serializing_if = "Protocol::is_ours")]
    pub protocol: Protocol,
    /// How the node finds out that the program is ready, if the program is a service: a server that other programs of
    /// the run use over TCP. `None` means that the program communicates with the node in lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<ServiceStart>,
    /// TCP ports on the loopback interface that the program may use, even if it is confined.
    #[serde(default, skip_serializing_if = "Ports::is_empty")]
    pub ports: Ports,
    /// The services that the program may use.
    #[serde(default, skip_serializing_if = "Services::is_empty")]
    pub services: Services,
}

/// For each service, by name, the addresses of its processes, such as `127.0.0.1:40001`. Each program has addresses of
/// its own, because each program reaches a service by links of its own.
pub type Services = BTreeMap<String, Vec<String>>;

/// TCP ports on the loopback interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ports {
    /// Ports at which the program may listen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listen: Vec<u16>,
    /// Ports to which the program may connect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connect: Vec<u16>,
}

impl Ports {
    /// Whether the program may use no port.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.listen.is_empty() && self.connect.is_empty()
    }
}

/// The start of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceStart {
    /// Test that the service passes as soon as it answers.
    pub ready: Ready,
    /// Maximum time from the start of the program until it must be ready, in ms.
    pub within_ms: u64,
}

/// A test whether a service is ready. It is repeated until the service passes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ready {
    /// The service accepts a connection at this port.
    Tcp(u16),
    /// The service answers a request for a path with status 200 and a body that contains a text.
    Http {
        /// Port of the service.
        port: u16,
        /// Path of the request, such as `/health`.
        path: String,
        /// Text that the body must contain; every body contains the empty text.
        answer: String,
    },
    /// The service answers bytes with a text.
    Bytes {
        /// Port of the service.
        port: u16,
        /// Bytes to send.
        send: String,
        /// Text that the answer must contain.
        answer: String,
    },
    /// A command ends with exit code 0. The command starts in the service's own folder.
    Command(Vec<String>),
}

/// A folder that only one user's program uses, over all incarnations of its node. It is the `HOME` and `TMPDIR` of
/// this program.
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
    /// Interlock's own protocol. Each line of input is a step, which the program answers with one line of output.
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
    /// Incarnation for which the batch is meant. A node with any other incarnation refuses the batch.
    pub incarnation: u32,
    /// Number of the batch in this incarnation, from 1. If the node has already handled a batch with the same
    /// number, it only repeats its answer.
    pub batch: u64,
    /// Whether the client must stop beginning rounds by itself, because all clients together have begun the maximum
    /// number of rounds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exhausted: bool,
    /// The inputs, each of which is an [`InputItem`]. Each input is parsed separately, so that an invalid input
    /// does not affect the others.
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
    /// An order makes a timer expire: before the timer is due, or while the node's own timers are switched off.
    Timer(TimerName<B>),
}

/// A message in the form in which it is delivered to a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery<B> {
    /// Name of the copy that is delivered.
    pub id: MessageId,
    /// Sender of the message. The network, not the sender, sets this field, so that it is always correct.
    pub from: NodeId,
    /// Kind of the message, as the paper names it.
    pub kind: String,
    /// Fields of the message, as the paper names them.
    pub body: B,
    /// Position in the sequence from this sender to this receiver. Absent if the run has no channels.
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

/// An order from outside to a node, most often for its client.
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
        /// The locks. If the client requests several units of a lock, the list contains the lock once for each
        /// unit.
        locks: Vec<LockId>,
        /// Time for which the client holds all the locks, in microseconds. `None` means that the client holds them
        /// until an order releases them.
        hold_us: Option<u64>,
    },
    /// Leave the critical section.
    Release {
        /// Lock whose critical section the client leaves.
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
        /// Time for which the receiver holds the locks that it then requests, in microseconds.
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
    /// Overwrite the state of a self-stabilising algorithm. The open requests and held locks of the client remain
    /// unchanged.
    Corrupt {
        /// Number of the state: see [`Algorithm::arbitrary`](interlock_algorithm::Algorithm::arbitrary).
        choice: u64,
    },
}

impl Order {
    /// Returns the command that an algorithm of the catalogue must support to accept the order. Returns `None` if
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
    /// The retransmission timer of the channel to the given node.
    Channel(NodeId),
    /// A timer of the failure detector.
    Detector(DetectorTimer),
}

/// The timers of the failure detector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DetectorTimer {
    /// Timer after which the detector sends the next heartbeat and checks for missing heartbeats.
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
    /// Timer without delay after an exit: when it expires, the client sends a queued request.
    Queued,
    /// Timer for the next lock of a round: when it expires, the client requests or releases this lock.
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

/// Report of the steps that a node has executed, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report<B> {
    /// Incarnation that executed the steps. The hub drops a report of any incarnation other than the current
    /// incarnation.
    pub incarnation: u32,
    /// Number of the report in this incarnation, from 1.
    pub batch: u64,
    /// The steps: one for each input, even if the input had no effects.
    pub steps: Vec<Step<B>>,
    /// The reason why the node can no longer take part, as a sentence: its program has violated the protocol, or
    /// has exited. Absent if the node can take part.
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
    /// Time at which a user's program answered the input, in the same unit. Absent if the node runs an algorithm of
    /// the catalogue, whose steps take no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_us: Option<u64>,
    /// Input of the step.
    pub input: StepInput<B>,
    /// Effects of the step, in order.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<StepEffect<B>>,
    /// Reasons that the algorithm gave for its actions in this step.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<B>,
    /// View of the node's state after the step. Only the last step of a report has a view.
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
    /// A message arrived.
    Message(MessageId),
    /// A command from outside.
    Command(CommandItem),
    /// A timer expired.
    Timer(TimerName<B>),
    /// An input that is so corrupt that even its name is unreadable. The node refuses this input.
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
        /// Position in the sequence from this node to this receiver. Absent if the run has no channels.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        header: Option<Header>,
    },
    /// The channel has passed a message on to the algorithm.
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
        /// Delay after which the timer expires, in microseconds.
        delay_us: u64,
    },
    /// A timer was cancelled.
    CancelTimer {
        /// The timer.
        timer: TimerName<B>,
    },
    /// The stored state of the node was replaced with a new state. A report contains the stored state together with
    /// its step, so the hub records either both or neither.
    Store(B),
    /// An outcome that the algorithm reported.
    Outcome(Outcome),
    /// The node refused the input. The step has no other effects.
    Refused {
        /// The reason of the refusal, as a lower-case phrase.
        detail: String,
    },
}
