//! What live processes do in several moments, each moment a choice of its own: as a live run is recorded.
//!
//! In a live run a process is there some time after it was started, a message that has reached a process is taken some
//! time later, and what a process reports has happened a little before. So a world that is played in parts lets
//! processes start where a choice says so, lets them take what a choice says, at a time that may be a little before that
//! of the choice before, and lets nothing follow by itself but the effects of a step.

use interlock_algorithm::{NodeId, Ticks};
use interlock_machine::message_id::MessageId;

use super::World;
use super::nodes::Input;
use super::process::{First, Status};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::{CrashCause, DropReason, RestartState, TimerLabel, What};
use interlock_model::impossible::{Deed, Impossible};
use interlock_model::network::Standing;
use interlock_model::process_status::ProcessStatus;

impl World<'_> {
    /// Tells that the run begins; each process starts and begins by a choice of its own.
    pub fn begin_in_parts(&mut self) {
        self.around.in_parts = true;
        for process in &mut self.around.processes {
            (process.status, process.first) = (Status::Starting, Some(First::Start));
        }
        self.around.emit_created();
    }

    /// It is this time, which may be a little before what it was: a process says itself when it took a step.
    pub const fn turn_to(&mut self, now: Ticks) {
        self.around.now = now;
    }

    /// Lets happen what is a part of something else where a world is not played in parts.
    pub(super) fn part(&mut self, choice: &Choice) -> Result<(), Impossible> {
        match choice {
            _ if !self.around.in_parts => return Err(Impossible::NotInParts),
            Choice::Start { node } => return self.start(*node),
            Choice::Begin { node } => return self.take_first(*node),
            Choice::Relaunch { node, state } => return self.relaunch(*node, *state),
            Choice::Die { node, how } => return self.die(*node, CrashCause::Unexpected(how.clone())),
            Choice::Arrive(MessageName(message)) => return self.reach_process(*message),
            Choice::Forward(MessageName(message)) => return self.forward(*message),
            Choice::Judge { left } => self.settle(*left),
            _ => {}
        }
        Ok(())
    }

    fn start(&mut self, node: NodeId) -> Result<(), Impossible> {
        let process = &mut self.around.processes[node.index()];
        if process.status != Status::Starting {
            let needed = "only a process that is being started can be there";
            return Err(Impossible::WrongCondition {
                node,
                process: ProcessStatus::from(process.status).name(),
                needed,
            });
        }
        process.status = Status::Running;
        let incarnation = self.incarnation(node);
        self.around.emit(What::Started { node, incarnation, pid: None });
        Ok(())
    }

    fn take_first(&mut self, node: NodeId) -> Result<(), Impossible> {
        let process = &mut self.around.processes[node.index()];
        let status = ProcessStatus::from(process.status);
        let is_there = matches!(process.status, Status::Running | Status::Paused);
        let first = if is_there { process.first.take() } else { None };
        match first.ok_or_else(|| Impossible::begins_not(node, status.name()))? {
            First::Start => self.perform(node, Input::Start),
            First::Restart => self.perform(node, Input::Restart),
        }
        Ok(())
    }

    fn relaunch(&mut self, node: NodeId, state: RestartState) -> Result<(), Impossible> {
        self.begin_another_life(node, state)?;
        let process = &mut self.around.processes[node.index()];
        (process.status, process.first) = (Status::Starting, Some(First::Restart));
        Ok(())
    }

    /// Refuses what a process cannot take now, where it takes things by choices: before its first step nothing else, and
    /// while it is paused nothing that it has not taken before it stood still.
    pub(super) fn takes_in_parts(&self, node: NodeId) -> Result<(), Impossible> {
        let process = &self.around.processes[node.index()];
        if process.first.is_some() {
            return Err(Impossible::not_begun(node));
        }
        if self.around.in_parts && process.status == Status::Paused && self.around.now > process.paused_us {
            return Err(Impossible::stands_still(node));
        }
        Ok(())
    }

    /// A message that has reached its process is taken, or one whose time has come.
    pub(super) fn deliver_in_parts(&mut self, message: MessageId) -> Result<(), Impossible> {
        let node = message.to;
        let process = self.around.processes.get_mut(node.index()).ok_or(Impossible::UnknownMessage(message))?;
        let place = process.reached.iter().position(|in_flight| in_flight.id == message);
        if place.is_none() {
            self.require_due(message)?;
            if self.around.network.cut(message.from, message.to).is_some() {
                let arrival = self.around.network.arrive(message).ok_or(Impossible::UnknownMessage(message))?;
                self.arrived(arrival);
                return Ok(());
            }
        }
        if self.around.processes[node.index()].status == Status::Crashed {
            let lost = self.around.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
            self.around.emit_dropped(&lost, DropReason::Crashed);
            return Ok(());
        }
        self.takes_in_parts(node)?;
        let in_flight = match place {
            Some(place) => Some(self.around.processes[node.index()].reached.remove(place)),
            None => self.around.network.take(message),
        };
        self.perform(node, Input::Message(in_flight.ok_or(Impossible::UnknownMessage(message))?));
        Ok(())
    }

    fn require_due(&self, message: MessageId) -> Result<(), Impossible> {
        match self.around.network.standing(message).ok_or(Impossible::UnknownMessage(message))? {
            Standing::Held => Err(Impossible::Held(message)),
            Standing::Due(due_us) if due_us > self.around.now => {
                Err(Impossible::NotDue { message, due_us, now_us: self.around.now })
            }
            Standing::Due(_) => Ok(()),
        }
    }

    /// A message whose time has come reaches its process, if that is alive.
    fn reach_process(&mut self, message: MessageId) -> Result<(), Impossible> {
        self.require_due(message)?;
        self.require(message.to, Deed::Order)?;
        let in_flight = self.around.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.around.processes[message.to.index()].reached.push(in_flight);
        Ok(())
    }

    /// A message is set free by hand, and reaches its process if that is alive.
    fn forward(&mut self, message: MessageId) -> Result<(), Impossible> {
        let in_flight = self.around.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.around.emit(What::forwarded(message, in_flight.content.kind().into()));
        let process = &mut self.around.processes[message.to.index()];
        if process.status == Status::Crashed {
            self.around.emit_dropped(&in_flight, DropReason::Crashed);
        } else {
            process.reached.push(in_flight);
        }
        Ok(())
    }

    /// A timer runs out: one whose time has come or, where the nodes' own timers are switched off, any.
    pub(super) fn fire_in_parts(&mut self, node: NodeId, label: &TimerLabel) -> Result<(), Impossible> {
        self.takes_in_parts(node)?;
        if self.around.specification.timers {
            let timer = self.nodes.timer_called(node, label).ok_or_else(|| Impossible::no_timer(node))?;
            if !timer.is_due(self.around.now) {
                return Err(Impossible::timers_run(node));
            }
        }
        self.run_out_by_order(node, label.clone());
        Ok(())
    }
}
