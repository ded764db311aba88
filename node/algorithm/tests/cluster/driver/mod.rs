//! Drives any algorithm, step by step and with every freedom that the world has: which message arrives, is lost or
//! doubled, which timer runs out, who crashes and comes back, which client asks. Steps are atomic and there is one
//! order of all of them, so a check after each sees everything that is true.

pub mod clients;
pub mod draws;
pub mod faults;
pub mod forged;
pub mod log;
pub mod play;
pub mod script;
pub mod well_formed;
pub mod world;

use interlock_algorithm::{Algorithm, Command, Configuration, NodeId, ParameterValue, Parameters};

use self::faults::Faults;
use self::world::World;

/// What the client of a node would ask next; none while it wants nothing.
pub type Client<A> = Box<dyn Fn(&World<A>, NodeId) -> Option<Command>>;

/// A configuration to drive: the setting of an algorithm, and the world around it.
pub struct Scene<A: Algorithm> {
    /// The setting of the algorithm.
    pub setting: A::Setting,
    /// The number of nodes.
    pub nodes: u32,
    /// What may go wrong.
    pub faults: Faults,
    /// What the clients want. It is asked anew before each step; what the algorithm objects to is not commanded.
    pub client: Client<A>,
    /// Whether nodes are given messages with numbers that no run comes to, as no driver does.
    pub credulous: bool,
}

impl<A: Algorithm> Scene<A> {
    /// A scene with the algorithm as the catalogue would make it: `variant` is `NAME` or `NAME PARAMETER=VALUE …`.
    #[track_caller]
    pub fn new(
        variant: &str,
        nodes: u32,
        faults: Faults,
        client: impl Fn(&World<A>, NodeId) -> Option<Command> + 'static,
    ) -> Self {
        let mut words = variant.split_whitespace();
        let variant = words.next();
        let parameters: Parameters = words
            .map(|word| word.split_once('=').expect("PARAMETER=VALUE"))
            .map(|(name, value)| (name.to_owned(), ParameterValue::Text(value.to_owned())))
            .collect();
        let one = Configuration { algorithm: A::ENTRY.name, variant, parameters: &parameters, nodes, locks: 1 };
        let configuration = Configuration { locks: A::default_locks(&one), ..one };
        let setting = A::configure(&configuration).expect("a configuration that can be");
        Self { setting, nodes, faults, client: Box::new(client), credulous: false }
    }

    /// The same scene, where nodes are given messages with numbers that no run comes to.
    pub fn credulous(self) -> Self {
        Self { credulous: true, ..self }
    }
}
