//! The dead are removed from the queue, and who is back after a crash joins first.
//!
//! The request of who is suspected counts for nothing, and no word from there is waited for. Who is back has forgotten the
//! queue and how late it is: it says JOIN to all, and asks for nothing before all who are not suspected have answered WELCOME
//! with their clocks and their own requests. So it waits for those, and its own are later. A link keeps the order of
//! messages: what was said to or by an earlier life comes before the WELCOME, or the JOIN.

use super::{Acknowledgement, Lamport, LamportMessage, Reason};
use crate::mutual_exclusion::section::Section;
use crate::prelude::*;

impl Acknowledgement {
    /// Whether the dead are removed, and who is back takes part again.
    pub(super) const fn removes_dead(self) -> bool {
        matches!(self, Self::RemoveDead | Self::AsksAtOnce)
    }
}

impl Lamport {
    /// It is back after a crash: where the dead are removed it says so, and waits for the answers.
    pub(super) fn restart(&mut self, turn: &mut Turn<Self>) {
        if !turn.setting.acknowledgement.removes_dead() || turn.is_alone() {
            return;
        }
        if turn.setting.acknowledgement != Acknowledgement::AsksAtOnce {
            self.membership.join(turn.others());
        }
        turn.because(Reason::Joins);
        turn.multicast(LamportMessage::Join { life: self.membership.life });
    }

    /// Another is in a new life: what its earlier one has asked for is done with, and it will ask for nothing older than what
    /// it is told now.
    pub(super) fn joined(&mut self, from: NodeId, life: u32, turn: &mut Turn<Self>) {
        if !turn.setting.acknowledgement.removes_dead() {
            return turn.because(Reason::NobodyJoins { from });
        }
        if self.membership.meet(from, life) {
            self.queue.retain(|queued| queued.process != from);
            self.awaited.remove(&from);
        }
        turn.because(Reason::Welcomed { node: from });
        // While it joins itself its own request is in no queue yet, and will be later than those of all.
        let request = self.section.time().filter(|_| !self.membership.is_joining()).map(|ours| ours.clock);
        turn.send(from, LamportMessage::Welcome { clock: self.clock.tick(), to_life: life, request });
        self.enter_if_first(turn);
    }

    /// Learns how late it is for another and what that asks for; a WELCOME nobody waits for says nothing new.
    pub(super) fn welcomed(
        &mut self,
        from: NodeId,
        to_life: u32,
        clock: u64,
        request: Option<u64>,
        turn: &mut Turn<Self>,
    ) {
        if to_life != self.membership.life {
            return turn.because(Reason::ToAnotherLife { from });
        }
        if !self.membership.welcomed(from) {
            return turn.because(Reason::UnexpectedWelcome { from });
        }
        self.clock.observe(clock);
        self.queue.retain(|queued| queued.process != from);
        self.queue.extend(request.map(|clock| Timestamp { clock, process: from }));
        self.ask_if_joined(turn);
    }

    /// What its client has asked for meanwhile is asked for once it has joined, later than all that the others ask for.
    fn ask_if_joined(&mut self, turn: &mut Turn<Self>) {
        let Section::Wanting(asked, _) = self.section else { return };
        if !self.membership.is_joining() {
            let ours = Timestamp { clock: self.clock.tick(), process: turn.me };
            self.section = Section::Wanting(asked, ours);
            self.ask(ours, turn);
        }
    }

    pub(super) fn suspect(&mut self, other: NodeId, turn: &mut Turn<Self>) {
        if !turn.setting.acknowledgement.removes_dead() {
            return;
        }
        let was_joining = self.membership.is_joining();
        self.membership.remove(other);
        if was_joining {
            return self.ask_if_joined(turn);
        }
        self.awaited.remove(&other);
        if self.section.is_wanting() {
            turn.because(Reason::Removed { node: other });
            self.enter_if_first(turn);
        }
    }

    /// Its request, if it is the same life's, counts again: so a wrong suspicion does no harm for longer than it lasts.
    pub(super) fn trust(&mut self, other: NodeId, _: &mut Turn<Self>) {
        self.membership.take_back(other);
    }
}
