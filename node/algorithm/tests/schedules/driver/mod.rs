//! Driver that runs any algorithm in the simulated world. The network, the processes and the clients may behave in
//! any possible way. Messages arrive, are lost or duplicated. Timers expire, processes crash and restart, clients
//! make requests.

pub mod bare;
pub mod clients;
pub mod contract;
pub mod costs;
pub mod detector;
pub mod exhaustive;
pub mod faults;
pub mod forged;
pub mod random;
pub mod run;
pub mod script;
pub mod watch;

use interlock_algorithm::{Algorithm, Configuration, LockId, NodeId, ParameterValue};
use interlock_machine::distribution::Distribution;
use interlock_machine::lock_choice::LockChoice;
use interlock_machine::workload::{ClientLoop, LoopKind};
use interlock_model::network::LinkSetting;
use interlock_model::specification::{
    All, Channel, ClientOverride, Clients, Detector, Planned, Specification, VERSION, Workload,
};

use self::clients::Client;
use self::faults::Faults;

/// A run for the driver: its specification, the setting of its algorithm, the possible faults, and the clients.
pub struct Scene<A: Algorithm> {
    /// The specification of the run.
    pub specification: Specification,
    /// The setting of the algorithm.
    pub setting: A::Setting,
    /// The faults that may occur.
    pub faults: Faults,
    /// The function that returns the next order of each client.
    pub client: Client<A>,
    /// For each node, the number of its arbitrary initial state. If the list is empty, all nodes begin in the usual
    /// initial state.
    pub beginning: Vec<u64>,
    /// Whether nodes accept messages with numbers that cannot occur in a run. Every real driver rejects such
    /// messages.
    pub credulous: bool,
}

impl<A: Algorithm> Scene<A> {
    /// Creates a scene with the setting that the catalogue creates for the algorithm. `variant` is `NAME` or `NAME
    /// PARAMETER=VALUE …`. Messages have no delay: each is in transit until the driver delivers it.
    #[track_caller]
    pub fn new(variant: &str, nodes: u32, faults: Faults, client: Client<A>) -> Self {
        let mut words = variant.split_whitespace();
        let variant = words.next().expect("a variant").to_owned();
        let parameter = |word: &str| word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        let parameters = words.map(|word| parameter(word).expect("PARAMETER=VALUE"));
        let mut specification = Specification {
            version: VERSION,
            name: A::ENTRY.title.to_owned(),
            algorithm: A::ENTRY.name.to_owned(),
            variant,
            parameters: parameters.map(|(name, value)| (name, ParameterValue::Text(value))).collect(),
            nodes,
            locks: 1,
            seed: 0,
            channel: Channel::Raw.into(),
            detector: Detector::None,
            network: LinkSetting { fifo: faults.fifo, hold: true, ..LinkSetting::default() },
            links: Vec::new(),
            workload: None,
            script: Vec::new(),
            monitors: Vec::new(),
            planned: Planned::default(),
            timers: true,
            slow_after_ms: 2_000,
            programs: Vec::new(),
            services: Vec::new(),
            own: None,
        };
        specification.locks = A::default_locks(&specification.configuration());
        let configuration = Configuration { locks: specification.locks, ..specification.configuration() };
        let setting = A::configure(&configuration).expect("a configuration that can be");
        Self { specification, setting, faults, client, beginning: Vec::new(), credulous: false }
    }

    pub const fn nodes(&self) -> u32 {
        self.specification.nodes
    }

    /// Returns the same scene with clients that work automatically. Each client makes `rounds` rounds, and in each
    /// round acquires the locks that `locks` returns for its node.
    pub fn working(mut self, rounds: u64, locks: fn(NodeId) -> Vec<u32>) -> Self {
        let at_once = Distribution::ZERO;
        let client_loop = ClientLoop {
            idle: at_once,
            hold: at_once,
            entries: Some(rounds),
            kind: LoopKind::Closed,
            locks: LockChoice::First,
            between: at_once,
            again: at_once,
            tell: 0.0,
            service: None,
        };
        let own = |node| {
            let locks = locks(node).into_iter().map(LockId).collect();
            ClientOverride { node, idle: None, hold: None, entries: None, locks: Some(LockChoice::These(locks)) }
        };
        let overrides = NodeId::all(self.nodes()).map(own).collect();
        let nodes = Clients::All(All::All);
        self.specification.workload = Some(Workload { client_loop, nodes, account: None, overrides });
        self
    }

    /// Returns the same scene, in which each node begins in the arbitrary state whose number is listed for this
    /// node.
    pub fn beginning_in(self, beginning: &[u64]) -> Self {
        Self { beginning: beginning.to_vec(), ..self }
    }

    /// Returns the same scene, but its nodes also accept messages whose numbers are too great to occur in a run.
    pub fn credulous(self) -> Self {
        Self { credulous: true, ..self }
    }
}
