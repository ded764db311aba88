//! One simulated process: its node, and what is known of it over all its lives.

use std::collections::VecDeque;

use interlock_algorithm::{Algorithm, NodeId, RequestId};
use interlock_machine::client::{Client, ClientContext};
use interlock_machine::node::Node;
use interlock_machine::wire::{CommandItem, TimerName};

use super::Content;
use crate::network::InFlight;
use crate::specification::Specification;
use crate::state::ProcessStatus;

/// One process.
#[derive(Debug)]
pub(super) struct Process<A: Algorithm> {
    pub node: Node<A>,
    pub status: Status,
    /// How many sections it wants or is in.
    pub engaged: u32,
    /// The number of its latest request, over all its lives.
    pub asked: u64,
    /// The latest of its requests that came as far as a section, over all its lives.
    pub latest: u64,
    pub stored: Option<A::Stored>,
    /// What came while it was paused.
    pub withheld: VecDeque<Withheld<A>>,
    /// How many orders were given to it in this life.
    pub orders: u64,
    /// What it is to take first, where that is a choice of its own.
    pub first: Option<First<A>>,
    /// The messages that have reached it, where it takes them by choices of their own.
    pub reached: Vec<InFlight<Content<A::Message>>>,
    /// Since when it is paused.
    pub paused_us: u64,
}

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It is being started, and not there yet.
    Starting,
    Running,
    Paused,
    Crashed,
}

impl From<Status> for ProcessStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Starting => Self::Starting,
            Status::Running => Self::Running,
            Status::Paused => Self::Paused,
            Status::Crashed => Self::Crashed,
        }
    }
}

/// The first step of a life.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum First<A: Algorithm> {
    Start,
    Restart(Option<A::Stored>),
}

/// Something that a paused process has yet to take.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Withheld<A: Algorithm> {
    Message(InFlight<Content<A::Message>>),
    /// A timer that has run out by itself: that of this setting, unless it is cancelled or set again before the process
    /// comes to it.
    Timer(u64),
    /// A timer that was told to run out.
    Fired(TimerName<A::Timer>),
    Order(CommandItem),
}

impl<A: Algorithm> Process<A> {
    pub fn new(setting: &A::Setting, me: NodeId, specification: &Specification, client_context: ClientContext) -> Self {
        let Specification { nodes, seed, .. } = *specification;
        let client = Client::new(me, nodes, seed, specification.client_loop(me), client_context);
        Self {
            node: Node::new(setting, me, 1, client),
            status: Status::Running,
            engaged: 0,
            asked: 0,
            latest: 0,
            stored: None,
            withheld: VecDeque::new(),
            orders: 0,
            first: None,
            reached: Vec::new(),
            paused_us: 0,
        }
    }

    /// The same process, whose life begins in this state if there is one.
    pub fn beginning_in(self, state: Option<A>) -> Self {
        match state {
            Some(state) => Self { node: self.node.beginning_in(state), ..self },
            None => self,
        }
    }

    /// Begins another life, with what was kept of what it had stored.
    pub fn begin_another_life(&mut self, setting: &A::Setting, me: NodeId, kept: Option<A::Stored>) {
        let client = self.node.client().clone().reborn(RequestId(self.asked + 1), self.node.client().rounds());
        self.node = Node::new(setting, me, self.node.incarnation() + 1, client);
        self.status = Status::Running;
        self.stored = kept;
        self.orders = 0;
    }

    /// Whether a timer of its client is pending and has not run out yet.
    pub fn awaits_its_client(&self) -> bool {
        let timers = self.node.timers();
        timers.names().any(|name| matches!(name, TimerName::Client(_)) && timers.due_us_of(name).is_some())
    }

    /// A timer of a paused process has run out: it stays pending, without a time, until the process comes to it.
    pub fn withhold_timer(&mut self, name: TimerName<A::Timer>) {
        self.withheld.push_back(Withheld::Timer(self.node.timers().settings()));
        self.node.timers_mut().set(name, None);
    }

    /// Forgets what it has yet to take; the messages among it are returned, in order of their names.
    pub fn lose_withheld(&mut self) -> Vec<InFlight<Content<A::Message>>> {
        let withheld = std::mem::take(&mut self.withheld);
        let message = |input| if let Withheld::Message(in_flight) = input { Some(in_flight) } else { None };
        let mut lost = std::mem::take(&mut self.reached);
        lost.extend(withheld.into_iter().filter_map(message));
        lost.sort_unstable_by_key(|in_flight| in_flight.id);
        lost
    }

    /// Everything that dies with the process is gone.
    pub fn crash(&mut self) {
        self.status = Status::Crashed;
        self.engaged = 0;
        self.first = None;
        self.node.timers_mut().clear();
    }
}
