//! A world in parts, which replays the recording of a live run. In other worlds, one choice (an action of a schedule)
//! can be an entire delivery of a message. In a live run, the same delivery has two moments: the message reaches the
//! process, and later the process handles it. In a world in parts, each of these moments is a choice of its own.
//!
//! In a live run, a process is ready some time after its start, and handles a message some time after the message
//! has reached the process. A process executes a step a little before its report of the step arrives. A recording
//! therefore has separate choices for a process's start and first step. It also has separate choices for a
//! message's arrival and handling. In a world in parts, a process starts only if a choice says so, and handles only
//! the inputs that choices name. The time of a choice may be a little earlier than the time of the previous choice.
//! Only the effects of a step need no choice.

use interlock_algorithm::{NodeId, Ticks};
use interlock_machine::message_id::MessageId;

use super::World;
use super::process::{First, Input, Status};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::{CrashCause, DropReason, RestartState, TimerLabel, What};
use interlock_model::impossible::{Deed, Impossible};
use interlock_model::network::Standing;
use interlock_model::process_status::ProcessStatus;

impl World<'_> {
    /// Emits the beginning of the run. Each process is started, and executes its first step, by later choices.
    pub fn begin_in_parts(&mut self) {
        self.kernel.in_parts = true;
        for process in &mut self.kernel.processes {
            (process.status, process.first) = (Status::Starting, Some(First::Start));
        }
        self.kernel.emit_created();
    }

    /// Sets the time to `now`, which may be a little earlier than the current time. The reason is that a process
    /// timestamps its own steps, and that its report of a step arrives later.
    pub const fn turn_to(&mut self, now: Ticks) {
        self.kernel.now = now;
    }

    /// Applies a choice that exists only in a world in parts. In other worlds, this choice is a part of a larger
    /// choice.
    pub(super) fn part(&mut self, choice: &Choice) -> Result<(), Impossible> {
        match choice {
            _ if !self.kernel.in_parts => return Err(Impossible::NotInParts),
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
        let process = &mut self.kernel.processes[node.index()];
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
        self.kernel.emit(What::Started { node, incarnation, pid: None });
        Ok(())
    }

    fn take_first(&mut self, node: NodeId) -> Result<(), Impossible> {
        let process = &mut self.kernel.processes[node.index()];
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
        self.begin_incarnation(node, state)?;
        let process = &mut self.kernel.processes[node.index()];
        (process.status, process.first) = (Status::Starting, Some(First::Restart));
        Ok(())
    }

    /// In a world in parts, returns an error if a process cannot handle an input now. Before its start or restart step,
    /// a process handles no input. While it is paused, it handles only inputs whose time is not later than the pause.
    pub(super) fn takes_in_parts(&self, node: NodeId) -> Result<(), Impossible> {
        let process = &self.kernel.processes[node.index()];
        if process.first.is_some() {
            return Err(Impossible::not_begun(node));
        }
        if self.kernel.in_parts && process.status == Status::Paused && self.kernel.now > process.paused_us {
            return Err(Impossible::stands_still(node));
        }
        Ok(())
    }

    /// Executes the step in which a process handles a message. The message has either reached the process, or is
    /// due in the network.
    pub(super) fn deliver_in_parts(&mut self, message: MessageId) -> Result<(), Impossible> {
        let node = message.to;
        let process = self.kernel.processes.get_mut(node.index()).ok_or(Impossible::UnknownMessage(message))?;
        let place = process.reached.iter().position(|in_flight| in_flight.id == message);
        if place.is_none() {
            self.require_due(message)?;
            if self.kernel.network.cut(message.from, message.to).is_some() {
                let arrival = self.kernel.network.arrive(message).ok_or(Impossible::UnknownMessage(message))?;
                self.arrived(arrival);
                return Ok(());
            }
        }
        if self.kernel.processes[node.index()].status == Status::Crashed {
            let lost = self.kernel.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
            self.kernel.emit_dropped(&lost, DropReason::Crashed);
            return Ok(());
        }
        self.takes_in_parts(node)?;
        let in_flight = match place {
            Some(place) => Some(self.kernel.processes[node.index()].reached.remove(place)),
            None => self.kernel.network.take(message),
        };
        self.perform(node, Input::Message(in_flight.ok_or(Impossible::UnknownMessage(message))?));
        Ok(())
    }

    fn require_due(&self, message: MessageId) -> Result<(), Impossible> {
        match self.kernel.network.standing(message).ok_or(Impossible::UnknownMessage(message))? {
            Standing::Held => Err(Impossible::Held(message)),
            Standing::Due(due_us) if due_us > self.kernel.now => {
                Err(Impossible::NotDue { message, due_us, now_us: self.kernel.now })
            }
            Standing::Due(_) => Ok(()),
        }
    }

    /// Moves a due message from the network to its receiver. Returns an error if the receiver has crashed.
    fn reach_process(&mut self, message: MessageId) -> Result<(), Impossible> {
        self.require_due(message)?;
        self.require(message.to, Deed::Order)?;
        let in_flight = self.kernel.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.kernel.processes[message.to.index()].reached.push(in_flight);
        Ok(())
    }

    /// Releases a message manually. If its receiver is live, the message reaches the receiver; otherwise the
    /// message is dropped.
    fn forward(&mut self, message: MessageId) -> Result<(), Impossible> {
        let in_flight = self.kernel.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.kernel.emit(What::forwarded(message, in_flight.content.kind().into()));
        let process = &mut self.kernel.processes[message.to.index()];
        if process.status == Status::Crashed {
            self.kernel.emit_dropped(&in_flight, DropReason::Crashed);
        } else {
            process.reached.push(in_flight);
        }
        Ok(())
    }

    /// Makes a timer expire. The timer must be due, unless the nodes' own timers are switched off.
    pub(super) fn fire_in_parts(&mut self, node: NodeId, label: &TimerLabel) -> Result<(), Impossible> {
        self.takes_in_parts(node)?;
        if self.kernel.specification.timers {
            let timer = self.nodes.timer_called(node, label).ok_or_else(|| Impossible::no_timer(node))?;
            if !timer.is_due(self.kernel.now) {
                return Err(Impossible::timers_run(node));
            }
        }
        self.run_out_by_order(node, label.clone());
        Ok(())
    }
}
