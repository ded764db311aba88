//! The nodes of a world behind one interface that does not depend on their algorithm.

use interlock_algorithm::{NodeId, RequestId};
use interlock_machine::client::Client;
use interlock_machine::wire::{CommandItem, Order, TimerName};

use super::content::Content;
use super::kernel::Kernel;
use interlock_model::event::{Json, RestartState, StepId, TimerLabel};
use interlock_model::network::InFlight;

/// The input of one step of a node.
pub enum Input {
    /// The node begins its first incarnation.
    Start,
    /// The node restarts after a crash, with its stored state if the restart keeps this state.
    Restart,
    /// A message from the network.
    Message(InFlight<Content>),
    /// The timer with this setting number expires, if the timer is still pending.
    Timer(u64),
    /// An order for the client.
    Order(CommandItem),
}

/// A pending timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Layer that owns the timer, and the name of the timer. For a timer of the algorithm, only the
    /// [label](Nodes::label) contains the name.
    pub name: TimerName<()>,
    /// Time at which the timer expires by itself, in microseconds since the run began. `None` means that the timer
    /// expires only by an action.
    pub due_us: Option<u64>,
    /// Number of timers that the node had set in this incarnation before this timer. This number identifies the
    /// timer.
    pub setting: u64,
}

impl Timer {
    /// Whether the timer is due at `now_us`.
    #[must_use]
    pub fn is_due(&self, now_us: u64) -> bool {
        self.due_us.is_some_and(|due_us| due_us <= now_us)
    }
}

/// The nodes of a run, each in its current incarnation. They affect one another, and the rest of the world, only
/// through the `Kernel`.
///
/// Every method must be called with the number of a node of the run.
pub trait Nodes {
    /// Executes one step of a node: the node handles the input, and its effects are executed.
    fn step(&mut self, kernel: &mut Kernel<'_>, me: NodeId, input: Input);

    /// Counts a step whose input does not reach the node, and returns this step.
    fn refuse(&mut self, me: NodeId) -> StepId;

    /// Begins another incarnation of a node. The next request of the node has the number `next`. Returns whether
    /// the new incarnation has a stored state.
    fn begin_incarnation(&mut self, me: NodeId, state: RestartState, next: RequestId) -> bool;

    /// Returns the latest step of a node, with its incarnation. If the node has crashed, this is the last step of
    /// its last incarnation.
    fn latest_step(&self, me: NodeId) -> StepId;

    /// Returns the client of a node.
    fn client(&self, me: NodeId) -> &Client;

    /// Whether a node takes part in the algorithm. A node does not take part if it may have forgotten promises in a
    /// crash.
    fn takes_part(&self, me: NodeId) -> bool;

    /// Returns the reason why a node would refuse an order now; `None` if the node would execute the order.
    fn refusal(&self, me: NodeId, order: &Order) -> Option<String>;

    /// Returns the state of a node in the form that is shown to people.
    fn view(&self, me: NodeId) -> Json;

    /// Whether the timer with this setting number, in this incarnation of a node, is still pending.
    fn awaits(&self, me: NodeId, incarnation: u32, setting: u64) -> bool;

    /// Returns the first pending timer of a node, in the order of names, for which `is_it` returns true.
    fn find_timer(&self, me: NodeId, is_it: &mut dyn FnMut(&Timer) -> bool) -> Option<Timer>;

    /// Returns the name of the pending timer with this setting number, in the form that events have.
    fn label(&self, me: NodeId, setting: u64) -> Option<TimerLabel>;

    /// Replaces a pending timer by a timer without a time, and returns the setting number of the new timer.
    fn withhold(&mut self, me: NodeId, setting: u64) -> Option<u64>;

    /// Cancels all timers of a node.
    fn forget_timers(&mut self, me: NodeId);
}

impl dyn Nodes + '_ {
    /// Returns the pending timer of a node with this label. Differences in white space and in the order of fields
    /// do not matter.
    pub fn timer_called(&self, me: NodeId, label: &TimerLabel) -> Option<Timer> {
        self.find_timer(me, &mut |timer| self.label(me, timer.setting).is_some_and(|own| says_the_same(&own, label)))
    }
}

fn says_the_same(one: &TimerLabel, other: &TimerLabel) -> bool {
    match (one, other) {
        (TimerName::Algorithm(one), TimerName::Algorithm(other)) => one == other || one.value() == other.value(),
        _ => one == other,
    }
}
