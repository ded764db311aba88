//! What a run is: one versioned document, the body of `POST /runs` and the header of its journal.

mod bounds;
mod channel;
mod choice_errors;
mod complete;
mod declared;
mod delays;
mod detector;
mod known_algorithm;
mod planned;
mod program;
pub mod schema;
mod script;
mod time_outs;

use interlock_algorithm::{Configuration, NodeId, Parameters, catalogue};
use interlock_machine::distribution::Distribution;
use interlock_machine::lock_choice::LockChoice;
use interlock_machine::quantity::{optional_probability, optional_whole_ms};
use interlock_machine::service::Service;
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
pub use planned::{Act, ActKind, NemesisCrashes, Planned, Window};
pub use program::{NodeGroup, count, read_groups};
use schema::{ChannelName, DetectorName};
pub use script::{LONGEST_SCRIPT, Scripted};
pub use time_outs::TimeOuts;

/// The version of the document that this program reads and writes.
pub const VERSION: u32 = 1;
/// The most nodes a live run can have.
pub const MOST_NODES: u32 = 200;
/// The most nodes a simulated run can have.
pub const MOST_SIMULATED_NODES: u32 = 2_000_000;
/// The most locks a run can have.
pub const MOST_LOCKS: u32 = 1_000;
/// The most pairs of a node and a lock that a run can have: algorithms and monitors keep something for each.
pub const MOST_PAIRS: u64 = 2_000_000;
/// The largest seed: numbers up to here survive every JSON reader.
pub const LARGEST_SEED: u64 = (1 << 53) - 1;
/// The longest name of a run, in characters.
pub const LONGEST_NAME: usize = 200;
/// The longest time before a wait is called slow, in ms: an hour.
const LONGEST_SLOW_AFTER_MS: u64 = 3_600_000;

/// A run as somebody asks for it: only the algorithm must be there.
#[derive(Clone, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The version of this document; 1.
    pub version: Option<u32>,
    /// What people call the run.
    pub name: Option<String>,
    /// The name of the algorithm in the catalogue.
    pub algorithm: String,
    /// The variant; the first if absent.
    pub variant: Option<String>,
    /// The algorithm's own parameters, times in ms; the defaults of time-outs are longer where delays are.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, WordOrNumber>, required = false)]
    pub parameters: Parameters,
    /// How many nodes, 1 … 200; 5 if absent.
    pub nodes: Option<u32>,
    /// How many locks, 1 … 1,000; as the algorithm says if absent, which is 1 for most.
    pub locks: Option<u32>,
    /// What all randomness is drawn from, 0 … 2⁵³ − 1; drawn if absent.
    pub seed: Option<u64>,
    /// What lies above the links; `raw` if absent.
    #[schema(value_type = Option<ChannelName>)]
    pub channel: Option<ChannelLayer>,
    /// How processes know of each other's crashes; `none` if absent.
    #[schema(value_type = Option<DetectorName>)]
    pub detector: Option<Detector>,
    /// How links behave unless told otherwise.
    #[serde(default)]
    pub network: LinkPatch,
    /// Links that behave differently.
    #[serde(default)]
    pub links: Vec<LinkOverride>,
    /// What the clients do by themselves; nothing if absent.
    pub workload: Option<WorkloadDraft>,
    /// What is done to the run, and when.
    #[serde(default)]
    pub script: Vec<Scripted>,
    /// Whether the nodes' own timers run; true if absent.
    pub timers: Option<bool>,
    /// After how long a wait is called slow, in ms; 2,000 if absent.
    #[serde(default, deserialize_with = "optional_whole_ms")]
    #[schema(value_type = Option<Time>)]
    pub slow_after_ms: Option<u64>,
    /// What the steps of a scenario do that can set a waiting run going again; only the specification of such a run has it.
    #[serde(default)]
    #[schema(required = false)]
    pub planned: Planned,
    /// The nodes that are programs of somebody's own: only a scenario file names them.
    #[serde(skip)]
    pub programs: Vec<NodeGroup>,
    /// What programs are that play an algorithm of their own: only a scenario file declares it.
    #[serde(skip)]
    pub own: Option<Declaration>,
}

/// A workload as somebody asks for it.
#[derive(Clone, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkloadDraft {
    /// How long a client idles, in ms; `exp:200` if absent.
    pub idle: Option<Distribution>,
    /// How long it stays in the section, in ms; `const:50` if absent.
    pub hold: Option<Distribution>,
    /// How many rounds each client makes; for ever if absent.
    pub entries: Option<u64>,
    /// Which locks a client takes in a round, in which order: `first` (lock 0), `one` (drawn), `all`, `neighbours` (its
    /// own number and the next), `some:2` (drawn), `directory:10%` (lock 0 is that of a directory, the others those of its
    /// files: the directory until one drawn file is there, or, in so many rounds, the directory with all files), or a list
    /// such as `0,3,1`; `first` if absent.
    pub locks: Option<LockChoice>,
    /// How long a client waits between getting one lock and asking for the next, in ms; `0` if absent.
    pub between: Option<Distribution>,
    /// How long it waits before it asks again after an abort, in ms; `uniform:5..25` if absent.
    pub again: Option<Distribution>,
    /// How probable it is that a client that has just asked tells another, which then asks, too; 0 if absent.
    #[serde(default, deserialize_with = "optional_probability")]
    #[schema(value_type = Option<Likelihood>)]
    pub tell: Option<f64>,
    /// What clients ask for in each round in the place of a lock: `echo`, `unique-ids`, `broadcast` or `lin-kv`, the
    /// workloads of Maelstrom; a lock if absent.
    #[schema(value_type = Option<ServiceName>)]
    pub service: Option<Service>,
    /// An account that clients pay into while they are in the section of lock 0; none if absent.
    pub account: Option<Account>,
    /// Whose clients; all if absent.
    #[schema(value_type = Option<ClientNodes>)]
    pub nodes: Option<Clients>,
    /// What idle times are counted from: `closed` (the exit) or `open` (the request before); `closed` if absent.
    #[serde(rename = "loop")]
    #[schema(value_type = Option<String>)]
    pub kind: Option<LoopKind>,
    /// Clients that behave differently.
    #[serde(default)]
    pub overrides: Vec<ClientOverride>,
}

/// A client that behaves differently from the others: what is absent is as with them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientOverride {
    /// Whose client.
    pub node: NodeId,
    /// How long it idles, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<Distribution>,
    /// How long it stays in the section, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<Distribution>,
    /// How many rounds it makes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
    /// Which locks it takes in a round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locks: Option<LockChoice>,
}

/// An account, kept as the cash machines of s2 keep it: who enters the section reads the balance, and who leaves it
/// writes what it has read, plus its deposit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// What is in it at first.
    #[serde(default)]
    pub balance: i64,
    /// What is paid in at each entry; clients leave the account alone if absent, for those who write over the API.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposit: Option<i64>,
    /// Whether a write is refused that bears an older fencing token than one before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fencing: bool,
}

/// A run with nothing left open. Its numbers are bounded wherever it is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Specification {
    /// The version of this document.
    pub version: u32,
    /// What people call the run.
    #[serde(deserialize_with = "bounds::name")]
    pub name: String,
    /// The name of the algorithm in the catalogue.
    pub algorithm: String,
    /// The variant.
    pub variant: String,
    /// The algorithm's own parameters: of a run that was asked for, all of them, with the values in force.
    pub parameters: Parameters,
    /// How many nodes.
    #[serde(deserialize_with = "bounds::nodes")]
    pub nodes: u32,
    /// How many locks; 1 if its algorithm has none.
    #[serde(default = "one_lock", deserialize_with = "bounds::locks")]
    pub locks: u32,
    /// What all randomness is drawn from.
    #[serde(deserialize_with = "bounds::seed")]
    pub seed: u64,
    /// What lies above the links.
    pub channel: ChannelLayer,
    /// How processes know of each other's crashes.
    #[serde(default, skip_serializing_if = "Detector::is_none")]
    pub detector: Detector,
    /// How links behave unless told otherwise.
    pub network: LinkSetting,
    /// Links that behave differently.
    pub links: Vec<LinkOverride>,
    /// What the clients do by themselves.
    pub workload: Option<Workload>,
    /// What is done to the run, and when.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "bounds::script")]
    pub script: Vec<Scripted>,
    /// What the steps of a scenario do that can set a waiting run going again: only a scenario says it.
    #[serde(default, skip_serializing_if = "Planned::is_empty")]
    pub planned: Planned,
    /// Whether the nodes' own timers run.
    pub timers: bool,
    /// After how long a wait is called slow, in ms.
    #[serde(deserialize_with = "bounds::slow_after_ms")]
    pub slow_after_ms: u64,
    /// Which nodes are programs of somebody's own; none if there are no such nodes. It tells what was run: nobody starts
    /// a program because it stands here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<NodeGroup>,
    /// What they are, as it was declared, if they play an algorithm of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<Declaration>,
}

const fn one_lock() -> u32 {
    1
}

/// What the clients of a run do by themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workload {
    /// The loop.
    #[serde(flatten)]
    pub client_loop: ClientLoop,
    /// Whose clients.
    pub nodes: Clients,
    /// An account that clients pay into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<Account>,
    /// Clients that behave differently.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<ClientOverride>,
}

impl Workload {
    /// Which locks its clients take, those that differ included.
    pub fn choices(&self) -> impl Iterator<Item = &LockChoice> {
        let own = self.overrides.iter().filter_map(|own| own.locks.as_ref());
        std::iter::once(&self.client_loop.locks).chain(own)
    }

    /// All clients do this.
    #[must_use]
    pub const fn of_all(client_loop: ClientLoop) -> Self {
        Self { client_loop, nodes: Clients::All(All::All), account: None, overrides: Vec::new() }
    }
}

/// Some or all nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "it is neither `all` nor a list of nodes such as `0,2`")]
pub enum Clients {
    /// `"all"`.
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
    /// Whether `node` is one of them.
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        match self {
            Self::All(All::All) => true,
            Self::These(nodes) => nodes.contains(&node),
        }
    }
}

impl Specification {
    /// Whether its algorithm, or the variant of it, needs the order of links.
    #[must_use]
    pub fn needs_order(&self) -> bool {
        let of_all = catalogue::find(&self.algorithm).is_ok_and(|entry| entry.assumes.fifo);
        of_all || catalogue::assumptions(&self.algorithm, &self.variant).is_some_and(|assumes| assumes.fifo)
    }

    /// What of it the algorithm checks for itself.
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

    /// What the client of `node` does by itself.
    #[must_use]
    pub fn client_loop(&self, node: NodeId) -> Option<ClientLoop> {
        let workload = self.workload.as_ref().filter(|workload| workload.nodes.contains(node))?;
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
