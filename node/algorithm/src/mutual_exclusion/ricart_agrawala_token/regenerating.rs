//! Ricart and Agrawala's algorithm with regeneration of a lost token, and the messages that it ignores.

use super::{Reason, RicartAgrawalaToken, RicartAgrawalaTokenMessage};
use crate::clock::{count_in_life, number_in_life};
use crate::mutual_exclusion::regeneration::{Regenerates, Regeneration, Resumption, Why};
use crate::prelude::*;

impl Regenerates for RicartAgrawalaToken {
    fn regeneration(&self) -> Option<&Regeneration> {
        self.regeneration.as_deref()
    }

    fn regeneration_mut(&mut self) -> Option<&mut Regeneration> {
        self.regeneration.as_deref_mut()
    }

    fn token_generation(&self) -> Option<u64> {
        self.token.is_some().then_some(self.generation)
    }

    fn numbers(&self, _: NodeId) -> (u64, u64) {
        if let Some(ours) = self.section.wanting() {
            return (ours.clock, ours.clock.saturating_sub(1));
        }
        let now = number_in_life(self.incarnation, self.clock.now());
        (now, now)
    }

    fn resume(&mut self, resumption: &Resumption, makes: bool, turn: &mut Turn<Self>) {
        let goes_on_as = Self::goes_on_as(self.token_generation(), resumption, makes, turn.me);
        self.token = goes_on_as.map(|generation| {
            self.generation = generation;
            self.token.take().unwrap_or_else(|| vec![0; turn.setting.nodes as usize])
        });
        let others = resumption.members.iter().filter(|member| member.process != turn.me);
        others.for_each(|member| self.learn(member.process, member.newest, member.served));
        if self.token.is_none() {
            return;
        }
        if self.section.is_idle() {
            self.pass_on(turn);
        } else {
            self.section.enter(Reason::HasTokenAnew, turn);
        }
    }
}

impl RicartAgrawalaToken {
    /// Records the latest request of another process, and marks its requests up to `served` as served.
    fn learn(&mut self, process: NodeId, newest: u64, served: u64) {
        self.clock.observe(count_in_life(newest));
        if let Some(known) = self.request.get_mut(process.index()) {
            *known = newest.max(*known);
        }
        self.mark_served(process, served);
    }

    /// Returns the reason for ignoring a message, or `None` if the message is accepted.
    pub(super) fn objection(
        &self,
        from: NodeId,
        message: &RicartAgrawalaTokenMessage,
        turn: &Turn<Self>,
    ) -> Option<Reason> {
        match message {
            &RicartAgrawalaTokenMessage::Request { process, .. } if process != from => {
                Some(Reason::NotItsSender { from, process })
            }
            RicartAgrawalaTokenMessage::Token { token, .. } if token.len() != turn.setting.nodes as usize => {
                Some(Reason::NoToken { from })
            }
            &RicartAgrawalaTokenMessage::Token { generation, .. } if generation != Regenerates::generation(self) => {
                Some(Why::OldToken { from, generation }.into())
            }
            RicartAgrawalaTokenMessage::Token { .. } if self.token.is_some() || !self.awaits_token() => {
                Some(Reason::UnexpectedToken { from })
            }
            _ => None,
        }
    }

    /// Returns whether this process, or an earlier incarnation of it, may have asked for the token.
    const fn awaits_token(&self) -> bool {
        !self.section.is_idle() || self.incarnation > 1 || self.regeneration.is_some()
    }
}
