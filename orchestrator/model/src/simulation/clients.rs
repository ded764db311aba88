//! What clients do to their processes.

use interlock_algorithm::{Algorithm, Command, Input, NodeId};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{ClientTimer, TELL, TimerName, Told};

use super::engine::{Content, Engine};
use super::observer::Observer;
use super::telling::Cause;
use crate::event::StepId;

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
        // Once all rounds have been begun the clients ask for nothing more.
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
    pub(super) fn admit(&mut self, node: NodeId, command: Command) -> Option<Input<A>> {
        let process = &mut self.processes[node.index()];
        self.objection = process.state.objection(self.setting, node, &command);
        if self.objection.is_some() {
            process.client.withdraw(&command, &mut self.client_effects);
            return None;
        }
        Some(Input::Command(command))
    }

    /// The application of a node tells another something.
    pub(super) fn tell(&mut self, at: StepId, to: NodeId, told: Told) {
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
            process.state.witness(self.setting, clock);
        }
        let command = process.client.told(told, &mut self.client_effects);
        let input = command.and_then(|command| self.admit(node, command));
        self.perform(node, input, Cause::Message { id, kind: TELL });
    }
}
