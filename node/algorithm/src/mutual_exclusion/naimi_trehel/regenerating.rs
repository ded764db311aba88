//! Naimi and Tréhel's algorithm with regeneration of a lost token, and the messages that it ignores.
//!
//! Naimi and Tréhel 1987, "How to Detect a Failure and Regenerate the Token in the Log(n) Distributed Algorithm for
//! Mutual Exclusion", LNCS 312, detect losses by time-outs. Here a failure detector detects them. The token is
//! regenerated as in the algorithms that ask all others. Each generation starts with new paths and an empty queue.
//! The holder of the token becomes the father of every other process. Each waiting process sends its request again.

use super::{NaimiTrehel, NaimiTrehelMessage, Reason};
use crate::mutual_exclusion::regeneration::{Regenerates, Regeneration, Resumption, Why};
use crate::prelude::*;

impl Regenerates for NaimiTrehel {
    fn regeneration(&self) -> Option<&Regeneration> {
        self.regeneration.as_deref()
    }

    fn regeneration_mut(&mut self) -> Option<&mut Regeneration> {
        self.regeneration.as_deref_mut()
    }

    fn token_generation(&self) -> Option<u64> {
        self.token
    }

    /// Returns 0 for both numbers, because requests have no numbers. After a regeneration, the waiting processes send
    /// their requests again.
    fn numbers(&self, _: NodeId) -> (u64, u64) {
        (0, 0)
    }

    fn resume(&mut self, resumption: &Resumption, makes: bool, turn: &mut Turn<Self>) {
        self.token = Self::goes_on_as(self.token, resumption, makes, turn.me);
        self.father = Some(resumption.holder).filter(|holder| *holder != turn.me);
        self.next = None;
        if self.token.is_some() {
            self.section.enter(Reason::HasTokenAnew, turn);
        } else if self.section.is_wanting()
            && let Some(father) = self.father.take()
        {
            turn.because(Reason::AskedFather { father });
            turn.send(father, self.request_of(turn.me));
        }
        // Requests of earlier generations are dropped, because the requesting processes send them again in this
        // generation.
        let early = self.regeneration.as_mut().map(|regeneration| core::mem::take(&mut regeneration.early));
        for (generation, process) in early.into_iter().flatten() {
            if generation == resumption.generation {
                self.asked(process, turn);
            }
        }
    }
}

impl NaimiTrehel {
    /// Stores a request until its generation begins here.
    pub(super) fn note_early(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        turn.because(Reason::NotedEarly { process });
        let asked = (Regenerates::generation(self), process);
        let Some(Regeneration { early, .. }) = self.regeneration.as_deref_mut() else { return };
        if process.0 < turn.setting.nodes && !early.contains(&asked) {
            early.retain(|(generation, _)| *generation == asked.0);
            early.push_back(asked);
        }
    }

    /// Returns the reason for ignoring a message, or `None` if the message is accepted.
    pub(super) fn objection(&self, from: NodeId, message: &NaimiTrehelMessage) -> Option<Reason> {
        let current = Regenerates::generation(self);
        match *message {
            NaimiTrehelMessage::Request { generation, .. } if generation != current => {
                Some(Why::OldRequest { from, generation }.into())
            }
            NaimiTrehelMessage::Token { generation } if generation != current => {
                Some(Why::OldToken { from, generation }.into())
            }
            NaimiTrehelMessage::Token { .. } if self.token.is_some() || self.section.is_idle() && !self.reborn => {
                Some(Reason::UnexpectedToken { from })
            }
            _ => None,
        }
    }
}
