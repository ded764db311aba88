//! What can follow from a state, over numbers: processes, messages and inboxes are kept once each, and what comes of a
//! step of a process is worked out once, however many states it is taken in.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use interlock_algorithm::configuration::Refusal;
use interlock_algorithm::{NodeId, View};
use rustc_hash::FxBuildHasher;

use super::arrival::Brought;
use super::beginning::Beginnings;
use super::environment::{Budget, Daemon, Environment, TimerPolicy};
use super::interner::Interner;
use super::parts::{Facts, LocalStep, LocalStepKind, Parts, Step};
use super::rebase::Rebase;
use super::table::UnderWay;
use crate::choice::Choice;
use crate::state::Capacities;

/// The inbox with nothing in it.
pub(super) const EMPTY: u32 = 0;

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
    /// Several nodes move at once: see [`together`](super::daemon).
    Together(u64),
}

/// Of what kind a move is: who owes it, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It happens some day if nothing prevents it: a delivery, a release, a timer, a return.
    Owed,
    /// A client asks, or tells something, which it need not.
    Free,
    /// Something goes wrong.
    Fault,
}

/// A message in an inbox that can be taken, and what is left then.
#[derive(Clone, Copy)]
struct Open {
    message: u32,
    rest: u32,
}

/// A state is a number for each process with its inbox, and one for what may still go wrong.
pub(super) struct System<'a> {
    environment: &'a Environment,
    nodes: u32,
    pub(super) parts: Box<dyn Parts + 'a>,
    instantaneous: bool,
    capacities: Capacities,
    beginnings: Rc<Beginnings>,
    /// A process and its inbox.
    pub(super) pairs: Interner<(u32, u32)>,
    /// What may still happen so often only.
    pub(super) budgets: Interner<Budget>,
    pub(super) inboxes: Interner<Box<[u32]>>,
    /// What can be taken out of each inbox, once it is known.
    open: Vec<Option<Rc<[Open]>>>,
    /// What comes of each message that a process has taken.
    heard: HashMap<(u32, u32), Rc<Step>, FxBuildHasher>,
    /// What each process can do by itself.
    local_steps: HashMap<u32, Rc<[LocalStep]>, FxBuildHasher>,
    /// Each inbox with a message more.
    put: HashMap<(u32, u32), u32, FxBuildHasher>,
    /// What is known of numbers that grow, where states are told apart by what is between them only.
    pub(super) rebase: Option<Rebase>,
    /// After how many states one is passed over as if nothing followed from it: an error that tests must find.
    #[cfg(test)]
    pub(super) passes_over_after: Option<u64>,
}

impl<'a> System<'a> {
    /// # Errors
    /// What of the environment the algorithm cannot have.
    pub fn new(environment: &'a Environment, nodes: u32, mut parts: Box<dyn Parts + 'a>) -> Result<Self, Refusal> {
        let beginnings = Rc::new(Beginnings::of(&mut *parts, environment, nodes)?);
        let mut inboxes = Interner::default();
        inboxes.intern(Box::default());
        Ok(Self {
            environment,
            nodes,
            instantaneous: parts.is_instantaneous(),
            capacities: parts.capacities(),
            beginnings,
            parts,
            pairs: Interner::default(),
            budgets: Interner::default(),
            inboxes,
            open: vec![None],
            heard: HashMap::default(),
            local_steps: HashMap::default(),
            put: HashMap::default(),
            rebase: environment.comes_again().then(Rebase::default),
            #[cfg(test)]
            passes_over_after: None,
        })
    }

    /// How many numbers a state has.
    pub const fn width(&self) -> usize {
        self.nodes as usize + 1
    }

    /// How many nodes there are.
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// How many states there are in which every process has begun.
    pub fn beginnings(&self) -> u64 {
        self.beginnings.count()
    }

    /// A state in which every process has begun, by its number, and who sent which message to whom until then.
    pub fn begin(&mut self, number: u64) -> (Vec<u32>, Vec<(NodeId, NodeId, u32)>) {
        let beginnings = Rc::clone(&self.beginnings);
        let (begun, links) = beginnings.numbered(number);
        let mut inboxes = vec![EMPTY; begun.len()];
        for (to, messages) in links {
            let inbox = &mut inboxes[to.index()];
            *inbox = messages.iter().fold(*inbox, |inbox, &message| self.put(inbox, message));
        }
        let pairs = begun.iter().zip(inboxes).map(|(step, inbox)| self.pairs.intern((step.process, inbox)).0);
        let mut state: Vec<u32> = pairs.collect();
        state.push(self.budgets.intern(self.environment.budget()).0);
        let mut sent = Vec::new();
        for (me, step) in NodeId::all(self.nodes).zip(begun) {
            self.send(&mut state, step);
            sent.extend(step.sent.iter().map(|&(to, message)| (me, to, message)));
        }
        (state, sent)
    }

    /// What is to be known of each process in a state, in the order of nodes.
    pub fn facts<'s>(&'s self, state: &'s [u32]) -> impl Iterator<Item = &'s Facts> {
        let pairs = &state[..self.nodes as usize];
        pairs.iter().map(|&pair| self.parts.facts(self.pairs.value(pair).0))
    }

    /// Shows a state to whoever looks at all of them.
    pub fn look(&self, state: &[u32]) {
        let pairs = &state[..self.nodes as usize];
        self.parts.look(&mut pairs.iter().map(|&pair| self.pairs.value(pair).0));
    }

    /// How many privileges there are in a state; none if the algorithm does not know.
    pub fn privileges(&self, state: &[u32]) -> Option<usize> {
        let (processes, under_way) = self.apart(state);
        self.parts.privileges(&processes, &under_way)
    }

    /// The processes of a state, in the order of nodes, and what is under way to whom, in the order of inboxes.
    fn apart(&self, state: &[u32]) -> (Vec<u32>, Vec<(NodeId, u32)>) {
        let (mut processes, mut under_way) = (Vec::new(), Vec::new());
        for (me, &pair) in NodeId::all(self.nodes).zip(state) {
            let &(process, inbox) = self.pairs.value(pair);
            processes.push(process);
            under_way.extend(self.inboxes.value(inbox).iter().map(|&message| (me, message)));
        }
        (processes, under_way)
    }

    /// What people see of the processes of a state, in the order of nodes, and of what is under way.
    pub fn seen(&self, state: &[u32]) -> (Vec<View>, Vec<UnderWay>) {
        let (processes, under_way) = self.apart(state);
        let views = NodeId::all(self.nodes).zip(processes).map(|(me, process)| self.parts.view(process, me)).collect();
        let under_way = under_way.into_iter().map(|(to, message)| self.under_way(to, message)).collect();
        (views, under_way)
    }

    /// A message to a node as people see it.
    pub fn under_way(&self, to: NodeId, message: u32) -> UnderWay {
        UnderWay { from: self.parts.sender(message), to, message: self.parts.message(message) }
    }

    /// What may happen.
    pub const fn environment(&self) -> &'a Environment {
        self.environment
    }

    /// How many may be in the section of each lock.
    pub const fn capacities(&self) -> &Capacities {
        &self.capacities
    }

    /// Whether what is sent is known in the same instant.
    pub const fn is_instantaneous(&self) -> bool {
        self.instantaneous
    }

    /// The processes of a state, each with its inbox, in the order of nodes.
    pub fn pairs<'s>(&self, state: &'s [u32]) -> &'s [u32] {
        &state[..self.nodes as usize]
    }

    /// Whether the request of a node that waits has arrived: nothing is under way that brings it, and it is through its
    /// doorway.
    pub fn has_arrived(&self, state: &[u32], node: NodeId) -> bool {
        let Some(waits) = self.facts(state).nth(node.index()).and_then(|facts| facts.waits) else { return false };
        let request = Brought { of: node, number: waits.number };
        let brings = |&message: &u32| self.parts.brings(message) == Some(request);
        let inboxes = || self.pairs(state).iter().map(|&pair| self.inboxes.value(self.pairs.value(pair).1));
        waits.is_through() && !inboxes().any(|inbox| inbox.iter().any(brings))
    }

    /// How many messages are under way to these processes.
    pub fn messages(&self, pairs: &[u32]) -> usize {
        pairs.iter().map(|&pair| self.inboxes.value(self.pairs.value(pair).1).len()).sum()
    }

    /// Whether a timer is set in a state that may not run out any more.
    pub fn is_out_of_time(&self, state: &[u32]) -> bool {
        let spent = self.budgets.value(state[state.len() - 1]).timers == 0;
        let impatient = matches!(self.environment.timers, TimerPolicy::AnyTime(_));
        impatient && spent && self.facts(state).any(|facts| facts.timers)
    }

    /// How much memory the parts take, in bytes, about.
    pub fn memory(&self) -> usize {
        let inboxes = self.inboxes.len() * 64 + self.pairs.len() * 16;
        let rebase = self.rebase.as_ref().map_or(0, Rebase::memory);
        self.parts.memory() + inboxes + self.heard.len() * 96 + self.put.len() * 24 + rebase
    }

    /// What a move sends, to whom, in order.
    pub fn sent(&mut self, state: &[u32], happens: Move) -> Vec<(NodeId, u32)> {
        match happens {
            Move::Act(node, place) => self.local_steps(state, node)[place].step.sent.to_vec(),
            Move::Deliver(node, message) => {
                let (process, _) = *self.pairs.value(state[node.index()]);
                self.hear(process, node, message).sent.to_vec()
            }
            Move::Lose(..) | Move::Copy(..) | Move::Together(_) => Vec::new(),
        }
    }

    /// What a node does by itself in a state, as anybody could let it happen.
    pub fn choice(&mut self, state: &[u32], node: NodeId, place: usize) -> Option<Choice> {
        self.local_steps(state, node).get(place)?.choice.clone()
    }

    /// Everything that a node can do by itself in a state.
    pub fn local_steps(&mut self, state: &[u32], node: NodeId) -> Rc<[LocalStep]> {
        let (process, _) = *self.pairs.value(state[node.index()]);
        self.local_steps_of(process, node)
    }

    /// Shows every state that can follow, and by what.
    pub fn successors(
        &mut self,
        state: &[u32],
        next: &mut Vec<u32>,
        mut show: impl FnMut(&mut Self, Move, Kind, &[u32]),
    ) {
        if self.rebase.is_none() {
            return self.followers(state, next, show);
        }
        let mut rebased = Vec::with_capacity(state.len());
        self.followers(state, next, |system, happens, kind, next| {
            rebased.clear();
            rebased.extend_from_slice(next);
            system.rebase(&mut rebased);
            show(system, happens, kind, &rebased);
        });
    }

    /// The same, before any number is counted from the least.
    pub(super) fn followers(
        &mut self,
        state: &[u32],
        next: &mut Vec<u32>,
        mut show: impl FnMut(&mut Self, Move, Kind, &[u32]),
    ) {
        #[cfg(test)]
        if self.passes_over() {
            return;
        }
        let last = state.len() - 1;
        let budget = *self.budgets.value(state[last]);
        let quiet = (0..last).all(|node| self.pairs.value(state[node]).1 == EMPTY);
        let alone = !self.instantaneous || self.environment.daemon != Daemon::Synchronous;
        for node in NodeId::all(self.nodes) {
            let (process, inbox) = *self.pairs.value(state[node.index()]);
            for (place, local_step) in self.local_steps_of(process, node).iter().enumerate() {
                let Some((kind, budget)) = self.allowed(local_step.kind, budget, quiet) else { continue };
                if !alone && local_step.kind == LocalStepKind::Timer {
                    continue;
                }
                next.clear();
                next.extend_from_slice(state);
                next[last] = self.budgets.intern(budget).0;
                self.take(next, node, inbox, &local_step.step);
                show(self, Move::Act(node, place), kind, next);
            }
            for &Open { message, rest } in &*self.open(inbox) {
                let step = self.hear(process, node, message);
                next.clear();
                next.extend_from_slice(state);
                self.take(next, node, rest, &step);
                show(self, Move::Deliver(node, message), Kind::Owed, next);
                if budget.lose > 0 {
                    next.clear();
                    next.extend_from_slice(state);
                    next[last] = self.budgets.intern(Budget { lose: budget.lose - 1, ..budget }).0;
                    next[node.index()] = self.pairs.intern((process, rest)).0;
                    show(self, Move::Lose(node, message), Kind::Fault, next);
                }
                if budget.duplicate > 0 {
                    let doubled = self.doubled(inbox, message);
                    next.clear();
                    next.extend_from_slice(state);
                    next[last] = self.budgets.intern(Budget { duplicate: budget.duplicate - 1, ..budget }).0;
                    next[node.index()] = self.pairs.intern((process, doubled)).0;
                    show(self, Move::Copy(node, message), Kind::Fault, next);
                }
            }
        }
        if self.instantaneous {
            self.together(state, next, &mut show);
        }
    }

    /// Whether this is the state that is passed over.
    #[cfg(test)]
    fn passes_over(&mut self) -> bool {
        let left = self.passes_over_after;
        self.passes_over_after = left.and_then(|left| left.checked_sub(1));
        left == Some(0)
    }

    /// Of what kind a local step is and what may go wrong after it; none if it may not be done now.
    pub const fn allowed(&self, local_step: LocalStepKind, budget: Budget, quiet: bool) -> Option<(Kind, Budget)> {
        match local_step {
            // Who may come back does, some day.
            LocalStepKind::GoesOn | LocalStepKind::Return => Some((Kind::Owed, budget)),
            LocalStepKind::Begins => Some((Kind::Free, budget)),
            LocalStepKind::Timer => match self.environment.timers {
                TimerPolicy::Always => Some((Kind::Owed, budget)),
                TimerPolicy::Patient if quiet => Some((Kind::Owed, budget)),
                TimerPolicy::AnyTime(_) if budget.timers > 0 => {
                    Some((Kind::Owed, Budget { timers: budget.timers - 1, ..budget }))
                }
                _ => None,
            },
            LocalStepKind::Tells if budget.tell > 0 => Some((Kind::Free, Budget { tell: budget.tell - 1, ..budget })),
            LocalStepKind::Crash if budget.crash > 0 => {
                Some((Kind::Fault, Budget { crash: budget.crash - 1, ..budget }))
            }
            LocalStepKind::Crash | LocalStepKind::Tells => None,
        }
    }

    /// A node takes a step with this inbox left, and what it sends goes its way.
    #[inline]
    fn take(&mut self, state: &mut [u32], node: NodeId, inbox: u32, step: &Step) {
        state[node.index()] = self.pairs.intern((step.process, inbox)).0;
        self.send(state, step);
    }

    /// A node comes to this state of its process, with the inbox that it has.
    pub fn become_process(&mut self, state: &mut [u32], node: NodeId, process: u32) {
        let (_, inbox) = *self.pairs.value(state[node.index()]);
        state[node.index()] = self.pairs.intern((process, inbox)).0;
    }

    /// What a step sends is put into the inboxes; or, where it is known at once, heard.
    #[inline]
    pub fn send(&mut self, state: &mut [u32], step: &Step) {
        if self.instantaneous {
            return self.tell(state, step);
        }
        for &(to, message) in &step.sent {
            let (process, inbox) = *self.pairs.value(state[to.index()]);
            let inbox = self.put(inbox, message);
            state[to.index()] = self.pairs.intern((process, inbox)).0;
        }
    }

    fn tell(&mut self, state: &mut [u32], step: &Step) {
        let mut at_once: VecDeque<(NodeId, u32)> = step.sent.iter().copied().collect();
        while let Some((to, message)) = at_once.pop_front() {
            let (process, inbox) = *self.pairs.value(state[to.index()]);
            let step = self.hear(process, to, message);
            state[to.index()] = self.pairs.intern((step.process, inbox)).0;
            at_once.extend(step.sent.iter().copied());
        }
    }

    #[inline]
    fn hear(&mut self, process: u32, me: NodeId, message: u32) -> Rc<Step> {
        if let Some(step) = self.heard.get(&(process, message)) {
            return Rc::clone(step);
        }
        let step = Rc::new(self.parts.hear(process, me, message));
        self.heard.insert((process, message), Rc::clone(&step));
        step
    }

    #[inline]
    fn local_steps_of(&mut self, process: u32, me: NodeId) -> Rc<[LocalStep]> {
        if let Some(local_steps) = self.local_steps.get(&process) {
            return Rc::clone(local_steps);
        }
        let local_steps: Rc<[LocalStep]> = self.parts.local_steps(process, me).into();
        self.local_steps.insert(process, Rc::clone(&local_steps));
        local_steps
    }

    fn inbox(&mut self, messages: Vec<u32>) -> u32 {
        let (inbox, new) = self.inboxes.intern(messages.into());
        if new {
            self.open.push(None);
        }
        inbox
    }

    /// An inbox with one message more, if its link has room: after those of its sender, or in a place of its own where
    /// order is nothing.
    #[inline]
    pub(super) fn put(&mut self, inbox: u32, message: u32) -> u32 {
        if let Some(&after) = self.put.get(&(inbox, message)) {
            return after;
        }
        let mut messages = self.inboxes.value(inbox).to_vec();
        let sender = self.parts.sender(message);
        let after = if self.environment.is_full(|| self.count_of(&messages, sender)) {
            inbox
        } else {
            let place = if self.environment.fifo {
                messages.partition_point(|&other| self.parts.sender(other) <= sender)
            } else {
                messages.partition_point(|&other| other <= message)
            };
            messages.insert(place, message);
            self.inbox(messages)
        };
        self.put.insert((inbox, message), after);
        after
    }

    /// How many of these messages are from this sender.
    fn count_of(&self, messages: &[u32], sender: NodeId) -> usize {
        messages.iter().filter(|&&message| self.parts.sender(message) == sender).count()
    }

    /// An inbox with a copy of a message next to it.
    fn doubled(&mut self, inbox: u32, message: u32) -> u32 {
        let mut messages = self.inboxes.value(inbox).to_vec();
        let place = messages.iter().position(|&other| other == message).unwrap_or(0);
        messages.insert(place, message);
        self.inbox(messages)
    }

    /// The messages that can be taken out of an inbox: the first of each sender, or any.
    #[inline]
    fn open(&mut self, inbox: u32) -> Rc<[Open]> {
        if let Some(open) = &self.open[inbox as usize] {
            return Rc::clone(open);
        }
        let found = self.look_into(inbox);
        self.open[inbox as usize] = Some(Rc::clone(&found));
        found
    }

    fn look_into(&mut self, inbox: u32) -> Rc<[Open]> {
        let messages = self.inboxes.value(inbox).to_vec();
        let mut found: Vec<Open> = Vec::new();
        for (place, &message) in messages.iter().enumerate() {
            let behind = if self.environment.fifo {
                let sender = self.parts.sender(message);
                messages[..place].iter().any(|&other| self.parts.sender(other) == sender)
            } else {
                messages[..place].contains(&message)
            };
            if !behind {
                let mut rest = messages.clone();
                rest.remove(place);
                found.push(Open { message, rest: self.inbox(rest) });
            }
        }
        found.into()
    }
}
