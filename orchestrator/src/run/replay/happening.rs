//! Execution of a schedule's actions in the core of a run, with the same effects as in the model's world.

use interlock_algorithm::{NodeId, catalogue};
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::TimerName;

use crate::run::driver::Driver;
use crate::run::{Core, RunError};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::{TimerLabel, What};
use interlock_model::impossible::{Deed, Impossible};
use interlock_model::network::{InFlight, Payload, Standing};
use interlock_observation::state::Node;
use interlock_simulation::schedule::Scheduled;

impl Core {
    /// Whether the nodes themselves make their timers expire. If the run follows or has followed a schedule, the
    /// run makes the timers expire instead, since it knows when they are due.
    pub(in crate::run) fn timers_run(&self) -> bool {
        self.specification().timers && !matches!(self.driver, Driver::Schedule(_))
    }

    /// Checks that the run can continue its schedule.
    ///
    /// # Errors
    /// If the run follows no schedule, has left its schedule, or is over.
    pub(in crate::run) fn can_go_on(&mut self) -> Result<(), RunError> {
        self.changeable()?;
        Ok(self.driver.following()?.can_go_on()?)
    }

    /// Begins the next action, and sets the time of the run to the time of the action. Returns the action, or none
    /// at the end of the schedule.
    ///
    /// # Errors
    /// If the run follows no schedule, has left its schedule, or is over.
    pub(in crate::run) fn take_up(&mut self) -> Result<Option<Scheduled>, RunError> {
        self.changeable()?;
        let Some(next) = self.driver.following()?.take_up()? else { return Ok(None) };
        match next.at_us {
            Some(at_us) if self.driver.follows_parts() => self.time.turn_to(at_us),
            at_us => {
                if let Some(at_us) = at_us.or_else(|| self.due_us(&next.choice)) {
                    self.time.reach(at_us);
                }
            }
        }
        Ok(Some(next))
    }

    /// Returns the time at which the message or timer of an action is due. Returns none if the message is held, or if
    /// the action has no such message or timer.
    fn due_us(&mut self, choice: &Choice) -> Option<u64> {
        match choice {
            Choice::Deliver(MessageName(message)) => match self.network.standing(*message)? {
                Standing::Due(due_us) => Some(due_us),
                Standing::Held => None,
            },
            Choice::Fire { node, timer } if self.specification().timers => {
                self.driver.following().ok()?.calendar().due(*node, timer).map(|(due_us, _)| due_us)
            }
            _ => None,
        }
    }

    /// Forks the run, which then continues without its schedule.
    ///
    /// # Errors
    /// If the run follows no schedule, has already left its schedule, or is over.
    pub(super) fn fork(&mut self) -> Result<(), RunError> {
        self.changeable()?;
        self.driver.following()?.fork()?;
        self.time.go_on();
        // Some messages have arrived at their processes, but were to be handled at later actions. These messages
        // are queued now.
        for node in NodeId::all(self.specification().nodes) {
            for in_flight in self.nodes[node].inputs.take_all_reached() {
                self.hand_over(in_flight);
            }
        }
        self.look_again();
        Ok(())
    }

    /// Completes an action. Judges the state of the run if the model judges it after the action. Records a difference
    /// if events are missing, or if the action was impossible.
    pub(in crate::run) fn conclude(&mut self, choice: Option<&Choice>, failed: Option<String>) {
        let left = self.driver.left() - usize::from(choice.is_some());
        // In a schedule in parts, separate actions determine when the state is judged.
        let judges = !self.driver.follows_parts();
        if judges && choice.is_some_and(Choice::ends_a_turn) {
            self.judge(left);
        }
        if judges && left == 0 && self.is_still() && !self.has_only_background() {
            self.judge(0);
        }
        let latest = self.latest();
        if let Ok(following) = self.driver.following() {
            following.conclude(latest, failed);
        }
        self.settle();
    }

    /// Whether no pending message or timer can have an effect. Two kinds of messages have no effect: repetitions that
    /// channels send to unreachable nodes, and heartbeats that change no suspicion.
    fn is_still(&mut self) -> bool {
        let is_heartbeat = |in_flight: &InFlight<Payload>| *in_flight.content.kind == *HEARTBEAT;
        self.next_due().is_none() || self.log.state().only_layers_go_on() && self.network.due().all(is_heartbeat)
    }

    /// Whether only a token remains, which circulates although no node requests the critical section.
    fn has_only_background(&mut self) -> bool {
        let circles =
            catalogue::find(&self.specification().algorithm).is_ok_and(|entry| !entry.background_kinds.is_empty());
        let is_of_client = |timer: &_| matches!(timer, TimerName::Client(_));
        let asks_again = self.specification().timers
            && self.driver.following().is_ok_and(|following| following.calendar().any(is_of_client));
        circles && !asks_again && self.log.state().nodes().iter().all(Node::is_idle)
    }

    /// Delivers a message. If the message is due, the network delivers it as usual. Otherwise, it is delivered as by
    /// a manual action.
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

    /// Makes a timer expire. In a run with timers, the timer must be due. In a run without timers, the timer need
    /// only be pending.
    pub(in crate::run) fn fire_scheduled(&mut self, node: NodeId, timer: &TimerLabel) -> Result<(), RunError> {
        if !self.specification().timers {
            return self.fire(node, timer);
        }
        self.require(node, Deed::Order)?;
        let now_us = self.time.now_us();
        let due = self.driver.following()?.calendar().due(node, timer).filter(|(due_us, _)| *due_us <= now_us);
        let (_, timer) = due.ok_or_else(|| Impossible::timers_run(node))?;
        self.run_out(node, timer);
        Ok(())
    }

    fn run_out(&mut self, node: NodeId, timer: TimerLabel) {
        if let Ok(following) = self.driver.following() {
            following.calendar().run_out(node, &timer);
        }
        self.nodes[node].inputs.fire(timer);
    }

    /// Returns the message or timer that is due next, and its time. If a message and a timer are due at the same
    /// time, returns the message.
    pub(in crate::run) fn next_due(&mut self) -> Option<(u64, Due)> {
        let message = self.network.next_due_us();
        let timers = self.specification().timers;
        let following = self.driver.following().ok().filter(|_| timers);
        let timer = following.and_then(|following| following.calendar().first());
        match (message, timer) {
            (Some(at_us), timer) if timer.as_ref().is_none_or(|(due_us, ..)| at_us <= *due_us) => {
                Some((at_us, Due::Message))
            }
            (_, Some((due_us, node, timer))) => Some((due_us, Due::Timer(node, timer))),
            (message, None) => message.map(|at_us| (at_us, Due::Message)),
        }
    }

    /// Delivers the message or makes the timer expire that is due first, if it is due by `until_us`. Returns the node
    /// concerned. Returns none if nothing is due by then, or if the processes differ from the model.
    pub(in crate::run) fn happen(&mut self, until_us: u64) -> Option<NodeId> {
        let is_over = self.driver.following().is_ok_and(|following| following.holds() && following.has_left());
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

    /// Removes all faults, and returns the messages that were held. The caller must deliver them.
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
