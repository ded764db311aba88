//! Enabled choices: the choices that can be applied next.

use interlock_algorithm::{LockId, LockUse, NodeId};
use interlock_machine::wire::Order;

use super::World;
use super::process::Status;
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::RestartState;
use interlock_model::network::Standing;

impl World<'_> {
    /// Returns the choices that can be applied next and that advance the run: each order that a client can execute
    /// now, and all [moves](Self::moves).
    #[must_use]
    pub fn enabled(&self) -> Vec<Choice> {
        let processes = NodeId::all(self.kernel.specification.nodes).zip(&self.kernel.processes);
        let running = processes.filter(|(_, process)| process.status == Status::Running);
        let orders = running.flat_map(|(node, _)| self.orders(node));
        orders.chain(self.moves()).collect()
    }

    /// Returns the choices that can be applied next without an order. They deliver a message, make a timer expire,
    /// resume a paused process, or restart a crashed process.
    #[must_use]
    pub fn moves(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        for (node, process) in NodeId::all(self.kernel.specification.nodes).zip(&self.kernel.processes) {
            match process.status {
                Status::Running => choices.extend(self.timers(node)),
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

    /// Returns the due time of the message in transit or the pending timer that a choice names. Returns none for
    /// other choices, and for messages and timers without a due time.
    #[must_use]
    pub fn due_us(&self, choice: &Choice) -> Option<u64> {
        match choice {
            Choice::Deliver(MessageName(message)) => match self.kernel.network.standing(*message)? {
                Standing::Due(due_us) => Some(due_us),
                Standing::Held => None,
            },
            Choice::Fire { node, timer } => {
                self.kernel.processes.get(node.index())?;
                self.nodes.timer_called(*node, timer)?.due_us
            }
            _ => None,
        }
    }

    /// Returns the orders that the client of a running process can execute now.
    fn orders(&self, node: NodeId) -> Vec<Choice> {
        let commands = self.kernel.entry.commands;
        let locks = if self.kernel.entry.locks == LockUse::None { 0 } else { self.kernel.specification.locks };
        let mut orders: Vec<Order> = (0..locks)
            .map(LockId)
            .flat_map(|lock| [Order::Acquire { lock, hold_us: None }, Order::Release { lock }])
            .collect();
        if commands.contains(&"elect") {
            orders.push(Order::Elect {});
        }
        if commands.contains(&"propose") {
            orders.push(Order::Propose { instance: 0, value: format!("v{}", node.0) });
        }
        orders.retain(|order| self.nodes.refusal(node, order).is_none());
        orders.into_iter().filter_map(|order| Choice::of_order(node, order)).collect()
    }

    /// Returns the timers of a process that can expire now: the timers that are due, or all pending timers if the
    /// nodes' own timers are switched off.
    fn timers(&self, node: NodeId) -> Vec<Choice> {
        let mut choices = Vec::new();
        self.nodes.find_timer(node, &mut |timer| {
            let may = !self.kernel.specification.timers || timer.is_due(self.kernel.now);
            let label = if may { self.nodes.label(node, timer.setting) } else { None };
            choices.extend(label.map(|timer| Choice::Fire { node, timer }));
            false
        });
        choices
    }
}
