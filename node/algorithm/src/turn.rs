//! A step in progress: the context of an algorithm during one step.

use alloc::collections::VecDeque;

use crate::contract::{Algorithm, Delay, Effect, Effects, Recipients};
use crate::identity::{NodeId, Ticks};
use crate::outcome::Outcome;

/// A step of process `me`: the setting of the run, and the effects so far, in order.
#[derive(Debug)]
pub(crate) struct Turn<'a, A: Algorithm> {
    pub setting: &'a A::Setting,
    pub me: NodeId,
    nodes: u32,
    out: &'a mut Effects<A>,
    to_oneself: VecDeque<A::Message>,
}

impl<'a, A: Algorithm> Turn<'a, A> {
    /// Returns a step of process `me` in a run of processes 0 … `nodes` − 1.
    pub const fn new(setting: &'a A::Setting, me: NodeId, nodes: u32, out: &'a mut Effects<A>) -> Self {
        Self { setting, me, nodes, out, to_oneself: VecDeque::new() }
    }

    /// Whether there is no other process.
    pub const fn is_alone(&self) -> bool {
        self.nodes == 1
    }

    /// Returns all processes except `me`, in order.
    pub fn others(&self) -> impl Iterator<Item = NodeId> + use<A> {
        let me = self.me;
        NodeId::all(self.nodes).filter(move |&node| node != me)
    }

    /// Returns the next process in the ring of all processes.
    pub fn successor(&self) -> NodeId {
        self.me.successor(self.nodes)
    }

    /// Sends a message to one process. If `to` is this process itself, the process handles the message later in this
    /// step: see [`next_to_oneself`](Self::next_to_oneself).
    pub fn send(&mut self, to: NodeId, message: A::Message) {
        if to == self.me {
            self.to_oneself.push_back(message);
        } else {
            self.out.send(to, message);
        }
    }

    /// Sends a message to all other processes, if there are any.
    pub fn multicast(&mut self, message: A::Message) {
        if !self.is_alone() {
            self.out.multicast(message);
        }
    }

    /// Sends a message to the members of set number `set`: see [`Algorithm::members`]. If this process is a member,
    /// it handles the message itself, later in this step.
    pub fn tell(&mut self, set: u32, message: A::Message) {
        let members = A::members(self.setting, self.me, set);
        if members.iter().any(|&node| node != self.me) {
            self.out.push(Effect::Send { to: Recipients::Set(set), message: message.clone() });
        }
        if members.contains(&self.me) {
            self.to_oneself.push_back(message);
        }
    }

    /// Removes and returns the next message that this process has sent to itself.
    pub fn next_to_oneself(&mut self) -> Option<A::Message> {
        self.to_oneself.pop_front()
    }

    /// Reports a reason.
    pub fn because(&mut self, reason: A::Reason) {
        self.out.because(reason);
    }

    /// Reports an outcome.
    pub fn outcome(&mut self, outcome: Outcome) {
        self.out.outcome(outcome);
    }

    /// Sets a timer.
    pub fn set(&mut self, timer: A::Timer, after: Ticks) {
        self.out.push(Effect::SetTimer { timer, delay: Delay::Exactly(after) });
    }

    /// Cancels a timer.
    pub fn cancel(&mut self, timer: A::Timer) {
        self.out.push(Effect::CancelTimer(timer));
    }

    /// Replaces the state that survives a crash.
    pub fn store(&mut self, stored: A::Stored) {
        self.out.push(Effect::Store(stored));
    }

    /// Returns the effects of the step, for an algorithm that contains another algorithm.
    pub const fn out(&mut self) -> &mut Effects<A> {
        self.out
    }
}
