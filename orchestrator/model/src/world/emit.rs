//! The events of a world: the same as those of a live run.

use std::iter;

use interlock_algorithm::{Algorithm, NodeId, Outcome, Ticks};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{CommandItem, TimerName};
use serde::Serialize;

use super::{Content, World};
use crate::event::{Change, DropReason, Json, StepId, TimerLabel, What};
use crate::network::{Accepted, Copied, Fate, InFlight};

/// What a step was caused by.
#[derive(Clone)]
pub(super) enum Cause<T> {
    Start,
    Restart { stored: bool },
    Message { id: MessageId, kind: &'static str },
    Timer(TimerName<T>),
    Command(CommandItem),
}

/// The JSON of what can always be written: numbers, texts and lists of them.
pub(super) fn json<T: Serialize>(value: &T) -> Json {
    Json::of(value).unwrap_or(Json::NULL)
}

impl<A: Algorithm> World<'_, A> {
    /// Whether anybody watches: what nobody sees need not be told. Whether heartbeats are settled is seen by what happens.
    #[inline]
    pub(super) const fn is_observed(&self) -> bool {
        self.observer.is_some() || self.hearts.is_some()
    }

    /// Tells an event that happens now.
    pub(super) fn emit(&mut self, what: What) {
        if let Some(hearts) = &mut self.hearts {
            hearts.apply(&what);
        }
        if let Some(observer) = &mut self.observer {
            observer.observe(self.now, what);
        }
    }

    pub(super) fn emit_beginning(&mut self) {
        self.emit_created();
        for node in NodeId::all(self.specification.nodes) {
            self.emit(What::Started { node, incarnation: 1, pid: None });
        }
    }

    pub(super) fn emit_created(&mut self) {
        if !self.is_observed() {
            return;
        }
        if let Ok(specification) = Json::of(self.specification) {
            let warnings = self.specification.warnings();
            self.emit(What::Created { specification, warnings });
        }
    }

    /// Tells the input of a step that has been taken; its effects are told as they are followed.
    pub(super) fn emit_input<'r>(
        &mut self,
        at: StepId,
        cause: Cause<A::Timer>,
        reasons: impl Iterator<Item = &'r A::Reason>,
    ) where
        A::Reason: 'r,
    {
        let (mut because, mut view) = (Vec::new(), None);
        if self.observer.as_ref().is_some_and(|observer| observer.records()) {
            because = reasons.map(json).collect();
            view = Some(json(&self.processes[at.node.index()].node.state().view(self.setting, at.node)));
        }
        let what = match cause {
            Cause::Start => What::Initialized { at, stored: None, because, view },
            Cause::Restart { stored } => What::Initialized { at, stored: Some(stored), because, view },
            Cause::Message { id, kind } => {
                let message_kind = kind.into();
                What::Delivered { at, message: id, from: id.from, message_kind, because, view }
            }
            Cause::Timer(name) => What::Fired { at, timer: label(name), because, view },
            Cause::Command(command) => What::Commanded { at, command, because, view },
        };
        self.emit(what);
    }

    /// The fields of a message, if somebody wants to read them.
    pub(super) fn body(&self, message: &A::Message) -> Json {
        if !self.observer.as_ref().is_some_and(|observer| observer.reads_bodies()) {
            return Json::NULL;
        }
        serde_json::to_value(message).map_or(Json::NULL, |message| json(&message["body"]))
    }

    /// Tells that a channel lets a message through.
    pub(super) fn emit_taken(&mut self, at: StepId, message: MessageId, kind: &'static str) {
        if self.is_observed() {
            self.emit(What::Taken { at, message, from: message.from, message_kind: kind.into() });
        }
    }

    pub(super) fn emit_sent(&mut self, at: StepId, accepted: &Accepted, kind: &'static str, body: Json) {
        let Accepted { id: message, fate, rule, copies } = *accepted;
        let (message_kind, to, due_us) = (kind.into(), message.to, due(fate));
        let slowed_by = rule.filter(|_| due_us.is_some());
        self.emit(What::Sent { at, message, to, message_kind, body, due_us, rule: slowed_by });
        self.emit_fate(message, kind, fate, rule);
        for Copied { id: copy, by, rule, fate } in copies.into_iter().flatten() {
            self.emit(What::duplicated(message, kind.into(), copy, by, due(fate)).by_rule(rule));
            self.emit_fate(copy, kind, fate, None);
        }
    }

    /// Tells of a message that is read in the instant in which it is sent.
    pub(super) fn emit_sent_at_once(&mut self, at: StepId, message: MessageId, kind: &'static str, body: Option<Json>) {
        if let Some(body) = body {
            let (message_kind, to) = (kind.into(), message.to);
            self.emit(What::Sent { at, message, to, message_kind, body, due_us: Some(self.now), rule: None });
        }
    }

    fn emit_fate(&mut self, message: MessageId, kind: &'static str, fate: Fate, rule: Option<u64>) {
        match fate {
            Fate::Due(_) => {}
            Fate::Held => self.emit(What::held(message, kind.into()).by_rule(rule)),
            Fate::Dropped(why) => self.emit(What::dropped(message, kind.into(), why).by_rule(rule)),
        }
    }

    /// Tells that a message is lost.
    pub(super) fn emit_dropped(&mut self, lost: &InFlight<Content<A::Message>>, why: DropReason) {
        self.emit(What::dropped(lost.id, lost.content.kind(), why));
    }

    pub(super) fn emit_armed(&mut self, at: StepId, name: TimerName<A::Timer>, delay_us: Ticks) {
        if self.is_observed() {
            let timer = label(name);
            self.emit(What::Armed { at, timer, delay_us });
        }
    }

    pub(super) fn emit_cancelled(&mut self, at: StepId, name: TimerName<A::Timer>) {
        if self.is_observed() {
            let timer = label(name);
            self.emit(What::Cancelled { at, timer });
        }
    }

    pub(super) fn emit_stored(&mut self, at: StepId, stored: &A::Stored) {
        if self.is_observed() {
            self.emit(What::Stored { at, state: json(stored) });
        }
    }

    pub(super) fn emit_outcome(&mut self, at: StepId, outcome: Outcome) {
        if self.is_observed() {
            self.emit(What::outcome(at, outcome));
        }
    }

    /// An input that a node cannot take now: a step that refuses it.
    pub(super) fn emit_refused(&mut self, node: NodeId, cause: Cause<A::Timer>, detail: &str) {
        let process = &mut self.processes[node.index()];
        process.node.refuse();
        let at = StepId { node, incarnation: process.node.incarnation(), step: process.node.step() };
        self.counts.steps += 1;
        self.emit_refusal(at, cause, detail);
    }

    pub(super) fn emit_refusal(&mut self, at: StepId, cause: Cause<A::Timer>, detail: &str) {
        if self.is_observed() {
            self.emit_input(at, cause, iter::empty());
            self.emit(What::Refused { at, message: None, detail: detail.into() });
        }
    }

    /// The algorithm did not take the command of this step.
    pub(super) fn emit_objection(&mut self, at: StepId, message: Option<MessageId>, objection: &str) {
        if self.is_observed() {
            self.emit(What::Refused { at, message, detail: objection.into() });
        }
    }

    pub(super) fn emit_configured(&mut self, change: Change) {
        self.emit(What::Configured { change });
    }
}

/// A timer as events name it.
pub fn label<T: Serialize>(name: TimerName<T>) -> TimerLabel {
    match name {
        TimerName::Client(timer) => TimerName::Client(timer),
        TimerName::Channel(other) => TimerName::Channel(other),
        TimerName::Detector(timer) => TimerName::Detector(timer),
        TimerName::Algorithm(timer) => TimerName::Algorithm(json(&timer)),
    }
}

const fn due(fate: Fate) -> Option<u64> {
    match fate {
        Fate::Due(due_us) => Some(due_us),
        Fate::Held | Fate::Dropped(_) => None,
    }
}
