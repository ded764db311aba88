//! The world of a run: its processes, its network and its time, and what follows from whatever happens in it.
//!
//! It knows an order of things and no clock. Something happens in one of two ways: a [`Choice`] is [applied](World::apply),
//! or what is due next [happens by itself](World::happen). Which of it comes next, and how far time has gone on by then,
//! is up to a schedule: virtual time takes the earliest, a recording what it says, a random schedule what it draws.

mod apply;
mod calendar;
mod content;
mod emit;
mod enabled;
mod lives;
mod nodes;
mod nodes_of;
mod observer;
mod parts;
mod process;
mod step;
mod surroundings;
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
pub use nodes::Nodes;
use nodes::{Input, Timer};
pub use nodes_of::NodesOf;
pub use observer::Observer;
use process::{Process, Status, Withheld};
use surroundings::Surroundings;
pub use typed::{AnySetting, SettingOf, WorldOf, setting_of};

/// The most steps without progress of a run unless told otherwise: ten million, and ten for each pair of processes, since
/// before the first entry each may have to hear of the request of every other.
#[must_use]
pub const fn steps_without_progress(nodes: u32) -> u64 {
    let nodes = nodes as u64;
    10_000_000 + 10 * nodes * nodes
}

/// How much has happened in a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many steps all nodes took.
    pub steps: u64,
    /// How many messages were sent, all of them.
    pub messages: u64,
    /// How many times something was sent: a multicast counts as one.
    pub transmissions: u64,
    /// How many entries there were.
    pub entries: u64,
    /// How many steps there had been when there was progress last: the first entry by a request or, where there are no
    /// locks, an election or a decision.
    pub steps_at_progress: u64,
}

/// What happens next by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// A message arrives.
    Message,
    /// A timer runs out.
    Timer,
}

/// The world of one run: its nodes, and all around them. Only [whoever makes it](WorldOf) need know of which algorithm the
/// nodes are.
pub struct World<'a, N: ?Sized = dyn Nodes + 'a> {
    around: Surroundings<'a>,
    nodes: N,
}

impl World<'_> {
    /// [Time that is let go on](Choice::After) is broken off once there were so many steps in all, or so many in a row without
    /// progress.
    pub const fn break_off_after(&mut self, most_steps: u64, most_steps_without_progress: u64) {
        self.around.most_steps = most_steps;
        self.around.most_steps_without_progress = most_steps_without_progress;
    }

    /// Tells that the run begins, and lets every process begin.
    pub fn begin(&mut self) {
        self.around.emit_beginning();
        for node in self.all() {
            self.perform(node, Input::Start);
        }
        self.read_at_once();
    }

    /// Ends the run: what is still in the network is lost.
    pub fn end(&mut self, why: Ending) {
        if !self.around.is_observed() {
            return;
        }
        let waiting: Vec<_> = self.around.processes.iter_mut().flat_map(Process::lose_withheld).collect();
        for lost in self.around.network.clear().into_iter().chain(waiting) {
            self.around.emit_dropped(&lost, DropReason::Ended);
        }
        self.around.emit(What::Ended { why });
    }

    /// In which life a process is, or was before it died, and how many steps it has taken in it.
    #[must_use]
    pub fn latest_step(&self, node: NodeId) -> Option<StepId> {
        self.around.processes.get(node.index()).map(|_| self.nodes.latest_step(node))
    }

    fn incarnation(&self, node: NodeId) -> u32 {
        self.nodes.latest_step(node).incarnation
    }

    fn all(&self) -> impl Iterator<Item = NodeId> + use<> {
        NodeId::all(self.around.specification.nodes)
    }

    /// The names of all messages in the network, those of the application included, in their order.
    #[must_use]
    pub fn messages(&self) -> Vec<MessageId> {
        self.around.network.messages()
    }

    /// The time, in microseconds since the run began.
    #[must_use]
    pub const fn now(&self) -> Ticks {
        self.around.now
    }

    /// How much has happened.
    #[must_use]
    pub const fn counts(&self) -> &Counts {
        &self.around.counts
    }

    /// How many processes want the section or are in it.
    #[must_use]
    pub const fn engaged(&self) -> usize {
        self.around.engaged
    }

    /// How many rounds of clients came as far as a section.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.all().map(|node| self.nodes.client(node).rounds()).sum()
    }

    /// Whether some client will ask by itself.
    fn asks_again(&self) -> bool {
        let awaits_its_client = |node| {
            let mut is_it = |timer: &Timer| matches!(timer.name, TimerName::Client(_)) && timer.due_us.is_some();
            self.nodes.find_timer(node, &mut is_it).is_some()
        };
        self.around.specification.timers && self.all().any(awaits_its_client)
    }

    /// Whether nothing is left to happen but a token that circles although nobody wants anything.
    #[must_use]
    pub fn has_only_background(&self) -> bool {
        !self.around.entry.background_kinds.is_empty() && self.around.engaged == 0 && !self.asks_again()
    }

    /// Whether nothing is left to happen of which anything could come: nothing is due, or only what channels send again and
    /// again to those who hear nothing, and heartbeats that change nobody's mind.
    pub fn is_still(&mut self) -> bool {
        self.next_due().is_none() || self.only_layers_go_on()
    }

    fn only_layers_go_on(&self) -> bool {
        if self.around.channel.channel.is_raw() && self.around.hearts.is_none() {
            return false;
        }
        let runs = |node: NodeId| self.around.processes[node.index()].status == Status::Running;
        let is_deaf =
            |node: NodeId| matches!(self.around.processes[node.index()].status, Status::Crashed | Status::Paused);
        // Losses by chance go on without end: they hold up the end only of a run in which somebody still wants something.
        let is_done = self.around.engaged == 0 && !self.asks_again();
        let is_settled = || {
            self.around.hearts.as_ref().is_none_or(|hearts| {
                if is_done { hearts.are_settled_but_for_losses(runs) } else { hearts.are_settled(runs) }
            })
        };
        let leads_somewhere = |timer: &Timer| match timer.name {
            TimerName::Channel(other) => !is_deaf(other),
            TimerName::Detector(_) => false,
            TimerName::Client(_) | TimerName::Algorithm(()) => true,
        };
        let is_over = |node: NodeId| match self.around.processes[node.index()].status {
            Status::Starting => false,
            Status::Crashed => true,
            Status::Running | Status::Paused => self.nodes.find_timer(node, &mut { leads_somewhere }).is_none(),
        };
        self.all().all(is_over)
            && self.around.network.due().all(|in_flight| matches!(in_flight.content, Content::Heartbeat(_)))
            && is_settled()
    }

    /// What a perfect failure detector tells once this has happened: the death of a process all others, its return too,
    /// and who is back of those who are dead.
    #[must_use]
    pub fn tidings(&self, choice: &Choice) -> Vec<Choice> {
        if self.around.detector != DetectorSetting::Perfect {
            return Vec::new();
        }
        let lives =
            |node: NodeId| matches!(self.around.processes[node.index()].status, Status::Running | Status::Paused);
        let believes = |told: &Choice| {
            let order = told.order();
            order.is_some_and(|(node, order)| self.nodes.refusal(node, &order).is_none())
        };
        let others = |than: NodeId| NodeId::all(self.around.specification.nodes).filter(move |node| *node != than);
        match *choice {
            Choice::Crash { node: whom } => {
                let told = others(whom).filter(|&node| lives(node)).map(|node| Choice::Suspect { node, whom });
                told.filter(believes).collect()
            }
            Choice::Restart { node: whom, .. } => {
                // Who takes no part is as good as dead.
                let takes_part = self.nodes.takes_part(whom);
                let living = others(whom).filter(|&node| takes_part && lives(node));
                let told = living.map(|node| Choice::Trust { node, whom });
                let dead = others(whom).filter(|&node| !lives(node));
                told.chain(dead.map(|dead| Choice::Suspect { node: whom, whom: dead })).filter(believes).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Time goes on to this, if it has not gone further.
    pub const fn reach(&mut self, now: Ticks) {
        if self.around.now < now {
            self.around.now = now;
        }
    }

    /// Tells the observer that a turn is over: nothing moves until something else is done, of which so much is left.
    pub fn settle(&mut self, left: usize) {
        if let Some(observer) = &mut self.around.observer {
            observer.settle(self.around.now, left);
        }
    }

    /// Tells the observer that a schedule has come to its next choice, or to its end.
    pub fn mark(&mut self) {
        if let Some(observer) = &mut self.around.observer {
            observer.mark();
        }
    }

    /// What is due next, and when: of what is due at the same time, messages in the order in which they were sent, then
    /// timers in the order in which they were set.
    #[inline(always)]
    pub fn next_due(&mut self) -> Option<(Ticks, Due)> {
        match (self.around.network.next_due_us(), self.next_timer()) {
            (Some(message), timer) if timer.is_none_or(|timer| message <= timer) => Some((message, Due::Message)),
            (_, Some(timer)) => Some((timer, Due::Timer)),
            (message, None) => message.map(|message| (message, Due::Message)),
        }
    }

    /// Lets what is due next happen, if its time has come.
    #[inline(always)]
    pub fn happen(&mut self, due: Due) {
        match due {
            Due::Message => self.arrive(),
            Due::Timer => self.run_out(),
        }
        self.read_at_once();
    }

    /// What the next thing that is due is called.
    #[must_use]
    pub fn name_of(&self, due: Due) -> Option<Choice> {
        match due {
            Due::Message => self.around.network.next().map(|message| Choice::Deliver(MessageName(message))),
            Due::Timer => {
                let deadline = self.around.calendar.first()?;
                let timer = self.nodes.label(deadline.node, deadline.setting)?;
                Some(Choice::Fire { node: deadline.node, timer })
            }
        }
    }

    /// Lets everything be read that is known in the instant in which it is said.
    #[inline(always)]
    fn read_at_once(&mut self) {
        while let Some(message) = self.around.at_once.pop_front() {
            self.deliver(message);
        }
    }

    /// When the next timer runs out. What is left of cancelled ones is swept away: it must not let time pass.
    fn next_timer(&mut self) -> Option<Ticks> {
        while let Some(deadline) = self.around.calendar.first() {
            if self.awaits(&deadline) {
                return Some(deadline.due);
            }
            self.around.calendar.pop();
        }
        None
    }

    #[inline(always)]
    fn awaits(&self, deadline: &calendar::Deadline) -> bool {
        self.nodes.awaits(deadline.node, deadline.incarnation, deadline.setting)
    }

    #[inline(always)]
    fn arrive(&mut self) {
        if let Some(arrival) = self.around.network.arrival(self.around.now) {
            self.arrived(arrival);
        }
    }

    #[inline(always)]
    fn arrived(&mut self, arrival: Arrival<Content>) {
        match arrival {
            Arrival::HandOver(in_flight) => self.deliver(in_flight),
            Arrival::Cut(lost) => self.around.emit_dropped(&lost, DropReason::Partition),
            Arrival::Stopped(held) => self.around.emit(What::held(held.id, held.content.kind().into())),
        }
    }

    fn run_out(&mut self) {
        let Some(deadline) = self.around.calendar.pop().filter(|deadline| self.awaits(deadline)) else { return };
        self.ring(deadline.node, deadline.setting);
    }

    /// The pending timer of this setting runs out, whose time has come. That of a paused process stays pending, without a
    /// time, until the process comes to it.
    fn ring(&mut self, node: NodeId, setting: u64) {
        if self.around.processes[node.index()].status == Status::Paused {
            let again = self.nodes.withhold(node, setting).map(Withheld::Timer);
            self.around.processes[node.index()].withheld.extend(again);
        } else {
            self.perform(node, Input::Timer(setting));
        }
    }

    #[inline(always)]
    fn deliver(&mut self, in_flight: InFlight<Content>) {
        let node = in_flight.id.to;
        match self.around.processes[node.index()].status {
            Status::Running => self.perform(node, Input::Message(in_flight)),
            Status::Paused | Status::Starting => {
                self.around.processes[node.index()].withheld.push_back(Withheld::Message(in_flight));
            }
            Status::Crashed => self.around.emit_dropped(&in_flight, DropReason::Crashed),
        }
    }

    /// One step of a node: it takes the input, and what follows from it is done.
    #[inline(always)]
    fn perform(&mut self, node: NodeId, input: Input) {
        self.nodes.step(&mut self.around, node, input);
    }

    /// A node cannot take something now: a step that refuses it.
    fn refuse(&mut self, node: NodeId, cause: Cause, detail: &str) {
        let at = self.nodes.refuse(node);
        self.around.counts.steps += 1;
        let view = self.around.records().then(|| self.nodes.view(node));
        self.around.emit_refusal(at, cause, view, detail);
    }
}
