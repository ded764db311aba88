//! A process in one of its lives, which takes part in the algorithm, or cannot any more.

use alloc::format;
use alloc::string::String;

use crate::clock::Show;
use crate::command::Command;
use crate::contract::{Algorithm, Effects, Input};
use crate::identity::NodeId;
use crate::view::{Value, View};

/// A process that a driver drives: as the algorithm says, or not at all.
///
/// Who is back after a crash and has forgotten to whom it gave its permission, its vote or a resource must not begin
/// anew, or two get what is one's. Where the algorithm has no way to learn it again
/// ([`begin_incarnation`](Algorithm::begin_incarnation) makes nothing), such a process takes no part: for the others
/// it is as good as dead, its own client is told so, and nobody gets in beside another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Participant<A>(Option<A>);

impl<A: Algorithm> Participant<A> {
    /// Node `me` before the first input of its life number `incarnation`, from 1.
    #[must_use]
    pub fn new(setting: &A::Setting, me: NodeId, incarnation: u32) -> Self {
        Self(if incarnation > 1 { A::begin_incarnation(setting, me, incarnation) } else { Some(A::new(setting, me)) })
    }

    /// A process in this state, whatever it has come to it by.
    #[must_use]
    pub const fn in_state(state: A) -> Self {
        Self(Some(state))
    }

    /// The state of the algorithm; none if the process takes no part.
    #[must_use]
    pub const fn state(&self) -> Option<&A> {
        self.0.as_ref()
    }

    /// See [`Algorithm::step`]; nothing follows if the process takes no part.
    pub fn step(&mut self, setting: &A::Setting, me: NodeId, input: Input<A>, out: &mut Effects<A>) {
        if let Some(state) = &mut self.0 {
            state.step(setting, me, input, out);
        }
    }

    /// See [`Algorithm::view`].
    #[must_use]
    pub fn view(&self, setting: &A::Setting, me: NodeId) -> View {
        match &self.0 {
            Some(state) => state.view(setting, me),
            None => View { variables: [("takes_part".into(), Value::Flag(false))].into(), ..View::default() },
        }
    }

    /// See [`Algorithm::objection`]: a process that takes no part follows no command.
    #[must_use]
    pub fn objection(&self, setting: &A::Setting, me: NodeId, command: &Command) -> Option<String> {
        match &self.0 {
            Some(state) => state.objection(setting, me, command),
            None => Some(format!(
                "{me} has forgotten in its crash what it had promised to others, and `{}` has no way to learn it again, \
                 so it takes no part: start another run, or use an algorithm that stores what it must remember",
                A::entry(setting).name
            )),
        }
    }

    /// Shows every number that grows: see [`Algorithm::growing`].
    pub fn growing(&mut self, setting: &A::Setting, me: NodeId, show: &mut Show<'_>) {
        if let Some(state) = &mut self.0 {
            state.growing(setting, me, show);
        }
    }

    /// See [`Algorithm::stamp`].
    pub fn stamp(&mut self, setting: &A::Setting) -> Option<u64> {
        self.0.as_mut()?.stamp(setting)
    }

    /// See [`Algorithm::witness`].
    pub fn witness(&mut self, setting: &A::Setting, stamp: u64) {
        if let Some(state) = &mut self.0 {
            state.witness(setting, stamp);
        }
    }
}
