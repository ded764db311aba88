//! Telling what happens, in the same events as a live run.

use std::iter;

use interlock_algorithm::{Algorithm, NodeId, Outcome, Ticks};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{CommandItem, TimerName};
use serde::Serialize;

use super::engine::Engine;
use super::observer::Observer;
use super::process::Process;
use super::report::Cut;
use crate::event::{Change, DropReason, Ending, Json, StepId, TimerLabel, What};
use crate::network::{Accepted, Copied, Fate};
use crate::specification::TimeOuts;

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

impl<A: Algorithm, O: Observer> Engine<'_, A, O> {
    pub(super) fn tell_event(&mut self, what: What) {
        if O::WATCHES {
            self.observer.observe(self.now, what);
        }
    }

    pub(super) fn tell_beginning(&mut self) {
        if !O::WATCHES {
            return;
        }
        if let Ok(specification) = Json::of(&self.simulation.specification) {
            let warnings = TimeOuts::of(&self.simulation.specification, &self.simulation.script).warnings();
            self.tell_event(What::Created { specification, warnings });
        }
        for node in NodeId::all(self.simulation.specification.nodes) {
            self.tell_event(What::Started { node, incarnation: 1, pid: None });
        }
    }

    /// What is still in the network is lost, and the last event is told.
    pub(super) fn tell_end(&mut self) {
        if !O::WATCHES {
            return;
        }
        let waiting: Vec<_> = self.processes.iter_mut().flat_map(Process::lose_withheld).collect();
        for message in self.network.clear().into_iter().chain(waiting) {
            self.tell_dropped(message, DropReason::Ended);
        }
        let why = match self.report.cut {
            Some(Cut::Steps) => Ending::Failed(format!("it took more than {} steps", self.simulation.most_steps)),
            Some(Cut::NoProgress) => {
                let steps = self.simulation.most_steps_without_progress;
                Ending::Failed(format!("it took {steps} steps without progress"))
            }
            Some(Cut::Time) | None => Ending::Stopped,
        };
        self.tell_event(What::Ended { why });
    }

    /// Tells the input of a step that has been taken; its effects are told as they are followed.
    pub(super) fn tell_input<'r>(
        &mut self,
        at: StepId,
        cause: Cause<A::Timer>,
        reasons: impl Iterator<Item = &'r A::Reason>,
    ) where
        A::Reason: 'r,
    {
        let (mut because, mut view) = (Vec::new(), None);
        if self.observer.records() {
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
        self.tell_event(what);
    }

    /// The fields of a message, if somebody wants to read them.
    pub(super) fn body(&self, message: &A::Message) -> Json {
        if !self.observer.reads_bodies() {
            return Json::NULL;
        }
        serde_json::to_value(message).map_or(Json::NULL, |message| json(&message["body"]))
    }

    pub(super) fn tell_sent(&mut self, at: StepId, accepted: &Accepted, kind: &'static str, body: Json) {
        let Accepted { id: message, fate, copies } = *accepted;
        let (message_kind, to) = (kind.into(), message.to);
        self.tell_event(What::Sent { at, message, to, message_kind, body, due_us: due(fate) });
        self.tell_fate(message, fate);
        for Copied { id: copy, by, fate } in copies.into_iter().flatten() {
            self.tell_event(What::Duplicated { message, copy, by, due_us: due(fate) });
            self.tell_fate(copy, fate);
        }
    }

    /// Tells of a message that is read in the instant in which it is sent.
    pub(super) fn tell_sent_at_once(&mut self, at: StepId, message: MessageId, kind: &'static str, body: Option<Json>) {
        if let Some(body) = body {
            let (message_kind, to) = (kind.into(), message.to);
            self.tell_event(What::Sent { at, message, to, message_kind, body, due_us: Some(self.now) });
        }
    }

    fn tell_fate(&mut self, message: MessageId, fate: Fate) {
        match fate {
            Fate::Due(_) => {}
            Fate::Held => self.tell_event(What::Held { message }),
            Fate::Dropped(why) => self.tell_event(What::Dropped { message, why }),
        }
    }

    pub(super) fn tell_dropped(&mut self, message: MessageId, why: DropReason) {
        self.tell_event(What::Dropped { message, why });
    }

    pub(super) fn tell_armed(&mut self, at: StepId, name: TimerName<A::Timer>, delay_us: Ticks) {
        if O::WATCHES {
            let timer = label(name);
            self.tell_event(What::Armed { at, timer, delay_us });
        }
    }

    pub(super) fn tell_cancelled(&mut self, at: StepId, name: TimerName<A::Timer>) {
        if O::WATCHES {
            let timer = label(name);
            self.tell_event(What::Cancelled { at, timer });
        }
    }

    pub(super) fn tell_stored(&mut self, at: StepId, stored: &A::Stored) {
        if O::WATCHES {
            self.tell_event(What::Stored { at, state: json(stored) });
        }
    }

    pub(super) fn tell_outcome(&mut self, at: StepId, outcome: Outcome) {
        if O::WATCHES {
            self.tell_event(What::outcome(at, outcome));
        }
    }

    /// An input that a node cannot take now: a step that refuses it.
    pub(super) fn tell_refused(&mut self, node: NodeId, cause: Cause<A::Timer>, detail: &str) {
        let process = &mut self.processes[node.index()];
        process.node.refuse();
        let at = StepId { node, incarnation: process.node.incarnation(), step: process.node.step() };
        self.report.steps += 1;
        self.tell_refusal(at, cause, detail);
    }

    pub(super) fn tell_refusal(&mut self, at: StepId, cause: Cause<A::Timer>, detail: &str) {
        if O::WATCHES {
            self.tell_input(at, cause, iter::empty());
            self.tell_event(What::Refused { at, message: None, detail: detail.into() });
        }
    }

    /// The algorithm did not take the command of this step.
    pub(super) fn tell_objection(&mut self, at: StepId, message: Option<MessageId>, objection: &str) {
        if O::WATCHES {
            self.tell_event(What::Refused { at, message, detail: objection.into() });
        }
    }

    pub(super) fn tell_configured(&mut self, change: Change) {
        self.tell_event(What::Configured { change });
    }
}

fn label<T: Serialize>(name: TimerName<T>) -> TimerLabel {
    match name {
        TimerName::Client(timer) => TimerName::Client(timer),
        TimerName::Algorithm(timer) => TimerName::Algorithm(json(&timer)),
    }
}

const fn due(fate: Fate) -> Option<u64> {
    match fate {
        Fate::Due(due_us) => Some(due_us),
        Fate::Held | Fate::Dropped(_) => None,
    }
}
