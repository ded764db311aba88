//! Reports of nodes: their steps become events, and the messages that they send enter the network.

use axum::body::Bytes;
use interlock_algorithm::{NodeId, Outcome};
use interlock_machine::channel::Header;
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{Report, Step, StepEffect, StepInput, TimerName};
use serde_json::value::RawValue;

use super::core::Core;
use super::reports::Place;
use super::taken::Acquired;
use interlock_model::event::{Json, MessageKind, StepId, TimerLabel, What};
use interlock_model::network::{Accepted, Copied, Fate, Payload};
use interlock_observation::witness::ExpiryReport;

/// Reason why a report is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// The node has crashed, or the run has ended. Steps that were not reported before that do not count.
    #[error("the incarnation of the node is over")]
    Over,
    /// The report belongs to another incarnation than the present incarnation of the node.
    #[error("the report is from incarnation {0} of the node, which is in incarnation {1}")]
    OtherLife(u32, u32),
    /// Too many reports that precede the report are missing.
    #[error("report {0} is too far ahead: report {1} is missing")]
    Missing(u64, u64),
}

/// Error of a step with an input that the node did not receive.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum ForeignInput {
    #[error("it handled message {0}, which was not delivered to it")]
    Message(MessageId),
    #[error("it reported the expiry of a timer that the run had not fired")]
    Timer,
    #[error("it executed command {0}, which the run had not given it")]
    Command(u64),
    #[error("it reported unreadable input, but had received none")]
    Unreadable,
    #[error("it reported a start that the run had not ordered")]
    Start,
}

impl Core {
    /// Applies a node's report at once, or when all earlier reports have arrived. If the node repeats a report,
    /// the repetition is not applied.
    ///
    /// # Errors
    /// If the report belongs to another incarnation, or too many earlier reports are missing.
    pub fn take_report(&mut self, node: NodeId, report: &Report<&RawValue>, bytes: &Bytes) -> Result<(), ReportError> {
        let Some(end) = self.nodes.get(node) else { return Ok(()) };
        let incarnation = end.incarnation();
        if report.incarnation != incarnation {
            return Err(ReportError::OtherLife(report.incarnation, incarnation));
        }
        if self.is_over(node, incarnation) {
            return Err(ReportError::Over);
        }
        match self.nodes[node].reports.accept(report.batch, bytes) {
            Place::Next => {
                self.apply_report(node, report);
                self.apply_early(node);
            }
            Place::Other => {}
            Place::Altered => {
                self.misbehaved(node, format!("report {} arrived again with other content", report.batch));
            }
            Place::TooEarly(missing) => return Err(ReportError::Missing(report.batch, missing)),
        }
        self.deliver_due();
        self.settle();
        Ok(())
    }

    fn apply_early(&mut self, node: NodeId) {
        while let Some(bytes) = self.nodes[node].reports.next_early() {
            // This cannot fail, since the stored bytes have already been parsed once.
            if let Ok(report) = serde_json::from_slice::<Report<&RawValue>>(&bytes) {
                self.apply_report(node, &report);
            }
        }
    }

    fn apply_report(&mut self, node: NodeId, report: &Report<&RawValue>) {
        for step in &report.steps {
            self.apply_step(node, step);
        }
        if let Some(why) = &report.failed {
            self.misbehaved(node, why.as_str());
            self.nodes.broke(why);
        }
    }

    fn apply_step(&mut self, node: NodeId, step: &Step<&RawValue>) {
        let end = &mut self.nodes[node];
        let number = match end.reports.accept_step(step.step) {
            Ok(number) => number,
            Err(expected) => {
                return self.misbehaved(node, format!("it reported step {} instead of step {expected}", step.step));
            }
        };
        let at = StepId { node, incarnation: end.incarnation(), step: number };
        let at_us = self.time.of_step(step.at_us);
        if let Err(error) = self.apply_input(at, at_us, step) {
            return self.misbehaved(node, error.to_string());
        }
        if let Ok(following) = self.driver.following() {
            following.count_rounds(step);
        }
        // If the node itself runs its timers, their expiries were not posted to it, so they do not count as
        // handled inputs.
        if !(self.timers_run() && matches!(step.input, StepInput::Timer(_))) {
            self.nodes[node].inputs.count_handled();
        }
        let answered_us = step.answered_us.map_or(at_us, |answered_us| self.time.of_step(answered_us).max(at_us));
        for effect in &step.effects {
            let ends = matches!(effect, StepEffect::Outcome(Outcome::Exited { .. } | Outcome::Expired { .. }));
            // A program is inside from its answer, and may have left as soon as it received the input.
            let at_us = if ends { at_us } else { answered_us };
            self.apply_effect(at, at_us, &step.input, effect);
        }
        if let StepInput::Command(command) = &step.input {
            self.command_taken(node, command.id, &step.effects);
        }
    }

    fn apply_input(&mut self, at: StepId, at_us: u64, step: &Step<&RawValue>) -> Result<(), ForeignInput> {
        let because = step.because.iter().map(|&reason| reason.into()).collect();
        let view = step.view.map(Json::from);
        let timers_run = self.timers_run();
        let inputs = &mut self.nodes[at.node].inputs;
        let what = match &step.input {
            StepInput::Message(message) => {
                let message = *message;
                let message_kind = inputs.handled_message(message).ok_or(ForeignInput::Message(message))?;
                What::Delivered { at, message, from: message.from, message_kind, because, view }
            }
            StepInput::Timer(timer) => {
                let timer = label(timer);
                // If the run makes timers expire, each expiry was posted to the node like any other input.
                if !timers_run && !inputs.handled_timer(&timer) {
                    return Err(ForeignInput::Timer);
                }
                What::Fired { at, timer, because, view }
            }
            StepInput::Command(command) => {
                if !inputs.has_command(command.id) {
                    return Err(ForeignInput::Command(command.id));
                }
                What::Commanded { at, command: command.clone(), because, view }
            }
            StepInput::Unreadable {} => return Err(ForeignInput::Unreadable),
            StepInput::Start {} | StepInput::Restart { .. } if !inputs.handled_first() => {
                return Err(ForeignInput::Start);
            }
            StepInput::Start {} => What::Initialized { at, stored: None, because, view },
            StepInput::Restart { stored } => What::Initialized { at, stored: Some(*stored), because, view },
        };
        self.emit(at_us, what);
        Ok(())
    }

    fn apply_effect(&mut self, at: StepId, at_us: u64, input: &StepInput<&RawValue>, effect: &StepEffect<&RawValue>) {
        let message = if let StepInput::Message(message) = input { Some(*message) } else { None };
        let what = match effect {
            StepEffect::Send { to, kind, body, header } => return self.send(at, at_us, to, kind, body, *header),
            StepEffect::Taken { message, kind } => {
                let Some(message_kind) = self.nodes.known_kind(kind) else {
                    return self.misbehaved(at.node, format!("it took a `{kind}`, which its algorithm does not have"));
                };
                What::Taken { at, message: *message, from: message.from, message_kind }
            }
            StepEffect::Suspected { whom } | StepEffect::Trusted { whom }
                if whom.0 >= self.specification().clients() =>
            {
                return self.misbehaved(at.node, format!("it reported node {}, which does not exist", whom.0));
            }
            StepEffect::Suspected { whom } => What::Suspected { at, whom: *whom },
            StepEffect::Trusted { whom } => What::Trusted { at, whom: *whom },
            StepEffect::SetTimer { timer, delay_us } => What::Armed { at, timer: label(timer), delay_us: *delay_us },
            StepEffect::CancelTimer { timer } => What::Cancelled { at, timer: label(timer) },
            StepEffect::Store(state) => What::Stored { at, state: (*state).into() },
            StepEffect::Refused { detail } => What::Refused { at, message, detail: detail.as_str().into() },
            StepEffect::Outcome(outcome) => {
                if let Some(why) = self.objection_to(at, outcome) {
                    return self.broke_protocol(at.node, &why);
                }
                What::Outcome { at, outcome: outcome.clone() }
            }
        };
        self.emit(at_us, what);
    }

    /// Returns the reason to reject an outcome that a node reports, if there is one.
    fn objection_to(&self, at: StepId, outcome: &Outcome) -> Option<String> {
        let Outcome::Expired { lock, holder, request } = *outcome else { return None };
        self.log.objection(&ExpiryReport { at, lock, holder, request })
    }

    /// Ends the run because a user's program violated the protocol in a way that only the run can detect.
    fn broke_protocol(&mut self, node: NodeId, what: &str) {
        let program = self.nodes.program(node);
        let why = match program {
            Some(program) => format!("{node}, `{}`, {what}", program.command.join(" ")),
            None => format!("{node} {what}"),
        };
        self.misbehaved(node, why.as_str());
        self.nodes.broke(&why);
    }

    fn send(&mut self, at: StepId, at_us: u64, to: &[NodeId], kind: &str, body: &RawValue, header: Option<Header>) {
        let Some(kind) = self.nodes.known_kind(kind) else {
            return self.misbehaved(at.node, format!("it sent a `{kind}`, which its algorithm does not have"));
        };
        let body = Json::from(body);
        for &to in to {
            if to == at.node || to.0 >= self.specification().clients() {
                self.misbehaved(at.node, format!("it sent a {kind} to node {}, which is not possible", to.0));
                continue;
            }
            let payload = Payload { kind: kind.clone(), body: body.clone(), header };
            // The delay of a message begins at the time that the sender reports for its step.
            let accepted = match header {
                None => self.network.accept(at_us, at.node, to, &kind, payload),
                Some(header) => self.network.accept_on_a_channel(at_us, at.node, to, &kind, payload, header),
            };
            self.tell_sent(at, at_us, &kind, &body, &accepted);
        }
    }

    pub(super) fn tell_sent(&mut self, at: StepId, at_us: u64, kind: &MessageKind, body: &Json, accepted: &Accepted) {
        let Accepted { id: message, fate, rule, copies } = *accepted;
        let (message_kind, to, body, due_us) = (kind.clone(), message.to, body.clone(), due(fate));
        let slowed_by = rule.filter(|_| due_us.is_some());
        self.emit(at_us, What::Sent { at, message, to, message_kind, body, due_us, rule: slowed_by });
        self.tell_fate(at_us, message, kind, fate, rule);
        for Copied { id: copy, by, rule, fate } in copies.into_iter().flatten() {
            self.emit(at_us, What::duplicated(message, kind.clone(), copy, by, due(fate)).by_rule(rule));
            self.tell_fate(at_us, copy, kind, fate, None);
        }
    }

    fn tell_fate(&mut self, at_us: u64, message: MessageId, kind: &MessageKind, fate: Fate, rule: Option<u64>) {
        let what = match fate {
            Fate::Due(_) => return,
            Fate::Held => What::held(message, kind.clone()),
            Fate::Dropped(why) => What::dropped(message, kind.clone(), why),
        };
        self.emit(at_us, what.by_rule(rule));
    }

    fn command_taken(&mut self, node: NodeId, command: u64, effects: &[StepEffect<&RawValue>]) {
        let Some(sender) = self.nodes[node].inputs.handled_command(command) else { return };
        let mut acquired = Acquired { request: None, entered: false, seq: self.latest() };
        let mut refused = None;
        for effect in effects {
            match effect {
                StepEffect::Outcome(Outcome::Requested { request, .. } | Outcome::Exited { request, .. }) => {
                    acquired.request = Some(*request);
                }
                StepEffect::Outcome(Outcome::Entered { .. }) => acquired.entered = true,
                StepEffect::Refused { detail } => refused = Some(detail.clone()),
                _ => {}
            }
        }
        let entry = acquired.request.filter(|_| !acquired.entered).map(|request| self.waiters.entry(node, request));
        // An error means that the receiver no longer waits for the result, which is harmless.
        let _ = sender.send(refused.map_or(Ok((acquired, entry)), Err));
    }
}

fn label(timer: &TimerName<&RawValue>) -> TimerLabel {
    match timer {
        TimerName::Client(timer) => TimerName::Client(*timer),
        TimerName::Channel(other) => TimerName::Channel(*other),
        TimerName::Detector(timer) => TimerName::Detector(*timer),
        TimerName::Algorithm(name) => TimerName::Algorithm((*name).into()),
    }
}

const fn due(fate: Fate) -> Option<u64> {
    match fate {
        Fate::Due(due_us) => Some(due_us),
        Fate::Held | Fate::Dropped(_) => None,
    }
}
