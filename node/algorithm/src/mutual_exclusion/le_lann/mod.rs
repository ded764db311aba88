//! Le Lann 1977, "Distributed Systems: Towards a Formal Approach", IFIP Congress.
//!
//! A token travels round a ring, even while no process wants it. A process that receives the token may enter the
//! critical section, and passes the token on when it leaves. Some variants detect a lost token and regenerate it,
//! either after a time-out or by means of a second token.

mod entry;
mod generation;
mod message;
mod missing;
mod two_tokens;

pub use self::entry::{Setting, Version};
use self::generation::{Claim, Generations};
pub use self::message::{LeLannMessage, Reason};
use self::missing::Missing;
use self::two_tokens::Marks;
use super::prelude::*;
use super::ring::{NOBODY, nearest};

/// The token, with its fields if it has any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Token {
    /// Generation of the token, counted from 1, or the number of a PING.
    generation: u64,
    /// Number of entries with this token.
    entries: u64,
}

/// The variables of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LeLann {
    section: Section<()>,
    /// The token, while this process has it. A process keeps the token only while it is in the critical section. If the
    /// process knows of no other live process, it always keeps the token.
    token: Option<Token>,
    /// The knowledge of lost tokens and suspected processes, in the variants with a time-out.
    missing: Option<Missing>,
    /// The token that this process had last, in the variants with two tokens.
    marks: Option<Marks>,
}

timers! {
    /// The only timer.
    pub enum Timer {
        Missing = "missing": "The token has been missing for a long time.",
    }
}

impl LeLann {
    fn start(&mut self, turn: &mut Turn<Self>) {
        if self.token.is_none() {
            return self.wait(turn);
        }
        if let Some((token, _)) = self.token.zip(self.marks).filter(|_| !turn.is_alone()) {
            turn.send(turn.successor(), LeLannMessage::Pong { number: token.generation });
        }
        self.pass_on(|to| Reason::PassedUnwanted { to }, turn);
    }

    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        self.section.request(asked, (), turn);
        if self.token.is_some() {
            self.enter(turn);
        }
    }

    fn receive(&mut self, from: NodeId, message: LeLannMessage, turn: &mut Turn<Self>) {
        // If processes skip suspected processes, the sender may be any process, because processes learn of a crash
        // at different times.
        if self.missing.is_none() && from.successor(turn.setting.nodes) != turn.me {
            return turn.because(Reason::NotPredecessor { from });
        }
        match message {
            LeLannMessage::Token { generation, entries } => self.came(from, Token { generation, entries }, turn),
            LeLannMessage::Claim { generation, candidate } => self.claimed(from, Claim { generation, candidate }, turn),
            LeLannMessage::Ping { number } => self.pinged(from, number, turn),
            LeLannMessage::Pong { number } => self.ponged(from, number, turn),
        }
    }

    /// Handles a message with the token.
    fn came(&mut self, from: NodeId, token: Token, turn: &mut Turn<Self>) {
        if self.marks.is_some() {
            turn.because(Reason::Unexpected { from });
        } else if self.token.is_some() {
            turn.because(Reason::SecondToken { from });
        } else if self.counts(from, token, turn) {
            self.take(token, turn);
        }
    }

    /// Takes the token. Then enters the critical section if this process waits for it, or passes the token on.
    fn take(&mut self, token: Token, turn: &mut Turn<Self>) {
        self.token = Some(token);
        if self.missing.is_some() {
            turn.cancel(Timer::Missing);
        }
        if self.section.is_wanting() {
            self.enter(turn);
        } else {
            self.pass_on(|to| Reason::PassedUnwanted { to }, turn);
        }
    }

    fn enter(&mut self, turn: &mut Turn<Self>) {
        turn.because(Reason::GotToken);
        let fence = self.fence(turn);
        self.section.enter_with(fence, turn);
    }

    /// Returns the fencing token of the next entry, if tokens are distinguished. Fencing tokens increase with each
    /// entry, also from one generation to the next.
    fn fence(&mut self, turn: &Turn<Self>) -> Option<u64> {
        let tells_apart = self.missing.is_some() && turn.setting.version != Version::NoGeneration;
        let token = self.token.as_mut().filter(|_| tells_apart)?;
        token.entries = token.entries.saturating_add(1);
        Some((token.generation << 32) | token.entries.min(u32::MAX.into()))
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(()) = self.section.exit(turn) else { return };
        self.pass_on(|to| Reason::PassedOnLeaving { to }, turn);
    }

    fn pass_on(&mut self, reason: fn(NodeId) -> Reason, turn: &mut Turn<Self>) {
        let to = self.successor(turn.setting, turn.me);
        if to == turn.me {
            if !turn.is_alone() {
                turn.because(Reason::Rests);
            }
            return;
        }
        let Some(Token { generation, entries }) = self.token.take() else { return };
        turn.because(reason(to));
        let message = match self.marks {
            Some(_) => LeLannMessage::Ping { number: generation },
            None => LeLannMessage::Token { generation, entries },
        };
        turn.send(to, message);
        self.wait(turn);
    }

    /// Returns the next process in the ring of live processes, or `me` if there is no other.
    fn successor(&self, setting: &Setting, me: NodeId) -> NodeId {
        nearest(me, setting.nodes, self.dead(), NodeId::successor).unwrap_or(me)
    }

    /// Returns the suspected processes, which this process skips in the ring.
    fn dead(&self) -> &FlatSet<NodeId> {
        self.missing.as_ref().map_or(&NOBODY, |missing| &missing.dead)
    }

    /// Returns the state of a process that has no token.
    fn without_token(setting: &Setting, generations: Generations) -> Self {
        let missing = setting.version.has_time_out().then(|| Missing { dead: FlatSet::new(), generations });
        Self { missing, marks: (setting.version == Version::TwoTokens).then(Marks::default), ..Self::default() }
    }

    /// Returns the initial token. If there is no other process, each incarnation of this process starts with a token.
    fn first_token(setting: &Setting, incarnation: u32) -> Token {
        let says_nothing = matches!(setting.version, Version::Original | Version::NoGeneration);
        Token { generation: if says_nothing { 0 } else { incarnation.into() }, entries: 0 }
    }
}
