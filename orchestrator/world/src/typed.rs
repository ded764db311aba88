//! Worlds whose algorithm has a known type: their creation, and access to the state of their nodes.

use std::borrow::Borrow;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use interlock_algorithm::{Algorithm, NodeId, Refusal, Visitor, catalogue};
use interlock_machine::message_id::MessageId;
use interlock_machine::node::Node;

use super::World;
use super::content::{Content, put, seen};
use super::kernel::Kernel;
use super::nodes_of::NodesOf;
use super::observer::Observer;
use interlock_model::specification::Specification;

/// The world of a run of algorithm `A`: a [`World`] with a known type of nodes.
pub type WorldOf<'a, A> = World<'a, NodesOf<'a, A>>;

impl<'a, A: Algorithm> Deref for WorldOf<'a, A> {
    type Target = World<'a>;

    fn deref(&self) -> &World<'a> {
        self
    }
}

impl<'a, A: Algorithm> DerefMut for WorldOf<'a, A> {
    fn deref_mut(&mut self) -> &mut World<'a> {
        self
    }
}

impl<'a, A: Algorithm> WorldOf<'a, A> {
    /// Creates a world before its first step. `rounds` is the maximum number of rounds that the clients begin
    /// without orders. If `rounds` is absent, only the workload limits the rounds.
    #[must_use]
    pub fn new(
        specification: &'a Specification,
        setting: &'a A::Setting,
        rounds: Option<u64>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Self {
        let of_the_algorithm = (A::entry(setting), A::is_instantaneous(setting));
        Self {
            kernel: Kernel::new(specification, of_the_algorithm, rounds, observer),
            nodes: NodesOf::new(specification, setting),
        }
    }

    /// Returns the same world with these initial states: one for each of the first processes, in order. All other
    /// processes keep the usual initial state.
    #[must_use]
    pub fn beginning_in(mut self, states: impl IntoIterator<Item = A>) -> Self {
        self.nodes.begin_in(states.into_iter());
        self
    }

    /// Sends a forged message (a Byzantine fault): the algorithm of the sender did not send the message. In the
    /// events, the message belongs to the latest step of the sender.
    pub fn forge(&mut self, from: NodeId, to: NodeId, message: A::Message) {
        if let Some(at) = self.latest_step(from) {
            self.kernel.forge(at, to, put(&mut self.nodes.letters, message));
        }
    }

    /// Returns the node of a process in its current incarnation, or in its last incarnation if the process has
    /// crashed.
    #[must_use]
    pub fn node(&self, node: NodeId) -> Option<&Node<A>> {
        self.nodes.nodes.get(node.index())
    }

    /// Returns the algorithm's messages in the network, in no particular order.
    pub fn in_flight(&self) -> impl Iterator<Item = (MessageId, &A::Message)> {
        self.kernel.network.in_flight().filter_map(|in_flight| match &in_flight.content {
            Content::Protocol(message) => Some((in_flight.id, seen(message)?)),
            Content::Told(_) | Content::Packet(_) | Content::Heartbeat(_) => None,
        })
    }
}

/// The setting of a run, with the type of the algorithm hidden.
pub trait AnySetting {
    /// Creates a world before its first step. `rounds` is the maximum number of rounds that the clients begin
    /// without orders. If `rounds` is absent, only the workload limits the rounds.
    fn world<'a>(
        &'a self,
        specification: &'a Specification,
        rounds: Option<u64>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Box<World<'a>>;
}

/// Returns the setting of a run. The specification names the algorithm in the catalogue.
///
/// # Errors
/// The field of the configuration that the algorithm does not support.
pub fn setting_of(specification: &Specification) -> Result<Box<dyn AnySetting>, Refusal> {
    catalogue::instantiate(&specification.configuration(), Found)
}

struct Found;

impl Visitor for Found {
    type Output = Box<dyn AnySetting>;

    fn visit<A: Algorithm>(self, setting: A::Setting) -> Self::Output {
        Box::new(SettingOf::<A, _>::new(setting))
    }
}

/// The setting of a run of algorithm `A`, owned or borrowed.
pub struct SettingOf<A, S>(S, PhantomData<fn() -> A>);

impl<A: Algorithm, S: Borrow<A::Setting>> SettingOf<A, S> {
    /// Wraps a setting.
    pub const fn new(setting: S) -> Self {
        Self(setting, PhantomData)
    }
}

impl<A: Algorithm, S: Borrow<A::Setting>> AnySetting for SettingOf<A, S> {
    fn world<'a>(
        &'a self,
        specification: &'a Specification,
        rounds: Option<u64>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Box<World<'a>> {
        Box::new(WorldOf::<A>::new(specification, self.0.borrow(), rounds, observer))
    }
}
