//! The world of a run: its processes, its network and its time, and what follows from whatever happens in it.
//!
//! It knows an order of things and no clock. Something happens in one of two ways: a [`Choice`] is [applied](World::apply),
//! or what is due next [happens by itself](World::happen). Which of it comes next, and how far time has gone on by then,
//! is up to a schedule: virtual time takes the earliest, a recording what it says, a random schedule what it draws.

mod apply;
mod calendar;
mod emit;
mod enabled;
mod lives;
mod observer;
mod parts;
mod process;
mod step;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use interlock_algorithm::{Algorithm, Message, NodeId, Ticks};
use interlock_machine::channel::{ChannelSetting, Packet};
use interlock_machine::client::ClientContext;
use interlock_machine::detector::{DetectorSetting, HEARTBEAT, Heartbeat};
use interlock_machine::followed::Followed;
use interlock_machine::message_id::MessageId;
use interlock_machine::node::{Node, NodeInput};
use interlock_machine::wire::{TELL, TimerName, Told};

use crate::choice::{Choice, MessageName};
use crate::event::{DropReason, Ending, MessageKind, StepId, What};
use crate::network::{Arrival, InFlight, Network};
use crate::specification::Specification;
use crate::state::Hearts;
use calendar::Calendar;
use emit::Cause;
pub(crate) use emit::label;
pub use observer::Observer;
use process::{Process, Status, Withheld};

/// The most steps without progress of a run unless told otherwise: ten million, and ten for each pair of processes, since
/// before the first entry each may have to hear of the request of every other.
#[must_use]
pub const fn steps_without_progress(nodes: u32) -> u64 {
    let nodes = nodes as u64;
    10_000_000 + 10 * nodes * nodes
}

/// What the network of a world carries.
#[derive(Clone, Debug, PartialEq)]
enum Content<M> {
    /// A message of the algorithm.
    Protocol(M),
    /// A message of the application.
    Told(Told),
    /// What a channel sends.
    Packet(Box<Packet<M>>),
    /// What a failure detector sends.
    Heartbeat(Heartbeat),
}

impl<M: Message> Content<M> {
    fn kind(&self) -> MessageKind {
        match self {
            Self::Protocol(message) => message.kind(),
            Self::Told(_) => TELL,
            Self::Packet(packet) => packet.kind(),
            Self::Heartbeat(_) => HEARTBEAT,
        }
        .into()
    }
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

/// The world of one run.
pub struct World<'a, A: Algorithm> {
    specification: &'a Specification,
    setting: &'a A::Setting,
    now: Ticks,
    processes: Vec<Process<A>>,
    network: Network<Content<A::Message>>,
    calendar: Calendar,
    observer: Option<&'a mut dyn Observer>,
    /// How many rounds the clients may still begin by themselves.
    rounds_left: Option<u64>,
    counts: Counts,
    /// How many processes want the section or are in it.
    engaged: usize,
    /// With composite atomicity: what is to be read before anything else happens.
    at_once: VecDeque<InFlight<Content<A::Message>>>,
    instantaneous: bool,
    channel: ChannelSetting,
    detector: DetectorSetting,
    /// None where no hearts beat.
    hearts: Option<Hearts>,
    /// Whether what happens at once otherwise happens in parts, each by a choice of its own.
    in_parts: bool,
    most_steps: u64,
    most_steps_without_progress: u64,
    // Cleared and used again in each step; in a box, since it is taken out for as long as the step lasts.
    followed: Option<Box<Followed<A>>>,
}

impl<'a, A: Algorithm> World<'a, A> {
    /// A world before its first step, whose clients may make so many rounds by themselves, or as many as their workload
    /// says.
    #[must_use]
    pub fn new(
        specification: &'a Specification,
        setting: &'a A::Setting,
        rounds: Option<u64>,
        observer: Option<&'a mut dyn Observer>,
    ) -> Self {
        let Specification { nodes, seed, network, links, locks, .. } = specification;
        let client_context = ClientContext::of::<A>(setting, *locks);
        let process = |me| Process::new(setting, me, specification, client_context);
        Self {
            specification,
            setting,
            now: 0,
            processes: NodeId::all(*nodes).map(process).collect(),
            network: Network::new(*nodes, *seed, network.clone(), links),
            calendar: Calendar::default(),
            observer,
            rounds_left: rounds,
            counts: Counts::default(),
            engaged: 0,
            at_once: VecDeque::new(),
            instantaneous: A::is_instantaneous(setting),
            channel: specification.channel_setting(),
            detector: specification.detector_setting(),
            hearts: Hearts::new(specification),
            in_parts: false,
            most_steps: u64::MAX,
            most_steps_without_progress: steps_without_progress(*nodes),
            followed: None,
        }
    }

    /// The same world, in which [time that is let go on](Choice::After) is broken off once there were so many steps in all, or
    /// so many in a row without progress.
    #[must_use]
    pub fn with_most_steps(self, most_steps: u64, most_steps_without_progress: u64) -> Self {
        Self { most_steps, most_steps_without_progress, ..self }
    }

    /// The same world, whose first processes begin in these states, one each; the others begin as usual.
    #[must_use]
    pub fn beginning_in(mut self, states: impl IntoIterator<Item = A>) -> Self {
        let begun = std::mem::take(&mut self.processes).into_iter();
        let mut states = states.into_iter();
        self.processes = begun.map(|process| process.beginning_in(states.next())).collect();
        self
    }

    /// Lets a process say what its algorithm has not: the message is sent as by its latest step. So processes lie.
    pub fn forge(&mut self, from: NodeId, to: NodeId, message: A::Message) {
        if let Some(node) = self.node(from) {
            let at = StepId { node: from, incarnation: node.incarnation(), step: node.step() };
            self.send_one(at, to, message);
        }
    }

    /// Tells that the run begins, and lets every process begin.
    pub fn begin(&mut self) {
        self.emit_beginning();
        for node in NodeId::all(self.specification.nodes) {
            self.perform(node, NodeInput::Start, Cause::Start);
        }
        self.read_at_once();
    }

    /// Ends the run: what is still in the network is lost.
    pub fn end(&mut self, why: Ending) {
        if !self.is_observed() {
            return;
        }
        let waiting: Vec<_> = self.processes.iter_mut().flat_map(Process::lose_withheld).collect();
        for lost in self.network.clear().into_iter().chain(waiting) {
            self.emit_dropped(&lost, DropReason::Ended);
        }
        self.emit(What::Ended { why });
    }

    /// The life that a process is in, or was in before it died.
    #[must_use]
    pub fn node(&self, node: NodeId) -> Option<&Node<A>> {
        self.processes.get(node.index()).map(|process| &process.node)
    }

    /// The messages of the algorithm that are in the network, in no order.
    pub fn in_flight(&self) -> impl Iterator<Item = (MessageId, &A::Message)> {
        self.network.in_flight().filter_map(|in_flight| match &in_flight.content {
            Content::Protocol(message) => Some((in_flight.id, message)),
            Content::Told(_) | Content::Packet(_) | Content::Heartbeat(_) => None,
        })
    }

    /// The names of all messages in the network, those of the application included, in their order.
    #[must_use]
    pub fn messages(&self) -> Vec<MessageId> {
        self.network.messages()
    }

    /// The time, in microseconds since the run began.
    #[must_use]
    pub const fn now(&self) -> Ticks {
        self.now
    }

    /// How much has happened.
    #[must_use]
    pub const fn counts(&self) -> &Counts {
        &self.counts
    }

    /// How many processes want the section or are in it.
    #[must_use]
    pub const fn engaged(&self) -> usize {
        self.engaged
    }

    /// How many rounds of clients came as far as a section.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.processes.iter().map(|process| process.node.client().rounds()).sum()
    }

    /// Whether some client will ask by itself.
    fn asks_again(&self) -> bool {
        self.specification.timers && self.processes.iter().any(Process::awaits_its_client)
    }

    /// Whether nothing is left to happen but a token that circles although nobody wants anything.
    #[must_use]
    pub fn has_only_background(&self) -> bool {
        !A::ENTRY.background_kinds.is_empty() && self.engaged == 0 && !self.asks_again()
    }

    /// Whether nothing is left to happen of which anything could come: nothing is due, or only what channels send again and
    /// again to those who hear nothing, and heartbeats that change nobody's mind.
    pub fn is_still(&mut self) -> bool {
        self.next_due().is_none() || self.only_layers_go_on()
    }

    fn only_layers_go_on(&self) -> bool {
        if self.channel.channel.is_raw() && self.hearts.is_none() {
            return false;
        }
        let runs = |node: NodeId| self.processes[node.index()].status == Status::Running;
        let is_deaf = |node: NodeId| matches!(self.processes[node.index()].status, Status::Crashed | Status::Paused);
        let is_settled = || self.hearts.as_ref().is_none_or(|hearts| hearts.are_settled(runs));
        let leads_nowhere = |timer| match timer {
            TimerName::Channel(other) => is_deaf(other),
            TimerName::Detector(_) => true,
            TimerName::Client(_) | TimerName::Algorithm(_) => false,
        };
        let is_done = |process: &Process<A>| match process.status {
            Status::Starting => false,
            Status::Crashed => true,
            Status::Running | Status::Paused => process.node.timers().names().all(leads_nowhere),
        };
        let is_heartbeat = |content: &Content<A::Message>| matches!(content, Content::Heartbeat(_));
        self.processes.iter().all(is_done)
            && self.network.due().all(|in_flight| is_heartbeat(&in_flight.content))
            && is_settled()
    }

    /// What a perfect failure detector tells once this has happened: the death of a process all others, its return too,
    /// and who is back of those who are dead.
    #[must_use]
    pub fn tidings(&self, choice: &Choice) -> Vec<Choice> {
        if self.detector != DetectorSetting::Perfect {
            return Vec::new();
        }
        let lives = |node: NodeId| matches!(self.processes[node.index()].status, Status::Running | Status::Paused);
        let believes = |told: &Choice| {
            let order = told.order();
            order.is_some_and(|(node, order)| self.processes[node.index()].node.refusal(self.setting, &order).is_none())
        };
        let others = |than: NodeId| NodeId::all(self.specification.nodes).filter(move |node| *node != than);
        match *choice {
            Choice::Crash { node: whom } => {
                let told = others(whom).filter(|&node| lives(node)).map(|node| Choice::Suspect { node, whom });
                told.filter(believes).collect()
            }
            Choice::Restart { node: whom, .. } => {
                // Who takes no part is as good as dead.
                let takes_part = self.processes[whom.index()].node.state().state().is_some();
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
        if self.now < now {
            self.now = now;
        }
    }

    /// Tells the observer that a turn is over: nothing moves until something else is done, of which so much is left.
    pub fn settle(&mut self, left: usize) {
        if let Some(observer) = &mut self.observer {
            observer.settle(self.now, left);
        }
    }

    /// Tells the observer that a schedule has come to its next choice, or to its end.
    pub fn mark(&mut self) {
        if let Some(observer) = &mut self.observer {
            observer.mark();
        }
    }

    /// What is due next, and when: of what is due at the same time, messages in the order in which they were sent, then
    /// timers in the order in which they were set.
    #[inline(always)]
    pub fn next_due(&mut self) -> Option<(Ticks, Due)> {
        match (self.network.next_due_us(), self.next_timer()) {
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
            Due::Message => self.network.next().map(|message| Choice::Deliver(MessageName(message))),
            Due::Timer => {
                let deadline = self.calendar.first()?;
                let timer = self.processes[deadline.node.index()].node.timers().name(deadline.setting)?;
                Some(Choice::Fire { node: deadline.node, timer: emit::label(timer) })
            }
        }
    }

    /// Lets everything be read that is known in the instant in which it is said.
    #[inline(always)]
    fn read_at_once(&mut self) {
        while let Some(message) = self.at_once.pop_front() {
            self.deliver(message);
        }
    }

    /// When the next timer runs out. What is left of cancelled ones is swept away: it must not let time pass.
    fn next_timer(&mut self) -> Option<Ticks> {
        while let Some(deadline) = self.calendar.first() {
            if self.awaits(&deadline) {
                return Some(deadline.due);
            }
            self.calendar.pop();
        }
        None
    }

    #[inline(always)]
    fn awaits(&self, deadline: &calendar::Deadline) -> bool {
        let node = &self.processes[deadline.node.index()].node;
        node.incarnation() == deadline.incarnation && node.timers().awaits(deadline.setting)
    }

    #[inline(always)]
    fn arrive(&mut self) {
        if let Some(arrival) = self.network.arrival(self.now) {
            self.arrived(arrival);
        }
    }

    #[inline(always)]
    fn arrived(&mut self, arrival: Arrival<Content<A::Message>>) {
        match arrival {
            Arrival::HandOver(in_flight) => self.deliver(in_flight),
            Arrival::Cut(lost) => self.emit_dropped(&lost, DropReason::Partition),
            Arrival::Stopped(held) => self.emit(What::held(held.id, held.content.kind())),
        }
    }

    fn run_out(&mut self) {
        let Some(deadline) = self.calendar.pop().filter(|deadline| self.awaits(deadline)) else { return };
        let Some(name) = self.processes[deadline.node.index()].node.timers_mut().expire(deadline.setting) else {
            return;
        };
        self.ring(deadline.node, name);
    }

    /// A timer whose time has come runs out.
    fn ring(&mut self, node: NodeId, name: TimerName<A::Timer>) {
        let process = &mut self.processes[node.index()];
        if process.status == Status::Paused {
            process.withhold_timer(name);
        } else {
            self.perform(node, NodeInput::Timer(name), Cause::Timer(name));
        }
    }

    #[inline(always)]
    fn deliver(&mut self, in_flight: InFlight<Content<A::Message>>) {
        let node = in_flight.id.to;
        match self.processes[node.index()].status {
            Status::Running => self.take(node, in_flight),
            Status::Paused | Status::Starting => {
                self.processes[node.index()].withheld.push_back(Withheld::Message(in_flight));
            }
            Status::Crashed => self.emit_dropped(&in_flight, DropReason::Crashed),
        }
    }
}
