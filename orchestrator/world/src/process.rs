//! State of one simulated process over all its incarnations. The state of its node is stored elsewhere.

use std::collections::VecDeque;

use interlock_machine::wire::CommandItem;

use super::content::Content;
use interlock_model::event::TimerLabel;
use interlock_model::network::InFlight;
use interlock_model::process_status::ProcessStatus;

/// A simulated process.
pub(super) struct Process {
    pub status: Status,
    /// Number of critical sections that the process wants or holds.
    pub engaged: u32,
    /// Number of the latest request of the process, over all incarnations.
    pub asked: u64,
    /// Number of the latest request that was granted, over all incarnations of the process.
    pub latest: u64,
    /// Inputs that arrived while the process could not handle them. The process handles these inputs when it is
    /// resumed.
    pub withheld: VecDeque<Withheld>,
    /// Number of orders that were sent to the process in this incarnation.
    pub orders: u64,
    /// The first step of the incarnation, in a world in parts. `None` if the process has already executed this step.
    pub first: Option<First>,
    /// Messages that have reached the process and are not handled yet, in a world in parts. For each message, a later
    /// choice of the schedule makes the process handle it.
    pub reached: Vec<InFlight<Content>>,
    /// Time of the latest pause of the process.
    pub paused_us: u64,
}

/// The state of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The process is being started, and is not ready yet.
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

/// The first step of an incarnation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    Start,
    Restart,
}

/// The input of one step of a node.
pub enum Input {
    /// The node begins its first incarnation.
    Start,
    /// The node restarts after a crash, with its stored state if the restart keeps this state.
    Restart,
    /// A message from the network.
    Message(InFlight<Content>),
    /// A timer expires, if it is still pending. The number is its setting number: the number of timers that the node
    /// had set before.
    Timer(u64),
    /// An order for the client.
    Order(CommandItem),
}

/// An input that a process will handle when it is resumed.
pub(super) enum Withheld {
    Input(Input),
    /// A timer that an action has caused to expire.
    Fired(TimerLabel),
}

impl Process {
    /// Creates a running process that has not executed any step.
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

    /// Marks the process as running again, in another incarnation.
    pub const fn begin_incarnation(&mut self) {
        self.status = Status::Running;
        self.orders = 0;
    }

    /// Removes the inputs that the process has not handled yet. Returns those that are messages, sorted by name.
    pub fn lose_withheld(&mut self) -> Vec<InFlight<Content>> {
        let withheld = std::mem::take(&mut self.withheld);
        let message = |withheld| match withheld {
            Withheld::Input(Input::Message(in_flight)) => Some(in_flight),
            _ => None,
        };
        let mut lost = std::mem::take(&mut self.reached);
        lost.extend(withheld.into_iter().filter_map(message));
        lost.sort_unstable_by_key(|in_flight| in_flight.id);
        lost
    }

    /// Marks the process as crashed, and discards its volatile state. The timers of its node are stored elsewhere,
    /// and are not discarded here.
    pub const fn crash(&mut self) {
        self.status = Status::Crashed;
        self.engaged = 0;
        self.first = None;
    }
}
