//! The notices of a perfect failure detector: every crash and restart of a process is reported to all live
//! processes, at any later moment.
//!
//! A notice waits in the inbox of its receiver, in the lane of the process that it reports. It may overtake the
//! messages of that process, so it may arrive before messages sent earlier by a crashed process. No message that
//! the process sends afterwards overtakes it, so no message of a later incarnation arrives before the notice of its
//! beginning. Notices are neither lost nor duplicated.
//!
//! As in the world ([`notices`](interlock_world::World::notices)), a restarted process receives notices of the
//! processes that are crashed at that time, and none of what happened meanwhile. The return of a restarted process
//! that does not participate is not reported, since it is as good as crashed.

use interlock_algorithm::NodeId;

use super::known::Act;
use super::notice::Notice;
use super::parts::LocalStepKind;
use super::system::System;
use interlock_model::choice::Choice;

impl System<'_> {
    /// Returns whether a message is a notice of a failure detector.
    #[inline]
    pub(super) fn is_notice(&self, message: u32) -> bool {
        self.environment().tells() && self.parts.notice(message).is_some()
    }

    /// Returns the action of a schedule that delivers this notice to a node, or none if `message` is not a notice.
    pub(super) fn told(&self, node: NodeId, message: u32) -> Option<Choice> {
        let whom = self.parts.sender(message);
        Some(match self.parts.notice(message)? {
            Notice::Death => Choice::Suspect { node, whom },
            Notice::Return => Choice::Trust { node, whom },
        })
    }

    /// Sends the notices that result from a local step of a node to the others. Returns the inbox of the node after
    /// the step.
    #[inline]
    pub(super) fn spread(&mut self, state: &mut [u32], node: NodeId, inbox: u32, act: Act) -> u32 {
        if !self.environment().tells() {
            return inbox;
        }
        match act.kind {
            LocalStepKind::Crash => {
                self.tell_others(state, node, Notice::Death);
                self.forget_notices(inbox)
            }
            LocalStepKind::Return => {
                let process = self.known.steps[act.step as usize].process;
                if self.parts.facts(process).takes_part {
                    self.tell_others(state, node, Notice::Return);
                }
                self.tell_of_the_dead(state, node, inbox)
            }
            _ => inbox,
        }
    }

    /// Sends a notice about a process to all other live processes, except those whose belief, after all waiting
    /// notices, already agrees with it.
    fn tell_others(&mut self, state: &mut [u32], whom: NodeId, notice: Notice) {
        let told = self.parts.tell(whom, notice);
        for node in NodeId::all(self.nodes()).filter(|node| *node != whom) {
            let (process, inbox) = self.known.pair(state, node);
            let is_news = self.last_told(process, inbox, whom) != notice;
            if self.parts.facts(process).alive && is_news {
                let inbox = self.put(inbox, told);
                state[node.index()] = self.known.pairs.intern((process, inbox)).0;
            }
        }
    }

    /// Returns what a process will believe of another once it has received all waiting notices.
    fn last_told(&self, process: u32, inbox: u32, whom: NodeId) -> Notice {
        let of_whom = self.known.inboxes.value(inbox).iter().filter(|&&message| self.parts.sender(message) == whom);
        let last = of_whom.filter_map(|&message| self.parts.notice(message)).last();
        let suspects = || self.parts.facts(process).suspects.has(whom);
        last.unwrap_or_else(|| if suspects() { Notice::Death } else { Notice::Return })
    }

    /// Returns the inbox of a restarted process with notices of the processes that are crashed now.
    fn tell_of_the_dead(&mut self, state: &[u32], node: NodeId, inbox: u32) -> u32 {
        let mut inbox = inbox;
        for whom in NodeId::all(self.nodes()).filter(|whom| *whom != node) {
            let (process, _) = self.known.pair(state, whom);
            if !self.parts.facts(process).alive {
                let told = self.parts.tell(whom, Notice::Death);
                inbox = self.put(inbox, told);
            }
        }
        inbox
    }

    /// Returns whether a live process suspects another live process without a waiting notice that corrects it.
    #[cfg(test)]
    pub(super) fn suspects_the_living(&self, state: &[u32]) -> bool {
        let pair = |node| self.known.pair(state, node);
        let facts = |node| self.parts.facts(pair(node).0);
        let all = || NodeId::all(self.nodes()).filter(|node| facts(*node).alive);
        all().any(|node| {
            let (process, inbox) = pair(node);
            let mut suspected = all().filter(|whom| facts(node).suspects.has(*whom));
            suspected.any(|whom| self.last_told(process, inbox, whom) == Notice::Death)
        })
    }

    /// Returns the inbox of a crashed process, without the notices: a crashed process receives none.
    fn forget_notices(&mut self, inbox: u32) -> u32 {
        let messages = self.known.inboxes.value(inbox);
        if !messages.iter().any(|&message| self.is_notice(message)) {
            return inbox;
        }
        let mut left: Vec<u32> = messages.iter().copied().filter(|&message| !self.is_notice(message)).collect();
        self.tidy(&mut left);
        self.inbox(left)
    }

    /// Sorts an inbox into a canonical order, if links are not FIFO and crashes are reported. The keys are the
    /// sender, the number of its notices before the message, whether the message is itself a notice, and the
    /// message number.
    pub(super) fn tidy(&self, messages: &mut Vec<u32>) {
        if self.environment().fifo || !self.environment().tells() {
            return;
        }
        let key = |(place, &message): (usize, &u32)| {
            let sender = self.parts.sender(message);
            let before = messages[..place].iter().filter(|&&other| self.parts.sender(other) == sender);
            let untold = before.filter(|&&other| self.is_notice(other)).count();
            (sender, untold, self.is_notice(message), message)
        };
        let mut keys: Vec<_> = messages.iter().enumerate().map(key).collect();
        keys.sort_unstable();
        *messages = keys.into_iter().map(|(.., message)| message).collect();
    }
}
