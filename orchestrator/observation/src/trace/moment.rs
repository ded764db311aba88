//! A run, one thing after the other: a step of a process with all that it does, or what nobody's step is.

use interlock_machine::message_id::MessageId;

use interlock_model::event::{DropReason, Event, Json, StepId, Violation, What};

/// One thing that happened.
#[derive(Clone, Debug)]
pub(super) struct Moment<'a> {
    /// The input of the step, or what happened besides.
    pub what: &'a What,
    /// All that was told of it.
    pub events: Vec<&'a Event>,
    /// What the step did, and what became at once of what it sent.
    pub effects: Vec<&'a What>,
    /// The rules that were found broken then.
    pub found: Vec<&'a Violation>,
}

impl<'a> Moment<'a> {
    /// The step, if it is one.
    pub fn step(&self) -> Option<StepId> {
        step(self.what).filter(|_| is_input(self.what))
    }

    /// Why the process did what it did.
    pub fn because(&self) -> &'a [Json] {
        match self.what {
            What::Initialized { because, .. }
            | What::Commanded { because, .. }
            | What::Fired { because, .. }
            | What::Delivered { because, .. } => because,
            _ => &[],
        }
    }

    /// What the process looked like after it, if that was seen.
    pub fn view(&self) -> Option<&'a Json> {
        match self.what {
            What::Initialized { view, .. }
            | What::Commanded { view, .. }
            | What::Fired { view, .. }
            | What::Delivered { view, .. } => view.as_ref(),
            _ => None,
        }
    }

    /// Takes an event that belongs to it.
    fn takes(&mut self, event: &'a Event) -> bool {
        let what = &event.what;
        let belongs = match (what, step(what)) {
            (What::Violated { .. } | What::Rejected { .. }, _) => true,
            (_, Some(at)) => !is_input(what) && self.step() == Some(at),
            (_, None) => became_of(what).is_some_and(|message| self.sent(message)),
        };
        if belongs {
            self.events.push(event);
            match what {
                What::Violated { violation } => self.found.push(violation),
                effect => self.effects.push(effect),
            }
        }
        belongs
    }

    fn sent(&self, message: MessageId) -> bool {
        self.effects.iter().any(|effect| match effect {
            What::Sent { message: sent, .. } => *sent == message,
            What::Duplicated { copy, .. } => *copy == message,
            _ => false,
        })
    }
}

/// What happened in a run, up to its end; that it ends is no part of it.
pub(super) fn moments(events: &[Event]) -> Vec<Moment<'_>> {
    let mut moments: Vec<Moment> = Vec::new();
    for event in events.iter().filter(|event| !is_end(&event.what)) {
        if !moments.last_mut().is_some_and(|last| last.takes(event)) {
            let found = if let What::Violated { violation } = &event.what { vec![violation] } else { Vec::new() };
            moments.push(Moment { what: &event.what, events: vec![event], effects: Vec::new(), found });
        }
    }
    moments
}

const fn is_end(what: &What) -> bool {
    matches!(what, What::Ended { .. } | What::Dropped { why: DropReason::Ended, .. })
}

/// Whether it is what a step takes, and no effect of one.
pub(super) const fn is_input(what: &What) -> bool {
    matches!(
        what,
        What::Initialized { .. }
            | What::Commanded { .. }
            | What::Fired { .. }
            | What::Delivered { .. }
            | What::Refused { .. }
    )
}

/// The message that the network did something to by itself.
const fn became_of(what: &What) -> Option<MessageId> {
    match what {
        What::Held { message, .. } | What::Dropped { message, .. } | What::Duplicated { message, .. } => Some(*message),
        _ => None,
    }
}

/// The step to which an event belongs.
const fn step(what: &What) -> Option<StepId> {
    match what {
        What::Initialized { at, .. }
        | What::Commanded { at, .. }
        | What::Fired { at, .. }
        | What::Delivered { at, .. }
        | What::Refused { at, .. }
        | What::Taken { at, .. }
        | What::Sent { at, .. }
        | What::Armed { at, .. }
        | What::Cancelled { at, .. }
        | What::Stored { at, .. }
        | What::Requested { at, .. }
        | What::Entered { at, .. }
        | What::Exited { at, .. }
        | What::Blocked { at, .. }
        | What::Aborted { at, .. }
        | What::Expired { at, .. }
        | What::Reported { at, .. }
        | What::Called { at, .. }
        | What::Elected { at, .. }
        | What::Proposed { at, .. }
        | What::Promised { at, .. }
        | What::Accepted { at, .. }
        | What::Decided { at, .. }
        | What::Invoked { at, .. }
        | What::Returned { at, .. } => Some(*at),
        _ => None,
    }
}
