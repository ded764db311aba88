//! Naimi, Tréhel and Arnold 1996, "A Log(N) Distributed Mutual Exclusion Algorithm Based on Path Reversal", Journal of
//! Parallel and Distributed Computing 34(1).
//!
//! Each process knows its `father`: the process that it believes will be the last to get the token. A request travels
//! from father to father to the end of the path. Every process on the path makes the requester its father, so the path
//! is reversed. The processes that wait for the critical section form a queue. Each waiting process knows only its
//! successor in the queue, `next`.

mod entry;
mod regenerating;

pub use self::entry::{Reason, Repair, Setting};
use super::prelude::*;
use super::regeneration::{Regenerates, Regeneration, Why, messages_with_regeneration};

/// The variables of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NaimiTrehel {
    section: Section<()>,
    /// Generation of the token, if this process has the token.
    token: Option<u64>,
    /// Process to which this process sends requests; `None` if this process is the last of the queue.
    father: Option<NodeId>,
    /// Process that gets the token after this process.
    next: Option<NodeId>,
    /// Whether the process has restarted after a crash.
    reborn: bool,
    regeneration: Option<Box<Regeneration>>,
}

messages_with_regeneration! {
    /// The messages of the paper, and the messages that regenerate a lost token.
    pub enum NaimiTrehelMessage {
        "REQUEST" Request {
            process: NodeId,
            #[serde(default = "first", skip_serializing_if = "is_first")]
            generation: u64,
        }: "Asks for the token for `process`; passed on from father to father.",
        "TOKEN" Token {
            #[serde(default = "first", skip_serializing_if = "is_first")]
            generation: u64,
        }: "Passes the token on.",
    }
}

/// The requests of this process.
impl NaimiTrehel {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        self.section.request(asked, (), turn);
        if !self.has_begun() && self.token.is_none() {
            turn.because(Reason::AsksWhenResumed);
        } else if let Some(father) = self.father.take().filter(|_| self.has_begun()) {
            turn.because(Reason::AskedFather { father });
            turn.send(father, self.request_of(turn.me));
        } else if self.token.is_some() {
            self.section.enter(Reason::HadToken, turn);
        } else if self.reborn {
            turn.because(Reason::FatherForgotten);
        }
    }

    fn take(&mut self, from: NodeId, generation: u64, turn: &mut Turn<Self>) {
        self.token = Some(generation);
        if self.section.is_idle() {
            turn.because(Reason::TookForEarlierLife { from });
            self.father = None;
            return self.pass_on(turn);
        }
        self.section.enter(Reason::GotToken { from }, turn);
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(()) = self.section.exit(turn) else { return };
        self.pass_on(turn);
    }

    fn pass_on(&mut self, turn: &mut Turn<Self>) {
        if !self.has_begun() {
            return turn.because(Why::KeptUntilResumed.into());
        }
        let Some(next) = self.next.take() else { return turn.because(Reason::NobodyWaits) };
        turn.because(Reason::SentToNext { to: next });
        self.send_token(next, turn);
    }

    fn send_token(&mut self, to: NodeId, turn: &mut Turn<Self>) {
        if let Some(generation) = self.token.take() {
            turn.send(to, NaimiTrehelMessage::Token { generation });
        }
    }
}

/// The requests of other processes.
impl NaimiTrehel {
    fn asked(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        // The algorithm never sends such a REQUEST, because no path leads back to its requester. The requester has no
        // father, and no process on the path of the request has the requester as father.
        if process == turn.me || process.0 >= turn.setting.nodes || self.father == Some(process) {
            return turn.because(Reason::NobodyElses { process });
        }
        match self.father.replace(process) {
            Some(father) => {
                turn.because(Reason::PassedToFather { process, father });
                turn.send(father, self.request_of(process));
            }
            None if self.section.is_idle() && self.token.is_some() => {
                turn.because(Reason::SentIdle { to: process });
                self.send_token(process, turn);
            }
            None => {
                self.next = Some(process);
                turn.because(Reason::NotedAsNext { next: process });
            }
        }
    }

    /// Returns a REQUEST on behalf of `process`, which may be this process or the requester of a REQUEST that this
    /// process passes on.
    fn request_of(&self, process: NodeId) -> NaimiTrehelMessage {
        NaimiTrehelMessage::Request { process, generation: Regenerates::generation(self) }
    }

    fn receive(&mut self, from: NodeId, message: NaimiTrehelMessage, turn: &mut Turn<Self>) {
        if let Some(reason) = self.objection(from, &message) {
            return turn.because(reason);
        }
        match message {
            NaimiTrehelMessage::Request { process, .. } if !self.has_begun() => self.note_early(process, turn),
            NaimiTrehelMessage::Request { process, .. } => self.asked(process, turn),
            NaimiTrehelMessage::Token { generation } => self.take(from, generation, turn),
            other => self.receive_regeneration(from, other, turn),
        }
    }
}
