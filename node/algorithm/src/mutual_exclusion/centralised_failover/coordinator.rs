//! The process as the coordinator: it learns which processes are inside or wait, and grants.

use super::message::{FailoverMessage, LockMessage, Reason, Stated};
use super::office::{Office, Place, Stage};
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

    pub(super) fn stated(&mut self, from: NodeId, claim: Option<Stated>, restored: Option<u64>, turn: &mut Turn<Self>) {
        let Some(office) = &mut self.office else { return };
        let before = office.stage();
        office.stated(from, claim);
        let taken = restored.filter(|&restored| restored >= office.term && !office.doubted().is_empty());
        if taken.is_none() {
            office.compared(from, restored.is_none());
        }
        self.proceed(before, turn);
        if let Some(term) = taken {
            self.replace_coordinator(Reason::TermTaken { from, term }, turn);
        }
    }

    /// Forgets the request or grant of a suspected client.
    pub(super) fn bury(&mut self, dead: NodeId, turn: &mut Turn<Self>) {
        let Some(office) = &mut self.office else { return };
        turn.because(Reason::Buried { dead });
        let before = office.stage();
        office.bury(dead);
        self.proceed(before, turn);
    }

    /// Grants waiting requests, if the last necessary answer has arrived. `before` is the stage before that answer.
    fn proceed(&mut self, before: Stage, turn: &mut Turn<Self>) {
        let Some(now) = self.office.as_ref().map(Office::stage) else { return };
        if now != before {
            turn.because(match (before, now) {
                (Stage::Doubts, Stage::Open) => Reason::TermKnown,
                (_, Stage::Open) => Reason::AllAnswered,
                _ => Reason::MayHaveMissed,
            });
            if before == Stage::Asks {
                turn.cancel(Timer::Office);
            }
        }
        self.grant(turn);
    }

    pub(super) fn grant(&mut self, turn: &mut Turn<Self>) {
        let Some(office) = &mut self.office else { return };
        if office.stage() == Stage::Open {
            self.restored = None;
            let (term, unsure) = (office.term, false);
            for node in office.take_unsure() {
                turn.say(node, LockMessage::Ask { term, unsure });
            }
        }
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
        let unsure = self.restored.is_some();
        if unsure {
            office = office.after_crash();
        }
        let is_open = office.stage() == Stage::Open;
        self.office = Some(office);
        self.served = Some(Served { term, by: turn.me });
        self.rest(turn);
        if is_open {
            return self.grant(turn);
        }
        turn.because(Reason::AsksAll);
        turn.set(Timer::Office, turn.setting.answer);
        turn.multicast(FailoverMessage::Lock(LockMessage::Ask { term, unsure }));
    }

    /// Stops waiting for answers to ASK, and grants if the coordinator knows the latest term.
    pub(super) fn open(&mut self, turn: &mut Turn<Self>) {
        if let Some(office) = &mut self.office {
            office.end_asking();
            turn.because(if office.stage() == Stage::Open { Reason::SomeDead } else { Reason::MayHaveMissed });
            self.grant(turn);
        }
    }

    /// Discards the records, because another process is the coordinator.
    pub(super) fn leave_office(&mut self, turn: &mut Turn<Self>) {
        if self.office.take().is_some_and(|office| office.stage() == Stage::Asks) {
            turn.cancel(Timer::Office);
        }
    }
}
