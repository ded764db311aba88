//! What a process does as the coordinator: it learns who is inside and who waits, and grants.

use super::message::{FailoverMessage, LockMessage, Reason, Stated};
use super::office::{Office, Place};
use super::{CentralisedFailover, Served, Timer};
use crate::prelude::*;

impl CentralisedFailover {
    pub(super) fn requested(&mut self, from: NodeId, request: u64, turn: &mut Turn<Self>) {
        let Some(office) = &mut self.office else { return };
        let (term, place) = (office.term, office.requested((from, request)));
        if place == Place::Past {
            return turn.because(Reason::Unexpected { from });
        }
        if place == Place::Holder && from != turn.me {
            let fence = office.fence();
            return turn.say(from, LockMessage::Grant { term, request, fence });
        }
        self.grant(turn);
        let Some(office) = &self.office else { return };
        if office.queue.contains(&(from, request)) {
            turn.because(match office.holder {
                Some((holder, _)) => Reason::Queued { from, holder },
                None => Reason::QueuedWhileAsking { from },
            });
            if from != turn.me {
                turn.say(from, LockMessage::Queued { term, request });
            }
        }
    }

    pub(super) fn released(&mut self, from: NodeId, request: u64, turn: &mut Turn<Self>) {
        if self.office.as_mut().is_some_and(|office| office.released((from, request))) {
            self.grant(turn);
        } else {
            turn.because(Reason::Unexpected { from });
        }
    }

    pub(super) fn stated(&mut self, from: NodeId, claim: Option<Stated>, turn: &mut Turn<Self>) {
        if self.office.as_mut().is_some_and(|office| office.stated(from, claim)) {
            turn.because(Reason::AllAnswered);
            turn.cancel(Timer::Office);
        }
        self.grant(turn);
    }

    /// A client is taken for dead: what it wants or has is free.
    pub(super) fn bury(&mut self, dead: NodeId, turn: &mut Turn<Self>) {
        let Some(office) = &mut self.office else { return };
        turn.because(Reason::Buried { dead });
        if office.bury(dead) {
            turn.because(Reason::AllAnswered);
            turn.cancel(Timer::Office);
        }
        self.grant(turn);
    }

    pub(super) fn grant(&mut self, turn: &mut Turn<Self>) {
        let Some(office) = &mut self.office else { return };
        let Some(((to, request), fence)) = office.grant() else { return };
        let behind = count(office.queue.len());
        turn.because(Reason::Granted { to, behind });
        let term = office.term;
        if to == turn.me {
            self.granted(turn.me, request, fence, turn);
        } else {
            turn.say(to, LockMessage::Grant { term, request, fence });
        }
    }

    pub(super) fn take_office(&mut self, term: u64, turn: &mut Turn<Self>) {
        let mut office = Office::new(term, turn.others());
        office.stated(turn.me, self.claim());
        let is_open = office.is_open();
        self.office = Some(office);
        self.served = Some(Served { term, by: turn.me });
        self.rest(turn);
        if is_open {
            return self.grant(turn);
        }
        turn.because(Reason::AsksAll);
        turn.set(Timer::Office, turn.setting.answer);
        turn.multicast(FailoverMessage::Lock(LockMessage::Ask { term }));
    }

    pub(super) fn open(&mut self, turn: &mut Turn<Self>) {
        if let Some(office) = &mut self.office {
            office.open();
            turn.because(Reason::SomeDead);
            self.grant(turn);
        }
    }

    /// Somebody else is the coordinator.
    pub(super) fn leave_office(&mut self, turn: &mut Turn<Self>) {
        if self.office.take().is_some_and(|office| !office.is_open()) {
            turn.cancel(Timer::Office);
        }
    }
}
