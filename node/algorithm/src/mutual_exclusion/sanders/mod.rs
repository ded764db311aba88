//! Sanders 1987, "The Information Structure of Distributed Mutual Exclusion Algorithms", ACM TOCS 5(3).
//!
//! One algorithm, of which others are cases: who wants the section asks its request set R and enters when all of it has
//! granted; who leaves tells its inform set I. Who is asked grants the oldest request; if it will be informed, it
//! grants no other until then. A permission given before an older request came is asked back (INQUIRE), and given back
//! (YIELD) by who has failed to get another (FAIL). A process asks and informs itself too, without messages.

mod message;
mod status;
mod structure;

use alloc::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

pub use self::message::{Reason, SandersMessage};
use self::status::{Status, Verdict};
use self::structure::SETS;
pub use self::structure::{Structure, Violation};
use super::phase::{Claim, Phase};
use super::votes::{Inquiry, Votes};
use crate::catalogue::{Assumptions, Entry, LockUse, Parameter, Source, Variant};
use crate::clock::{Clock, Timestamp};
use crate::command::Command;
use crate::conduct::Conduct;
use crate::configuration::{Configuration, Refusal};
use crate::contract::{Algorithm, Effect, Effects, Input, Recipients};
use crate::coterie::{Coterie, FORMS};
use crate::identity::{LockId, NodeId, RequestId};
use crate::view::{Queued, Value, View};

/// What is fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The number of nodes.
    pub nodes: u32,
    /// Who asks and informs whom.
    pub structure: Structure,
}

/// The number of the request set, for [`Recipients::Set`].
const REQUEST_SET: u32 = 0;
/// The number of the inform set.
const INFORM_SET: u32 = 1;

/// Where sets come from.
#[derive(Clone, Copy)]
enum Preset {
    RicartAgrawala,
    Maekawa,
    Centralised,
    Given,
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Sanders {
    clock: Clock,
    phase: Phase,
    grants: Votes,
    status: Status,
}

/// A step under way: messages to oneself are taken before it ends.
struct Turn<'a> {
    setting: &'a Setting,
    me: NodeId,
    to_oneself: VecDeque<SandersMessage>,
    out: &'a mut Effects<Sanders>,
}

impl Turn<'_> {
    fn send(&mut self, to: NodeId, message: SandersMessage) {
        if to == self.me {
            self.to_oneself.push_back(message);
        } else {
            self.out.send(to, message);
        }
    }

    /// Tells one of one's own sets, oneself last.
    fn tell(&mut self, set: u32, message: SandersMessage) {
        let members = Sanders::members(self.setting, self.me, set);
        let to = if members.len() == self.setting.nodes as usize { Recipients::Others } else { Recipients::Set(set) };
        if members.iter().any(|&node| node != self.me) {
            self.out.push(Effect::Send { to, message });
        }
        if members.contains(&self.me) {
            self.to_oneself.push_back(message);
        }
    }

    /// `clock` is one's own.
    fn pronounce(&mut self, verdict: Verdict, clock: u64) {
        for reason in verdict.reasons {
            self.out.because(reason);
        }
        for (request, answer) in verdict.answers {
            self.send(request.process, answer.about(request, clock));
        }
    }
}

impl Sanders {
    fn acquire(&mut self, lock: LockId, request: RequestId, turn: &mut Turn) {
        let timestamp = Timestamp { clock: self.clock.tick(), process: turn.me };
        let claim = Claim { lock, request, timestamp };
        self.phase = Phase::Wanting(claim);
        turn.out.outcome(claim.requested());
        turn.tell(REQUEST_SET, SandersMessage::Request { timestamp: timestamp.clock });
        self.enter_if_granted(claim, turn);
    }

    fn release(&mut self, turn: &mut Turn) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        self.grants = Votes::default();
        turn.out.outcome(claim.exited());
        let clock = self.clock.now();
        turn.tell(INFORM_SET, SandersMessage::Release { timestamp: claim.timestamp.clock, clock });
    }

    fn receive(&mut self, from: NodeId, message: SandersMessage, turn: &mut Turn) {
        if from != turn.me {
            self.clock.observe(message.clock());
        }
        let theirs = Timestamp { clock: message.timestamp(), process: from };
        let informs = |node| turn.setting.structure.informs(node, turn.me);
        let verdict = match message {
            SandersMessage::Request { .. } => self.status.asked(theirs, informs),
            SandersMessage::Yield { .. } => self.status.yielded(theirs, informs),
            SandersMessage::Release { .. } => self.status.released(theirs, informs),
            answer => return self.answered(from, answer, turn),
        };
        turn.pronounce(verdict, self.clock.now());
    }

    /// Somebody of one's own request set says something about one's own request.
    fn answered(&mut self, from: NodeId, answer: SandersMessage, turn: &mut Turn) {
        let timestamp = answer.timestamp();
        if turn.setting.structure.request_set(turn.me).binary_search(&from).is_err() {
            return turn.out.because(Reason::NotInRequestSet { from });
        }
        let claim = match self.phase {
            Phase::Wanting(claim) if claim.timestamp.clock == timestamp => claim,
            Phase::InSection(claim) if claim.timestamp.clock == timestamp => {
                return turn.out.because(Reason::KeptInSection { from });
            }
            _ => return turn.out.because(Reason::Outdated { from, timestamp }),
        };
        match answer {
            SandersMessage::Grant { .. } => self.grants.vote(from),
            SandersMessage::Fail { .. } => self.grants.refuse(from),
            SandersMessage::Inquire { .. } => self.grants.ask_back(from),
            SandersMessage::Request { .. } | SandersMessage::Release { .. } | SandersMessage::Yield { .. } => {}
        }
        self.enter_if_granted(claim, turn);
        if matches!(self.phase, Phase::Wanting(_)) {
            self.answer_inquiries(claim, turn);
        }
    }

    fn enter_if_granted(&mut self, claim: Claim, turn: &mut Turn) {
        if self.grants.are_complete(turn.setting.structure.request_set(turn.me)) {
            self.phase = Phase::InSection(claim);
            turn.out.because(Reason::AllGranted);
            turn.out.outcome(claim.entered());
        }
    }

    fn answer_inquiries(&mut self, claim: Claim, turn: &mut Turn) {
        for (from, inquiry) in self.grants.answer_inquiries() {
            turn.out.because(match inquiry {
                Inquiry::BeforeVote => Reason::InquiredBeforeGrant { from },
                Inquiry::Undecided => Reason::KeptUndecided { from },
                Inquiry::GivenBack => Reason::YieldedAsFailed { to: from },
            });
            if inquiry == Inquiry::GivenBack {
                let (timestamp, clock) = (claim.timestamp.clock, self.clock.now());
                turn.send(from, SandersMessage::Yield { timestamp, clock });
            }
        }
    }
}

impl Algorithm for Sanders {
    type Setting = Setting;
    type Message = SandersMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "sanders",
        title: "Sanders",
        family: "mutual-exclusion",
        source: Source {
            authors: "Beverly A. Sanders",
            title: "The Information Structure of Distributed Mutual Exclusion Algorithms",
            year: 1987,
        },
        summary: "Ask your request set, tell your inform set when you leave: the sets make it one algorithm or another.",
        variants: &[
            Variant {
                name: "ricart-agrawala",
                summary: "everybody asks everybody and informs itself only",
                broken: None,
            },
            Variant {
                name: "maekawa",
                summary: "everybody asks and informs its voting set, of the given coterie",
                broken: None,
            },
            Variant {
                name: "centralised",
                summary: "everybody asks and informs itself and the coordinator",
                broken: None,
            },
            Variant { name: "given", summary: "the sets are given by inform and request", broken: None },
        ],
        // Messages name their request, so those that overtake are told apart. A second GRANT is a second permission.
        assumes: Assumptions {
            fifo: false,
            no_loss: true,
            no_duplication: true,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["REQUEST", "GRANT", "RELEASE", "INQUIRE", "FAIL", "YIELD"],
        background_kinds: &[],
        token_kinds: &[],
        keeps_order: &[],
        conduct: Conduct::PLAIN,
        parameters: &[
            Parameter {
                name: "coterie",
                summary: "in maekawa, the voting sets",
                default: "grid",
                range: FORMS,
                unit: None,
            },
            Parameter {
                name: "coordinator",
                summary: "in centralised, who is asked",
                default: "0",
                range: "0 … N-1",
                unit: None,
            },
            Parameter { name: "inform", summary: "in given, the inform sets", default: "own", range: SETS, unit: None },
            Parameter {
                name: "request",
                summary: "in given, the request sets",
                default: "all",
                range: SETS,
                unit: None,
            },
            Parameter {
                name: "check",
                summary: "in given, whether sets are refused that break the conditions; \
                          with those, for teaching, two can be in the section",
                default: "yes",
                range: "yes, no",
                unit: None,
            },
        ],
        messages_per_entry: "at light load 2(N-1), 3(K-1) or 3(N-1)/N, as the algorithm whose sets they are",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        let nodes = configuration.nodes;
        structure::refuse_too_many(nodes)?;
        let preset = configuration.variant_as(&[
            ("ricart-agrawala", Preset::RicartAgrawala),
            ("maekawa", Preset::Maekawa),
            ("centralised", Preset::Centralised),
            ("given", Preset::Given),
        ])?;
        let structure = match preset {
            Preset::RicartAgrawala => Structure::ricart_agrawala(nodes),
            Preset::Maekawa => Structure::maekawa(&Coterie::configure(configuration)?, nodes),
            Preset::Centralised => Structure::centralised(configuration.node_parameter("coordinator")?, nodes),
            Preset::Given => {
                let checked = configuration.parameter_as("check", &[("yes", true), ("no", false)])?;
                structure::given(configuration, checked)?
            }
        };
        Ok(Setting { nodes, structure })
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { clock: Clock::default(), phase: Phase::Idle, grants: Votes::default(), status: Status::default() }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let mut turn = Turn { setting, me, to_oneself: VecDeque::new(), out };
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(lock, request, &mut turn),
            Input::Command(Command::Release { .. }) => self.release(&mut turn),
            Input::Message { from, message } => self.receive(from, message, &mut turn),
            // Nothing is stored: after a crash a process knows no more than at the start.
            Input::Start | Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
        while let Some(message) = turn.to_oneself.pop_front() {
            self.receive(me, message, &mut turn);
        }
    }

    fn members(setting: &Setting, me: NodeId, set: u32) -> &[NodeId] {
        match set {
            REQUEST_SET => setting.structure.request_set(me),
            INFORM_SET => setting.structure.inform_set(me),
            _ => &[],
        }
    }

    fn clock(&mut self, _: &Setting) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let asked = setting.structure.request_set(me);
        let wants = matches!(self.phase, Phase::Wanting(_));
        View {
            clock: Some(self.clock.now()),
            request: self.phase.timestamp(),
            queue: self.status.queue.iter().map(|q| Queued { node: q.process, clock: Some(q.clock) }).collect(),
            waits_for: asked.iter().filter(|node| wants && !self.grants.here.contains(node)).copied().collect(),
            variables: BTreeMap::from([
                ("I".into(), Value::nodes(setting.structure.inform_set(me))),
                ("R".into(), Value::nodes(asked)),
                ("CSSTAT".into(), Value::node(self.status.holder.map(|holder| holder.process))),
                ("GRANT".into(), Value::nodes(&self.grants.here)),
                ("FAIL".into(), Value::nodes(&self.grants.failed)),
                ("INQUIRE".into(), Value::nodes(&self.grants.inquired)),
                ("inquired".into(), Value::Flag(self.status.inquired)),
            ]),
            ..View::default()
        }
    }
}
