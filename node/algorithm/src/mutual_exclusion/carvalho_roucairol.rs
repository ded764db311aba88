//! Carvalho and Roucairol 1983, "On Mutual Exclusion in Computer Networks", CACM 26(2).
//!
//! Ricart and Agrawala's algorithm with permissions that last: of every two processes exactly one has the permission
//! of the pair, and keeps it until the other asks. Who wants the section asks only those whose permission is missing.

use alloc::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, LockUse, Source, Variant};
use crate::clock::{Clock, Timestamp};
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
    /// What is right or wrong about it.
    pub care: Care,
}

/// Which of the two details that carry the algorithm is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// None: the paper.
    Full,
    /// Who gives a permission away while waiting does not ask for it again: wrong.
    NoSecondRequest,
    /// Both of a pair have its permission at the start: wrong.
    BothHold,
}

const CARES: [(&str, Care); 3] =
    [("original", Care::Full), ("no-second-request", Care::NoSecondRequest), ("both-hold", Care::BothHold)];

/// The messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum CarvalhoRoucairolMessage {
    /// Asks for the permission of the pair.
    #[serde(rename = "REQUEST")]
    Request {
        /// When the request was made, in logical time; the same if it is sent again.
        clock: u64,
        /// Whose it is.
        process: NodeId,
    },
    /// Gives the permission of the pair.
    #[serde(rename = "REPLY")]
    Reply {
        /// The sender's clock.
        clock: u64,
    },
}

impl Message for CarvalhoRoucairolMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Reply { .. } => "REPLY",
        }
    }
}

/// Why a process did what it did.
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
    /// Asked again: the permission just given away is needed.
    AskedAgain {
        /// Who has it now.
        to: NodeId,
        /// One's own request.
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
    /// Entered: the permissions of all pairs are here.
    AllPermissions,
    /// Ignored: the permission of this pair is there already.
    UnexpectedReply {
        /// Who sent it.
        from: NodeId,
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
pub struct CarvalhoRoucairol {
    clock: Clock,
    phase: Phase,
    /// With whom the permission of the pair is not here.
    missing: BTreeSet<NodeId>,
    deferred: BTreeSet<NodeId>,
}

impl CarvalhoRoucairol {
    fn acquire(&mut self, me: NodeId, lock: LockId, request: RequestId, out: &mut Effects<Self>) {
        let timestamp = Timestamp { clock: self.clock.tick(), process: me };
        let claim = Claim { lock, request, timestamp };
        self.phase = Phase::Wanting(claim);
        out.outcome(claim.requested());
        for &node in &self.missing {
            out.send(node, CarvalhoRoucairolMessage::Request { clock: timestamp.clock, process: me });
        }
        self.enter_if_permitted(out);
    }

    fn enter_if_permitted(&mut self, out: &mut Effects<Self>) {
        let Phase::Wanting(claim) = self.phase else { return };
        if self.missing.is_empty() {
            self.phase = Phase::InSection(claim);
            out.because(Reason::AllPermissions);
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

    /// Gives the permission away.
    fn reply(&mut self, to: NodeId, out: &mut Effects<Self>) {
        self.missing.insert(to);
        let clock = self.clock.tick();
        out.send(to, CarvalhoRoucairolMessage::Reply { clock });
    }

    fn asked(&mut self, setting: &Setting, from: NodeId, theirs: Timestamp, out: &mut Effects<Self>) {
        if theirs.process != from {
            return out.because(Reason::NotItsSender { from, process: theirs.process });
        }
        self.clock.observe(theirs.clock);
        match self.phase {
            Phase::Idle => {
                out.because(Reason::RepliedIdle { to: from });
                self.reply(from, out);
            }
            Phase::InSection(_) => {
                self.deferred.insert(from);
                out.because(Reason::DeferredInSection { to: from });
            }
            Phase::Wanting(Claim { timestamp: ours, .. }) if ours < theirs => {
                self.deferred.insert(from);
                out.because(Reason::DeferredYounger { theirs, ours });
            }
            Phase::Wanting(Claim { timestamp: ours, .. }) => self.give_way(setting, theirs, ours, out),
        }
    }

    /// Gives the permission to an older request, and asks for it back if it was here: else that is done already.
    fn give_way(&mut self, setting: &Setting, theirs: Timestamp, ours: Timestamp, out: &mut Effects<Self>) {
        let to = theirs.process;
        let had = !self.missing.contains(&to);
        out.because(Reason::RepliedOlder { theirs, ours });
        self.reply(to, out);
        if had && setting.care != Care::NoSecondRequest {
            out.because(Reason::AskedAgain { to, ours });
            out.send(to, CarvalhoRoucairolMessage::Request { clock: ours.clock, process: ours.process });
        }
    }

    fn replied(&mut self, from: NodeId, sent: u64, out: &mut Effects<Self>) {
        self.clock.observe(sent);
        if self.missing.remove(&from) {
            self.enter_if_permitted(out);
        } else {
            out.because(Reason::UnexpectedReply { from });
        }
    }
}

impl Algorithm for CarvalhoRoucairol {
    type Setting = Setting;
    type Message = CarvalhoRoucairolMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "carvalho-roucairol",
        title: "Carvalho–Roucairol",
        family: "mutual-exclusion",
        source: Source {
            authors: "Osvaldo S. F. Carvalho, Gérard Roucairol",
            title: "On Mutual Exclusion in Computer Networks",
            year: 1983,
        },
        summary: "As Ricart–Agrawala, but a permission lasts until it is asked back: ask only those whose permission is missing.",
        variants: &[
            Variant {
                name: "original",
                summary: "the smaller of each pair has its permission at the start; who gives one away while waiting asks for it again",
                broken: None,
            },
            Variant {
                name: "no-second-request",
                summary: "who gives a permission away while waiting does not ask for it again",
                broken: Some("deadlock: the permission given away never comes back"),
            },
            Variant {
                name: "both-hold",
                summary: "both of each pair have its permission at the start",
                broken: Some("two can be in the section: neither has to ask the other"),
            },
        ],
        // A second copy of a REQUEST fetches a second REPLY: then both have the permission.
        assumes: Assumptions {
            fifo: false,
            no_loss: true,
            no_duplication: true,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["REQUEST", "REPLY"],
        background_kinds: &[],
        token_kinds: &[],
        keeps_order: &[],
        conduct: Conduct::PLAIN,
        parameters: &[],
        messages_per_entry: "0 … 2(N-1)",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        Ok(Setting { nodes: configuration.nodes, care: configuration.variant_as(&CARES)? })
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let there = |&node: &NodeId| node < me && setting.care != Care::BothHold;
        Self {
            clock: Clock::default(),
            phase: Phase::Idle,
            missing: NodeId::all(setting.nodes).filter(there).collect(),
            deferred: BTreeSet::new(),
        }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(me, lock, request, out),
            Input::Command(Command::Release { .. }) => self.release(out),
            Input::Message { from, message: CarvalhoRoucairolMessage::Request { clock, process } } => {
                self.asked(setting, from, Timestamp { clock, process }, out);
            }
            Input::Message { from, message: CarvalhoRoucairolMessage::Reply { clock } } => {
                self.replied(from, clock, out);
            }
            // Nothing is stored: who comes back takes no part, since a REPLY to an earlier life could pass for another.
            Input::Start | Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
    }

    fn clock(&mut self, _: &Setting) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let here = NodeId::all(setting.nodes).map(|node| node == me || !self.missing.contains(&node));
        let waits = matches!(self.phase, Phase::Wanting(_));
        View {
            clock: Some(self.clock.now()),
            request: self.phase.timestamp(),
            queue: self.deferred.iter().map(|&node| Queued { node, clock: None }).collect(),
            waits_for: self.missing.iter().copied().filter(|_| waits).collect(),
            variables: BTreeMap::from([
                ("A".into(), Value::Numbers(here.map(i64::from).collect())),
                ("Reply_Deferred".into(), Value::nodes(&self.deferred)),
            ]),
            ..View::default()
        }
    }
}
