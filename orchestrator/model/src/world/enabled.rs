//! What may happen next.

use interlock_algorithm::{Algorithm, LockId, LockUse, NodeId};
use interlock_machine::wire::{Order, TimerName};

use super::World;
use super::emit::label;
use super::process::{Process, Status};
use crate::choice::{Choice, MessageName};
use crate::event::RestartState;
use crate::network::Standing;

impl<A: Algorithm> World<'_, A> {
    /// What may happen next and gets the run on: each order that a client can follow now, and all [moves](Self::moves).
    #[must_use]
    pub fn enabled(&self) -> Vec<Choice> {
        let processes = NodeId::all(self.specification.nodes).zip(&self.processes);
        let running = processes.filter(|(_, process)| process.status == Status::Running);
        let orders = running.flat_map(|(node, process)| self.orders(node, process));
        orders.chain(self.moves()).collect()
    }

    /// What may happen next although nobody orders anything: the delivery of each message, each timer whose time has come
    /// or whose time is nobody's business, the return of the paused and the dead.
    #[must_use]
    pub fn moves(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        for (node, process) in NodeId::all(self.specification.nodes).zip(&self.processes) {
            match process.status {
                Status::Running => choices.extend(self.timers(node, process)),
                Status::Paused => choices.push(Choice::Resume { node }),
                Status::Starting => choices.push(Choice::Start { node }),
                Status::Crashed => {
                    let states = [RestartState::Stored, RestartState::None];
                    choices.extend(states.map(|state| Choice::Restart { node, state }));
                }
            }
        }
        choices.extend(self.messages().into_iter().map(|message| Choice::Deliver(MessageName(message))));
        choices
    }

    /// When something is due by itself that a choice names: a message that is on its way, a timer that is set.
    #[must_use]
    pub fn due_us(&self, choice: &Choice) -> Option<u64> {
        match choice {
            Choice::Deliver(MessageName(message)) => match self.network.standing(*message)? {
                Standing::Due(due_us) => Some(due_us),
                Standing::Held => None,
            },
            Choice::Fire { node, timer } => {
                let timers = self.processes.get(node.index())?.node.timers();
                timers.due_us_of(timers.names().find(|name| label(*name) == *timer)?)
            }
            _ => None,
        }
    }

    /// The orders that the client of a running process can follow now.
    fn orders(&self, node: NodeId, process: &Process<A>) -> Vec<Choice> {
        let commands = A::ENTRY.commands;
        let locks = if A::ENTRY.locks == LockUse::None { 0 } else { self.specification.locks };
        let mut orders: Vec<Choice> = (0..locks)
            .map(LockId)
            .flat_map(|lock| [Choice::Acquire { node, lock, hold: None }, Choice::Release { node, lock }])
            .collect();
        if commands.contains(&"elect") {
            orders.push(Choice::Elect { node });
        }
        if commands.contains(&"propose") {
            orders.push(Choice::Propose { node, instance: 0, value: format!("v{}", node.0) });
        }
        let can = |order: &Order| process.node.refusal(self.setting, order).is_none();
        orders.retain(|choice| choice.order().is_some_and(|(_, order)| can(&order)));
        orders
    }

    /// The timers of a process that may run out: those whose time has come, or all where none has a time.
    fn timers(&self, node: NodeId, process: &Process<A>) -> Vec<Choice> {
        let timers = process.node.timers();
        let may = |name: &TimerName<A::Timer>| !self.specification.timers || timers.is_due(*name, self.now);
        timers.names().filter(may).map(|name| Choice::Fire { node, timer: label(name) }).collect()
    }
}
