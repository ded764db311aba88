//! A process of Maekawa's algorithm as the arbiter of those in whose voting sets it is, or the one whose place it has taken.

use super::entry::{Failed, Version};
use super::{Maekawa, Reason, Said};
use crate::flat::FlatSet;
use crate::prelude::*;

/// One vote, and those who want it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Arbiter {
    /// The request that has the vote.
    pub locked: Option<Timestamp>,
    /// Whether the vote has been asked back from it.
    pub inquired: bool,
    /// Requests that wait, the best first.
    pub queue: FlatSet<Timestamp>,
    /// Succession: who has yet to say what it has from, or asks of, the former arbiter. Until then nobody gets the vote.
    pub awaited: FlatSet<NodeId>,
}

impl Arbiter {
    /// Shows the times of the requests that it knows, as [numbers that grow](Algorithm::growing).
    pub fn growing(&mut self, show: &mut Show<'_>) {
        self.locked.iter_mut().for_each(|time| show(CLOCK, &mut time.clock));
        show_times(&mut self.queue, show);
    }
}

impl Maekawa {
    pub(super) fn asked(&mut self, place: NodeId, theirs: Timestamp, turn: &mut Turn<Self>) {
        let Some(arbiter) = self.arbiter(place, turn.me) else { return turn.because(Reason::NotItsArbiter { place }) };
        // Nobody has two requests waiting; whoever claims so does not fill the queue.
        arbiter.queue.retain(|queued| queued.process != theirs.process);
        let head = arbiter.queue.first().copied();
        arbiter.queue.insert(theirs);
        if !arbiter.awaited.is_empty() {
            return turn.because(Reason::StillRebuilding { place });
        }
        let Some(holder) = arbiter.locked else {
            arbiter.queue.remove(&theirs);
            return self.vote(place, theirs, Reason::VotedFree { theirs }, turn);
        };
        let (version, failed) = (turn.setting.version, turn.setting.failed);
        if version == Version::One {
            return turn.because(Reason::QueuedBehind { theirs, holder });
        }
        let compared = head.filter(|_| version.is_corrected() || failed == Failed::IfAnyBetter);
        if let Some(better) = [Some(holder), compared].into_iter().flatten().find(|&better| better < theirs) {
            turn.because(Reason::FailedBetterKnown { theirs, better });
            return self.tell(place, theirs, Said::Failed, turn);
        }
        // Sanders 1987: who was the best that waits, and is no longer, has not been told yet.
        let displaced = head.filter(|&head| version.is_corrected() && head < holder);
        if let Some(displaced) = displaced {
            turn.because(Reason::FailedBetterKnown { theirs: displaced, better: theirs });
        }
        let inquires = !core::mem::replace(&mut arbiter.inquired, true);
        turn.because(if inquires {
            Reason::InquiredForBetter { theirs, holder }
        } else {
            Reason::QueuedBehind { theirs, holder }
        });
        if let Some(displaced) = displaced {
            self.tell(place, displaced, Said::Failed, turn);
        }
        if inquires {
            self.tell(place, holder, Said::Inquire, turn);
        }
    }

    /// The vote comes back: for good, or its former holder waits for it again. The best of those who wait gets it.
    pub(super) fn given_back(&mut self, place: NodeId, theirs: Timestamp, waits_again: bool, turn: &mut Turn<Self>) {
        let withdraws = turn.setting.version.follows_the_living() && !waits_again;
        if withdraws && self.arbiter(place, turn.me).is_some_and(|arbiter| arbiter.queue.remove(&theirs)) {
            return turn.because(Reason::Withdrawn { theirs });
        }
        let holds = |arbiter: &&mut Arbiter| arbiter.locked == Some(theirs);
        let Some(arbiter) = self.arbiter(place, turn.me).filter(holds) else {
            return turn.because(Reason::Outdated { from: theirs.process, timestamp: theirs.clock });
        };
        if waits_again {
            arbiter.queue.insert(theirs);
        }
        (arbiter.locked, arbiter.inquired) = (None, false);
        if !arbiter.awaited.is_empty() {
            return turn.because(Reason::StillRebuilding { place });
        }
        match arbiter.queue.pop_first() {
            Some(theirs) => self.vote(place, theirs, Reason::VotedBest { theirs }, turn),
            None => turn.because(Reason::NobodyWaits),
        }
    }

    pub(super) fn vote(&mut self, place: NodeId, theirs: Timestamp, reason: Reason, turn: &mut Turn<Self>) {
        let Some(arbiter) = self.arbiter(place, turn.me) else { return };
        arbiter.locked = Some(theirs);
        turn.because(reason);
        self.tell(place, theirs, Said::Locked, turn);
    }

    /// The arbiter in a place: one's own, or one that has been taken over.
    pub(super) fn arbiter(&mut self, place: NodeId, me: NodeId) -> Option<&mut Arbiter> {
        if place == me { Some(&mut self.arbiter) } else { self.places.get_mut(&place) }
    }

    /// The arbiter in a place says something of a request to who has made it.
    pub(super) fn tell(&self, place: NodeId, theirs: Timestamp, said: Said, turn: &mut Turn<Self>) {
        let message = said.message(place, turn.me, theirs.clock, self.clock.now());
        turn.send(theirs.process, message);
    }
}
