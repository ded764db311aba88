//! What a node and the network say to each other: JSON batches over HTTP, one ordered stream each way.
//!
//! The network posts an [`InputBatch`] to `POST {node}/inbox`; the node takes its items in order and answers with a
//! [`Report`] of the steps it took. Steps that nobody asked for (a timer ran out) go in a report of their own to
//! `POST {hub}/report`. Reports are numbered in the order in which their steps were taken, whichever way they go, so
//! the network can tell a repeated one from a missing one. Both carry `Authorization: Bearer SECRET`.
//!
//! `B` is a piece of JSON that is passed on unread: `&RawValue` when reading, `Arc<RawValue>` when keeping it.

use std::path::PathBuf;

use interlock_algorithm::{LockId, NodeId, Outcome, Parameters, RequestId};
use serde::{Deserialize, Serialize};

use crate::channel::{ChannelSetting, Header};
use crate::detector::DetectorSetting;
use crate::message_id::MessageId;
use crate::workload::ClientLoop;

/// The largest body of a request, either way, in bytes. A node stops long before its reports get that large.
pub const LARGEST_BODY: usize = 8 << 20;

/// What the orchestrator writes to a node's standard input, on one line. The input then stays open: when it ends, so
/// does the node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Initialization {
    /// Where to report: `POST {hub}/hello` and `POST {hub}/report`.
    pub hub: String,
    /// What both sides show each other with every request.
    pub secret: String,
    /// The process that must be the parent; otherwise the node ends at once.
    pub parent: u32,
    /// Who this node is.
    pub node: NodeId,
    /// Which life of the node this is, from 1.
    pub incarnation: u32,
    /// How many nodes the run has.
    pub nodes: u32,
    /// The name of the algorithm.
    pub algorithm: String,
    /// The name of the variant.
    pub variant: Option<String>,
    /// The parameters of the algorithm.
    pub parameters: Parameters,
    /// The seed of the run.
    pub seed: u64,
    /// When the run began, by the machine's monotonic clock, in nanoseconds.
    pub epoch_ns: u64,
    /// What the client of this node does by itself; none means nothing.
    pub client_loop: Option<ClientLoop>,
    /// Whether the node's own timers run. If not, they are reported as set and run out only when told to.
    pub timers: bool,
    /// The number that the next request of this node gets.
    pub next_request: RequestId,
    /// How many rounds of its client came as far as a section in its earlier lives.
    pub entries: u64,
    /// How many locks the run has.
    pub locks: u32,
    /// What lies above the links.
    #[serde(default)]
    pub channel: ChannelSetting,
    /// How processes know of each other's crashes.
    #[serde(default)]
    pub detector: DetectorSetting,
    /// The program of somebody's own that plays the part of the algorithm; none means that this program does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ForeignProgram>,
    /// The kinds of its messages, if it plays an algorithm of its own and they are declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_kinds: Option<Vec<String>>,
    /// Whether it plays an algorithm of its own and declares that locks are leased.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declares_leases: bool,
    /// How little the process may do besides what it is there for; none means all that its user may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confinement: Option<Confinement>,
}

/// How little the process of a node may do, as far as the operating system can see to that: a node reads and writes no
/// files and reaches nobody but the network of its run; a program of somebody's own writes into a folder of its own and
/// reaches nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// The most memory that each process may write to, in bytes; none means as much as there is.
    pub memory_bytes: Option<u64>,
}

/// The usual bound on the memory of a process, in MiB: far more than a node needs, far less than a machine has.
pub const USUAL_MEMORY_MIB: u64 = 2_048;

impl Default for Confinement {
    fn default() -> Self {
        Self { memory_bytes: Some(USUAL_MEMORY_MIB << 20) }
    }
}

/// The most kinds of messages that programs of somebody's own may have.
pub const MOST_KINDS: usize = 256;
/// The longest name of such a kind, in bytes.
pub const LONGEST_KIND: usize = 64;

/// A program of somebody's own, and how it is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignProgram {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The folder in which it is started.
    pub folder: PathBuf,
    /// Where it finds programs: `PATH` in its environment, which has nothing else of ours.
    pub path: String,
    /// The folder that is its own, where it may write; none means that it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_folder: Option<OwnFolder>,
    /// How it is spoken to.
    #[serde(default, skip_serializing_if = "Protocol::is_ours")]
    pub protocol: Protocol,
}

/// A folder that a program of somebody's own has for itself, through all lives of its node: its `HOME` and `TMPDIR`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnFolder {
    /// Where it is; it is made if need be.
    pub path: PathBuf,
    /// Whether what an earlier life of the node has left there stays.
    pub keeps: bool,
}

/// How a program of somebody's own is spoken to over its standard input and output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// In steps: a line out for each line in.
    #[default]
    Interlock,
    /// As Maelstrom does: messages with `src`, `dest` and `body`, at any time.
    Maelstrom,
}

impl Protocol {
    /// Whether it is our own.
    #[must_use]
    pub const fn is_ours(&self) -> bool {
        matches!(self, Self::Interlock)
    }
}

/// A node's first words: where it can be reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Which life of the node this is.
    pub incarnation: u32,
    /// The base of its URLs, on the loopback interface.
    pub url: String,
}

/// A batch of inputs for a node, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputBatch<I> {
    /// For which life of the node it is meant; another one refuses it.
    pub incarnation: u32,
    /// The number of the batch in this life, from 1. A repeated one is answered as before, not taken again.
    pub batch: u64,
    /// Whether the client begins nothing more by itself: all rounds that the clients of the run may begin together are
    /// begun.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exhausted: bool,
    /// The inputs: [`InputItem`]s, each read for itself, so that a corrupt one is refused alone.
    pub items: Vec<I>,
}

/// One input of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputItem<B> {
    /// The run begins.
    Start {},
    /// The node is back after a crash.
    Restart {
        /// What it had stored, if it may have it back.
        stored: Option<B>,
    },
    /// A message has arrived.
    Message(Delivery<B>),
    /// Somebody outside wants something.
    Command(CommandItem),
    /// A timer runs out by order, before its time or with the node's own timers switched off.
    Timer(TimerName<B>),
}

/// A message as it is handed to a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery<B> {
    /// The name of this copy.
    pub id: MessageId,
    /// Who sent it: the network vouches for this.
    pub from: NodeId,
    /// Its kind, as in the paper.
    pub kind: String,
    /// Its fields, as in the paper.
    pub body: B,
    /// Its place among what the sender says to the receiver, where there is a channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Header>,
}

/// A command from outside, numbered by the orchestrator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandItem {
    /// Its number in the run.
    pub id: u64,
    /// What to do.
    #[serde(flatten)]
    pub order: Order,
}

/// What can be ordered from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Ask for a lock.
    Acquire {
        /// Which.
        lock: LockId,
        /// After how long to release it, in microseconds; none means by command only.
        hold_us: Option<u64>,
    },
    /// Ask for several locks at the same time.
    AcquireTogether {
        /// Which; where a node may have a lock several times, as often as it is named.
        locks: Vec<LockId>,
        /// After how long to release them, once all are there, in microseconds; none means by command only.
        hold_us: Option<u64>,
    },
    /// Leave the critical section.
    Release {
        /// Of which lock.
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
        /// To whom.
        to: NodeId,
        /// Whether the other is to ask for what it needs.
        asks: bool,
        /// How long it is then to hold that, in microseconds.
        hold_us: Option<u64>,
    },
    /// Take another process for dead.
    Suspect {
        /// Which.
        whom: NodeId,
    },
    /// Take another process for dead no more.
    Trust {
        /// Which.
        whom: NodeId,
    },
    /// Find yourself in another state, for self-stabilising algorithms; what the client wants and has stays.
    Corrupt {
        /// The number of the state: see [`Algorithm::arbitrary`](interlock_algorithm::Algorithm::arbitrary).
        choice: u64,
    },
}

impl Order {
    /// Its name in the catalogue, if the algorithm has to know it.
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
    /// When the channel to this node is to send again what is not known to have arrived.
    Channel(NodeId),
    /// A timer of the failure detector.
    Detector(DetectorTimer),
}

/// The timers of the failure detector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DetectorTimer {
    /// When to say again that the process is alive, and to look who has not.
    Beat,
}

/// The timers of the client loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientTimer {
    /// When to ask again.
    Idle,
    /// When to leave the section: of lock 0, or all sections of a round of the client loop.
    Hold,
    /// When to leave the section of another lock.
    HoldLock(LockId),
    /// When to ask for what waits in line: at once after an exit.
    Queued,
    /// When to ask for the next lock of a round, or to give it back.
    Next,
    /// When to ask again after an abort.
    Again,
}

impl ClientTimer {
    /// Whether the client may begin something new when it runs out, by itself.
    #[must_use]
    pub const fn begins_a_round(self) -> bool {
        matches!(self, Self::Idle | Self::Queued)
    }
}

/// The steps that a node took, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report<B> {
    /// Which life of the node took them; another one's reports are dropped.
    pub incarnation: u32,
    /// The number of the report in this life, from 1.
    pub batch: u64,
    /// The steps: one for each input, also when nothing followed from it.
    pub steps: Vec<Step<B>>,
    /// Why the node can take part no more, as a sentence: its program has broken the rules, or is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// One step: an input and what followed from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step<B> {
    /// The number of the step in this life, from 1.
    pub step: u64,
    /// When it was taken, in microseconds since the run began.
    pub at_us: u64,
    /// What came in.
    pub input: StepInput<B>,
    /// What followed, in order.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<StepEffect<B>>,
    /// Why: the algorithm's reasons.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<B>,
    /// What the state looks like now; on the last step of a report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<B>,
}

/// What a step was caused by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepInput<B> {
    /// The beginning of the run.
    Start {},
    /// The return from a crash.
    Restart {
        /// Whether what had been stored was given back.
        stored: bool,
    },
    /// A message.
    Message(MessageId),
    /// A command from outside.
    Command(CommandItem),
    /// A timer.
    Timer(TimerName<B>),
    /// Something so corrupt that not even its name could be read; the step refuses it.
    Unreadable {},
}

/// What followed from an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepEffect<B> {
    /// A message, the same to all recipients.
    Send {
        /// To whom.
        to: Vec<NodeId>,
        /// Its kind.
        kind: String,
        /// Its fields.
        body: B,
        /// Its place among what the node says to the recipient, where there is a channel.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        header: Option<Header>,
    },
    /// The channel let a message through.
    Taken {
        /// The copy that had come.
        message: MessageId,
        /// Its kind.
        kind: String,
    },
    /// The failure detector takes another process for dead.
    Suspected {
        /// Which.
        whom: NodeId,
    },
    /// The failure detector takes another process for dead no more.
    Trusted {
        /// Which.
        whom: NodeId,
    },
    /// A timer was set.
    SetTimer {
        /// Which.
        timer: TimerName<B>,
        /// After how long it is to run out, in microseconds.
        delay_us: u64,
    },
    /// A timer was cancelled.
    CancelTimer {
        /// Which.
        timer: TimerName<B>,
    },
    /// What survives a crash was replaced. It is kept together with the step, so a step is stored whole or not at all.
    Store(B),
    /// The client, the monitors and the people want to know.
    Outcome(Outcome),
    /// The input was refused, and nothing else followed.
    Refused {
        /// Why, as a lower-case phrase.
        detail: String,
    },
}
