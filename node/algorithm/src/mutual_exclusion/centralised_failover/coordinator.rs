//! What a process does as the coordinator: it learns who is inside and who waits, and grants.

use super::message::{FailoverMessage, LockMessage, Reason, Stated};
use super::office::{Office, Place};
use super::{CentralisedFailover, Served, Setting, Timer};
use crate::contract::{Delay, Effect, Effects};
use crate::identity::NodeId;

impl CentralisedFailover {
    pub(super) fn requested(&mut self, me: NodeId, from: NodeId, request: u64, out: &mut Effects<Self>) {
        let Some(office) = &mut self.office else { return };
        let (term, place) = (office.term, office.requested((from, request)));
        if place == Place::Past {
            return out.because(Reason::Unexpected { from });
        }
        if place == Place::Holder && from != me {
            let fence = office.fence();
            return Self::lock(out, from, LockMessage::Grant { term, request, fence });
        }
        self.grant(me, out);
        let Some(office) = &self.office else { return };
        if office.queue.contains(&(from, request)) {
            out.because(match office.holder {
                Some((holder, _)) => Reason::Queued { from, holder },
                None => Reason::QueuedWhileAsking { from },
            });
            if from != me {
                Self::lock(out, from, LockMessage::Queued { term, request });
            }
        }
    }

    pub(super) fn released(&mut self, me: NodeId, from: NodeId, request: u64, out: &mut Effects<Self>) {
        if self.office.as_mut().is_some_and(|office| office.released((from, request))) {
            self.grant(me, out);
        } else {
            out.because(Reason::Unexpected { from });
        }
    }

    pub(super) fn stated(&mut self, me: NodeId, from: NodeId, claim: Option<Stated>, out: &mut Effects<Self>) {
        if self.office.as_mut().is_some_and(|office| office.stated(from, claim)) {
            out.because(Reason::AllAnswered);
            out.push(Effect::CancelTimer(Timer::Office));
        }
        self.grant(me, out);
    }

    pub(super) fn grant(&mut self, me: NodeId, out: &mut Effects<Self>) {
        let Some(office) = &mut self.office else { return };
        let Some(((to, request), fence)) = office.grant() else { return };
        let behind = u32::try_from(office.queue.len()).unwrap_or(u32::MAX);
        out.because(Reason::Granted { to, behind });
        let term = office.term;
        if to == me {
            self.granted(me, request, fence, out);
        } else {
            Self::lock(out, to, LockMessage::Grant { term, request, fence });
        }
    }

    pub(super) fn take_office(&mut self, setting: &Setting, me: NodeId, term: u64, out: &mut Effects<Self>) {
        let others = NodeId::all(setting.nodes).filter(|&node| node != me);
        let mut office = Office::new(term, others);
        office.stated(me, self.claim());
        let is_open = office.is_open();
        self.office = Some(office);
        self.served = Some(Served { term, by: me });
        self.rest(out);
        if is_open {
            return self.grant(me, out);
        }
        out.because(Reason::AsksAll);
        out.push(Effect::SetTimer { timer: Timer::Office, delay: Delay::Exactly(setting.answer) });
        out.multicast(FailoverMessage::Lock(LockMessage::Ask { term }));
    }

    pub(super) fn open(&mut self, me: NodeId, out: &mut Effects<Self>) {
        if let Some(office) = &mut self.office {
            office.open();
            out.because(Reason::SomeDead);
            self.grant(me, out);
        }
    }

    /// Somebody else is the coordinator.
    pub(super) fn leave_office(&mut self, out: &mut Effects<Self>) {
        if self.office.take().is_some_and(|office| !office.is_open()) {
            out.push(Effect::CancelTimer(Timer::Office));
        }
    }
}
