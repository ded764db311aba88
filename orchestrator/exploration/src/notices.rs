//! The notices of a perfect failure detector. Every crash and restart of a process is reported to all live
//! processes, at any later moment.
//!
//! The subject of a notice is the process that crashed or restarted. The notice waits in the inbox of its receiver,
//! among the messages of the subject. The notice may overtake earlier messages of the subject. So the notice of a
//! crash may arrive before messages that the subject sent before the crash. Later messages of the subject do not
//! overtake the notice. So no message of a later incarnation arrives before the notice that this incarnation has
//! begun. Notices are neither lost nor duplicated.
//!
//! The world sends notices in the same way ([`notices`](interlock_world::World::notices)). A restarted process
//! receives notices of the processes that are crashed at the time of the restart. It receives no notices of other
//! events that happened while it was crashed. If a restarted process does not participate, its restart is not
//! reported, since other processes cannot distinguish it from a crashed process.

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
        Choice::of_order(node, self.parts.notice(message)?.order(self.parts.sender(message)))
    }

    /// If the local step `act` of `node` is a crash or a restart, sends notices of it to all other live processes.
    /// Returns the inbox of `node` after the step.
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

    /// Sends a notice about a process to all other live processes. Omits each receiver whose waiting notices
    /// already lead to the same belief.
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

    /// Returns [`Notice::Death`] if the process will suspect `whom` after it has received all waiting notices, and
    /// otherwise [`Notice::Return`].
    fn last_told(&self, process: u32, inbox: u32, whom: NodeId) -> Notice {
        let of_whom = self.known.inboxes.value(inbox).iter().filter(|&&message| self.parts.sender(message) == whom);
        let last = of_whom.filter_map(|&message| self.parts.notice(message)).last();
        let suspects = || self.parts.facts(process).suspects.has(whom);
        last.unwrap_or_else(|| if suspects() { Notice::Death } else { Notice::Return })
    }

    /// Adds notices of all processes that are crashed now to the inbox of a restarted process, and returns the new
    /// inbox.
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

    /// Returns whether a live process suspects another live process although no waiting notice will correct the
    /// suspicion.
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

    /// Removes the notices of the failure detector from the inbox of a crashed process. Returns the new inbox. If the
    /// process restarts, it never receives notices that were sent to its earlier incarnation.
    fn forget_notices(&mut self, inbox: u32) -> u32 {
        let messages = self.known.inboxes.value(inbox);
        if !messages.iter().any(|&message| self.is_notice(message)) {
            return inbox;
        }
        let mut left: Vec<u32> = messages.iter().copied().filter(|&message| !self.is_notice(message)).collect();
        self.tidy(&mut left);
        self.inbox(left)
    }

    /// Sorts an inbox into a canonical order, if links do not preserve the order of messages and crashes are reported.
    /// The first key is the sender. The second key is the number of notices about the sender before the message. The
    /// third key is whether the message is a notice, and the last key is the number of the message.
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
