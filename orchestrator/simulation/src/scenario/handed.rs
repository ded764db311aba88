//! What steps have handed to nodes and resources, until these take or refuse it.
//!
//! A paused node takes an order when it resumes, so a refusal may come long after its step.

use interlock_algorithm::NodeId;
use interlock_machine::wire::Order;

use interlock_model::choice::Choice;
use interlock_model::event::{Event, StepId, TimerLabel, What};
use interlock_model::write::{Rejection, Write};

/// An order, or a timer that a step lets run out.
#[derive(Clone, Debug, PartialEq)]
enum Input {
    Order(Order),
    Timer(TimerLabel),
}

/// An input of a node, and which step handed it over.
#[derive(Debug)]
struct Item {
    /// The number of the step.
    step: usize,
    node: NodeId,
    input: Input,
    /// The step in which the node has taken it.
    taken: Option<StepId>,
}

/// A node refused what a step handed to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The number of the step.
    pub step: usize,
    /// The node and its reason.
    pub because: String,
}

/// What has been handed over, in order.
#[derive(Debug, Default)]
pub(super) struct Handed {
    items: Vec<Item>,
    /// The latest step that writes into a resource, and what.
    write: Option<(usize, Write)>,
}

impl Handed {
    /// The step of this number hands over what its choice says, if that is an input of a node.
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

    /// Takes the next event; says whether a node refuses what was handed to it.
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
            // What a process has not taken dies with it.
            What::Crashed { node, .. } => self.items.retain(|item| item.node != *node),
            _ => {}
        }
        None
    }

    /// A node takes an input in this step. What it took in an earlier step has been refused by now or never will be.
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

    /// A resource rejects a write, which may be that of a step.
    fn rejects(&mut self, rejection: &Rejection) -> Option<Refusal> {
        let Rejection { resource, value, node, why } = rejection;
        let is_it = |write: &Write| write.resource == *resource && write.value == *value && write.node == *node;
        let (step, _) = self.write.take_if(|(_, write)| is_it(write))?;
        Some(Refusal { step, because: format!("{resource} does not become {value}: {}", why.words()) })
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

    /// The step whose order the node refuses, after all steps have ordered the same and these events.
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
