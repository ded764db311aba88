//! What can follow from a state, over numbers: processes, messages and inboxes are kept once each, and what comes of a
//! step of a process is worked out once, however many states it is taken in.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use interlock_algorithm::{Algorithm, NodeId};
use interlock_machine::wire::TimerName;
use rustc_hash::FxBuildHasher;

use super::environment::{Budget, TimerPolicy};
use super::interner::Interner;
use super::process::{Frame, Local, Process, Stepped};

/// The inbox with nothing in it.
const EMPTY: u32 = 0;

/// Something that happens, in the terms of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// A node does something by itself: the one of this place among all that it can do.
    Act(NodeId, usize),
    /// This message is taken by a node.
    Deliver(NodeId, u32),
    /// This message to a node is lost.
    Lose(NodeId, u32),
    /// This message to a node is copied.
    Copy(NodeId, u32),
}

/// Of what kind a move is: who owes it, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It happens some day if nothing prevents it: a delivery, a release, a timer.
    Owed,
    /// A client asks, which it need not.
    Free,
    /// Something goes wrong, or comes back.
    Fault,
}

/// What comes of a step of a process.
struct Step {
    process: u32,
    /// To whom which message.
    sent: Box<[(NodeId, u32)]>,
}

/// Something that a process can do by itself, and what comes of it.
pub(super) struct Deed<T> {
    pub local: Local<T>,
    step: u32,
}

/// What is to be known of a process without looking into it.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// In the sections of which locks it is.
    pub inside: Box<[u32]>,
    /// Whether it waits.
    pub waiting: bool,
    /// Whether a timer of its algorithm is set.
    pub timers: bool,
}

/// A message in an inbox that can be taken, and what is left then.
#[derive(Clone, Copy)]
struct Open {
    envelope: u32,
    rest: u32,
}

/// Processes, messages and what follows.
pub(super) struct System<'a, A: Algorithm> {
    pub frame: Frame<'a, A>,
    processes: Interner<Process<A>>,
    facts: Vec<Facts>,
    deeds: Vec<Option<Rc<[Deed<A::Timer>]>>>,
    /// Messages, each with its sender.
    envelopes: Interner<(NodeId, A::Message)>,
    inboxes: Interner<Box<[u32]>>,
    open: Vec<Option<Rc<[Open]>>>,
    /// A process and its inbox.
    pairs: Interner<(u32, u32)>,
    steps: Vec<Step>,
    heard: HashMap<(u32, u32), u32, FxBuildHasher>,
    put: HashMap<(u32, u32), u32, FxBuildHasher>,
    instantaneous: bool,
}

impl<'a, A: Algorithm> System<'a, A> {
    pub fn new(frame: Frame<'a, A>) -> Self {
        let mut inboxes = Interner::default();
        inboxes.intern(Box::default());
        let instantaneous = A::is_instantaneous(frame.setting);
        Self {
            frame,
            processes: Interner::default(),
            facts: Vec::new(),
            deeds: Vec::new(),
            envelopes: Interner::default(),
            inboxes,
            open: vec![None],
            pairs: Interner::default(),
            steps: Vec::new(),
            heard: HashMap::default(),
            put: HashMap::default(),
            instantaneous,
        }
    }

    /// How many numbers a state has: one for each process with its inbox, and one for what may still go wrong.
    pub const fn width(&self) -> usize {
        self.frame.nodes as usize + 1
    }

    /// The state in which every process has begun.
    pub fn first(&mut self) -> Vec<u32> {
        let mut state: Vec<u32> = Vec::new();
        let mut begun = Vec::new();
        for me in NodeId::all(self.frame.nodes) {
            let stepped = Process::new(&self.frame, me).begin(&self.frame, me);
            let step = self.keep(me, stepped);
            begun.push(step);
            let process = self.steps[step as usize].process;
            state.push(self.pairs.intern((process, EMPTY)).0);
        }
        state.push(self.frame.environment.budget().pack());
        for step in begun {
            self.send(&mut state, step);
        }
        state
    }

    /// What was sent when the processes began: by whom, to whom, which message.
    pub fn sent_at_the_beginning(&mut self) -> Vec<(NodeId, NodeId, u32)> {
        let mut sent = Vec::new();
        for me in NodeId::all(self.frame.nodes) {
            let stepped = Process::new(&self.frame, me).begin(&self.frame, me);
            let step = self.keep(me, stepped);
            sent.extend(self.steps[step as usize].sent.iter().map(|&(to, envelope)| (me, to, envelope)));
        }
        sent
    }

    /// The process of a node in a state, by its number.
    fn process_of(&self, state: &[u32], node: NodeId) -> u32 {
        self.pairs.value(state[node.index()]).0
    }

    /// The process of a node in a state.
    pub fn process(&self, state: &[u32], node: NodeId) -> &Process<A> {
        self.processes.value(self.process_of(state, node))
    }

    /// What is to be known of each process in a state, in the order of nodes.
    pub fn facts<'s>(&'s self, state: &'s [u32]) -> impl Iterator<Item = &'s Facts> {
        let pairs = &state[..self.frame.nodes as usize];
        pairs.iter().map(|&pair| &self.facts[self.pairs.value(pair).0 as usize])
    }

    /// What a process sends in a step that a move takes, to whom, in order.
    pub fn sent(&mut self, state: &[u32], happens: Move) -> Vec<(NodeId, u32)> {
        let step = match happens {
            Move::Act(node, place) => self.deeds_of(self.process_of(state, node), node)[place].step,
            Move::Deliver(node, envelope) => self.hear(self.process_of(state, node), node, envelope),
            Move::Lose(..) | Move::Copy(..) => return Vec::new(),
        };
        self.steps[step as usize].sent.to_vec()
    }

    /// What a node can do by itself in a state.
    pub fn deeds(&mut self, state: &[u32], node: NodeId) -> Rc<[Deed<A::Timer>]> {
        self.deeds_of(self.process_of(state, node), node)
    }

    /// Whether a timer is set in a state that may not run out any more.
    pub fn is_out_of_time(&self, state: &[u32]) -> bool {
        let spent = Budget::unpack(state[state.len() - 1]).timers == 0;
        let impatient = matches!(self.frame.environment.timers, TimerPolicy::AnyTime(_));
        impatient && spent && self.facts(state).any(|facts| facts.timers)
    }

    /// How much memory the parts take, in bytes, about: what they keep elsewhere counts as much again.
    pub fn memory(&self) -> usize {
        let processes = self.processes.len() * 2 * size_of::<Process<A>>();
        let messages = self.envelopes.len() * 2 * size_of::<(NodeId, A::Message)>();
        let inboxes = self.inboxes.len() * 64 + self.pairs.len() * 16;
        let steps = self.steps.len() * 2 * size_of::<Step>() + (self.heard.len() + self.put.len()) * 24;
        processes + messages + inboxes + steps
    }

    /// Shows every state that can follow, and by what.
    pub fn successors(
        &mut self,
        state: &[u32],
        next: &mut Vec<u32>,
        mut show: impl FnMut(&mut Self, Move, Kind, &[u32]),
    ) {
        let last = state.len() - 1;
        let budget = Budget::unpack(state[last]);
        let quiet = (0..last).all(|node| self.pairs.value(state[node]).1 == EMPTY);
        for node in NodeId::all(self.frame.nodes) {
            let (process, inbox) = *self.pairs.value(state[node.index()]);
            for (place, deed) in self.deeds_of(process, node).iter().enumerate() {
                let Some((kind, budget)) = self.allowed(&deed.local, budget, quiet) else { continue };
                next.clear();
                next.extend_from_slice(state);
                next[last] = budget.pack();
                self.take(next, node, inbox, deed.step);
                show(self, Move::Act(node, place), kind, next);
            }
            for &Open { envelope, rest } in &*self.open(inbox) {
                let step = self.hear(process, node, envelope);
                next.clear();
                next.extend_from_slice(state);
                self.take(next, node, rest, step);
                show(self, Move::Deliver(node, envelope), Kind::Owed, next);
                if budget.lose > 0 {
                    next.clear();
                    next.extend_from_slice(state);
                    next[last] = Budget { lose: budget.lose - 1, ..budget }.pack();
                    next[node.index()] = self.pairs.intern((process, rest)).0;
                    show(self, Move::Lose(node, envelope), Kind::Fault, next);
                }
                if budget.duplicate > 0 {
                    let doubled = self.doubled(inbox, envelope);
                    next.clear();
                    next.extend_from_slice(state);
                    next[last] = Budget { duplicate: budget.duplicate - 1, ..budget }.pack();
                    next[node.index()] = self.pairs.intern((process, doubled)).0;
                    show(self, Move::Copy(node, envelope), Kind::Fault, next);
                }
            }
        }
    }

    /// Of what kind a deed is and what may go wrong after it; none if it may not be done now.
    const fn allowed(&self, local: &Local<A::Timer>, budget: Budget, quiet: bool) -> Option<(Kind, Budget)> {
        match local {
            Local::Order(interlock_machine::wire::Order::Release { .. }) | Local::Timer(TimerName::Client(_)) => {
                Some((Kind::Owed, budget))
            }
            Local::Order(_) => Some((Kind::Free, budget)),
            Local::Timer(TimerName::Algorithm(_)) => match self.frame.environment.timers {
                TimerPolicy::Patient if quiet => Some((Kind::Owed, budget)),
                TimerPolicy::AnyTime(_) if budget.timers > 0 => {
                    Some((Kind::Owed, Budget { timers: budget.timers - 1, ..budget }))
                }
                _ => None,
            },
            Local::Crash if budget.crash > 0 => Some((Kind::Fault, Budget { crash: budget.crash - 1, ..budget })),
            Local::Crash => None,
            // Who may come back does, some day.
            Local::Restart => Some((Kind::Owed, budget)),
        }
    }

    /// A node takes a step with this inbox left, and what it sends goes its way.
    fn take(&mut self, state: &mut [u32], node: NodeId, inbox: u32, step: u32) {
        let process = self.steps[step as usize].process;
        state[node.index()] = self.pairs.intern((process, inbox)).0;
        self.send(state, step);
    }

    /// What a step sends is put into the inboxes; or, where it is known at once, heard.
    fn send(&mut self, state: &mut [u32], step: u32) {
        if self.instantaneous {
            return self.tell(state, step);
        }
        for place in 0..self.steps[step as usize].sent.len() {
            let (to, envelope) = self.steps[step as usize].sent[place];
            let (process, inbox) = *self.pairs.value(state[to.index()]);
            let inbox = self.put(inbox, envelope);
            state[to.index()] = self.pairs.intern((process, inbox)).0;
        }
    }

    fn tell(&mut self, state: &mut [u32], step: u32) {
        let mut at_once: VecDeque<(NodeId, u32)> = self.steps[step as usize].sent.iter().copied().collect();
        while let Some((to, envelope)) = at_once.pop_front() {
            let (process, inbox) = *self.pairs.value(state[to.index()]);
            let step = self.hear(process, to, envelope);
            state[to.index()] = self.pairs.intern((self.steps[step as usize].process, inbox)).0;
            at_once.extend(self.steps[step as usize].sent.iter().copied());
        }
    }

    /// What comes of a step, kept.
    fn keep(&mut self, me: NodeId, stepped: Stepped<A>) -> u32 {
        let Stepped { process, sent } = stepped;
        let sent = sent.into_iter().map(|(to, message)| (to, self.envelopes.intern((me, message)).0)).collect();
        let facts = Facts {
            inside: process.inside().map(|lock| lock.0).collect(),
            waiting: process.is_waiting(),
            timers: !process.dead && process.node.timers().names().any(|name| matches!(name, TimerName::Algorithm(_))),
        };
        let (process, new) = self.processes.intern(process);
        if new {
            self.facts.push(facts);
            self.deeds.push(None);
        }
        self.steps.push(Step { process, sent });
        u32::try_from(self.steps.len() - 1).unwrap_or(u32::MAX)
    }

    fn hear(&mut self, process: u32, me: NodeId, envelope: u32) -> u32 {
        if let Some(&step) = self.heard.get(&(process, envelope)) {
            return step;
        }
        let (from, message) = self.envelopes.value(envelope).clone();
        let stepped = self.processes.value(process).hear(&self.frame, me, from, message);
        let step = self.keep(me, stepped);
        self.heard.insert((process, envelope), step);
        step
    }

    fn deeds_of(&mut self, process: u32, me: NodeId) -> Rc<[Deed<A::Timer>]> {
        if let Some(deeds) = &self.deeds[process as usize] {
            return Rc::clone(deeds);
        }
        let before = self.processes.value(process).clone();
        let locals = before.locals(&self.frame, me);
        let deed = |local: Local<A::Timer>| {
            let stepped = before.act(&self.frame, me, &local);
            Deed { step: self.keep(me, stepped), local }
        };
        let deeds: Rc<[Deed<A::Timer>]> = locals.into_iter().map(deed).collect();
        self.deeds[process as usize] = Some(Rc::clone(&deeds));
        deeds
    }

    fn inbox(&mut self, envelopes: Vec<u32>) -> u32 {
        let (inbox, new) = self.inboxes.intern(envelopes.into());
        if new {
            self.open.push(None);
        }
        inbox
    }

    /// An inbox with one message more: after those of its sender, or in a place of its own where order is nothing.
    fn put(&mut self, inbox: u32, envelope: u32) -> u32 {
        if let Some(&after) = self.put.get(&(inbox, envelope)) {
            return after;
        }
        let mut envelopes = self.inboxes.value(inbox).to_vec();
        let sender = |envelope: u32| self.envelopes.value(envelope).0;
        let place = if self.frame.environment.fifo {
            envelopes.partition_point(|&other| sender(other) <= sender(envelope))
        } else {
            envelopes.partition_point(|&other| other <= envelope)
        };
        envelopes.insert(place, envelope);
        let after = self.inbox(envelopes);
        self.put.insert((inbox, envelope), after);
        after
    }

    /// An inbox with a copy of a message next to it.
    fn doubled(&mut self, inbox: u32, envelope: u32) -> u32 {
        let mut envelopes = self.inboxes.value(inbox).to_vec();
        let place = envelopes.iter().position(|&other| other == envelope).unwrap_or(0);
        envelopes.insert(place, envelope);
        self.inbox(envelopes)
    }

    /// The messages that can be taken out of an inbox: the first of each sender, or any.
    fn open(&mut self, inbox: u32) -> Rc<[Open]> {
        if let Some(open) = &self.open[inbox as usize] {
            return Rc::clone(open);
        }
        let envelopes = self.inboxes.value(inbox).to_vec();
        let mut found: Vec<Open> = Vec::new();
        for (place, &envelope) in envelopes.iter().enumerate() {
            let sender = |envelope: u32| self.envelopes.value(envelope).0;
            let behind = if self.frame.environment.fifo {
                envelopes[..place].iter().any(|&other| sender(other) == sender(envelope))
            } else {
                envelopes[..place].contains(&envelope)
            };
            if !behind {
                let mut rest = envelopes.clone();
                rest.remove(place);
                found.push(Open { envelope, rest: self.inbox(rest) });
            }
        }
        let found: Rc<[Open]> = found.into();
        self.open[inbox as usize] = Some(Rc::clone(&found));
        found
    }
}
