//! Messages to other processes and to the process itself, sent in the same way.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::contract::{Algorithm, Effects};
use crate::identity::NodeId;
use crate::outcome::Outcome;

/// The effects of a step. A message to the process itself costs nothing. The process handles it before the step ends
/// and before any message is sent to others. So the resulting outcomes are reported before other processes can react
/// to them.
pub(super) struct Post<'a, A: Algorithm> {
    me: NodeId,
    out: &'a mut Effects<A>,
    to_oneself: VecDeque<A::Message>,
    to_others: Vec<(NodeId, A::Message)>,
}

impl<'a, A: Algorithm> Post<'a, A> {
    pub fn new(me: NodeId, out: &'a mut Effects<A>) -> Self {
        Self { me, out, to_oneself: VecDeque::new(), to_others: Vec::new() }
    }

    pub fn send(&mut self, to: NodeId, message: A::Message) {
        if to == self.me {
            self.to_oneself.push_back(message);
        } else {
            self.to_others.push((to, message));
        }
    }

    pub fn outcome(&mut self, outcome: Outcome) {
        self.out.outcome(outcome);
    }

    pub fn because(&mut self, reason: A::Reason) {
        self.out.because(reason);
    }

    /// Returns the effects of the step, except for messages.
    pub fn out(&mut self) -> &mut Effects<A> {
        self.out
    }

    /// Removes and returns the next message to the process itself.
    pub fn next(&mut self) -> Option<A::Message> {
        self.to_oneself.pop_front()
    }

    /// Sends the messages to other processes, in order.
    pub fn send_off(self) {
        for (to, message) in self.to_others {
            self.out.send(to, message);
        }
    }
}
