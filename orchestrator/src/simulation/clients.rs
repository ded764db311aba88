//! What clients and scripts do to the processes.

use interlock_algorithm::{Algorithm, Command, Input, LockId, NodeId, Ticks};
use interlock_node::message_id::MessageId;
use interlock_node::wire::{ClientTimer, CommandItem, Order, TimerName};

use super::engine::{Content, Engine};
use super::observer::Observer;
use super::process::{Process, Status, Withheld};
use super::script::Action;
use super::telling::Cause;
use crate::event::{CrashCause, RestartState, TELL, What};

/// The one lock of a run.
const LOCK: LockId = LockId(0);

impl<A: Algorithm, O: Observer> Engine<'_, A, O> {
    /// A timer of a running node has run out.
    pub(super) fn fire(&mut self, node: NodeId, name: TimerName<A::Timer>) {
        let input = match name {
            TimerName::Algorithm(timer) => Some(Input::Timer(timer)),
            TimerName::Client(timer) => self.client_acts(node, timer).map(Input::Command),
        };
        self.perform(node, input, Cause::Timer(name));
    }

    fn client_acts(&mut self, node: NodeId, timer: ClientTimer) -> Option<Command> {
        let client = &mut self.processes[node.index()].client;
        // Once all requests have been made the clients ask for nothing more.
        let may_ask = self.requests_left != Some(0);
        let command = match timer {
            ClientTimer::Hold => client.hold_over(),
            ClientTimer::Idle if may_ask => client.idle_over(&mut self.client_effects),
            ClientTimer::Queued if may_ask => client.ask_queued(),
            ClientTimer::Idle | ClientTimer::Queued => None,
        };
        if let (Some(Command::Acquire { .. }), Some(left)) = (&command, &mut self.requests_left) {
            *left -= 1;
        }
        command
    }

    /// Does what the script says.
    pub(super) fn act(&mut self, action: &Action) {
        match action {
            Action::Acquire { node, hold } => self.order(*node, Order::Acquire { lock: LOCK, hold_us: *hold }),
            Action::Release { node } => self.order(*node, Order::Release { lock: LOCK }),
            Action::Tell { from, to, hold } => self.tell(*from, *to, *hold),
            Action::Crash { node } => self.crash(*node),
            Action::Restart { node, stored } => self.restart(*node, *stored),
            Action::Pause { node } => self.pause(*node),
            Action::Resume { node } => self.resume(*node),
            Action::Link { .. } | Action::Partition(_) | Action::Rule(_) | Action::Heal => self.configure(action),
        }
    }

    /// Orders what a client can do now; what it cannot do is refused, as with a live node.
    fn order(&mut self, node: NodeId, order: Order) {
        let process = &mut self.processes[node.index()];
        if process.status != Status::Running {
            return;
        }
        let command = process.client.order(order, &mut self.client_effects);
        self.commands += 1;
        let item = CommandItem { id: self.commands, order };
        match command {
            Ok(command) => self.perform(node, Some(Input::Command(command)), Cause::Command(item)),
            Err(error) => self.tell_refused(node, item, &error.to_string()),
        }
    }

    fn tell(&mut self, from: NodeId, to: NodeId, hold: Option<Ticks>) {
        let process = &mut self.processes[from.index()];
        if process.status != Status::Running {
            return;
        }
        let stamp = process.state.stamp(self.setting, from);
        let at = self.step_of_the_application(from);
        let accepted = self.network.accept(self.now, from, to, TELL, Content::Told { stamp, hold });
        if O::WATCHES {
            let body = super::telling::told(stamp);
            self.tell_sent(at, &accepted, TELL, body);
        }
    }

    /// A message of the application has arrived.
    pub(super) fn hear(&mut self, node: NodeId, id: MessageId, stamp: Option<u64>, hold: Option<Ticks>) {
        if let Some(stamp) = stamp {
            self.processes[node.index()].state.witness(self.setting, node, stamp);
        }
        self.perform(node, None, Cause::Message { id, kind: TELL });
        if hold.is_some() {
            self.order(node, Order::Acquire { lock: LOCK, hold_us: hold });
        }
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
        let mut process = Process::new(self.setting, node, &self.simulation.specification);
        process.client = process.client.reborn(interlock_algorithm::RequestId(old.asked + 1), old.entered);
        (process.asked, process.entered) = (old.asked, old.entered);
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
            Action::Heal => self.heal(),
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
