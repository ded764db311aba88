//! What a perfect failure detector tells: each death of a process and each return of it, all the living, at any moment later.
//!
//! What is untold waits in the inbox of who is to be told, in the lane of the process that it is about. It passes the
//! messages of that process, so it may come before what the dead have said; and no message that the process sends
//! afterwards passes it, so nothing of a later life arrives before its beginning is known. It is neither lost nor copied. As
//! in the world ([`tidings`](interlock_world::World::tidings)), who is back is told who is dead then, and nothing of what has
//! happened meanwhile; and of who is back and takes no part nobody is told, since it is as good as dead.

use interlock_algorithm::NodeId;

use super::known::Act;
use super::parts::LocalStepKind;
use super::system::System;
use super::tiding::Tiding;
use interlock_model::choice::Choice;

impl System<'_> {
    /// Whether a message is none, but what a failure detector is told.
    #[inline]
    pub(super) fn is_tiding(&self, message: u32) -> bool {
        self.environment().tells() && self.parts.tiding(message).is_some()
    }

    /// That a node is told this, as anybody could let it happen; none if it is a message.
    pub(super) fn told(&self, node: NodeId, message: u32) -> Option<Choice> {
        let whom = self.parts.sender(message);
        Some(match self.parts.tiding(message)? {
            Tiding::Death => Choice::Suspect { node, whom },
            Tiding::Return => Choice::Trust { node, whom },
        })
    }

    /// What is to be told of a node that does this by itself goes its way to the others; says what is in its own inbox then.
    #[inline]
    pub(super) fn spread(&mut self, state: &mut [u32], node: NodeId, inbox: u32, act: Act) -> u32 {
        if !self.environment().tells() {
            return inbox;
        }
        match act.kind {
            LocalStepKind::Crash => {
                self.tell_others(state, node, Tiding::Death);
                self.forget_tidings(inbox)
            }
            LocalStepKind::Return => {
                let process = self.known.steps[act.step as usize].process;
                if self.parts.facts(process).takes_part {
                    self.tell_others(state, node, Tiding::Return);
                }
                self.tell_of_the_dead(state, node, inbox)
            }
            _ => inbox,
        }
    }

    /// All others who live are to be told this of a process, but for those who believe so or will, having been told the rest.
    fn tell_others(&mut self, state: &mut [u32], whom: NodeId, tiding: Tiding) {
        let told = self.parts.tell(whom, tiding);
        for node in NodeId::all(self.nodes()).filter(|node| *node != whom) {
            let (process, inbox) = self.known.pair(state, node);
            let is_news = self.last_told(process, inbox, whom) != tiding;
            if self.parts.facts(process).alive && is_news {
                let inbox = self.put(inbox, told);
                state[node.index()] = self.known.pairs.intern((process, inbox)).0;
            }
        }
    }

    /// What a process believes of another once it has been told all that waits for it.
    fn last_told(&self, process: u32, inbox: u32, whom: NodeId) -> Tiding {
        let of_whom = self.known.inboxes.value(inbox).iter().filter(|&&message| self.parts.sender(message) == whom);
        let last = of_whom.filter_map(|&message| self.parts.tiding(message)).last();
        let suspects = || self.parts.facts(process).suspects.has(whom);
        last.unwrap_or_else(|| if suspects() { Tiding::Death } else { Tiding::Return })
    }

    /// The inbox of who is back, who is to be told of those who are dead now.
    fn tell_of_the_dead(&mut self, state: &[u32], node: NodeId, inbox: u32) -> u32 {
        let mut inbox = inbox;
        for whom in NodeId::all(self.nodes()).filter(|whom| *whom != node) {
            let (process, _) = self.known.pair(state, whom);
            if !self.parts.facts(process).alive {
                let told = self.parts.tell(whom, Tiding::Death);
                inbox = self.put(inbox, told);
            }
        }
        inbox
    }

    /// Whether somebody who lives takes another for dead who lives, and will not be told otherwise.
    #[cfg(test)]
    pub(super) fn suspects_the_living(&self, state: &[u32]) -> bool {
        let pair = |node| self.known.pair(state, node);
        let facts = |node| self.parts.facts(pair(node).0);
        let all = || NodeId::all(self.nodes()).filter(|node| facts(*node).alive);
        all().any(|node| {
            let (process, inbox) = pair(node);
            let mut suspected = all().filter(|whom| facts(node).suspects.has(*whom));
            suspected.any(|whom| self.last_told(process, inbox, whom) == Tiding::Death)
        })
    }

    /// An inbox whose process has died: the dead are told nothing.
    fn forget_tidings(&mut self, inbox: u32) -> u32 {
        let messages = self.known.inboxes.value(inbox);
        if !messages.iter().any(|&message| self.is_tiding(message)) {
            return inbox;
        }
        let mut left: Vec<u32> = messages.iter().copied().filter(|&message| !self.is_tiding(message)).collect();
        self.tidy(&mut left);
        self.inbox(left)
    }

    /// Puts an inbox in an order that says nothing, where messages overtake and are told apart only by what must be told
    /// before them: by sender, by how much is to be told before, and by number.
    pub(super) fn tidy(&self, messages: &mut Vec<u32>) {
        if self.environment().fifo || !self.environment().tells() {
            return;
        }
        let key = |(place, &message): (usize, &u32)| {
            let sender = self.parts.sender(message);
            let before = messages[..place].iter().filter(|&&other| self.parts.sender(other) == sender);
            let untold = before.filter(|&&other| self.is_tiding(other)).count();
            (sender, untold, self.is_tiding(message), message)
        };
        let mut keys: Vec<_> = messages.iter().enumerate().map(key).collect();
        keys.sort_unstable();
        *messages = keys.into_iter().map(|(.., message)| message).collect();
    }
}
