//! Ricart and Agrawala 1981, "An Optimal Algorithm for Mutual Exclusion in Computer Networks", CACM 24(1).
//!
//! Who wants the section asks everybody and enters when everybody has replied. Who is asked replies at once, unless
//! he is in the section or has asked earlier himself: then he defers the reply until he leaves (section 2.1).

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::catalogue::{Assumptions, Entry, Source, Variant};
use crate::clock::{Clock, Timestamp};
use crate::configuration::{Configuration, Refusal};
use crate::contract::{Algorithm, Command, Effects, Input, Message, Outcome};
use crate::identity::{LockId, NodeId, RequestId};
use crate::view::{Queued, Value, View};

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The number of nodes.
    pub nodes: u32,
}

/// The messages of the paper, section 2.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum RicartAgrawalaMessage {
    /// Asks for permission.
    #[serde(rename = "REQUEST")]
    Request {
        /// When the request was made, in logical time.
        clock: u64,
        /// Whose it is.
        process: NodeId,
    },
    /// Gives permission.
    #[serde(rename = "REPLY")]
    Reply {
        /// The sender's clock.
        clock: u64,
    },
}

impl Message for RicartAgrawalaMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Reply { .. } => "REPLY",
        }
    }
}

/// Why a request was answered as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Replied: this process does not want the section.
    RepliedIdle {
        /// Whose request it was.
        to: NodeId,
    },
    /// Replied: the other request is older than one's own.
    RepliedOlder {
        /// The other request.
        theirs: Timestamp,
        /// One's own.
        ours: Timestamp,
    },
    /// Deferred: this process is in the section.
    DeferredInSection {
        /// Whose request it was.
        to: NodeId,
    },
    /// Deferred: one's own request is older.
    DeferredYounger {
        /// The other request.
        theirs: Timestamp,
        /// One's own.
        ours: Timestamp,
    },
    /// Entered: everybody has replied.
    EveryoneReplied,
    /// Ignored: this process was not waiting for a reply from there (a duplicate, or from an earlier life).
    UnexpectedReply {
        /// Who sent it.
        from: NodeId,
    },
}

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Phase {
    Idle,
    Wanting { request: RequestId, lock: LockId, timestamp: Timestamp },
    InSection { request: RequestId, lock: LockId, timestamp: Timestamp },
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RicartAgrawala {
    clock: Clock,
    phase: Phase,
    awaited: BTreeSet<NodeId>,
    deferred: BTreeSet<NodeId>,
}

impl RicartAgrawala {
    fn acquire(&mut self, setting: &Setting, me: NodeId, lock: LockId, request: RequestId, out: &mut Effects<Self>) {
        let timestamp = Timestamp { clock: self.clock.tick(), process: me };
        self.phase = Phase::Wanting { request, lock, timestamp };
        self.awaited = NodeId::all(setting.nodes).filter(|&node| node != me).collect();
        out.outcome(Outcome::Requested { lock, request });
        if !self.awaited.is_empty() {
            out.multicast(RicartAgrawalaMessage::Request { clock: timestamp.clock, process: me });
        }
        self.enter_if_permitted(out);
    }

    fn enter_if_permitted(&mut self, out: &mut Effects<Self>) {
        let Phase::Wanting { request, lock, timestamp } = self.phase else { return };
        if self.awaited.is_empty() {
            self.phase = Phase::InSection { request, lock, timestamp };
            out.because(Reason::EveryoneReplied);
            out.outcome(Outcome::Entered { lock, request, fence: None });
        }
    }

    fn release(&mut self, lock: LockId, request: RequestId, out: &mut Effects<Self>) {
        self.phase = Phase::Idle;
        out.outcome(Outcome::Exited { lock, request });
        for node in core::mem::take(&mut self.deferred) {
            self.reply(node, out);
        }
    }

    fn reply(&mut self, to: NodeId, out: &mut Effects<Self>) {
        let clock = self.clock.tick();
        out.send(to, RicartAgrawalaMessage::Reply { clock });
    }

    fn asked(&mut self, from: NodeId, theirs: Timestamp, out: &mut Effects<Self>) {
        self.clock.observe(theirs.clock);
        let (defer, reason) = match self.phase {
            Phase::Idle => (false, Reason::RepliedIdle { to: from }),
            Phase::InSection { .. } => (true, Reason::DeferredInSection { to: from }),
            Phase::Wanting { timestamp: ours, .. } if ours < theirs => (true, Reason::DeferredYounger { theirs, ours }),
            Phase::Wanting { timestamp: ours, .. } => (false, Reason::RepliedOlder { theirs, ours }),
        };
        out.because(reason);
        if defer {
            self.deferred.insert(from);
        } else {
            self.reply(from, out);
        }
    }

    fn replied(&mut self, from: NodeId, clock: u64, out: &mut Effects<Self>) {
        self.clock.observe(clock);
        if self.awaited.remove(&from) {
            self.enter_if_permitted(out);
        } else {
            out.because(Reason::UnexpectedReply { from });
        }
    }
}

impl Algorithm for RicartAgrawala {
    type Setting = Setting;
    type Message = RicartAgrawalaMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "ricart-agrawala",
        title: "Ricart–Agrawala",
        family: "mutual-exclusion",
        source: Source {
            authors: "Glenn Ricart, Ashok K. Agrawala",
            title: "An Optimal Algorithm for Mutual Exclusion in Computer Networks",
            year: 1981,
        },
        summary: "Ask everybody; enter when everybody has replied. Who is in the section, or asked earlier, replies later.",
        variants: &[Variant {
            name: "lamport-clock",
            summary: "every message carries and advances the logical clock",
            broken: None,
        }],
        assumes: Assumptions { fifo: false, no_loss: true, no_duplication: true, no_crash: true },
        message_kinds: &["REQUEST", "REPLY"],
        background_kinds: &[],
        parameters: &[],
        messages_per_entry: "2(N-1)",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        Ok(Setting { nodes: configuration.nodes })
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { clock: Clock::default(), phase: Phase::Idle, awaited: BTreeSet::new(), deferred: BTreeSet::new() }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Start | Input::Restart(_) | Input::Timer(()) => {}
            Input::Command(Command::Acquire { lock, request }) => self.acquire(setting, me, lock, request, out),
            Input::Command(Command::Release { lock, request }) => self.release(lock, request, out),
            Input::Message { from, message: RicartAgrawalaMessage::Request { clock, process } } => {
                self.asked(from, Timestamp { clock, process }, out);
            }
            Input::Message { from, message: RicartAgrawalaMessage::Reply { clock } } => self.replied(from, clock, out),
        }
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        let request = match self.phase {
            Phase::Idle => None,
            Phase::Wanting { timestamp, .. } | Phase::InSection { timestamp, .. } => Some(timestamp),
        };
        let deferred: Vec<i64> = self.deferred.iter().map(|node| i64::from(node.0)).collect();
        View {
            clock: Some(self.clock.now()),
            request,
            queue: self.deferred.iter().map(|&node| Queued { node, clock: None }).collect(),
            waits_for: self.awaited.iter().copied().collect(),
            variables: [("Reply_Deferred".into(), Value::Numbers(deferred))].into(),
        }
    }
}
