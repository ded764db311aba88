//! The inputs that steps have passed to nodes and resources. An input is stored until it is accepted or refused.
//!
//! A paused node processes an order only when it resumes. A refusal may therefore come long after the step.

use interlock_algorithm::NodeId;
use interlock_machine::wire::Order;

use interlock_model::choice::Choice;
use interlock_model::event::{Event, StepId, TimerLabel, What};
use interlock_model::write::{Rejection, Write};

/// An order to a node, or a timer that a step fires.
#[derive(Clone, Debug, PartialEq)]
enum Input {
    Order(Order),
    Timer(TimerLabel),
}

/// An input of a node, and the step from which it comes.
#[derive(Debug)]
struct Item {
    /// The index of the scenario step.
    step: usize,
    node: NodeId,
    input: Input,
    /// The node's step that processed the input. Absent if the node has not processed the input yet.
    taken: Option<StepId>,
}

/// A refusal of an input by a node or a resource.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The index of the scenario step.
    pub step: usize,
    /// The name of the node or the resource, and the reason for the refusal.
    pub because: String,
}

/// The inputs of nodes, in the order of their steps, and the latest write to a resource.
#[derive(Debug, Default)]
pub(super) struct Handed {
    items: Vec<Item>,
    /// The latest write to a resource that may still be refused, with the index of its step.
    write: Option<(usize, Write)>,
}

impl Handed {
    /// Stores the input that `choice`, the action of the scenario step with index `step`, passes to a node or a
    /// resource. Does nothing if the action passes no input.
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

    /// Processes the next event. If the event reports that an input is refused, returns the refusal.
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
            // A crash discards the inputs that a process has not processed.
            What::Crashed { node, .. } => self.items.retain(|item| item.node != *node),
            _ => {}
        }
        None
    }

    /// Records that the node's step `at` processes an input. Inputs that the node processed in earlier steps can no
    /// longer be refused, so they are removed.
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

    /// Returns the refusal, if the rejected write to a resource comes from a step.
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

    /// Passes the same order from `steps` scenario steps, the first of them before these events. Returns the index of
    /// the step whose order is refused by the node afterwards.
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
        let crashed = |node| What::crashed(node, 1, CrashCause::Ordered);
        assert_eq!(refused(2, &[crashed(NODE)]), Some(1));
        assert_eq!(refused(2, &[crashed(NodeId(0))]), Some(0), "another process crashed");
        assert_eq!(refused(1, &[crashed(NODE)]), None);
    }
}
