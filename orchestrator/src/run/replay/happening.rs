//! Effects of a schedule's action on the core of a run, as in the model's world.

use interlock_algorithm::{NodeId, catalogue};
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::TimerName;

use crate::run::difference::NotDone;
use crate::run::end::Waiting;
use crate::run::following::Following;
use crate::run::{Core, RunError};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::{TimerLabel, What};
use interlock_model::impossible::{Deed, Impossible};
use interlock_model::network::{InFlight, Payload, Standing};
use interlock_observation::state::Node;
use interlock_simulation::schedule::Scheduled;

impl Core {
    /// Whether nothing happens except the actions of a schedule.
    pub(in crate::run) fn follows(&self) -> bool {
        self.following.as_ref().is_some_and(Following::holds)
    }

    /// Whether the run follows a schedule that determines when each process starts and takes each input.
    pub(in crate::run) fn follows_parts(&self) -> bool {
        self.following.as_ref().is_some_and(|following| following.holds() && following.is_in_parts())
    }

    /// Whether the nodes' own timers run. If the run follows a schedule, or has followed one, they do not: the run
    /// itself knows when they are due.
    pub(in crate::run) fn timers_run(&self) -> bool {
        self.specification.timers && self.following.is_none()
    }

    /// Returns the schedule that the run follows.
    ///
    /// # Errors
    /// If it follows none.
    pub(in crate::run) fn following(&mut self) -> Result<&mut Following, NotDone> {
        self.following.as_mut().ok_or(NotDone::NoReplay)
    }

    /// Checks that the schedule can continue.
    ///
    /// # Errors
    /// If the run follows no schedule, has left it, or is over.
    pub(in crate::run) fn can_go_on(&mut self) -> Result<(), RunError> {
        self.changeable()?;
        Ok(self.following()?.can_go_on()?)
    }

    /// Begins the next action, at its time, and returns it, or none at the end.
    ///
    /// # Errors
    /// If the run follows no schedule, has left it, or is over.
    pub(in crate::run) fn take_up(&mut self) -> Result<Option<Scheduled>, RunError> {
        self.changeable()?;
        let Some(next) = self.following()?.take_up()? else { return Ok(None) };
        match next.at_us {
            Some(at_us) if self.follows_parts() => self.time.turn_to(at_us),
            at_us => {
                if let Some(at_us) = at_us.or_else(|| self.due_us(&next.choice)) {
                    self.time.reach(at_us);
                }
            }
        }
        Ok(Some(next))
    }

    /// Returns the time at which the message or timer of an action is due by itself, without the action.
    fn due_us(&self, choice: &Choice) -> Option<u64> {
        match choice {
            Choice::Deliver(MessageName(message)) => match self.network.standing(*message)? {
                Standing::Due(due_us) => Some(due_us),
                Standing::Held => None,
            },
            Choice::Fire { node, timer } if self.specification.timers => {
                self.following.as_ref()?.calendar.due(*node, timer).map(|(due_us, _)| due_us)
            }
            _ => None,
        }
    }

    /// Forks the run: from now on it continues by itself.
    ///
    /// # Errors
    /// If the run follows no schedule, has left it, or is over.
    pub(super) fn fork(&mut self) -> Result<(), RunError> {
        self.changeable()?;
        self.following()?.fork()?;
        self.time.go_on();
        // Messages that have arrived for processes that were to take them later are handed over now.
        let reached: Vec<_> = self.nodes.iter_mut().flat_map(|end| end.reached.drain(..)).collect();
        for in_flight in reached {
            self.hand_over(in_flight);
        }
        self.script_left = 0;
        self.look_again();
        Ok(())
    }

    /// Concludes an action: judges the state of the run, if the model does so here, and records missing events, or why
    /// the action was impossible.
    pub(in crate::run) fn conclude(&mut self, choice: Option<&Choice>, failed: Option<String>) {
        let left = self.following.as_ref().map_or(0, Following::left);
        let left = left - usize::from(choice.is_some());
        // A schedule in parts has its own actions for judging the state.
        let judges = !self.follows_parts();
        if judges && choice.is_some_and(Choice::ends_a_turn) {
            self.judge(left);
        }
        if judges && left == 0 && self.is_still() && !self.has_only_background() {
            self.judge(0);
        }
        let latest = self.latest();
        if let Some(following) = &mut self.following {
            following.conclude(latest, failed);
            self.script_left = following.left();
        }
        self.settle();
    }

    /// Whether no pending message or timer can have an effect. The only ones left are repeated messages of
    /// channels to unreachable nodes, and heartbeats that do not change any suspicion.
    fn is_still(&mut self) -> bool {
        let is_heartbeat = |in_flight: &InFlight<Payload>| *in_flight.content.kind == *HEARTBEAT;
        self.next_due().is_none()
            || self.observation.state().only_layers_go_on() && self.network.due().all(is_heartbeat)
    }

    /// Whether nothing is left except a token that circulates although no node wants to enter.
    fn has_only_background(&self) -> bool {
        let circles =
            catalogue::find(&self.specification.algorithm).is_ok_and(|entry| !entry.background_kinds.is_empty());
        let calendar = self.following.as_ref().map(|following| &following.calendar);
        let asks_again = self.specification.timers
            && calendar.is_some_and(|calendar| calendar.any(|timer| matches!(timer, TimerName::Client(_))));
        circles && !asks_again && self.observation.state().nodes().iter().all(Node::is_idle)
    }

    /// Delivers a message: in the normal way if it is due, else as by a manual action.
    pub(in crate::run) fn deliver_scheduled(&mut self, message: MessageId) -> Result<(), RunError> {
        let standing = self.network.standing(message).ok_or(Impossible::UnknownMessage(message))?;
        let now_us = self.time.now_us();
        if !matches!(standing, Standing::Due(due_us) if due_us <= now_us) {
            return self.deliver(message).map(drop);
        }
        let arrival = self.network.arrive(message).ok_or(Impossible::UnknownMessage(message))?;
        self.arrive(arrival);
        self.settle();
        Ok(())
    }

    /// Makes a timer expire. In a run with timers, the timer must be due; in a run without, it must only be
    /// pending.
    pub(in crate::run) fn fire_scheduled(&mut self, node: NodeId, timer: &TimerLabel) -> Result<(), RunError> {
        if !self.specification.timers {
            return self.fire(node, timer);
        }
        self.require(node, Deed::Order)?;
        let now_us = self.time.now_us();
        let due = self.following()?.calendar.due(node, timer).filter(|(due_us, _)| *due_us <= now_us);
        let (_, timer) = due.ok_or_else(|| Impossible::timers_run(node))?;
        self.run_out(node, timer);
        Ok(())
    }

    fn run_out(&mut self, node: NodeId, timer: TimerLabel) {
        if let Some(following) = &mut self.following {
            following.calendar.run_out(node, &timer);
        }
        self.nodes[node.index()].put(Waiting::Timer(timer));
    }

    /// Returns when the next message or timer is due by itself. Of those due at the same time, messages come first.
    pub(in crate::run) fn next_due(&mut self) -> Option<(u64, Due)> {
        let message = self.network.next_due_us();
        let calendar = self.following.as_ref().filter(|_| self.specification.timers);
        let timer = calendar.and_then(|following| following.calendar.first());
        match (message, timer) {
            (Some(at_us), timer) if timer.as_ref().is_none_or(|(due_us, ..)| at_us <= *due_us) => {
                Some((at_us, Due::Message))
            }
            (_, Some((due_us, node, timer))) => Some((due_us, Due::Timer(node, timer))),
            (message, None) => message.map(|at_us| (at_us, Due::Message)),
        }
    }

    /// Executes the next thing that is due by `until_us`, at its time, and returns its node. Returns none if nothing is
    /// due, or the processes differ from the model.
    pub(in crate::run) fn happen(&mut self, until_us: u64) -> Option<NodeId> {
        let is_over = self.follows() && self.following.as_ref().is_some_and(Following::has_left);
        let (at_us, due) = self.next_due().filter(|(at_us, _)| *at_us <= until_us && !is_over)?;
        self.time.reach(at_us);
        match due {
            Due::Message => {
                let arrival = self.network.arrival(at_us)?;
                Some(self.arrive(arrival))
            }
            Due::Timer(node, timer) => {
                self.run_out(node, timer);
                Some(node)
            }
        }
    }

    /// Removes all faults, and returns the held messages, for delivery.
    pub(in crate::run) fn mend(&mut self) -> Result<Vec<InFlight<Payload>>, RunError> {
        self.changeable()?;
        for change in self.network.mend() {
            self.configured(change);
        }
        let held = self.network.held();
        let released: Vec<_> = held.into_iter().filter_map(|message| self.network.take(message)).collect();
        for in_flight in &released {
            self.emit_now(What::forwarded(in_flight.id, in_flight.content.kind.clone()));
        }
        Ok(released)
    }
}

/// A message or timer that is due.
pub(in crate::run) enum Due {
    Message,
    Timer(NodeId, TimerLabel),
}
