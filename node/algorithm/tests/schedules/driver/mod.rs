//! Drives any algorithm of mutual exclusion, step by step and with every freedom that the network and the clients
//! have: which link delivers next, which client acts next. Steps are atomic and there is one order of all of them, so
//! who is in the section is known exactly.

pub mod causality;
pub mod drawn;
pub mod exhaustive;
pub mod forged;
pub mod random;
pub mod rules;
pub mod script;
pub mod world;

use interlock_algorithm::{Algorithm, NodeId, ParameterValue};
use interlock_model::network::LinkSetting;
use interlock_model::specification::{Channel as Above, Specification, VERSION};

use self::world::{Channel, World};

/// A configuration to drive: the setting of an algorithm, and the world around it.
pub struct Scene<A: Algorithm> {
    /// The run; what its clients do and its links is up to the scene.
    pub specification: Specification,
    /// The setting of the algorithm.
    pub setting: A::Setting,
    /// The number of nodes.
    pub nodes: u32,
    /// How often each client enters that enters at all.
    pub entries: u32,
    /// How many clients ever enter: those of the first nodes.
    pub askers: u32,
    /// What the links do.
    pub channel: Channel,
    /// The arbitrary states in which the nodes begin; if there are none, they begin as usual.
    pub beginning: Vec<A>,
    /// Whether nodes are given messages that no run comes to, as no driver does.
    pub credulous: bool,
}

impl<A: Algorithm> Scene<A> {
    /// A scene with the algorithm as the catalogue would make it: `variant` is `NAME` or `NAME PARAMETER=VALUE …`.
    pub fn new(variant: &str, nodes: u32, entries: u32, channel: Channel) -> Self {
        let mut words = variant.split_whitespace();
        let variant = words.next().expect("a variant").to_owned();
        let parameter = |word: &str| word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        let parameters = words.map(|word| parameter(word).expect("PARAMETER=VALUE"));
        let specification = Specification {
            version: VERSION,
            name: A::ENTRY.title.to_owned(),
            algorithm: A::ENTRY.name.to_owned(),
            variant,
            parameters: parameters.map(|(name, value)| (name, ParameterValue::Text(value))).collect(),
            nodes,
            locks: 1,
            seed: 0,
            channel: Above::Raw,
            network: LinkSetting { fifo: channel.fifo, hold: true, ..LinkSetting::default() },
            links: Vec::new(),
            workload: None,
            script: Vec::new(),
            timers: true,
            slow_after_ms: 2_000,
        };
        let setting = A::configure(&specification.configuration()).expect("a configuration that can be");
        Self { specification, setting, nodes, entries, askers: nodes, channel, beginning: Vec::new(), credulous: false }
    }

    /// The same scene, where only the clients of the first nodes ever ask.
    pub fn with_askers(self, askers: u32) -> Self {
        Self { askers, ..self }
    }

    /// The same scene, where the nodes begin in the arbitrary states of these numbers.
    pub fn beginning_in(self, beginning: &[u64]) -> Self {
        let state = |(me, &number)| A::arbitrary(&self.setting, me, number).expect("the number of a state");
        Self { beginning: NodeId::all(self.nodes).zip(beginning).map(state).collect(), ..self }
    }

    /// The same scene, where nodes are given messages that no run comes to.
    pub fn credulous(self) -> Self {
        Self { credulous: true, ..self }
    }

    /// The state in which a node begins.
    pub fn first_state(&self, node: NodeId) -> A {
        match self.beginning.get(node.index()) {
            Some(state) => state.clone(),
            None => A::new(&self.setting, node),
        }
    }

    /// The world before the first step.
    pub fn world(&self) -> World<A> {
        World::new(self)
    }
}
