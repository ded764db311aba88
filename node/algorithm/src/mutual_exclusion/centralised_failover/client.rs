//! What a process does as a client: it asks the coordinator, and misses it.

use super::electing::ElectionInput;
use super::message::{LockMessage, Reason, Stated};
use super::{CentralisedFailover, Served, Setting, Timer};
use crate::contract::{Delay, Effect, Effects};
use crate::identity::NodeId;
use crate::mutual_exclusion::phase::{Claim, Phase};
use crate::outcome::Outcome;

impl CentralisedFailover {
    pub(super) const fn claim(&self) -> Option<Stated> {
        match self.phase {
            Phase::Idle => None,
            Phase::Wanting(claim) => Some(Stated { request: claim.request.0, inside: false }),
            Phase::InSection(claim) => Some(Stated { request: claim.request.0, inside: true }),
        }
    }

    pub(super) fn wait(&mut self, setting: &Setting, answered: bool, out: &mut Effects<Self>) {
        self.answered = answered;
        let delay = Delay::Exactly(if answered { setting.patience } else { setting.answer });
        out.push(Effect::SetTimer { timer: Timer::Client, delay });
    }

    pub(super) fn acquire(&mut self, setting: &Setting, me: NodeId, claim: Claim<()>, out: &mut Effects<Self>) {
        self.phase = Phase::Wanting(claim);
        out.outcome(claim.requested());
        self.ask(setting, me, out);
    }

    /// Asks the coordinator, if it is known. If not, it will ask, or time is over.
    fn ask(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Phase::Wanting(claim) = self.phase else { return };
        let request = claim.request.0;
        if self.office.is_some() {
            return self.requested(me, me, request, out);
        }
        if let Some(Served { term, by }) = self.served.filter(|served| served.by != me) {
            Self::lock(out, by, LockMessage::Request { term, request });
        }
        self.wait(setting, false, out);
    }

    pub(super) fn release(&mut self, me: NodeId, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        out.outcome(claim.exited());
        let request = claim.request.0;
        if self.office.is_some() {
            self.released(me, me, request, out);
        } else if let Some(Served { term, by }) = self.served.filter(|served| served.by != me) {
            Self::lock(out, by, LockMessage::Release { term, request });
        }
    }

    pub(super) fn asked(&mut self, setting: &Setting, from: NodeId, term: u64, out: &mut Effects<Self>) {
        let asked = Served { term, by: from };
        if self.served.is_some_and(|served| served > asked) {
            return out.because(Reason::OtherTerm { from, term });
        }
        self.served = Some(asked);
        self.leave_office(out);
        out.because(Reason::Serves { coordinator: from });
        Self::lock(out, from, LockMessage::State { term, claim: self.claim() });
        if matches!(self.phase, Phase::Wanting(_)) {
            self.wait(setting, true, out);
        } else {
            self.rest(out);
        }
    }

    /// Waits for nothing more.
    pub(super) fn rest(&mut self, out: &mut Effects<Self>) {
        self.answered = true;
        out.push(Effect::CancelTimer(Timer::Client));
    }

    pub(super) fn queued(&mut self, setting: &Setting, from: NodeId, request: u64, out: &mut Effects<Self>) {
        match self.phase {
            Phase::Wanting(claim) if claim.request.0 == request && !self.answered => self.wait(setting, true, out),
            _ => out.because(Reason::Unexpected { from }),
        }
    }

    pub(super) fn granted(&mut self, from: NodeId, request: u64, fence: u64, out: &mut Effects<Self>) {
        let Phase::Wanting(claim) = self.phase else { return out.because(Reason::Unexpected { from }) };
        if claim.request.0 != request {
            return out.because(Reason::Unexpected { from });
        }
        self.phase = Phase::InSection(claim);
        self.rest(out);
        out.because(Reason::Entered);
        out.outcome(Outcome::Entered { lock: claim.lock, request: claim.request, fence: Some(fence) });
    }

    /// The coordinator has been silent for long, or is to be asked again whether it is alive.
    pub(super) fn wait_no_longer(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let wants = matches!(self.phase, Phase::Wanting(_));
        if self.answered && wants {
            out.because(Reason::AsksAgain);
            return self.ask(setting, me, out);
        }
        self.wait(setting, false, out);
        if !self.election.is_busy() {
            out.because(Reason::CoordinatorSilent);
            self.elect(setting, me, ElectionInput::Elect, out);
        }
    }
}
