//! One simulated process: its algorithm, its client, its pending timers.

use std::collections::VecDeque;

use interlock_algorithm::{Algorithm, NodeId, Participant};
use interlock_machine::client::{Client, Premises};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::{CommandItem, TimerName};

use super::engine::Content;
use crate::network::Carried;
use crate::specification::Specification;
use crate::state::ProcessStatus;

/// One process.
#[derive(Debug)]
pub(super) struct Process<A: Algorithm> {
    pub state: Participant<A>,
    pub client: Client,
    pub incarnation: u32,
    /// How many steps it has taken in this life.
    pub step: u64,
    pub status: Status,
    /// How many sections it wants or is in.
    pub engaged: u32,
    /// The number of its latest request, over all its lives.
    pub asked: u64,
    /// The latest of its requests that came as far as a section, over all its lives.
    pub latest: u64,
    pub stored: Option<A::Stored>,
    timers: Vec<Pending<A::Timer>>,
    /// What came while it was paused.
    pub withheld: VecDeque<Withheld<A>>,
}

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Running,
    Paused,
    Crashed,
}

impl From<Status> for ProcessStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Running => Self::Running,
            Status::Paused => Self::Paused,
            Status::Crashed => Self::Crashed,
        }
    }
}

/// Something that a paused process has yet to take.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Withheld<A: Algorithm> {
    Message(Carried<Content<A::Message>>),
    /// A timer that has run out by itself.
    Timer(TimerName<A::Timer>),
    /// A timer that was told to run out.
    Fired(TimerName<A::Timer>),
    Order(CommandItem),
}

#[derive(Clone, Copy, Debug)]
struct Pending<T> {
    name: TimerName<T>,
    order: u64,
}

impl<A: Algorithm> Process<A> {
    pub fn new(setting: &A::Setting, me: NodeId, specification: &Specification, premises: Premises) -> Self {
        Self {
            state: Participant::new(setting, me, 1),
            client: Client::new(me, specification.nodes, specification.seed, specification.client_loop(me), premises),
            incarnation: 1,
            step: 0,
            status: Status::Running,
            engaged: 0,
            asked: 0,
            latest: 0,
            stored: None,
            timers: Vec::new(),
            withheld: VecDeque::new(),
        }
    }

    /// Notes that a timer was set, in place of one of the same name.
    pub fn set(&mut self, name: TimerName<A::Timer>, order: u64) {
        self.cancel(name);
        self.timers.push(Pending { name, order });
    }

    /// Forgets a timer.
    pub fn cancel(&mut self, name: TimerName<A::Timer>) {
        self.timers.retain(|pending| pending.name != name);
    }

    /// Whether a timer was set and has neither run out nor been cancelled.
    pub fn is_pending(&self, name: TimerName<A::Timer>) -> bool {
        self.timers.iter().any(|pending| pending.name == name)
    }

    /// Whether the timer that was set by this setting is still pending.
    #[inline]
    pub fn awaits(&self, order: u64) -> bool {
        self.timers.iter().any(|pending| pending.order == order)
    }

    /// The timer that was set by this setting, if nothing has come between; it is pending no more.
    pub fn run_out(&mut self, order: u64) -> Option<TimerName<A::Timer>> {
        let place = self.timers.iter().position(|pending| pending.order == order)?;
        Some(self.timers.swap_remove(place).name)
    }

    /// How many timers of its client are pending.
    pub fn client_timers(&self) -> usize {
        let is_the_clients = |pending: &&Pending<_>| matches!(pending.name, TimerName::Client(_));
        self.timers.iter().filter(is_the_clients).count()
    }

    /// Forgets what it has yet to take; the messages among it are returned, in order of their names.
    pub fn lose_withheld(&mut self) -> Vec<MessageId> {
        let withheld = std::mem::take(&mut self.withheld);
        let message = |input| if let Withheld::Message(carried) = input { Some(carried.id) } else { None };
        let mut lost: Vec<MessageId> = withheld.into_iter().filter_map(message).collect();
        lost.sort_unstable();
        lost
    }

    /// Everything that dies with the process is gone.
    pub fn crash(&mut self) {
        self.status = Status::Crashed;
        self.engaged = 0;
        self.timers.clear();
    }
}
