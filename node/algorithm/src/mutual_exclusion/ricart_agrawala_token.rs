//! Ricart and Agrawala 1983, "Author's Response to 'On Mutual Exclusion in Computer Networks' by Carvalho and
//! Roucairol", CACM 26(2).
//!
//! Who has the token may enter. Who has not asks everybody; everybody remembers who asked when, and the token whose
//! request it served last. So its holder knows who still waits, and needs no queue to choose from them.
//!
//! In the variant `regeneration` a token that is lost with its holder is made anew; whose requests it
//! has served is told by each process of itself.

use super::regeneration::{Answer, Generation, Life, Regenerates, Regeneration, Resumption, Why};
use super::regeneration::{KINDS, NEEDS, first, is_first, says_for_regeneration};
use super::section::{Asked, Section, steps};
use super::{FAMILY, HOLDER};
use crate::clock::{count_in_life, number_in_life};
use crate::flat::FlatMap;
use crate::prelude::*;

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RicartAgrawalaToken {
    /// Which life this is, from 1.
    incarnation: u32,
    clock: Clock,
    section: Section,
    /// The newest request known of each process.
    request: Vec<u64>,
    token: Option<Vec<u64>>,
    /// Of which generation the token is that was here last.
    generation: u64,
    /// What is known of generations, where a lost token is made anew.
    regeneration: Option<Regeneration>,
}

messages! {
    /// The messages.
    pub enum RicartAgrawalaTokenMessage {
        "REQUEST" Request {
            /// When the request was made, in logical time; in a later life of its process, beyond all that it said before
            /// ([`number_in_life`]).
            clock: u64,
            process: NodeId,
        }: "Asks for the token.",
        "TOKEN" Token {
            token: Vec<u64>,
            /// How late it was made, where a lost token is made anew.
            #[serde(default = "first", skip_serializing_if = "is_first")]
            generation: u64,
        }: "Hands the token over: the logical time of each process's request that was served last.",
        "JOIN" Join(Life): "Takes part again after a crash.",
        "WELCOME" Welcome(Life): "Answers a JOIN: it is known here that this life has begun.",
        "CONSULT" Consult(Generation): "Begins a new generation: asks what everybody has.",
        "ANSWER" Answer(Answer): "Says what this process has, and promises to take no token of an earlier generation.",
        "REFUSE" Refuse(Generation): "Answers a CONSULT that comes too late: a later generation is known.",
        "RESUME" Resume(Resumption): "Says where the token of the new generation is, who takes part, and who waits.",
    }
}

says_for_regeneration!(RicartAgrawalaTokenMessage);

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

    fn receive(&mut self, from: NodeId, message: RicartAgrawalaTokenMessage, turn: &mut Turn<Self>) {
        match message {
            RicartAgrawalaTokenMessage::Request { process, .. } if process != from => {
                turn.because(Reason::NotItsSender { from, process });
            }
            RicartAgrawalaTokenMessage::Request { clock, process } => self.asked(Timestamp { clock, process }, turn),
            RicartAgrawalaTokenMessage::Token { token, generation } => self.take(from, token, generation, turn),
            RicartAgrawalaTokenMessage::Join(life) => self.joined(from, life, turn),
            RicartAgrawalaTokenMessage::Welcome(life) => self.welcomed(from, life, turn),
            RicartAgrawalaTokenMessage::Consult(asked) => self.consulted(from, asked, turn),
            RicartAgrawalaTokenMessage::Answer(answer) => self.answered(from, answer, turn),
            RicartAgrawalaTokenMessage::Refuse(latest) => self.refused(from, latest, turn),
            RicartAgrawalaTokenMessage::Resume(resumption) => self.resumed(from, &resumption, turn),
        }
    }

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

    fn take(&mut self, from: NodeId, token: Vec<u64>, generation: u64, turn: &mut Turn<Self>) {
        if token.len() != turn.setting.nodes as usize {
            return turn.because(Reason::NoToken { from });
        }
        if generation != Regenerates::generation(self) {
            return turn.because(Why::OldToken { from, generation }.into());
        }
        let is_awaited = !self.section.is_idle() || self.incarnation > 1 || self.regeneration.is_some();
        if self.token.is_some() || !is_awaited {
            return turn.because(Reason::UnexpectedToken { from });
        }
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

    /// Notes in the token that no request of this process waits up to this time.
    fn mark_served(&mut self, me: NodeId, until: u64) {
        if let Some(served) = self.token.as_mut().and_then(|token| token.get_mut(me.index())) {
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

    /// The requests that the token has not served, in the order of the ring from `me` on.
    fn waiting<'a>(&'a self, token: &'a [u64], me: NodeId) -> impl Iterator<Item = Timestamp> + 'a {
        let all = || (0..).map(NodeId).zip(self.request.iter().zip(token));
        all()
            .skip(me.index() + 1)
            .chain(all().take(me.index()))
            .filter_map(|(process, (&clock, &served))| (clock > served).then_some(Timestamp { clock, process }))
            .filter(|theirs| self.takes_part(theirs.process))
    }

    /// Another process has asked by this time, and those up to `served` need nothing any more.
    fn learn(&mut self, process: NodeId, newest: u64, served: u64) {
        self.clock.observe(count_in_life(newest));
        if let Some(known) = self.request.get_mut(process.index()) {
            *known = newest.max(*known);
        }
        self.mark_served(process, served);
    }
}

impl Regenerates for RicartAgrawalaToken {
    fn regeneration(&self) -> Option<&Regeneration> {
        self.regeneration.as_ref()
    }

    fn regeneration_mut(&mut self) -> Option<&mut Regeneration> {
        self.regeneration.as_mut()
    }

    fn token_generation(&self) -> Option<u64> {
        self.token.is_some().then_some(self.generation)
    }

    fn numbers(&self, _: NodeId) -> (u64, u64) {
        if let Some(ours) = self.section.wanting() {
            return (ours.clock, ours.clock.saturating_sub(1));
        }
        let now = number_in_life(self.incarnation, self.clock.now());
        (now, now)
    }

    fn resume(&mut self, resumption: &Resumption, makes: bool, turn: &mut Turn<Self>) {
        let goes_on_as = Self::goes_on_as(self.token_generation(), resumption, makes, turn.me);
        self.token = goes_on_as.map(|generation| {
            self.generation = generation;
            self.token.take().unwrap_or_else(|| vec![0; turn.setting.nodes as usize])
        });
        let others = resumption.members.iter().filter(|member| member.process != turn.me);
        others.for_each(|member| self.learn(member.process, member.newest, member.served));
        if self.token.is_none() {
            return;
        }
        if self.section.is_idle() {
            self.pass_on(turn);
        } else {
            self.section.enter(Reason::HasTokenAnew, turn);
        }
    }
}

reasons! {
    /// Why a process did what it did.
    pub enum Reason {
        Regeneration { because: Why }: "What was done for a new generation of the token.",
        HadToken: "Entered without asking: the token was here.",
        HasTokenAnew: "Entered: the token was made anew here.",
        GotToken { from: NodeId }: "Entered: the token came.",
        PassedInRing { theirs: Timestamp }:
            "Passed the token on: this process is the first after its holder that waits.",
        PassedToLongestWaiting { theirs: Timestamp }: "Passed the token on: nobody waits longer.",
        NobodyWaits: "Kept the token: nobody waits for it.",
        NotedElsewhere { theirs: Timestamp }: "Noted the request: the token is elsewhere.",
        NotedInSection { theirs: Timestamp }: "Noted the request: this process is in the section.",
        Outdated { theirs: Timestamp, known: u64 }: "Ignored: a request as new or newer is known.",
        NotItsSender { from: NodeId, process: NodeId }:
            "Ignored: the message speaks of another process than its sender.",
        TookForEarlierLife { from: NodeId }: "Took the token: an earlier life of this process has asked for it.",
        UnexpectedToken { from: NodeId }: "Ignored: a token came that was not asked for.",
        NoToken { from: NodeId }: "Ignored: what came is no token of this run.",
    }
}

choices! {
    /// Who of those who wait gets the token; in the paper, in the order i + 1, …, N − 1, 0, …, i − 1 after its holder i.
    pub enum Next {
        InRing = "ring-order": "the token goes to the first that waits after its holder, round by round: the paper",
        LongestWaiting = "longest-waiting":
            "the token goes to the oldest request that its holder knows, in logical time",
        Regeneration = "regeneration":
            "as ring-order; when a process is dead or back, the smallest that is alive asks all others, and if none of them \
                has the token it makes a new one; some live process must always know the latest token",
    }
}

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    nodes: u32,
    /// Who has the token at the start.
    holder: NodeId,
    next: Next,
}

impl Algorithm for RicartAgrawalaToken {
    // Nothing is stored; if the token was here, it is lost.
    steps!(RicartAgrawalaTokenMessage: acquire, release, receive, restart restart, suspected suspect, trusted trust);

    const ENTRY: Entry = Entry {
        name: "ricart-agrawala-token",
        title: "Ricart–Agrawala with a token",
        source: Source {
            authors: "Glenn Ricart, Ashok K. Agrawala",
            title: "Author's Response to \"On Mutual Exclusion in Computer Networks\" by Carvalho and Roucairol",
            year: 1983,
        },
        summary: "One token, asked for by broadcast; it remembers whose request it served last, so its holder knows who waits.",
        variants: Next::VARIANTS,
        // Requests may come late or twice: their times tell. A second token would be one too many.
        assumes: FAMILY.assumes,
        structure: Structure::NumberedRequests,
        message_kinds: RicartAgrawalaTokenMessage::KINDS,
        repair_kinds: KINDS,
        token_kinds: &["TOKEN"],
        conduct: Conduct { regenerates: &["regeneration"], ..FAMILY.conduct },
        parameters: &[HOLDER],
        messages_per_entry: "N, or 0 if the token is there",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let (holder, next) = (configuration.node_parameter("holder")?, configuration.variant()?);
        Ok(Setting { nodes: configuration.nodes, holder, next })
    }

    fn assumptions(variant: &str) -> Assumptions {
        if variant == "regeneration" { NEEDS } else { Self::ENTRY.assumes }
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let numbers = || vec![0; setting.nodes as usize];
        Self {
            incarnation: 1,
            clock: Clock::default(),
            section: Section::Idle,
            request: numbers(),
            token: (me == setting.holder).then(numbers),
            generation: first(),
            regeneration: (setting.next == Next::Regeneration).then(Regeneration::at_start),
        }
    }

    /// The token is with somebody else, on its way, or lost: with a process that is alone it can only be here.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let mut reborn = Self::new(setting, me);
        if setting.nodes > 1 {
            reborn.token = None;
            reborn.regeneration = reborn.regeneration.map(|_| Regeneration::forgotten(incarnation));
        }
        Some(Self { incarnation, ..reborn })
    }

    // A process hears of no request of its own: that number stays 0, and nothing is compared with it.
    fn growing(&mut self, setting: &Setting, me: NodeId, show: &mut Show<'_>) {
        if setting.next == Next::Regeneration {
            return;
        }
        show(CLOCK, self.clock.now_mut());
        let requests = (0..).map(NodeId).zip(&mut self.request).filter(|(process, _)| *process != me);
        let requests = requests.map(|(_, time)| time);
        let times = self.section.time_mut().into_iter().chain(requests).chain(self.token.iter_mut().flatten());
        times.for_each(|time| show(CLOCK, time));
    }

    fn growing_in(message: &mut RicartAgrawalaTokenMessage, setting: &Setting, show: &mut Show<'_>) {
        match message {
            _ if setting.next == Next::Regeneration => {}
            RicartAgrawalaTokenMessage::Request { clock, .. } => show(CLOCK, clock),
            RicartAgrawalaTokenMessage::Token { token, .. } => token.iter_mut().for_each(|time| show(CLOCK, time)),
            _ => {}
        }
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let mut view = View { clock: Some(self.clock.now()), request: self.section.time(), ..View::default() };
        view.variables = FlatMap::from([
            ("token_present".into(), Value::Flag(self.token.is_some())),
            ("request".into(), Value::numbers(&self.request)),
        ]);
        if let Some(token) = &self.token {
            let mut waiting: Vec<_> = self.waiting(token, me).collect();
            if setting.next == Next::LongestWaiting {
                waiting.sort_unstable_by_key(Timestamp::by_count);
            }
            view.queue = waiting.into_iter().map(Queued::from).collect();
            view.variables.insert("token".into(), Value::numbers(token));
        }
        if let Some(regeneration) = &self.regeneration {
            regeneration.show(self.token_generation(), &mut view);
        }
        view
    }
}
