//! A step of a node, and what follows from it for others.

use interlock_algorithm::{Algorithm, LockUse, Message, NodeId, Outcome, Recipients, Ticks};
use interlock_machine::channel::{Packet, Said};
use interlock_machine::detector::{HEARTBEAT, Heartbeat};
use interlock_machine::followed::{Consequence, Followed};
use interlock_machine::node::{Context, NodeInput};
use interlock_machine::recipients::recipients;
use interlock_machine::wire::{TELL, TimerName, Told};

use super::emit::{Cause, json};
use super::{Content, World};
use crate::event::{StepId, What};
use crate::network::InFlight;

impl<A: Algorithm> World<'_, A> {
    #[inline(always)]
    pub(super) fn take(&mut self, node: NodeId, in_flight: InFlight<Content<A::Message>>) {
        let InFlight { id, content } = in_flight;
        match content {
            Content::Protocol(message) => {
                let cause = Cause::Message { id, kind: message.kind() };
                self.perform(node, NodeInput::Message { from: id.from, message }, cause);
            }
            Content::Packet(packet) => {
                let cause = Cause::Message { id, kind: packet.kind() };
                self.perform(node, NodeInput::Packet { from: id.from, id, packet }, cause);
            }
            Content::Told(told) => self.perform(node, NodeInput::Told(told), Cause::Message { id, kind: TELL }),
            Content::Heartbeat(heartbeat) => {
                let input = NodeInput::Heartbeat { from: id.from, heartbeat };
                self.perform(node, input, Cause::Message { id, kind: HEARTBEAT });
            }
        }
    }

    /// One step of a node: it takes the input, and what follows from it is done.
    pub(super) fn perform(&mut self, node: NodeId, input: NodeInput<A>, cause: Cause<A::Timer>) {
        let process = &mut self.processes[node.index()];
        let context = Context {
            setting: self.setting,
            nodes: self.specification.nodes,
            seed: self.specification.seed,
            channel: self.channel,
            detector: self.detector,
            timers: self.specification.timers,
            exhausted: self.rounds_left == Some(0),
            now_us: self.now,
        };
        let mut followed = self.followed.take().unwrap_or_default();
        let mut setting = process.node.timers().settings();
        let taken = process.node.take(&context, input, &mut followed);
        self.counts.steps += 1;
        let at = StepId { node, incarnation: process.node.incarnation(), step: process.node.step() };
        match taken {
            Ok(()) => self.follow(at, cause, &mut setting, &mut followed),
            Err(detail) => self.emit_refusal(at, cause, &detail),
        }
        followed.clear();
        self.followed = Some(followed);
    }

    /// Tells what a node was given, and does what follows for others.
    #[inline(always)]
    fn follow(&mut self, at: StepId, cause: Cause<A::Timer>, setting: &mut u64, followed: &mut Followed<A>) {
        let begins = matches!(cause, Cause::Timer(TimerName::Client(timer)) if timer.begins_a_round());
        if let (true, Some(left)) = (begins && followed.is_commanded(), &mut self.rounds_left) {
            *left -= 1;
        }
        // What the application told may have made the client order something that the algorithm objects to.
        let told = if let Cause::Message { id, .. } = &cause { Some(*id) } else { None };
        if self.is_observed() {
            self.emit_input(at, cause, followed.reasons());
        }
        followed.take_out(|consequence| self.ensue(at, setting, consequence));
        if let Some(objection) = followed.objection() {
            self.emit_objection(at, told, objection);
        }
    }

    #[inline(always)]
    fn ensue(
        &mut self,
        at: StepId,
        setting: &mut u64,
        consequence: Consequence<A::Message, A::Timer, A::Stored, Outcome>,
    ) {
        match consequence {
            Consequence::Send { to, message } => self.send(at, to, message),
            Consequence::Transmit { to, packet } => self.transmit(at, to, packet),
            Consequence::Taken { message, kind } => self.emit_taken(at, message, kind),
            Consequence::Beat { heartbeat } => self.beat(at, heartbeat),
            Consequence::Suspected { whom } => self.emit(What::Suspected { at, whom }),
            Consequence::Trusted { whom } => self.emit(What::Trusted { at, whom }),
            Consequence::Tell { to, told } => self.tell(at, to, told),
            Consequence::SetTimer { timer, delay_us } => self.set(at, setting, timer, delay_us),
            Consequence::CancelTimer { timer } => self.emit_cancelled(at, timer),
            Consequence::Store(stored) => {
                self.emit_stored(at, &stored);
                self.processes[at.node.index()].stored = Some(stored);
            }
            Consequence::Outcome(outcome) => self.come_about(at, outcome),
        }
    }

    /// A node has set a timer, by its next setting.
    fn set(&mut self, at: StepId, setting: &mut u64, name: TimerName<A::Timer>, delay: Ticks) {
        // Where the nodes' own timers are switched off they are told, and never run out by themselves.
        if self.specification.timers {
            self.calendar.set(at.node, at.incarnation, *setting, self.now.saturating_add(delay));
        }
        *setting += 1;
        self.emit_armed(at, name, delay);
    }

    /// The application of a node tells another something.
    fn tell(&mut self, at: StepId, to: NodeId, told: Told) {
        let accepted = self.network.accept(self.now, at.node, to, TELL, Content::Told(told));
        if self.is_observed() {
            self.emit_sent(at, &accepted, TELL, json(&told));
        }
    }

    /// A node says to all others that it is alive.
    #[cold]
    fn beat(&mut self, at: StepId, heartbeat: Heartbeat) {
        for to in NodeId::all(self.specification.nodes).filter(|to| *to != at.node) {
            let accepted = self.network.accept(self.now, at.node, to, HEARTBEAT, Content::Heartbeat(heartbeat));
            self.emit_sent(at, &accepted, HEARTBEAT, json(&heartbeat));
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
                    self.counts.steps_at_progress = self.counts.steps;
                }
                self.counts.entries += 1;
            }
            Outcome::Elected { .. } | Outcome::Decided { .. } if A::ENTRY.locks == LockUse::None => {
                self.counts.steps_at_progress = self.counts.steps;
            }
            Outcome::Exited { .. } => process.engaged = process.engaged.saturating_sub(1),
            Outcome::Aborted { .. } => process.engaged = 0,
            _ => {}
        }
        self.engaged = self.engaged + usize::from(process.engaged > 0) - usize::from(was_engaged);
        self.emit_outcome(at, outcome);
    }

    /// The channel of a node sends something to another.
    #[cold]
    fn transmit(&mut self, at: StepId, to: NodeId, packet: Box<Packet<A::Message>>) {
        let kind = packet.kind();
        let header = match &*packet {
            Packet::Data { header, said } => {
                if !header.again && matches!(said, Said::Protocol(_)) {
                    self.counts.messages += 1;
                    self.counts.transmissions += 1;
                    self.observer.iter_mut().for_each(|observer| observer.transmit());
                }
                Some(*header)
            }
            Packet::Acknowledgement(_) => None,
        };
        let body = match &*packet {
            Packet::Data { said: Said::Protocol(message), .. } => self.is_observed().then(|| self.body(message)),
            Packet::Data { said: Said::Told(told), .. } => self.is_observed().then(|| json(told)),
            Packet::Acknowledgement(acknowledgement) => self.is_observed().then(|| json(acknowledgement)),
        };
        let content = Content::Packet(packet);
        let accepted = match header {
            Some(header) => self.network.accept_on_a_channel(self.now, at.node, to, kind, content, header),
            None => self.network.accept(self.now, at.node, to, kind, content),
        };
        if let Some(body) = body {
            self.emit_sent(at, &accepted, kind, body);
        }
    }

    #[inline(always)]
    fn send(&mut self, at: StepId, to: Recipients, message: A::Message) {
        self.counts.transmissions += u64::from(counts::<A>(&message));
        if let Some(observer) = &mut self.observer {
            observer.transmit();
        }
        let (setting, nodes) = (self.setting, self.specification.nodes);
        let mut others = recipients::<A>(setting, at.node, nodes, to).peekable();
        while let Some(other) = others.next() {
            if others.peek().is_none() {
                return self.send_one(at, other, message);
            }
            self.send_one(at, other, message.clone());
        }
    }

    #[inline(always)]
    pub(super) fn send_one(&mut self, at: StepId, to: NodeId, message: A::Message) {
        self.counts.messages += u64::from(counts::<A>(&message));
        let kind = message.kind();
        let body = self.is_observed().then(|| self.body(&message));
        let content = Content::Protocol(message);
        if self.instantaneous {
            let id = self.network.name(at.node, to);
            self.at_once.push_back(InFlight { id, content });
            self.emit_sent_at_once(at, id, kind, body);
        } else {
            let accepted = self.network.accept(self.now, at.node, to, kind, content);
            if let Some(body) = body {
                self.emit_sent(at, &accepted, kind, body);
            }
        }
    }
}

/// Whether a message counts as one of the algorithm: those that repair something do not.
#[inline(always)]
fn counts<A: Algorithm>(message: &A::Message) -> bool {
    A::ENTRY.repair_kinds.is_empty() || !A::ENTRY.repair_kinds.contains(&message.kind())
}
