//! Suzuki and Kasami 1985, "A Distributed Mutual Exclusion Algorithm", ACM TOCS 3(4).
//!
//! Who has the token may enter. Who has not asks everybody, with the number of the request; the token knows the number
//! of everybody's latest entry, so whoever holds it can tell requests that still wait from those long served. The
//! variables are called as in the lectures: `req`, `last`, `Q` (in the paper RN, LN, Q, and the token PRIVILEGE).
//!
//! In the variant `regeneration` a token that is lost with its holder is made anew; whose requests it
//! has served is told by each process of itself.

use super::regeneration::{Answer, Generation, Life, Regenerates, Regeneration, Resumption, Why};
use super::regeneration::{KINDS, NEEDS, first, is_first, says_for_regeneration};
use super::section::{Asked, Section, steps};
use super::{FAMILY, HOLDER};
use crate::clock::number_in_life;
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SuzukiKasami {
    section: Section<()>,
    /// The newest number known of each process's requests.
    req: Vec<u64>,
    token: Option<Token>,
    /// What is known of generations, where a lost token is made anew.
    regeneration: Option<Regeneration>,
}

/// The token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Who gets it next, and after that.
    #[serde(rename = "Q")]
    pub queue: VecDeque<NodeId>,
    /// The number of each process's latest entry.
    pub last: Vec<u64>,
    /// How late it was made, where a lost token is made anew.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub generation: u64,
}

impl Token {
    /// The token at the start, or one that was made anew.
    fn new(nodes: u32, generation: u64) -> Self {
        Self { queue: VecDeque::new(), last: vec![0; nodes as usize], generation }
    }
}

messages! {
    /// The messages.
    pub enum SuzukiKasamiMessage {
        "REQUEST" Request { process: NodeId, num: u64 }: "Asks for the token.",
        "TOKEN" Token(Token): "Hands the token over.",
        "JOIN" Join(Life): "Takes part again after a crash.",
        "WELCOME" Welcome(Life): "Answers a JOIN: it is known here that this life has begun.",
        "CONSULT" Consult(Generation): "Begins a new generation: asks what everybody has.",
        "ANSWER" Answer(Answer): "Says what this process has, and promises to take no token of an earlier generation.",
        "REFUSE" Refuse(Generation): "Answers a CONSULT that comes too late: a later generation is known.",
        "RESUME" Resume(Resumption): "Says where the token of the new generation is, who takes part, and who waits.",
    }
}

says_for_regeneration!(SuzukiKasamiMessage);

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

    fn note(&mut self, process: NodeId, num: u64) {
        if let Some(known) = self.req.get_mut(process.index()) {
            *known = num.max(*known);
        }
    }

    fn receive(&mut self, from: NodeId, message: SuzukiKasamiMessage, turn: &mut Turn<Self>) {
        match message {
            SuzukiKasamiMessage::Request { process, .. } if process != from => {
                turn.because(Reason::NotItsSender { from, process });
            }
            SuzukiKasamiMessage::Request { process, num } => self.asked(process, num, turn),
            SuzukiKasamiMessage::Token(token) => self.take(from, token, turn),
            SuzukiKasamiMessage::Join(life) => self.joined(from, life, turn),
            SuzukiKasamiMessage::Welcome(life) => self.welcomed(from, life, turn),
            SuzukiKasamiMessage::Consult(asked) => self.consulted(from, asked, turn),
            SuzukiKasamiMessage::Answer(answer) => self.answered(from, answer, turn),
            SuzukiKasamiMessage::Refuse(latest) => self.refused(from, latest, turn),
            SuzukiKasamiMessage::Resume(resumption) => self.resumed(from, &resumption, turn),
        }
    }

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

    fn take(&mut self, from: NodeId, token: Token, turn: &mut Turn<Self>) {
        if !turn.setting.has(&token, turn.me) {
            return turn.because(Reason::NoToken { from });
        }
        if token.generation != self.generation() {
            return turn.because(Why::OldToken { from, generation: token.generation }.into());
        }
        let is_awaited = !self.section.is_idle() || self.is_reborn(turn.me) || self.regeneration.is_some();
        if self.token.is_some() || !is_awaited {
            return turn.because(Reason::UnexpectedToken { from });
        }
        self.token = Some(token);
        if self.section.is_idle() {
            turn.because(Reason::TookForEarlierLife { from });
            self.mark_served(turn.me);
            return self.pass_on(turn);
        }
        self.section.enter(Reason::GotToken { from }, turn);
    }

    /// Whether this is not the first life of the process: its numbers begin later.
    fn is_reborn(&self, me: NodeId) -> bool {
        number(&self.req, me) >= number_in_life(2, 0)
    }

    /// Notes in the token that no request of this process waits, of this life or an earlier one.
    fn mark_served(&mut self, me: NodeId) {
        let num = number(&self.req, me);
        if let Some(last) = self.token.as_mut().and_then(|token| token.last.get_mut(me.index())) {
            *last = num;
        }
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(()) = self.section.exit(turn) else { return };
        self.mark_served(turn.me);
        self.pass_on(turn);
    }

    /// Puts into the queue who waits and is not in it, and hands the token to the first.
    fn pass_on(&mut self, turn: &mut Turn<Self>) {
        if !self.has_begun() {
            return turn.because(Why::KeptUntilResumed.into());
        }
        let Some(mut token) = self.token.take() else { return };
        for process in turn.others() {
            // In the paper: is greater by one. A later life does not go on counting where an earlier one has stopped.
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

impl Regenerates for SuzukiKasami {
    fn regeneration(&self) -> Option<&Regeneration> {
        self.regeneration.as_ref()
    }

    fn regeneration_mut(&mut self) -> Option<&mut Regeneration> {
        self.regeneration.as_mut()
    }

    fn token_generation(&self) -> Option<u64> {
        self.token.as_ref().map(|token| token.generation)
    }

    fn numbers(&self, me: NodeId) -> (u64, u64) {
        let newest = number(&self.req, me);
        (newest, newest.saturating_sub(self.section.is_wanting().into()))
    }

    fn is_hasty(setting: &Setting) -> bool {
        setting.discipline == Discipline::HastyRegeneration
    }

    fn resume(&mut self, resumption: &Resumption, makes: bool, turn: &mut Turn<Self>) {
        resumption.members.iter().for_each(|member| self.note(member.process, member.newest));
        let goes_on_as = Self::goes_on_as(self.token_generation(), resumption, makes, turn.me);
        let nodes = turn.setting.nodes;
        let Some(generation) = goes_on_as else {
            self.token = None;
            return;
        };
        let mut token = self.token.take().unwrap_or_else(|| Token::new(nodes, generation));
        token.generation = generation;
        for member in &resumption.members {
            if let Some(last) = token.last.get_mut(member.process.index()) {
                *last = member.served.max(*last);
            }
        }
        let waits = |process: &NodeId| number(&self.req, *process) > number(&token.last, *process);
        token.queue.retain(|process| self.takes_part(*process) && waits(process));
        self.token = Some(token);
        if self.section.is_idle() {
            self.pass_on(turn);
        } else {
            self.section.enter(Reason::HasTokenAnew, turn);
        }
    }
}

fn number(numbers: &[u64], process: NodeId) -> u64 {
    numbers.get(process.index()).copied().unwrap_or_default()
}

fn show_all(numbers: &mut [u64], show: &mut Show<'_>) {
    numbers.iter_mut().enumerate().for_each(|(process, number)| show(process, number));
}

impl Setting {
    /// Whether a token can be one of this run, held by `me`.
    fn has(&self, token: &Token, me: NodeId) -> bool {
        let size = self.nodes as usize;
        let another = |&process: &NodeId| process != me && process.0 < self.nodes;
        token.last.len() == size && token.queue.len() < size && token.queue.iter().all(another)
    }
}

reasons! {
    /// Why a process did what it did.
    pub enum Reason {
        Regeneration { because: Why }: "What was done for a new generation of the token.",
        HadToken: "Entered without asking: the token was here.",
        HasTokenAnew: "Entered: the token was made anew here.",
        GotToken { from: NodeId }: "Entered: the token came.",
        PassedToFirst { to: NodeId, behind: u32 }: "Passed the token on: this process is the first in its queue.",
        NobodyWaits: "Kept the token: nobody waits for it.",
        NotedElsewhere { process: NodeId, num: u64 }: "Noted the request: the token is elsewhere.",
        NotedInSection { process: NodeId, num: u64 }: "Noted the request: this process is in the section.",
        Outdated { process: NodeId, num: u64, known: u64 }: "Ignored: a request as new or newer is known.",
        NotItsSender { from: NodeId, process: NodeId }:
            "Ignored: the message speaks of another process than its sender.",
        TookForEarlierLife { from: NodeId }: "Took the token: an earlier life of this process has asked for it.",
        UnexpectedToken { from: NodeId }: "Ignored: a token came that was not asked for.",
        NoToken { from: NodeId }: "Ignored: what came is no token of this run.",
    }
}

choices! {
    /// Where in the token's queue a request is put: at its end or at its head.
    pub enum Discipline {
        FirstInFirstOut = "fifo-queue": "who has waited longest in the queue is next: the paper",
        LastInFirstOut = "lifo-queue": "who came last into the queue is next";
            broken: "starves: others can overtake one who waits again and again, for ever",
        Regeneration = "regeneration":
            "as fifo-queue; when a process is dead or back, the smallest that is alive asks all others, and if none of them \
                has the token it makes a new one; some live process must always know the latest token",
        HastyRegeneration = "hasty-regeneration": "as regeneration, but who is to ask makes a new token at once";
            broken: "two can be in the section: the token need not have been with who died",
    }
}

impl Discipline {
    const fn regenerates(self) -> bool {
        matches!(self, Self::Regeneration | Self::HastyRegeneration)
    }
}

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    nodes: u32,
    /// Who has the token at the start.
    holder: NodeId,
    discipline: Discipline,
}

impl Algorithm for SuzukiKasami {
    // Nothing is stored; if the token was here, it is lost.
    steps!(SuzukiKasamiMessage: acquire, release, receive, restart restart, suspected suspect, trusted trust);

    const ENTRY: Entry = Entry {
        name: "suzuki-kasami",
        title: "Suzuki–Kasami",
        source: Source {
            authors: "Ichiro Suzuki, Tadao Kasami",
            title: "A Distributed Mutual Exclusion Algorithm",
            year: 1985,
        },
        summary: "One token, asked for by broadcast; it carries the queue of those who wait and the number of everybody's latest entry.",
        variants: Discipline::VARIANTS,
        // Requests may come late or twice: their numbers tell. A second token would be one too many.
        assumes: FAMILY.assumes,
        structure: Structure::NumberedRequests,
        message_kinds: SuzukiKasamiMessage::KINDS,
        repair_kinds: KINDS,
        token_kinds: &["TOKEN"],
        conduct: Conduct { regenerates: &["regeneration", "hasty-regeneration"], ..FAMILY.conduct },
        parameters: &[HOLDER],
        messages_per_entry: "N, or 0 if the token is there",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let (holder, discipline) = (configuration.node_parameter("holder")?, configuration.variant()?);
        Ok(Setting { nodes: configuration.nodes, holder, discipline })
    }

    fn assumptions(variant: &str) -> Assumptions {
        if variant == "regeneration" { NEEDS } else { Self::ENTRY.assumes }
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let token = (me == setting.holder).then(|| Token::new(setting.nodes, first()));
        let regeneration = setting.discipline.regenerates().then(Regeneration::at_start);
        Self { section: Section::Idle, req: vec![0; setting.nodes as usize], token, regeneration }
    }

    /// The token is with somebody else, on its way, or lost: with a process that is alone it can only be here.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let mut reborn = Self::new(setting, me);
        if setting.nodes > 1 {
            reborn.token = None;
            reborn.regeneration = reborn.regeneration.map(|_| Regeneration::forgotten(incarnation));
        }
        reborn.note(me, number_in_life(incarnation, 0));
        Some(reborn)
    }

    /// Everybody's requests are a count of their own.
    fn growing(&mut self, setting: &Setting, _: NodeId, show: &mut Show<'_>) {
        if setting.discipline.regenerates() {
            return;
        }
        let last = self.token.iter_mut().map(|token| &mut token.last);
        core::iter::once(&mut self.req).chain(last).for_each(|numbers| show_all(numbers, show));
    }

    fn growing_in(message: &mut SuzukiKasamiMessage, setting: &Setting, show: &mut Show<'_>) {
        match message {
            _ if setting.discipline.regenerates() => {}
            SuzukiKasamiMessage::Request { process, num } => show(process.index(), num),
            SuzukiKasamiMessage::Token(token) => show_all(&mut token.last, show),
            _ => {}
        }
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        let mut view = View::default();
        view.variables.insert("req".into(), Value::numbers(&self.req));
        view.variables.insert("token".into(), Value::Flag(self.token.is_some()));
        if let Some(token) = &self.token {
            view.variables.insert("last".into(), Value::numbers(&token.last));
            view.variables.insert("Q".into(), Value::nodes(&token.queue));
            view.queue = token.queue.iter().copied().map(Queued::from).collect();
        }
        if let Some(regeneration) = &self.regeneration {
            regeneration.show(self.token_generation(), &mut view);
        }
        view
    }
}
