//! Suzuki and Kasami 1985, "A Distributed Mutual Exclusion Algorithm", ACM TOCS 3(4).
//!
//! Who has the token may enter. Who has not asks everybody, with the number of the request; the token knows the number
//! of everybody's latest entry, so whoever holds it can tell requests that still wait from those long served. The
//! variables are called as in the lectures: `req`, `last`, `Q` (in the paper RN, LN, Q, and the token PRIVILEGE).

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, LockUse, Parameter, Source, Variant};
use crate::clock::number_in_life;
use crate::command::Command;
use crate::conduct::Conduct;
use crate::configuration::{Configuration, Refusal};
use crate::contract::{Algorithm, Effects, Input, Message};
use crate::identity::NodeId;
use crate::view::{Queued, Value, View};

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The number of nodes.
    pub nodes: u32,
    /// Who has the token at the start.
    pub holder: NodeId,
    /// Where in the queue a request is put.
    pub discipline: Discipline,
}

/// Where in the token's queue a request is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// At the end: the paper.
    FirstInFirstOut,
    /// At the head: wrong.
    LastInFirstOut,
}

const DISCIPLINES: [(&str, Discipline); 2] =
    [("fifo-queue", Discipline::FirstInFirstOut), ("lifo-queue", Discipline::LastInFirstOut)];

/// The token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Who gets it next, and after that.
    #[serde(rename = "Q")]
    pub queue: VecDeque<NodeId>,
    /// The number of each process's latest entry.
    pub last: Vec<u64>,
}

/// The messages.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum SuzukiKasamiMessage {
    /// Asks for the token.
    #[serde(rename = "REQUEST")]
    Request {
        /// Whose request it is.
        process: NodeId,
        /// Its number among that process's requests.
        num: u64,
    },
    /// Hands the token over.
    #[serde(rename = "TOKEN")]
    Token(Token),
}

impl Message for SuzukiKasamiMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Token(_) => "TOKEN",
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
    /// Passed the token on: this process is the first in its queue.
    PassedToFirst {
        /// Who gets it.
        to: NodeId,
        /// How many wait behind.
        behind: u32,
    },
    /// Kept the token: nobody waits for it.
    NobodyWaits,
    /// Noted the request: the token is elsewhere.
    NotedElsewhere {
        /// Whose request.
        process: NodeId,
        /// Its number.
        num: u64,
    },
    /// Noted the request: this process is in the section.
    NotedInSection {
        /// Whose request.
        process: NodeId,
        /// Its number.
        num: u64,
    },
    /// Ignored: a request as new or newer is known.
    Outdated {
        /// Whose request.
        process: NodeId,
        /// Its number.
        num: u64,
        /// The newest number known.
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
pub struct SuzukiKasami {
    phase: Phase<()>,
    /// The newest number known of each process's requests.
    req: Vec<u64>,
    token: Option<Token>,
}

impl SuzukiKasami {
    fn acquire(&mut self, setting: &Setting, me: NodeId, claim: Claim<()>, out: &mut Effects<Self>) {
        let num = number(&self.req, me).saturating_add(1);
        self.note(me, num);
        self.phase = Phase::Wanting(claim);
        out.outcome(claim.requested());
        if self.token.is_some() {
            out.because(Reason::HadToken);
            self.enter(out);
        } else if setting.nodes > 1 {
            out.multicast(SuzukiKasamiMessage::Request { process: me, num });
        }
    }

    fn enter(&mut self, out: &mut Effects<Self>) {
        let Phase::Wanting(claim) = self.phase else { return };
        self.phase = Phase::InSection(claim);
        out.outcome(claim.entered());
    }

    fn note(&mut self, process: NodeId, num: u64) {
        if let Some(known) = self.req.get_mut(process.index()) {
            *known = num.max(*known);
        }
    }

    fn asked(&mut self, setting: &Setting, me: NodeId, from: NodeId, request: (NodeId, u64), out: &mut Effects<Self>) {
        let (process, num) = request;
        if process != from {
            return out.because(Reason::NotItsSender { from, process });
        }
        let known = number(&self.req, process);
        if num <= known {
            return out.because(Reason::Outdated { process, num, known });
        }
        self.note(process, num);
        match (&self.token, self.phase) {
            (None, _) => out.because(Reason::NotedElsewhere { process, num }),
            (Some(_), Phase::Idle) => self.pass_on(setting, me, out),
            (Some(_), _) => out.because(Reason::NotedInSection { process, num }),
        }
    }

    fn receive(&mut self, setting: &Setting, me: NodeId, from: NodeId, token: Token, out: &mut Effects<Self>) {
        if !is_token(setting, me, &token) {
            return out.because(Reason::NoToken { from });
        }
        if self.token.is_some() || self.phase.is_idle() && !self.is_reborn(me) {
            return out.because(Reason::UnexpectedToken { from });
        }
        self.token = Some(token);
        if self.phase.is_idle() {
            out.because(Reason::TookForEarlierLife { from });
            self.mark_served(me);
            return self.pass_on(setting, me, out);
        }
        out.because(Reason::GotToken { from });
        self.enter(out);
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

    fn release(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        out.outcome(claim.exited());
        self.mark_served(me);
        self.pass_on(setting, me, out);
    }

    /// Puts into the queue who waits and is not in it, and hands the token to the first.
    fn pass_on(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Some(mut token) = self.token.take() else { return };
        for process in NodeId::all(setting.nodes).filter(|&process| process != me) {
            // In the paper: is greater by one. A later life does not go on counting where an earlier one has stopped.
            let waits = number(&self.req, process) > number(&token.last, process);
            if waits && !token.queue.contains(&process) {
                match setting.discipline {
                    Discipline::FirstInFirstOut => token.queue.push_back(process),
                    Discipline::LastInFirstOut => token.queue.push_front(process),
                }
            }
        }
        if let Some(to) = token.queue.pop_front() {
            out.because(Reason::PassedToFirst { to, behind: u32::try_from(token.queue.len()).unwrap_or(u32::MAX) });
            out.send(to, SuzukiKasamiMessage::Token(token));
        } else {
            out.because(Reason::NobodyWaits);
            self.token = Some(token);
        }
    }
}

fn number(numbers: &[u64], process: NodeId) -> u64 {
    numbers.get(process.index()).copied().unwrap_or_default()
}

/// Whether a token can be one of this run, held by `me`.
fn is_token(setting: &Setting, me: NodeId, token: &Token) -> bool {
    let size = setting.nodes as usize;
    let another = |&process: &NodeId| process != me && process.0 < setting.nodes;
    token.last.len() == size && token.queue.len() < size && token.queue.iter().all(another)
}

impl Algorithm for SuzukiKasami {
    type Setting = Setting;
    type Message = SuzukiKasamiMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "suzuki-kasami",
        title: "Suzuki–Kasami",
        family: "mutual-exclusion",
        source: Source {
            authors: "Ichiro Suzuki, Tadao Kasami",
            title: "A Distributed Mutual Exclusion Algorithm",
            year: 1985,
        },
        summary: "One token, asked for by broadcast; it carries the queue of those who wait and the number of everybody's latest entry.",
        variants: &[
            Variant {
                name: "fifo-queue",
                summary: "who has waited longest in the queue is next: the paper",
                broken: None,
            },
            Variant {
                name: "lifo-queue",
                summary: "who came last into the queue is next",
                broken: Some("starves: others can overtake one who waits again and again, for ever"),
            },
        ],
        // Requests may come late or twice: their numbers tell. A second token would be one too many.
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
            discipline: configuration.variant_as(&DISCIPLINES)?,
        })
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let numbers = || vec![0; setting.nodes as usize];
        let token = (me == setting.holder).then(|| Token { queue: VecDeque::new(), last: numbers() });
        Self { phase: Phase::Idle, req: numbers(), token }
    }

    /// The token is with somebody else, on its way, or lost: with a process that is alone it can only be here.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        let mut reborn = Self::new(setting, me);
        reborn.token = reborn.token.filter(|_| setting.nodes == 1);
        reborn.note(me, number_in_life(incarnation, 0));
        Some(reborn)
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => {
                self.acquire(setting, me, Claim::new(lock, request), out);
            }
            Input::Command(Command::Release { .. }) => self.release(setting, me, out),
            Input::Message { from, message: SuzukiKasamiMessage::Request { process, num } } => {
                self.asked(setting, me, from, (process, num), out);
            }
            Input::Message { from, message: SuzukiKasamiMessage::Token(token) } => {
                self.receive(setting, me, from, token, out);
            }
            // Nothing is stored; if the token was here, it is lost.
            Input::Start | Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        let mut variables = BTreeMap::from([
            ("req".into(), Value::numbers(&self.req)),
            ("token".into(), Value::Flag(self.token.is_some())),
        ]);
        let mut queue = Vec::new();
        if let Some(token) = &self.token {
            variables.insert("last".into(), Value::numbers(&token.last));
            variables.insert("Q".into(), Value::nodes(&token.queue));
            queue.extend(token.queue.iter().map(|&node| Queued { node, clock: None }));
        }
        View { queue, variables, ..View::default() }
    }
}
