//! Naimi, Tréhel and Arnold 1996, "A Log(N) Distributed Mutual Exclusion Algorithm Based on Path Reversal", Journal of
//! Parallel and Distributed Computing 34(1).
//!
//! Each process knows its `father`, who it believes will have the token last. A request travels along the fathers to
//! the end of the way, and everybody on the way makes the one who asks his father: the path is reversed. Those who
//! wait form a queue in which each knows only the `next`.

use alloc::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, LockUse, Parameter, Source, Variant};
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
}

/// The messages of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum NaimiTrehelMessage {
    /// Asks for the token; passed on from father to father.
    #[serde(rename = "REQUEST")]
    Request {
        /// Who asks.
        process: NodeId,
    },
    /// Hands the token over.
    #[serde(rename = "TOKEN")]
    Token {},
}

impl Message for NaimiTrehelMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Token {} => "TOKEN",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Entered without asking: the token was here.
    HadToken,
    /// Asked for the token.
    AskedFather {
        /// Who was asked.
        father: NodeId,
    },
    /// Entered: the token came.
    GotToken {
        /// Who had it before.
        from: NodeId,
    },
    /// Sent the token: nobody here wants the section.
    SentIdle {
        /// Who gets it.
        to: NodeId,
    },
    /// Sent the token on leaving: its recipient is the next.
    SentToNext {
        /// Who gets it.
        to: NodeId,
    },
    /// Kept the token: nobody waits for it.
    NobodyWaits,
    /// Noted as the next: this process is the last of those who wait or are in the section.
    NotedAsNext {
        /// Who is next.
        next: NodeId,
    },
    /// Passed the request on.
    PassedToFather {
        /// Who asks.
        process: NodeId,
        /// Who gets the request.
        father: NodeId,
    },
    /// Ignored: a request of one's own, of one's father, or of no process of this run.
    NobodyElses {
        /// Whose request it is said to be.
        process: NodeId,
    },
    /// Took the token: an earlier life of this process has asked for it.
    TookForEarlierLife {
        /// Who had it before.
        from: NodeId,
    },
    /// Waits: where the token is was forgotten in a crash.
    FatherForgotten,
    /// Ignored: a token came that was not asked for.
    UnexpectedToken {
        /// Who sent it.
        from: NodeId,
    },
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NaimiTrehel {
    phase: Phase<()>,
    token_present: bool,
    /// Whom to ask; nobody if this process is the last of the queue.
    father: Option<NodeId>,
    /// Who gets the token after this process.
    next: Option<NodeId>,
    /// Whether this is not the first life of the process.
    reborn: bool,
}

impl NaimiTrehel {
    fn acquire(&mut self, me: NodeId, claim: Claim<()>, out: &mut Effects<Self>) {
        self.phase = Phase::Wanting(claim);
        out.outcome(claim.requested());
        if let Some(father) = self.father.take() {
            out.because(Reason::AskedFather { father });
            out.send(father, NaimiTrehelMessage::Request { process: me });
        } else if self.token_present {
            out.because(Reason::HadToken);
            self.enter(out);
        } else if self.reborn {
            out.because(Reason::FatherForgotten);
        }
    }

    fn enter(&mut self, out: &mut Effects<Self>) {
        let Phase::Wanting(claim) = self.phase else { return };
        self.phase = Phase::InSection(claim);
        out.outcome(claim.entered());
    }

    fn asked(&mut self, setting: &Setting, me: NodeId, process: NodeId, out: &mut Effects<Self>) {
        // Nobody's way leads to himself: who asks has no father, and is nobody's father who hears of it.
        if process == me || process.0 >= setting.nodes || self.father == Some(process) {
            return out.because(Reason::NobodyElses { process });
        }
        match self.father.replace(process) {
            Some(father) => {
                out.because(Reason::PassedToFather { process, father });
                out.send(father, NaimiTrehelMessage::Request { process });
            }
            None if self.phase.is_idle() && self.token_present => {
                self.token_present = false;
                out.because(Reason::SentIdle { to: process });
                out.send(process, NaimiTrehelMessage::Token {});
            }
            None => {
                self.next = Some(process);
                out.because(Reason::NotedAsNext { next: process });
            }
        }
    }

    fn receive(&mut self, from: NodeId, out: &mut Effects<Self>) {
        if self.token_present || self.phase.is_idle() && !self.reborn {
            return out.because(Reason::UnexpectedToken { from });
        }
        self.token_present = true;
        if self.phase.is_idle() {
            out.because(Reason::TookForEarlierLife { from });
            self.father = None;
            return self.pass_on(out);
        }
        out.because(Reason::GotToken { from });
        self.enter(out);
    }

    fn release(&mut self, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        out.outcome(claim.exited());
        self.pass_on(out);
    }

    fn pass_on(&mut self, out: &mut Effects<Self>) {
        if let Some(next) = self.next.take() {
            self.token_present = false;
            out.because(Reason::SentToNext { to: next });
            out.send(next, NaimiTrehelMessage::Token {});
        } else {
            out.because(Reason::NobodyWaits);
        }
    }
}

impl Algorithm for NaimiTrehel {
    type Setting = Setting;
    type Message = NaimiTrehelMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "naimi-trehel",
        title: "Naimi–Tréhel",
        family: "mutual-exclusion",
        source: Source {
            authors: "Mohamed Naimi, Michel Tréhel, André Arnold",
            title: "A Log(N) Distributed Mutual Exclusion Algorithm Based on Path Reversal",
            year: 1996,
        },
        summary: "A request travels along a tree to who will have the token last, and makes the one who asks the new root.",
        variants: &[Variant { name: "original", summary: "the paper, without its repair of failures", broken: None }],
        // Requests of different processes may overtake; no process has two on the way. Copies break it.
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
        messages_per_entry: "O(log N) in the mean, 0 if the token is there",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        configuration.variant_as(&[("original", ())])?;
        Ok(Setting { nodes: configuration.nodes, holder: configuration.node_parameter("holder")? })
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let holds = me == setting.holder;
        let father = (!holds).then_some(setting.holder);
        Self { phase: Phase::Idle, token_present: holds, father, next: None, reborn: false }
    }

    /// The token is with somebody else, on its way, or lost: with a process that is alone it can only be here. Whom to ask
    /// is forgotten, but who had the token at the start is as good as any.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        let first = Self::new(setting, me);
        Some(Self { token_present: setting.nodes == 1, reborn: true, ..first })
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(me, Claim::new(lock, request), out),
            Input::Command(Command::Release { .. }) => self.release(out),
            Input::Message { message: NaimiTrehelMessage::Request { process }, .. } => {
                self.asked(setting, me, process, out);
            }
            Input::Message { from, message: NaimiTrehelMessage::Token {} } => self.receive(from, out),
            // Nothing is stored; if the token was here, it is lost.
            Input::Start | Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        View {
            queue: self.next.iter().map(|&node| Queued { node, clock: None }).collect(),
            variables: BTreeMap::from([
                ("requesting_cs".into(), Value::Flag(!self.phase.is_idle())),
                ("token_present".into(), Value::Flag(self.token_present)),
                ("father".into(), Value::node(self.father)),
                ("next".into(), Value::node(self.next)),
            ]),
            ..View::default()
        }
    }
}
