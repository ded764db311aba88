//! Ricart and Agrawala 1983, "Author's Response to 'On Mutual Exclusion in Computer Networks' by Carvalho and
//! Roucairol", CACM 26(2).
//!
//! Who has the token may enter. Who has not asks everybody; everybody remembers who asked when, and the token whose
//! request it served last. So its holder knows who still waits, and needs no queue to choose from them.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, LockUse, Parameter, Source, Variant};
use crate::clock::{Clock, Timestamp, count_in_life, number_in_life};
use crate::command::Command;
use crate::conduct::Conduct;
use crate::configuration::{Configuration, Refusal};
use crate::contract::{Algorithm, Effects, Input, Message};
use crate::identity::{LockId, NodeId, RequestId};
use crate::view::{Queued, Value, View};

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The number of nodes.
    pub nodes: u32,
    /// Who has the token at the start.
    pub holder: NodeId,
    /// Who of those who wait gets the token.
    pub next: Next,
}

/// Who of those who wait gets the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The first after its holder, in the order i + 1, …, N − 1, 0, …, i − 1: the paper.
    InRing,
    /// The one whose request is the oldest, in logical time.
    LongestWaiting,
}

const NEXT: [(&str, Next); 2] = [("ring-order", Next::InRing), ("longest-waiting", Next::LongestWaiting)];

/// The messages.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum RicartAgrawalaTokenMessage {
    /// Asks for the token.
    #[serde(rename = "REQUEST")]
    Request {
        /// When the request was made, in logical time; in a later life of its process, beyond all that it said before
        /// ([`number_in_life`]).
        clock: u64,
        /// Whose it is.
        process: NodeId,
    },
    /// Hands the token over.
    #[serde(rename = "TOKEN")]
    Token {
        /// The logical time of each process's request that was served last.
        token: Vec<u64>,
    },
}

impl Message for RicartAgrawalaTokenMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Token { .. } => "TOKEN",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Entered without asking: the token was here.
    HadToken,
    /// Entered: the token came.
    GotToken {
        /// Who had it before.
        from: NodeId,
    },
    /// Passed the token on: this process is the first after its holder that waits.
    PassedInRing {
        /// Whose request is served.
        theirs: Timestamp,
    },
    /// Passed the token on: nobody waits longer.
    PassedToLongestWaiting {
        /// Whose request is served.
        theirs: Timestamp,
    },
    /// Kept the token: nobody waits for it.
    NobodyWaits,
    /// Noted the request: the token is elsewhere.
    NotedElsewhere {
        /// The request.
        theirs: Timestamp,
    },
    /// Noted the request: this process is in the section.
    NotedInSection {
        /// The request.
        theirs: Timestamp,
    },
    /// Ignored: a request as new or newer is known.
    Outdated {
        /// The request.
        theirs: Timestamp,
        /// The newest known.
        known: u64,
    },
    /// Ignored: the message speaks of another process than its sender.
    NotItsSender {
        /// Who sent it.
        from: NodeId,
        /// Of whom it speaks.
        process: NodeId,
    },
    /// Took the token: an earlier life of this process has asked for it.
    TookForEarlierLife {
        /// Who had it before.
        from: NodeId,
    },
    /// Ignored: a token came that was not asked for.
    UnexpectedToken {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: what came is no token of this run.
    NoToken {
        /// Who sent it.
        from: NodeId,
    },
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RicartAgrawalaToken {
    /// Which life this is, from 1.
    incarnation: u32,
    clock: Clock,
    phase: Phase,
    /// The newest request known of each process.
    request: Vec<u64>,
    token: Option<Vec<u64>>,
}

impl RicartAgrawalaToken {
    fn acquire(&mut self, setting: &Setting, me: NodeId, lock: LockId, request: RequestId, out: &mut Effects<Self>) {
        let timestamp = Timestamp { clock: number_in_life(self.incarnation, self.clock.tick()), process: me };
        let claim = Claim { lock, request, timestamp };
        self.phase = Phase::Wanting(claim);
        out.outcome(claim.requested());
        if self.token.is_some() {
            out.because(Reason::HadToken);
            self.enter(out);
        } else if setting.nodes > 1 {
            out.multicast(RicartAgrawalaTokenMessage::Request { clock: timestamp.clock, process: me });
        }
    }

    fn enter(&mut self, out: &mut Effects<Self>) {
        let Phase::Wanting(claim) = self.phase else { return };
        self.phase = Phase::InSection(claim);
        out.outcome(claim.entered());
    }

    fn asked(&mut self, setting: &Setting, me: NodeId, from: NodeId, theirs: Timestamp, out: &mut Effects<Self>) {
        if theirs.process != from {
            return out.because(Reason::NotItsSender { from, process: theirs.process });
        }
        self.clock.observe(count_in_life(theirs.clock));
        match self.request.get_mut(from.index()) {
            Some(known) if theirs.clock <= *known => {
                return out.because(Reason::Outdated { theirs, known: *known });
            }
            Some(known) => *known = theirs.clock,
            None => return,
        }
        match (&self.token, self.phase) {
            (None, _) => out.because(Reason::NotedElsewhere { theirs }),
            (Some(_), Phase::Idle) => self.pass_on(setting, me, out),
            (Some(_), _) => out.because(Reason::NotedInSection { theirs }),
        }
    }

    fn receive(&mut self, setting: &Setting, me: NodeId, from: NodeId, token: Vec<u64>, out: &mut Effects<Self>) {
        if token.len() != setting.nodes as usize {
            return out.because(Reason::NoToken { from });
        }
        if self.token.is_some() || self.phase.is_idle() && self.incarnation == 1 {
            return out.because(Reason::UnexpectedToken { from });
        }
        self.token = Some(token);
        if self.phase.is_idle() {
            out.because(Reason::TookForEarlierLife { from });
            self.mark_served(me, number_in_life(self.incarnation, 0));
            return self.pass_on(setting, me, out);
        }
        out.because(Reason::GotToken { from });
        self.enter(out);
    }

    fn release(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        out.outcome(claim.exited());
        self.mark_served(me, claim.timestamp.clock);
        self.pass_on(setting, me, out);
    }

    /// Notes in the token that no request of this process waits up to this time.
    fn mark_served(&mut self, me: NodeId, until: u64) {
        if let Some(served) = self.token.as_mut().and_then(|token| token.get_mut(me.index())) {
            *served = until.max(*served);
        }
    }

    fn pass_on(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Some(token) = self.token.take() else { return };
        let next = match setting.next {
            Next::InRing => self.waiting(&token, me).next(),
            Next::LongestWaiting => self.waiting(&token, me).min_by_key(Timestamp::by_count),
        };
        let Some(theirs) = next else {
            self.token = Some(token);
            return out.because(Reason::NobodyWaits);
        };
        out.because(match setting.next {
            Next::InRing => Reason::PassedInRing { theirs },
            Next::LongestWaiting => Reason::PassedToLongestWaiting { theirs },
        });
        out.send(theirs.process, RicartAgrawalaTokenMessage::Token { token });
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

impl Algorithm for RicartAgrawalaToken {
    type Setting = Setting;
    type Message = RicartAgrawalaTokenMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "ricart-agrawala-token",
        title: "Ricart–Agrawala with a token",
        family: "mutual-exclusion",
        source: Source {
            authors: "Glenn Ricart, Ashok K. Agrawala",
            title: "Author's Response to \"On Mutual Exclusion in Computer Networks\" by Carvalho and Roucairol",
            year: 1983,
        },
        summary: "One token, asked for by broadcast; it remembers whose request it served last, so its holder knows who waits.",
        variants: &[
            Variant {
                name: "ring-order",
                summary: "the token goes to the first that waits after its holder, round by round: the paper",
                broken: None,
            },
            Variant {
                name: "longest-waiting",
                summary: "the token goes to the oldest request that its holder knows, in logical time",
                broken: None,
            },
        ],
        // Requests may come late or twice: their times tell. A second token would be one too many.
        assumes: Assumptions {
            fifo: false,
            no_loss: true,
            no_duplication: true,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["REQUEST", "TOKEN"],
        background_kinds: &[],
        token_kinds: &["TOKEN"],
        keeps_order: &[],
        conduct: Conduct::PLAIN,
        parameters: &[Parameter {
            name: "holder",
            summary: "who has the token at the start",
            default: "0",
            range: "0 … N-1",
            unit: None,
        }],
        messages_per_entry: "N, or 0 if the token is there",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        Ok(Setting {
            nodes: configuration.nodes,
            holder: configuration.node_parameter("holder")?,
            next: configuration.variant_as(&NEXT)?,
        })
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let numbers = || vec![0; setting.nodes as usize];
        let token = (me == setting.holder).then(numbers);
        Self { incarnation: 1, clock: Clock::default(), phase: Phase::Idle, request: numbers(), token }
    }

    /// The token is with somebody else, on its way, or lost: with a process that is alone it can only be here.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let mut reborn = Self::new(setting, me);
        reborn.token = reborn.token.filter(|_| setting.nodes == 1);
        Some(Self { incarnation, ..reborn })
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(setting, me, lock, request, out),
            Input::Command(Command::Release { .. }) => self.release(setting, me, out),
            Input::Message { from, message: RicartAgrawalaTokenMessage::Request { clock, process } } => {
                self.asked(setting, me, from, Timestamp { clock, process }, out);
            }
            Input::Message { from, message: RicartAgrawalaTokenMessage::Token { token } } => {
                self.receive(setting, me, from, token, out);
            }
            // Nothing is stored; if the token was here, it is lost.
            Input::Start | Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let mut view = View { clock: Some(self.clock.now()), request: self.phase.timestamp(), ..View::default() };
        view.variables = BTreeMap::from([
            ("token_present".into(), Value::Flag(self.token.is_some())),
            ("request".into(), Value::numbers(&self.request)),
        ]);
        if let Some(token) = &self.token {
            let mut waiting: Vec<_> = self.waiting(token, me).collect();
            if setting.next == Next::LongestWaiting {
                waiting.sort_unstable_by_key(Timestamp::by_count);
            }
            view.queue = waiting.iter().map(|q| Queued { node: q.process, clock: Some(q.clock) }).collect();
            view.variables.insert("token".into(), Value::numbers(token));
        }
        view
    }
}
