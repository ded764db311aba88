//! Sending to others and to oneself alike.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use crate::contract::{Algorithm, Effects};
use crate::identity::NodeId;
use crate::outcome::Outcome;

/// What a step brings about. A message to oneself costs nothing: it is taken before the step ends, and before anything
/// is sent to others, so that what it brings about is told before they can act on it.
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

    /// The effects of the step, for what is not sent.
    pub fn out(&mut self) -> &mut Effects<A> {
        self.out
    }

    /// The next message to oneself.
    pub fn next(&mut self) -> Option<A::Message> {
        self.to_oneself.pop_front()
    }

    /// Sends what is for others, in order.
    pub fn send_off(self) {
        for (to, message) in self.to_others {
            self.out.send(to, message);
        }
    }
}
