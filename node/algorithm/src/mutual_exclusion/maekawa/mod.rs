//! Maekawa 1985, "A √N Algorithm for Mutual Exclusion in Decentralized Systems", ACM TOCS 3(2).
//!
//! Each process has a voting set, and every two sets meet. Who wants the section asks its set and enters when all of it
//! has voted for it; each process has one vote, its own set's members being its arbiters. A vote given to a request
//! when a better one comes is asked back (INQUIRE), and given back (RELINQUISH) by who has failed to get another.
//! A process asks itself too, without messages.

mod arbiter;
mod message;

use alloc::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use self::arbiter::{Arbiter, Verdict};
pub use self::message::{MaekawaMessage, Reason};
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
    /// Who asks whom.
    pub coterie: Coterie,
    /// How an arbiter treats requests that compete.
    pub protocol: Protocol,
}

/// How an arbiter treats requests that compete for its vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Others wait until the vote is released: wrong.
    Waiting,
    /// A better request makes the arbiter ask for the vote.
    Inquiring(Failing),
}

/// Who is told that a better request is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    /// Who asks, if the request that has the vote or one that waits is better; and who waited as the best, when a better
    /// one comes (Sanders 1987).
    AlsoDisplaced,
    /// Who asks, if the request that has the vote or one that waits is better: wrong.
    IfAnyBetter,
    /// Who asks, if the request that has the vote is better: wrong.
    IfHolderBetter,
}

const FAILING: [(&str, Failing); 2] =
    [("any-better", Failing::IfAnyBetter), ("holder-better", Failing::IfHolderBetter)];

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Maekawa {
    clock: Clock,
    phase: Phase,
    votes: Votes,
    arbiter: Arbiter,
}

/// Messages to oneself, to be taken before the step ends.
type ToOneself = VecDeque<MaekawaMessage>;

impl Maekawa {
    fn acquire(&mut self, setting: &Setting, me: NodeId, lock: LockId, request: RequestId, out: &mut Effects<Self>) {
        let timestamp = Timestamp { clock: self.clock.tick(), process: me };
        let claim = Claim { lock, request, timestamp };
        self.phase = Phase::Wanting(claim);
        out.outcome(claim.requested());
        self.tell_set(setting, me, MaekawaMessage::Request { timestamp: timestamp.clock }, out);
    }

    fn release(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let Phase::InSection(claim) = self.phase else { return };
        self.phase = Phase::Idle;
        self.votes = Votes::default();
        out.outcome(claim.exited());
        let clock = self.clock.now();
        self.tell_set(setting, me, MaekawaMessage::Release { timestamp: claim.timestamp.clock, clock }, out);
    }

    /// Tells one's whole voting set, oneself last and at once.
    fn tell_set(&mut self, setting: &Setting, me: NodeId, message: MaekawaMessage, out: &mut Effects<Self>) {
        if setting.coterie.set(me).iter().any(|&node| node != me) {
            out.push(Effect::Send { to: Recipients::Set(0), message });
        }
        self.receive(setting, me, me, message, out);
    }

    /// Takes a message, and all those to oneself that follow from it.
    fn receive(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        message: MaekawaMessage,
        out: &mut Effects<Self>,
    ) {
        let mut to_oneself = ToOneself::new();
        self.take(setting, me, from, message, &mut to_oneself, out);
        while let Some(message) = to_oneself.pop_front() {
            self.take(setting, me, me, message, &mut to_oneself, out);
        }
    }

    fn take(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        message: MaekawaMessage,
        to_oneself: &mut ToOneself,
        out: &mut Effects<Self>,
    ) {
        if from != me {
            self.clock.observe(message.clock());
        }
        let theirs = Timestamp { clock: message.timestamp(), process: from };
        let verdict = match message {
            MaekawaMessage::Request { .. } => self.arbiter.asked(setting.protocol, theirs),
            MaekawaMessage::Relinquish { .. } => self.arbiter.relinquished(theirs),
            MaekawaMessage::Release { .. } => self.arbiter.released(theirs),
            answer => return self.answered(setting, me, from, answer, to_oneself, out),
        };
        self.pronounce(verdict, me, to_oneself, out);
    }

    /// An arbiter of one's own says something about one's own request.
    fn answered(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        answer: MaekawaMessage,
        to_oneself: &mut ToOneself,
        out: &mut Effects<Self>,
    ) {
        let timestamp = answer.timestamp();
        if !setting.coterie.set(me).contains(&from) {
            return out.because(Reason::NotInSet { from });
        }
        let claim = match self.phase {
            Phase::Wanting(claim) if claim.timestamp.clock == timestamp => claim,
            Phase::InSection(claim) if claim.timestamp.clock == timestamp => {
                return out.because(Reason::KeptInSection { from });
            }
            _ => return out.because(Reason::Outdated { from, timestamp }),
        };
        match answer {
            MaekawaMessage::Locked { .. } => self.votes.vote(from),
            MaekawaMessage::Failed { .. } => self.votes.refuse(from),
            MaekawaMessage::Inquire { .. } => self.votes.ask_back(from),
            _ => {}
        }
        self.enter_if_voted(setting, me, claim, out);
        self.answer_inquiries(me, claim, to_oneself, out);
    }

    fn enter_if_voted(&mut self, setting: &Setting, me: NodeId, claim: Claim, out: &mut Effects<Self>) {
        if self.votes.are_complete(setting.coterie.set(me)) {
            self.phase = Phase::InSection(claim);
            out.because(Reason::AllVoted);
            out.outcome(claim.entered());
        }
    }

    fn answer_inquiries(&mut self, me: NodeId, claim: Claim, to_oneself: &mut ToOneself, out: &mut Effects<Self>) {
        if matches!(self.phase, Phase::InSection(_)) {
            return;
        }
        for (from, inquiry) in self.votes.answer_inquiries() {
            out.because(match inquiry {
                Inquiry::BeforeVote => Reason::InquiredBeforeLocked { from },
                Inquiry::Undecided => Reason::KeptUndecided { from },
                Inquiry::GivenBack => Reason::RelinquishedAsFailed { to: from },
            });
            if inquiry == Inquiry::GivenBack {
                let (timestamp, clock) = (claim.timestamp.clock, self.clock.now());
                send(from, MaekawaMessage::Relinquish { timestamp, clock }, me, to_oneself, out);
            }
        }
    }

    fn pronounce(&self, verdict: Verdict, me: NodeId, to_oneself: &mut ToOneself, out: &mut Effects<Self>) {
        for reason in verdict.reasons {
            out.because(reason);
        }
        for (request, answer) in verdict.answers {
            send(request.process, answer.about(request, self.clock.now()), me, to_oneself, out);
        }
    }
}

fn send(to: NodeId, message: MaekawaMessage, me: NodeId, to_oneself: &mut ToOneself, out: &mut Effects<Maekawa>) {
    if to == me {
        to_oneself.push_back(message);
    } else {
        out.send(to, message);
    }
}

impl Algorithm for Maekawa {
    type Setting = Setting;
    type Message = MaekawaMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "maekawa",
        title: "Maekawa",
        family: "mutual-exclusion",
        source: Source {
            authors: "Mamoru Maekawa",
            title: "A √N Algorithm for Mutual Exclusion in Decentralized Systems",
            year: 1985,
        },
        summary: "Ask only your voting set; every two sets meet, and nobody votes for two at a time.",
        variants: &[
            Variant {
                name: "corrected",
                summary: "a request that is best when it comes is told when a better one displaces it (Sanders 1987)",
                broken: None,
            },
            Variant {
                name: "version-1",
                summary: "REQUEST, LOCKED and RELEASE only: a vote is never asked back",
                broken: Some("deadlock: some have votes that the others wait for"),
            },
            Variant {
                name: "version-2",
                summary: "as first published: only who asks is told that a better request is known",
                broken: Some("deadlock: a request displaced by a better one does not know it, and keeps its votes"),
            },
        ],
        // Messages name their request, so those that overtake are told apart. A second LOCKED is a second vote.
        assumes: Assumptions {
            fifo: false,
            no_loss: true,
            no_duplication: true,
            no_crash: true,
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["acquire", "release"],
        locks: LockUse::Instances,
        message_kinds: &["REQUEST", "LOCKED", "FAILED", "INQUIRE", "RELINQUISH", "RELEASE"],
        background_kinds: &[],
        token_kinds: &[],
        keeps_order: &[],
        conduct: Conduct::PLAIN,
        parameters: &[
            Parameter { name: "coterie", summary: "the voting sets", default: "grid", range: FORMS, unit: None },
            Parameter {
                name: "failed",
                summary: "in version-2, who is told FAILED: who asks when any request known is better, \
                          or when the one that has the vote is",
                default: FAILING[0].0,
                range: "any-better, holder-better",
                unit: None,
            },
        ],
        messages_per_entry: "3(K-1) … 7(K-1), K being the size of a voting set",
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        configuration.refuse_unknown_parameters(&Self::ENTRY)?;
        let published = configuration.parameter_as("failed", &FAILING)?;
        let protocol = configuration.variant_as(&[
            ("corrected", Protocol::Inquiring(Failing::AlsoDisplaced)),
            ("version-1", Protocol::Waiting),
            ("version-2", Protocol::Inquiring(published)),
        ])?;
        Ok(Setting { coterie: Coterie::configure(configuration)?, protocol })
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { clock: Clock::default(), phase: Phase::Idle, votes: Votes::default(), arbiter: Arbiter::default() }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(setting, me, lock, request, out),
            Input::Command(Command::Release { .. }) => self.release(setting, me, out),
            Input::Message { from, message } => self.receive(setting, me, from, message, out),
            // Nothing is stored: after a crash a process knows no more than at the start.
            Input::Start | Input::Restart(_) | Input::Timer(()) | Input::Command(_) => {}
        }
    }

    fn members(setting: &Setting, me: NodeId, set: u32) -> &[NodeId] {
        if set == 0 { setting.coterie.set(me) } else { &[] }
    }

    fn clock(&mut self, _: &Setting) -> Option<&mut Clock> {
        Some(&mut self.clock)
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let set = setting.coterie.set(me);
        let missing =
            set.iter().filter(|node| matches!(self.phase, Phase::Wanting(_)) && !self.votes.here.contains(node));
        View {
            clock: Some(self.clock.now()),
            request: self.phase.timestamp(),
            queue: self.arbiter.queue.iter().map(|q| Queued { node: q.process, clock: Some(q.clock) }).collect(),
            waits_for: missing.copied().collect(),
            variables: BTreeMap::from([
                ("S".into(), Value::nodes(set)),
                ("LOCKED".into(), Value::nodes(&self.votes.here)),
                ("FAILED".into(), Value::nodes(&self.votes.failed)),
                ("INQUIRE".into(), Value::nodes(&self.votes.inquired)),
                ("locked_for".into(), Value::node(self.arbiter.locked.map(|locked| locked.process))),
                ("inquired".into(), Value::Flag(self.arbiter.inquired)),
            ]),
            ..View::default()
        }
    }
}
