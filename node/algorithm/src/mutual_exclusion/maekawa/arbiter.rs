//! A process of Maekawa's algorithm as an arbiter. It decides about its own vote, or about the vote of a crashed
//! process whose place it has taken over.

use super::entry::{Failed, Version};
use super::{Maekawa, Reason, Said};
use crate::prelude::*;

/// One vote, and the requests for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Arbiter {
    /// Request that has the vote.
    pub locked: Option<Timestamp>,
    /// Whether the arbiter has sent INQUIRE, which asks for the vote back.
    pub inquired: bool,
    /// Waiting requests, best first.
    pub queue: FlatSet<Timestamp>,
    /// Succession: processes that have not answered TAKES-OVER. While this set is not empty, no request gets the vote.
    pub awaited: FlatSet<NodeId>,
}

/// Context of an arbiter's answer: the place for which it answers, its clock, and the current step.
pub(super) struct Voice<'t, 's> {
    pub place: NodeId,
    pub clock: u64,
    pub turn: &'t mut Turn<'s, Maekawa>,
}

impl Voice<'_, '_> {
    pub fn because(&mut self, reason: Reason) {
        self.turn.because(reason);
    }

    /// Sends the message `said` about the request `theirs` to the requesting process.
    pub fn tell(&mut self, theirs: Timestamp, said: Said) {
        self.turn.send(theirs.process, said.message(self.place, self.turn.me, theirs.clock, self.clock));
    }
}

impl Arbiter {
    /// Handles REQUEST. If the vote is free, votes for the request. Otherwise sends FAILED if a better request is
    /// known, or INQUIRE to the request that has the vote.
    pub fn asked(&mut self, theirs: Timestamp, voice: &mut Voice<'_, '_>) {
        // A process has at most one waiting request. Removing its older requests prevents forged requests from filling
        // the queue.
        self.queue.retain(|queued| queued.process != theirs.process);
        let head = self.queue.first().copied();
        self.queue.insert(theirs);
        if !self.awaited.is_empty() {
            return voice.because(Reason::StillRebuilding { place: voice.place });
        }
        let Some(holder) = self.locked else {
            self.queue.remove(&theirs);
            return self.vote(theirs, Reason::VotedFree { theirs }, voice);
        };
        let (version, failed) = (voice.turn.setting.version, voice.turn.setting.failed);
        if version == Version::One {
            return voice.because(Reason::QueuedBehind { theirs, holder });
        }
        let compared = head.filter(|_| version.is_corrected() || failed == Failed::IfAnyBetter);
        if let Some(better) = [Some(holder), compared].into_iter().flatten().find(|&better| better < theirs) {
            voice.because(Reason::FailedBetterKnown { theirs, better });
            return voice.tell(theirs, Said::Failed);
        }
        // Correction by Sanders 1987: the formerly best waiting request is now displaced, and has not received FAILED
        // yet.
        let displaced = head.filter(|&head| version.is_corrected() && head < holder);
        if let Some(displaced) = displaced {
            voice.because(Reason::FailedBetterKnown { theirs: displaced, better: theirs });
        }
        let inquires = !core::mem::replace(&mut self.inquired, true);
        voice.because(if inquires {
            Reason::InquiredForBetter { theirs, holder }
        } else {
            Reason::QueuedBehind { theirs, holder }
        });
        if let Some(displaced) = displaced {
            voice.tell(displaced, Said::Failed);
        }
        if inquires {
            voice.tell(holder, Said::Inquire);
        }
    }

    /// Handles RELINQUISH or RELEASE: the best waiting request gets the vote. After RELINQUISH, the request that
    /// returned the vote waits again.
    pub fn given_back(&mut self, theirs: Timestamp, waits_again: bool, voice: &mut Voice<'_, '_>) {
        let withdraws = voice.turn.setting.version.follows_the_living() && !waits_again;
        if withdraws && self.queue.remove(&theirs) {
            return voice.because(Reason::Withdrawn { theirs });
        }
        if self.locked != Some(theirs) {
            return voice.because(Reason::Outdated { from: theirs.process, timestamp: theirs.clock });
        }
        if waits_again {
            self.queue.insert(theirs);
        }
        (self.locked, self.inquired) = (None, false);
        if !self.awaited.is_empty() {
            return voice.because(Reason::StillRebuilding { place: voice.place });
        }
        match self.queue.pop_first() {
            Some(theirs) => self.vote(theirs, Reason::VotedBest { theirs }, voice),
            None => voice.because(Reason::NobodyWaits),
        }
    }

    pub fn vote(&mut self, theirs: Timestamp, reason: Reason, voice: &mut Voice<'_, '_>) {
        self.locked = Some(theirs);
        voice.because(reason);
        voice.tell(theirs, Said::Locked);
    }
}

impl Timed for Arbiter {
    fn show_times(&mut self, show: &mut Show<'_>) {
        self.locked.show_times(show);
        self.queue.show_times(show);
    }
}
