//! The specification of a run: a document with a version. It is the body of `POST /runs` and the header of the
//! run's journal.

mod bounds;
mod channel;
mod choice_errors;
mod complete;
mod declared;
mod delays;
mod detector;
mod known_algorithm;
mod monitors;
mod planned;
mod program;
pub mod schema;
mod script;
mod service;
mod time_outs;

use interlock_algorithm::{Configuration, NodeId, Parameters, catalogue};
use interlock_machine::distribution::Distribution;
use interlock_machine::lock_choice::LockChoice;
use interlock_machine::quantity::{optional_probability, optional_whole_ms};
use interlock_machine::service::Service as ClientService;
use interlock_machine::workload::{ClientLoop, LoopKind};
use serde::{Deserialize, Serialize};

use crate::listed;
use crate::network::{LinkOverride, LinkPatch, LinkSetting};
use crate::schema::{ClientNodes, Likelihood, ServiceName, Time, WordOrNumber};
pub use bounds::name_fault;
pub use channel::{ChannelLayer, Retransmission};
pub use detector::{Detector, Heartbeats};
pub use interlock_machine::channel::Channel;

pub use declared::Declaration;
pub use delays::Delays;
pub use known_algorithm::KnownAlgorithm;
pub use monitors::OptionalMonitor;
use monitors::OptionalMonitors;
pub use planned::{Act, ActKind, NemesisCrashes, Planned, Window};
pub use program::{NodeGroup, count, read_groups};
use schema::{ChannelName, DetectorName};
pub use script::{LONGEST_SCRIPT, Scripted};
pub use service::{
    BytesAnswer, FOLDER, HERE, HttpAnswer, PORT, ReadyTest, Service, ServiceProcess, ServiceProtocol, read_services,
};
pub use time_outs::TimeOuts;

/// Version of the document that this program reads and writes.
pub const VERSION: u32 = 1;
/// Maximum number of nodes of a live run.
pub const MOST_NODES: u32 = 1_000;
/// Maximum number of nodes of a simulated run.
pub const MOST_SIMULATED_NODES: u32 = 2_000_000;
/// Maximum number of locks of a run.
pub const MOST_LOCKS: u32 = 1_000;
/// Maximum number of pairs of a node and a lock. Algorithms and monitors allocate memory for each pair.
pub const MOST_PAIRS: u64 = 2_000_000;
/// Largest seed. Every JSON reader represents all integers up to this value exactly.
pub const LARGEST_SEED: u64 = (1 << 53) - 1;
/// Maximum length of a run's name, in characters.
pub const LONGEST_NAME: usize = 200;
/// Maximum value of the time after which a wait counts as slow, in ms: one hour.
const LONGEST_SLOW_AFTER_MS: u64 = 3_600_000;

/// A run to create. Only `algorithm` is required.
#[derive(Clone, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// Version of this document: 1.
    pub version: Option<u32>,
    /// Display name of the run, 1 … 200 characters [default: the title of the algorithm].
    pub name: Option<String>,
    /// Name of the algorithm in the catalogue.
    pub algorithm: String,
    /// Variant of the algorithm [default: the first variant of the algorithm].
    pub variant: Option<String>,
    /// Parameters of the algorithm; times are in ms. If messages have long delays, the defaults of time-outs are
    /// longer.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, WordOrNumber>, required = false)]
    pub parameters: Parameters,
    /// Number of nodes, 1 … 1,000 [default: 5].
    pub nodes: Option<u32>,
    /// Number of locks, 1 … 1,000 [default: the number that the algorithm sets, which is 1 for most algorithms].
    pub locks: Option<u32>,
    /// Seed of all random draws, 0 … 2⁵³ − 1 [default: drawn at random].
    pub seed: Option<u64>,
    /// Channel layer above the links [default: raw].
    #[schema(value_type = Option<ChannelName>)]
    pub channel: Option<ChannelLayer>,
    /// Failure detector of the processes [default: none].
    #[schema(value_type = Option<DetectorName>)]
    pub detector: Option<Detector>,
    /// Default settings of all links.
    #[serde(default)]
    pub network: LinkPatch,
    /// Links with their own settings.
    #[serde(default)]
    pub links: Vec<LinkOverride>,
    /// Workload: the requests that clients make by themselves. If absent, clients make no requests by themselves.
    pub workload: Option<WorkloadDraft>,
    /// Actions on the run, each with a time; at most 1,000.
    #[serde(default)]
    pub script: Vec<Scripted>,
    /// Whether the timers of the nodes fire by themselves [default: true]. If false, a timer fires only by an
    /// action.
    pub timers: Option<bool>,
    /// Time after which a wait counts as slow, in ms, from 1 to 3,600,000 [default: 2,000].
    #[serde(default, deserialize_with = "optional_whole_ms")]
    #[schema(value_type = Option<Time>)]
    pub slow_after_ms: Option<u64>,
    /// Monitors that judge the run in addition to the usual ones: `timestamp-order`, `real-time-order` [default: none].
    #[serde(default, deserialize_with = "listed::list")]
    #[schema(value_type = OptionalMonitors, required = false)]
    pub monitors: Vec<OptionalMonitor>,
    /// Actions of a scenario's steps that can end the wait of a process. Only the specification of a scenario's run
    /// contains them.
    #[serde(default)]
    #[schema(required = false)]
    pub planned: Planned,
    /// Nodes that are programs of a user. Only a scenario file contains this field.
    #[serde(skip)]
    pub programs: Vec<NodeGroup>,
    /// Servers that the programs use. Only a scenario file contains this field.
    #[serde(skip)]
    pub services: Vec<Service>,
    /// Declaration about programs that run an algorithm of their own. Only a scenario file contains it.
    #[serde(skip)]
    pub own: Option<Declaration>,
}

/// A workload to run. All fields are optional.
#[derive(Clone, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkloadDraft {
    /// Idle time of a client before a request, in ms [default: `exp:200`].
    pub idle: Option<Distribution>,
    /// Time that a client stays in the critical section, in ms [default: `const:50`].
    pub hold: Option<Distribution>,
    /// Number of rounds of each client [default: unlimited].
    pub entries: Option<u64>,
    /// Locks that a client acquires in a round, in this order [default: `first`]:
    ///
    /// - `first`: lock 0.
    /// - `one`: one lock, drawn in each round.
    /// - `all`: all locks, in ascending order.
    /// - `neighbours`: the lock with the same number as the client, and the next lock.
    /// - `some:2`: two locks (or another number), drawn in each round.
    /// - `directory` or `directory:10%`: lock 0 is a directory, and the other locks are its files. In most rounds,
    ///   the client acquires the directory and one file, which is drawn. It releases the directory when it has the
    ///   file. In this percentage of the rounds, it acquires the directory and all files.
    /// - `0,3,1`: the listed locks.
    pub locks: Option<LockChoice>,
    /// Time between the grant of a lock and the request for the next lock of the round, in ms [default: `0`].
    pub between: Option<Distribution>,
    /// Time before a client requests again after an abort, in ms [default: `uniform:5..25`].
    pub again: Option<Distribution>,
    /// Probability, 0 … 1, that a client that has just requested a lock sends a message to another client, which
    /// then also requests [default: 0].
    #[serde(default, deserialize_with = "optional_probability")]
    #[schema(value_type = Option<Likelihood>)]
    pub tell: Option<f64>,
    /// Service that clients use in each round instead of a lock: `echo`, `unique-ids`, `broadcast` or `lin-kv`, the
    /// workloads of Maelstrom. If absent, clients acquire locks.
    #[schema(value_type = Option<ServiceName>)]
    pub service: Option<ClientService>,
    /// An account to which clients pay while they are in the critical section of lock 0 [default: none].
    pub account: Option<Account>,
    /// Nodes whose clients make requests [default: all].
    #[schema(value_type = Option<ClientNodes>)]
    pub nodes: Option<Clients>,
    /// Event at which the idle time begins: the exit from the critical section (`closed`) or the previous request
    /// (`open`) [default: `closed`].
    #[serde(rename = "loop")]
    #[schema(value_type = Option<String>)]
    pub kind: Option<LoopKind>,
    /// Clients with their own settings.
    #[serde(default)]
    pub overrides: Vec<ClientOverride>,
}

/// A client with its own settings. If a field is absent, the setting of all other clients applies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientOverride {
    /// Node of the client.
    pub node: NodeId,
    /// Idle time before a request, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<Distribution>,
    /// Time in the critical section, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<Distribution>,
    /// Number of rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
    /// Locks that the client acquires in a round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locks: Option<LockChoice>,
}

/// A shared account, like that of the two cash machines in the lecture: a payment is a read and a write. A client reads
/// the balance when it enters the critical section. When it leaves, it writes the balance that it has read plus the
/// deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// Initial balance [default: 0].
    #[serde(default)]
    pub balance: i64,
    /// Amount that a client pays in at each entry. If absent, clients do not use the account, and only requests to
    /// the API write to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit: Option<i64>,
    /// Whether the account rejects a write whose fencing token is older than the token of an earlier write
    /// [default: false].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fencing: bool,
}

/// The complete specification of a run. Every reader checks that its numbers are within their bounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Specification {
    /// Version of this document.
    pub version: u32,
    /// Display name of the run.
    #[serde(deserialize_with = "bounds::name")]
    pub name: String,
    /// Name of the algorithm in the catalogue.
    pub algorithm: String,
    /// Variant of the algorithm.
    pub variant: String,
    /// Parameters of the algorithm. If the run was created from a draft, all parameters are present, with the
    /// values that are in force.
    pub parameters: Parameters,
    /// Number of processes: the nodes, and after them the processes of the services.
    #[serde(deserialize_with = "bounds::nodes")]
    pub nodes: u32,
    /// Number of locks; 1 if the algorithm has no locks.
    #[serde(default = "one_lock", deserialize_with = "bounds::locks")]
    pub locks: u32,
    /// Seed of all random draws.
    #[serde(deserialize_with = "bounds::seed")]
    pub seed: u64,
    /// Channel layer above the links.
    pub channel: ChannelLayer,
    /// Failure detector of the processes.
    #[serde(default, skip_serializing_if = "Detector::is_none")]
    pub detector: Detector,
    /// Default settings of all links.
    pub network: LinkSetting,
    /// Links with their own settings.
    pub links: Vec<LinkOverride>,
    /// Workload: the requests that clients make by themselves.
    pub workload: Option<Workload>,
    /// Actions on the run, each with a time.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "bounds::script")]
    pub script: Vec<Scripted>,
    /// Monitors that judge the run in addition to the usual ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub monitors: Vec<OptionalMonitor>,
    /// Actions of a scenario's steps that can end the wait of a process. Only the specification of a scenario's run
    /// contains them.
    #[serde(default, skip_serializing_if = "Planned::is_empty")]
    pub planned: Planned,
    /// Whether the timers of the nodes fire by themselves.
    pub timers: bool,
    /// Time after which a wait counts as slow, in ms.
    #[serde(deserialize_with = "bounds::slow_after_ms")]
    pub slow_after_ms: u64,
    /// Nodes that are programs of a user; empty if there are none. The list only documents the run: a specification
    /// that lists a program does not cause it to be started.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<NodeGroup>,
    /// Servers that the programs use. Each of their processes is a process of the run, and counts among its `nodes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<Service>,
    /// Declaration about these programs, if they run an algorithm of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<Declaration>,
}

const fn one_lock() -> u32 {
    1
}

/// Workload of a run: the requests that its clients make by themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workload {
    /// Settings that all clients share.
    #[serde(flatten)]
    pub client_loop: ClientLoop,
    /// Nodes whose clients make requests.
    pub nodes: Clients,
    /// An account to which clients pay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Account>,
    /// Clients with their own settings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<ClientOverride>,
}

impl Workload {
    /// Returns the lock choices of all clients, including the clients with their own settings.
    pub fn choices(&self) -> impl Iterator<Item = &LockChoice> {
        let own = self.overrides.iter().filter_map(|own| own.locks.as_ref());
        std::iter::once(&self.client_loop.locks).chain(own)
    }

    /// Returns a workload in which all clients have this loop.
    #[must_use]
    pub const fn of_all(client_loop: ClientLoop) -> Self {
        Self { client_loop, nodes: Clients::All(All::All), account: None, overrides: Vec::new() }
    }
}

/// All nodes, or some of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected `all` or a list of nodes such as `0,2`")]
pub enum Clients {
    /// The text `"all"`.
    All(All),
    /// A list of nodes.
    These(#[serde(deserialize_with = "listed::list")] Vec<NodeId>),
}

/// The word `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum All {
    /// All nodes.
    All,
}

impl Clients {
    /// Returns whether `node` is one of these nodes.
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        match self {
            Self::All(All::All) => true,
            Self::These(nodes) => nodes.contains(&node),
        }
    }
}

impl Specification {
    /// Returns whether this variant of the algorithm needs links that keep the order of messages.
    #[must_use]
    pub fn needs_order(&self) -> bool {
        let of_all = catalogue::find(&self.algorithm).is_ok_and(|entry| entry.assumes.fifo);
        of_all || catalogue::assumptions(&self.algorithm, &self.variant).is_some_and(|assumes| assumes.fifo)
    }

    /// Returns the configuration: the fields of the specification that the algorithm itself checks.
    #[must_use]
    pub fn configuration(&self) -> Configuration<'_> {
        Configuration {
            algorithm: &self.algorithm,
            variant: Some(&self.variant),
            parameters: &self.parameters,
            nodes: self.nodes,
            locks: self.locks,
        }
    }

    /// Returns the client loop of `node`; none if its client makes no requests by itself.
    #[must_use]
    pub fn client_loop(&self, node: NodeId) -> Option<ClientLoop> {
        let is_client = |workload: &&Workload| node.0 < self.clients() && workload.nodes.contains(node);
        let workload = self.workload.as_ref().filter(is_client)?;
        let others = workload.client_loop.clone();
        let Some(own) = workload.overrides.iter().rfind(|own| own.node == node) else { return Some(others) };
        Some(ClientLoop {
            idle: own.idle.unwrap_or(others.idle),
            hold: own.hold.unwrap_or(others.hold),
            entries: own.entries.or(others.entries),
            locks: own.locks.clone().unwrap_or(others.locks),
            ..others
        })
    }
}
