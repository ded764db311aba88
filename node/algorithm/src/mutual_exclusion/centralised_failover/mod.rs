//! The centralised algorithm with failover. A client whose request is not answered in time calls an election.
//! Before the new coordinator grants anything, it asks all processes what they hold and want. Garcia-Molina 1982,
//! section 4, describes what to do after the election of a coordinator.
//!
//! A process that is inside the critical section stays there when the coordinator changes. Messages of a former
//! coordinator's term are ignored, and fencing tokens increase from one coordinator to the next. The algorithm is
//! correct while an answer takes less time than the time-out.
//!
//! A process that has never been down knows the latest term. So a coordinator that has been down grants nothing until
//! such a process has answered, or until all other processes have answered. After a total failure no such process is
//! left, and the coordinator waits until all processes are back. Possibly only the process that failed last knows the
//! latest term (Skeen 1985, "Determining the Last Process to Fail", ACM Transactions on Computer Systems 3(1)). Each
//! process must come back with the term that it had stored. When a coordinator knows the latest term, its clients know
//! that term as well.
//!
//! If a process crashes inside the section, the coordinator notices the crash at once only if its failure detector
//! reports it. Otherwise only the next coordinator notices the crash, from the answers to ASK. The next election may
//! start because the crashed process has come back.

mod client;
mod coordinator;
mod message;
mod office;

use core::convert::identity;

pub use self::message::{FailoverMessage, LockMessage, Reason, Stated};
use self::office::{Office, Stage};
use super::prelude::*;
use crate::contract::Effect;
use crate::election::any::{self, AnyElection, ElectionSetting, ElectionTimer, Kind};
use crate::election::{Coordinator, Term, bully};
use crate::erased::Packed;

setting! { |configuration|
    /// Time to wait for an answer. It must exceed the delays of a message and its answer together.
    answer: Ticks = any::answer(configuration)?,
    election: ElectionSetting = AnyElection::configure(configuration)?,
    /// Coordinator until the first election.
    coordinator: NodeId = configuration.node_parameter("coordinator")?,
    /// Time after which a waiting client repeats its request to the coordinator.
    patience: Ticks = configuration.time("patience", 200_000)?,
}

/// The timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timer {
    /// A client waits for the coordinator.
    Client,
    /// The coordinator waits for the answers to ASK.
    Office,
    /// A timer of the election.
    Election(ElectionTimer),
}

impl Packed for Timer {
    fn pack(self) -> u64 {
        match self {
            Self::Client => 0,
            Self::Office => 1,
            Self::Election(timer) => timer.pack() + 2,
        }
    }

    fn unpack(number: u64) -> Option<Self> {
        match number {
            0 => Some(Self::Client),
            1 => Some(Self::Office),
            _ => ElectionTimer::unpack(number - 2).map(Self::Election),
        }
    }
}

/// The coordinator to which a client sends its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Served {
    term: u64,
    by: NodeId,
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CentralisedFailover {
    election: AnyElection,
    section: Section<()>,
    /// The coordinator to which this process sends its requests. After a crash of this process, the coordinator is
    /// unknown until a coordinator has sent ASK.
    served: Option<Served>,
    /// Whether the coordinator has answered since this process last sent a request.
    answered: bool,
    office: Option<Office>,
    /// Term that was stored when the process came back from a crash; `None` once it knows the latest term.
    restored: Option<u64>,
    /// Processes that this process's failure detector suspects.
    suspected: FlatSet<NodeId>,
}

impl Turn<'_, CentralisedFailover> {
    fn say(&mut self, to: NodeId, message: LockMessage) {
        self.send(to, FailoverMessage::Lock(message));
    }
}

impl CentralisedFailover {
    fn receive(&mut self, from: NodeId, message: FailoverMessage, turn: &mut Turn<Self>) {
        let message = match message {
            FailoverMessage::Lock(message) => message,
            FailoverMessage::Election(message) => return self.elect(Input::Message { from, message }, turn),
        };
        match message {
            LockMessage::Request { term, .. } | LockMessage::Release { term, .. } | LockMessage::State { term, .. }
                if self.office.as_ref().is_none_or(|office| office.term != term) =>
            {
                turn.because(Reason::OtherTerm { from, term });
            }
            LockMessage::Queued { term, .. } | LockMessage::Grant { term, .. }
                if self.served != Some(Served { term, by: from }) =>
            {
                turn.because(Reason::OtherTerm { from, term });
            }
            // The sender sent this message before it crashed. If the sender comes back, it sends its request again.
            LockMessage::Request { .. } | LockMessage::State { .. } if self.suspected.contains(&from) => {
                turn.because(Reason::Unexpected { from });
            }
            LockMessage::Request { request, .. } => self.requested(from, request, turn),
            LockMessage::Release { request, .. } => self.released(from, request, turn),
            LockMessage::State { claim, restored, .. } => self.stated(from, claim, restored, turn),
            LockMessage::Queued { request, .. } => self.queued(from, request, turn),
            LockMessage::Grant { request, fence, .. } => self.granted(from, request, fence, turn),
            LockMessage::Ask { term, unsure } => self.asked(from, term, unsure, turn),
        }
    }

    fn run_out(&mut self, timer: Timer, turn: &mut Turn<Self>) {
        match timer {
            Timer::Client => self.wait_no_longer(turn),
            Timer::Office => self.open(turn),
            Timer::Election(timer) => self.elect(Input::Timer(timer), turn),
        }
    }

    fn call_election(&mut self, turn: &mut Turn<Self>) {
        self.elect(Input::Command(Command::Elect), turn);
    }

    fn elect(&mut self, input: Input<AnyElection>, turn: &mut Turn<Self>) {
        let Some(Coordinator { leader, term }) = self.step_of_election(input, turn) else { return };
        if leader == turn.me {
            return self.take_office(term, turn);
        }
        self.leave_office(turn);
        // The new coordinator will send ASK. If no ASK arrives, the new coordinator has crashed, or it was elected
        // while this process was down.
        let expects = self.served.is_none_or(|served| served < Served { term, by: leader });
        if expects && (self.served.is_none() || self.section.is_wanting()) {
            self.wait(false, turn);
        }
    }

    /// Passes an input to the election. Returns the coordinator that is elected as a result, if any.
    fn step_of_election(&mut self, input: Input<AnyElection>, turn: &mut Turn<Self>) -> Option<Coordinator> {
        let mut effects = Effects::default();
        self.election.step(&turn.setting.election, turn.me, input, &mut effects);
        let elected = effects.as_slice().iter().rev().find_map(|effect| match *effect {
            Effect::Outcome(Outcome::Elected { leader, term, .. }) => Some(Coordinator { term, leader }),
            _ => None,
        });
        let reason = |because| Reason::Election { because };
        effects.pass_on(turn.out(), FailoverMessage::Election, Timer::Election, identity, identity, reason);
        elected
    }

    fn come_back(&mut self, stored: Option<Term>, turn: &mut Turn<Self>) {
        (self.served, self.office) = (None, None);
        self.restored = Some(stored.unwrap_or_default().term);
        self.wait(false, turn);
        self.elect(Input::Restart(stored), turn);
    }
}

impl Algorithm for CentralisedFailover {
    steps!(
        FailoverMessage: acquire, release, receive, elect call_election, timer Timer run_out, stored Term come_back,
        suspected suspect, trusted trust
    );

    const ENTRY: Entry = Entry {
        name: "centralised-failover",
        title: "Centralised with failover",
        source: Source {
            authors: "folklore; elections by Hector Garcia-Molina and by Ernest Chang, Rosemary Roberts",
            title: "Elections in a Distributed Computing System",
            year: 1982,
        },
        summary: "A coordinator grants the critical section; if it is silent, another is elected and asks all. After a \
                  total failure, all must restart with what they stored.",
        variants: Kind::VARIANTS,
        // A process whose answer is lost would count as crashed. A duplicated ASK is harmful if its recipient has
        // come back from a crash. The coordinator would then consider the recipient served, although its records
        // still show that process inside.
        assumes: Assumptions {
            no_crash: false,
            failure_detector: FailureDetector::Perfect,
            // The time-out covers a REQUEST and its answer, an ASK and its STATE, and the election. The election
            // derives its other time-outs from this time-out.
            time_outs: &[bully::ANSWERED],
            ..FAMILY.assumes
        },
        // Requests carry numbers, so that a new coordinator recognises requests that are already served.
        conduct: Conduct::PLAIN,
        commands: &["acquire", "release", "elect"],
        structure: Structure::Coordinator { parameter: "coordinator" },
        message_kinds: &[
            "REQUEST", "QUEUED", "GRANT", "RELEASE", "ASK", "STATE", "ELECT", "OK", "COORD", "INQUIRE", "TERM",
        ],
        parameters: &[
            Parameter::node("coordinator", "the process that grants the critical section until the first election"),
            Parameter::time(
                "answer",
                "how long to wait for an answer, also in an election, in ms: longer than two messages take",
                "50",
                Pace::TimeOut,
            ),
            Parameter::time("patience", "the time after which a waiting client asks again, in ms", "200", Pace::Again),
        ],
        messages_per_entry: "3, or 0 for the coordinator, plus 1 if it must wait; 2(N-1) and an election if the \
                             coordinator changes",
        ..FAMILY
    };

    fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
        let patience = ("patience", ParameterValue::time(setting.patience));
        [("answer", ParameterValue::time(setting.answer)), patience].into()
    }

    fn new(setting: &Setting, me: NodeId) -> Self {
        let first = || Office::new(0, core::iter::empty());
        Self {
            election: AnyElection::new(&setting.election, me),
            section: Section::Idle,
            served: Some(Served { term: 0, by: setting.coordinator }),
            answered: true,
            office: (me == setting.coordinator).then(first),
            restored: None,
            suspected: FlatSet::new(),
        }
    }

    /// Returns the initial state. The process must remember only the stored term, which it receives with
    /// `Input::Restart`.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn objection(&self, _: &Setting, _: NodeId, command: &Command) -> Option<String> {
        let asked = self.election.is_busy() && *command == Command::Elect;
        asked.then(|| {
            format!("the election of term {} is in progress here; wait for its end", self.election.known().term())
        })
    }

    fn members(setting: &Setting, me: NodeId, set: u32) -> &[NodeId] {
        AnyElection::members(&setting.election, me, set)
    }

    fn view(&self, _: &Setting, me: NodeId) -> View {
        let wants = self.section.is_wanting();
        let served = self.served.map(|served| served.by);
        let view = self.election.known().view(self.election.is_busy()).with("coordinator", Value::node(served));
        let Some(office) = &self.office else { return view.waiting_for(served.filter(|&by| wants && by != me)) };
        let holder = office.holder.map(|(holder, _)| holder);
        let may_know = office.doubted().iter().copied().filter(|_| office.stage() == Stage::Doubts);
        view.queued(office.queue.iter().map(|&(node, _)| node))
            .waiting_for(holder.into_iter().chain(may_know).filter(|_| wants))
            .with("holder", Value::node(holder))
            .with("open", Value::Flag(office.stage() == Stage::Open))
    }
}
