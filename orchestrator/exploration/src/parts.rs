//! The parts of states whose types are those of an algorithm: processes and messages, each kept once, by its number.
//!
//! All else that an exploration does knows numbers only, so it is the same for all algorithms.

use interlock_algorithm::{Algorithm, LockId, NodeId, Participant, Show, View};
use interlock_machine::wire::{Order, TimerName};

use super::arrival::{Brought, Requests, Waiting};
use super::circumstances::Circumstances;
use super::interner::Interner;
use super::participants::Participants;
use super::past::{Past, Request};
use super::process::{Frame, Local, Message, Process, Stepped, begins_a_round};
use super::promise::Promise;
use super::tiding::Tiding;
use super::voting::Voting;
use interlock_model::choice::Choice;
use interlock_model::event::Json;
use interlock_observation::state::Capacities;

/// Who is shown every state, as its processes in the order of nodes.
pub type Look<'a, A> = &'a dyn Fn(&[&Participant<A>]);

/// What comes of a step of a process.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The process afterwards.
    pub process: u32,
    /// To whom which message went, in order.
    pub sent: Box<[(NodeId, u32)]>,
}

/// What a process does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalStepKind {
    /// It goes on with what its client has begun: it leaves, or asks for the next.
    GoesOn,
    /// Its client begins something.
    Begins,
    /// Its client tells another something.
    Tells,
    /// A timer of the algorithm runs out.
    Timer,
    /// It crashes.
    Crash,
    /// It comes back.
    Return,
    /// It stands still.
    Pause,
    /// It goes on after it has stood still.
    Resume,
    /// It finds itself in another state.
    Corrupts,
}

/// Something that a process can do by itself, and what comes of it.
#[derive(Clone, Debug)]
pub(super) struct LocalStep {
    pub kind: LocalStepKind,
    pub step: Step,
    /// It as anybody could let it happen.
    pub choice: Option<Choice>,
}

/// What is to be known of a process.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// In the sections of which locks it is.
    pub inside: Box<[LockId]>,
    /// Whether it lives.
    pub alive: bool,
    /// Whether it takes part in the life that it has, or will have next.
    pub takes_part: bool,
    /// Whom it takes for dead, where processes are told.
    pub suspects: Participants,
    /// Whether it stands still.
    pub paused: bool,
    /// Whether it waits.
    pub waiting: bool,
    /// For which locks it waits, or will when it has got others.
    pub wanted: Box<[LockId]>,
    /// Whether a timer of its algorithm is set.
    pub timers: bool,
    /// What it has called and learnt in the elections of each lock.
    pub elections: Vec<Voting>,
    /// What it has learnt to be chosen, by instance.
    pub decided: Vec<(u64, String)>,
    /// Its present request, if the order of requests is looked for.
    pub request: Option<Request>,
    /// Whether it has broken a promise, if it is looked for.
    pub broke_promise: bool,
    /// Its requests that wait, if it is looked for how often others enter first.
    pub waits: Box<[Waiting]>,
}

/// Processes and messages by their numbers, and what comes of the steps of processes.
pub(super) trait Parts {
    /// What comes of the beginning of a node: as usual, or in the arbitrary state of this number, if there is one.
    fn begin(&mut self, me: NodeId, state: Option<u64>) -> Option<Step>;

    /// An arbitrary message from one node to another, the one of this number, if there is one.
    fn arbitrary_message(&mut self, from: NodeId, to: NodeId, choice: u64) -> Option<u32>;

    /// Everything that a process can do by itself.
    fn local_steps(&mut self, process: u32, me: NodeId) -> Vec<LocalStep>;

    /// What comes of a message that a process takes.
    fn hear(&mut self, process: u32, me: NodeId, message: u32) -> Step;

    /// A process after the crash of another: its calls of elections came before.
    fn outlive(&mut self, process: u32, whom: NodeId) -> u32;

    /// What a failure detector tells of a process, as a message from it.
    fn tell(&mut self, whom: NodeId, tiding: Tiding) -> u32;

    /// What a message tells of its sender, if it is of the failure detector.
    fn tiding(&self, message: u32) -> Option<Tiding>;

    /// Who has sent a message, or whom it is about if it is of the failure detector.
    fn sender(&self, message: u32) -> NodeId;

    /// Whose request a message brings, if it is looked for how often others enter first.
    fn brings(&self, message: u32) -> Option<Brought>;

    /// What is to be known of a process.
    fn facts(&self, process: u32) -> &Facts;

    /// How many may be in the section of each lock.
    fn capacities(&self) -> Capacities;

    /// Whether what is sent is known in the same instant.
    fn is_instantaneous(&self) -> bool;

    /// How many privileges there are where processes are in these states and these messages are under way to these nodes;
    /// none if the algorithm does not know.
    fn privileges(&self, processes: &[u32], under_way: &[(NodeId, u32)]) -> Option<usize>;

    /// What people see of a process.
    fn view(&self, process: u32, me: NodeId) -> View;

    /// A message for people to read, as JSON.
    fn message(&self, message: u32) -> serde_json::Value;

    /// Shows the processes of a state to whoever looks at all states.
    fn look(&self, processes: &mut dyn Iterator<Item = u32>);

    /// Shows every number of a process that grows for ever.
    fn growing(&self, process: u32, show: &mut Show<'_>);

    /// Shows every number of a message that grows for ever.
    fn growing_in(&self, message: u32, show: &mut Show<'_>);

    /// A process whose numbers that grow are made smaller, those of each count by so much.
    fn lessened(&mut self, process: u32, by: &[u64]) -> u32;

    /// The same for a message.
    fn lessened_message(&mut self, message: u32, by: &[u64]) -> u32;

    /// How much memory they take, in bytes, about: what they keep elsewhere counts as much again.
    fn memory(&self) -> usize;
}

impl Facts {
    /// Those that do not depend on the node of a process.
    fn of(besides: &Circumstances) -> Self {
        Self {
            alive: !besides.dead,
            paused: besides.paused,
            elections: besides.elections.clone(),
            decided: besides.decided.clone(),
            request: besides.past.as_ref().and_then(Past::request).cloned(),
            broke_promise: besides.promise.as_ref().is_some_and(Promise::is_broken),
            waits: besides.requests.as_ref().map_or(&[][..], Requests::waiting).into(),
            ..Self::default()
        }
    }
}

/// Those of an algorithm.
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
    let besides = &process.besides;
    Facts {
        inside: process.inside().collect(),
        takes_part: process.node.state().state().is_some(),
        suspects: if frame.environment.tells() { suspects(frame, process) } else { Participants::NOBODY },
        waiting,
        wanted: process.node.client().wanted().filter(|_| waiting).collect(),
        timers: !besides.dead && process.node.timers().names().any(is_own),
        ..Facts::of(besides)
    }
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
        for voting in &mut outliving.besides.elections {
            changed |= voting.outlive(whom);
        }
        if changed { self.keep_process(outliving) } else { process }
    }

    fn tell(&mut self, whom: NodeId, tiding: Tiding) -> u32 {
        self.messages.intern(Message::of_tiding(whom, tiding)).0
    }

    fn tiding(&self, message: u32) -> Option<Tiding> {
        self.messages.value(message).tiding()
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

    fn privileges(&self, processes: &[u32], under_way: &[(NodeId, u32)]) -> Option<usize> {
        let states = processes.iter().map(|&process| self.processes.value(process).node.state().state());
        let states = states.collect::<Option<Vec<&A>>>()?;
        let message = |&(to, message): &(NodeId, u32)| {
            let message = self.messages.value(message);
            Some((message.from, to, message.own()?))
        };
        A::privileges(self.frame.setting, &states, &under_way.iter().filter_map(message).collect::<Vec<_>>())
    }

    fn view(&self, process: u32, me: NodeId) -> View {
        self.processes.value(process).node.state().view(self.frame.setting, me)
    }

    fn message(&self, message: u32) -> serde_json::Value {
        // By its text, so that nothing but text is compiled for each message of each algorithm.
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
