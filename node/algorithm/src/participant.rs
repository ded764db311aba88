//! One incarnation of a process. It takes part in the algorithm, or can no longer take part.

use alloc::format;
use alloc::string::String;

use crate::clock::Show;
use crate::command::Command;
use crate::contract::{Algorithm, Effects, Input};
use crate::identity::NodeId;
use crate::view::{Value, View};

/// A process that a driver runs. It follows the algorithm, or takes no part in it at all.
///
/// A process that restarts may have forgotten to which processes it gave its permission, its vote or a resource. If it
/// gave the same permission, vote or resource again, two processes could hold what only one may hold. If the algorithm
/// cannot recover that knowledge, its [`begin_incarnation`](Algorithm::begin_incarnation) returns none, and the
/// process takes no part. The other processes consider it crashed, its own client is notified, and mutual exclusion
/// holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Participant<A>(Option<A>);

impl<A: Algorithm> Participant<A> {
    /// Returns the process of node `me` before the first input of its incarnation `incarnation`, counted from 1.
    #[must_use]
    pub fn new(setting: &A::Setting, me: NodeId, incarnation: u32) -> Self {
        Self(if incarnation > 1 { A::begin_incarnation(setting, me, incarnation) } else { Some(A::new(setting, me)) })
    }

    /// Returns a process in the given state, which need not be an initial state.
    #[must_use]
    pub const fn in_state(state: A) -> Self {
        Self(Some(state))
    }

    /// Returns the state of the algorithm; none if the process takes no part.
    #[must_use]
    pub const fn state(&self) -> Option<&A> {
        self.0.as_ref()
    }

    /// Takes a step: see [`Algorithm::step`]. If the process takes no part, there are no effects.
    pub fn step(&mut self, setting: &A::Setting, me: NodeId, input: Input<A>, out: &mut Effects<A>) {
        if let Some(state) = &mut self.0 {
            state.step(setting, me, input, out);
        }
    }

    /// Returns the state for display: see [`Algorithm::view`].
    #[must_use]
    pub fn view(&self, setting: &A::Setting, me: NodeId) -> View {
        match &self.0 {
            Some(state) => state.view(setting, me),
            None => View { variables: [("takes_part".into(), Value::Flag(false))].into(), ..View::default() },
        }
    }

    /// Returns the objection to a command: see [`Algorithm::objection`]. A process that takes no part executes no
    /// command.
    #[must_use]
    pub fn objection(&self, setting: &A::Setting, me: NodeId, command: &Command) -> Option<String> {
        match &self.0 {
            Some(state) => state.objection(setting, me, command),
            None => Some(format!(
                "{me} lost its promises to others in a crash, and `{}` cannot recover them, so it does not \
                 participate; start another run, or use an algorithm that stores them remember",
                A::entry(setting).name
            )),
        }
    }

    /// Passes every growing number to `show`: see [`Algorithm::growing`].
    pub fn growing(&mut self, setting: &A::Setting, me: NodeId, show: &mut Show<'_>) {
        if let Some(state) = &mut self.0 {
            state.growing(setting, me, show);
        }
    }

    /// Returns the stamp of an application message: see [`Algorithm::stamp`].
    pub fn stamp(&mut self, setting: &A::Setting) -> Option<u64> {
        self.0.as_mut()?.stamp(setting)
    }

    /// Records the stamp of an application message: see [`Algorithm::witness`].
    pub fn witness(&mut self, setting: &A::Setting, stamp: u64) {
        if let Some(state) = &mut self.0 {
            state.witness(setting, stamp);
        }
    }
}
