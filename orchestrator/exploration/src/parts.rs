//! The parts of states whose types depend on the algorithm: processes and messages. Each distinct part is stored
//! once and has a number.
//!
//! The rest of an exploration handles only these numbers, so it is the same for all algorithms.

use std::sync::Arc;

use interlock_algorithm::{Algorithm, LockId, NodeId, Participant, Show, View};
use interlock_machine::wire::{Order, TimerName};

use super::arrival::{Brought, Requests, Waiting};
use super::auxiliary::Auxiliary;
use super::interner::Interner;
use super::marks::Marks;
use super::notice::Notice;
use super::participants::Participants;
use super::past::{Past, Request};
use super::process::{Frame, Local, Message, Process, Stepped, begins_a_round};
use super::promise::Promise;
use super::voting::Voting;
use interlock_model::choice::Choice;
use interlock_model::event::Json;
use interlock_observation::state::Capacities;

/// A callback that receives every state, as a list of its processes in the order of the nodes.
pub type Look<'a, A> = &'a dyn Fn(&[&Participant<A>]);

/// The result of a step of a process.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Number of the process after the step.
    pub process: u32,
    /// Messages that the process sends in the step, in the order of sending. Each message is stored with its receiver.
    pub sent: Box<[(NodeId, u32)]>,
}

/// The kind of a step that a process takes without receiving a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalStepKind {
    /// The client continues its round: it releases a lock, or requests the next lock.
    GoesOn,
    /// The client begins a round or receives an order.
    Begins,
    /// The client sends a message to another client.
    Tells,
    /// A timer of the algorithm expires.
    Timer,
    /// The process crashes.
    Crash,
    /// The process restarts.
    Return,
    /// The process is paused.
    Pause,
    /// The process resumes after a pause.
    Resume,
    /// The state of the process is corrupted: it becomes another state.
    Corrupts,
}

/// A step that a process can take without receiving a message, and its result.
#[derive(Clone, Debug)]
pub(super) struct LocalStep {
    pub kind: LocalStepKind,
    pub step: Step,
    /// The action of a schedule that executes the step.
    pub choice: Option<Choice>,
}

/// The facts about a process that the checks need.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Locks whose critical sections contain the process.
    pub inside: Box<[LockId]>,
    /// Whether the process is live.
    pub alive: bool,
    /// Whether the process participates in its present incarnation. If the process has crashed, whether it will
    /// participate in its next incarnation.
    pub takes_part: bool,
    /// Processes that this process suspects; empty if there is no failure detector.
    pub suspects: Participants,
    /// Whether the process is paused.
    pub paused: bool,
    /// Whether the client of the process waits for something and has not given up.
    pub waiting: bool,
    /// Locks for which the process waits, or for which it will wait when it has acquired other locks.
    pub wanted: Box<[LockId]>,
    /// Whether a timer of the algorithm is set.
    pub timers: bool,
    /// For each lock, the calls and results of elections that the process knows.
    pub elections: Vec<Voting>,
    /// Chosen values that the process has learnt, by instance.
    pub decided: Vec<(u64, Arc<str>)>,
    /// Present request of the process; none if the order of requests is not checked.
    pub request: Option<Request>,
    /// Whether the process is in a critical section, although it overtook a request with a smaller timestamp; false if
    /// timestamps are not checked.
    pub overtook: bool,
    /// Whether the process has broken a promise of its algorithm; false if promises are not checked.
    pub broke_promise: bool,
    /// Waiting requests of the process; empty if bypasses are not checked.
    pub waits: Box<[Waiting]>,
    /// The marks that follow from the other facts.
    pub marks: Marks,
}

/// Access to processes and messages by their numbers, and to the results of steps.
pub(super) trait Parts {
    /// Returns the result of the start of a node. If `state` is given, the node starts in the arbitrary state with this
    /// number, from 0. Returns none if there is no such state.
    fn begin(&mut self, me: NodeId, state: Option<u64>) -> Option<Step>;

    /// Returns the message with the number `choice`, from 0, among all messages that may be in transit from `from` to
    /// `to` in an arbitrary initial state. Returns none if `choice` is too large.
    fn arbitrary_message(&mut self, from: NodeId, to: NodeId, choice: u64) -> Option<u32>;

    /// Returns all steps that a process can take without receiving a message.
    fn local_steps(&mut self, process: u32, me: NodeId) -> Vec<LocalStep>;

    /// Returns the result of the step in which a process receives a message.
    fn hear(&mut self, process: u32, me: NodeId, message: u32) -> Step;

    /// Records in a process that another process has crashed, and returns the changed process. The elections that
    /// the process called earlier do not count as reactions to this crash.
    fn outlive(&mut self, process: u32, whom: NodeId) -> u32;

    /// Records that a process overtook a request with a smaller timestamp when it entered, and returns the changed
    /// process.
    fn overtake(&mut self, process: u32) -> u32;

    /// Returns a notice of the failure detector about a process, in the form of a message from that process.
    fn tell(&mut self, whom: NodeId, notice: Notice) -> u32;

    /// If a message is a notice of the failure detector, returns the notice.
    fn notice(&self, message: u32) -> Option<Notice>;

    /// Returns the sender of a message, or the subject of a notice of the failure detector.
    fn sender(&self, message: u32) -> NodeId;

    /// Returns the requests that a message carries. Returns none if the message carries no request, or if bypasses
    /// are not checked.
    fn brings(&self, message: u32) -> Option<Brought>;

    /// Returns the facts about a process.
    fn facts(&self, process: u32) -> &Facts;

    /// Returns how many processes may be in the critical section of each lock.
    fn capacities(&self) -> Capacities;

    /// Returns whether messages are received in the instant in which they are sent.
    fn is_instantaneous(&self) -> bool;

    /// Returns the number of privileges in a state with these processes. `in_transit` contains the messages in
    /// transit, each with its receiver. Returns none if the algorithm does not define privileges.
    fn privileges(&self, processes: &[u32], in_transit: &[(NodeId, u32)]) -> Option<usize>;

    /// Returns the state of a process in the form that users see.
    fn view(&self, process: u32, me: NodeId) -> View;

    /// Returns the content of a message as JSON, for users to read.
    fn message(&self, message: u32) -> serde_json::Value;

    /// Passes the processes of a state to the callback that receives every state.
    fn look(&self, processes: &mut dyn Iterator<Item = u32>);

    /// Passes every unbounded number of a process to `show`.
    fn growing(&self, process: u32, show: &mut Show<'_>);

    /// Passes every unbounded number of a message to `show`.
    fn growing_in(&self, message: u32, show: &mut Show<'_>);

    /// Returns a process with reduced unbounded numbers. `by` contains, for each counter, the amount by which its
    /// numbers are reduced.
    fn lessened(&mut self, process: u32, by: &[u64]) -> u32;

    /// Returns a message whose unbounded numbers are reduced by the amounts `by`, one amount for each counter.
    fn lessened_message(&mut self, message: u32, by: &[u64]) -> u32;

    /// Returns the approximate size in memory, in bytes. The heap memory of processes and messages is assumed to
    /// be as large as the values themselves.
    fn memory(&self) -> usize;
}

impl Facts {
    /// Returns the facts that follow from the auxiliary state of a process alone.
    fn of(auxiliary: &Auxiliary) -> Self {
        Self {
            alive: !auxiliary.dead,
            paused: auxiliary.paused,
            elections: auxiliary.elections.clone(),
            decided: auxiliary.decided.clone(),
            request: auxiliary.past.as_ref().and_then(Past::request).cloned(),
            overtook: auxiliary.overtook,
            broke_promise: auxiliary.promise.as_ref().is_some_and(Promise::is_broken),
            waits: auxiliary.requests.as_ref().map_or(&[][..], Requests::waiting).into(),
            ..Self::default()
        }
    }

    /// Returns the marks that follow from the other facts.
    fn marks(&self) -> Marks {
        [
            Marks::INSIDE.when(!self.inside.is_empty()),
            Marks::SEVERAL_INSIDE.when(self.inside.len() > 1),
            Marks::ELECTION.when(!self.elections.is_empty()),
            Marks::DECIDED.when(!self.decided.is_empty()),
            Marks::BROKEN_PROMISE.when(self.broke_promise),
            Marks::OVERTOOK.when(self.overtook),
            Marks::REQUEST.when(self.request.is_some()),
        ]
        .into_iter()
        .fold(Marks::NONE, Marks::with)
    }
}

/// The parts of the states of one algorithm.
pub(super) struct PartsOf<'a, A: Algorithm> {
    frame: Frame<'a, A>,
    processes: Interner<Process<A>>,
    facts: Vec<Facts>,
    messages: Interner<Message<A>>,
    look: Option<Look<'a, A>>,
}

impl<'a, A: Algorithm> PartsOf<'a, A> {
    pub fn new(frame: Frame<'a, A>, look: Option<Look<'a, A>>) -> Self {
        Self { frame, processes: Interner::default(), facts: Vec::new(), messages: Interner::default(), look }
    }

    fn keep(&mut self, stepped: Stepped<A>) -> Step {
        let Stepped { process, sent } = stepped;
        let sent = sent.into_iter().map(|(to, message)| (to, self.messages.intern(message).0)).collect();
        Step { process: self.keep_process(process), sent }
    }

    fn keep_process(&mut self, process: Process<A>) -> u32 {
        let (process, new) = self.processes.intern(process);
        if new {
            self.facts.push(facts(&self.frame, self.processes.value(process)));
        }
        process
    }
}

fn facts<A: Algorithm>(frame: &Frame<'_, A>, process: &Process<A>) -> Facts {
    let waiting = process.is_waiting() && !process.has_given_up(frame);
    let is_own = |name| matches!(name, TimerName::Algorithm(_));
    let auxiliary = &process.auxiliary;
    let facts = Facts {
        inside: process.inside().collect(),
        takes_part: process.node.state().state().is_some(),
        suspects: if frame.environment.tells() { suspects(frame, process) } else { Participants::NOBODY },
        waiting,
        wanted: process.node.client().wanted().filter(|_| waiting).collect(),
        timers: !auxiliary.dead && process.node.timers().names().any(is_own),
        ..Facts::of(auxiliary)
    };
    Facts { marks: facts.marks(), ..facts }
}

fn suspects<A: Algorithm>(frame: &Frame<'_, A>, process: &Process<A>) -> Participants {
    let suspected = NodeId::all(frame.nodes).filter(|node| process.node.suspects(*node)).map(Participants::one);
    suspected.fold(Participants::NOBODY, Participants::with)
}

fn lessen(by: &[u64], count: usize, number: &mut u64) {
    *number = number.saturating_sub(by.get(count).copied().unwrap_or(0));
}

impl<A: Algorithm> Parts for PartsOf<'_, A> {
    fn begin(&mut self, me: NodeId, state: Option<u64>) -> Option<Step> {
        let state = match state {
            Some(number) => Some(A::arbitrary(self.frame.setting, me, number)?),
            None => None,
        };
        let stepped = Process::new(&self.frame, me, state).begin(&self.frame, me);
        Some(self.keep(stepped))
    }

    fn arbitrary_message(&mut self, from: NodeId, to: NodeId, choice: u64) -> Option<u32> {
        let message = A::arbitrary_message(self.frame.setting, from, to, choice)?;
        Some(self.messages.intern(Message::out_of_nothing(from, message)).0)
    }

    fn local_steps(&mut self, process: u32, me: NodeId) -> Vec<LocalStep> {
        let before = self.processes.value(process).clone();
        let locals = before.locals(&self.frame, me);
        let local_step = |local: Local<A::Timer>| {
            let kind = match &local {
                Local::Timer(name) if begins_a_round(*name) => LocalStepKind::Begins,
                Local::Order(Order::Release { .. }) | Local::Timer(TimerName::Client(_)) => LocalStepKind::GoesOn,
                Local::Order(Order::Tell { .. }) => LocalStepKind::Tells,
                Local::Order(Order::Corrupt { .. }) => LocalStepKind::Corrupts,
                Local::Order(_) => LocalStepKind::Begins,
                Local::Timer(TimerName::Algorithm(_) | TimerName::Channel(_) | TimerName::Detector(_)) => {
                    LocalStepKind::Timer
                }
                Local::Crash => LocalStepKind::Crash,
                Local::Restart => LocalStepKind::Return,
                Local::Pause => LocalStepKind::Pause,
                Local::Resume => LocalStepKind::Resume,
            };
            let stepped = before.act(&self.frame, me, &local);
            LocalStep { kind, choice: local.choice(me, self.frame.environment), step: self.keep(stepped) }
        };
        locals.into_iter().map(local_step).collect()
    }

    fn hear(&mut self, process: u32, me: NodeId, message: u32) -> Step {
        let message = self.messages.value(message).clone();
        let stepped = self.processes.value(process).hear(&self.frame, me, message);
        self.keep(stepped)
    }

    fn outlive(&mut self, process: u32, whom: NodeId) -> u32 {
        let mut outliving = self.processes.value(process).clone();
        let mut changed = false;
        for voting in &mut outliving.auxiliary.elections {
            changed |= voting.outlive(whom);
        }
        if changed { self.keep_process(outliving) } else { process }
    }

    fn overtake(&mut self, process: u32) -> u32 {
        let mut overtaking = self.processes.value(process).clone();
        overtaking.auxiliary.overtook = true;
        self.keep_process(overtaking)
    }

    fn tell(&mut self, whom: NodeId, notice: Notice) -> u32 {
        self.messages.intern(Message::of_notice(whom, notice)).0
    }

    fn notice(&self, message: u32) -> Option<Notice> {
        self.messages.value(message).notice()
    }

    fn sender(&self, message: u32) -> NodeId {
        self.messages.value(message).from
    }

    fn brings(&self, message: u32) -> Option<Brought> {
        self.messages.value(message).brings
    }

    fn facts(&self, process: u32) -> &Facts {
        &self.facts[process as usize]
    }

    fn capacities(&self) -> Capacities {
        Capacities::of_setting::<A>(self.frame.setting, self.frame.locks)
    }

    fn is_instantaneous(&self) -> bool {
        A::is_instantaneous(self.frame.setting)
    }

    fn privileges(&self, processes: &[u32], in_transit: &[(NodeId, u32)]) -> Option<usize> {
        let states = processes.iter().map(|&process| self.processes.value(process).node.state().state());
        let states = states.collect::<Option<Vec<&A>>>()?;
        let message = |&(to, message): &(NodeId, u32)| {
            let message = self.messages.value(message);
            Some((message.from, to, message.own()?))
        };
        A::privileges(self.frame.setting, &states, &in_transit.iter().filter_map(message).collect::<Vec<_>>())
    }

    fn view(&self, process: u32, me: NodeId) -> View {
        self.processes.value(process).node.state().view(self.frame.setting, me)
    }

    fn message(&self, message: u32) -> serde_json::Value {
        // The message is converted through its text, so that only the conversion to text is compiled for each
        // message type of each algorithm.
        Json::of(&self.messages.value(message).own()).unwrap_or(Json::NULL).value()
    }

    fn look(&self, processes: &mut dyn Iterator<Item = u32>) {
        if let Some(look) = self.look {
            let processes: Vec<_> = processes.map(|process| self.processes.value(process).node.state()).collect();
            look(&processes);
        }
    }

    fn growing(&self, process: u32, show: &mut Show<'_>) {
        self.processes.value(process).clone().node.growing(self.frame.setting, show);
    }

    fn growing_in(&self, message: u32, show: &mut Show<'_>) {
        self.messages.value(message).clone().growing(self.frame.setting, show);
    }

    fn lessened(&mut self, process: u32, by: &[u64]) -> u32 {
        let mut process = self.processes.value(process).clone();
        process.node.growing(self.frame.setting, &mut |count, number| lessen(by, count, number));
        self.keep_process(process)
    }

    fn lessened_message(&mut self, message: u32, by: &[u64]) -> u32 {
        let mut message = self.messages.value(message).clone();
        message.growing(self.frame.setting, &mut |count, number| lessen(by, count, number));
        self.messages.intern(message).0
    }

    fn memory(&self) -> usize {
        let processes = self.processes.len() * 2 * size_of::<Process<A>>();
        processes + self.messages.len() * 2 * size_of::<Message<A>>()
    }
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::{Outcome, RequestId};

    use super::*;

    const LOCKS: [LockId; 2] = [LockId(0), LockId(1)];

    fn voting() -> Vec<Voting> {
        let mut elections = Vec::new();
        Voting::learn(&mut elections, &Outcome::Called { lock: LOCKS[0], term: 1 });
        elections
    }

    fn request() -> Request {
        let mut past = Past::new(2);
        past.learn(NodeId(0), &Outcome::requested(LOCKS[0], RequestId(1)));
        past.request().cloned().expect("it waits")
    }

    #[test]
    fn each_fact_that_a_property_concerns_has_its_mark() {
        let none = Facts { alive: true, takes_part: true, waiting: true, timers: true, ..Facts::default() };
        let all = [
            Marks::INSIDE,
            Marks::SEVERAL_INSIDE,
            Marks::ELECTION,
            Marks::DECIDED,
            Marks::BROKEN_PROMISE,
            Marks::OVERTOOK,
            Marks::REQUEST,
        ];
        for (name, facts, marks) in [
            ("none of them", none.clone(), &[][..]),
            ("one section", Facts { inside: LOCKS[..1].into(), ..none.clone() }, &[Marks::INSIDE]),
            ("two sections", Facts { inside: LOCKS.into(), ..none.clone() }, &[Marks::INSIDE, Marks::SEVERAL_INSIDE]),
            ("an election", Facts { elections: voting(), ..none.clone() }, &[Marks::ELECTION]),
            ("a value", Facts { decided: vec![(0, "blue".into())], ..none.clone() }, &[Marks::DECIDED]),
            ("an overtaken request", Facts { overtook: true, ..none.clone() }, &[Marks::OVERTOOK]),
            ("a promise", Facts { broke_promise: true, ..none.clone() }, &[Marks::BROKEN_PROMISE]),
            ("a request", Facts { request: Some(request()), ..none }, &[Marks::REQUEST]),
        ] {
            let has: Vec<Marks> = all.into_iter().filter(|mark| facts.marks().intersects(*mark)).collect();
            assert_eq!(has, marks, "{name}");
        }
    }
}
