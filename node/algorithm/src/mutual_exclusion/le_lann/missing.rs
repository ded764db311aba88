//! A time-out detects a lost token. A process whose time-out has expired claims the right to make a new token. The
//! claim travels round the ring of live processes. Only the best claim completes the round (Le Lann 1977, with the
//! election of Chang and Roberts 1979).
//!
//! If a claim reaches the process that has the token, that process stops the claim. It raises the token to the
//! claimed generation, because the processes that have passed on the claim accept no older token. However short the
//! time-out is, mutual exclusion holds as long as no process crashes. If a process knows that a candidate has
//! crashed, it stops the candidate's claim. Otherwise the claim would travel round endlessly. Since each claim
//! restarts the time-outs, no process would then detect that the token is lost.

use super::generation::{Came, Claim, Generations, Heard};
use super::{LeLann, LeLannMessage, Reason, Timer, Token, Version};
use crate::prelude::*;

/// Knowledge with which a process regenerates a lost token.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Missing {
    /// Suspected processes, which this process skips in the ring.
    pub dead: FlatSet<NodeId>,
    pub generations: Generations,
}

impl Token {
    /// Returns a new token of generation `generation`.
    const fn made(generation: u64, version: Version) -> Self {
        let generation = if matches!(version, Version::NoGeneration) { 0 } else { generation };
        Self { generation, entries: 0 }
    }
}

impl LeLann {
    /// Starts to wait for the token, if this variant detects a lost token by a time-out.
    pub(super) fn wait(&self, turn: &mut Turn<Self>) {
        if turn.setting.version.has_time_out() && self.token.is_none() {
            turn.set(Timer::Missing, turn.setting.missing);
        }
    }

    /// Returns whether the process accepts the token that has arrived. If the result is `false`, this function has
    /// already handled the token.
    pub(super) fn counts(&mut self, from: NodeId, token: Token, turn: &mut Turn<Self>) -> bool {
        let Some(Missing { generations, .. }) = &mut self.missing else { return true };
        if turn.setting.version == Version::NoGeneration {
            generations.accept(generations.latest());
            return true;
        }
        match generations.see(token.generation) {
            Came::Counts => true,
            Came::Old => {
                turn.because(Reason::OldToken { from, generation: token.generation });
                false
            }
            Came::Unknown => {
                self.token = Some(token);
                self.pass_on(|to| Reason::PassedUnused { to }, turn);
                self.token.is_some()
            }
        }
    }

    /// Handles the expiry of the time-out: the token has been missing for too long.
    pub(super) fn miss(&mut self, Timer::Missing: Timer, turn: &mut Turn<Self>) {
        let Some(Missing { generations, .. }) = &mut self.missing else { return };
        if self.token.is_some() {
            return;
        }
        if turn.setting.version == Version::TwoRegenerators {
            let generation = generations.latest().saturating_add(1);
            turn.because(Reason::MissesTokenAndMakesIt { generation });
            return self.make(generation, turn);
        }
        let Claim { generation, candidate } = generations.claim(turn.me);
        turn.because(Reason::MissesToken { generation });
        self.wait(turn);
        turn.send(self.successor(turn.setting, turn.me), LeLannMessage::Claim { generation, candidate });
    }

    /// Makes a new token.
    fn make(&mut self, generation: u64, turn: &mut Turn<Self>) {
        if let Some(Missing { generations, .. }) = &mut self.missing {
            generations.accept(generation);
            self.take(Token::made(generation, turn.setting.version), turn);
        }
    }

    /// Handles a claim.
    pub(super) fn claimed(&mut self, from: NodeId, claim: Claim, turn: &mut Turn<Self>) {
        let Some(Missing { dead, generations }) = &mut self.missing else {
            return turn.because(Reason::Unexpected { from });
        };
        let Claim { generation, candidate } = claim;
        if let Some(token) = &mut self.token {
            if turn.setting.version != Version::NoGeneration {
                token.generation = token.generation.max(generation);
            }
            generations.accept(generation.max(generations.latest()));
            return turn.because(Reason::TokenIsHere { candidate });
        }
        if dead.contains(&candidate) {
            return turn.because(Reason::DeadCandidate { candidate });
        }
        match generations.hear(claim, turn.me) {
            Heard::Stops => turn.because(Reason::WorseClaim { candidate }),
            Heard::Won => {
                turn.because(Reason::MadeToken { generation });
                self.make(generation, turn);
            }
            Heard::GoesOn => {
                turn.because(Reason::BetterClaim { candidate });
                self.wait(turn);
                turn.send(self.successor(turn.setting, turn.me), LeLannMessage::Claim { generation, candidate });
            }
        }
    }

    /// Skips `node`, which is suspected, in the ring from now on.
    pub(super) fn suspect(&mut self, node: NodeId, turn: &mut Turn<Self>) {
        if self.missing.as_mut().is_some_and(|missing| missing.dead.insert(node)) {
            turn.because(Reason::CutOut { node });
        }
    }

    /// Adds a process that is trusted again to the ring. If this process has the token and does not use it, passes the
    /// token on.
    pub(super) fn trust(&mut self, node: NodeId, turn: &mut Turn<Self>) {
        if self.missing.as_mut().is_some_and(|missing| missing.dead.remove(&node)) {
            turn.because(Reason::TakenIn { node });
            if self.token.is_some() && !self.section.is_inside() {
                self.pass_on(|to| Reason::PassedUnwanted { to }, turn);
            }
        }
    }
}
