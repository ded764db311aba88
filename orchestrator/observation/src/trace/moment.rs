//! The moments of a run. Each moment is either a step of a process with all its effects, or an event outside any step.

use interlock_machine::message_id::MessageId;

use interlock_model::event::{DropReason, Event, Json, StepId, Violation, What};

/// One moment of a run.
#[derive(Clone, Debug)]
pub(super) struct Moment<'a> {
    /// The input of the step. If the moment is not a step, the first event of the moment.
    pub what: &'a What,
    /// All events of the moment.
    pub events: Vec<&'a Event>,
    /// The effects of the step. They include the fates of the messages that the step sent, if their events follow
    /// at once.
    pub effects: Vec<&'a What>,
    /// The violations found at this moment.
    pub found: Vec<&'a Violation>,
}

impl<'a> Moment<'a> {
    /// Returns the step, if the moment is a step.
    pub fn step(&self) -> Option<StepId> {
        step(self.what).filter(|_| is_input(self.what))
    }

    /// Returns the reasons that the process gave for its step.
    pub fn because(&self) -> &'a [Json] {
        match self.what {
            What::Initialized { because, .. }
            | What::Commanded { because, .. }
            | What::Fired { because, .. }
            | What::Delivered { because, .. } => because,
            _ => &[],
        }
    }

    /// Returns the view that the process reported after the step, if it reported one.
    pub fn view(&self) -> Option<&'a Json> {
        match self.what {
            What::Initialized { view, .. }
            | What::Commanded { view, .. }
            | What::Fired { view, .. }
            | What::Delivered { view, .. } => view.as_ref(),
            _ => None,
        }
    }

    /// If the event belongs to the moment, adds the event. Returns whether it belongs.
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

/// Divides the events of a run into moments. Events that end the run belong to no moment.
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

/// Returns whether an event is the input of a step.
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

/// Returns the message that the network holds, drops or duplicates in this event. `None` for all other events.
const fn became_of(what: &What) -> Option<MessageId> {
    match what {
        What::Held { message, .. } | What::Dropped { message, .. } | What::Duplicated { message, .. } => Some(*message),
        _ => None,
    }
}

/// Returns the step to which an event belongs, as its input or its effect.
const fn step(what: &What) -> Option<StepId> {
    match what {
        What::Initialized { at, .. }
        | What::Commanded { at, .. }
        | What::Fired { at, .. }
        | What::Delivered { at, .. }
        | What::Refused { at, .. }
        | What::Taken { at, .. }
        | What::Suspected { at, .. }
        | What::Trusted { at, .. }
        | What::Sent { at, .. }
        | What::Armed { at, .. }
        | What::Cancelled { at, .. }
        | What::Stored { at, .. }
        | What::Outcome { at, .. } => Some(*at),
        _ => None,
    }
}
