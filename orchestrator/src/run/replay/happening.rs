//! What of a choice of a schedule happens to the heart of a run, as the model's world has it.

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
    /// Whether nothing happens but what a schedule says.
    pub(in crate::run) fn follows(&self) -> bool {
        self.following.as_ref().is_some_and(Following::holds)
    }

    /// Whether it follows a schedule that says when each process starts, and when it takes what.
    pub(in crate::run) fn follows_parts(&self) -> bool {
        self.following.as_ref().is_some_and(|following| following.holds() && following.is_in_parts())
    }

    /// Whether the nodes' own timers run. Those of a run that follows a schedule, or has followed one, do not: the run
    /// itself knows when they are due.
    pub(in crate::run) fn timers_run(&self) -> bool {
        self.specification.timers && self.following.is_none()
    }

    /// The schedule that it follows.
    ///
    /// # Errors
    /// When it follows none.
    pub(in crate::run) fn following(&mut self) -> Result<&mut Following, NotDone> {
        self.following.as_mut().ok_or(NotDone::NoReplay)
    }

    /// Refuses to go on with a schedule that was left.
    ///
    /// # Errors
    /// When it follows no schedule or has left it, or is over.
    pub(in crate::run) fn can_go_on(&mut self) -> Result<(), RunError> {
        self.changeable()?;
        Ok(self.following()?.can_go_on()?)
    }

    /// The next choice, which happens from now on, at its time; none at the end.
    ///
    /// # Errors
    /// When it follows no schedule or has left it, or is over.
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

    /// When something is due by itself that a choice names.
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

    /// From now on the run lives by itself.
    ///
    /// # Errors
    /// When it follows no schedule or has left it, or is over.
    pub(super) fn fork(&mut self) -> Result<(), RunError> {
        self.changeable()?;
        self.following()?.fork()?;
        self.time.go_on();
        // What has reached a process that was to take it later is taken now.
        let reached: Vec<_> = self.nodes.iter_mut().flat_map(|end| end.reached.drain(..)).collect();
        for in_flight in reached {
            self.hand_over(in_flight);
        }
        self.script_left = 0;
        self.look_again();
        Ok(())
    }

    /// What was happening is over: it is judged how the run stands, where the model judges it, and what is missing is
    /// noted, or why it could not be done.
    pub(in crate::run) fn conclude(&mut self, choice: Option<&Choice>, failed: Option<String>) {
        let left = self.following.as_ref().map_or(0, Following::left);
        let left = left - usize::from(choice.is_some());
        // A schedule in parts says itself when it is judged how the run stands.
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

    /// Whether nothing is left to happen of which anything could come: nothing is due, or only what channels send again and
    /// again to those who hear nothing, and heartbeats that change nobody's mind.
    fn is_still(&mut self) -> bool {
        let is_heartbeat = |in_flight: &InFlight<Payload>| *in_flight.content.kind == *HEARTBEAT;
        self.next_due().is_none()
            || self.observation.state().only_layers_go_on() && self.network.due().all(is_heartbeat)
    }

    /// Whether nothing is left to happen but a token that circles although nobody wants anything.
    fn has_only_background(&self) -> bool {
        let circles =
            catalogue::find(&self.specification.algorithm).is_ok_and(|entry| !entry.background_kinds.is_empty());
        let calendar = self.following.as_ref().map(|following| &following.calendar);
        let asks_again = self.specification.timers
            && calendar.is_some_and(|calendar| calendar.any(|timer| matches!(timer, TimerName::Client(_))));
        circles && !asks_again && self.observation.state().nodes().iter().all(Node::is_idle)
    }

    /// Hands a message over: as the network does by itself if its time has come, else by hand.
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

    /// A timer runs out whose time has come; where the nodes' own timers are switched off, any.
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

    /// When the next thing is due by itself: of what is due at the same time, messages come first.
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

    /// Lets the next thing happen that is due by `until_us`, at its time, and says whose it is; none if nothing is due, or the
    /// processes have done otherwise than the model.
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

    /// Takes all faults away; what was held is returned, to be handed over.
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

/// Something that is due.
pub(in crate::run) enum Due {
    Message,
    Timer(NodeId, TimerLabel),
}
