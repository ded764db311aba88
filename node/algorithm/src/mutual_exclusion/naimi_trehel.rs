//! Naimi, Tréhel and Arnold 1996, "A Log(N) Distributed Mutual Exclusion Algorithm Based on Path Reversal", Journal of
//! Parallel and Distributed Computing 34(1).
//!
//! Each process knows its `father`, who it believes will have the token last. A request travels along the fathers to
//! the end of the way, and everybody on the way makes the one who asks his father: the path is reversed. Those who
//! wait form a queue in which each knows only the `next`.

use super::section::{Asked, Section, steps};
use super::{FAMILY, HOLDER};
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NaimiTrehel {
    section: Section<()>,
    token_present: bool,
    /// Whom to ask; nobody if this process is the last of the queue.
    father: Option<NodeId>,
    /// Who gets the token after this process.
    next: Option<NodeId>,
    /// Whether this is not the first life of the process.
    reborn: bool,
}

messages! {
    /// The messages of the paper.
    #[derive(Copy)]
    pub enum NaimiTrehelMessage {
        "REQUEST" Request { process: NodeId }: "Asks for the token, for `process`; passed on from father to father.",
        "TOKEN" Token {}: "Hands the token over.",
    }
}

impl NaimiTrehel {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        self.section.request(asked, (), turn);
        if let Some(father) = self.father.take() {
            turn.because(Reason::AskedFather { father });
            turn.send(father, NaimiTrehelMessage::Request { process: turn.me });
        } else if self.token_present {
            self.section.enter(Reason::HadToken, turn);
        } else if self.reborn {
            turn.because(Reason::FatherForgotten);
        }
    }

    fn receive(&mut self, from: NodeId, message: NaimiTrehelMessage, turn: &mut Turn<Self>) {
        match message {
            NaimiTrehelMessage::Request { process } => self.asked(process, turn),
            NaimiTrehelMessage::Token {} => self.take(from, turn),
        }
    }

    fn asked(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        // Nobody's way leads to himself: who asks has no father, and is nobody's father who hears of it.
        if process == turn.me || process.0 >= turn.setting.nodes || self.father == Some(process) {
            return turn.because(Reason::NobodyElses { process });
        }
        match self.father.replace(process) {
            Some(father) => {
                turn.because(Reason::PassedToFather { process, father });
                turn.send(father, NaimiTrehelMessage::Request { process });
            }
            None if self.section.is_idle() && self.token_present => {
                turn.because(Reason::SentIdle { to: process });
                self.send_token(process, turn);
            }
            None => {
                self.next = Some(process);
                turn.because(Reason::NotedAsNext { next: process });
            }
        }
    }

    fn take(&mut self, from: NodeId, turn: &mut Turn<Self>) {
        if self.token_present || self.section.is_idle() && !self.reborn {
            return turn.because(Reason::UnexpectedToken { from });
        }
        self.token_present = true;
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
        let Some(next) = self.next.take() else { return turn.because(Reason::NobodyWaits) };
        turn.because(Reason::SentToNext { to: next });
        self.send_token(next, turn);
    }

    fn send_token(&mut self, to: NodeId, turn: &mut Turn<Self>) {
        self.token_present = false;
        turn.send(to, NaimiTrehelMessage::Token {});
    }
}

reasons! {
    /// Why a process did what it did.
    pub enum Reason {
        HadToken: "Entered without asking: the token was here.",
        AskedFather { father: NodeId }: "Asked for the token.",
        GotToken { from: NodeId }: "Entered: the token came.",
        SentIdle { to: NodeId }: "Sent the token: nobody here wants the section.",
        SentToNext { to: NodeId }: "Sent the token on leaving: its recipient is the next.",
        NobodyWaits: "Kept the token: nobody waits for it.",
        NotedAsNext { next: NodeId }:
            "Noted as the next: this process is the last of those who wait or are in the section.",
        PassedToFather { process: NodeId, father: NodeId }: "Passed the request on.",
        NobodyElses { process: NodeId }:
            "Ignored: a request of one's own, of one's father, or of no process of this run.",
        TookForEarlierLife { from: NodeId }: "Took the token: an earlier life of this process has asked for it.",
        FatherForgotten: "Waits: where the token is was forgotten in a crash.",
        UnexpectedToken { from: NodeId }: "Ignored: a token came that was not asked for.",
    }
}

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    nodes: u32,
    /// Who has the token at the start.
    holder: NodeId,
}

impl Algorithm for NaimiTrehel {
    // Nothing is stored; if the token was here, it is lost.
    steps!(NaimiTrehelMessage: acquire, release, receive);

    const ENTRY: Entry = Entry {
        name: "naimi-trehel",
        title: "Naimi–Tréhel",
        source: Source {
            authors: "Mohamed Naimi, Michel Tréhel, André Arnold",
            title: "A Log(N) Distributed Mutual Exclusion Algorithm Based on Path Reversal",
            year: 1996,
        },
        summary: "A request travels along a tree to who will have the token last, and makes the one who asks the new root.",
        variants: &[Variant::new("original", "the paper, without its repair of failures")],
        // Requests of different processes may overtake; no process has two on the way. Copies break it.
        assumes: FAMILY.assumes,
        message_kinds: NaimiTrehelMessage::KINDS,
        token_kinds: &["TOKEN"],
        parameters: &[HOLDER],
        messages_per_entry: "O(log N) in the mean, 0 if the token is there",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Ok(Setting { nodes: configuration.nodes, holder: configuration.node_parameter("holder")? })
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let holds = me == setting.holder;
        Self { token_present: holds, father: (!holds).then_some(setting.holder), ..Self::default() }
    }

    /// The token is with somebody else, on its way, or lost: with a process that is alone it can only be here. Whom to ask
    /// is forgotten, but who had the token at the start is as good as any.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self { token_present: setting.nodes == 1, reborn: true, ..Self::new(setting, me) })
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        View {
            queue: self.next.into_iter().map(Queued::from).collect(),
            variables: BTreeMap::from([
                ("requesting_cs".into(), Value::Flag(!self.section.is_idle())),
                ("token_present".into(), Value::Flag(self.token_present)),
                ("father".into(), Value::node(self.father)),
                ("next".into(), Value::node(self.next)),
            ]),
            ..View::default()
        }
    }
}
