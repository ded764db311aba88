//! Paxos for one decree (Lamport 1998, "The Part-Time Parliament"; 2001, "Paxos Made Simple").
//!
//! Each proposal has a number. A proposer first asks the acceptors to promise that they will accept no proposal with
//! a lower number. When a quorum has promised, the proposer asks the acceptors to accept a value. If members of this
//! quorum have accepted proposals before, the proposer must use the value of the accepted proposal with the highest
//! number. Otherwise the proposer uses its own value. A value is chosen when a quorum has accepted the same
//! proposal. From then on, every proposal with a higher number has this value.
//!
//! Every node may be proposer, acceptor and learner. An acceptor that has promised a higher number ignores a request
//! with a lower number, as in the paper. The proposer of the ignored request gets no answer, and tries again after a
//! time-out.

mod message;
mod setting;

use alloc::string::ToString;

pub use self::message::{PaxosMessage, Reason};
pub use self::setting::{BackOff, Flaw, Setting};
use super::acceptor::{Acceptor, Answer, Proposal, next_ballot};
use super::tally::Tally;
use crate::contract::{Delay, Effect, Recipients};
use crate::identity::Ballot;
use crate::prelude::*;

/// The number of the only instance of agreement.
const INSTANCE: u64 = 0;
/// The numbers of the recipient sets.
const ACCEPTORS: u32 = 0;
const LEARNERS: u32 = 1;

timers! {
    /// The timers.
    pub enum Timer {
        Retry = "retry": "A proposer tries a higher ballot.",
    }
}

/// The state that survives a crash.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Kept {
    /// The acceptor.
    pub acceptor: Acceptor<String>,
    /// The latest round of this node's own ballots. A node never uses a round twice.
    pub round: u64,
    /// The value that the client of this node proposes.
    pub wish: Option<String>,
    /// The chosen value, once the node has learnt it.
    pub decided: Option<String>,
}

/// An attempt to have a value chosen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Attempt {
    ballot: Ballot,
    phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Phase {
    /// The proposer waits for promises. For each acceptor that has promised, the map contains the proposal that this
    /// acceptor has accepted, if any.
    Preparing(FlatMap<NodeId, Option<Proposal<String>>>),
    /// The proposer waits until its value is chosen.
    Accepting,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Paxos {
    kept: Kept,
    attempt: Option<Attempt>,
    tally: Tally<(Option<Ballot>, String)>,
}

/// The context of a step.
struct Turn<'a> {
    setting: &'a Setting,
    me: NodeId,
    out: Effects<Paxos>,
}

impl Turn<'_> {
    fn is_acceptor(&self, node: NodeId) -> bool {
        self.setting.acceptors.contains(&node)
    }

    fn is_learner(&self) -> bool {
        self.setting.learners.contains(&self.me)
    }

    /// Reports the reason for the acceptor's `answer`. If the acceptor executed the request, the reason is `done`.
    fn explain(&mut self, answer: Answer, ballot: Ballot, done: Reason) {
        self.out.because(match answer {
            Answer::Done => done,
            Answer::Repeated => Reason::Repeated { ballot },
            Answer::Promised(promised) => Reason::Older { ballot, promised },
            Answer::AnotherValue => Reason::AnotherValue { ballot },
        });
    }

    fn multicast(&mut self, set: u32, message: PaxosMessage) {
        self.out.push(Effect::Send { to: Recipients::Set(set), message });
    }
}

// The proposer.
impl Paxos {
    fn propose(&mut self, value: String, turn: &mut Turn<'_>) {
        turn.out.outcome(Outcome::Proposed { instance: INSTANCE, value: value.as_str().into() });
        self.kept.wish = Some(value);
        self.prepare(turn);
    }

    fn prepare(&mut self, turn: &mut Turn<'_>) {
        let promised = self.kept.acceptor.promised.map_or(0, |promised| promised.round);
        let Some(ballot) = next_ballot(self.kept.round.max(promised), turn.me) else {
            self.attempt = None;
            return turn.out.because(Reason::NoHigherBallot);
        };
        self.kept.round = ballot.round;
        self.attempt = Some(Attempt { ballot, phase: Phase::Preparing(FlatMap::new()) });
        let delay = match turn.setting.back_off {
            BackOff::Random => Delay::Uniform(turn.setting.retry, turn.setting.retry.saturating_mul(3)),
            BackOff::None => Delay::Exactly(turn.setting.retry),
        };
        turn.out.push(Effect::SetTimer { timer: Timer::Retry, delay });
        turn.multicast(ACCEPTORS, PaxosMessage::Prepare { ballot });
        if turn.is_acceptor(turn.me) {
            self.promise(turn.me, ballot, turn);
        }
    }

    fn promised(&mut self, from: NodeId, ballot: Ballot, accepted: Option<Proposal<String>>, turn: &mut Turn<'_>) {
        match &mut self.attempt {
            Some(Attempt { ballot: ours, phase: Phase::Preparing(promises) }) if *ours == ballot => {
                promises.insert(from, accepted);
                if promises.len() >= turn.setting.quorum {
                    let promises = core::mem::take(promises);
                    self.ask(ballot, promises, turn);
                }
            }
            _ => turn.out.because(Reason::NotNeeded { from }),
        }
    }

    /// Asks the acceptors to accept a value, after a quorum has promised.
    fn ask(&mut self, ballot: Ballot, promises: FlatMap<NodeId, Option<Proposal<String>>>, turn: &mut Turn<'_>) {
        let highest = promises.into_values().flatten().max_by_key(|accepted| accepted.ballot);
        let value = if let Some(accepted) = highest.filter(|_| turn.setting.flaw != Flaw::AdoptsNothing) {
            turn.out.because(Reason::Adopts { ballot, accepted: accepted.ballot });
            accepted.value
        } else {
            turn.out.because(Reason::OwnValue { ballot });
            self.kept.wish.clone().unwrap_or_default()
        };
        if turn.is_learner() && self.kept.decided.is_none() {
            self.attempt = Some(Attempt { ballot, phase: Phase::Accepting });
        } else {
            // If this node is a learner, it already knows the outcome; otherwise it never receives the outcome. In
            // both cases there is nothing to wait for.
            self.attempt = None;
            turn.out.push(Effect::CancelTimer(Timer::Retry));
        }
        turn.multicast(ACCEPTORS, PaxosMessage::Accept { ballot, value: value.clone() });
        if turn.is_acceptor(turn.me) {
            self.accept(ballot, value, turn);
        }
    }

    fn retry(&mut self, turn: &mut Turn<'_>) {
        if let Some(Attempt { ballot, .. }) = self.attempt {
            turn.out.because(Reason::TimedOut { ballot });
            self.prepare(turn);
        }
    }
}

// The acceptor.
impl Paxos {
    fn promise(&mut self, from: NodeId, ballot: Ballot, turn: &mut Turn<'_>) {
        let answer = self.kept.acceptor.promise(ballot);
        turn.explain(answer, ballot, Reason::Promises { ballot });
        match answer {
            Answer::Done => turn.out.outcome(Outcome::Promised { instance: INSTANCE, ballot }),
            Answer::Repeated => {}
            Answer::Promised(_) | Answer::AnotherValue => return,
        }
        let accepted = self.kept.acceptor.accepted.get(&INSTANCE).cloned();
        if from == turn.me {
            self.promised(from, ballot, accepted, turn);
        } else {
            turn.out.send(from, PaxosMessage::Promise { ballot, accepted });
        }
    }

    fn accept(&mut self, ballot: Ballot, value: String, turn: &mut Turn<'_>) {
        let answer = self.kept.acceptor.accept(INSTANCE, Proposal { ballot, value: value.clone() });
        turn.explain(answer, ballot, Reason::Accepts { ballot });
        match answer {
            Answer::Done => {
                turn.out.outcome(Outcome::Accepted { instance: INSTANCE, ballot, value: value.as_str().into() });
            }
            Answer::Repeated => {}
            Answer::Promised(_) | Answer::AnotherValue => return,
        }
        let ballot = (turn.setting.flaw != Flaw::AcceptedWithoutNumber).then_some(ballot);
        turn.multicast(LEARNERS, PaxosMessage::Accepted { ballot, value: value.clone() });
        if turn.is_learner() {
            self.learn(turn.me, ballot, value, turn);
        }
    }
}

// The learner.
impl Paxos {
    fn learn(&mut self, acceptor: NodeId, ballot: Option<Ballot>, value: String, turn: &mut Turn<'_>) {
        if self.kept.decided.is_some() {
            return;
        }
        let proposal = (ballot, value);
        let acceptors = self.tally.count(&proposal, acceptor);
        if acceptors < turn.setting.quorum {
            return;
        }
        turn.out.because(Reason::Chosen { acceptors: u32::try_from(acceptors).unwrap_or(u32::MAX) });
        turn.out.outcome(Outcome::Decided { instance: INSTANCE, value: proposal.1.as_str().into() });
        self.tally.clear();
        self.kept.decided = Some(proposal.1);
        if self.attempt.take().is_some() {
            turn.out.push(Effect::CancelTimer(Timer::Retry));
        }
    }
}

impl Paxos {
    fn start(&mut self, turn: &mut Turn<'_>) {
        if turn.setting.proposers.contains(&turn.me) {
            self.propose(format!("v{}", turn.me.0), turn);
        }
    }

    fn restart(&mut self, kept: Option<Kept>, turn: &mut Turn<'_>) {
        self.kept = kept.unwrap_or_default();
        if self.kept.wish.is_some() && self.kept.decided.is_none() {
            self.prepare(turn);
        }
    }

    fn receive(&mut self, from: NodeId, message: PaxosMessage, turn: &mut Turn<'_>) {
        let for_this_node = match message {
            PaxosMessage::Prepare { .. } | PaxosMessage::Accept { .. } => turn.is_acceptor(turn.me),
            PaxosMessage::Promise { .. } => turn.is_acceptor(from),
            PaxosMessage::Accepted { .. } => turn.is_learner() && turn.is_acceptor(from),
        };
        match message {
            _ if !for_this_node => turn.out.because(Reason::NotItsRole { from }),
            PaxosMessage::Prepare { ballot } | PaxosMessage::Accept { ballot, .. } if ballot.proposer != from => {
                turn.out.because(Reason::NotItsBallot { from });
            }
            PaxosMessage::Prepare { ballot } => self.promise(from, ballot, turn),
            PaxosMessage::Promise { ballot, accepted } => self.promised(from, ballot, accepted, turn),
            PaxosMessage::Accept { ballot, value } => self.accept(ballot, value, turn),
            PaxosMessage::Accepted { ballot, value } => self.learn(from, ballot, value, turn),
        }
    }

    /// Returns the state that survives a crash.
    fn to_store(&self, flaw: Flaw) -> Kept {
        match flaw {
            Flaw::PromiseForgotten => Kept { acceptor: Acceptor::default(), ..self.kept.clone() },
            _ => self.kept.clone(),
        }
    }
}

impl Algorithm for Paxos {
    type Setting = Setting;
    type Message = PaxosMessage;
    type Timer = Timer;
    type Stored = Kept;
    type Reason = Reason;

    const SENTENCES: &'static [Sentence] = Reason::SENTENCES;
    const ENTRY: Entry = Entry {
        name: "paxos",
        title: "Paxos",
        family: "agreement",
        source: Source { authors: "Leslie Lamport", title: "The Part-Time Parliament", year: 1998 },
        summary: "A proposer asks a majority for promises, then for acceptance; a value that a majority accepts with the same \
                  number is chosen.",
        variants: Flaw::VARIANTS,
        assumes: Assumptions {
            stable_storage: true,
            failure_detector: FailureDetector::EventualLeader,
            time_outs: &[setting::CHOSEN],
            ..Assumptions::ASYNCHRONOUS
        },
        commands: &["propose"],
        message_kinds: PaxosMessage::KINDS,
        conduct: Conduct { agrees: true, ..Conduct::PLAIN },
        parameters: setting::PARAMETERS,
        messages_per_entry: "no entries; 4 per acceptor to choose a value, with one proposer and one learner",
        ..Entry::BLANK
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        setting::configure(configuration)
    }

    fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
        setting::in_force(setting)
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { kept: Kept::default(), attempt: None, tally: Tally::default() }
    }

    /// Returns the initial state. Everything that the node must remember is in the stored state, which it receives
    /// with `Input::Restart`.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let before = self.to_store(setting.flaw);
        let mut turn = Turn { setting, me, out: Effects::default() };
        match input {
            Input::Start => self.start(&mut turn),
            Input::Restart(kept) => self.restart(kept, &mut turn),
            Input::Command(Command::Propose { value, .. }) => self.propose(value, &mut turn),
            Input::Message { from, message } => self.receive(from, message, &mut turn),
            Input::Timer(Timer::Retry) => self.retry(&mut turn),
            Input::Command(_) | Input::Suspected(_) | Input::Trusted(_) => {}
        }
        // Store first, then send: no message may announce a state that a crash can lose.
        let after = self.to_store(setting.flaw);
        if after != before {
            out.push(Effect::Store(after));
        }
        turn.out.drain().for_each(|effect| out.push(effect));
    }

    fn objection(&self, _: &Setting, _: NodeId, command: &Command) -> Option<String> {
        match command {
            Command::Propose { instance, .. } if *instance != INSTANCE => {
                Some(format!("there is no instance {instance}; the only instance is {INSTANCE}"))
            }
            Command::Propose { value, .. } if value.is_empty() => {
                Some("a proposal without a value: it needs one that is not empty".to_string())
            }
            Command::Propose { .. } => self.attempt.as_ref().map(|attempt| {
                format!("the proposal with number {} is in progress; wait for its outcome", attempt.ballot)
            }),
            _ => None,
        }
    }

    fn members(setting: &Setting, _: NodeId, set: u32) -> &[NodeId] {
        match set {
            ACCEPTORS => &setting.acceptors,
            LEARNERS => &setting.learners,
            _ => &[],
        }
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let nothing = || Value::Text("nil".into());
        let text = |text: Option<&String>| text.map_or_else(nothing, |text| Value::Text(text.clone()));
        let number = |ballot: Option<Ballot>| ballot.map_or_else(nothing, |ballot| Value::Text(ballot.to_string()));
        let mut view = View::default();
        if setting.acceptors.contains(&me) {
            let accepted = self.kept.acceptor.accepted.get(&INSTANCE);
            view.variables.insert("promised".into(), number(self.kept.acceptor.promised));
            view.variables.insert("accepted".into(), number(accepted.map(|accepted| accepted.ballot)));
            view.variables.insert("value".into(), text(accepted.map(|accepted| &accepted.value)));
        }
        if setting.learners.contains(&me) {
            view.variables.insert("chosen".into(), text(self.kept.decided.as_ref()));
        }
        if let Some(Attempt { ballot, phase }) = &self.attempt {
            view.variables.insert("proposes".into(), number(Some(*ballot)));
            if let Phase::Preparing(promises) = phase {
                view.variables.insert("promises".into(), Value::nodes(promises.keys()));
            }
        }
        view
    }
}
