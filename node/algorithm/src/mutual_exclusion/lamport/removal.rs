//! Lamport's algorithm with removal of suspected processes, and the messages that it ignores.
//!
//! A process ignores the request of a suspected process and waits for no message from it. A process that comes back
//! has forgotten the queue and its clock. Each WELCOME names the clock and the request of its sender. So the process
//! that comes back waits for those requests, and its own requests get later times. Links are FIFO, so messages of an
//! earlier incarnation arrive first. Messages to that incarnation arrive before the WELCOME, and messages from it
//! arrive before the JOIN.

use super::{Acknowledgement, Lamport, LamportMessage, Reason};
use crate::mutual_exclusion::prelude::*;
use crate::mutual_exclusion::removal::{Membership, Removes};

impl Removes for Lamport {
    fn membership(&mut self) -> &mut Membership {
        &mut self.membership
    }

    fn peer_lost(&mut self, peer: NodeId, turn: &mut Turn<Self>) {
        self.awaited.remove(&peer);
        if self.section.is_wanting() {
            turn.because(Reason::Removed { node: peer });
            self.enter_if_first(turn);
        }
    }

    fn catch_up(&mut self, turn: &mut Turn<Self>) {
        let Section::Wanting(asked, _) = self.section else { return };
        let ours = self.next_time(turn);
        self.section = Section::Wanting(asked, ours);
        self.ask(ours, turn);
    }
}

impl Lamport {
    /// Joins after a crash: asks the others for their clocks and requests before it requests anything itself.
    pub(super) fn restart(&mut self, turn: &mut Turn<Self>) {
        if !self.membership.is_kept() || turn.is_alone() {
            return;
        }
        if turn.setting.acknowledgement != Acknowledgement::AsksAtOnce {
            self.membership.join(turn.others());
        }
        turn.because(Reason::Joins);
        turn.multicast(LamportMessage::Join { life: self.membership.incarnation() });
    }

    pub(super) fn joined(&mut self, from: NodeId, life: u32, turn: &mut Turn<Self>) {
        if !self.membership.is_kept() {
            return turn.because(Reason::NobodyJoins { from });
        }
        if self.membership.meet(from, life) {
            self.queue.retain(|queued| queued.process != from);
            self.awaited.remove(&from);
        }
        turn.because(Reason::Welcomed { node: from });
        // A process that is itself joining has not sent its request yet, so its WELCOME omits the request. When it
        // sends the request, the request gets a later time than the requests of all others.
        let request = self.section.time().filter(|_| !self.membership.is_joining()).map(|ours| ours.clock);
        turn.send(from, LamportMessage::Welcome { clock: self.clock.tick(), to_life: life, request });
        self.enter_if_first(turn);
    }

    pub(super) fn welcomed(&mut self, from: NodeId, clock: u64, request: Option<u64>, turn: &mut Turn<Self>) {
        if !self.membership.note_welcome(from) {
            return turn.because(Reason::UnexpectedWelcome { from });
        }
        self.clock.observe(clock);
        self.queue.retain(|queued| queued.process != from);
        self.queue.extend(request.map(|clock| Timestamp { clock, process: from }));
        if !self.membership.is_joining() {
            self.catch_up(turn);
        }
    }

    /// Returns the reason for ignoring a message, or `None` if the message is accepted.
    pub(super) fn objection(&self, from: NodeId, message: LamportMessage) -> Option<Reason> {
        match message {
            LamportMessage::Request { process, .. } | LamportMessage::Release { process, .. } if process != from => {
                Some(Reason::NotItsSender { from, process })
            }
            LamportMessage::Welcome { to_life, .. } if to_life != self.membership.incarnation() => {
                Some(Reason::ToAnotherLife { from })
            }
            _ => None,
        }
    }
}
