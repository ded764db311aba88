//! The system of processes and links. Its states are rows of numbers. The first time that a step occurs, [`Parts`]
//! computes the step, and the system stores the result.

use std::ops::Range;

use interlock_algorithm::configuration::Refusal;
use interlock_algorithm::{LockId, NodeId, View};

use super::arrival::Brought;
use super::beginning::Beginnings;
use super::environment::{Environment, TimerPolicy};
use super::in_transit::InTransit;
use super::known::{Act, EMPTY, Known, Open, Span};
use super::marks::Marks;
use super::moves::Move;
use super::parts::{Facts, Parts};
use interlock_model::choice::Choice;
use interlock_observation::state::Capacities;

/// The system. A state contains a number for each process with its inbox, and a number for the remaining budgets.
pub(super) struct System<'a> {
    environment: &'a Environment,
    nodes: u32,
    pub(super) parts: Box<dyn Parts + 'a>,
    capacities: Capacities,
    beginnings: Beginnings,
    instantaneous: bool,
    /// Whether the order of timestamps is checked.
    pub(super) timestamps: bool,
    pub(super) known: Known,
    /// For each known local step, the action of a schedule that executes it; none if no schedule can express it.
    choices: Vec<Option<Choice>>,
    /// Number of states after which one state is treated as if it had no successors. This is a deliberate error,
    /// which tests must find.
    #[cfg(test)]
    pub(super) passes_over_after: Option<u64>,
}

impl<'a> System<'a> {
    /// Creates the system.
    ///
    /// # Errors
    /// Returns an error if the algorithm does not support the environment.
    pub fn new(environment: &'a Environment, nodes: u32, mut parts: Box<dyn Parts + 'a>) -> Result<Self, Refusal> {
        let mut known = Known::new(environment);
        Ok(Self {
            environment,
            nodes,
            instantaneous: parts.is_instantaneous(),
            timestamps: false,
            capacities: parts.capacities(),
            beginnings: Beginnings::of(&mut *parts, environment, nodes, &mut known)?,
            parts,
            known,
            choices: Vec::new(),
            #[cfg(test)]
            passes_over_after: None,
        })
    }

    /// Returns how many numbers a state contains.
    pub const fn width(&self) -> usize {
        self.nodes as usize + 1
    }

    /// Returns the number of nodes.
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Returns the number of initial states, in which every process has taken its first step.
    pub fn beginnings(&self) -> u64 {
        self.beginnings.count()
    }

    /// Returns the initial state with this number, in which every process has taken its first step. Also returns the
    /// messages that were sent in these steps, each with its sender and receiver.
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

    /// Returns the facts about each process in a state, in the order of the nodes.
    pub fn facts<'s>(&'s self, state: &'s [u32]) -> impl Iterator<Item = &'s Facts> {
        let pairs = &state[..self.nodes as usize];
        pairs.iter().map(|&pair| self.parts.facts(self.known.pairs.value(pair).0))
    }

    /// Returns the marks of a state: the union of the marks of its processes.
    pub fn marks(&mut self, state: &[u32]) -> Marks {
        let Self { known: Known { pairs, marks, .. }, parts, nodes, .. } = self;
        state[..*nodes as usize].iter().fold(Marks::ANY_STATE, |all, &pair| {
            while let Some(new) = u32::try_from(marks.len()).ok().filter(|new| *new <= pair) {
                marks.push(parts.facts(pairs.value(new).0).marks);
            }
            all.with(marks[pair as usize])
        })
    }

    /// Passes a state to the callback that receives every state.
    pub fn look(&self, state: &[u32]) {
        let pairs = &state[..self.nodes as usize];
        self.parts.look(&mut pairs.iter().map(|&pair| self.known.pairs.value(pair).0));
    }

    /// Returns the number of privileges in a state, or none if the algorithm does not define privileges.
    pub fn privileges(&self, state: &[u32]) -> Option<usize> {
        let (processes, in_transit) = self.apart(state);
        self.parts.privileges(&processes, &in_transit)
    }

    /// Returns the processes of a state in the order of the nodes, and the messages in transit. The messages have
    /// their receivers, and are in the order of the inboxes.
    fn apart(&self, state: &[u32]) -> (Vec<u32>, Vec<(NodeId, u32)>) {
        let (mut processes, mut in_transit) = (Vec::new(), Vec::new());
        for (me, &pair) in NodeId::all(self.nodes).zip(state) {
            let &(process, inbox) = self.known.pairs.value(pair);
            processes.push(process);
            in_transit.extend(self.known.inboxes.value(inbox).iter().map(|&message| (me, message)));
        }
        (processes, in_transit)
    }

    /// Returns the processes of a state, in the order of the nodes, and the messages in transit, all in the form
    /// that users see.
    pub fn seen(&self, state: &[u32]) -> (Vec<View>, Vec<InTransit>) {
        let (processes, in_transit) = self.apart(state);
        let views = NodeId::all(self.nodes).zip(processes).map(|(me, process)| self.parts.view(process, me)).collect();
        let messages = in_transit.into_iter().filter(|&(_, message)| !self.is_notice(message));
        let in_transit = messages.map(|(to, message)| self.in_transit(to, message)).collect();
        (views, in_transit)
    }

    /// Returns a message to a node in the form that users see.
    pub fn in_transit(&self, to: NodeId, message: u32) -> InTransit {
        InTransit { from: self.parts.sender(message), to, message: self.parts.message(message) }
    }

    /// Returns the environment.
    pub const fn environment(&self) -> &'a Environment {
        self.environment
    }

    /// Returns how many processes may be in the critical section of each lock.
    pub const fn capacities(&self) -> &Capacities {
        &self.capacities
    }

    /// Returns whether messages are received in the instant in which they are sent.
    pub const fn is_instantaneous(&self) -> bool {
        self.instantaneous
    }

    /// Returns the processes of a state, each with its inbox, in the order of the nodes.
    pub fn pairs<'s>(&self, state: &'s [u32]) -> &'s [u32] {
        &state[..self.nodes as usize]
    }

    /// Returns whether the waiting request of a node for a lock has arrived: no message in transit carries it, and
    /// the node is through its doorway.
    pub fn has_arrived(&self, state: &[u32], node: NodeId, lock: LockId) -> bool {
        let waits = self.facts(state).nth(node.index()).map_or(&[][..], |facts| &facts.waits);
        let Some(waits) = waits.iter().find(|waits| waits.lock == lock) else { return false };
        let request = Brought { of: node, number: waits.number };
        let brings = |&message: &u32| self.parts.brings(message) == Some(request);
        let inboxes = || self.pairs(state).iter().map(|&pair| self.known.inboxes.value(self.known.pairs.value(pair).1));
        waits.is_through() && !inboxes().any(|inbox| inbox.iter().any(brings))
    }

    /// Returns the number of messages in transit to these processes.
    pub fn messages(&self, pairs: &[u32]) -> usize {
        pairs.iter().map(|&pair| self.known.inboxes.value(self.known.pairs.value(pair).1).len()).sum()
    }

    /// Returns whether, in a state, a timer is set that cannot expire because the budget for timers is used up.
    pub fn is_out_of_time(&self, state: &[u32]) -> bool {
        let spent = self.known.budgets.value(state[state.len() - 1]).timers == 0;
        let impatient = matches!(self.environment.timers, TimerPolicy::AnyTime(_));
        impatient && spent && self.facts(state).any(|facts| facts.timers)
    }

    /// Returns the approximate memory that the parts and the stored results occupy, in bytes.
    pub fn memory(&self) -> usize {
        self.parts.memory() + self.known.memory() + self.choices.len() * size_of::<Option<Choice>>()
    }

    /// Returns the messages that a move sends, in order, each with its receiver.
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

    /// Returns the action of a schedule for a local step of a node in a state.
    pub fn choice(&mut self, state: &[u32], node: NodeId, place: usize) -> Option<Choice> {
        let at = self.places(state, node).nth(place)?;
        self.choices[at].clone()
    }

    /// Returns the range of a node's local steps in the list of known local steps.
    pub(super) fn places(&mut self, state: &[u32], node: NodeId) -> Range<usize> {
        let (process, _) = self.known.pair(state, node);
        self.local_steps(process, node).range()
    }

    /// Returns the range of the local steps of a process. If they are not known, computes them.
    #[inline]
    pub(super) fn local_steps(&mut self, process: u32, me: NodeId) -> Span {
        let known = self.known.local_steps.get(process as usize).copied().flatten();
        known.unwrap_or_else(|| self.learn_local_steps(process, me))
    }

    /// Returns the range of the messages that can be received from an inbox. If they are not known, computes them.
    #[inline]
    pub(super) fn open(&mut self, inbox: u32) -> Span {
        let known = self.known.open[inbox as usize];
        known.unwrap_or_else(|| self.learn_open(inbox))
    }

    /// Returns the number of the step in which a process receives a message. If the step is not known, computes it.
    #[inline]
    pub(super) fn heard(&mut self, process: u32, me: NodeId, message: u32) -> u32 {
        let known = self.known.heard.get(&(process, message)).copied();
        known.unwrap_or_else(|| self.learn_heard(process, me, message))
    }

    /// Returns an inbox in which a message is duplicated. The duplicate is next to the message.
    pub(super) fn doubled(&mut self, inbox: u32, message: u32) -> u32 {
        let mut messages = self.known.inboxes.value(inbox).to_vec();
        let place = messages.iter().position(|&other| other == message).unwrap_or(0);
        messages.insert(place, message);
        self.inbox(messages)
    }

    /// Computes and stores the local steps of a process.
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

    /// Computes and stores the step in which a process receives a message.
    #[cold]
    fn learn_heard(&mut self, process: u32, me: NodeId, message: u32) -> u32 {
        let step = self.parts.hear(process, me, message);
        let step = self.known.keep(step);
        self.known.heard.insert((process, message), step);
        step
    }

    /// Computes and stores the messages that can be received from an inbox. If links preserve the order of messages,
    /// this is the first message of each sender, and otherwise any message.
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

    /// Returns whether a message in an inbox cannot be received before one of the messages in front of it. A notice
    /// about a process overtakes the messages of that process. A message that the process sends later does not
    /// overtake the notice.
    fn is_behind(&self, message: u32, before: &[u32]) -> bool {
        let sender = self.parts.sender(message);
        let mut same = before.iter().filter(|&&other| self.parts.sender(other) == sender);
        if self.is_notice(message) {
            same.any(|&other| self.is_notice(other))
        } else if self.environment.fifo {
            same.next().is_some()
        } else {
            same.any(|&other| other == message || self.is_notice(other))
        }
    }

    pub(super) fn inbox(&mut self, messages: Vec<u32>) -> u32 {
        let (inbox, new) = self.known.inboxes.intern(messages.into());
        if new {
            self.known.open.push(None);
        }
        inbox
    }

    /// Returns an inbox with a message added, or the unchanged inbox if the link of the message is full. The message is
    /// put behind the messages of its sender. If the order of messages does not matter, the message is put in a
    /// canonical position.
    #[inline]
    pub(super) fn put(&mut self, inbox: u32, message: u32) -> u32 {
        if let Some(&after) = self.known.put.get(&(inbox, message)) {
            return after;
        }
        let mut messages = self.known.inboxes.value(inbox).to_vec();
        let sender = self.parts.sender(message);
        let after = if !self.is_notice(message) && self.environment.is_full(|| self.count_of(&messages, sender)) {
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

    /// Returns how many of these messages are from this sender. Notices do not count.
    fn count_of(&self, messages: &[u32], sender: NodeId) -> usize {
        let is_from = |message: u32| self.parts.sender(message) == sender && !self.is_notice(message);
        messages.iter().filter(|&&message| is_from(message)).count()
    }
}
