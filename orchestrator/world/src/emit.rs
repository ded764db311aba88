//! Emission of the events of a world. The events have the same form as those of a live run.

use std::fmt;

use interlock_algorithm::{NodeId, Outcome};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{CommandItem, TimerName};
use serde::Serialize;

use super::content::{Content, Parcel, json};
use super::kernel::Kernel;
use interlock_model::event::{Change, DropReason, Json, StepId, TimerLabel, What};
use interlock_model::network::{Accepted, Copied, Fate, InFlight};

/// The cause of a step.
pub(super) enum Cause {
    Start,
    Restart { stored: bool },
    Message { id: MessageId, kind: &'static str },
    Timer(TimerLabel),
    Command(CommandItem),
}

/// Explanation of a step for users. Empty if the observer does not record explanations.
#[derive(Default)]
pub(super) struct Because {
    /// Reasons that the algorithm gives for its actions.
    pub reasons: Vec<Json>,
    /// View of the node after the step.
    pub view: Option<Json>,
}

impl Kernel<'_> {
    /// Whether the run needs events: it has an observer, or its heartbeat state is derived from events. Otherwise
    /// no event is created.
    #[inline]
    pub(super) const fn is_observed(&self) -> bool {
        self.observer.is_some() || self.hearts.is_some()
    }

    /// Emits an event at the current time.
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

    /// Whether the observer records the fields of messages, the reasons and the views.
    #[inline]
    pub(super) fn records(&self) -> bool {
        self.observer.as_ref().is_some_and(|observer| observer.records())
    }

    /// Emits the input of a step that a node has executed. The effects of the step are emitted later, when the
    /// world executes them.
    pub(super) fn emit_input(&mut self, at: StepId, cause: Cause, because: Because) {
        let Because { reasons: because, view } = because;
        let what = match cause {
            Cause::Start => What::Initialized { at, stored: None, because, view },
            Cause::Restart { stored } => What::Initialized { at, stored: Some(stored), because, view },
            Cause::Message { id, kind } => {
                let message_kind = kind.into();
                What::Delivered { at, message: id, from: id.from, message_kind, because, view }
            }
            Cause::Timer(timer) => What::Fired { at, timer, because, view },
            Cause::Command(command) => What::Commanded { at, command, because, view },
        };
        self.emit(what);
    }

    /// Returns the fields of a message if the observer reads them; otherwise returns null.
    pub(super) fn body(&self, message: &Parcel) -> Json {
        let is_read = self.observer.as_ref().is_some_and(|observer| observer.reads_bodies());
        if is_read { message.body() } else { Json::NULL }
    }

    /// Emits the event that a channel has passed a message on to the algorithm.
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

    /// Emits the sending of a message that must be read at the time of sending.
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

    /// Emits the event that a message was lost.
    pub(super) fn emit_dropped(&mut self, lost: &InFlight<Content>, why: DropReason) {
        self.emit(What::dropped(lost.id, lost.content.kind().into(), why));
    }

    pub(super) fn emit_outcome(&mut self, at: StepId, outcome: Outcome) {
        if self.is_observed() {
            self.emit(What::Outcome { at, outcome });
        }
    }

    /// Emits a step in which a node refuses its input.
    pub(super) fn emit_refusal(&mut self, at: StepId, cause: Cause, view: Option<Json>, detail: &dyn fmt::Display) {
        if self.is_observed() {
            self.emit_input(at, cause, Because { reasons: Vec::new(), view });
            self.emit(What::Refused { at, message: None, detail: detail.to_string().into() });
        }
    }

    /// Emits the event that the algorithm has refused a command of its client in this step.
    pub(super) fn emit_objection(&mut self, at: StepId, message: Option<MessageId>, objection: &str) {
        if self.is_observed() {
            self.emit(What::Refused { at, message, detail: objection.into() });
        }
    }

    pub(super) fn emit_configured(&mut self, change: Change) {
        self.emit(What::Configured { change });
    }
}

/// Returns the name of a timer in the form that is used in events.
#[must_use]
pub fn label<T: Serialize>(name: TimerName<T>) -> TimerLabel {
    match name {
        TimerName::Client(timer) => TimerName::Client(timer),
        TimerName::Channel(other) => TimerName::Channel(other),
        TimerName::Detector(timer) => TimerName::Detector(timer),
        TimerName::Algorithm(timer) => TimerName::Algorithm(json(&timer)),
    }
}

/// Returns the name of a timer as [`label`] does. If `is_told` is false, no event will contain the name, so an
/// algorithm's own name for the timer is replaced with null.
pub(super) fn label_if<T: Serialize>(is_told: bool, name: TimerName<T>) -> TimerLabel {
    match name {
        TimerName::Algorithm(_) if !is_told => TimerName::Algorithm(Json::NULL),
        name => label(name),
    }
}

const fn due(fate: Fate) -> Option<u64> {
    match fate {
        Fate::Due(due_us) => Some(due_us),
        Fate::Held | Fate::Dropped(_) => None,
    }
}
