//! What live processes do in several moments, each moment a choice of its own: as a live run is recorded.
//!
//! In a live run a process is there some time after it was started, a message that has reached a process is taken some
//! time later, and what a process reports has happened a little before. So a world that is played in parts lets
//! processes start where a choice says so, lets them take what a choice says, at a time that may be a little before that
//! of the choice before, and lets nothing follow by itself but the effects of a step.

use interlock_algorithm::{Algorithm, NodeId, Ticks};
use interlock_machine::message_id::MessageId;
use interlock_machine::node::NodeInput;

use super::World;
use super::apply::named;
use super::emit::Cause;
use super::process::{First, Status};
use crate::choice::{Choice, MessageName};
use crate::event::{CrashCause, DropReason, RestartState, TimerLabel, What};
use crate::impossible::{Deed, Impossible};
use crate::network::Standing;
use crate::state::ProcessStatus;

impl<A: Algorithm> World<'_, A> {
    /// Tells that the run begins; each process starts and begins by a choice of its own.
    pub fn begin_in_parts(&mut self) {
        self.in_parts = true;
        for process in &mut self.processes {
            (process.status, process.first) = (Status::Starting, Some(First::Start));
        }
        self.emit_created();
    }

    /// It is this time, which may be a little before what it was: a process says itself when it took a step.
    pub const fn turn_to(&mut self, now: Ticks) {
        self.now = now;
    }

    /// Lets happen what is a part of something else where a world is not played in parts.
    pub(super) fn part(&mut self, choice: &Choice) -> Result<(), Impossible> {
        match choice {
            _ if !self.in_parts => return Err(Impossible::NotInParts),
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
        let process = &mut self.processes[node.index()];
        if process.status != Status::Starting {
            let needed = "only a process that is being started can be there";
            return Err(Impossible::WrongCondition {
                node,
                process: ProcessStatus::from(process.status).name(),
                needed,
            });
        }
        process.status = Status::Running;
        let incarnation = process.node.incarnation();
        self.emit(What::Started { node, incarnation, pid: None });
        Ok(())
    }

    fn take_first(&mut self, node: NodeId) -> Result<(), Impossible> {
        let process = &mut self.processes[node.index()];
        let status = ProcessStatus::from(process.status);
        let is_there = matches!(process.status, Status::Running | Status::Paused);
        let first = if is_there { process.first.take() } else { None };
        match first.ok_or_else(|| Impossible::begins_not(node, status.name()))? {
            First::Start => self.perform(node, NodeInput::Start, Cause::Start),
            First::Restart(kept) => {
                let cause = Cause::Restart { stored: kept.is_some() };
                self.perform(node, NodeInput::Restart(kept), cause);
            }
        }
        Ok(())
    }

    fn relaunch(&mut self, node: NodeId, state: RestartState) -> Result<(), Impossible> {
        let kept = self.begin_another_life(node, state)?;
        let process = &mut self.processes[node.index()];
        (process.status, process.first) = (Status::Starting, Some(First::Restart(kept)));
        Ok(())
    }

    /// Refuses what a process cannot take now, where it takes things by choices: before its first step nothing else, and
    /// while it is paused nothing that it has not taken before it stood still.
    pub(super) fn takes_in_parts(&self, node: NodeId) -> Result<(), Impossible> {
        let process = &self.processes[node.index()];
        if process.first.is_some() {
            return Err(Impossible::not_begun(node));
        }
        if self.in_parts && process.status == Status::Paused && self.now > process.paused_us {
            return Err(Impossible::stands_still(node));
        }
        Ok(())
    }

    /// A message that has reached its process is taken, or one whose time has come.
    pub(super) fn deliver_in_parts(&mut self, message: MessageId) -> Result<(), Impossible> {
        let node = message.to;
        let process = self.processes.get_mut(node.index()).ok_or(Impossible::UnknownMessage(message))?;
        let place = process.reached.iter().position(|in_flight| in_flight.id == message);
        if place.is_none() {
            self.require_due(message)?;
            if self.network.cut(message.from, message.to).is_some() {
                let arrival = self.network.arrive(message).ok_or(Impossible::UnknownMessage(message))?;
                self.arrived(arrival);
                return Ok(());
            }
        }
        if self.processes[node.index()].status == Status::Crashed {
            let lost = self.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
            self.emit_dropped(&lost, DropReason::Crashed);
            return Ok(());
        }
        self.takes_in_parts(node)?;
        let in_flight = match place {
            Some(place) => Some(self.processes[node.index()].reached.remove(place)),
            None => self.network.take(message),
        };
        self.take(node, in_flight.ok_or(Impossible::UnknownMessage(message))?);
        Ok(())
    }

    fn require_due(&self, message: MessageId) -> Result<(), Impossible> {
        match self.network.standing(message).ok_or(Impossible::UnknownMessage(message))? {
            Standing::Held => Err(Impossible::Held(message)),
            Standing::Due(due_us) if due_us > self.now => Err(Impossible::NotDue { message, due_us, now_us: self.now }),
            Standing::Due(_) => Ok(()),
        }
    }

    /// A message whose time has come reaches its process, if that is alive.
    fn reach_process(&mut self, message: MessageId) -> Result<(), Impossible> {
        self.require_due(message)?;
        self.require(message.to, Deed::Order)?;
        let in_flight = self.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.processes[message.to.index()].reached.push(in_flight);
        Ok(())
    }

    /// A message is set free by hand, and reaches its process if that is alive.
    fn forward(&mut self, message: MessageId) -> Result<(), Impossible> {
        let in_flight = self.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.emit(What::forwarded(message, in_flight.content.kind()));
        let process = &mut self.processes[message.to.index()];
        if process.status == Status::Crashed {
            self.emit_dropped(&in_flight, DropReason::Crashed);
        } else {
            process.reached.push(in_flight);
        }
        Ok(())
    }

    /// A timer runs out: one whose time has come or, where the nodes' own timers are switched off, any.
    pub(super) fn fire_in_parts(&mut self, node: NodeId, label: &TimerLabel) -> Result<(), Impossible> {
        self.takes_in_parts(node)?;
        let name = named(label).ok_or_else(|| Impossible::no_timer(node))?;
        let timers = self.processes[node.index()].node.timers();
        if self.specification.timers && !timers.is_due(name, self.now) {
            return Err(if timers.contains(name) { Impossible::timers_run(node) } else { Impossible::no_timer(node) });
        }
        self.run_out_by_order(node, name);
        Ok(())
    }
}
