//! Ricart and Agrawala 1983, "Author's Response to 'On Mutual Exclusion in Computer Networks' by Carvalho and
//! Roucairol", CACM 26(2).
//!
//! Who has the token may enter. Who has not asks everybody; everybody remembers who asked when, and the token whose
//! request it served last. So its holder knows who still waits, and needs no queue to choose from them.

use super::section::{Asked, Section, steps};
use super::{FAMILY, HOLDER};
use crate::clock::{count_in_life, number_in_life};
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
        "TOKEN" Token { token: Vec<u64> }:
            "Hands the token over: the logical time of each process's request that was served last.",
    }
}

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
            RicartAgrawalaTokenMessage::Token { token } => self.take(from, token, turn),
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

    fn take(&mut self, from: NodeId, token: Vec<u64>, turn: &mut Turn<Self>) {
        if token.len() != turn.setting.nodes as usize {
            return turn.because(Reason::NoToken { from });
        }
        if self.token.is_some() || self.section.is_idle() && self.incarnation == 1 {
            return turn.because(Reason::UnexpectedToken { from });
        }
        self.token = Some(token);
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
        let Some(token) = self.token.take() else { return };
        let next = match turn.setting.next {
            Next::InRing => self.waiting(&token, turn.me).next(),
            Next::LongestWaiting => self.waiting(&token, turn.me).min_by_key(Timestamp::by_count),
        };
        let Some(theirs) = next else {
            self.token = Some(token);
            return turn.because(Reason::NobodyWaits);
        };
        turn.because(match turn.setting.next {
            Next::InRing => Reason::PassedInRing { theirs },
            Next::LongestWaiting => Reason::PassedToLongestWaiting { theirs },
        });
        turn.send(theirs.process, RicartAgrawalaTokenMessage::Token { token });
    }

    /// The requests that the token has not served, in the order of the ring from `me` on.
    fn waiting<'a>(&'a self, token: &'a [u64], me: NodeId) -> impl Iterator<Item = Timestamp> + 'a {
        let all = || (0..).map(NodeId).zip(self.request.iter().zip(token));
        all()
            .skip(me.index() + 1)
            .chain(all().take(me.index()))
            .filter_map(|(process, (&clock, &served))| (clock > served).then_some(Timestamp { clock, process }))
    }
}

reasons! {
    /// Why a process did what it did.
    pub enum Reason {
        HadToken: "Entered without asking: the token was here.",
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
    steps!(RicartAgrawalaTokenMessage: acquire, release, receive);

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
        message_kinds: RicartAgrawalaTokenMessage::KINDS,
        token_kinds: &["TOKEN"],
        parameters: &[HOLDER],
        messages_per_entry: "N, or 0 if the token is there",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let (holder, next) = (configuration.node_parameter("holder")?, configuration.variant()?);
        Ok(Setting { nodes: configuration.nodes, holder, next })
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let numbers = || vec![0; setting.nodes as usize];
        let token = (me == setting.holder).then(numbers);
        Self { incarnation: 1, clock: Clock::default(), section: Section::Idle, request: numbers(), token }
    }

    /// The token is with somebody else, on its way, or lost: with a process that is alone it can only be here.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let mut reborn = Self::new(setting, me);
        reborn.token = reborn.token.filter(|_| setting.nodes == 1);
        Some(Self { incarnation, ..reborn })
    }

    // A process hears of no request of its own: that number stays 0, and nothing is compared with it.
    fn growing(&mut self, _: &Setting, me: NodeId, show: &mut Show<'_>) {
        show(CLOCK, self.clock.now_mut());
        let requests = (0..).map(NodeId).zip(&mut self.request).filter(|(process, _)| *process != me);
        let requests = requests.map(|(_, time)| time);
        let times = self.section.time_mut().into_iter().chain(requests).chain(self.token.iter_mut().flatten());
        times.for_each(|time| show(CLOCK, time));
    }

    fn growing_in(message: &mut RicartAgrawalaTokenMessage, _: &Setting, show: &mut Show<'_>) {
        match message {
            RicartAgrawalaTokenMessage::Request { clock, .. } => show(CLOCK, clock),
            RicartAgrawalaTokenMessage::Token { token } => token.iter_mut().for_each(|time| show(CLOCK, time)),
        }
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let mut view = View { clock: Some(self.clock.now()), request: self.section.time(), ..View::default() };
        view.variables = BTreeMap::from([
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
        view
    }
}
