//! What is done to a run as its script says: the same as is done to live processes.

use interlock_algorithm::{Algorithm, NodeId};
use interlock_machine::message_id::MessageId;
use interlock_machine::node::NodeInput;
use interlock_machine::wire::{CommandItem, Order, TimerName};
use serde::de::DeserializeOwned;

use super::engine::Engine;
use super::observer::Observer;
use super::process::{Status, Withheld};
use super::telling::Cause;
use crate::event::{Change, DropReason, Hand, TimerLabel, What};
use crate::impossible::{Deed, Impossible, MOST_WAITING_ORDERS};
use crate::specification::{Action, MessageName};

impl<A: Algorithm, O: Observer> Engine<'_, A, O> {
    /// Does one thing to its end; what cannot be done is noted.
    pub(super) fn act(&mut self, action: &Action) {
        let done = match action.order() {
            Some((node, order)) => self.order(node, order),
            None => self.act_from_outside(action),
        };
        if let Err(impossible) = done {
            self.tell_event(What::Noted { detail: Impossible::noted(&impossible) });
        }
    }

    fn act_from_outside(&mut self, action: &Action) -> Result<(), Impossible> {
        match action {
            Action::Crash { node } => return self.crash(*node),
            Action::Restart { node, stored } => return self.restart(*node, *stored),
            Action::Pause { node } => return self.pause(*node),
            Action::Resume { node } => return self.resume(*node),
            Action::Fire { node, timer } => return self.fire_by_order(*node, timer),
            Action::Deliver(MessageName(message)) => return self.deliver_by_hand(*message),
            Action::Lose(MessageName(message)) => return self.lose_by_hand(*message),
            Action::Duplicate(MessageName(message)) => return self.duplicate_by_hand(*message),
            Action::Network { default } => {
                let setting = self.network.patch_default(default);
                self.tell_configured(Change::of_default(&setting));
            }
            Action::Link { from, to, patch } => {
                if !self.network.override_link(*from, *to, patch.clone()) {
                    return Err(Impossible::no_setting(*from, *to));
                }
                self.tell_configured(Change::of_link(*from, *to, patch.clone()));
            }
            Action::Partition(draft) => {
                let partition = self.network.add_partition(draft.clone());
                self.tell_configured(Change::of_partition(&partition));
            }
            Action::Rule(draft) => {
                let rule = self.network.add_rule(draft.clone());
                self.tell_configured(Change::of_rule(&rule));
            }
            _ => self.heal(),
        }
        Ok(())
    }

    /// Gives an order to the client of a node; one that is paused takes it when it goes on.
    fn order(&mut self, node: NodeId, order: Order) -> Result<(), Impossible> {
        self.require(node, Deed::Order)?;
        let process = &mut self.processes[node.index()];
        let item = CommandItem { id: self.commands + 1, order };
        if process.status == Status::Paused {
            let waiting = process.withheld.iter().filter(|input| matches!(input, Withheld::Order(_))).count();
            if waiting >= MOST_WAITING_ORDERS {
                return Err(Impossible::TooMany(node));
            }
            process.withheld.push_back(Withheld::Order(item));
        } else {
            self.obey(node, item);
        }
        self.commands += 1;
        Ok(())
    }

    /// Follows an order as far as the client can now; what it cannot is refused, as with a live node.
    pub(super) fn obey(&mut self, node: NodeId, item: CommandItem) {
        self.perform(node, NodeInput::Order(item.order.clone()), Cause::Command(item));
    }

    /// Lets a timer of a node run out, in a run whose nodes' own timers are switched off.
    fn fire_by_order(&mut self, node: NodeId, label: &TimerLabel) -> Result<(), Impossible> {
        self.require(node, Deed::Order)?;
        if self.simulation.specification.timers {
            return Err(Impossible::timers_run(node));
        }
        let process = &mut self.processes[node.index()];
        let name = named(label)
            .filter(|name| process.node.timers().contains(*name))
            .ok_or_else(|| Impossible::no_timer(node))?;
        if process.withheld.contains(&Withheld::Fired(name)) {
            return Err(Impossible::FiredAlready(node));
        }
        if process.status == Status::Paused {
            process.withheld.push_back(Withheld::Fired(name));
        } else {
            self.run_out_by_order(node, name);
        }
        Ok(())
    }

    /// A timer that was told to run out does, if it is still pending.
    pub(super) fn run_out_by_order(&mut self, node: NodeId, name: TimerName<A::Timer>) {
        if self.processes[node.index()].node.timers_mut().cancel(name) {
            self.perform(node, NodeInput::Timer(name), Cause::Timer(name));
        } else {
            self.tell_refused(node, Cause::Timer(name), "no such timer is pending");
        }
    }

    fn deliver_by_hand(&mut self, message: MessageId) -> Result<(), Impossible> {
        let carried = self.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.tell_event(What::Forwarded { message });
        self.deliver(carried);
        Ok(())
    }

    fn lose_by_hand(&mut self, message: MessageId) -> Result<(), Impossible> {
        self.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.tell_dropped(message, DropReason::Hand);
        Ok(())
    }

    fn duplicate_by_hand(&mut self, message: MessageId) -> Result<(), Impossible> {
        let copy = self.network.duplicate(message).ok_or(Impossible::UnknownMessage(message))?;
        self.tell_event(What::Duplicated { message, copy, by: Hand::Hand, due_us: None });
        self.tell_event(What::Held { message: copy });
        Ok(())
    }

    /// Mends the network, hands over what is held, and lets the paused go on.
    fn heal(&mut self) {
        for change in self.network.mend() {
            self.tell_configured(change);
        }
        let held = self.network.held();
        let released: Vec<_> = held.into_iter().filter_map(|message| self.network.take(message)).collect();
        for carried in &released {
            self.tell_event(What::Forwarded { message: carried.id });
        }
        for carried in released {
            self.deliver(carried);
        }
        for node in NodeId::all(self.simulation.specification.nodes) {
            // Whoever is not paused need not go on.
            let _ = self.resume(node);
        }
    }
}

/// The timer that a label names, if there can be one.
fn named<T: DeserializeOwned>(label: &TimerLabel) -> Option<TimerName<T>> {
    match label {
        TimerName::Client(timer) => Some(TimerName::Client(*timer)),
        TimerName::Algorithm(name) => serde_json::from_str(name.as_str()).ok().map(TimerName::Algorithm),
    }
}
