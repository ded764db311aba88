//! Ricart and Agrawala 1983, "Author's Response to 'On Mutual Exclusion in Computer Networks' by Carvalho and
//! Roucairol", CACM 26(2).
//!
//! A process that has the token may enter the critical section. A process without the token sends REQUEST to all
//! others. Every process remembers the latest request of each process. The token contains, for each process, the
//! latest request that has been served. So the holder of the token knows which processes wait, and needs no queue.

mod entry;
mod regenerating;

pub use self::entry::{Next, Reason, Setting};
use super::prelude::*;
use super::regeneration::{Regenerates, Regeneration, Why, messages_with_regeneration};
use crate::clock::{count_in_life, number_in_life};

/// The variables of one process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RicartAgrawalaToken {
    /// Incarnation of this process, counted from 1.
    incarnation: u32,
    clock: Clock,
    section: Section,
    /// Time of each process's latest known request.
    request: Vec<u64>,
    /// The token, if this process has it. For each process, the token contains the time of its latest request that
    /// was served.
    token: Option<Vec<u64>>,
    /// Generation of the token that this process had last.
    generation: u64,
    regeneration: Option<Box<Regeneration>>,
}

messages_with_regeneration! {
    /// The messages of the paper, and the messages that regenerate a lost token.
    pub enum RicartAgrawalaTokenMessage {
        "REQUEST" Request {
            /// Logical time of the request. In a later incarnation, it is greater than all request times of earlier
            /// incarnations ([`number_in_life`]).
            clock: u64,
            process: NodeId,
        }: "Asks for the token.",
        "TOKEN" Token {
            token: Vec<u64>,
            #[serde(default = "first", skip_serializing_if = "is_first")]
            generation: u64,
        }: "Passes the token on: the logical time of each process's request that was served last.",
    }
}

/// The requests of this process.
impl RicartAgrawalaToken {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: number_in_life(self.incarnation, self.clock.tick()), process: turn.me };
        self.section.request(asked, ours, turn);
        if self.token.is_some() {
            self.section.enter(Reason::HadToken, turn);
        } else {
            turn.multicast(RicartAgrawalaTokenMessage::Request { clock: ours.clock, process: turn.me });
        }
    }

    fn take(&mut self, from: NodeId, token: Vec<u64>, generation: u64, turn: &mut Turn<Self>) {
        (self.token, self.generation) = (Some(token), generation);
        if self.section.is_idle() {
            turn.because(Reason::TookForEarlierLife { from });
            self.mark_served(turn.me, number_in_life(self.incarnation, 0));
            return self.pass_on(turn);
        }
        self.section.enter(Reason::GotToken { from }, turn);
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(ours) = self.section.exit(turn) else { return };
        self.mark_served(turn.me, ours.clock);
        self.pass_on(turn);
    }

    /// Records in the token that the requests of `process` up to time `until` are served.
    fn mark_served(&mut self, process: NodeId, until: u64) {
        if let Some(served) = self.token.as_mut().and_then(|token| token.get_mut(process.index())) {
            *served = until.max(*served);
        }
    }

    fn pass_on(&mut self, turn: &mut Turn<Self>) {
        if !self.has_begun() {
            return turn.because(Why::KeptUntilResumed.into());
        }
        let Some(token) = self.token.take() else { return };
        let next = match turn.setting.next {
            Next::InRing | Next::Regeneration => self.waiting(&token, turn.me).next(),
            Next::LongestWaiting => self.waiting(&token, turn.me).min_by_key(Timestamp::by_count),
        };
        let Some(theirs) = next else {
            self.token = Some(token);
            return turn.because(Reason::NobodyWaits);
        };
        turn.because(match turn.setting.next {
            Next::InRing | Next::Regeneration => Reason::PassedInRing { theirs },
            Next::LongestWaiting => Reason::PassedToLongestWaiting { theirs },
        });
        turn.send(theirs.process, RicartAgrawalaTokenMessage::Token { token, generation: self.generation });
    }

    /// Returns the requests that the token does not record as served, in ring order after `me`.
    fn waiting<'a>(&'a self, token: &'a [u64], me: NodeId) -> impl Iterator<Item = Timestamp> + 'a {
        let all = || (0..).map(NodeId).zip(self.request.iter().zip(token));
        all()
            .skip(me.index() + 1)
            .chain(all().take(me.index()))
            .filter_map(|(process, (&clock, &served))| (clock > served).then_some(Timestamp { clock, process }))
            .filter(|theirs| self.takes_part(theirs.process))
    }
}

/// The requests of other processes.
impl RicartAgrawalaToken {
    fn asked(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        self.clock.observe(count_in_life(theirs.clock));
        let Some(known) = self.request.get_mut(theirs.process.index()) else { return };
        if theirs.clock <= *known {
            return turn.because(Reason::Outdated { theirs, known: *known });
        }
        *known = theirs.clock;
        if self.token.is_none() {
            turn.because(Reason::NotedElsewhere { theirs });
        } else if self.section.is_idle() {
            self.pass_on(turn);
        } else {
            turn.because(Reason::NotedInSection { theirs });
        }
    }

    fn receive(&mut self, from: NodeId, message: RicartAgrawalaTokenMessage, turn: &mut Turn<Self>) {
        if let Some(reason) = self.objection(from, &message, turn) {
            return turn.because(reason);
        }
        match message {
            RicartAgrawalaTokenMessage::Request { clock, process } => self.asked(Timestamp { clock, process }, turn),
            RicartAgrawalaTokenMessage::Token { token, generation } => self.take(from, token, generation, turn),
            other => self.receive_regeneration(from, other, turn),
        }
    }
}
