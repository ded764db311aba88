//! The election in a ring whose messages are acknowledged, as in textbooks such as that of Tanenbaum and van Steen. It
//! extends the algorithm of Chang and Roberts (1979).
//!
//! The greatest id travels around the ring. Each ELECT is acknowledged. If the receiver of an ELECT has crashed, the
//! sender sends the ELECT to the next process instead. A process whose id comes back has won. It announces itself in a
//! second round, along the processes that have acknowledged.
//!
//! Several processes can call an election at once. A process that has already sent a greater id then swallows smaller
//! ids. In the version of the lecture (variant `no-swallowing`), it instead sends its own id in place of each smaller
//! id. Then the election of each caller costs a full round.
//!
//! In three cases another election follows, in the next term:
//! - The candidate has crashed, and its id still circulates. A process that receives the id again calls an election.
//! - A process crashes before it passes on the id or the announcement. A process that receives no announcement in time
//!   calls an election.
//! - A process restarts, does not know the coordinator, and calls an election. If this process has missed a term, an
//!   acknowledgement reports that term.
//!
//! The algorithm is correct while an acknowledgement takes less time than the time-out.

mod message;
mod outgoing;

use super::FAMILY;
use super::{Coordinator, Initiators, Known, Ring, Term};
use crate::erased::Packed;
use crate::prelude::*;
pub use message::{AcknowledgedRingMessage, Reason};
use outgoing::Outgoing;

const ANSWER: Ticks = 50_000;

/// The time-out `answer`, within which an ELECT and its OK must arrive. A process that is silent for longer counts
/// as crashed.
const ANSWERED: TimeOut = TimeOut::of("answer", 2, Risk::Safety);
/// The time-out `coordinator`, into which three rounds must fit. First an id travels to the process with the highest
/// id. Then the highest id goes around the ring, and then the announcement does. Each crashed process adds one
/// `answer`. If the time is shorter, a process calls another election before the first has ended.
const ANNOUNCED: TimeOut = TimeOut { per_node: true, ..TimeOut::of("coordinator", 3, Risk::Progress) };

/// The values that are fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The order of the processes in the ring.
    pub ring: Ring,
    /// The processes that call an election at the start.
    pub initiators: Initiators,
    /// The treatment of an id that is smaller than one already sent.
    pub smaller: Smaller,
    /// The time to wait for an acknowledgement. It must exceed the time of a message and its answer.
    pub answer: Ticks,
    /// The time to wait for the coordinator. It must exceed the time of three rounds.
    pub coordinator: Ticks,
}

choices! {
    /// How a process that already takes part treats an id smaller than the greatest that it has sent.
    pub enum Smaller {
        Swallowed = "original": "a process that already takes part swallows smaller ids, as with Chang and Roberts",
        Compared = "no-swallowing":
            "each process sends its own id instead of a smaller one, however often: the lecture",
    }
}

/// The timers. Each limits the time for which a process waits for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timer {
    /// The OK to an ELECT.
    Answer {
        /// The id in the ELECT.
        candidate: NodeId,
    },
    /// A COORD. The coordinator itself waits until its own COORD has gone around the ring.
    Coordinator,
}

/// The packed number of [`Timer::Coordinator`], above the numbers of all nodes.
const COORDINATOR: u64 = 1 << 32;

impl Packed for Timer {
    fn pack(self) -> u64 {
        match self {
            Self::Answer { candidate } => candidate.0.into(),
            Self::Coordinator => COORDINATOR,
        }
    }

    fn unpack(number: u64) -> Option<Self> {
        match number {
            COORDINATOR => Some(Self::Coordinator),
            _ => number.try_into().ok().map(|candidate| Self::Answer { candidate: NodeId(candidate) }),
        }
    }
}

/// The greatest id that a process has sent or passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Passed {
    candidate: NodeId,
    /// The number of hops that the id had travelled.
    hops: u64,
}

/// The stage of a process in the election of the highest term that it has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Stage {
    /// The process does not take part, or it knows the winner.
    Rest,
    /// The process takes part. The field is the greatest id that it has sent so far.
    Takes(Passed),
    /// The process has won, and waits until its announcement has gone around the ring.
    Announces,
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AcknowledgedRing {
    known: Known,
    stage: Stage,
    outgoing: Outgoing,
    /// Whether the process has restarted after a crash and knows no coordinator yet.
    returned: bool,
}

impl AcknowledgedRing {
    /// Returns what this process knows about terms and coordinators.
    #[must_use]
    pub const fn known(&self) -> &Known {
        &self.known
    }

    /// Whether an election is in progress at this process.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        !matches!(self.stage, Stage::Rest)
    }

    fn enter(&mut self, stage: Stage, turn: &mut Turn<Self>) {
        let timed = |stage| !matches!(stage, Stage::Rest);
        if timed(stage) {
            turn.set(Timer::Coordinator, turn.setting.coordinator);
        } else if timed(self.stage) {
            turn.cancel(Timer::Coordinator);
        }
        self.stage = stage;
    }

    fn call(&mut self, turn: &mut Turn<Self>) {
        let term = self.known.next();
        turn.outcome(Outcome::called(term));
        self.join(term, turn);
        self.pass(Passed { candidate: turn.me, hops: 0 }, turn);
    }

    fn join(&mut self, term: u64, turn: &mut Turn<Self>) {
        if term > self.known.term() {
            self.known.raise(term, turn);
            self.outgoing.begin(turn);
            self.enter(Stage::Rest, turn);
        }
    }

    /// Sends an id to the next process: the process's own id or a received one.
    fn pass(&mut self, id: Passed, turn: &mut Turn<Self>) {
        match &mut self.stage {
            Stage::Takes(greatest) if greatest.candidate >= id.candidate => {}
            Stage::Takes(greatest) => *greatest = id,
            Stage::Rest | Stage::Announces => self.enter(Stage::Takes(id), turn),
        }
        self.send((id.candidate, id.hops.saturating_add(1)), turn);
    }

    fn send(&mut self, (candidate, hops): (NodeId, u64), turn: &mut Turn<Self>) {
        let term = self.known.term();
        if !self.outgoing.send((term, candidate, hops), turn) {
            turn.because(Reason::Alone);
            self.accept(Coordinator { term, leader: turn.me }, turn);
        }
    }

    fn accept(&mut self, coordinator: Coordinator, turn: &mut Turn<Self>) {
        self.join(coordinator.term, turn);
        self.outgoing.forget(turn);
        self.enter(Stage::Rest, turn);
        self.returned = false;
        self.known.take(coordinator, turn);
    }

    fn win(&mut self, turn: &mut Turn<Self>) {
        let term = self.known.term();
        turn.because(Reason::CameBack);
        self.accept(Coordinator { term, leader: turn.me }, turn);
        self.enter(Stage::Announces, turn);
        self.announce(Coordinator { term, leader: turn.me }, turn);
    }

    /// Sends the announcement on the path of the acknowledged ELECTs.
    fn announce(&self, coordinator: Coordinator, turn: &mut Turn<Self>) {
        if let Some(receiver) = self.outgoing.receiver(turn.setting, turn.me) {
            let Coordinator { term, leader } = coordinator;
            turn.send(receiver, AcknowledgedRingMessage::Coord { term, leader });
        }
    }

    fn receive(&mut self, from: NodeId, message: AcknowledgedRingMessage, turn: &mut Turn<Self>) {
        let (AcknowledgedRingMessage::Elect { candidate: of, .. }
        | AcknowledgedRingMessage::Ok { candidate: of, .. }
        | AcknowledgedRingMessage::Coord { leader: of, .. }) = message;
        if !turn.setting.ring.has(of) {
            return turn.because(Reason::Unexpected { from });
        }
        match message {
            AcknowledgedRingMessage::Elect { term, candidate, hops } => {
                self.join(term, turn);
                let over = self.known.coordinator().map_or(0, |coordinator| coordinator.term);
                turn.send(from, AcknowledgedRingMessage::Ok { term, candidate, over });
                self.elect(term, Passed { candidate, hops }, turn);
            }
            AcknowledgedRingMessage::Ok { term, candidate, over } => {
                self.acknowledged((from, candidate), term, turn);
                self.learn(over, turn);
            }
            AcknowledgedRingMessage::Coord { term, leader } => {
                self.announced(Coordinator { term, leader }, turn);
            }
        }
    }

    fn elect(&mut self, term: u64, id: Passed, turn: &mut Turn<Self>) {
        if term < self.known.term() || self.known.winner().is_some() {
            return turn.because(Reason::Older { term });
        }
        let candidate = id.candidate;
        match self.stage {
            Stage::Takes(_) if turn.setting.smaller == Smaller::Compared => self.compare(id, turn),
            Stage::Takes(passed) if candidate == turn.me && passed.candidate == turn.me => self.win(turn),
            Stage::Takes(passed) if candidate == turn.me => turn.because(Reason::Outbid { by: passed.candidate }),
            Stage::Takes(passed) if candidate < passed.candidate => turn.because(Reason::Swallowed { candidate }),
            Stage::Takes(passed) if candidate == passed.candidate => self.see_again(id, passed, turn),
            _ => self.send_greater(id, turn),
        }
    }

    /// Passes on the greater of two ids: the received one, or the process's own.
    fn send_greater(&mut self, id: Passed, turn: &mut Turn<Self>) {
        let candidate = id.candidate;
        if candidate > turn.me {
            turn.because(Reason::Greater { candidate });
            self.pass(id, turn);
        } else {
            turn.because(Reason::Replaced { candidate });
            self.pass(Passed { candidate: turn.me, hops: 0 }, turn);
        }
    }

    /// Compares a received id with the process's own id, regardless of the ids that the process has sent. If the number
    /// of hops shows that the id has gone all the way round, the owner of the id has crashed. A second arrival alone
    /// does not show that, because several ELECTs with the same id are in transit.
    fn compare(&mut self, id: Passed, turn: &mut Turn<Self>) {
        let candidate = id.candidate;
        if candidate == turn.me {
            self.win(turn);
        } else if candidate > turn.me && id.hops >= u64::from(turn.setting.ring.length()) {
            self.call_again(candidate, turn);
        } else {
            self.send_greater(id, turn);
        }
    }

    /// Handles the arrival of an id that equals the greatest id that this process has sent. Either the message is a
    /// duplicated copy, or the id has passed its crashed owner and gone all the way round.
    fn see_again(&mut self, id: Passed, passed: Passed, turn: &mut Turn<Self>) {
        if id.hops <= passed.hops {
            return turn.because(Reason::Older { term: self.known.term() });
        }
        self.call_again(id.candidate, turn);
    }

    fn call_again(&mut self, candidate: NodeId, turn: &mut Turn<Self>) {
        turn.because(Reason::CandidateDead { candidate });
        self.call(turn);
    }

    fn acknowledged(&mut self, (from, candidate): (NodeId, NodeId), term: u64, turn: &mut Turn<Self>) {
        if term == self.known.term() && self.outgoing.acknowledged((from, candidate), turn) {
            turn.because(Reason::Acknowledged { by: from });
        } else {
            turn.because(Reason::Unexpected { from });
        }
    }

    /// Handles the report that the election of term `over` has ended. If this process has restarted and missed that
    /// term, the process calls an election.
    fn learn(&mut self, over: u64, turn: &mut Turn<Self>) {
        if self.returned && over >= self.known.term() {
            turn.because(Reason::MissedTerm { term: over });
            self.join(over, turn);
            self.call(turn);
        }
    }

    fn announced(&mut self, theirs: Coordinator, turn: &mut Turn<Self>) {
        let Coordinator { term, leader } = theirs;
        let is_mine = leader == turn.me && self.known.coordinator() == Some(theirs);
        if is_mine && self.stage == Stage::Announces {
            turn.because(Reason::RoundOver);
            return self.enter(Stage::Rest, turn);
        }
        if leader == turn.me || term < self.known.term() || self.known.coordinator() >= Some(theirs) {
            return turn.because(Reason::Older { term });
        }
        if self.known.suspects(leader) {
            // The announced coordinator has crashed. The announcement stops here, because every process joins the next
            // election in any case.
            turn.because(Reason::DeadCoordinator { leader });
            self.join(term, turn);
            return self.call(turn);
        }
        turn.because(Reason::Accepted { leader });
        self.accept(theirs, turn);
        self.announce(theirs, turn);
    }

    fn unanswered(&mut self, candidate: NodeId, turn: &mut Turn<Self>) {
        // This process has since sent a greater id, which wins in any case. The acknowledgement of the greater id
        // shows more reliably which processes are live.
        if matches!(self.stage, Stage::Takes(passed) if passed.candidate > candidate) {
            self.outgoing.drop_one(candidate);
            return turn.because(Reason::Swallowed { candidate });
        }
        let Some((dead, hops)) = self.outgoing.skip(turn.setting, turn.me, candidate) else { return };
        turn.because(Reason::Skipped { dead });
        self.send((candidate, hops), turn);
    }

    fn wait_no_longer(&mut self, turn: &mut Turn<Self>) {
        match self.stage {
            Stage::Rest => return,
            Stage::Takes(_) => turn.because(Reason::NoCoordinator),
            Stage::Announces => turn.because(Reason::RoundBroken),
        }
        self.call(turn);
    }
}

impl Algorithm for AcknowledgedRing {
    type Setting = Setting;
    type Message = AcknowledgedRingMessage;
    type Timer = Timer;
    type Stored = Term;
    type Reason = Reason;

    const SENTENCES: &'static [Sentence] = Reason::SENTENCES;
    const ENTRY: Entry = Entry {
        name: "acknowledged-ring",
        title: "Acknowledged ring",
        source: Source {
            authors: "Ernest Chang, Rosemary Roberts; with acknowledgements by Andrew Tanenbaum, Maarten van Steen",
            title: "Distributed Systems: Principles and Paradigms",
            year: 2002,
        },
        summary: "The greatest id goes round a ring, past processes that do not acknowledge it; its owner announces \
                  itself to all.",
        variants: Smaller::VARIANTS,
        // Duplication is tolerated: a duplicated copy has no more hops than its original. Loss is not tolerated,
        // because a process whose OK is lost counts as crashed.
        assumes: Assumptions {
            no_crash: false,
            failure_detector: FailureDetector::Perfect,
            time_outs: &[ANSWERED, ANNOUNCED],
            ..FAMILY.assumes
        },
        structure: Structure::Ring { parameter: Some("ring") },
        message_kinds: AcknowledgedRingMessage::KINDS,
        parameters: &[
            Initiators::parameter("all"),
            Ring::PARAMETER,
            Parameter::time(
                "answer",
                "how long to wait for an OK, in ms: longer than two messages take",
                "50",
                Pace::TimeOut,
            ),
            Parameter::new(
                "coordinator",
                "how long to wait for a COORD, in ms: longer than three rounds take",
                "auto",
                Range::Or(Word { name: "auto", meaning: "3N times `answer`" }, &Range::Time(Times::ANY, Pace::TimeOut)),
            ),
        ],
        messages_per_entry: "per election of one caller d+N ELECT (d hops to the highest id), as many OK, and N COORD; \
                             of N callers as Chang–Roberts, without swallowing N²+N(N-1)/2",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        let answer = configuration.time("answer", ANSWER)?;
        let is_auto = configuration.parameters.get("coordinator") == Some(&ParameterValue::Text("auto".into()));
        let given = if is_auto { None } else { configuration.time_parameter("coordinator", Times::ANY.all())? };
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

    /// Returns the initial state. Everything that the process must remember is in the stored state, which it receives
    /// with `Input::Restart`.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let turn = &mut Turn::new(setting, me, setting.ring.length(), out);
        match input {
            Input::Start if turn.setting.initiators.contain(turn.me) => self.call(turn),
            Input::Command(Command::Elect) if !self.is_busy() => {
                turn.because(Reason::Told);
                self.call(turn);
            }
            Input::Restart(stored) => {
                self.known = Known::restored(stored);
                self.returned = true;
                turn.because(Reason::Returned);
                self.call(turn);
            }
            Input::Message { from, message } => self.receive(from, message, turn),
            Input::Timer(Timer::Answer { candidate }) => self.unanswered(candidate, turn),
            Input::Timer(Timer::Coordinator) => self.wait_no_longer(turn),
            Input::Suspected(node) => {
                if self.known.suspect(node) && !self.is_busy() {
                    turn.because(Reason::Suspects { node });
                    self.call(turn);
                }
            }
            Input::Trusted(node) => self.known.trust(node),
            Input::Start | Input::Command(_) => {}
        }
    }

    fn objection(&self, _: &Setting, _: NodeId, command: &Command) -> Option<String> {
        let asked = self.is_busy() && *command == Command::Elect;
        asked.then(|| format!("the election of term {} is in progress here; wait for its end", self.known.term()))
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let receiver = self.outgoing.receiver(setting, me);
        let waits_for = match self.stage {
            _ if self.outgoing.is_open() => receiver,
            Stage::Rest => None,
            Stage::Takes(_) | Stage::Announces => Some(setting.ring.predecessor(me)),
        };
        self.known.view(self.is_busy()).waiting_for(waits_for).with("successor", Value::node(receiver))
    }
}
