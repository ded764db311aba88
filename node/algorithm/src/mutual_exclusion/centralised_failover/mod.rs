//! The centralised algorithm with failover: a client whose request is not answered in time calls an election, and the
//! new coordinator asks everybody what it has and wants before it grants anything (Garcia-Molina 1982, section 4, on what
//! to do once a coordinator is elected).
//!
//! Whoever is inside stays there over the change. What is said in the term of a former coordinator counts no more, and
//! fencing tokens grow from one coordinator to the next. It is right while an answer takes less time than the time-out.
//! A process that dies inside is missed only when the next coordinator asks, for instance because it has come back.

mod client;
mod coordinator;
mod electing;
mod message;
mod office;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::phase::{Claim, Phase};
use crate::catalogue::{Assumptions, Entry, LockUse, Parameter, Source, Variant};
use crate::command::Command;
use crate::conduct::Conduct;
use crate::configuration::{Configuration, ParameterValue, Refusal, Subject};
use crate::contract::{Algorithm, Effects, Input};
use crate::election::{Initiators, Ring, Term, acknowledged_ring, bully};
use crate::identity::{NodeId, Ticks};
use crate::needs::FailureDetector;
use crate::span::LONGEST;
use crate::view::{Queued, Value, View};
use electing::{Election, ElectionInput};
pub use electing::{ElectionSetting, ElectionTimer};
pub use message::{ElectionReason, FailoverMessage, LockMessage, Reason, Stated};
use office::Office;

const ANSWER: Ticks = 50_000;
const PATIENCE: Ticks = 200_000;

/// What is fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// All processes, in ascending order.
    pub nodes: u32,
    /// Who grants until the first election.
    pub coordinator: NodeId,
    /// How long an answer is waited for: longer than a message and its answer take.
    pub answer: Ticks,
    /// How long a client that waits leaves the coordinator alone.
    pub patience: Ticks,
    /// How coordinators are elected.
    pub election: ElectionSetting,
}

#[derive(Clone, Copy)]
enum Kind {
    Bully,
    Ring,
}

const KINDS: [(&str, Kind); 2] = [("bully", Kind::Bully), ("acknowledged-ring", Kind::Ring)];

impl ElectionSetting {
    /// An election in which nobody calls at the start, with these time-outs.
    fn new(kind: Kind, nodes: u32, answer: Ticks) -> Result<Self, String> {
        let initiators = Initiators::These([].into());
        Ok(match kind {
            Kind::Bully => Self::Bully(bully::Setting {
                nodes: NodeId::all(nodes).collect(),
                initiators,
                answer,
                coordinator: answer.saturating_mul(3),
                announcements: bully::Announcements::OfThisTerm,
            }),
            Kind::Ring => Self::Ring(acknowledged_ring::Setting {
                ring: Ring::parse("ascending", nodes)?,
                initiators,
                smaller: acknowledged_ring::Smaller::Swallowed,
                answer,
                coordinator: answer.saturating_mul(3 * u64::from(nodes)),
            }),
        })
    }
}

/// The timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timer {
    /// A client waits for the coordinator.
    Client,
    /// The coordinator waits for the answers to ASK.
    Office,
    /// One of the election.
    Election(ElectionTimer),
}

/// Whom a client asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Served {
    term: u64,
    by: NodeId,
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CentralisedFailover {
    election: Election,
    phase: Phase<()>,
    /// Unknown after a crash, until a coordinator has asked.
    served: Option<Served>,
    /// Whether the coordinator has answered since it was last asked.
    answered: bool,
    office: Option<Office>,
}

impl CentralisedFailover {
    fn lock(out: &mut Effects<Self>, to: NodeId, message: LockMessage) {
        out.send(to, FailoverMessage::Lock(message));
    }

    fn receive(&mut self, setting: &Setting, me: NodeId, from: NodeId, message: LockMessage, out: &mut Effects<Self>) {
        match message {
            LockMessage::Request { term, .. } | LockMessage::Release { term, .. } | LockMessage::State { term, .. }
                if self.office.as_ref().is_none_or(|office| office.term != term) =>
            {
                out.because(Reason::OtherTerm { from, term });
            }
            LockMessage::Queued { term, .. } | LockMessage::Grant { term, .. }
                if self.served != Some(Served { term, by: from }) =>
            {
                out.because(Reason::OtherTerm { from, term });
            }
            LockMessage::Request { request, .. } => self.requested(me, from, request, out),
            LockMessage::Release { request, .. } => self.released(me, from, request, out),
            LockMessage::State { claim, .. } => self.stated(me, from, claim, out),
            LockMessage::Queued { request, .. } => self.queued(setting, from, request, out),
            LockMessage::Grant { request, fence, .. } => self.granted(from, request, fence, out),
            LockMessage::Ask { term } => self.asked(setting, from, term, out),
        }
    }

    fn elect(&mut self, setting: &Setting, me: NodeId, input: ElectionInput, out: &mut Effects<Self>) {
        let Some((leader, term)) = self.election.step(&setting.election, me, input, out) else { return };
        if leader == me {
            return self.take_office(setting, me, term, out);
        }
        self.leave_office(out);
        // The new coordinator asks; if it does not, it is dead, or was elected while this process was away.
        let expects = self.served.is_none_or(|served| served < Served { term, by: leader });
        if expects && (self.served.is_none() || matches!(self.phase, Phase::Wanting(_))) {
            self.wait(setting, false, out);
        }
    }

    fn come_back(&mut self, setting: &Setting, me: NodeId, stored: Option<Term>, out: &mut Effects<Self>) {
        (self.served, self.office) = (None, None);
        self.wait(setting, false, out);
        self.elect(setting, me, ElectionInput::Restart(stored), out);
    }
}

impl Algorithm for CentralisedFailover {
    type Setting = Setting;
    type Message = FailoverMessage;
    type Timer = Timer;
    type Stored = Term;
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "centralised-failover",
        title: "Centralised with failover",
        family: "mutual-exclusion",
        source: Source {
            authors: "folklore; elections by Hector Garcia-Molina and by Ernest Chang, Rosemary Roberts",
            title: "Elections in a Distributed Computing System",
            year: 1982,
        },
        summary: "A coordinator grants the section; if it is silent another is elected, who asks all what they have.",
        variants: &[
            Variant { name: "bully", summary: "coordinators are elected by the bully algorithm", broken: None },
            Variant {
                name: "acknowledged-ring",
                summary: "coordinators are elected in a ring whose messages are acknowledged",
                broken: None,
            },
        ],
        // Whose answer is lost counts as dead. Who answers a copy of an ASK once it is back from a crash is taken to be
        // served, though the coordinator believes that it is still inside.
        assumes: Assumptions {
            fifo: false,
            no_loss: true,
            no_duplication: true,
            no_crash: false,
            failure_detector: FailureDetector::Perfect,
            // A REQUEST and its answer, an ASK and its STATE, and those of the election, whose other time-outs follow.
            time_outs: &[bully::ANSWERED],
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release", "elect"],
        locks: LockUse::Instances,
        message_kinds: &[
            "REQUEST", "QUEUED", "GRANT", "RELEASE", "ASK", "STATE", "ELECT", "OK", "COORD", "INQUIRE", "TERM",
        ],
        background_kinds: &[],
        token_kinds: &[],
        keeps_order: &[],
        conduct: Conduct::PLAIN,
        parameters: &[
            Parameter {
                name: "coordinator",
                summary: "who grants the section until the first election",
                default: "0",
                range: "0 … N-1",
                unit: None,
            },
            Parameter::time(
                "answer",
                "for how long an answer is waited for, in the election too, in ms: more than two messages take",
                "50",
            ),
            Parameter::time("patience", "after how long a client that waits asks again, in ms", "200"),
        ],
        messages_per_entry: "3, or 0 for the coordinator, and 1 if it must wait; 2(N-1) and an election at a change",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        let answer = configuration.time_parameter("answer", 1..=LONGEST)?.unwrap_or(ANSWER);
        let kind = configuration.variant_as(&KINDS)?;
        let election = ElectionSetting::new(kind, configuration.nodes, answer)
            .map_err(|detail| Refusal::new(Subject::Nodes, detail, []))?;
        Ok(Setting {
            nodes: configuration.nodes,
            coordinator: configuration.node_parameter("coordinator")?,
            answer,
            patience: configuration.time_parameter("patience", 1..=LONGEST)?.unwrap_or(PATIENCE),
            election,
        })
    }

    fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
        let patience = ("patience", ParameterValue::time(setting.patience));
        [("answer", ParameterValue::time(setting.answer)), patience].into()
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let first = || Office::new(0, core::iter::empty());
        Self {
            election: Election::new(&setting.election, me),
            phase: Phase::Idle,
            served: Some(Served { term: 0, by: setting.coordinator }),
            answered: true,
            office: (me == setting.coordinator).then(first),
        }
    }

    /// What it must remember it has stored.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => {
                self.acquire(setting, me, Claim::new(lock, request), out);
            }
            Input::Command(Command::Release { .. }) => self.release(me, out),
            Input::Command(Command::Elect) => self.elect(setting, me, ElectionInput::Elect, out),
            Input::Restart(stored) => self.come_back(setting, me, stored, out),
            Input::Message { from, message: FailoverMessage::Lock(message) } => {
                self.receive(setting, me, from, message, out);
            }
            Input::Message { from, message } => self.elect(setting, me, ElectionInput::Message { from, message }, out),
            Input::Timer(Timer::Client) => self.wait_no_longer(setting, me, out),
            Input::Timer(Timer::Office) => self.open(me, out),
            Input::Timer(Timer::Election(timer)) => self.elect(setting, me, ElectionInput::Timer(timer), out),
            Input::Start | Input::Command(_) => {}
        }
    }

    fn objection(&self, _: &Setting, _: NodeId, command: &Command) -> Option<String> {
        let asked = self.election.is_busy() && *command == Command::Elect;
        asked.then(|| {
            format!("the election of term {} is under way here: wait for its end", self.election.known().term())
        })
    }

    fn members(setting: &Setting, me: NodeId, set: u32) -> &[NodeId] {
        match &setting.election {
            ElectionSetting::Bully(setting) => bully::Bully::members(setting, me, set),
            ElectionSetting::Ring(setting) => acknowledged_ring::AcknowledgedRing::members(setting, me, set),
        }
    }

    fn view(&self, _: &Setting, me: NodeId) -> View {
        let wants = matches!(self.phase, Phase::Wanting(_));
        let mut view = View::default();
        view.variables.insert("coordinator".into(), Value::node(self.served.map(|served| served.by)));
        view.variables.insert("term".into(), Value::number(self.election.known().term()));
        view.variables.insert("participating".into(), Value::Flag(self.election.is_busy()));
        if let Some(office) = &self.office {
            let holder = office.holder.map(|(holder, _)| holder);
            view.queue = office.queue.iter().map(|&(node, _)| Queued { node, clock: None }).collect();
            view.variables.insert("holder".into(), Value::node(holder));
            view.variables.insert("open".into(), Value::Flag(office.is_open()));
            view.waits_for = holder.filter(|_| wants).into_iter().collect();
        } else if wants {
            view.waits_for = self.served.map(|served| served.by).filter(|&by| by != me).into_iter().collect();
        }
        view
    }
}
