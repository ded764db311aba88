//! The process as a client: it asks the coordinator, and notices when the coordinator is missing.

use super::message::{LockMessage, Reason, Stated};
use super::{CentralisedFailover, Served, Timer};
use crate::election::Coordinator;
use crate::mutual_exclusion::prelude::*;

impl CentralisedFailover {
    pub(super) const fn claim(&self) -> Option<Stated> {
        match self.section {
            Section::Idle => None,
            Section::Wanting(asked, ()) | Section::Inside(asked, ()) => {
                Some(Stated { request: asked.request.0, inside: self.section.is_inside() })
            }
        }
    }

    pub(super) fn wait(&mut self, answered: bool, turn: &mut Turn<Self>) {
        self.answered = answered;
        turn.set(Timer::Client, if answered { turn.setting.patience } else { turn.setting.answer });
    }

    pub(super) fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        self.section.request(asked, (), turn);
        self.ask(turn);
    }

    /// Sends REQUEST to the coordinator, if this process knows the coordinator. Otherwise waits until the coordinator
    /// sends ASK or the timer expires.
    fn ask(&mut self, turn: &mut Turn<Self>) {
        let Section::Wanting(asked, ()) = self.section else { return };
        let request = asked.request.0;
        if self.office.is_some() {
            return self.requested(turn.me, request, turn);
        }
        if let Some(Served { term, by }) = self.served.filter(|served| served.by != turn.me) {
            turn.say(by, LockMessage::Request { term, request });
        }
        self.wait(false, turn);
    }

    pub(super) fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(Stated { request, inside: true }) = self.claim() else { return };
        self.section.exit(turn);
        if self.office.is_some() {
            self.released(turn.me, request, turn);
        } else if let Some(Served { term, by }) = self.served.filter(|served| served.by != turn.me) {
            turn.say(by, LockMessage::Release { term, request });
        }
    }

    pub(super) fn asked(&mut self, from: NodeId, term: u64, unsure: bool, turn: &mut Turn<Self>) {
        let asked = Served { term, by: from };
        if self.served.is_some_and(|served| served > asked) {
            return turn.because(Reason::OtherTerm { from, term });
        }
        // ASK implies that its sender has won the election, even if the sender's announcement never arrives. A
        // process that has come back from a crash may learn of the winner only from ASK.
        let winner = Coordinator { term, leader: from };
        if self.election.known().coordinator() < Some(winner) {
            let message = self.election.announcement(winner);
            self.elect(Input::Message { from, message }, turn);
        }
        // The suspicion of the sender arrived before this ASK and has already started another election.
        if self.suspected.contains(&from) {
            return;
        }
        self.served = Some(asked);
        self.leave_office(turn);
        if !unsure {
            self.restored = None;
        }
        turn.because(Reason::Serves { coordinator: from });
        turn.say(from, LockMessage::State { term, claim: self.claim(), restored: self.restored });
        if self.section.is_wanting() {
            self.wait(true, turn);
        } else {
            self.rest(turn);
        }
    }

    /// Stops waiting for the coordinator.
    pub(super) fn rest(&mut self, turn: &mut Turn<Self>) {
        self.answered = true;
        turn.cancel(Timer::Client);
    }

    /// Returns whether `request` is the number of this process's pending request.
    fn waits_for(&self, request: u64) -> bool {
        self.claim() == Some(Stated { request, inside: false })
    }

    pub(super) fn queued(&mut self, from: NodeId, request: u64, turn: &mut Turn<Self>) {
        if self.waits_for(request) && !self.answered {
            self.wait(true, turn);
        } else {
            turn.because(Reason::Unexpected { from });
        }
    }

    pub(super) fn granted(&mut self, from: NodeId, request: u64, fence: u64, turn: &mut Turn<Self>) {
        if !self.waits_for(request) {
            return turn.because(Reason::Unexpected { from });
        }
        self.rest(turn);
        // A coordinator grants only if it knows the latest term, so this process now knows that term as well.
        self.restored = None;
        turn.because(Reason::Entered);
        self.section.enter_with(Some(fence), turn);
    }

    /// Handles the expiry of the client's timer. If the coordinator has answered, the client repeats its request to
    /// check that the coordinator is live. Otherwise the client calls an election.
    pub(super) fn wait_no_longer(&mut self, turn: &mut Turn<Self>) {
        let wants = self.section.is_wanting();
        if self.answered && wants {
            turn.because(Reason::AsksAgain);
            return self.ask(turn);
        }
        self.wait(false, turn);
        self.replace_coordinator(Reason::CoordinatorSilent, turn);
    }

    /// Handles the suspicion of a process. If that process is the coordinator, this process calls an election. If
    /// this process is the coordinator, it forgets the request of the suspected client.
    pub(super) fn suspect(&mut self, node: NodeId, turn: &mut Turn<Self>) {
        self.suspected.insert(node);
        self.bury(node, turn);
        if self.served.is_some_and(|served| served.by == node) {
            self.replace_coordinator(Reason::CoordinatorSuspected, turn);
        }
        // The election learns of the suspicion only after the call above. In the other order one crash would start
        // two elections.
        self.elect(Input::Suspected(node), turn);
    }

    pub(super) fn trust(&mut self, node: NodeId, turn: &mut Turn<Self>) {
        self.suspected.remove(&node);
        self.elect(Input::Trusted(node), turn);
    }

    pub(super) fn replace_coordinator(&mut self, why: Reason, turn: &mut Turn<Self>) {
        if !self.election.is_busy() {
            turn.because(why);
            self.call_election(turn);
        }
    }
}
