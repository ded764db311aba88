//! Ricart and Agrawala's algorithm with removal of suspected processes (section 6.1), and the messages that it
//! ignores.

use super::{Reason, RicartAgrawala, RicartAgrawalaMessage, Version};
use crate::mutual_exclusion::prelude::*;
use crate::mutual_exclusion::removal::{Membership, Removes};

impl Removes for RicartAgrawala {
    fn membership(&mut self) -> &mut Membership {
        &mut self.membership
    }

    fn peer_lost(&mut self, peer: NodeId, turn: &mut Turn<Self>) {
        if self.awaited.remove(&peer) {
            turn.because(Reason::Removed { node: peer });
            self.enter_if_permitted(turn);
        }
    }

    fn catch_up(&mut self, turn: &mut Turn<Self>) {
        let Section::Wanting(asked, _) = self.section else { return };
        let ours = self.next_number(turn);
        self.section = Section::Wanting(asked, ours);
        self.ask(ours, turn);
    }
}

impl RicartAgrawala {
    /// Joins after a crash: asks the others for their clocks before it requests anything itself.
    pub(super) fn restart(&mut self, turn: &mut Turn<Self>) {
        if turn.setting.version != Version::RemoveDead || turn.is_alone() {
            return;
        }
        self.membership.join(turn.others());
        turn.because(Reason::Joins);
        turn.multicast(RicartAgrawalaMessage::Join { life: self.membership.incarnation() });
    }

    pub(super) fn joined(&mut self, from: NodeId, life: u32, turn: &mut Turn<Self>) {
        if !self.membership.is_kept() {
            return turn.because(Reason::NobodyJoins { from });
        }
        self.meet(from, life, turn);
        turn.because(Reason::Welcomed { node: from });
        let (clock, to_life) = (self.clock.tick(), life);
        turn.send(from, RicartAgrawalaMessage::Welcome { clock, life: self.membership.incarnation(), to_life });
    }

    pub(super) fn welcomed(&mut self, from: NodeId, life: u32, clock: u64, turn: &mut Turn<Self>) {
        self.meet(from, life, turn);
        if !self.membership.note_welcome(from) {
            return turn.because(Reason::UnexpectedReply { from });
        }
        self.clock.observe(clock);
        if !self.membership.is_joining() {
            self.catch_up(turn);
        }
    }

    /// Stores the incarnation and the number that the REPLY to a request must name.
    pub(super) fn note_request(&mut self, from: NodeId, life: u32, clock: u64, turn: &mut Turn<Self>) {
        self.meet(from, life, turn);
        self.membership.note_request(from, clock);
    }

    /// Records the incarnation of another process. If the incarnation is new, this process drops the REPLYs that it
    /// owes to the earlier incarnation. It also stops waiting for a REPLY from the earlier incarnation.
    fn meet(&mut self, other: NodeId, life: u32, turn: &mut Turn<Self>) {
        if self.membership.meet(other, life) {
            self.deferred.remove(&other);
            self.peer_lost(other, turn);
        }
    }

    /// Returns the reason for ignoring a message, or `None` if the message is accepted.
    pub(super) fn objection(&self, from: NodeId, message: RicartAgrawalaMessage, turn: &Turn<Self>) -> Option<Reason> {
        use RicartAgrawalaMessage::{Join, Reply, Request, Welcome};
        let (numbering, membership) = (turn.setting.numbering, &self.membership);
        match message {
            Request { process, .. } if process != from => Some(Reason::NotItsSender { from, process }),
            Request { life, .. } | Join { life } | Welcome { life, .. } if life < membership.incarnation_of(from) => {
                Some(Reason::OfAnEarlierLife { from })
            }
            Reply { to_life, .. } | Welcome { to_life, .. } if to_life != membership.incarnation() => {
                Some(Reason::ToAnotherLife { from })
            }
            // A REPLY to an earlier request can still be in transit if this process has stopped waiting for the
            // REPLY's sender.
            Reply { request: Some(request), .. } if self.section.wanting().is_none_or(|ours| ours.clock != request) => {
                Some(Reason::UnexpectedReply { from })
            }
            Request { clock: number, .. } if !numbering.has(number) => Some(Reason::NoSuchNumber { from, number }),
            Reply { clock, .. } => {
                let number = numbering.sent(clock).filter(|&sent| !numbering.has(sent))?;
                Some(Reason::NoSuchNumber { from, number })
            }
            _ => None,
        }
    }
}
