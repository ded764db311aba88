//! Ricart and Agrawala 1981, "An Optimal Algorithm for Mutual Exclusion in Computer Networks", CACM 24(1).
//!
//! Who wants the section asks everybody and enters when everybody has replied. Who is asked replies at once, unless
//! he is in the section or has asked earlier himself: then he defers the reply until he leaves (section 2.1).
//!
//! A REPLY need not name its request. Who has entered has had all replies, so none is on its way when he asks again.

mod message;
mod numbering;

use alloc::collections::BTreeSet;
use core::cmp::Ordering;

use serde::{Deserialize, Serialize};

pub use self::message::{Reason, RicartAgrawalaMessage};
pub use self::numbering::Numbering;
use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, LockUse, Source, Variant};
use crate::clock::{Clock, Timestamp};
use crate::command::Command;
use crate::conduct::Conduct;
use crate::configuration::{Configuration, Refusal};
use crate::contract::{Algorithm, Effects, Input};
use crate::identity::{LockId, NodeId, RequestId};
use crate::view::{Queued, Value, View};

/// What is fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The number of nodes.
    pub nodes: u32,
    /// Which numbers order the requests.
    pub numbering: Numbering,
    /// Whose request comes first if their numbers are equal.
    pub tie: Tie,
}

/// What becomes of a request of the same time as one's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// The smaller process comes first: the paper.
    SmallerFirst,
    /// Both reply: wrong.
    Reply,
    /// Both defer: wrong.
    Defer,
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
        let timestamp = Timestamp { clock: setting.numbering.next(&mut self.clock), process: me };
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

    fn release(&mut self, setting: &Setting, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        out.outcome(claim.exited());
        for node in core::mem::take(&mut self.deferred) {
            self.reply(setting, node, out);
        }
    }

    fn reply(&mut self, setting: &Setting, to: NodeId, out: &mut Effects<Self>) {
        let clock = setting.numbering.stamp(&mut self.clock);
        out.send(to, RicartAgrawalaMessage::Reply { clock });
    }

    fn asked(&mut self, setting: &Setting, from: NodeId, theirs: Timestamp, out: &mut Effects<Self>) {
        if theirs.process != from {
            return out.because(Reason::NotItsSender { from, process: theirs.process });
        }
        if !setting.numbering.has(theirs.clock) {
            return out.because(Reason::NoSuchNumber { from, number: theirs.clock });
        }
        setting.numbering.hear(&mut self.clock, theirs.clock);
        let (defer, reason) = match self.phase {
            Phase::Idle => (false, Reason::RepliedIdle { to: from }),
            Phase::InSection(_) => (true, Reason::DeferredInSection { to: from }),
            Phase::Wanting(Claim { timestamp: ours, .. }) => setting.judge(ours, theirs),
        };
        out.because(reason);
        if defer {
            self.deferred.insert(from);
        } else {
            self.reply(setting, from, out);
        }
    }

    fn replied(&mut self, setting: &Setting, from: NodeId, sent: Option<u64>, out: &mut Effects<Self>) {
        // Where every message carries the clock, one that does not is older than any request.
        let sent = setting.numbering.is_on_every_message().then(|| sent.unwrap_or(0));
        if let Some(number) = sent.filter(|&sent| !setting.numbering.has(sent)) {
            return out.because(Reason::NoSuchNumber { from, number });
        }
        if let Some(sent) = sent {
            setting.numbering.hear(&mut self.clock, sent);
        }
        match (self.phase, sent) {
            // Who replies has seen the request and moved its clock past it.
            (Phase::Wanting(Claim { timestamp: ours, .. }), Some(sent))
                if setting.numbering == Numbering::LamportClock && sent <= ours.clock =>
            {
                out.because(Reason::LateReply { from, sent, ours });
            }
            (Phase::Wanting(_), _) if self.awaited.remove(&from) => self.enter_if_permitted(out),
            _ => out.because(Reason::UnexpectedReply { from }),
        }
    }
}

impl Setting {
    /// Whether another request is deferred while one's own waits.
    fn judge(&self, ours: Timestamp, theirs: Timestamp) -> (bool, Reason) {
        match (self.numbering.compare(ours.clock, theirs.clock), self.tie) {
            (Ordering::Equal, Tie::Reply) => (false, Reason::RepliedAtTie { theirs, ours }),
            (Ordering::Equal, Tie::Defer) => (true, Reason::DeferredAtTie { theirs, ours }),
            (order, _) if order.then(ours.process.cmp(&theirs.process)) == Ordering::Less => {
                (true, Reason::DeferredYounger { theirs, ours })
            }
            _ => (false, Reason::RepliedOlder { theirs, ours }),
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
        variants: &[
            Variant {
                name: "lamport-clock",
                summary: "every message carries and advances the logical clock",
                broken: None,
            },
            Variant {
                name: "sequence-numbers",
                summary: "the paper: a request gets 1 + the highest number sent or received, and a REPLY carries none",
                broken: None,
            },
            Variant {
                name: "modulo",
                summary: "as sequence-numbers, kept modulo 2N-1 and compared on the circle",
                broken: None,
            },
            Variant {
                name: "modulo-too-small",
                summary: "as modulo, modulo 2N-2",
                broken: Some("two can be in the section: of two numbers N-1 apart, each is taken for the older"),
            },
            Variant {
                name: "lamport-clock-modulo",
                summary: "as lamport-clock, kept modulo 2N-1 and compared on the circle",
                broken: Some("two can be in the section: clocks drift further apart than half of the circle"),
            },
            Variant {
                name: "reply-at-tie",
                summary: "replies to a request of the same time as its own",
                broken: Some("two can be in the section: of equal times, each gives way to the other"),
            },
            Variant {
                name: "defer-at-tie",
                summary: "defers a request of the same time as its own",
                broken: Some("deadlock: of equal times, each waits for the other"),
            },
            Variant {
                name: "no-clock-update",
                summary: "a request gets 1 + the highest number sent: what is received does not count",
                broken: Some("two can be in the section: who has replied may ask later with a smaller number"),
            },
            Variant {
                name: "no-timestamps",
                summary: "a request has no time: the smaller process always comes first",
                broken: Some(
                    "two can be in the section: who has replied may ask later and still come first; and the \
                              greatest starves",
                ),
            },
        ],
        // A second copy of a REQUEST fetches a second REPLY, which can pass for the permission to a later request.
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
        // With sequence numbers, neither a REPLY nor a message of the application makes a later request a later number.
        keeps_order: &["lamport-clock"],
        conduct: Conduct::PLAIN,
        parameters: &[],
        messages_per_entry: "2(N-1)",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        let nodes = configuration.nodes;
        let (numbering, tie) = configuration.variant_as(&[
            ("lamport-clock", (Numbering::LamportClock, Tie::SmallerFirst)),
            ("sequence-numbers", (Numbering::SequenceNumbers, Tie::SmallerFirst)),
            ("modulo", (Numbering::modulo(nodes), Tie::SmallerFirst)),
            ("modulo-too-small", (Numbering::modulo_too_small(nodes), Tie::SmallerFirst)),
            ("lamport-clock-modulo", (Numbering::lamport_clock_modulo(nodes), Tie::SmallerFirst)),
            ("reply-at-tie", (Numbering::LamportClock, Tie::Reply)),
            ("defer-at-tie", (Numbering::LamportClock, Tie::Defer)),
            ("no-clock-update", (Numbering::NothingHeard, Tie::SmallerFirst)),
            ("no-timestamps", (Numbering::NoNumbers, Tie::SmallerFirst)),
        ])?;
        Ok(Setting { nodes, numbering, tie })
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { clock: Clock::default(), phase: Phase::Idle, awaited: BTreeSet::new(), deferred: BTreeSet::new() }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(setting, me, lock, request, out),
            Input::Command(Command::Release { .. }) => self.release(setting, out),
            Input::Message { from, message: RicartAgrawalaMessage::Request { clock, process } } => {
                self.asked(setting, from, Timestamp { clock, process }, out);
            }
            Input::Message { from, message: RicartAgrawalaMessage::Reply { clock } } => {
                self.replied(setting, from, clock, out);
            }
            // Nothing is stored: after a crash a process knows no more than at the start.
            Input::Start | Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
    }

    /// The paper's sequence numbers are in REQUESTs and nowhere else, and of one lock only.
    fn clock(&mut self, setting: &Setting) -> Option<&mut Clock> {
        (setting.numbering == Numbering::LamportClock).then_some(&mut self.clock)
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
            ..View::default()
        }
    }
}
