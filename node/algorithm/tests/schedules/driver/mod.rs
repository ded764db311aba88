//! Drives any algorithm of mutual exclusion, step by step and with every freedom that the network and the clients
//! have: which link delivers next, which client acts next. Steps are atomic and there is one order of all of them, so
//! who is in the section is known exactly.

pub mod causality;
pub mod drawn;
pub mod exhaustive;
pub mod exploration;
pub mod forged;
pub mod random;
pub mod rules;
pub mod script;
pub mod world;

use interlock_algorithm::{Algorithm, Configuration, NodeId, ParameterValue, Parameters};

use self::world::{Channel, World};

/// A configuration to drive: the setting of an algorithm, and the world around it.
pub struct Scene<A: Algorithm> {
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
    /// The numbers of the arbitrary states in which the nodes begin; if there are none, they begin as usual.
    pub beginning: Vec<u64>,
    /// Whether nodes are given messages that no run comes to, as no driver does.
    pub credulous: bool,
}

impl<A: Algorithm> Scene<A> {
    /// A scene with the algorithm as the catalogue would make it: `variant` is `NAME` or `NAME PARAMETER=VALUE …`.
    pub fn new(variant: &str, nodes: u32, entries: u32, channel: Channel) -> Self {
        let mut words = variant.split_whitespace();
        let variant = words.next();
        let parameters: Parameters = words
            .map(|word| word.split_once('=').expect("PARAMETER=VALUE"))
            .map(|(name, value)| (name.to_owned(), ParameterValue::Text(value.to_owned())))
            .collect();
        let configuration =
            Configuration { algorithm: A::ENTRY.name, variant, parameters: &parameters, nodes, locks: 1 };
        let setting = A::configure(&configuration).expect("a configuration that can be");
        Self { setting, nodes, entries, askers: nodes, channel, beginning: Vec::new(), credulous: false }
    }

    /// The same scene, where only the clients of the first nodes ever ask.
    pub fn with_askers(self, askers: u32) -> Self {
        Self { askers, ..self }
    }

    /// The same scene, where the nodes begin in these states.
    pub fn beginning_in(self, beginning: &[u64]) -> Self {
        Self { beginning: beginning.to_vec(), ..self }
    }

    /// The same scene, where nodes are given messages that no run comes to.
    pub fn credulous(self) -> Self {
        Self { credulous: true, ..self }
    }

    /// The state in which a node begins.
    pub fn first_state(&self, node: NodeId) -> A {
        match self.beginning.get(node.index()) {
            Some(&choice) => A::arbitrary(&self.setting, node, choice).expect("the number of a state"),
            None => A::new(&self.setting, node),
        }
    }

    /// The world before the first step.
    pub fn world(&self) -> World<A> {
        World::new(self)
    }
}
