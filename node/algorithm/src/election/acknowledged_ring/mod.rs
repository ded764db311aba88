//! The election in a ring whose messages are acknowledged, as in the textbooks (Tanenbaum and van Steen) after Chang and
//! Roberts (1979).
//!
//! The greatest id travels round the ring. Each ELECT is acknowledged; if its receiver is dead, it goes to the one
//! after. Whose id comes back has won, and says so in a second round, along the processes that have acknowledged. Where
//! several call, who has sent a greater id already swallows smaller ones; in the lecture (s1, variant `no-swallowing`)
//! it sends its own instead each time, so that what each caller has begun goes all the way round.
//!
//! Three ends of an election are no good, and each is followed by another in the next term: the candidate dies and its
//! id would circle for ever, so whoever sees it again calls; somebody dies with the id or the announcement, so whoever
//! hears of no coordinator in time calls; a process that comes back does not know the coordinator, so it calls, and an
//! acknowledgement tells it the term that it has missed. It is right while an acknowledgement takes less time than the
//! time-out.

mod message;
mod outgoing;

use alloc::format;
use alloc::string::String;

use super::FAMILY;
use super::{Coordinator, Initiators, Known, Ring, Term};
use crate::contract::{Delay, Effect};
use crate::needs::{FailureDetector, Risk, TimeOut};
use crate::outcome::Outcome;
use crate::prelude::*;
use crate::span::LONGEST;
pub use message::{AcknowledgedRingMessage, Reason};
use outgoing::Outgoing;

const ANSWER: Ticks = 50_000;

/// An ELECT and its OK: who is silent for longer counts as dead.
const ANSWERED: TimeOut = TimeOut::of("answer", 2, Risk::Safety);
/// Three rounds: to the one with the highest id, its id round the ring, and the news of it; each process that is dead
/// costs an `answer` besides. Who waits for less calls another election in between.
const ANNOUNCED: TimeOut = TimeOut { per_node: true, ..TimeOut::of("coordinator", 3, Risk::Progress) };

/// What is fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// How the processes stand.
    pub ring: Ring,
    /// Who calls an election at the start.
    pub initiators: Initiators,
    /// What becomes of a smaller id.
    pub smaller: Smaller,
    /// How long an acknowledgement is waited for: longer than a message and its answer take.
    pub answer: Ticks,
    /// How long the coordinator is waited for: longer than three rounds take.
    pub coordinator: Ticks,
}

choices! {
    /// What a process that takes part already does with an id smaller than the greatest that it has sent.
    pub enum Smaller {
        Swallowed = "original": "who takes part already swallows smaller ids, as Chang and Roberts do",
        Compared = "no-swallowing":
            "everybody sends its own id on instead of a smaller one, however often: the lecture",
    }
}

/// What a process is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timer {
    /// The OK to an ELECT.
    Answer {
        /// Whose id it bears.
        candidate: NodeId,
    },
    /// A COORD; the coordinator itself waits for its own to come back.
    Coordinator,
}

/// The greatest id that a process has sent or passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Passed {
    candidate: NodeId,
    /// How far it had come.
    hops: u64,
}

/// What a process does in the election of the highest term that it has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Stage {
    /// It does not take part, or knows who has won.
    Rest,
    /// It takes part.
    Takes(Passed),
    /// It has won, and waits until everybody knows.
    Announces,
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AcknowledgedRing {
    known: Known,
    stage: Stage,
    outgoing: Outgoing,
    /// Whether it is back after a crash and has heard of no coordinator since.
    returned: bool,
}

impl AcknowledgedRing {
    /// What this process knows of terms and coordinators.
    #[must_use]
    pub const fn known(&self) -> &Known {
        &self.known
    }

    /// Whether an election is under way here.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        !matches!(self.stage, Stage::Rest)
    }

    fn enter(&mut self, stage: Stage, setting: &Setting, out: &mut Effects<Self>) {
        let timed = |stage| !matches!(stage, Stage::Rest);
        if timed(stage) {
            let delay = Delay::Exactly(setting.coordinator);
            out.push(Effect::SetTimer { timer: Timer::Coordinator, delay });
        } else if timed(self.stage) {
            out.push(Effect::CancelTimer(Timer::Coordinator));
        }
        self.stage = stage;
    }

    fn call(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let term = self.known.next();
        out.outcome(Outcome::called(term));
        self.join(setting, term, out);
        self.pass(setting, me, Passed { candidate: me, hops: 0 }, out);
    }

    fn join(&mut self, setting: &Setting, term: u64, out: &mut Effects<Self>) {
        if term > self.known.term() {
            self.known.raise(term, out);
            self.outgoing.begin(out);
            self.enter(Stage::Rest, setting, out);
        }
    }

    /// Sends an id on, one's own or another's.
    fn pass(&mut self, setting: &Setting, me: NodeId, id: Passed, out: &mut Effects<Self>) {
        match &mut self.stage {
            Stage::Takes(greatest) if greatest.candidate >= id.candidate => {}
            Stage::Takes(greatest) => *greatest = id,
            Stage::Rest | Stage::Announces => self.enter(Stage::Takes(id), setting, out),
        }
        self.send(setting, me, (id.candidate, id.hops.saturating_add(1)), out);
    }

    fn send(&mut self, setting: &Setting, me: NodeId, (candidate, hops): (NodeId, u64), out: &mut Effects<Self>) {
        let term = self.known.term();
        if !self.outgoing.send(setting, me, (term, candidate, hops), out) {
            out.because(Reason::Alone);
            self.accept(setting, Coordinator { term, leader: me }, out);
        }
    }

    fn accept(&mut self, setting: &Setting, coordinator: Coordinator, out: &mut Effects<Self>) {
        self.join(setting, coordinator.term, out);
        self.outgoing.forget(out);
        self.enter(Stage::Rest, setting, out);
        self.returned = false;
        self.known.take(coordinator, out);
    }

    fn win(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        let term = self.known.term();
        out.because(Reason::CameBack);
        self.accept(setting, Coordinator { term, leader: me }, out);
        self.enter(Stage::Announces, setting, out);
        self.announce(setting, me, Coordinator { term, leader: me }, out);
    }

    /// The announcement goes the way of the acknowledged ELECTs.
    fn announce(&self, setting: &Setting, me: NodeId, coordinator: Coordinator, out: &mut Effects<Self>) {
        if let Some(receiver) = self.outgoing.receiver(setting, me) {
            let Coordinator { term, leader } = coordinator;
            out.send(receiver, AcknowledgedRingMessage::Coord { term, leader });
        }
    }

    fn receive(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        message: AcknowledgedRingMessage,
        out: &mut Effects<Self>,
    ) {
        let (AcknowledgedRingMessage::Elect { candidate: of, .. }
        | AcknowledgedRingMessage::Ok { candidate: of, .. }
        | AcknowledgedRingMessage::Coord { leader: of, .. }) = message;
        if !setting.ring.has(of) {
            return out.because(Reason::Unexpected { from });
        }
        match message {
            AcknowledgedRingMessage::Elect { term, candidate, hops } => {
                self.join(setting, term, out);
                let over = self.known.coordinator().map_or(0, |coordinator| coordinator.term);
                out.send(from, AcknowledgedRingMessage::Ok { term, candidate, over });
                self.elect(setting, me, term, Passed { candidate, hops }, out);
            }
            AcknowledgedRingMessage::Ok { term, candidate, over } => {
                self.acknowledged(setting, me, (from, candidate), term, out);
                self.learn(setting, me, over, out);
            }
            AcknowledgedRingMessage::Coord { term, leader } => {
                self.announced(setting, me, Coordinator { term, leader }, out);
            }
        }
    }

    fn elect(&mut self, setting: &Setting, me: NodeId, term: u64, id: Passed, out: &mut Effects<Self>) {
        if term < self.known.term() || self.known.winner().is_some() {
            return out.because(Reason::Older { term });
        }
        let candidate = id.candidate;
        match self.stage {
            Stage::Takes(_) if setting.smaller == Smaller::Compared => self.compare(setting, me, id, out),
            Stage::Takes(passed) if candidate == me && passed.candidate == me => self.win(setting, me, out),
            Stage::Takes(passed) if candidate == me => out.because(Reason::Outbid { by: passed.candidate }),
            Stage::Takes(passed) if candidate < passed.candidate => out.because(Reason::Swallowed { candidate }),
            Stage::Takes(passed) if candidate == passed.candidate => self.see_again(setting, me, id, passed, out),
            _ => self.send_greater(setting, me, id, out),
        }
    }

    /// Sends on the greater of two ids: the one that has come, or one's own.
    fn send_greater(&mut self, setting: &Setting, me: NodeId, id: Passed, out: &mut Effects<Self>) {
        let candidate = id.candidate;
        if candidate > me {
            out.because(Reason::Greater { candidate });
            self.pass(setting, me, id, out);
        } else {
            out.because(Reason::Replaced { candidate });
            self.pass(setting, me, Passed { candidate: me, hops: 0 }, out);
        }
    }

    /// Compares an id with its own, whatever it has sent before. An id that has gone all the way round is nobody's who
    /// lives; that an earlier one was the same says nothing, since several of them are under way.
    fn compare(&mut self, setting: &Setting, me: NodeId, id: Passed, out: &mut Effects<Self>) {
        let candidate = id.candidate;
        if candidate == me {
            self.win(setting, me, out);
        } else if candidate > me && id.hops >= u64::from(setting.ring.length()) {
            self.call_again(setting, me, candidate, out);
        } else {
            self.send_greater(setting, me, id, out);
        }
    }

    /// The greatest id passed on has come again: a copy, or it has gone round past its dead owner.
    fn see_again(&mut self, setting: &Setting, me: NodeId, id: Passed, passed: Passed, out: &mut Effects<Self>) {
        if id.hops <= passed.hops {
            return out.because(Reason::Older { term: self.known.term() });
        }
        self.call_again(setting, me, id.candidate, out);
    }

    fn call_again(&mut self, setting: &Setting, me: NodeId, candidate: NodeId, out: &mut Effects<Self>) {
        out.because(Reason::CandidateDead { candidate });
        self.call(setting, me, out);
    }

    fn acknowledged(
        &mut self,
        setting: &Setting,
        me: NodeId,
        (from, candidate): (NodeId, NodeId),
        term: u64,
        out: &mut Effects<Self>,
    ) {
        if term == self.known.term() && self.outgoing.acknowledged(setting, me, (from, candidate), out) {
            out.because(Reason::Acknowledged { by: from });
        } else {
            out.because(Reason::Unexpected { from });
        }
    }

    /// Learns that the election of this term is over.
    fn learn(&mut self, setting: &Setting, me: NodeId, over: u64, out: &mut Effects<Self>) {
        if self.returned && over >= self.known.term() {
            out.because(Reason::MissedTerm { term: over });
            self.join(setting, over, out);
            self.call(setting, me, out);
        }
    }

    fn announced(&mut self, setting: &Setting, me: NodeId, theirs: Coordinator, out: &mut Effects<Self>) {
        let Coordinator { term, leader } = theirs;
        let is_mine = leader == me && self.known.coordinator() == Some(theirs);
        if is_mine && self.stage == Stage::Announces {
            out.because(Reason::RoundOver);
            return self.enter(Stage::Rest, setting, out);
        }
        if leader == me || term < self.known.term() || self.known.coordinator() >= Some(theirs) {
            return out.because(Reason::Older { term });
        }
        out.because(Reason::Accepted { leader });
        self.accept(setting, theirs, out);
        self.announce(setting, me, theirs, out);
    }

    fn unanswered(&mut self, setting: &Setting, me: NodeId, candidate: NodeId, out: &mut Effects<Self>) {
        // A greater id that went this way since tells more of who is alive, and wins anyway.
        if matches!(self.stage, Stage::Takes(passed) if passed.candidate > candidate) {
            self.outgoing.drop_one(candidate);
            return out.because(Reason::Swallowed { candidate });
        }
        let Some((dead, hops)) = self.outgoing.skip(setting, me, candidate) else { return };
        out.because(Reason::Skipped { dead });
        self.send(setting, me, (candidate, hops), out);
    }

    fn wait_no_longer(&mut self, setting: &Setting, me: NodeId, out: &mut Effects<Self>) {
        match self.stage {
            Stage::Rest => return,
            Stage::Takes(_) => out.because(Reason::NoCoordinator),
            Stage::Announces => out.because(Reason::RoundBroken),
        }
        self.call(setting, me, out);
    }
}

impl Algorithm for AcknowledgedRing {
    type Setting = Setting;
    type Message = AcknowledgedRingMessage;
    type Timer = Timer;
    type Stored = Term;
    type Reason = Reason;

    const ENTRY: Entry = Entry {
        name: "acknowledged-ring",
        title: "Acknowledged ring",
        source: Source {
            authors: "Ernest Chang, Rosemary Roberts; with acknowledgements by Andrew Tanenbaum, Maarten van Steen",
            title: "Distributed Systems: Principles and Paradigms",
            year: 2002,
        },
        summary: "The greatest id goes round a ring; what is not acknowledged goes to the one after; its owner tells all.",
        variants: Smaller::VARIANTS,
        // A copy has gone no further than what it is a copy of. Whose OK is lost counts as dead.
        assumes: Assumptions {
            no_crash: false,
            failure_detector: FailureDetector::Perfect,
            time_outs: &[ANSWERED, ANNOUNCED],
            ..FAMILY.assumes
        },
        message_kinds: AcknowledgedRingMessage::KINDS,
        parameters: &[
            Initiators::parameter("all"),
            Ring::PARAMETER,
            Parameter::time("answer", "for how long an OK is waited for, in ms: more than two messages take", "50"),
            Parameter {
                range: "auto (3N times `answer`), 0.001 … 3600000",
                ..Parameter::time(
                    "coordinator",
                    "for how long a COORD is waited for, in ms: more than three rounds take",
                    "auto",
                )
            },
        ],
        messages_per_entry: "per election of one caller d+N ELECT, d hops before the highest id, as many OK, and N COORD; \
                             of N callers as Chang–Roberts, without swallowing N²+N(N-1)/2",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let answer = configuration.time_parameter("answer", 1..=LONGEST)?.unwrap_or(ANSWER);
        let is_auto = configuration.parameters.get("coordinator") == Some(&ParameterValue::Text("auto".into()));
        let given = if is_auto { None } else { configuration.time_parameter("coordinator", 1..=LONGEST)? };
        Ok(Setting {
            ring: Ring::configure(configuration)?,
            initiators: Initiators::configure(configuration, "all")?,
            smaller: configuration.variant()?,
            answer,
            coordinator: given.unwrap_or_else(|| answer.saturating_mul(3 * u64::from(configuration.nodes))),
        })
    }

    fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
        let coordinator = ("coordinator", ParameterValue::time(setting.coordinator));
        [("answer", ParameterValue::time(setting.answer)), coordinator].into()
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { known: Known::default(), stage: Stage::Rest, outgoing: Outgoing::default(), returned: false }
    }

    /// What it must remember it has stored.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        match input {
            Input::Start if setting.initiators.contain(me) => self.call(setting, me, out),
            Input::Command(Command::Elect) if !self.is_busy() => {
                out.because(Reason::Told);
                self.call(setting, me, out);
            }
            Input::Restart(stored) => {
                self.known = Known::restored(stored);
                self.returned = true;
                out.because(Reason::Returned);
                self.call(setting, me, out);
            }
            Input::Message { from, message } => self.receive(setting, me, from, message, out),
            Input::Timer(Timer::Answer { candidate }) => self.unanswered(setting, me, candidate, out),
            Input::Timer(Timer::Coordinator) => self.wait_no_longer(setting, me, out),
            Input::Start | Input::Command(_) => {}
        }
    }

    fn objection(&self, _: &Setting, _: NodeId, command: &Command) -> Option<String> {
        let asked = self.is_busy() && *command == Command::Elect;
        asked.then(|| format!("the election of term {} is under way here: wait for its end", self.known.term()))
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let mut variables = self.known.variables();
        variables.insert("participating".into(), Value::Flag(self.is_busy()));
        variables.insert("successor".into(), Value::node(self.outgoing.receiver(setting, me)));
        let waits_for = match self.stage {
            _ if self.outgoing.is_open() => self.outgoing.receiver(setting, me).into_iter().collect(),
            Stage::Rest => [].into(),
            Stage::Takes(_) | Stage::Announces => [setting.ring.predecessor(me)].into(),
        };
        View { waits_for, variables, ..View::default() }
    }
}
