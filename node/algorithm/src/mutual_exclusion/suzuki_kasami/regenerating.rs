//! Suzuki and Kasami's algorithm with regeneration of a lost token, and the messages that it ignores.

use super::{Discipline, Reason, Setting, SuzukiKasami, SuzukiKasamiMessage, Token, number};
use crate::clock::number_in_life;
use crate::mutual_exclusion::regeneration::{Regenerates, Regeneration, Resumption, Why};
use crate::prelude::*;

impl Regenerates for SuzukiKasami {
    fn regeneration(&self) -> Option<&Regeneration> {
        self.regeneration.as_deref()
    }

    fn regeneration_mut(&mut self) -> Option<&mut Regeneration> {
        self.regeneration.as_deref_mut()
    }

    fn token_generation(&self) -> Option<u64> {
        self.token.as_ref().map(|token| token.generation)
    }

    fn numbers(&self, me: NodeId) -> (u64, u64) {
        let newest = number(&self.req, me);
        (newest, newest.saturating_sub(self.section.is_wanting().into()))
    }

    fn is_hasty(setting: &Setting) -> bool {
        setting.discipline == Discipline::HastyRegeneration
    }

    fn resume(&mut self, resumption: &Resumption, makes: bool, turn: &mut Turn<Self>) {
        resumption.members.iter().for_each(|member| self.note(member.process, member.newest));
        let goes_on_as = Self::goes_on_as(self.token_generation(), resumption, makes, turn.me);
        let nodes = turn.setting.nodes;
        let Some(generation) = goes_on_as else {
            self.token = None;
            return;
        };
        let mut token = self.token.take().unwrap_or_else(|| Token::new(nodes, generation));
        token.generation = generation;
        for member in &resumption.members {
            if let Some(last) = token.last.get_mut(member.process.index()) {
                *last = member.served.max(*last);
            }
        }
        let waits = |process: &NodeId| number(&self.req, *process) > number(&token.last, *process);
        token.queue.retain(|process| self.takes_part(*process) && waits(process));
        self.token = Some(token);
        if self.section.is_idle() {
            self.pass_on(turn);
        } else {
            self.section.enter(Reason::HasTokenAnew, turn);
        }
    }
}

impl SuzukiKasami {
    /// Returns the reason for ignoring a message, or `None` if the message is accepted.
    pub(super) fn objection(&self, from: NodeId, message: &SuzukiKasamiMessage, turn: &Turn<Self>) -> Option<Reason> {
        match message {
            &SuzukiKasamiMessage::Request { process, .. } if process != from => {
                Some(Reason::NotItsSender { from, process })
            }
            SuzukiKasamiMessage::Token(token) if !token.is_of(turn.setting.nodes, turn.me) => {
                Some(Reason::NoToken { from })
            }
            &SuzukiKasamiMessage::Token(Token { generation, .. }) if generation != self.generation() => {
                Some(Why::OldToken { from, generation }.into())
            }
            SuzukiKasamiMessage::Token(_) if self.token.is_some() || !self.awaits_token(turn.me) => {
                Some(Reason::UnexpectedToken { from })
            }
            _ => None,
        }
    }

    /// Returns whether this process, or an earlier incarnation of it, may have asked for the token.
    fn awaits_token(&self, me: NodeId) -> bool {
        !self.section.is_idle() || number(&self.req, me) >= number_in_life(2, 0) || self.regeneration.is_some()
    }
}

impl Token {
    /// Returns an initial or a regenerated token.
    pub(super) fn new(nodes: u32, generation: u64) -> Self {
        Self { queue: VecDeque::new(), last: vec![0; nodes as usize], generation }
    }

    /// Returns whether process `me` can receive this token in a run with `nodes` processes. If not, the token is
    /// forged.
    fn is_of(&self, nodes: u32, me: NodeId) -> bool {
        let size = nodes as usize;
        let another = |&process: &NodeId| process != me && process.0 < nodes;
        self.last.len() == size && self.queue.len() < size && self.queue.iter().all(another)
    }
}
