//! The process of Sanders's algorithm as the recipient of requests for permission.

use super::{Reason, Sanders, SandersMessage};
use crate::prelude::*;

/// The process's knowledge of the critical section and of the requests for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Status {
    /// `CSSTAT`: the request that holds the critical section, as far as this process knows.
    pub holder: Option<Timestamp>,
    /// Whether this process has asked the holder for the permission back.
    pub inquired: bool,
    /// Waiting requests, oldest first.
    pub queue: FlatSet<Timestamp>,
}

impl Sanders {
    pub(super) fn asked(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        let status = &mut self.status;
        // A process has at most one waiting request. Removing its older requests prevents forged requests from filling
        // the queue.
        status.queue.retain(|queued| queued.process != theirs.process);
        let first = status.queue.first().copied();
        status.queue.insert(theirs);
        let Some(holder) = status.holder else { return self.grant_while_free(turn) };
        if let Some(older) = [Some(holder), first].into_iter().flatten().find(|&older| older < theirs) {
            turn.because(Reason::FailedOlderKnown { theirs, older });
            return self.tell_failed(theirs, turn);
        }
        // The formerly oldest waiting request is now displaced, and has not received FAIL yet.
        let displaced = first.filter(|&first| first < holder);
        if let Some(displaced) = displaced {
            turn.because(Reason::FailedOlderKnown { theirs: displaced, older: theirs });
        }
        let inquires = !core::mem::replace(&mut self.status.inquired, true);
        turn.because(if inquires {
            Reason::InquiredForOlder { theirs, holder }
        } else {
            Reason::QueuedBehind { theirs, holder }
        });
        if let Some(displaced) = displaced {
            self.tell_failed(displaced, turn);
        }
        if inquires {
            let (timestamp, clock) = (holder.clock, self.clock.now());
            turn.send(holder.process, SandersMessage::Inquire { timestamp, clock });
        }
    }

    fn tell_failed(&self, theirs: Timestamp, turn: &mut Turn<Self>) {
        let (timestamp, clock) = (theirs.clock, self.clock.now());
        turn.send(theirs.process, SandersMessage::Fail { timestamp, clock });
    }

    /// Handles the return of the permission. The former holder has left the section, or has only given way and waits
    /// for the permission again.
    pub(super) fn given_back(&mut self, theirs: Timestamp, waits_again: bool, turn: &mut Turn<Self>) {
        if self.status.holder != Some(theirs) {
            return turn.because(Reason::Outdated { from: theirs.process, timestamp: theirs.clock });
        }
        if waits_again {
            self.status.queue.insert(theirs);
        }
        self.status.holder = None;
        self.grant_while_free(turn);
    }

    /// Grants waiting requests, oldest first. Stops after a grant to a process that will inform this process when it
    /// leaves.
    fn grant_while_free(&mut self, turn: &mut Turn<Self>) {
        self.status.inquired = false;
        let mut granted = Vec::new();
        while self.status.holder.is_none() {
            let Some(theirs) = self.status.queue.pop_first() else {
                turn.because(Reason::NobodyWaits);
                break;
            };
            granted.push(theirs);
            if turn.setting.structure.informs(theirs.process, turn.me) {
                self.status.holder = Some(theirs);
                turn.because(Reason::GrantedUntilInformed { theirs });
            } else {
                turn.because(Reason::GrantedUninformed { theirs });
            }
        }
        for Timestamp { clock: timestamp, process } in granted {
            turn.send(process, SandersMessage::Grant { timestamp, clock: self.clock.now() });
        }
    }
}
