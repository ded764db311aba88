//! The permissions of the dead are taken as given, and who is back after a crash has none.
//!
//! While the other of a pair is suspected its permission is not needed. It is gone for good all the same: who is back does not
//! know what it had, and who had taken its permission for given gives that up when it is trusted again. So neither has the
//! permission of the pair, and each has to ask the other, as in Ricart and Agrawala's algorithm, until one of them replies.
//! Nobody has to be told who has what: that nobody has a permission is always safe, and a REPLY makes it anew.
//!
//! A REPLY names the life and the request that it is for: one that was given to what is over gives nothing.

use super::{Care, CarvalhoRoucairol, Reason, Setting};
use crate::mutual_exclusion::membership::Membership;
use crate::prelude::*;

impl CarvalhoRoucairol {
    /// A process in a later life.
    pub(super) fn reborn(setting: &Setting, me: NodeId, incarnation: u32) -> Self {
        let membership = Membership::reborn(incarnation);
        let begun = Self { membership, ..Self::new(setting, me) };
        if setting.care == Care::BackAsAtStart {
            return begun;
        }
        Self { missing: NodeId::all(setting.nodes).filter(|node| *node != me).collect(), ..begun }
    }

    /// Where the dead are removed: notes which life of another asks, and when, so that the REPLY can name it.
    pub(super) fn note(&mut self, other: NodeId, life: u32, clock: u64, turn: &Turn<Self>) {
        if !turn.setting.removes_dead() {
            return;
        }
        if self.membership.meet(other, life) {
            self.deferred.remove(&other);
        }
        self.membership.asked(other, clock);
    }

    pub(super) fn suspect(&mut self, other: NodeId, turn: &mut Turn<Self>) {
        if !turn.setting.removes_dead() {
            return;
        }
        self.membership.remove(other);
        self.missing.insert(other);
        if self.section.is_wanting() {
            turn.because(Reason::Removed { node: other });
            self.enter_if_permitted(turn);
        }
    }

    /// Whoever waits needs a permission that it did not need while the other was dead, and has not asked this life for it.
    pub(super) fn trust(&mut self, other: NodeId, turn: &mut Turn<Self>) {
        if !turn.setting.removes_dead() {
            return;
        }
        self.membership.take_back(other);
        if let Some(ours) = self.section.wanting().filter(|_| self.missing.contains(&other)) {
            turn.because(Reason::AskedWhoIsBack { to: other, ours });
            self.ask(other, ours, turn);
        }
    }
}
