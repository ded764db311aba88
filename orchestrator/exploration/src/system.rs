//! The states of a run, over numbers: what is not known yet of a step is worked out by the parts, and noted.

use std::ops::Range;

use interlock_algorithm::configuration::Refusal;
use interlock_algorithm::{LockId, NodeId, View};

use super::arrival::Brought;
use super::beginning::Beginnings;
use super::environment::{Environment, TimerPolicy};
use super::known::{Act, EMPTY, Known, Open, Span};
use super::moves::Move;
use super::parts::{Facts, Parts};
use super::under_way::UnderWay;
use interlock_model::choice::Choice;
use interlock_observation::state::Capacities;

/// A state is a number for each process with its inbox, and one for what may still go wrong.
pub(super) struct System<'a> {
    environment: &'a Environment,
    nodes: u32,
    pub(super) parts: Box<dyn Parts + 'a>,
    capacities: Capacities,
    beginnings: Beginnings,
    instantaneous: bool,
    pub(super) known: Known,
    /// What anybody could let happen, for each that a process can do by itself.
    choices: Vec<Option<Choice>>,
    /// After how many states one is passed over as if nothing followed from it: an error that tests must find.
    #[cfg(test)]
    pub(super) passes_over_after: Option<u64>,
}

impl<'a> System<'a> {
    /// # Errors
    /// What of the environment the algorithm cannot have.
    pub fn new(environment: &'a Environment, nodes: u32, mut parts: Box<dyn Parts + 'a>) -> Result<Self, Refusal> {
        let mut known = Known::new(environment);
        Ok(Self {
            environment,
            nodes,
            instantaneous: parts.is_instantaneous(),
            capacities: parts.capacities(),
            beginnings: Beginnings::of(&mut *parts, environment, nodes, &mut known)?,
            parts,
            known,
            choices: Vec::new(),
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
        let (begun, links) = self.beginnings.numbered(number);
        let mut inboxes = vec![EMPTY; begun.len()];
        for (to, messages) in links {
            let inbox = &mut inboxes[to.index()];
            *inbox = messages.into_iter().fold(*inbox, |inbox, message| self.put(inbox, message));
        }
        let mut state = Vec::with_capacity(self.width());
        for (&step, inbox) in begun.iter().zip(inboxes) {
            let process = self.known.steps[step as usize].process;
            state.push(self.known.pairs.intern((process, inbox)).0);
        }
        state.push(self.known.budgets.intern(self.environment.budget()).0);
        let mut sent = Vec::new();
        for (me, step) in NodeId::all(self.nodes).zip(begun) {
            self.send(&mut state, step);
            sent.extend(self.known.steps[step as usize].sent.iter().map(|&(to, message)| (me, to, message)));
        }
        (state, sent)
    }

    /// What is to be known of each process in a state, in the order of nodes.
    pub fn facts<'s>(&'s self, state: &'s [u32]) -> impl Iterator<Item = &'s Facts> {
        let pairs = &state[..self.nodes as usize];
        pairs.iter().map(|&pair| self.parts.facts(self.known.pairs.value(pair).0))
    }

    /// Shows a state to whoever looks at all of them.
    pub fn look(&self, state: &[u32]) {
        let pairs = &state[..self.nodes as usize];
        self.parts.look(&mut pairs.iter().map(|&pair| self.known.pairs.value(pair).0));
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
            let &(process, inbox) = self.known.pairs.value(pair);
            processes.push(process);
            under_way.extend(self.known.inboxes.value(inbox).iter().map(|&message| (me, message)));
        }
        (processes, under_way)
    }

    /// What people see of the processes of a state, in the order of nodes, and of what is under way.
    pub fn seen(&self, state: &[u32]) -> (Vec<View>, Vec<UnderWay>) {
        let (processes, under_way) = self.apart(state);
        let views = NodeId::all(self.nodes).zip(processes).map(|(me, process)| self.parts.view(process, me)).collect();
        let messages = under_way.into_iter().filter(|&(_, message)| !self.is_tiding(message));
        let under_way = messages.map(|(to, message)| self.under_way(to, message)).collect();
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

    /// Whether the request of a node that waits for a lock has arrived: nothing is under way that brings it, and it is through
    /// its doorway.
    pub fn has_arrived(&self, state: &[u32], node: NodeId, lock: LockId) -> bool {
        let waits = self.facts(state).nth(node.index()).map_or(&[][..], |facts| &facts.waits);
        let Some(waits) = waits.iter().find(|waits| waits.lock == lock) else { return false };
        let request = Brought { of: node, number: waits.number };
        let brings = |&message: &u32| self.parts.brings(message) == Some(request);
        let inboxes = || self.pairs(state).iter().map(|&pair| self.known.inboxes.value(self.known.pairs.value(pair).1));
        waits.is_through() && !inboxes().any(|inbox| inbox.iter().any(brings))
    }

    /// How many messages are under way to these processes.
    pub fn messages(&self, pairs: &[u32]) -> usize {
        pairs.iter().map(|&pair| self.known.inboxes.value(self.known.pairs.value(pair).1).len()).sum()
    }

    /// Whether a timer is set in a state that may not run out any more.
    pub fn is_out_of_time(&self, state: &[u32]) -> bool {
        let spent = self.known.budgets.value(state[state.len() - 1]).timers == 0;
        let impatient = matches!(self.environment.timers, TimerPolicy::AnyTime(_));
        impatient && spent && self.facts(state).any(|facts| facts.timers)
    }

    /// How much memory the parts take, in bytes, about.
    pub fn memory(&self) -> usize {
        self.parts.memory() + self.known.memory() + self.choices.len() * size_of::<Option<Choice>>()
    }

    /// What a move sends, to whom, in order.
    pub fn sent(&mut self, state: &[u32], happens: Move) -> Vec<(NodeId, u32)> {
        let step = match happens {
            Move::Act(node, place) => self.places(state, node).nth(place).map(|at| self.known.acts[at].step),
            Move::Deliver(node, message) => {
                let (process, _) = self.known.pair(state, node);
                Some(self.heard(process, node, message))
            }
            Move::Lose(..) | Move::Copy(..) | Move::Together(_) => None,
        };
        step.map(|step| self.known.steps[step as usize].sent.to_vec()).unwrap_or_default()
    }

    /// What a node does by itself in a state, as anybody could let it happen.
    pub fn choice(&mut self, state: &[u32], node: NodeId, place: usize) -> Option<Choice> {
        let at = self.places(state, node).nth(place)?;
        self.choices[at].clone()
    }

    /// Where everything is that a node can do by itself in a state, among the acts that are known.
    pub(super) fn places(&mut self, state: &[u32], node: NodeId) -> Range<usize> {
        let (process, _) = self.known.pair(state, node);
        self.local_steps(process, node).range()
    }

    /// What a process can do by itself.
    #[inline]
    pub(super) fn local_steps(&mut self, process: u32, me: NodeId) -> Span {
        let known = self.known.local_steps.get(process as usize).copied().flatten();
        known.unwrap_or_else(|| self.learn_local_steps(process, me))
    }

    /// What can be taken out of an inbox.
    #[inline]
    pub(super) fn open(&mut self, inbox: u32) -> Span {
        let known = self.known.open[inbox as usize];
        known.unwrap_or_else(|| self.learn_open(inbox))
    }

    /// What comes of a message that a process takes, by its number among all steps.
    #[inline]
    pub(super) fn heard(&mut self, process: u32, me: NodeId, message: u32) -> u32 {
        let known = self.known.heard.get(&(process, message)).copied();
        known.unwrap_or_else(|| self.learn_heard(process, me, message))
    }

    /// An inbox with a copy of a message next to it.
    pub(super) fn doubled(&mut self, inbox: u32, message: u32) -> u32 {
        let mut messages = self.known.inboxes.value(inbox).to_vec();
        let place = messages.iter().position(|&other| other == message).unwrap_or(0);
        messages.insert(place, message);
        self.inbox(messages)
    }

    /// What can be done by a process by itself, which is not known yet.
    #[cold]
    fn learn_local_steps(&mut self, process: u32, me: NodeId) -> Span {
        let local_steps = self.parts.local_steps(process, me);
        let count = local_steps.len();
        for local_step in local_steps {
            let step = self.known.keep(local_step.step);
            self.known.acts.push(Act { kind: local_step.kind, step });
            self.choices.push(local_step.choice);
        }
        let span = Span::last(count, self.known.acts.len());
        let all = &mut self.known.local_steps;
        all.resize(all.len().max(process as usize + 1), None);
        all[process as usize] = Some(span);
        span
    }

    /// What comes of a message that a process takes, which is not known yet.
    #[cold]
    fn learn_heard(&mut self, process: u32, me: NodeId, message: u32) -> u32 {
        let step = self.parts.hear(process, me, message);
        let step = self.known.keep(step);
        self.known.heard.insert((process, message), step);
        step
    }

    /// The messages that can be taken out of an inbox: the first of each sender, or any.
    #[cold]
    fn learn_open(&mut self, inbox: u32) -> Span {
        let messages = self.known.inboxes.value(inbox).to_vec();
        let mut found: Vec<Open> = Vec::new();
        for (place, &message) in messages.iter().enumerate() {
            if !self.is_behind(message, &messages[..place]) {
                let mut rest = messages.clone();
                rest.remove(place);
                self.tidy(&mut rest);
                found.push(Open { message, rest: self.inbox(rest) });
            }
        }
        self.known.opened.extend_from_slice(&found);
        let span = Span::last(found.len(), self.known.opened.len());
        self.known.open[inbox as usize] = Some(span);
        span
    }

    /// Whether a message waits for one of these, which are before it in an inbox. What is told of a process passes its
    /// messages, and none of those that it sends later passes what is told of it.
    fn is_behind(&self, message: u32, before: &[u32]) -> bool {
        let sender = self.parts.sender(message);
        let mut same = before.iter().filter(|&&other| self.parts.sender(other) == sender);
        if self.is_tiding(message) {
            same.any(|&other| self.is_tiding(other))
        } else if self.environment.fifo {
            same.next().is_some()
        } else {
            same.any(|&other| other == message || self.is_tiding(other))
        }
    }

    pub(super) fn inbox(&mut self, messages: Vec<u32>) -> u32 {
        let (inbox, new) = self.known.inboxes.intern(messages.into());
        if new {
            self.known.open.push(None);
        }
        inbox
    }

    /// An inbox with one message more, if its link has room: after those of its sender, or in a place of its own where
    /// order is nothing.
    #[inline]
    pub(super) fn put(&mut self, inbox: u32, message: u32) -> u32 {
        if let Some(&after) = self.known.put.get(&(inbox, message)) {
            return after;
        }
        let mut messages = self.known.inboxes.value(inbox).to_vec();
        let sender = self.parts.sender(message);
        let after = if !self.is_tiding(message) && self.environment.is_full(|| self.count_of(&messages, sender)) {
            inbox
        } else {
            let place = if self.environment.fifo {
                messages.partition_point(|&other| self.parts.sender(other) <= sender)
            } else if self.environment.tells() {
                messages.len()
            } else {
                messages.partition_point(|&other| other <= message)
            };
            messages.insert(place, message);
            self.tidy(&mut messages);
            self.inbox(messages)
        };
        self.known.put.insert((inbox, message), after);
        after
    }

    /// How many of these messages are from this sender.
    fn count_of(&self, messages: &[u32], sender: NodeId) -> usize {
        let is_from = |message: u32| self.parts.sender(message) == sender && !self.is_tiding(message);
        messages.iter().filter(|&&message| is_from(message)).count()
    }
}
