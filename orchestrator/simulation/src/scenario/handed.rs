//! The inputs that steps have handed to nodes and resources, until they are accepted or refused.
//!
//! A paused node takes an order when it resumes, so a refusal may come long after the step.

use interlock_algorithm::NodeId;
use interlock_machine::wire::Order;

use interlock_model::choice::Choice;
use interlock_model::event::{Event, StepId, TimerLabel, What};
use interlock_model::write::{Rejection, Write};

/// An order, or a timer that a step fires.
#[derive(Clone, Debug, PartialEq)]
enum Input {
    Order(Order),
    Timer(TimerLabel),
}

/// An input of a node, and the step that handed it over.
#[derive(Debug)]
struct Item {
    /// The index of the step.
    step: usize,
    node: NodeId,
    input: Input,
    /// The node's step in which it took the input.
    taken: Option<StepId>,
}

/// The refusal of an input by a node or a resource.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The index of the step.
    pub step: usize,
    /// The node or the resource, and its reason.
    pub because: String,
}

/// The inputs handed over, in order.
#[derive(Debug, Default)]
pub(super) struct Handed {
    items: Vec<Item>,
    /// The latest step that writes to a resource, and its write.
    write: Option<(usize, Write)>,
}

impl Handed {
    /// Stores the input that the step with this index hands over, if its action hands over an input.
    pub fn note(&mut self, step: usize, choice: &Choice) {
        let (node, input) = match (choice, choice.order()) {
            (_, Some((node, order))) => (node, Input::Order(order)),
            (Choice::Put(write), None) => {
                self.write = Some((step, write.clone()));
                return;
            }
            (Choice::Fire { node, timer }, None) => (*node, Input::Timer(timer.clone())),
            _ => return,
        };
        self.items.push(Item { step, node, input, taken: None });
    }

    /// Processes the next event, and returns the refusal if the event refuses an input.
    pub fn observe(&mut self, event: &Event) -> Option<Refusal> {
        match &event.what {
            What::Commanded { at, command, .. } => {
                self.takes(*at, |input| matches!(input, Input::Order(order) if *order == command.order));
            }
            What::Fired { at, timer, .. } => {
                self.takes(*at, |input| matches!(input, Input::Timer(fired) if fired == timer));
            }
            What::Refused { at, message: None, detail } => return self.refuses(*at, detail),
            What::Rejected { rejection } => return self.rejects(rejection),
            // A crash discards the inputs that a process has not taken.
            What::Crashed { node, .. } => self.items.retain(|item| item.node != *node),
            _ => {}
        }
        None
    }

    /// Notes that a node takes an input in this step. An input that it took in an earlier step can no longer be
    /// refused.
    fn takes(&mut self, at: StepId, is_it: impl Fn(&Input) -> bool) {
        self.items.retain(|item| item.node != at.node || item.taken.is_none());
        let waiting = self.items.iter_mut().find(|item| item.node == at.node && is_it(&item.input));
        if let Some(item) = waiting {
            item.taken = Some(at);
        }
    }

    fn refuses(&mut self, at: StepId, detail: &str) -> Option<Refusal> {
        let place = self.items.iter().position(|item| item.taken == Some(at))?;
        let Item { step, node, .. } = self.items.remove(place);
        Some(Refusal { step, because: format!("{node} refused: {detail}") })
    }

    /// Returns the refusal if a resource rejects the write of a step.
    fn rejects(&mut self, rejection: &Rejection) -> Option<Refusal> {
        let Rejection { resource, value, node, why } = rejection;
        let is_it = |write: &Write| write.resource == *resource && write.value == *value && write.node == *node;
        let (step, _) = self.write.take_if(|(_, write)| is_it(write))?;
        Some(Refusal { step, because: format!("the write of {value} to {resource} is rejected: {}", why.words()) })
    }
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::LockId;
    use interlock_machine::wire::CommandItem;
    use interlock_model::event::CrashCause;

    use super::*;

    const NODE: NodeId = NodeId(1);

    fn acquire() -> Choice {
        Choice::Acquire { node: NODE, lock: LockId(0), hold: None }
    }

    fn event(what: What) -> Event {
        Event { seq: 1, at_us: 0, what }
    }

    /// Hands over the same order from each step, the first before these events. Returns the step whose order the
    /// node then refuses.
    fn refused(steps: usize, events: &[What]) -> Option<usize> {
        let mut handed = Handed::default();
        handed.note(0, &acquire());
        for what in events {
            assert_eq!(handed.observe(&event(what.clone())), None);
        }
        (1..steps).for_each(|step| handed.note(step, &acquire()));
        let at = StepId { node: NODE, incarnation: 2, step: 9 };
        let command = CommandItem { id: 1, order: Order::Acquire { lock: LockId(0), hold_us: None } };
        handed.observe(&event(What::Commanded { at, command, because: Vec::new(), view: None }));
        let detail = "it is inside".into();
        handed.observe(&event(What::Refused { at, message: None, detail })).map(|refusal| refusal.step)
    }

    #[test]
    fn an_order_that_died_with_its_process_is_not_refused_later() {
        let crashed = |node| What::Crashed { node, incarnation: 1, cause: CrashCause::Ordered };
        assert_eq!(refused(2, &[crashed(NODE)]), Some(1));
        assert_eq!(refused(2, &[crashed(NodeId(0))]), Some(0), "another process crashed");
        assert_eq!(refused(1, &[crashed(NODE)]), None);
    }
}
