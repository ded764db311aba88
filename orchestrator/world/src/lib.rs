//! The simulated world of a run: its processes, its network, its time, and the consequences of each event.
//!
//! The world orders events, but has no clock. A step of the world either [applies](World::apply) a [`Choice`], or
//! executes the next due event, which [happens by itself](World::happen). A schedule decides which of the two
//! happens next, and how far time advances before that. A schedule in virtual time always selects the earliest
//! event. A recording repeats the recorded event, and a random schedule draws an event.

mod apply;
mod calendar;
mod content;
mod emit;
mod enabled;
mod incarnations;
mod kernel;
mod nodes;
mod nodes_of;
mod observer;
mod parts;
mod process;
mod step;
#[cfg(test)]
mod tests;
mod typed;

use interlock_algorithm::{NodeId, Ticks};
use interlock_machine::detector::DetectorSetting;
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::TimerName;

use content::Content;
use emit::Cause;
pub use emit::label;
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::{DropReason, Ending, StepId, What};
use interlock_model::network::{Arrival, InFlight};
use kernel::Kernel;
pub use nodes::Nodes;
use nodes::Timer;
pub use nodes_of::NodesOf;
pub use observer::Observer;
use process::{Input, Process, Status, Withheld};
pub use typed::{AnySetting, SettingOf, WorldOf, setting_of};

/// Returns the default maximum number of steps without progress: ten million, plus ten for each pair of processes.
/// Before the first entry, each process may have to receive a request from every other process.
#[must_use]
pub const fn steps_without_progress(nodes: u32) -> u64 {
    let nodes = nodes as u64;
    10_000_000 + 10 * nodes * nodes
}

/// Counters of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of steps of all nodes.
    pub steps: u64,
    /// Number of messages sent by all nodes.
    pub messages: u64,
    /// Number of send operations. A multicast is one send operation.
    pub transmissions: u64,
    /// Number of entries into a critical section.
    pub entries: u64,
    /// Value of `steps` at the latest progress. Progress is the first entry of a request. For an algorithm without
    /// locks, progress is an election or a decision.
    pub steps_at_progress: u64,
}

/// The kind of event that happens next by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// A message arrives.
    Message,
    /// A timer expires.
    Timer,
}

/// The world of one run: its nodes, and its kernel with everything else. Only the code that [creates a
/// world](WorldOf) knows the type of the algorithm.
pub struct World<'a, N: ?Sized = dyn Nodes + 'a> {
    kernel: Kernel<'a>,
    nodes: N,
}

impl World<'_> {
    /// Limits [time that advances by itself](Choice::After). Time stops with an error after `most_steps` steps in
    /// total, or after `most_steps_without_progress` successive steps without progress.
    pub const fn break_off_after(&mut self, most_steps: u64, most_steps_without_progress: u64) {
        self.kernel.most_steps = most_steps;
        self.kernel.most_steps_without_progress = most_steps_without_progress;
    }

    /// Emits the beginning of the run, and executes the first step of every process.
    pub fn begin(&mut self) {
        self.kernel.emit_beginning();
        for node in self.all() {
            self.perform(node, Input::Start);
        }
        self.read_at_once();
    }

    /// Ends the run. Messages that are still in the network are dropped.
    pub fn end(&mut self, why: Ending) {
        if !self.kernel.is_observed() {
            return;
        }
        let waiting: Vec<_> = self.kernel.processes.iter_mut().flat_map(Process::lose_withheld).collect();
        for lost in self.kernel.network.clear().into_iter().chain(waiting) {
            self.kernel.emit_dropped(&lost, DropReason::Ended);
        }
        self.kernel.emit(What::Ended { why });
    }

    /// Returns the incarnation and the number of the latest step of a process. If the process has crashed, this is
    /// the last step of its last incarnation.
    #[must_use]
    pub fn latest_step(&self, node: NodeId) -> Option<StepId> {
        self.kernel.processes.get(node.index()).map(|_| self.nodes.latest_step(node))
    }

    fn incarnation(&self, node: NodeId) -> u32 {
        self.nodes.latest_step(node).incarnation
    }

    fn all(&self) -> impl Iterator<Item = NodeId> + use<> {
        NodeId::all(self.kernel.specification.nodes)
    }

    /// Returns the names of all messages in the network, sorted. Messages of the application are included.
    #[must_use]
    pub fn messages(&self) -> Vec<MessageId> {
        self.kernel.network.messages()
    }

    /// Returns the time in microseconds since the run began.
    #[must_use]
    pub const fn now(&self) -> Ticks {
        self.kernel.now
    }

    /// Returns the counters.
    #[must_use]
    pub const fn counts(&self) -> &Counts {
        &self.kernel.counts
    }

    /// Returns the number of processes that want or hold a critical section.
    #[must_use]
    pub const fn engaged(&self) -> usize {
        self.kernel.engaged
    }

    /// Returns the number of client rounds, of all clients, that reached a critical section.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.all().map(|node| self.nodes.client(node).rounds()).sum()
    }

    /// Whether at least one client will send another request without an order.
    fn asks_again(&self) -> bool {
        let awaits_its_client = |node| {
            let mut is_it = |timer: &Timer| matches!(timer.name, TimerName::Client(_)) && timer.due_us.is_some();
            self.nodes.find_timer(node, &mut is_it).is_some()
        };
        self.kernel.specification.timers && self.all().any(awaits_its_client)
    }

    /// Whether only background activity is left: for example, a token that circulates although no process wants a
    /// critical section.
    #[inline(always)]
    #[must_use]
    pub fn has_only_background(&self) -> bool {
        !self.kernel.entry.background_kinds.is_empty() && self.kernel.engaged == 0 && !self.asks_again()
    }

    /// Whether none of the remaining events can have an effect: no event is due, or [`only_layers_go_on`].
    ///
    /// [`only_layers_go_on`]: Self::only_layers_go_on
    pub fn is_still(&mut self) -> bool {
        self.next_due().is_none() || self.only_layers_go_on()
    }

    /// Whether all due events are retransmissions to processes that cannot receive, or heartbeats that change no
    /// suspicion.
    #[inline(always)]
    #[must_use]
    pub fn only_layers_go_on(&self) -> bool {
        let has_layers = !self.kernel.channel.channel.is_raw() || self.kernel.hearts.is_some();
        has_layers && self.no_layer_leads_on()
    }

    fn no_layer_leads_on(&self) -> bool {
        let runs = |node: NodeId| self.kernel.processes[node.index()].status == Status::Running;
        let is_deaf =
            |node: NodeId| matches!(self.kernel.processes[node.index()].status, Status::Crashed | Status::Paused);
        // Heartbeats are lost at random throughout the run, so suspicions may change at any time. If no process
        // wants to enter any longer, these losses are ignored; otherwise the run would never end.
        let is_done = self.kernel.engaged == 0 && !self.asks_again();
        let is_settled = || {
            self.kernel.hearts.as_ref().is_none_or(|hearts| {
                if is_done { hearts.are_settled_but_for_losses(runs) } else { hearts.are_settled(runs) }
            })
        };
        let leads_somewhere = |timer: &Timer| match timer.name {
            TimerName::Channel(other) => !is_deaf(other),
            TimerName::Detector(_) => false,
            TimerName::Client(_) | TimerName::Algorithm(()) => true,
        };
        let is_over = |node: NodeId| match self.kernel.processes[node.index()].status {
            Status::Starting => false,
            Status::Crashed => true,
            Status::Running | Status::Paused => self.nodes.find_timer(node, &mut { leads_somewhere }).is_none(),
        };
        self.all().all(is_over)
            && self.kernel.network.due().all(|in_flight| matches!(in_flight.content, Content::Heartbeat(_)))
            && is_settled()
    }

    /// Returns the notifications of a perfect failure detector about a crash or restart that `choice` causes. All
    /// other live processes are notified of the crash or restart. A restarted process is notified of all crashed
    /// processes.
    #[must_use]
    pub fn notices(&self, choice: &Choice) -> Vec<Choice> {
        if self.kernel.detector != DetectorSetting::Perfect {
            return Vec::new();
        }
        let lives =
            |node: NodeId| matches!(self.kernel.processes[node.index()].status, Status::Running | Status::Paused);
        let believes = |told: &Choice| {
            let order = told.order();
            order.is_some_and(|(node, order)| self.nodes.refusal(node, &order).is_none())
        };
        let others = |than: NodeId| NodeId::all(self.kernel.specification.nodes).filter(move |node| *node != than);
        match *choice {
            Choice::Crash { node: whom } => {
                let told = others(whom).filter(|&node| lives(node)).map(|node| Choice::Suspect { node, whom });
                told.filter(believes).collect()
            }
            Choice::Restart { node: whom, .. } => {
                // A process that does not take part in the algorithm counts as crashed.
                let takes_part = self.nodes.takes_part(whom);
                let living = others(whom).filter(|&node| takes_part && lives(node));
                let told = living.map(|node| Choice::Trust { node, whom });
                let dead = others(whom).filter(|&node| !lives(node));
                told.chain(dead.map(|dead| Choice::Suspect { node: whom, whom: dead })).filter(believes).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Advances time to `now`, unless the time is already later.
    pub const fn reach(&mut self, now: Ticks) {
        if self.kernel.now < now {
            self.kernel.now = now;
        }
    }

    /// Notifies the observer that no event happens until the next action, and that `left` actions remain.
    pub fn settle(&mut self, left: usize) {
        if let Some(observer) = &mut self.kernel.observer {
            observer.settle(self.kernel.now, left);
        }
    }

    /// Notifies the observer that the schedule has reached its next choice or its end.
    pub fn mark(&mut self) {
        if let Some(observer) = &mut self.kernel.observer {
            observer.mark();
        }
    }

    /// Returns the next due event, and its time. Among events with equal times, messages come first, in the order
    /// of sending. Timers follow, in the order in which they were set.
    pub fn next_due(&mut self) -> Option<(Ticks, Due)> {
        let message = self.kernel.network.next_due_us();
        let precedes = |timer: Ticks| message.is_none_or(|message| timer < message);
        while let Some(deadline) = self.kernel.calendar.first().filter(|deadline| precedes(deadline.due)) {
            if self.awaits(&deadline) {
                return Some((deadline.due, Due::Timer));
            }
            // The timer was cancelled. Its entry must not advance time.
            self.kernel.calendar.pop();
        }
        message.map(|message| (message, Due::Message))
    }

    /// Executes the event that [`next_due`](Self::next_due) has just returned.
    pub fn happen(&mut self, due: Due) {
        match due {
            Due::Message => self.arrive(),
            Due::Timer => self.run_out(),
        }
        self.read_at_once();
    }

    /// Returns a choice that names the next event of kind `due`.
    #[must_use]
    pub fn name_of(&self, due: Due) -> Option<Choice> {
        match due {
            Due::Message => self.kernel.network.next().map(|message| Choice::Deliver(MessageName(message))),
            Due::Timer => {
                let deadline = self.kernel.calendar.first()?;
                let timer = self.nodes.label(deadline.node, deadline.setting)?;
                Some(Choice::Fire { node: deadline.node, timer })
            }
        }
    }

    /// Delivers all messages that must be read at the time of sending.
    #[inline(always)]
    fn read_at_once(&mut self) {
        while let Some(message) = self.kernel.at_once.pop_front() {
            self.deliver(message);
        }
    }

    #[inline(always)]
    fn awaits(&self, deadline: &calendar::Deadline) -> bool {
        self.nodes.awaits(deadline.node, deadline.incarnation, deadline.setting)
    }

    #[inline(always)]
    fn arrive(&mut self) {
        if let Some(arrival) = self.kernel.network.arrival(self.kernel.now) {
            self.arrived(arrival);
        }
    }

    #[inline(always)]
    fn arrived(&mut self, arrival: Arrival<Content>) {
        match arrival {
            Arrival::HandOver(in_flight) => self.deliver(in_flight),
            Arrival::Cut(lost) => self.kernel.emit_dropped(&lost, DropReason::Partition),
            Arrival::Stopped(held) => self.kernel.emit(What::held(held.id, held.content.kind().into())),
        }
    }

    fn run_out(&mut self) {
        if let Some(deadline) = self.kernel.calendar.pop() {
            self.ring(deadline.node, deadline.setting);
        }
    }

    /// Makes the pending timer with this setting number expire; the caller has checked that the timer is due. If
    /// the process is paused, the timer stays pending, without a due time, until the process is resumed.
    fn ring(&mut self, node: NodeId, setting: u64) {
        if self.kernel.processes[node.index()].status == Status::Paused {
            let again = self.nodes.withhold(node, setting).map(|setting| Withheld::Input(Input::Timer(setting)));
            self.kernel.processes[node.index()].withheld.extend(again);
        } else {
            self.perform(node, Input::Timer(setting));
        }
    }

    #[inline(always)]
    fn deliver(&mut self, in_flight: InFlight<Content>) {
        let node = in_flight.id.to;
        match self.kernel.processes[node.index()].status {
            Status::Running => self.perform(node, Input::Message(in_flight)),
            Status::Paused | Status::Starting => {
                self.kernel.processes[node.index()].withheld.push_back(Withheld::Input(Input::Message(in_flight)));
            }
            Status::Crashed => self.kernel.emit_dropped(&in_flight, DropReason::Crashed),
        }
    }

    /// Executes one step of a node: the node handles the input, and the world executes the effects.
    #[inline(always)]
    fn perform(&mut self, node: NodeId, input: Input) {
        self.nodes.step(&mut self.kernel, node, input);
    }

    /// Records a step in which a node refuses its input.
    fn refuse(&mut self, node: NodeId, cause: Cause, detail: &str) {
        let at = self.nodes.refuse(node);
        self.kernel.counts.steps += 1;
        let view = self.kernel.records().then(|| self.nodes.view(node));
        self.kernel.emit_refusal(at, cause, view, &detail);
    }
}
