//! Carvalho and Roucairol's algorithm with removal of suspected processes, and the messages that it ignores.
//!
//! A process needs no permission of a suspected one. The permission of the pair is lost: a process that comes back does not
//! know what it had, and one that has done without gives the permission up when it trusts the other again. So neither
//! has it, and each asks the other, as in Ricart and Agrawala's algorithm, until one of them replies. That nobody has a
//! permission is always safe, and a REPLY makes it anew. A REPLY names the incarnation and the request that it answers:
//! for any other it gives nothing.

use super::{Care, CarvalhoRoucairol, CarvalhoRoucairolMessage, Reason, Setting};
use crate::mutual_exclusion::removal::{Membership, Removes};
use crate::prelude::*;

impl Removes for CarvalhoRoucairol {
    fn membership(&mut self) -> &mut Membership {
        &mut self.membership
    }

    fn peer_lost(&mut self, peer: NodeId, turn: &mut Turn<Self>) {
        self.missing.insert(peer);
        if self.section.is_wanting() {
            turn.because(Reason::Removed { node: peer });
            self.enter_if_permitted(turn);
        }
    }

    /// Asks for the permission that it did not need while the other was suspected.
    fn peer_back(&mut self, peer: NodeId, turn: &mut Turn<Self>) {
        if let Some(ours) = self.section.wanting().filter(|_| self.missing.contains(&peer)) {
            turn.because(Reason::AskedWhoIsBack { to: peer, ours });
            self.ask(peer, ours, turn);
        }
    }
}

impl CarvalhoRoucairol {
    /// A process in a later incarnation: it has no permission.
    pub(super) fn returned(setting: &Setting, me: NodeId, membership: Membership) -> Self {
        let begun = Self { membership, ..Self::new(setting, me) };
        if setting.care == Care::BackAsAtStart {
            return begun;
        }
        Self { missing: NodeId::all(setting.nodes).filter(|node| *node != me).collect(), ..begun }
    }

    /// Notes what the REPLY to a request has to name.
    pub(super) fn note_request(&mut self, from: NodeId, life: u32, clock: u64) {
        if self.membership.meet(from, life) {
            self.deferred.remove(&from);
        }
        self.membership.note_request(from, clock);
    }

    /// Returns why it ignores a message, if it does.
    pub(super) fn objection(&self, from: NodeId, message: CarvalhoRoucairolMessage) -> Option<Reason> {
        use CarvalhoRoucairolMessage::{Reply, Request};
        match message {
            Request { process, .. } if process != from => Some(Reason::NotItsSender { from, process }),
            Request { life, .. } if life < self.membership.incarnation_of(from) => {
                Some(Reason::OfAnEarlierLife { from })
            }
            Reply { to_life, .. } if to_life != self.membership.incarnation() => Some(Reason::ToAnotherLife { from }),
            Reply { request: Some(request), .. } if self.section.wanting().is_none_or(|ours| ours.clock != request) => {
                Some(Reason::ToAnotherRequest { from })
            }
            _ => None,
        }
    }
}
