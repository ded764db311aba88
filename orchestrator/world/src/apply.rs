//! Application of choices to a simulated world. A choice has the same effect as in a live run.

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{CommandItem, Order};

use super::World;
use super::emit::Cause;
use super::process::{Input, Status, Withheld};
use interlock_model::choice::{Choice, MessageName, NetworkChange, Removal};
use interlock_model::event::{Change, DropReason, Hand, MessageKind, TimerLabel, What};
use interlock_model::impossible::{Deed, Impossible, MOST_WAITING_ORDERS};
use interlock_model::network::{LinkOverride, LinkPatch, Standing};
use interlock_observation::resource::Resources;

impl World<'_> {
    /// Applies a choice completely and emits the resulting events.
    ///
    /// # Errors
    /// If the choice is impossible now. The error leaves the world unchanged, except for an aborted
    /// [`Choice::After`], which has already advanced time.
    pub fn apply(&mut self, choice: &Choice) -> Result<(), Impossible> {
        let applied = self.bring_about(choice);
        self.read_at_once();
        applied
    }

    fn bring_about(&mut self, choice: &Choice) -> Result<(), Impossible> {
        match choice {
            Choice::After(_) | Choice::Heal {} if self.kernel.in_parts => return Err(Impossible::InParts),
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
                let partition = self.kernel.network.add_partition(draft.clone());
                self.kernel.emit_configured(Change::of_partition(&partition));
            }
            Choice::Rule(draft) => {
                let rule = self.kernel.network.add_rule(draft.clone());
                self.kernel.emit_configured(Change::of_rule(&rule));
            }
            Choice::After(span) => return self.go_on(self.kernel.now.saturating_add(span.0)),
            Choice::Remove(removal) => return self.remove(*removal),
            Choice::Start { .. }
            | Choice::Begin { .. }
            | Choice::Relaunch { .. }
            | Choice::Die { .. }
            | Choice::Arrive(_)
            | Choice::Forward(_)
            | Choice::Judge { .. } => return self.part(choice),
            Choice::Put(write) => {
                Resources::check(write, self.kernel.specification)?;
                self.kernel.emit(What::Put { write: write.clone() });
            }
            Choice::Note(text) => self.kernel.emit(What::Noted { detail: text.as_str().into() }),
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

    /// Advances time to `until`, and executes all events that are due by then, in the order of their due times.
    /// Stops with an error if endless activity makes no progress: for example, if a token circulates in zero time.
    fn go_on(&mut self, until: u64) -> Result<(), Impossible> {
        let (begun, most) = (self.kernel.counts.steps, self.kernel.most_steps_without_progress);
        while let Some((at, due)) = self.next_due().filter(|(at, _)| *at <= until) {
            if self.kernel.counts.steps >= self.kernel.most_steps {
                return Err(Impossible::TooLong(self.kernel.most_steps));
            }
            if self.kernel.counts.steps - self.kernel.counts.steps_at_progress.max(begun) >= most {
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
                let setting = self.kernel.network.patch_default(patch);
                self.kernel.emit_configured(Change::of_default(&setting));
            }
            NetworkChange::Link(LinkOverride { from, to, patch }) => {
                let own = (*patch != LinkPatch::default()).then(|| patch.clone());
                if !self.kernel.network.override_link(*from, *to, own.clone()) {
                    return Err(Impossible::no_setting(*from, *to));
                }
                self.kernel.emit_configured(Change::of_link(*from, *to, own));
            }
        }
        Ok(())
    }

    fn remove(&mut self, removal: Removal) -> Result<(), Impossible> {
        let (free, name, change) = match removal {
            Removal::Partition(id) => {
                (self.kernel.network.remove_partition(id), "partition", Change::without_partition(id))
            }
            Removal::Rule(id) => {
                let removed = self.kernel.network.remove_rule(id).then(Vec::new);
                (removed, "rule", Change::without_rule(id))
            }
        };
        let (Removal::Partition(id) | Removal::Rule(id)) = removal;
        let free = free.ok_or_else(|| Impossible::Unknown(format!("{name} {id}")))?;
        self.kernel.emit_configured(change);
        // In a world in parts, separate choices of the schedule name the released messages.
        if !self.kernel.in_parts {
            self.set_free(free);
        }
        Ok(())
    }

    /// Sends an order to the client of a node. A paused node handles the order when it is resumed. If the client
    /// cannot execute the order then, it refuses the order, as in a live run.
    fn order(&mut self, node: NodeId, order: Order) -> Result<(), Impossible> {
        self.require(node, Deed::Order)?;
        self.takes_in_parts(node)?;
        let in_parts = self.kernel.in_parts;
        let process = &mut self.kernel.processes[node.index()];
        let item = CommandItem { id: process.orders + 1, order };
        process.orders += 1;
        if process.status == Status::Paused && !in_parts {
            let waiting =
                process.withheld.iter().filter(|input| matches!(input, Withheld::Input(Input::Order(_)))).count();
            if waiting >= MOST_WAITING_ORDERS {
                process.orders -= 1;
                return Err(Impossible::TooMany(node));
            }
            process.withheld.push_back(Withheld::Input(Input::Order(item)));
        } else {
            self.perform(node, Input::Order(item));
        }
        Ok(())
    }

    /// Makes a timer of a node expire. The timer must be due, unless the nodes' own timers are switched off.
    fn fire(&mut self, node: NodeId, label: &TimerLabel) -> Result<(), Impossible> {
        self.require(node, Deed::Order)?;
        if self.kernel.in_parts {
            return self.fire_in_parts(node, label);
        }
        let timer = self.nodes.timer_called(node, label);
        if self.kernel.specification.timers {
            let timer = timer.filter(|timer| timer.is_due(self.kernel.now));
            self.ring(node, timer.ok_or_else(|| Impossible::timers_run(node))?.setting);
            return Ok(());
        }
        let label = timer.and_then(|timer| self.nodes.label(node, timer.setting));
        let label = label.ok_or_else(|| Impossible::no_timer(node))?;
        let process = &mut self.kernel.processes[node.index()];
        if process.withheld.iter().any(|input| matches!(input, Withheld::Fired(fired) if *fired == label)) {
            return Err(Impossible::FiredAlready(node));
        }
        if process.status == Status::Paused {
            process.withheld.push_back(Withheld::Fired(label));
        } else {
            self.run_out_by_order(node, label);
        }
        Ok(())
    }

    /// Makes the timer `label` of a node expire, because an action has ordered this. If the timer is not pending,
    /// the node refuses the input.
    pub(super) fn run_out_by_order(&mut self, node: NodeId, label: TimerLabel) {
        match self.nodes.timer_called(node, &label) {
            Some(timer) => self.perform(node, Input::Timer(timer.setting)),
            None => self.refuse(node, Cause::Timer(label), "no such timer is pending"),
        }
    }

    /// Delivers a message. If the message is due, the network delivers it; a partition may then stop the message.
    /// If the message is not due yet or is held, it is released manually and delivered immediately.
    fn deliver_now(&mut self, message: MessageId) -> Result<(), Impossible> {
        if self.kernel.in_parts {
            return self.deliver_in_parts(message);
        }
        let standing = self.kernel.network.standing(message).ok_or(Impossible::UnknownMessage(message))?;
        let by_itself = matches!(standing, Standing::Due(due_us) if due_us <= self.kernel.now);
        if by_itself {
            let arrival = self.kernel.network.arrive(message).ok_or(Impossible::UnknownMessage(message))?;
            self.arrived(arrival);
            return Ok(());
        }
        let in_flight = self.kernel.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.kernel.emit(What::forwarded(message, in_flight.content.kind().into()));
        self.deliver(in_flight);
        Ok(())
    }

    fn lose(&mut self, message: MessageId) -> Result<(), Impossible> {
        let lost = self.kernel.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.kernel.emit_dropped(&lost, DropReason::Hand);
        Ok(())
    }

    fn hold(&mut self, message: MessageId) -> Result<(), Impossible> {
        match self.kernel.network.standing(message) {
            None => Err(Impossible::UnknownMessage(message)),
            Some(Standing::Held) => Err(Impossible::HeldAlready(message)),
            Some(Standing::Due(_)) => {
                let kind = self.kind_of(message)?;
                self.kernel.network.hold(message);
                self.kernel.emit(What::held(message, kind));
                Ok(())
            }
        }
    }

    fn duplicate(&mut self, message: MessageId) -> Result<(), Impossible> {
        let kind = self.kind_of(message)?;
        let copy = self.kernel.network.duplicate(message).ok_or(Impossible::UnknownMessage(message))?;
        self.kernel.emit(What::duplicated(message, kind.clone(), copy, Hand::Hand, None));
        self.kernel.emit(What::held(copy, kind));
        Ok(())
    }

    /// Returns the kind of a message that is in the network.
    fn kind_of(&self, message: MessageId) -> Result<MessageKind, Impossible> {
        let found = self.kernel.network.find(message).ok_or(Impossible::UnknownMessage(message))?;
        Ok(found.content.kind().into())
    }

    /// Removes the messages `held` from the network, and delivers them.
    fn set_free(&mut self, held: Vec<MessageId>) {
        let free: Vec<_> = held.into_iter().filter_map(|message| self.kernel.network.take(message)).collect();
        for in_flight in &free {
            self.kernel.emit(What::forwarded(in_flight.id, in_flight.content.kind().into()));
        }
        for in_flight in free {
            self.deliver(in_flight);
        }
    }

    /// Heals the network, delivers all held messages, and resumes the paused processes.
    fn heal(&mut self) {
        for change in self.kernel.network.mend() {
            self.kernel.emit_configured(change);
        }
        let held = self.kernel.network.held();
        self.set_free(held);
        for node in NodeId::all(self.kernel.specification.nodes) {
            // A process that is not paused cannot be resumed. This error is expected here and ignored.
            let _ = self.resume(node);
        }
    }
}
