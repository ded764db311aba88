//! A process of Maekawa's algorithm as the arbiter of those in whose voting sets it is.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::message::{MaekawaMessage, Reason};
use super::{Failing, Protocol};
use crate::clock::Timestamp;

/// What an arbiter does: what it says about which requests, to those who made them, and why.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub answers: Vec<(Timestamp, Answer)>,
    pub reasons: Vec<Reason>,
}

/// What an arbiter says about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Locked,
    Failed,
    Inquire,
}

impl Answer {
    /// The message that says so, `clock` being that of the arbiter.
    pub const fn about(self, request: Timestamp, clock: u64) -> MaekawaMessage {
        let timestamp = request.clock;
        match self {
            Self::Locked => MaekawaMessage::Locked { timestamp, clock },
            Self::Failed => MaekawaMessage::Failed { timestamp, clock },
            Self::Inquire => MaekawaMessage::Inquire { timestamp, clock },
        }
    }
}

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
    pub fn asked(&mut self, protocol: Protocol, theirs: Timestamp) -> Verdict {
        let mut verdict = Verdict::default();
        let Some(holder) = self.locked else {
            self.vote(theirs, Reason::VotedFree { theirs }, &mut verdict);
            return verdict;
        };
        // Nobody has two requests waiting; whoever claims so does not fill the queue.
        self.queue.retain(|queued| queued.process != theirs.process);
        let head = self.queue.first().copied();
        self.queue.insert(theirs);
        let Protocol::Inquiring(failing) = protocol else {
            verdict.reasons.push(Reason::QueuedBehind { theirs, holder });
            return verdict;
        };
        let better = match failing {
            Failing::IfHolderBetter => Some(holder).filter(|&holder| holder < theirs),
            Failing::IfAnyBetter | Failing::AlsoDisplaced => {
                [Some(holder), head].into_iter().flatten().find(|&better| better < theirs)
            }
        };
        if let Some(better) = better {
            verdict.fail(theirs, better);
            return verdict;
        }
        // Sanders 1987: who was the best that waits, and is no longer, has not been told yet.
        if let Some(displaced) = head.filter(|&head| failing == Failing::AlsoDisplaced && head < holder) {
            verdict.fail(displaced, theirs);
        }
        self.inquire(theirs, holder, &mut verdict);
        verdict
    }

    fn inquire(&mut self, theirs: Timestamp, holder: Timestamp, verdict: &mut Verdict) {
        if self.inquired {
            return verdict.reasons.push(Reason::QueuedBehind { theirs, holder });
        }
        self.inquired = true;
        verdict.reasons.push(Reason::InquiredForBetter { theirs, holder });
        verdict.answers.push((holder, Answer::Inquire));
    }

    /// The vote comes back, and its former holder waits for it again.
    pub fn relinquished(&mut self, theirs: Timestamp) -> Verdict {
        if self.locked != Some(theirs) {
            return Verdict::outdated(theirs);
        }
        self.queue.insert(theirs);
        self.vote_for_best()
    }

    /// The vote comes back for good.
    pub fn released(&mut self, theirs: Timestamp) -> Verdict {
        if self.locked != Some(theirs) {
            return Verdict::outdated(theirs);
        }
        self.vote_for_best()
    }

    fn vote_for_best(&mut self) -> Verdict {
        let mut verdict = Verdict::default();
        self.locked = None;
        self.inquired = false;
        match self.queue.pop_first() {
            Some(theirs) => self.vote(theirs, Reason::VotedBest { theirs }, &mut verdict),
            None => verdict.reasons.push(Reason::NobodyWaits),
        }
        verdict
    }

    fn vote(&mut self, theirs: Timestamp, reason: Reason, verdict: &mut Verdict) {
        self.locked = Some(theirs);
        verdict.reasons.push(reason);
        verdict.answers.push((theirs, Answer::Locked));
    }
}

impl Verdict {
    fn outdated(theirs: Timestamp) -> Self {
        let reason = Reason::Outdated { from: theirs.process, timestamp: theirs.clock };
        Self { answers: Vec::new(), reasons: [reason].into() }
    }

    fn fail(&mut self, theirs: Timestamp, better: Timestamp) {
        self.reasons.push(Reason::FailedBetterKnown { theirs, better });
        self.answers.push((theirs, Answer::Failed));
    }
}
