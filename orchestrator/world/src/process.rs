//! One simulated process: what is known of it over all its lives, besides its node.

use std::collections::VecDeque;

use interlock_machine::wire::CommandItem;

use super::content::Content;
use interlock_model::event::TimerLabel;
use interlock_model::network::InFlight;
use interlock_model::process_status::ProcessStatus;

/// One process.
pub(super) struct Process {
    pub status: Status,
    /// How many sections it wants or is in.
    pub engaged: u32,
    /// The number of its latest request, over all its lives.
    pub asked: u64,
    /// The latest of its requests that came as far as a section, over all its lives.
    pub latest: u64,
    /// What came while it was paused.
    pub withheld: VecDeque<Withheld>,
    /// How many orders were given to it in this life.
    pub orders: u64,
    /// What it is to take first, where that is a choice of its own.
    pub first: Option<First>,
    /// The messages that have reached it, where it takes them by choices of their own.
    pub reached: Vec<InFlight<Content>>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    Start,
    Restart,
}

/// Something that a paused process has yet to take.
pub(super) enum Withheld {
    Message(InFlight<Content>),
    /// A timer that has run out by itself: that of this setting, unless it is cancelled or set again before the process
    /// comes to it.
    Timer(u64),
    /// A timer that was told to run out.
    Fired(TimerLabel),
    Order(CommandItem),
}

impl Process {
    /// One that runs, to which nothing has happened yet.
    pub const fn new() -> Self {
        Self {
            status: Status::Running,
            engaged: 0,
            asked: 0,
            latest: 0,
            withheld: VecDeque::new(),
            orders: 0,
            first: None,
            reached: Vec::new(),
            paused_us: 0,
        }
    }

    /// It runs again, in another life.
    pub const fn begin_another_life(&mut self) {
        self.status = Status::Running;
        self.orders = 0;
    }

    /// Forgets what it has yet to take; the messages among it are returned, in order of their names.
    pub fn lose_withheld(&mut self) -> Vec<InFlight<Content>> {
        let withheld = std::mem::take(&mut self.withheld);
        let message = |input| if let Withheld::Message(in_flight) = input { Some(in_flight) } else { None };
        let mut lost = std::mem::take(&mut self.reached);
        lost.extend(withheld.into_iter().filter_map(message));
        lost.sort_unstable_by_key(|in_flight| in_flight.id);
        lost
    }

    /// Everything that dies with the process is gone, but for the timers of its node.
    pub const fn crash(&mut self) {
        self.status = Status::Crashed;
        self.engaged = 0;
        self.first = None;
    }
}
