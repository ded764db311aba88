//! Lamport 1978, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), section "Ordering the
//! Events Totally".
//!
//! Every process keeps a copy of one queue of requests, ordered by logical time. It enters when its own request is the
//! first in its copy and nothing older can come any more. Rules 1 to 5 of the paper are marked in the code.

use alloc::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, LockUse, Parameter, Source, Variant};
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
    /// How a process learns that nothing older can come.
    pub acknowledgement: Acknowledgement,
    /// What a RELEASE takes out of the queue.
    pub release: Release,
}

/// How a process learns that no older request can come any more: rules 2 and 5(ii), and the readings of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acknowledgement {
    /// By a message of any kind from everybody, later than one's own request: the paper.
    AnyLaterMessage,
    /// By an ACK of this request from everybody.
    Explicit,
    /// As [`Explicit`](Self::Explicit); a process in the section sends its ACKs when it leaves.
    Postponed,
    /// Not at all, and nothing is waited for: wrong.
    Missing,
    /// Not at all, and yet a later message from everybody is waited for: wrong.
    MissingButAwaited,
}

/// What a RELEASE takes out of the queue: rule 4, and a stricter reading of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// Every request of its sender: the paper. Where messages overtake, that can be a request made after the release.
    OfSender,
    /// The one request that it names.
    OfRequest,
}

const ACKNOWLEDGEMENTS: [(&str, Acknowledgement); 5] = [
    ("any-later-message", Acknowledgement::AnyLaterMessage),
    ("explicit-ack", Acknowledgement::Explicit),
    ("postponed-ack", Acknowledgement::Postponed),
    ("no-ack", Acknowledgement::Missing),
    ("no-ack-waiting", Acknowledgement::MissingButAwaited),
];

const RELEASES: [(&str, Release); 2] = [("sender", Release::OfSender), ("request", Release::OfRequest)];

/// The messages of the paper. Each carries the time at which it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum LamportMessage {
    /// "`process` requests the resource."
    #[serde(rename = "REQUEST")]
    Request {
        /// When the request was made: with `process`, its place in the queue.
        clock: u64,
        /// Whose it is.
        process: NodeId,
    },
    /// A request has been put into the queue.
    #[serde(rename = "ACK")]
    Ack {
        /// The sender's clock.
        clock: u64,
    },
    /// "`process` releases the resource."
    #[serde(rename = "RELEASE")]
    Release {
        /// The sender's clock.
        clock: u64,
        /// Who leaves.
        process: NodeId,
        /// The clock of the request that is done with, where releases name it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request: Option<u64>,
    },
}

impl LamportMessage {
    const fn clock(self) -> u64 {
        match self {
            Self::Request { clock, .. } | Self::Ack { clock } | Self::Release { clock, .. } => clock,
        }
    }

    /// Who speaks, by the message's own words.
    const fn process(self) -> Option<NodeId> {
        match self {
            Self::Request { process, .. } | Self::Release { process, .. } => Some(process),
            Self::Ack { .. } => None,
        }
    }
}

impl Message for LamportMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Ack { .. } => "ACK",
            Self::Release { .. } => "RELEASE",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Acknowledged: the request is in the queue here.
    Acknowledged {
        /// The request.
        theirs: Timestamp,
    },
    /// Postponed the acknowledgement: this process is in the section.
    PostponedInSection {
        /// The request.
        theirs: Timestamp,
    },
    /// Entered: one's own request is the first, and from everybody came a message that is later.
    EveryoneLater {
        /// One's own request.
        ours: Timestamp,
    },
    /// Entered: one's own request is the first, and everybody has acknowledged it.
    EveryoneAcknowledged {
        /// One's own request.
        ours: Timestamp,
    },
    /// Entered: one's own request is the first here, whatever others may know.
    FirstHere {
        /// One's own request.
        ours: Timestamp,
    },
    /// Waits on: an older request is first.
    OlderFirst {
        /// The first request in the queue.
        theirs: Timestamp,
        /// One's own.
        ours: Timestamp,
    },
    /// Waits on: one's own request is the first, but somebody may still send an older one.
    NotHeardFromAll {
        /// One's own request.
        ours: Timestamp,
        /// From how many the word is missing.
        missing: u32,
    },
    /// Not queued: a newer request from there has been heard of, so this one is done with.
    OutdatedRequest {
        /// The request.
        theirs: Timestamp,
    },
    /// Nothing to remove: no request of the releasing process is in the queue, or not the one that it names.
    NothingToRelease {
        /// Who released.
        from: NodeId,
    },
    /// Ignored: no acknowledgement from there was missing (a duplicate, or of an earlier request).
    UnexpectedAck {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: the message speaks of another process than its sender.
    NotItsSender {
        /// Who sent it.
        from: NodeId,
        /// Of whom it speaks.
        process: NodeId,
    },
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Lamport {
    clock: Clock,
    phase: Phase,
    queue: BTreeSet<Timestamp>,
    /// From whom the word is missing that no older request will come.
    awaited: BTreeSet<NodeId>,
    /// Who gets an ACK when this process leaves the section.
    postponed: BTreeSet<NodeId>,
}

impl Lamport {
    /// Rule 1.
    fn acquire(&mut self, setting: &Setting, me: NodeId, lock: LockId, request: RequestId, out: &mut Effects<Self>) {
        let timestamp = Timestamp { clock: self.clock.tick(), process: me };
        let claim = Claim { lock, request, timestamp };
        self.phase = Phase::Wanting(claim);
        self.queue.insert(timestamp);
        // All that has been heard so far is earlier: the clock has just moved past it.
        if setting.acknowledgement != Acknowledgement::Missing {
            self.awaited = NodeId::all(setting.nodes).filter(|&node| node != me).collect();
        }
        out.outcome(claim.requested());
        if setting.nodes > 1 {
            out.multicast(LamportMessage::Request { clock: timestamp.clock, process: me });
        }
        self.enter_if_first(setting, out);
    }

    fn receive(&mut self, setting: &Setting, from: NodeId, message: LamportMessage, out: &mut Effects<Self>) {
        if let Some(process) = message.process().filter(|&process| process != from) {
            return out.because(Reason::NotItsSender { from, process });
        }
        self.clock.observe(message.clock());
        match message {
            LamportMessage::Request { clock, .. } => self.asked(setting, Timestamp { clock, process: from }, out),
            LamportMessage::Release { request, .. } => self.released(from, request, out),
            LamportMessage::Ack { .. } => {}
        }
        self.heard(setting, from, message, out);
        self.enter_if_first(setting, out);
    }

    /// Rule 2.
    fn asked(&mut self, setting: &Setting, theirs: Timestamp, out: &mut Effects<Self>) {
        self.enqueue(theirs, out);
        match (setting.acknowledgement, self.phase) {
            (Acknowledgement::Missing | Acknowledgement::MissingButAwaited, _) => {}
            (Acknowledgement::Postponed, Phase::InSection(_)) => {
                self.postponed.insert(theirs.process);
                out.because(Reason::PostponedInSection { theirs });
            }
            _ => {
                out.because(Reason::Acknowledged { theirs });
                self.acknowledge(theirs.process, out);
            }
        }
    }

    /// Who asks again has left: of each process only the newest request can still be open, so nobody fills the queue.
    fn enqueue(&mut self, theirs: Timestamp, out: &mut Effects<Self>) {
        if self.queue.iter().any(|queued| queued.process == theirs.process && *queued > theirs) {
            return out.because(Reason::OutdatedRequest { theirs });
        }
        self.queue.retain(|queued| queued.process != theirs.process);
        self.queue.insert(theirs);
    }

    fn acknowledge(&mut self, to: NodeId, out: &mut Effects<Self>) {
        let clock = self.clock.tick();
        out.send(to, LamportMessage::Ack { clock });
    }

    /// Rule 3.
    fn release(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        self.queue.remove(&claim.timestamp);
        out.outcome(claim.exited());
        if setting.nodes > 1 {
            let request = (setting.release == Release::OfRequest).then_some(claim.timestamp.clock);
            out.multicast(LamportMessage::Release { clock: self.clock.tick(), process: me, request });
        }
        for node in core::mem::take(&mut self.postponed) {
            self.acknowledge(node, out);
        }
    }

    /// Rule 4. What the message names counts, so that processes with different settings would still understand it.
    fn released(&mut self, from: NodeId, request: Option<u64>, out: &mut Effects<Self>) {
        let before = self.queue.len();
        self.queue.retain(|queued| queued.process != from || request.is_some_and(|clock| queued.clock != clock));
        if self.queue.len() == before {
            out.because(Reason::NothingToRelease { from });
        }
    }

    /// Condition (ii) of rule 5: notes that `from` will send nothing older, if the message says so.
    fn heard(&mut self, setting: &Setting, from: NodeId, message: LamportMessage, out: &mut Effects<Self>) {
        let sent = Timestamp { clock: message.clock(), process: from };
        // An ACK of this request is always later than it; an earlier one is a late copy.
        let later = matches!(self.phase, Phase::Wanting(claim) if claim.timestamp < sent);
        match (setting.acknowledgement, message) {
            (Acknowledgement::AnyLaterMessage | Acknowledgement::MissingButAwaited, _) if later => {
                self.awaited.remove(&from);
            }
            (Acknowledgement::Explicit | Acknowledgement::Postponed, LamportMessage::Ack { .. })
                if !(later && self.awaited.remove(&from)) =>
            {
                out.because(Reason::UnexpectedAck { from });
            }
            _ => {}
        }
    }

    /// Rule 5.
    fn enter_if_first(&mut self, setting: &Setting, out: &mut Effects<Self>) {
        let Phase::Wanting(claim) = self.phase else { return };
        let ours = claim.timestamp;
        if let Some(&theirs) = self.queue.first().filter(|&&first| first < ours) {
            return out.because(Reason::OlderFirst { theirs, ours });
        }
        if !self.awaited.is_empty() {
            let missing = u32::try_from(self.awaited.len()).unwrap_or(u32::MAX);
            return out.because(Reason::NotHeardFromAll { ours, missing });
        }
        self.phase = Phase::InSection(claim);
        out.because(match setting.acknowledgement {
            Acknowledgement::AnyLaterMessage | Acknowledgement::MissingButAwaited => Reason::EveryoneLater { ours },
            Acknowledgement::Explicit | Acknowledgement::Postponed => Reason::EveryoneAcknowledged { ours },
            Acknowledgement::Missing => Reason::FirstHere { ours },
        });
        out.outcome(claim.entered());
    }

    /// Who must speak before this process can enter: those not heard from, and those whose older request is queued.
    fn waits_for(&self) -> BTreeSet<NodeId> {
        let Phase::Wanting(claim) = self.phase else { return BTreeSet::new() };
        let older = self.queue.range(..claim.timestamp).map(|queued| queued.process);
        self.awaited.iter().copied().chain(older).collect()
    }
}

impl Algorithm for Lamport {
    type Setting = Setting;
    type Message = LamportMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "lamport",
        title: "Lamport",
        family: "mutual-exclusion",
        source: Source {
            authors: "Leslie Lamport",
            title: "Time, Clocks, and the Ordering of Events in a Distributed System",
            year: 1978,
        },
        summary: "Everybody keeps a copy of one queue of requests; enter when your own is the first and nothing older can come.",
        variants: &[
            Variant {
                name: "any-later-message",
                summary: "a message of any kind from everybody, later than one's own request, is enough: the paper",
                broken: None,
            },
            Variant {
                name: "explicit-ack",
                summary: "everybody must have acknowledged this very request",
                broken: None,
            },
            Variant {
                name: "postponed-ack",
                summary: "as explicit-ack; who is in the section acknowledges when leaving. \
                          With release = request, all but the order holds without FIFO",
                broken: None,
            },
            Variant {
                name: "no-ack",
                summary: "nobody acknowledges; whose request is the first in the own queue enters at once",
                broken: Some("two can be in the section: an older request may still be on its way"),
            },
            Variant {
                name: "no-ack-waiting",
                summary: "nobody acknowledges; a message of any kind from everybody, later than one's own request, \
                          is waited for all the same",
                broken: Some("stuck: who does not want the section has nothing to say"),
            },
        ],
        // A copy next to its original changes nothing, and on a FIFO channel a copy is nowhere else.
        assumes: Assumptions {
            fifo: true,
            no_loss: true,
            no_duplication: false,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["REQUEST", "ACK", "RELEASE"],
        background_kinds: &[],
        token_kinds: &[],
        keeps_order: &["any-later-message", "explicit-ack", "postponed-ack"],
        conduct: Conduct::PLAIN,
        parameters: &[Parameter {
            name: "release",
            summary: "what a RELEASE removes: every request of its sender (the paper), or the one that it names",
            default: RELEASES[0].0,
            range: "sender, request",
            unit: None,
        }],
        messages_per_entry: "3(N-1)",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        Ok(Setting {
            nodes: configuration.nodes,
            acknowledgement: configuration.variant_as(&ACKNOWLEDGEMENTS)?,
            release: configuration.parameter_as("release", &RELEASES)?,
        })
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self {
            clock: Clock::default(),
            phase: Phase::Idle,
            queue: BTreeSet::new(),
            awaited: BTreeSet::new(),
            postponed: BTreeSet::new(),
        }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(setting, me, lock, request, out),
            Input::Command(Command::Release { .. }) => self.release(setting, me, out),
            Input::Message { from, message } => self.receive(setting, from, message, out),
            // Nothing is stored: after a crash a process knows no more than at the start.
            Input::Start | Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
    }

    fn clock(&mut self, _: &Setting) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }

    fn view(&self, setting: &Setting, _: NodeId) -> View {
        let numbers = |nodes: &BTreeSet<NodeId>| Value::Numbers(nodes.iter().map(|node| i64::from(node.0)).collect());
        let mut variables = BTreeMap::from([("not_heard_from".into(), numbers(&self.awaited))]);
        if setting.acknowledgement == Acknowledgement::Postponed {
            variables.insert("postponed".into(), numbers(&self.postponed));
        }
        View {
            clock: Some(self.clock.now()),
            request: self.phase.timestamp(),
            queue: self.queue.iter().map(|q| Queued { node: q.process, clock: Some(q.clock) }).collect(),
            waits_for: self.waits_for().into_iter().collect(),
            variables,
            ..View::default()
        }
    }
}
