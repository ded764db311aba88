//! The loop of discrete events: the earliest thing happens, and what follows from it is put in its place.

use std::collections::VecDeque;

use interlock_algorithm::{Algorithm, LockUse, Message, NodeId, Outcome, Recipients, Ticks};
use interlock_machine::client::ClientContext;
use interlock_machine::followed::{Consequence, Followed};
use interlock_machine::node::{Context, NodeInput};
use interlock_machine::recipients::recipients;
use interlock_machine::wire::{TELL, TimerName, Told};

use super::Simulation;
use super::observer::Observer;
use super::process::{Process, Status, Withheld};
use super::report::{Cut, Report};
use super::telling::{Cause, json};
use super::timers::{Deadline, Timers};
use crate::event::StepId;
use crate::network::{Arrival, InFlight, Network};
use crate::specification::Scripted;

/// What the network of a simulation carries.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content<M> {
    /// A message of the algorithm.
    Protocol(M),
    /// A message of the application.
    Told(Told),
}

/// A run in virtual time.
pub(super) struct Engine<'a, A: Algorithm, O> {
    pub(super) simulation: &'a Simulation,
    pub(super) setting: &'a A::Setting,
    pub(super) now: Ticks,
    pub(super) processes: Vec<Process<A>>,
    pub(super) network: Network<Content<A::Message>>,
    pub(super) observer: O,
    /// How many commands the script has given.
    pub(super) commands: u64,
    /// How many rounds the clients may still begin by themselves.
    pub(super) requests_left: Option<u64>,
    pub(super) report: Report,
    /// How many processes want the section or are in it.
    pub(super) engaged: usize,
    script: std::vec::IntoIter<Scripted>,
    timers: Timers,
    /// With composite atomicity: what is to be read before anything else happens.
    at_once: VecDeque<InFlight<Content<A::Message>>>,
    instantaneous: bool,
    background: bool,
    /// How many steps there had been when there was progress last.
    progress_at: u64,
    // Cleared and used again in each step.
    followed: Followed<A>,
}

impl<'a, A: Algorithm, O: Observer> Engine<'a, A, O> {
    pub fn new(simulation: &'a Simulation, setting: &'a A::Setting, observer: O) -> Self {
        let specification = &simulation.specification;
        let nodes = NodeId::all(specification.nodes);
        let client_context = ClientContext::of::<A>(setting, specification.locks);
        Self {
            setting,
            now: 0,
            processes: nodes.map(|me| Process::new(setting, me, specification, client_context)).collect(),
            network: Network::new(specification),
            observer,
            commands: 0,
            requests_left: simulation.entries,
            report: Report::default(),
            engaged: 0,
            script: in_order(simulation).into_iter(),
            timers: Timers::default(),
            at_once: VecDeque::new(),
            instantaneous: A::is_instantaneous(setting),
            background: !A::ENTRY.background_kinds.is_empty(),
            progress_at: 0,
            followed: Followed::default(),
            simulation,
        }
    }

    /// Runs to the end.
    pub fn run(mut self) -> Report {
        self.begin();
        while self.report.cut.is_none() && self.advance() {}
        if self.report.cut.is_none() && !self.has_only_background() {
            self.observer.settle(self.now, 0);
        }
        self.tell_end();
        self.report.ended_at = self.now;
        self.report.engaged = self.engaged;
        self.report.rounds = self.processes.iter().map(|process| process.node.client().rounds()).sum();
        self.observer.report(&mut self.report);
        self.report
    }

    fn begin(&mut self) {
        self.tell_beginning();
        for node in NodeId::all(self.simulation.specification.nodes) {
            self.perform(node, NodeInput::Start, Cause::Start);
        }
    }

    /// Lets the earliest thing happen; false if there is nothing left to happen.
    fn advance(&mut self) -> bool {
        if let Some(cut) = self.too_long() {
            self.report.cut = Some(cut);
            return false;
        }
        if let Some(in_flight) = self.at_once.pop_front() {
            self.deliver(in_flight);
            return true;
        }
        if self.background && self.has_only_background() {
            return false;
        }
        let message = self.network.next_due_us();
        let timer = self.next_timer();
        let scripted = self.script.as_slice().first().map(|scripted| scripted.at.0);
        let Some(next) = earliest(earliest(scripted, message), timer) else { return false };
        if self.simulation.until.is_some_and(|until| next > until) {
            self.report.cut = Some(Cut::Time);
            return false;
        }
        // What is scripted for a time that has passed happens now.
        self.now = self.now.max(next);
        if scripted == Some(next) {
            if let Some(Scripted { action, .. }) = self.script.next() {
                self.act(&action);
                self.observer.settle(self.now, self.script.as_slice().len());
            }
        } else if message == Some(next) {
            self.arrive();
        } else {
            self.run_out();
        }
        true
    }

    /// When the next timer runs out. What is left of cancelled ones is swept away: it must not let time pass.
    fn next_timer(&mut self) -> Option<Ticks> {
        while let Some(deadline) = self.timers.first() {
            if self.awaits(&deadline) {
                return Some(deadline.due);
            }
            self.timers.pop();
        }
        None
    }

    #[inline]
    fn awaits(&self, deadline: &Deadline) -> bool {
        let node = &self.processes[deadline.node.index()].node;
        node.incarnation() == deadline.incarnation && node.timers().awaits(deadline.setting)
    }

    /// Whether it has taken too many steps, in all or since there was progress last.
    #[inline]
    const fn too_long(&self) -> Option<Cut> {
        let Simulation { most_steps, most_steps_without_progress, .. } = self.simulation;
        if self.report.steps >= *most_steps {
            Some(Cut::Steps)
        } else if self.report.steps - self.progress_at >= *most_steps_without_progress {
            Some(Cut::NoProgress)
        } else {
            None
        }
    }

    /// Whether nothing is left but a token that circles although nobody wants anything.
    fn has_only_background(&self) -> bool {
        self.background && self.engaged == 0 && self.script.as_slice().is_empty() && !self.asks_again()
    }

    /// Whether some client will ask by itself.
    fn asks_again(&self) -> bool {
        self.simulation.specification.timers && self.processes.iter().any(Process::awaits_its_client)
    }

    #[inline]
    fn arrive(&mut self) {
        match self.network.arrival(self.now) {
            Some(Arrival::HandOver(in_flight)) => self.deliver(in_flight),
            Some(Arrival::Cut(message)) => self.tell_dropped(message, crate::event::DropReason::Partition),
            None => {}
        }
    }

    #[inline]
    pub(super) fn deliver(&mut self, in_flight: InFlight<Content<A::Message>>) {
        let node = in_flight.id.to;
        match self.processes[node.index()].status {
            Status::Running => self.take(node, in_flight),
            Status::Paused => self.processes[node.index()].withheld.push_back(Withheld::Message(in_flight)),
            Status::Crashed => self.tell_dropped(in_flight.id, crate::event::DropReason::Crashed),
        }
    }

    #[inline]
    pub(super) fn take(&mut self, node: NodeId, in_flight: InFlight<Content<A::Message>>) {
        let InFlight { id, content } = in_flight;
        match content {
            Content::Protocol(message) => {
                let cause = Cause::Message { id, kind: message.kind() };
                self.perform(node, NodeInput::Message { from: id.from, message }, cause);
            }
            Content::Told(told) => self.perform(node, NodeInput::Told(told), Cause::Message { id, kind: TELL }),
        }
    }

    fn run_out(&mut self) {
        let Some(deadline) = self.timers.pop().filter(|deadline| self.awaits(deadline)) else { return };
        let node = deadline.node;
        let process = &mut self.processes[node.index()];
        let Some(name) = process.node.timers_mut().expire(deadline.setting) else { return };
        if process.status == Status::Paused {
            process.withheld.push_back(Withheld::Timer(name));
        } else {
            self.perform(node, NodeInput::Timer(name), Cause::Timer(name));
        }
    }

    /// One step of a node: it takes the input, and what follows from it is done.
    pub(super) fn perform(&mut self, node: NodeId, input: NodeInput<A>, cause: Cause<A::Timer>) {
        let process = &mut self.processes[node.index()];
        let specification = &self.simulation.specification;
        let context = Context {
            setting: self.setting,
            seed: specification.seed,
            timers: specification.timers,
            exhausted: self.requests_left == Some(0),
            now_us: self.now,
        };
        let mut followed = std::mem::take(&mut self.followed);
        let mut setting = process.node.timers().settings();
        let taken = process.node.take(&context, input, &mut followed);
        self.report.steps += 1;
        let at = StepId { node, incarnation: process.node.incarnation(), step: process.node.step() };
        match taken {
            Ok(()) => self.follow(at, cause, &mut setting, &mut followed),
            Err(detail) => self.tell_refusal(at, cause, &detail),
        }
        followed.clear();
        self.followed = followed;
    }

    /// Tells what a node was given, and does what follows for others.
    #[inline]
    fn follow(&mut self, at: StepId, cause: Cause<A::Timer>, setting: &mut u64, followed: &mut Followed<A>) {
        let begins = matches!(cause, Cause::Timer(TimerName::Client(timer)) if timer.begins_a_round());
        if let (true, Some(left)) = (begins && followed.is_commanded(), &mut self.requests_left) {
            *left -= 1;
        }
        // What the application told may have made the client order something that the algorithm objects to.
        let told = if let Cause::Message { id, .. } = &cause { Some(*id) } else { None };
        if O::WATCHES {
            self.tell_input(at, cause, followed.reasons());
        }
        followed.drain().for_each(|consequence| self.bring_about(at, setting, consequence));
        if let Some(objection) = followed.objection() {
            self.tell_objection(at, told, objection);
        }
    }

    #[inline]
    fn bring_about(
        &mut self,
        at: StepId,
        setting: &mut u64,
        consequence: Consequence<A::Message, A::Timer, A::Stored, Outcome>,
    ) {
        match consequence {
            Consequence::Send { to, message } => self.send(at, to, message),
            Consequence::Tell { to, told } => self.tell(at, to, told),
            Consequence::SetTimer { timer, delay_us } => self.set(at, setting, timer, delay_us),
            Consequence::CancelTimer { timer } => self.tell_cancelled(at, timer),
            Consequence::Store(stored) => {
                self.tell_stored(at, &stored);
                self.processes[at.node.index()].stored = Some(stored);
            }
            Consequence::Outcome(outcome) => self.come_about(at, outcome),
        }
    }

    /// A node has set a timer, by its next setting.
    fn set(&mut self, at: StepId, setting: &mut u64, name: TimerName<A::Timer>, delay: Ticks) {
        // Where the nodes' own timers are switched off they are told, and never run out by themselves.
        if self.simulation.specification.timers {
            self.timers.set(at.node, at.incarnation, *setting, self.now.saturating_add(delay));
        }
        *setting += 1;
        self.tell_armed(at, name, delay);
    }

    /// The application of a node tells another something.
    fn tell(&mut self, at: StepId, to: NodeId, told: Told) {
        let accepted = self.network.accept(self.now, at.node, to, TELL, Content::Told(told));
        if O::WATCHES {
            self.tell_sent(at, &accepted, TELL, json(&told));
        }
    }

    fn come_about(&mut self, at: StepId, outcome: Outcome) {
        let process = &mut self.processes[at.node.index()];
        let was_engaged = process.engaged > 0;
        match outcome {
            Outcome::Requested { request, .. } => {
                process.asked = process.asked.max(request.0);
                process.engaged += 1;
            }
            Outcome::Entered { request, .. } => {
                if std::mem::replace(&mut process.latest, request.0) != request.0 {
                    self.progress_at = self.report.steps;
                }
                self.report.entries += 1;
            }
            Outcome::Elected { .. } | Outcome::Decided { .. } if A::ENTRY.locks == LockUse::None => {
                self.progress_at = self.report.steps;
            }
            Outcome::Exited { .. } => process.engaged = process.engaged.saturating_sub(1),
            Outcome::Aborted { .. } => process.engaged = 0,
            _ => {}
        }
        self.engaged = self.engaged + usize::from(process.engaged > 0) - usize::from(was_engaged);
        self.tell_outcome(at, outcome);
    }

    #[inline]
    fn send(&mut self, at: StepId, to: Recipients, message: A::Message) {
        self.report.transmissions += 1;
        self.observer.transmit();
        let (setting, nodes) = (self.setting, self.simulation.specification.nodes);
        let mut others = recipients::<A>(setting, at.node, nodes, to).peekable();
        while let Some(other) = others.next() {
            if others.peek().is_none() {
                return self.send_one(at, other, message);
            }
            self.send_one(at, other, message.clone());
        }
    }

    #[inline]
    fn send_one(&mut self, at: StepId, to: NodeId, message: A::Message) {
        self.report.messages += 1;
        let kind = message.kind();
        let body = O::WATCHES.then(|| self.body(&message));
        let content = Content::Protocol(message);
        if self.instantaneous {
            let id = self.network.name(at.node, to);
            self.at_once.push_back(InFlight { id, content });
            self.tell_sent_at_once(at, id, kind, body);
        } else {
            let accepted = self.network.accept(self.now, at.node, to, kind, content);
            if let Some(body) = body {
                self.tell_sent(at, &accepted, kind, body);
            }
        }
    }
}

/// What is done to a run, in the order of time.
fn in_order(simulation: &Simulation) -> Vec<Scripted> {
    let mut script: Vec<Scripted> = simulation.specification.script.iter().chain(&simulation.script).cloned().collect();
    script.sort_by_key(|scripted| scripted.at);
    script
}

fn earliest(one: Option<Ticks>, other: Option<Ticks>) -> Option<Ticks> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
