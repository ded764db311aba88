//! Effects of a node's step on the rest of the world.

use std::rc::Rc;

use interlock_algorithm::{LockUse, NodeId, Outcome, Ticks};
use interlock_machine::application::{TELL, Told};
use interlock_machine::channel::{Packet, Said};
use interlock_machine::detector::{HEARTBEAT, Heartbeat};
use interlock_machine::recipients::Receivers;

use super::content::{Content, Parcel, json, kind_of_packet};
use super::kernel::Kernel;
use interlock_model::event::{Json, StepId, TimerLabel, What};
use interlock_model::network::InFlight;

impl Kernel<'_> {
    /// Counts a round that a client has begun without an order.
    pub(super) const fn count_round(&mut self) {
        if let Some(left) = &mut self.rounds_left {
            *left -= 1;
        }
    }

    /// Records that a node has set a timer. `setting` is the setting number of this timer: the number of timers that
    /// the node had set before.
    pub(super) fn set(&mut self, at: StepId, setting: u64, timer: TimerLabel, delay_us: Ticks) {
        // If the nodes' own timers are switched off, events still report each timer, but a timer expires only by an
        // action.
        if self.specification.timers {
            self.calendar.set(at.node, at.incarnation, setting, self.now.saturating_add(delay_us));
        }
        if self.is_observed() {
            self.emit(What::Armed { at, timer, delay_us });
        }
    }

    /// Emits the event that a node has cancelled a timer.
    pub(super) fn cancelled(&mut self, at: StepId, timer: TimerLabel) {
        if self.is_observed() {
            self.emit(What::Cancelled { at, timer });
        }
    }

    /// Sends a message of a node's application to another node.
    pub(super) fn tell(&mut self, at: StepId, to: NodeId, told: Told) {
        let accepted = self.network.accept(self.now, at.node, to, TELL, Content::Told(Box::new(told)));
        if self.is_observed() {
            self.emit_sent(at, &accepted, TELL, json(&told));
        }
    }

    /// Sends a heartbeat of a node to all other nodes.
    #[cold]
    pub(super) fn beat(&mut self, at: StepId, heartbeat: Heartbeat) {
        for to in NodeId::all(self.specification.nodes).filter(|to| *to != at.node) {
            let accepted = self.network.accept(self.now, at.node, to, HEARTBEAT, Content::Heartbeat(heartbeat));
            self.emit_sent(at, &accepted, HEARTBEAT, json(&heartbeat));
        }
    }

    pub(super) fn come_about(&mut self, at: StepId, outcome: Outcome) {
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
            Outcome::Elected { .. } | Outcome::Decided { .. } if self.entry.locks == LockUse::None => {
                self.counts.steps_at_progress = self.counts.steps;
            }
            Outcome::Exited { .. } => process.engaged = process.engaged.saturating_sub(1),
            Outcome::Aborted { .. } => process.engaged = 0,
            _ => {}
        }
        self.engaged = self.engaged + usize::from(process.engaged > 0) - usize::from(was_engaged);
        self.emit_outcome(at, outcome);
    }

    /// Sends a packet of a node's channel to another node.
    #[cold]
    pub(super) fn transmit(&mut self, at: StepId, to: NodeId, packet: Packet<Parcel>) {
        let kind = kind_of_packet(&packet);
        let header = match &packet {
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
        let body = match &packet {
            Packet::Data { said: Said::Protocol(message), .. } => self.is_observed().then(|| self.body(message)),
            Packet::Data { said: Said::Told(told), .. } => self.is_observed().then(|| json(told)),
            Packet::Acknowledgement(acknowledgement) => self.is_observed().then(|| json(acknowledgement)),
        };
        let content = Content::Packet(Box::new(packet));
        let accepted = match header {
            Some(header) => self.network.accept_on_a_channel(self.now, at.node, to, kind, content, header),
            None => self.network.accept(self.now, at.node, to, kind, content),
        };
        if let Some(body) = body {
            self.emit_sent(at, &accepted, kind, body);
        }
    }

    /// Sends a message of the kind `kind` from a node to all receivers.
    pub(super) fn send(&mut self, at: StepId, mut receivers: Receivers<'_>, kind: &'static str, message: Parcel) {
        let counted = self.counted(kind);
        self.counts.transmissions += counted;
        if let Some(observer) = &mut self.observer {
            observer.transmit();
        }
        let body = self.is_observed().then(|| self.body(&message));
        let mut next = receivers.next();
        while let Some(to) = next {
            next = receivers.next();
            self.counts.messages += counted;
            if next.is_none() {
                return self.send_one(at, to, kind, message, body);
            }
            self.send_one(at, to, kind, Rc::clone(&message), body.clone());
        }
    }

    /// Sends a forged message: the algorithm of the apparent sender did not send it. In the events, the message
    /// belongs to the latest step of the apparent sender.
    pub(super) fn forge(&mut self, at: StepId, to: NodeId, message: Parcel) {
        let (kind, body) = (message.name_of_kind(), self.is_observed().then(|| self.body(&message)));
        self.counts.messages += self.counted(kind);
        self.send_one(at, to, kind, message, body);
    }

    /// Sends a message of the kind `kind` from a node to another node. Emits the event only if `body` contains the
    /// fields of the message.
    #[inline(always)]
    pub(super) fn send_one(&mut self, at: StepId, to: NodeId, kind: &'static str, message: Parcel, body: Option<Json>) {
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

    /// Returns 1 if messages of the kind `kind` count as messages of the algorithm. Repair messages do not count.
    #[inline(always)]
    fn counted(&self, kind: &'static str) -> u64 {
        u64::from(self.entry.repair_kinds.is_empty() || !self.entry.repair_kinds.contains(&kind))
    }
}
