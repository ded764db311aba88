//! Suzuki and Kasami 1985, "A Distributed Mutual Exclusion Algorithm", ACM TOCS 3(4).
//!
//! A process that has the token may enter the critical section. A process without the token sends REQUEST with the
//! number of its request to all others. The token contains the number of each process's latest entry, so its holder
//! can distinguish waiting requests from served ones. The variables have the names used in the lectures: `req`,
//! `last` and `Q`. In the paper they are RN, LN and Q, and the token is PRIVILEGE.

mod entry;
mod regenerating;

pub use self::entry::{Discipline, Reason, Setting};
use super::prelude::*;
use super::regeneration::{Regenerates, Regeneration, Why, messages_with_regeneration};

/// The variables of one process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SuzukiKasami {
    section: Section<()>,
    /// Highest known request number of each process.
    req: Vec<u64>,
    token: Option<Token>,
    regeneration: Option<Box<Regeneration>>,
}

/// The token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Processes that get the token next, in order.
    #[serde(rename = "Q")]
    pub queue: VecDeque<NodeId>,
    /// Number of each process's latest entry.
    pub last: Vec<u64>,
    /// Generation of the token, if lost tokens are regenerated.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub generation: u64,
}

messages_with_regeneration! {
    /// The messages of the paper, and the messages that regenerate a lost token.
    pub enum SuzukiKasamiMessage {
        "REQUEST" Request { process: NodeId, num: u64 }: "Asks for the token.",
        "TOKEN" Token(Token): "Passes the token on.",
    }
}

/// Procedure P1: a process requests the critical section, gets the token, and leaves.
impl SuzukiKasami {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let num = number(&self.req, turn.me).saturating_add(1);
        self.note(turn.me, num);
        self.section.request(asked, (), turn);
        if self.token.is_some() {
            self.section.enter(Reason::HadToken, turn);
        } else {
            turn.multicast(SuzukiKasamiMessage::Request { process: turn.me, num });
        }
    }

    fn take(&mut self, from: NodeId, token: Token, turn: &mut Turn<Self>) {
        self.token = Some(token);
        if self.section.is_idle() {
            turn.because(Reason::TookForEarlierLife { from });
            self.mark_served(turn.me);
            return self.pass_on(turn);
        }
        self.section.enter(Reason::GotToken { from }, turn);
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(()) = self.section.exit(turn) else { return };
        self.mark_served(turn.me);
        self.pass_on(turn);
    }

    /// Records in the token that this process's latest request is served.
    fn mark_served(&mut self, me: NodeId) {
        let num = number(&self.req, me);
        if let Some(last) = self.token.as_mut().and_then(|token| token.last.get_mut(me.index())) {
            *last = num;
        }
    }

    /// Appends the waiting processes to the queue, and sends the token to the first process in the queue.
    fn pass_on(&mut self, turn: &mut Turn<Self>) {
        if !self.has_begun() {
            return turn.because(Why::KeptUntilResumed.into());
        }
        let Some(mut token) = self.token.take() else { return };
        for process in turn.others() {
            // The paper tests whether the request number is greater by exactly one. Here a later incarnation does
            // not continue the numbers of an earlier incarnation, so the difference may be greater.
            let waits = number(&self.req, process) > number(&token.last, process);
            if waits && self.takes_part(process) && !token.queue.contains(&process) {
                match turn.setting.discipline {
                    Discipline::LastInFirstOut => token.queue.push_front(process),
                    _ => token.queue.push_back(process),
                }
            }
        }
        if let Some(to) = token.queue.pop_front() {
            turn.because(Reason::PassedToFirst { to, behind: count(token.queue.len()) });
            turn.send(to, SuzukiKasamiMessage::Token(token));
        } else {
            turn.because(Reason::NobodyWaits);
            self.token = Some(token);
        }
    }
}

/// Procedure P2: a REQUEST arrives.
impl SuzukiKasami {
    fn asked(&mut self, process: NodeId, num: u64, turn: &mut Turn<Self>) {
        let known = number(&self.req, process);
        if num <= known {
            return turn.because(Reason::Outdated { process, num, known });
        }
        self.note(process, num);
        if self.token.is_none() {
            turn.because(Reason::NotedElsewhere { process, num });
        } else if self.section.is_idle() {
            self.pass_on(turn);
        } else {
            turn.because(Reason::NotedInSection { process, num });
        }
    }

    fn note(&mut self, process: NodeId, num: u64) {
        if let Some(known) = self.req.get_mut(process.index()) {
            *known = num.max(*known);
        }
    }

    fn receive(&mut self, from: NodeId, message: SuzukiKasamiMessage, turn: &mut Turn<Self>) {
        if let Some(reason) = self.objection(from, &message, turn) {
            return turn.because(reason);
        }
        match message {
            SuzukiKasamiMessage::Request { process, num } => self.asked(process, num, turn),
            SuzukiKasamiMessage::Token(token) => self.take(from, token, turn),
            other => self.receive_regeneration(from, other, turn),
        }
    }
}

fn number(numbers: &[u64], process: NodeId) -> u64 {
    numbers.get(process.index()).copied().unwrap_or_default()
}
