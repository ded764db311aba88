//! The bully algorithm of Garcia-Molina: "Elections in a Distributed Computing System" (1982), section 3, in the
//! form of the textbooks.
//!
//! A process that suspects the coordinator sends ELECT to all processes with higher ids. Each live recipient answers
//! and continues the election in the same way. A process that gets no answer becomes the coordinator and notifies all
//! others. The algorithm is correct while an answer takes less time than the time-outs. Otherwise, two processes may
//! both act as coordinator.
//!
//! The terms are an addition: the paper numbers groups instead. A process that restarts may have missed some terms, or
//! all terms if nothing was stored. So it asks the others for the term, and calls an election only after their
//! answers.
//!
//! An announcement may arrive after the failure detector has reported the crash of its sender. In the paper, the
//! receiver has by then joined the group of a later caller and ignores the announcement. Here, the receiver calls an
//! election in the next term.

mod message;

use super::FAMILY;
use super::{Coordinator, Initiators, Known, Term};
use crate::needs::Within;
use crate::prelude::*;
pub use message::{BullyMessage, Reason};

const ANSWER: Ticks = 50_000;
const COORDINATOR: Ticks = 150_000;

/// The time-out `answer`, within which an ELECT and its OK, or an INQUIRE and its TERM, must arrive. A process that
/// is silent for longer counts as crashed.
pub const ANSWERED: TimeOut = TimeOut::of("answer", 2, Risk::Safety);
/// A process that has answered may first inquire about past elections, and then ask the higher processes, all of which
/// have crashed. So its announcement takes twice `answer`, plus the delays of an ELECT and a COORD. If the time-out is
/// shorter, the caller calls another election before the announcement arrives.
const ANNOUNCED: TimeOut = TimeOut {
    within: Some(Within { parameter: "answer", times: 2, messages: 4 }),
    ..TimeOut::of("coordinator", 6, Risk::Progress)
};

/// The values that are fixed for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// All processes, in ascending order.
    pub nodes: Vec<NodeId>,
    /// The processes that call an election at the start.
    pub initiators: Initiators,
    /// The time to wait for answers. It must exceed the time of a message and its answer.
    pub answer: Ticks,
    /// The time to wait for the coordinator. It must exceed twice `answer` plus the time of two messages.
    pub coordinator: Ticks,
    /// The rule for accepting an announcement.
    pub announcements: Announcements,
}

choices! {
    /// The announcements of a coordinator that processes accept.
    pub enum Announcements {
        OfThisTerm = "original": "an announcement of an older term is ignored",
        OfAnyTerm = "older-term": "every announcement is believed, whatever its term";
            broken: "no agreement: an overtaken announcement brings back a former coordinator",
        OfTheDead = "dead-announcer": "an announcement counts although the failure detector suspects its sender";
            broken:
                "no live coordinator: a late announcement makes a crashed process coordinator, and no process calls an \
                election again",
    }
}

impl Setting {
    fn higher(&self, me: NodeId) -> &[NodeId] {
        self.nodes.get(me.index() + 1..).unwrap_or_default()
    }

    const fn time_out(&self, timer: Timer) -> Ticks {
        match timer {
            Timer::Answer => self.answer,
            Timer::Coordinator => self.coordinator,
        }
    }
}

timers! {
    /// The timers; each is for messages that a process waits for.
    pub enum Timer {
        Answer = "answer": "Answers.",
        Coordinator = "coordinator": "A COORD.",
    }
}

/// The stage of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
enum Stage {
    /// No election is in progress at this process.
    Rest,
    /// The process waits for an OK to its ELECT of term `term`.
    Calls { term: u64 },
    /// The process has received OK from process `to` in the election of term `term`, and waits for the COORD.
    GaveWay { to: NodeId, term: u64 },
    /// The process has restarted after a crash and waits for answers to its INQUIRE. `heard` is the latest
    /// coordinator in the answers so far.
    Inquires { heard: Option<Coordinator> },
}

impl Stage {
    const fn timer(self) -> Option<Timer> {
        match self {
            Self::Rest => None,
            Self::Calls { .. } | Self::Inquires { .. } => Some(Timer::Answer),
            Self::GaveWay { .. } => Some(Timer::Coordinator),
        }
    }

    fn has_begun(self, election: u64) -> bool {
        matches!(self, Self::Calls { term } | Self::GaveWay { term, .. } if term == election)
    }
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Bully {
    known: Known,
    stage: Stage,
}

impl Bully {
    /// Returns what this process knows about terms and coordinators.
    #[must_use]
    pub const fn known(&self) -> &Known {
        &self.known
    }

    /// Whether an election or an inquiry about past elections is in progress at this process.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        !matches!(self.stage, Stage::Rest)
    }

    fn enter(&mut self, stage: Stage, turn: &mut Turn<Self>) {
        let (before, now) = (self.stage.timer(), stage.timer());
        self.stage = stage;
        if let Some(timer) = before.filter(|_| before != now) {
            turn.cancel(timer);
        }
        if let Some(timer) = now {
            turn.set(timer, turn.setting.time_out(timer));
        }
    }

    /// Calls an election, or continues an election that a process with a lower id has called.
    fn call(&mut self, term: u64, turn: &mut Turn<Self>) {
        self.known.raise(term, turn);
        turn.outcome(Outcome::called(term));
        if turn.setting.higher(turn.me).is_empty() {
            return self.win(Reason::Highest, turn);
        }
        self.enter(Stage::Calls { term }, turn);
        turn.tell(HIGHER, BullyMessage::Elect { term });
    }

    fn win(&mut self, why: Reason, turn: &mut Turn<Self>) {
        let term = self.known.term();
        turn.because(why);
        self.accept(Coordinator { term, leader: turn.me }, turn);
        turn.multicast(BullyMessage::Coord { term });
    }

    fn accept(&mut self, coordinator: Coordinator, turn: &mut Turn<Self>) {
        self.enter(Stage::Rest, turn);
        self.known.take(coordinator, turn);
    }

    fn come_back(&mut self, stored: Option<Term>, turn: &mut Turn<Self>) {
        self.known = Known::restored(stored);
        if turn.is_alone() {
            turn.because(Reason::TakesOver);
            return self.call(self.known.next(), turn);
        }
        turn.because(Reason::Returned);
        self.enter(Stage::Inquires { heard: None }, turn);
        turn.multicast(BullyMessage::Inquire {});
    }

    /// Ends an inquiry, after the time for answers: accepts the reported coordinator, or calls an election.
    fn conclude(&mut self, heard: Option<Coordinator>, turn: &mut Turn<Self>) {
        let is_alive = |leader| turn.setting.announcements == Announcements::OfTheDead || !self.known.suspects(leader);
        let rules =
            |heard: &Coordinator| heard.term >= self.known.term() && heard.leader > turn.me && is_alive(heard.leader);
        if let Some(heard) = heard.filter(rules) {
            turn.because(Reason::Accepted { leader: heard.leader });
            return self.accept(heard, turn);
        }
        turn.because(Reason::TakesOver);
        self.call(self.known.next(), turn);
    }

    fn receive(&mut self, from: NodeId, message: BullyMessage, turn: &mut Turn<Self>) {
        match message {
            BullyMessage::Elect { .. } if from > turn.me => turn.because(Reason::WrongSide { from }),
            BullyMessage::Ok { .. } if from < turn.me => turn.because(Reason::WrongSide { from }),
            BullyMessage::Elect { term } => self.asked(from, term, turn),
            BullyMessage::Ok { term } => self.answered(from, term, turn),
            BullyMessage::Coord { term } => self.announced(Coordinator { term, leader: from }, turn),
            BullyMessage::Inquire {} => self.tell(from, turn),
            BullyMessage::Term { term, leader } => self.told(from, term, leader, turn),
        }
    }

    fn asked(&mut self, from: NodeId, term: u64, turn: &mut Turn<Self>) {
        let is_older = term < self.known.term();
        self.known.raise(term, turn);
        turn.send(from, BullyMessage::Ok { term });
        if matches!(self.stage, Stage::Inquires { .. }) {
            turn.because(Reason::AsksFirst { from });
        } else if is_older {
            turn.because(Reason::Older { from, term });
            self.tell(from, turn);
        } else if self.known.winner().is_some() {
            turn.because(Reason::OverAlready { from });
        } else if self.stage.has_begun(term) {
            turn.because(Reason::BegunAlready { from });
        } else {
            turn.because(Reason::CalledBelow { from });
            self.call(term, turn);
        }
    }

    fn answered(&mut self, from: NodeId, term: u64, turn: &mut Turn<Self>) {
        if self.stage != (Stage::Calls { term }) {
            return turn.because(Reason::Unexpected { from });
        }
        turn.because(Reason::GaveWay { to: from });
        self.enter(Stage::GaveWay { to: from, term }, turn);
    }

    fn announced(&mut self, theirs: Coordinator, turn: &mut Turn<Self>) {
        let Coordinator { term, leader: from } = theirs;
        let is_older = term < self.known.term();
        if is_older && turn.setting.announcements != Announcements::OfAnyTerm {
            turn.because(Reason::Older { from, term });
            return self.tell(from, turn);
        }
        if !is_older && self.known.coordinator() >= Some(theirs) {
            return turn.because(Reason::Unexpected { from });
        }
        let is_dead = self.known.suspects(from) && turn.setting.announcements != Announcements::OfTheDead;
        if !is_dead && (is_older || from > turn.me) {
            turn.because(Reason::Accepted { leader: from });
            return self.accept(theirs, turn);
        }
        turn.because(if is_dead {
            Reason::DeadCoordinator { leader: from }
        } else {
            Reason::LowerCoordinator { from }
        });
        self.known.raise(term, turn);
        // While an inquiry is pending, the process does not call an election. It decides at the end of the inquiry
        // whether to call one.
        if !matches!(self.stage, Stage::Inquires { .. }) {
            self.call(self.known.next(), turn);
        }
    }

    fn tell(&self, to: NodeId, turn: &mut Turn<Self>) {
        turn.send(to, BullyMessage::Term { term: self.known.term(), leader: self.known.winner() });
    }

    fn told(&mut self, from: NodeId, term: u64, leader: Option<NodeId>, turn: &mut Turn<Self>) {
        let is_newer = term > self.known.term();
        self.known.raise(term, turn);
        if let Stage::Inquires { heard } = &mut self.stage {
            let leader = leader.filter(|leader| leader.index() < turn.setting.nodes.len());
            *heard = (*heard).max(leader.map(|leader| Coordinator { term, leader }));
            turn.because(Reason::Learnt { term });
        } else if is_newer {
            // The COORD of that term may still be in transit, so wait for it. If this process has missed the COORD,
            // the timer for the coordinator expires.
            turn.because(Reason::Learnt { term });
            self.enter(Stage::GaveWay { to: from, term }, turn);
        } else {
            turn.because(Reason::Unexpected { from });
        }
    }

    fn run_out(&mut self, timer: Timer, turn: &mut Turn<Self>) {
        match (self.stage, timer) {
            (Stage::Inquires { heard }, Timer::Answer) => self.conclude(heard, turn),
            (Stage::Calls { term }, Timer::Answer) if term == self.known.term() => {
                self.win(Reason::NobodyAnswered, turn);
            }
            (Stage::Calls { .. }, Timer::Answer) | (Stage::GaveWay { .. }, Timer::Coordinator) => {
                turn.because(Reason::NoCoordinator);
                self.call(self.known.next(), turn);
            }
            _ => {}
        }
    }
}

/// The number of the recipient set that contains the processes with higher ids.
const HIGHER: u32 = 0;

impl Algorithm for Bully {
    type Setting = Setting;
    type Message = BullyMessage;
    type Timer = Timer;
    type Stored = Term;
    type Reason = Reason;

    const SENTENCES: &'static [Sentence] = Reason::SENTENCES;
    const ENTRY: Entry = Entry {
        name: "bully",
        title: "Bully",
        source: Source {
            authors: "Hector Garcia-Molina",
            title: "Elections in a Distributed Computing System",
            year: 1982,
        },
        summary: "A process that misses the coordinator asks all with higher ids; if none answers in time, it is the \
                  coordinator.",
        variants: Announcements::VARIANTS,
        // Duplication is tolerated: a duplicated message asks or answers something that is already over. Loss is not
        // tolerated, because a process whose OK is lost counts as crashed.
        assumes: Assumptions {
            no_crash: false,
            failure_detector: FailureDetector::Perfect,
            time_outs: &[ANSWERED, ANNOUNCED],
            ..FAMILY.assumes
        },
        message_kinds: BullyMessage::KINDS,
        parameters: &[
            Initiators::parameter("0"),
            Parameter::time(
                "answer",
                "how long to wait for an OK, in ms: longer than two messages take",
                "50",
                Pace::TimeOut,
            ),
            Parameter::time(
                "coordinator",
                "how long to wait for a COORD after an OK, in ms: longer than twice `answer` and two messages take",
                "150",
                Pace::TimeOut,
            ),
        ],
        messages_per_entry: "per election m(m+1) + N-1, or m^2 + N-1 if the highest has crashed; m is the number of \
                             ids above the caller's",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Ok(Setting {
            nodes: NodeId::all(configuration.nodes).collect(),
            initiators: Initiators::configure(configuration, "0")?,
            answer: configuration.time("answer", ANSWER)?,
            coordinator: configuration.time("coordinator", COORDINATOR)?,
            announcements: configuration.variant()?,
        })
    }

    fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
        let coordinator = ("coordinator", ParameterValue::time(setting.coordinator));
        [("answer", ParameterValue::time(setting.answer)), coordinator].into()
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { known: Known::default(), stage: Stage::Rest }
    }

    /// Returns the initial state. Everything that the process must remember is in the stored state, which it receives
    /// with `Input::Restart`.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let turn = &mut Turn::new(setting, me, count(setting.nodes.len()), out);
        match input {
            Input::Start if turn.setting.initiators.contain(turn.me) => self.call(self.known.next(), turn),
            Input::Command(Command::Elect) if !self.is_busy() => {
                turn.because(Reason::Told);
                self.call(self.known.next(), turn);
            }
            Input::Restart(stored) => self.come_back(stored, turn),
            Input::Message { from, message } => self.receive(from, message, turn),
            Input::Timer(timer) => self.run_out(timer, turn),
            Input::Suspected(node) => {
                if self.known.suspect(node) && !self.is_busy() {
                    turn.because(Reason::Suspects { node });
                    self.call(self.known.next(), turn);
                }
            }
            Input::Trusted(node) => self.known.trust(node),
            Input::Start | Input::Command(_) => {}
        }
    }

    fn objection(&self, _: &Setting, _: NodeId, command: &Command) -> Option<String> {
        match self.stage {
            Stage::Calls { term } | Stage::GaveWay { term, .. } if *command == Command::Elect => {
                Some(format!("the election of term {term} is in progress here; wait for its end"))
            }
            Stage::Inquires { .. } if *command == Command::Elect => {
                Some("this process is back after a crash and asks for the coordinator: wait for the answers".into())
            }
            _ => None,
        }
    }

    fn members(setting: &Setting, me: NodeId, _: u32) -> &[NodeId] {
        setting.higher(me)
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let waits_for = match self.stage {
            Stage::Rest => Vec::new(),
            Stage::Calls { .. } => setting.higher(me).to_vec(),
            Stage::GaveWay { to, .. } => [to].into(),
            Stage::Inquires { .. } => setting.nodes.iter().copied().filter(|&node| node != me).collect(),
        };
        self.known.view(self.is_busy()).waiting_for(waits_for)
    }
}
