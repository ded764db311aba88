//! Naimi, Tréhel and Arnold 1996, "A Log(N) Distributed Mutual Exclusion Algorithm Based on Path Reversal", Journal of
//! Parallel and Distributed Computing 34(1).
//!
//! Each process knows its `father`, who it believes will have the token last. A request travels along the fathers to
//! the end of the way, and everybody on the way makes the one who asks his father: the path is reversed. Those who
//! wait form a queue in which each knows only the `next`.
//!
//! Naimi and Tréhel 1987, "How to Detect a Failure and Regenerate the Token in the Log(n) Distributed Algorithm for Mutual
//! Exclusion", LNCS 312, miss what was lost by time-outs. In the variant `regeneration` a failure detector says who is dead,
//! and the token is made anew as in the algorithms that ask everybody. With each generation paths and
//! queue begin again: everybody's father is who has the token then, and who waits asks again.

use super::regeneration::{Answer, Generation, Life, Regenerates, Regeneration, Resumption, Why};
use super::regeneration::{KINDS, NEEDS, first, is_first, says_for_regeneration};
use super::section::{Asked, Section, steps};
use super::{FAMILY, HOLDER};
use crate::flat::FlatMap;
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NaimiTrehel {
    section: Section<()>,
    /// Of which generation the token is that is here.
    token: Option<u64>,
    /// Whom to ask; nobody if this process is the last of the queue.
    father: Option<NodeId>,
    /// Who gets the token after this process.
    next: Option<NodeId>,
    /// Whether this is not the first life of the process.
    reborn: bool,
    /// What is known of generations, where a lost token is made anew.
    regeneration: Option<Regeneration>,
    /// Who has asked in a generation that has not begun here, and in which.
    early: VecDeque<(u64, NodeId)>,
}

messages! {
    /// The messages of the paper, and those that make a lost token anew.
    pub enum NaimiTrehelMessage {
        "REQUEST" Request {
            process: NodeId,
            /// In which generation of the token it asks, where a lost one is made anew.
            #[serde(default = "first", skip_serializing_if = "is_first")]
            generation: u64,
        }: "Asks for the token, for `process`; passed on from father to father.",
        "TOKEN" Token {
            /// How late it was made, where a lost token is made anew.
            #[serde(default = "first", skip_serializing_if = "is_first")]
            generation: u64,
        }: "Hands the token over.",
        "JOIN" Join(Life): "Takes part again after a crash.",
        "WELCOME" Welcome(Life): "Answers a JOIN: it is known here that this life has begun.",
        "CONSULT" Consult(Generation): "Begins a new generation: asks what everybody has.",
        "ANSWER" Answer(Answer): "Says what this process has, and promises to take no token of an earlier generation.",
        "REFUSE" Refuse(Generation): "Answers a CONSULT that comes too late: a later generation is known.",
        "RESUME" Resume(Resumption): "Says where the token of the new generation is, who takes part, and who waits.",
    }
}

says_for_regeneration!(NaimiTrehelMessage);

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

    fn receive(&mut self, from: NodeId, message: NaimiTrehelMessage, turn: &mut Turn<Self>) {
        match message {
            NaimiTrehelMessage::Request { generation, .. } if generation != Regenerates::generation(self) => {
                turn.because(Why::OldRequest { from, generation }.into());
            }
            NaimiTrehelMessage::Request { process, .. } if !self.has_begun() => self.note_early(process, turn),
            NaimiTrehelMessage::Request { process, .. } => self.asked(process, turn),
            NaimiTrehelMessage::Token { generation } => self.take(from, generation, turn),
            NaimiTrehelMessage::Join(life) => self.joined(from, life, turn),
            NaimiTrehelMessage::Welcome(life) => self.welcomed(from, life, turn),
            NaimiTrehelMessage::Consult(asked) => self.consulted(from, asked, turn),
            NaimiTrehelMessage::Answer(answer) => self.answered(from, answer, turn),
            NaimiTrehelMessage::Refuse(latest) => self.refused(from, latest, turn),
            NaimiTrehelMessage::Resume(resumption) => self.resumed(from, &resumption, turn),
        }
    }

    /// A request for this process, made here or passed on.
    fn request_of(&self, process: NodeId) -> NaimiTrehelMessage {
        NaimiTrehelMessage::Request { process, generation: Regenerates::generation(self) }
    }

    fn note_early(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        turn.because(Reason::NotedEarly { process });
        let asked = (Regenerates::generation(self), process);
        if process.0 < turn.setting.nodes && !self.early.contains(&asked) {
            self.early.retain(|(generation, _)| *generation == asked.0);
            self.early.push_back(asked);
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

    fn take(&mut self, from: NodeId, generation: u64, turn: &mut Turn<Self>) {
        if generation != Regenerates::generation(self) {
            return turn.because(Why::OldToken { from, generation }.into());
        }
        if self.token.is_some() || self.section.is_idle() && !self.reborn {
            return turn.because(Reason::UnexpectedToken { from });
        }
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

impl Regenerates for NaimiTrehel {
    fn regeneration(&self) -> Option<&Regeneration> {
        self.regeneration.as_ref()
    }

    fn regeneration_mut(&mut self) -> Option<&mut Regeneration> {
        self.regeneration.as_mut()
    }

    fn token_generation(&self) -> Option<u64> {
        self.token
    }

    /// Requests have no numbers: all that wait ask again.
    fn numbers(&self, _: NodeId) -> (u64, u64) {
        (0, 0)
    }

    fn resume(&mut self, resumption: &Resumption, makes: bool, turn: &mut Turn<Self>) {
        self.token = Self::goes_on_as(self.token, resumption, makes, turn.me);
        self.father = Some(resumption.holder).filter(|holder| *holder != turn.me);
        self.next = None;
        if self.token.is_some() {
            self.section.enter(Reason::HasTokenAnew, turn);
        } else if self.section.is_wanting()
            && let Some(father) = self.father.take()
        {
            turn.because(Reason::AskedFather { father });
            turn.send(father, self.request_of(turn.me));
        }
        // Who has asked in an earlier generation asks again in this one.
        for (generation, process) in core::mem::take(&mut self.early) {
            if generation == resumption.generation {
                self.asked(process, turn);
            }
        }
    }
}

reasons! {
    /// Why a process did what it did.
    pub enum Reason {
        Regeneration { because: Why }: "What was done for a new generation of the token.",
        HadToken: "Entered without asking: the token was here.",
        HasTokenAnew: "Entered: the token was made anew here.",
        AsksWhenResumed: "Waits: where the token is, is being found out.",
        NotedEarly { process: NodeId }: "Noted: the new generation has begun there, but not here.",
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

choices! {
    /// What becomes of a token that is lost with its holder.
    pub enum Repair {
        None = "original": "the paper, without its repair of failures",
        Regeneration = "regeneration":
            "when a process is dead or back, the smallest that is alive asks all others, and if none of them has the token \
                it makes a new one; who waits asks again; some live process must always know the latest token",
    }
}

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    nodes: u32,
    /// Who has the token at the start.
    holder: NodeId,
    repair: Repair,
}

impl Algorithm for NaimiTrehel {
    // Nothing is stored; if the token was here, it is lost.
    steps!(NaimiTrehelMessage: acquire, release, receive, restart restart, suspected suspect, trusted trust);

    const ENTRY: Entry = Entry {
        name: "naimi-trehel",
        title: "Naimi–Tréhel",
        source: Source {
            authors: "Mohamed Naimi, Michel Tréhel, André Arnold",
            title: "A Log(N) Distributed Mutual Exclusion Algorithm Based on Path Reversal",
            year: 1996,
        },
        summary: "A request travels along a tree to who will have the token last, and makes the one who asks the new root.",
        variants: Repair::VARIANTS,
        // Requests of different processes may overtake; no process has two on the way. Copies break it.
        assumes: FAMILY.assumes,
        structure: Structure::Pointers,
        message_kinds: NaimiTrehelMessage::KINDS,
        repair_kinds: KINDS,
        token_kinds: &["TOKEN"],
        conduct: Conduct { regenerates: &["regeneration"], ..FAMILY.conduct },
        parameters: &[HOLDER],
        messages_per_entry: "O(log N) in the mean, 0 if the token is there",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let (holder, repair) = (configuration.node_parameter("holder")?, configuration.variant()?);
        Ok(Setting { nodes: configuration.nodes, holder, repair })
    }

    fn assumptions(variant: &str) -> Assumptions {
        if variant == "regeneration" { NEEDS } else { Self::ENTRY.assumes }
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let holds = me == setting.holder;
        let (token, father) = (holds.then(first), (!holds).then_some(setting.holder));
        let regeneration = (setting.repair == Repair::Regeneration).then(Regeneration::at_start);
        Self { token, father, regeneration, ..Self::default() }
    }

    /// The token is with somebody else, on its way, or lost: with a process that is alone it can only be here. Whom to ask
    /// is forgotten, but who had the token at the start is as good as any.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let mut reborn = Self { reborn: true, ..Self::new(setting, me) };
        if setting.nodes > 1 {
            reborn.token = None;
            reborn.regeneration = reborn.regeneration.map(|_| Regeneration::forgotten(incarnation));
        }
        Some(reborn)
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        let mut view = View {
            queue: self.next.into_iter().map(Queued::from).collect(),
            variables: FlatMap::from([
                ("requesting_cs".into(), Value::Flag(!self.section.is_idle())),
                ("token_present".into(), Value::Flag(self.token.is_some())),
                ("father".into(), Value::node(self.father)),
                ("next".into(), Value::node(self.next)),
            ]),
            ..View::default()
        };
        if let Some(regeneration) = &self.regeneration {
            regeneration.show(self.token, &mut view);
        }
        view
    }
}
