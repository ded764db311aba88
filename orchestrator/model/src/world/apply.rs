//! A choice, applied: the same as is done to live processes.

use interlock_algorithm::{Algorithm, NodeId};
use interlock_machine::message_id::MessageId;
use interlock_machine::node::NodeInput;
use interlock_machine::wire::{CommandItem, Order, TimerName};
use serde::de::DeserializeOwned;

use super::World;
use super::emit::Cause;
use super::process::{Status, Withheld};
use crate::choice::{Choice, MessageName, NetworkChange, Removal};
use crate::event::{Change, DropReason, Hand, MessageKind, TimerLabel, What};
use crate::impossible::{Deed, Impossible, MOST_WAITING_ORDERS};
use crate::network::{LinkOverride, LinkPatch, Standing};

impl<A: Algorithm> World<'_, A> {
    /// Lets this happen, to its end, and tells what came of it.
    ///
    /// # Errors
    /// Why it cannot happen now. Then nothing has, but for time that had to be broken off.
    pub fn apply(&mut self, choice: &Choice) -> Result<(), Impossible> {
        let applied = self.bring_about(choice);
        self.read_at_once();
        applied
    }

    fn bring_about(&mut self, choice: &Choice) -> Result<(), Impossible> {
        match choice {
            Choice::After(_) | Choice::Heal {} if self.in_parts => return Err(Impossible::InParts),
            Choice::Crash { node } => return self.crash(*node),
            Choice::Restart { node, state } => return self.restart(*node, *state),
            Choice::Pause { node } => return self.pause(*node),
            Choice::Resume { node } => return self.resume(*node),
            Choice::Fire { node, timer } => return self.fire(*node, timer),
            Choice::Deliver(MessageName(message)) => return self.deliver_now(*message),
            Choice::Lose(MessageName(message)) => return self.lose(*message),
            Choice::Hold(MessageName(message)) => return self.hold(*message),
            Choice::Duplicate(MessageName(message)) => return self.duplicate(*message),
            Choice::Network(change) => return self.change(change),
            Choice::Partition(draft) => {
                let partition = self.network.add_partition(draft.clone());
                self.emit_configured(Change::of_partition(&partition));
            }
            Choice::Rule(draft) => {
                let rule = self.network.add_rule(draft.clone());
                self.emit_configured(Change::of_rule(&rule));
            }
            Choice::After(span) => return self.go_on(self.now.saturating_add(span.0)),
            Choice::Remove(removal) => return self.remove(*removal),
            Choice::Start { .. }
            | Choice::Begin { .. }
            | Choice::Relaunch { .. }
            | Choice::Die { .. }
            | Choice::Arrive(_)
            | Choice::Forward(_)
            | Choice::Judge { .. } => return self.part(choice),
            Choice::Put(write) => {
                write.fits(self.specification)?;
                self.emit(What::Put { write: write.clone() });
            }
            Choice::Note(text) => self.emit(What::Noted { detail: text.as_str().into() }),
            Choice::Heal {} => self.heal(),
            Choice::Acquire { .. }
            | Choice::AcquireTogether { .. }
            | Choice::Release { .. }
            | Choice::Elect { .. }
            | Choice::Propose { .. }
            | Choice::Corrupt { .. }
            | Choice::Suspect { .. }
            | Choice::Trust { .. }
            | Choice::Tell { .. } => {
                return choice.order().map_or(Ok(()), |(node, order)| self.order(node, order));
            }
        }
        Ok(())
    }

    /// Time goes on until then: what is due by then happens, in the order of deadlines. What goes on for ever without
    /// progress, such as a token that circles in no time, is broken off.
    fn go_on(&mut self, until: u64) -> Result<(), Impossible> {
        let (begun, most) = (self.counts.steps, self.most_steps_without_progress);
        while let Some((at, due)) = self.next_due().filter(|(at, _)| *at <= until) {
            if self.counts.steps >= self.most_steps {
                return Err(Impossible::TooLong(self.most_steps));
            }
            if self.counts.steps - self.counts.steps_at_progress.max(begun) >= most {
                return Err(Impossible::Endless(most));
            }
            self.reach(at);
            self.happen(due);
        }
        self.reach(until);
        Ok(())
    }

    fn change(&mut self, change: &NetworkChange) -> Result<(), Impossible> {
        match change {
            NetworkChange::Default(patch) => {
                let setting = self.network.patch_default(patch);
                self.emit_configured(Change::of_default(&setting));
            }
            NetworkChange::Link(LinkOverride { from, to, patch }) => {
                let own = (*patch != LinkPatch::default()).then(|| patch.clone());
                if !self.network.override_link(*from, *to, own.clone()) {
                    return Err(Impossible::no_setting(*from, *to));
                }
                self.emit_configured(Change::of_link(*from, *to, own));
            }
        }
        Ok(())
    }

    fn remove(&mut self, removal: Removal) -> Result<(), Impossible> {
        let (free, name, change) = match removal {
            Removal::Partition(id) => (self.network.remove_partition(id), "partition", Change::without_partition(id)),
            Removal::Rule(id) => {
                let removed = self.network.remove_rule(id).then(Vec::new);
                (removed, "rule", Change::without_rule(id))
            }
        };
        let (Removal::Partition(id) | Removal::Rule(id)) = removal;
        let free = free.ok_or_else(|| Impossible::Unknown(format!("{name} {id}")))?;
        self.emit_configured(change);
        // In parts the schedule says itself which messages are set free.
        if !self.in_parts {
            self.set_free(free);
        }
        Ok(())
    }

    /// Gives an order to the client of a node; one that is paused takes it when it goes on.
    fn order(&mut self, node: NodeId, order: Order) -> Result<(), Impossible> {
        self.require(node, Deed::Order)?;
        self.takes_in_parts(node)?;
        let in_parts = self.in_parts;
        let process = &mut self.processes[node.index()];
        let item = CommandItem { id: process.orders + 1, order };
        process.orders += 1;
        if process.status == Status::Paused && !in_parts {
            let waiting = process.withheld.iter().filter(|input| matches!(input, Withheld::Order(_))).count();
            if waiting >= MOST_WAITING_ORDERS {
                process.orders -= 1;
                return Err(Impossible::TooMany(node));
            }
            process.withheld.push_back(Withheld::Order(item));
        } else {
            self.obey(node, item);
        }
        Ok(())
    }

    /// Follows an order as far as the client can now; what it cannot is refused, as with a live node.
    pub(super) fn obey(&mut self, node: NodeId, item: CommandItem) {
        self.perform(node, NodeInput::Order(item.order.clone()), Cause::Command(item));
    }

    /// Lets a timer of a node run out: one whose time has come, or by order where the nodes' own timers are switched off.
    fn fire(&mut self, node: NodeId, label: &TimerLabel) -> Result<(), Impossible> {
        self.require(node, Deed::Order)?;
        if self.in_parts {
            return self.fire_in_parts(node, label);
        }
        let process = &mut self.processes[node.index()];
        let name = named(label).filter(|name| process.node.timers().contains(*name));
        if self.specification.timers {
            let name = name.filter(|name| process.node.timers().is_due(*name, self.now));
            let name = name.ok_or_else(|| Impossible::timers_run(node))?;
            process.node.timers_mut().cancel(name);
            self.ring(node, name);
            return Ok(());
        }
        let name = name.ok_or_else(|| Impossible::no_timer(node))?;
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
            self.emit_refused(node, Cause::Timer(name), "no such timer is pending");
        }
    }

    /// Hands a message over: as the network does by itself if its time has come, else by hand.
    fn deliver_now(&mut self, message: MessageId) -> Result<(), Impossible> {
        if self.in_parts {
            return self.deliver_in_parts(message);
        }
        let standing = self.network.standing(message).ok_or(Impossible::UnknownMessage(message))?;
        let by_itself = matches!(standing, Standing::Due(due_us) if due_us <= self.now);
        if by_itself {
            let arrival = self.network.arrive(message).ok_or(Impossible::UnknownMessage(message))?;
            self.arrived(arrival);
            return Ok(());
        }
        let in_flight = self.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.emit(What::forwarded(message, in_flight.content.kind()));
        self.deliver(in_flight);
        Ok(())
    }

    fn lose(&mut self, message: MessageId) -> Result<(), Impossible> {
        let lost = self.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.emit_dropped(&lost, DropReason::Hand);
        Ok(())
    }

    fn hold(&mut self, message: MessageId) -> Result<(), Impossible> {
        match self.network.standing(message) {
            None => Err(Impossible::UnknownMessage(message)),
            Some(Standing::Held) => Err(Impossible::HeldAlready(message)),
            Some(Standing::Due(_)) => {
                let kind = self.kind_of(message)?;
                self.network.hold(message);
                self.emit(What::held(message, kind));
                Ok(())
            }
        }
    }

    fn duplicate(&mut self, message: MessageId) -> Result<(), Impossible> {
        let kind = self.kind_of(message)?;
        let copy = self.network.duplicate(message).ok_or(Impossible::UnknownMessage(message))?;
        self.emit(What::duplicated(message, kind.clone(), copy, Hand::Hand, None));
        self.emit(What::held(copy, kind));
        Ok(())
    }

    /// The kind of a message that is in the network.
    fn kind_of(&self, message: MessageId) -> Result<MessageKind, Impossible> {
        let found = self.network.find(message).ok_or(Impossible::UnknownMessage(message))?;
        Ok(found.content.kind())
    }

    /// Hands over what was held.
    fn set_free(&mut self, held: Vec<MessageId>) {
        let free: Vec<_> = held.into_iter().filter_map(|message| self.network.take(message)).collect();
        for in_flight in &free {
            self.emit(What::forwarded(in_flight.id, in_flight.content.kind()));
        }
        for in_flight in free {
            self.deliver(in_flight);
        }
    }

    /// Mends the network, hands over what is held, and lets the paused go on.
    fn heal(&mut self) {
        for change in self.network.mend() {
            self.emit_configured(change);
        }
        let held = self.network.held();
        self.set_free(held);
        for node in NodeId::all(self.specification.nodes) {
            // Whoever is not paused need not go on.
            let _ = self.resume(node);
        }
    }
}

/// The timer that a label names, if there can be one.
pub(super) fn named<T: DeserializeOwned>(label: &TimerLabel) -> Option<TimerName<T>> {
    match label {
        TimerName::Client(timer) => Some(TimerName::Client(*timer)),
        TimerName::Channel(other) => Some(TimerName::Channel(*other)),
        TimerName::Detector(timer) => Some(TimerName::Detector(*timer)),
        TimerName::Algorithm(name) => serde_json::from_str(name.as_str()).ok().map(TimerName::Algorithm),
    }
}
