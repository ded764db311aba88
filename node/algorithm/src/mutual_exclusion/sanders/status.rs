//! A process of Sanders's algorithm as one that is asked for permission.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::message::{Reason, SandersMessage};
use crate::clock::Timestamp;
use crate::identity::NodeId;

/// What follows from a message: what is said about which requests, to those who made them, and why.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    pub answers: Vec<(Timestamp, Answer)>,
    pub reasons: Vec<Reason>,
}

/// What is said about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Grant,
    Inquire,
    Fail,
}

impl Answer {
    /// The message that says so, `clock` being that of its sender.
    pub const fn about(self, request: Timestamp, clock: u64) -> SandersMessage {
        let timestamp = request.clock;
        match self {
            Self::Grant => SandersMessage::Grant { timestamp, clock },
            Self::Inquire => SandersMessage::Inquire { timestamp, clock },
            Self::Fail => SandersMessage::Fail { timestamp, clock },
        }
    }
}

/// What is known of the section, and who wants it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Status {
    /// `CSSTAT`: which request has the section, as far as is known here; none if it is free.
    pub holder: Option<Timestamp>,
    /// Whether the permission has been asked back from it.
    pub inquired: bool,
    /// Requests that wait, the oldest first.
    pub queue: BTreeSet<Timestamp>,
}

impl Status {
    /// `informs` tells whether a process informs this one.
    pub fn asked(&mut self, theirs: Timestamp, informs: impl Fn(NodeId) -> bool) -> Verdict {
        // Nobody has two requests waiting; whoever claims so does not fill the queue.
        self.queue.retain(|queued| queued.process != theirs.process);
        let first = self.queue.first().copied();
        self.queue.insert(theirs);
        let Some(holder) = self.holder else { return self.grant_while_free(informs) };
        let mut verdict = Verdict::default();
        if let Some(older) = [Some(holder), first].into_iter().flatten().find(|&older| older < theirs) {
            verdict.fail(theirs, older);
            return verdict;
        }
        // Who was the first that waits, and is no longer, has not been told yet.
        if let Some(displaced) = first.filter(|&first| first < holder) {
            verdict.fail(displaced, theirs);
        }
        if self.inquired {
            verdict.reasons.push(Reason::QueuedBehind { theirs, holder });
        } else {
            self.inquired = true;
            verdict.reasons.push(Reason::InquiredForOlder { theirs, holder });
            verdict.answers.push((holder, Answer::Inquire));
        }
        verdict
    }

    /// The permission comes back, and its former holder waits for it again.
    pub fn yielded(&mut self, theirs: Timestamp, informs: impl Fn(NodeId) -> bool) -> Verdict {
        if self.holder != Some(theirs) {
            return Verdict::outdated(theirs);
        }
        self.queue.insert(theirs);
        self.holder = None;
        self.grant_while_free(informs)
    }

    /// The holder has left.
    pub fn released(&mut self, theirs: Timestamp, informs: impl Fn(NodeId) -> bool) -> Verdict {
        if self.holder != Some(theirs) {
            return Verdict::outdated(theirs);
        }
        self.holder = None;
        self.grant_while_free(informs)
    }

    /// Grants the oldest, and goes on until one has been granted of whom this process will be informed.
    fn grant_while_free(&mut self, informs: impl Fn(NodeId) -> bool) -> Verdict {
        let mut verdict = Verdict::default();
        self.inquired = false;
        while self.holder.is_none() {
            let Some(theirs) = self.queue.pop_first() else {
                verdict.reasons.push(Reason::NobodyWaits);
                break;
            };
            self.holder = Some(theirs).filter(|_| informs(theirs.process));
            verdict.reasons.push(match self.holder {
                Some(_) => Reason::GrantedUntilInformed { theirs },
                None => Reason::GrantedUninformed { theirs },
            });
            verdict.answers.push((theirs, Answer::Grant));
        }
        verdict
    }
}

impl Verdict {
    fn outdated(theirs: Timestamp) -> Self {
        let reason = Reason::Outdated { from: theirs.process, timestamp: theirs.clock };
        Self { reasons: [reason].into(), ..Self::default() }
    }

    fn fail(&mut self, theirs: Timestamp, older: Timestamp) {
        self.reasons.push(Reason::FailedOlderKnown { theirs, older });
        self.answers.push((theirs, Answer::Fail));
    }
}
