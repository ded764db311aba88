//! Ricart and Agrawala 1981, "An Optimal Algorithm for Mutual Exclusion in Computer Networks", CACM 24(1).
//!
//! Who wants the section asks everybody and enters when everybody has replied. Who is asked replies at once, unless
//! he is in the section or has asked earlier himself: then he defers the reply until he leaves (section 2.1).

use alloc::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, Source, Variant};
use crate::clock::{Clock, Timestamp};
use crate::configuration::{Configuration, Refusal};
use crate::contract::{Algorithm, Command, Effects, Input, Message};
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
    /// Ignored: no reply from there was missing (a duplicate, or to a request of an earlier life).
    UnexpectedReply {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: the reply is older than the request, so it belongs to an earlier one.
    LateReply {
        /// Who sent it.
        from: NodeId,
        /// When it was sent, by its sender's clock.
        sent: u64,
        /// One's own request.
        ours: Timestamp,
    },
    /// Ignored: the request is said to be another process's than its sender's.
    NotItsSender {
        /// Who sent it.
        from: NodeId,
        /// Whose request it is said to be.
        process: NodeId,
    },
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
        let claim = Claim { lock, request, timestamp };
        self.phase = Phase::Wanting(claim);
        self.awaited = NodeId::all(setting.nodes).filter(|&node| node != me).collect();
        out.outcome(claim.requested());
        if setting.nodes > 1 {
            out.multicast(RicartAgrawalaMessage::Request { clock: timestamp.clock, process: me });
        }
        self.enter_if_permitted(out);
    }

    fn enter_if_permitted(&mut self, out: &mut Effects<Self>) {
        let Phase::Wanting(claim) = self.phase else { return };
        if self.awaited.is_empty() {
            self.phase = Phase::InSection(claim);
            out.because(Reason::EveryoneReplied);
            out.outcome(claim.entered());
        }
    }

    fn release(&mut self, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        out.outcome(claim.exited());
        for node in core::mem::take(&mut self.deferred) {
            self.reply(node, out);
        }
    }

    fn reply(&mut self, to: NodeId, out: &mut Effects<Self>) {
        let clock = self.clock.tick();
        out.send(to, RicartAgrawalaMessage::Reply { clock });
    }

    fn asked(&mut self, from: NodeId, theirs: Timestamp, out: &mut Effects<Self>) {
        if theirs.process != from {
            return out.because(Reason::NotItsSender { from, process: theirs.process });
        }
        self.clock.observe(theirs.clock);
        let (defer, reason) = match self.phase {
            Phase::Idle => (false, Reason::RepliedIdle { to: from }),
            Phase::InSection(_) => (true, Reason::DeferredInSection { to: from }),
            Phase::Wanting(Claim { timestamp: ours, .. }) if ours < theirs => {
                (true, Reason::DeferredYounger { theirs, ours })
            }
            Phase::Wanting(Claim { timestamp: ours, .. }) => (false, Reason::RepliedOlder { theirs, ours }),
        };
        out.because(reason);
        if defer {
            self.deferred.insert(from);
        } else {
            self.reply(from, out);
        }
    }

    fn replied(&mut self, from: NodeId, sent: u64, out: &mut Effects<Self>) {
        self.clock.observe(sent);
        match self.phase {
            // Who replies has seen the request and moved its clock past it.
            Phase::Wanting(Claim { timestamp: ours, .. }) if sent <= ours.clock => {
                out.because(Reason::LateReply { from, sent, ours });
            }
            Phase::Wanting(_) if self.awaited.remove(&from) => self.enter_if_permitted(out),
            _ => out.because(Reason::UnexpectedReply { from }),
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
        // A second copy of a REQUEST fetches a second REPLY, which can pass for the permission to a later request.
        assumes: Assumptions { fifo: false, no_loss: true, no_duplication: true, no_crash: true },
        message_kinds: &["REQUEST", "REPLY"],
        background_kinds: &[],
        token_kinds: &[],
        keeps_order: &["lamport-clock"],
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
            // Nothing is stored: after a crash a process knows no more than at the start.
            Input::Start | Input::Restart(_) | Input::Timer(()) => {}
            Input::Command(Command::Acquire { lock, request }) => self.acquire(setting, me, lock, request, out),
            Input::Command(Command::Release { .. }) => self.release(out),
            Input::Message { from, message: RicartAgrawalaMessage::Request { clock, process } } => {
                self.asked(from, Timestamp { clock, process }, out);
            }
            Input::Message { from, message: RicartAgrawalaMessage::Reply { clock } } => self.replied(from, clock, out),
        }
    }

    fn view(&self, _: &Setting, _: NodeId) -> View {
        let deferred = self.deferred.iter().map(|node| i64::from(node.0)).collect();
        let outstanding = i64::try_from(self.awaited.len()).unwrap_or(i64::MAX);
        View {
            clock: Some(self.clock.now()),
            request: self.phase.timestamp(),
            queue: self.deferred.iter().map(|&node| Queued { node, clock: None }).collect(),
            waits_for: self.awaited.iter().copied().collect(),
            variables: [
                ("Requesting_Critical_Section".into(), Value::Flag(self.phase != Phase::Idle)),
                ("Outstanding_Reply_Count".into(), Value::Number(outstanding)),
                ("Reply_Deferred".into(), Value::Numbers(deferred)),
            ]
            .into(),
        }
    }
}
