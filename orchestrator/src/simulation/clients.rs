//! What clients and scripts do to the processes.

use interlock_algorithm::{Algorithm, Command, Input, NodeId};
use interlock_node::machine::unknown_order;
use interlock_node::message_id::MessageId;
use interlock_node::wire::{ClientTimer, CommandItem, Order, TELL, TimerName, Told};

use super::engine::{Content, Engine};
use super::observer::Observer;
use super::process::{Process, Status, Withheld};
use super::telling::Cause;
use crate::event::{CrashCause, RestartState, StepId, What};
use crate::specification::{Action, Span};

impl<A: Algorithm, O: Observer> Engine<'_, A, O> {
    /// A timer of a running node has run out.
    pub(super) fn fire(&mut self, node: NodeId, name: TimerName<A::Timer>) {
        let input = match name {
            TimerName::Algorithm(timer) => Some(Input::Timer(timer)),
            TimerName::Client(timer) => self.client_acts(node, timer).and_then(|command| self.admit(node, command)),
        };
        self.perform(node, input, Cause::Timer(name));
    }

    fn client_acts(&mut self, node: NodeId, timer: ClientTimer) -> Option<Command> {
        // Once all requests have been made the clients ask for nothing more.
        let begins = matches!(timer, ClientTimer::Idle | ClientTimer::Queued);
        if begins && self.requests_left == Some(0) {
            return None;
        }
        let client = &mut self.processes[node.index()].client;
        let command = client.run_out(timer, &mut self.client_effects);
        if let (true, Some(_), Some(left)) = (begins, &command, &mut self.requests_left) {
            *left -= 1;
        }
        command
    }

    /// What the algorithm gets of a command: nothing if it objects.
    fn admit(&mut self, node: NodeId, command: Command) -> Option<Input<A>> {
        let process = &mut self.processes[node.index()];
        self.objection = process.state.objection(self.setting, node, &command);
        if self.objection.is_some() {
            process.client.withdraw(&command, &mut self.client_effects);
            return None;
        }
        Some(Input::Command(command))
    }

    /// Does what the script says.
    pub(super) fn act(&mut self, action: &Action) {
        let ticks = |span: &Span| span.0;
        match action {
            Action::Acquire { node, lock, hold } => {
                self.order(*node, Order::Acquire { lock: *lock, hold_us: hold.as_ref().map(ticks) });
            }
            Action::Release { node, lock } => self.order(*node, Order::Release { lock: *lock }),
            Action::Elect { node } => self.order(*node, Order::Elect {}),
            Action::Propose { node, instance, value } => {
                self.order(*node, Order::Propose { instance: *instance, value: value.clone() });
            }
            Action::Tell { from, to, hold } => {
                let order = Order::Tell { to: *to, asks: hold.is_some(), hold_us: hold.as_ref().map(ticks) };
                self.order(*from, order);
            }
            Action::Crash { node } => self.crash(*node),
            Action::Restart { node, stored } => self.restart(*node, *stored),
            Action::Pause { node } => self.pause(*node),
            Action::Resume { node } => self.resume(*node),
            Action::Link { .. } | Action::Partition(_) | Action::Rule(_) | Action::Heal {} => self.configure(action),
        }
    }

    /// Orders what a client can do now; what it cannot do is refused, as with a live node.
    fn order(&mut self, node: NodeId, order: Order) {
        let process = &mut self.processes[node.index()];
        if process.status != Status::Running {
            return;
        }
        self.commands += 1;
        let item = CommandItem { id: self.commands, order };
        if let Some(objection) = unknown_order::<A>(&item.order) {
            return self.tell_refused(node, item, &objection);
        }
        match process.client.order(&item.order, &mut self.client_effects) {
            Ok(command) => {
                let input = command.and_then(|command| self.admit(node, command));
                self.perform(node, input, Cause::Command(item));
            }
            Err(error) => self.tell_refused(node, item, &error.to_string()),
        }
    }

    /// The application of a node tells another something, with the algorithm's stamp.
    pub(super) fn tell(&mut self, at: StepId, to: NodeId, told: Told) {
        let clock = self.processes[at.node.index()].state.stamp(self.setting, at.node);
        let told = Told { clock, ..told };
        let accepted = self.network.accept(self.now, at.node, to, TELL, Content::Told(told));
        if O::WATCHES {
            let body = super::telling::json(&told);
            self.tell_sent(at, &accepted, TELL, body);
        }
    }

    /// A message of the application has arrived.
    pub(super) fn hear(&mut self, node: NodeId, id: MessageId, told: Told) {
        let process = &mut self.processes[node.index()];
        if let Some(clock) = told.clock {
            process.state.witness(self.setting, node, clock);
        }
        let command = process.client.told(told, &mut self.client_effects);
        let input = command.and_then(|command| self.admit(node, command));
        self.perform(node, input, Cause::Message { id, kind: TELL });
    }

    fn crash(&mut self, node: NodeId) {
        let process = &mut self.processes[node.index()];
        if process.status == Status::Crashed {
            return;
        }
        self.engaged -= usize::from(process.engaged > 0);
        self.client_timers -= process.client_timers();
        let withheld = std::mem::take(&mut process.withheld);
        process.crash();
        let incarnation = process.incarnation;
        self.tell_event(What::Crashed { node, incarnation, cause: CrashCause::Ordered });
        for input in withheld {
            if let Withheld::Message(carried) = input {
                self.tell_dropped(carried.id, crate::event::DropReason::Crashed);
            }
        }
    }

    fn restart(&mut self, node: NodeId, stored: bool) {
        let old = &mut self.processes[node.index()];
        if old.status != Status::Crashed {
            return;
        }
        let kept = if stored { old.stored.take() } else { None };
        let mut process = Process::new(self.setting, node, &self.simulation.specification, self.premises);
        process.client = process.client.reborn(interlock_algorithm::RequestId(old.asked + 1), old.rounds);
        (process.asked, process.rounds, process.latest) = (old.asked, old.rounds, old.latest);
        process.incarnation = old.incarnation + 1;
        process.stored.clone_from(&kept);
        let incarnation = process.incarnation;
        self.processes[node.index()] = process;
        let state = if stored { RestartState::Stored } else { RestartState::None };
        self.tell_event(What::Restarted { node, incarnation, state });
        self.tell_event(What::Started { node, incarnation, pid: None });
        self.processes[node.index()].client.begin(&mut self.client_effects);
        let cause = Cause::Restart { stored: kept.is_some() };
        self.perform(node, Some(Input::Restart(kept)), cause);
    }

    fn pause(&mut self, node: NodeId) {
        let process = &mut self.processes[node.index()];
        if process.status == Status::Running {
            process.status = Status::Paused;
            let incarnation = process.incarnation;
            self.tell_event(What::Paused { node, incarnation });
        }
    }

    fn resume(&mut self, node: NodeId) {
        let process = &mut self.processes[node.index()];
        if process.status != Status::Paused {
            return;
        }
        process.status = Status::Running;
        let incarnation = process.incarnation;
        let withheld = std::mem::take(&mut process.withheld);
        self.tell_event(What::Resumed { node, incarnation });
        for input in withheld {
            match input {
                Withheld::Message(carried) => self.take(node, carried),
                Withheld::Timer(name) => self.fire(node, name),
            }
        }
    }

    fn configure(&mut self, action: &Action) {
        match action {
            Action::Link { from, to, patch } => {
                self.network.override_link(*from, *to, patch.clone());
                self.tell_configured("link", Some(format!("{}-{}", from.0, to.0)), patch.as_ref().and_then(value));
            }
            Action::Partition(draft) => {
                let partition = self.network.add_partition(draft.clone());
                self.tell_configured("partition", Some(partition.id.to_string()), value(&partition));
            }
            Action::Rule(draft) => {
                let rule = self.network.add_rule(draft.clone());
                self.tell_configured("rule", Some(rule.id.to_string()), value(&rule));
            }
            Action::Heal {} => self.heal(),
            _ => {}
        }
    }

    fn heal(&mut self) {
        let setup = self.network.setup();
        for partition in setup.partitions {
            self.network.remove_partition(partition.id);
            self.tell_configured("partition", Some(partition.id.to_string()), None);
        }
        for rule in setup.rules {
            self.network.remove_rule(rule.id);
            self.tell_configured("rule", Some(rule.id.to_string()), None);
        }
    }
}

fn value<T: serde::Serialize>(value: &T) -> Option<serde_json::Value> {
    serde_json::to_value(value).ok()
}
