//! A process of Maekawa's algorithm as the arbiter of those in whose voting sets it is.

use super::entry::{Failed, Version};
use super::{Maekawa, MaekawaMessage, Reason};
use crate::prelude::*;

/// One vote, and those who want it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Arbiter {
    /// The request that has the vote.
    pub locked: Option<Timestamp>,
    /// Whether the vote has been asked back from it.
    pub inquired: bool,
    /// Requests that wait, the best first.
    pub queue: BTreeSet<Timestamp>,
}

impl Arbiter {
    /// Shows the times of the requests that it knows, as [numbers that grow](Algorithm::growing).
    pub fn growing(&mut self, show: &mut Show<'_>) {
        self.locked.iter_mut().for_each(|time| show(CLOCK, &mut time.clock));
        show_times(&mut self.queue, show);
    }
}

impl Maekawa {
    pub(super) fn asked(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        let arbiter = &mut self.arbiter;
        let Some(holder) = arbiter.locked else { return self.vote(theirs, Reason::VotedFree { theirs }, turn) };
        // Nobody has two requests waiting; whoever claims so does not fill the queue.
        arbiter.queue.retain(|queued| queued.process != theirs.process);
        let head = arbiter.queue.first().copied();
        arbiter.queue.insert(theirs);
        let (version, failed) = (turn.setting.version, turn.setting.failed);
        if version == Version::One {
            return turn.because(Reason::QueuedBehind { theirs, holder });
        }
        let compared = head.filter(|_| version == Version::Corrected || failed == Failed::IfAnyBetter);
        if let Some(better) = [Some(holder), compared].into_iter().flatten().find(|&better| better < theirs) {
            turn.because(Reason::FailedBetterKnown { theirs, better });
            return self.tell_failed(theirs, turn);
        }
        // Sanders 1987: who was the best that waits, and is no longer, has not been told yet.
        let displaced = head.filter(|&head| version == Version::Corrected && head < holder);
        if let Some(displaced) = displaced {
            turn.because(Reason::FailedBetterKnown { theirs: displaced, better: theirs });
        }
        let inquires = !core::mem::replace(&mut self.arbiter.inquired, true);
        turn.because(if inquires {
            Reason::InquiredForBetter { theirs, holder }
        } else {
            Reason::QueuedBehind { theirs, holder }
        });
        if let Some(displaced) = displaced {
            self.tell_failed(displaced, turn);
        }
        if inquires {
            let (timestamp, clock) = (holder.clock, self.clock.now());
            turn.send(holder.process, MaekawaMessage::Inquire { timestamp, clock });
        }
    }

    fn tell_failed(&self, theirs: Timestamp, turn: &mut Turn<Self>) {
        let (timestamp, clock) = (theirs.clock, self.clock.now());
        turn.send(theirs.process, MaekawaMessage::Failed { timestamp, clock });
    }

    /// The vote comes back: for good, or its former holder waits for it again. The best of those who wait gets it.
    pub(super) fn given_back(&mut self, theirs: Timestamp, waits_again: bool, turn: &mut Turn<Self>) {
        if self.arbiter.locked != Some(theirs) {
            return turn.because(Reason::Outdated { from: theirs.process, timestamp: theirs.clock });
        }
        if waits_again {
            self.arbiter.queue.insert(theirs);
        }
        (self.arbiter.locked, self.arbiter.inquired) = (None, false);
        match self.arbiter.queue.pop_first() {
            Some(theirs) => self.vote(theirs, Reason::VotedBest { theirs }, turn),
            None => turn.because(Reason::NobodyWaits),
        }
    }

    fn vote(&mut self, theirs: Timestamp, reason: Reason, turn: &mut Turn<Self>) {
        self.arbiter.locked = Some(theirs);
        turn.because(reason);
        let (timestamp, clock) = (theirs.clock, self.clock.now());
        turn.send(theirs.process, MaekawaMessage::Locked { timestamp, clock });
    }
}
