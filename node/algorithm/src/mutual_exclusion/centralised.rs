//! The centralised algorithm, as in the textbooks (Coulouris, Dollimore and Kindberg; Tanenbaum and van Steen).
//!
//! One process, the coordinator, grants the section to one process at a time and keeps the others in a queue. It may
//! want the section itself: then it asks itself, without messages.

use alloc::collections::BTreeMap;
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
    /// Who grants.
    pub coordinator: NodeId,
    /// Who is granted the section next.
    pub order: Order,
}

/// In which order those who wait are granted the section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As their requests reached the coordinator.
    Arrival,
    /// By the logical time of their requests.
    Timestamp,
    /// The smallest id first, however long the others have waited.
    Priority,
    /// Nobody is asked: who wants the section enters.
    NoExclusion,
}

const ORDERS: [(&str, Order); 4] = [
    ("arrival-order", Order::Arrival),
    ("timestamp-order", Order::Timestamp),
    ("priority-order", Order::Priority),
    ("no-exclusion", Order::NoExclusion),
];

/// The messages. Each carries the time at which it was sent; a request is known by the time at which it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", deny_unknown_fields)]
pub enum CentralisedMessage {
    /// A client asks the coordinator.
    #[serde(rename = "REQUEST")]
    Request {
        /// When the request was made; in a later life of its client, beyond all that it said before
        /// ([`number_in_life`]).
        clock: u64,
    },
    /// The coordinator lets a client in.
    #[serde(rename = "GRANT")]
    Grant {
        /// The sender's clock.
        clock: u64,
        /// The time of the request that is granted.
        request: u64,
    },
    /// A client has left.
    #[serde(rename = "RELEASE")]
    Release {
        /// The sender's clock.
        clock: u64,
        /// The time of the request that is done with.
        request: u64,
    },
}

impl CentralisedMessage {
    const fn clock(self) -> u64 {
        match self {
            Self::Request { clock } | Self::Grant { clock, .. } | Self::Release { clock, .. } => clock,
        }
    }
}

impl Message for CentralisedMessage {
    fn kind(&self) -> &'static str {
        match self {
            Self::Request { .. } => "REQUEST",
            Self::Grant { .. } => "GRANT",
            Self::Release { .. } => "RELEASE",
        }
    }
}

/// Why a process did what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Reason {
    /// Granted: nobody was in the section.
    GrantedFree {
        /// The request.
        theirs: Timestamp,
    },
    /// Granted: the section has become free, and this request is the first in the queue.
    GrantedFirst {
        /// The request.
        theirs: Timestamp,
        /// How many wait behind it.
        behind: u32,
    },
    /// Queued: another request holds the section.
    Queued {
        /// The request.
        theirs: Timestamp,
        /// The one that holds the section.
        holder: Timestamp,
    },
    /// Nobody waits: the section is free.
    NobodyWaits,
    /// Entered: the coordinator has granted it.
    Granted,
    /// Ignored: a request from there as new or newer has been seen.
    Outdated {
        /// The request.
        theirs: Timestamp,
    },
    /// Left: who was granted the section asks again, so it is not in it, though its RELEASE may be late or lost in a crash.
    AsksAgain {
        /// The new request.
        theirs: Timestamp,
    },
    /// Given back: an earlier life of this process has asked for it.
    GivenBack {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: what is granted is not what this process waits for.
    UnexpectedGrant {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: what is released is not what was granted.
    UnexpectedRelease {
        /// Who sent it.
        from: NodeId,
    },
    /// Ignored: only the coordinator takes requests and releases, and only the coordinator grants.
    NotForCoordinator {
        /// Who sent it.
        from: NodeId,
    },
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Centralised {
    /// Which life this is, from 1.
    incarnation: u32,
    clock: Clock,
    phase: Phase,
    office: Office,
}

/// What the coordinator knows; empty elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Office {
    granted: Option<Timestamp>,
    queue: Vec<Timestamp>,
    /// The newest request seen from each process: tells copies.
    seen: BTreeMap<NodeId, u64>,
}

impl Centralised {
    fn acquire(&mut self, setting: &Setting, me: NodeId, lock: LockId, request: RequestId, out: &mut Effects<Self>) {
        let timestamp = Timestamp { clock: number_in_life(self.incarnation, self.clock.tick()), process: me };
        let claim = Claim { lock, request, timestamp };
        self.phase = Phase::Wanting(claim);
        out.outcome(claim.requested());
        if setting.order == Order::NoExclusion {
            self.granted(me, timestamp, out);
        } else if me == setting.coordinator {
            self.asked(setting, me, timestamp, out);
        } else {
            out.send(setting.coordinator, CentralisedMessage::Request { clock: timestamp.clock });
        }
    }

    fn release(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        out.outcome(claim.exited());
        let clock = self.clock.tick();
        if setting.order == Order::NoExclusion {
            return;
        }
        if me == setting.coordinator {
            self.released(me, claim.timestamp, out);
        } else {
            out.send(setting.coordinator, CentralisedMessage::Release { clock, request: claim.timestamp.clock });
        }
    }

    fn receive(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        message: CentralisedMessage,
        out: &mut Effects<Self>,
    ) {
        let granting = matches!(message, CentralisedMessage::Grant { .. });
        if setting.coordinator != if granting { from } else { me } {
            return out.because(Reason::NotForCoordinator { from });
        }
        self.clock.observe(count_in_life(message.clock()));
        let of = |clock, process| Timestamp { clock, process };
        match message {
            CentralisedMessage::Request { clock } => self.asked(setting, me, of(clock, from), out),
            CentralisedMessage::Release { request, .. } => self.released(me, of(request, from), out),
            CentralisedMessage::Grant { request, .. } => self.granted(from, of(request, me), out),
        }
    }

    fn asked(&mut self, setting: &Setting, me: NodeId, theirs: Timestamp, out: &mut Effects<Self>) {
        let office = &mut self.office;
        let newest = office.seen.insert(theirs.process, theirs.clock);
        if let Some(newest) = newest.filter(|&newest| newest >= theirs.clock) {
            office.seen.insert(theirs.process, newest);
            return out.because(Reason::Outdated { theirs });
        }
        // Nobody has two requests waiting; whoever claims so does not fill the queue.
        office.queue.retain(|queued| queued.process != theirs.process);
        if office.granted.take_if(|granted| granted.process == theirs.process).is_some() {
            out.because(Reason::AsksAgain { theirs });
            self.enqueue(setting, theirs);
            return self.grant_first(me, out);
        }
        if let Some(holder) = office.granted {
            self.enqueue(setting, theirs);
            return out.because(Reason::Queued { theirs, holder });
        }
        out.because(Reason::GrantedFree { theirs });
        self.grant(me, theirs, out);
    }

    fn enqueue(&mut self, setting: &Setting, theirs: Timestamp) {
        let queue = &mut self.office.queue;
        let place = match setting.order {
            Order::Arrival | Order::NoExclusion => queue.len(),
            Order::Priority => queue.partition_point(|queued| queued.process < theirs.process),
            Order::Timestamp => queue.partition_point(|queued| queued.by_count() < theirs.by_count()),
        };
        queue.insert(place, theirs);
    }

    fn grant(&mut self, me: NodeId, theirs: Timestamp, out: &mut Effects<Self>) {
        self.office.granted = Some(theirs);
        if theirs.process == me {
            return self.granted(me, theirs, out);
        }
        let clock = self.clock.tick();
        out.send(theirs.process, CentralisedMessage::Grant { clock, request: theirs.clock });
    }

    fn granted(&mut self, from: NodeId, ours: Timestamp, out: &mut Effects<Self>) {
        match self.phase {
            Phase::Wanting(claim) if claim.timestamp == ours => {
                self.phase = Phase::InSection(claim);
                out.because(Reason::Granted);
                out.outcome(claim.entered());
            }
            // The client of an earlier life does not want it any more.
            _ if from != ours.process && ours.clock < number_in_life(self.incarnation, 0) => {
                out.because(Reason::GivenBack { from });
                let clock = self.clock.tick();
                out.send(from, CentralisedMessage::Release { clock, request: ours.clock });
            }
            _ => out.because(Reason::UnexpectedGrant { from }),
        }
    }

    fn released(&mut self, me: NodeId, theirs: Timestamp, out: &mut Effects<Self>) {
        if self.office.granted != Some(theirs) {
            return out.because(Reason::UnexpectedRelease { from: theirs.process });
        }
        self.office.granted = None;
        self.grant_first(me, out);
    }

    fn grant_first(&mut self, me: NodeId, out: &mut Effects<Self>) {
        if self.office.queue.is_empty() {
            return out.because(Reason::NobodyWaits);
        }
        let theirs = self.office.queue.remove(0);
        let behind = u32::try_from(self.office.queue.len()).unwrap_or(u32::MAX);
        out.because(Reason::GrantedFirst { theirs, behind });
        self.grant(me, theirs, out);
    }
}

impl Algorithm for Centralised {
    type Setting = Setting;
    type Message = CentralisedMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "centralised",
        title: "Centralised",
        family: "mutual-exclusion",
        source: Source {
            authors: "folklore; described by George Coulouris, Jean Dollimore, Tim Kindberg",
            title: "Distributed Systems: Concepts and Design",
            year: 1988,
        },
        summary: "A coordinator grants the section to one at a time and keeps the others in a queue.",
        variants: &[
            Variant {
                name: "arrival-order",
                summary: "those who wait are served as their requests reached the coordinator",
                broken: None,
            },
            Variant {
                name: "timestamp-order",
                summary: "those who wait are served by the logical time of their requests; \
                          one that arrives after a younger one was granted is late all the same",
                broken: None,
            },
            Variant {
                name: "priority-order",
                summary: "of those who wait the one with the smallest id is served, however long the others have waited",
                broken: Some("a process with a large id starves while those with smaller ones keep asking"),
            },
            Variant {
                name: "no-exclusion",
                summary: "nobody is asked: who wants the section enters",
                broken: Some("there is no mutual exclusion"),
            },
        ],
        // Every message names its request, so a copy is recognised.
        assumes: Assumptions {
            fifo: false,
            no_loss: true,
            no_duplication: false,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["REQUEST", "GRANT", "RELEASE"],
        background_kinds: &[],
        token_kinds: &[],
        keeps_order: &[],
        conduct: Conduct::PLAIN,
        parameters: &[Parameter {
            name: "coordinator",
            summary: "who grants the section",
            default: "0",
            range: "0 … N-1",
            unit: None,
        }],
        messages_per_entry: "3, or 0 for the coordinator",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        Ok(Setting {
            coordinator: configuration.node_parameter("coordinator")?,
            order: configuration.variant_as(&ORDERS)?,
        })
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { incarnation: 1, clock: Clock::default(), phase: Phase::Idle, office: Office::default() }
    }

    /// A coordinator has forgotten whom it has let in; in `centralised-failover` it would ask the others.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        (me != setting.coordinator).then(|| Self { incarnation, ..Self::new(setting, me) })
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(setting, me, lock, request, out),
            Input::Command(Command::Release { .. }) => self.release(setting, me, out),
            Input::Message { from, message } => self.receive(setting, me, from, message, out),
            // Nothing is stored.
            Input::Start | Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
    }

    fn clock(&mut self, setting: &Setting) -> Option<&mut Clock> {
        (setting.order == Order::Timestamp).then_some(&mut self.clock)
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let waits = matches!(self.phase, Phase::Wanting(_));
        let mut view = View {
            clock: Some(self.clock.now()),
            request: self.phase.timestamp(),
            queue: self.office.queue.iter().map(|q| Queued { node: q.process, clock: Some(q.clock) }).collect(),
            ..View::default()
        };
        if me == setting.coordinator {
            let holder = self.office.granted.map(|granted| granted.process);
            view.variables.insert("busy".into(), Value::Flag(holder.is_some()));
            view.variables.insert("holder".into(), Value::node(holder));
            view.waits_for = holder.filter(|_| waits).into_iter().collect();
        } else if waits {
            view.waits_for = [setting.coordinator].into();
        }
        view
    }
}
