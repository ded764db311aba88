//! Carvalho and Roucairol's algorithm with removal of suspected processes, and the messages that it ignores.
//!
//! A process needs no permission of a suspected process. When a process crashes, the permissions that it held are
//! lost. When it comes back, it does not know which permissions it had. Therefore a process gives up its pair
//! permission when it suspects the other process of the pair. When it trusts that process again, neither of the two
//! has the permission. Each sends REQUEST to the other, as in Ricart and Agrawala's algorithm, until one of them sends
//! REPLY. A pair without a permission is always safe, and a REPLY creates the permission again. A REPLY names the
//! incarnation and the request that it answers. If either is not the current one, the REPLY is ignored.

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

    /// Requests the permission of a process that is trusted again. The permission was unnecessary while that process
    /// was suspected.
    fn peer_back(&mut self, peer: NodeId, turn: &mut Turn<Self>) {
        if let Some(ours) = self.section.wanting().filter(|_| self.missing.contains(&peer)) {
            turn.because(Reason::AskedWhoIsBack { to: peer, ours });
            self.ask(peer, ours, turn);
        }
    }
}

impl CarvalhoRoucairol {
    /// Returns the state of a process in a later incarnation, without permissions.
    pub(super) fn returned(setting: &Setting, me: NodeId, membership: Membership) -> Self {
        let begun = Self { membership, ..Self::new(setting, me) };
        if setting.care == Care::BackAsAtStart {
            return begun;
        }
        Self { missing: NodeId::all(setting.nodes).filter(|node| *node != me).collect(), ..begun }
    }

    /// Stores the incarnation and the clock that the REPLY to a request must name.
    pub(super) fn note_request(&mut self, from: NodeId, life: u32, clock: u64) {
        if self.membership.meet(from, life) {
            self.deferred.remove(&from);
        }
        self.membership.note_request(from, clock);
    }

    /// Returns the reason for ignoring a message, or `None` if the message is accepted.
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
