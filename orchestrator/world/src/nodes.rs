//! The nodes of a world behind one interface, independent of their algorithm.

use interlock_algorithm::{NodeId, RequestId};
use interlock_machine::client::Client;
use interlock_machine::wire::{CommandItem, Order, TimerName};

use super::content::Content;
use super::kernel::Kernel;
use interlock_model::event::{Json, RestartState, StepId, TimerLabel};
use interlock_model::network::InFlight;

/// The input of one step of a node.
pub enum Input {
    /// The run begins.
    Start,
    /// The node restarts after a crash, with its stored state if that was kept.
    Restart,
    /// A message from the network.
    Message(InFlight<Content>),
    /// The timer with this setting number expires, if it is still pending.
    Timer(u64),
    /// An order for the client.
    Order(CommandItem),
}

/// A pending timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Layer that owns the timer, and the name of the timer. A timer of the algorithm has its name only in its
    /// [label](Nodes::label).
    pub name: TimerName<()>,
    /// Time at which the timer expires by itself, in microseconds since the run began. `None` means that it expires
    /// only by order.
    pub due_us: Option<u64>,
    /// Number of the setting within the node's incarnation, from 0.
    pub setting: u64,
}

impl Timer {
    /// Whether the timer's time has come.
    #[must_use]
    pub fn is_due(&self, now_us: u64) -> bool {
        self.due_us.is_some_and(|due_us| due_us <= now_us)
    }
}

/// The nodes of a run, each in its current incarnation. Their effects on others go through the `Kernel`.
///
/// Every method must be called with a node of the run.
pub trait Nodes {
    /// Performs one step of a node: the node takes the input, and its effects are executed.
    fn step(&mut self, kernel: &mut Kernel<'_>, me: NodeId, input: Input);

    /// Counts an input that does not reach the node, and returns its step.
    fn refuse(&mut self, me: NodeId) -> StepId;

    /// Begins another incarnation of a node, whose next request has the number `next`. Returns whether any stored
    /// state was kept.
    fn begin_incarnation(&mut self, me: NodeId, state: RestartState, next: RequestId) -> bool;

    /// Returns the latest step of a node, with its incarnation. For a crashed node, it is the last step of the last
    /// incarnation.
    fn latest_step(&self, me: NodeId) -> StepId;

    /// Returns the client of a node.
    fn client(&self, me: NodeId) -> &Client;

    /// Whether a node takes part in the algorithm. A node that may have forgotten its promises does not.
    fn takes_part(&self, me: NodeId) -> bool;

    /// Returns why a node would refuse an order now, or `None` if it would execute the order.
    fn refusal(&self, me: NodeId, order: &Order) -> Option<String>;

    /// Returns the state of a node as people see it.
    fn view(&self, me: NodeId) -> Json;

    /// Whether the timer with this setting number, in this incarnation of a node, is pending.
    fn awaits(&self, me: NodeId, incarnation: u32, setting: u64) -> bool;

    /// Returns the first pending timer of a node, in the order of the names, for which `is_it` holds.
    fn find_timer(&self, me: NodeId, is_it: &mut dyn FnMut(&Timer) -> bool) -> Option<Timer>;

    /// Returns the name of the pending timer with this setting number, as events write it.
    fn label(&self, me: NodeId, setting: u64) -> Option<TimerLabel>;

    /// Replaces a pending timer by one without a time, and returns the number of the new setting.
    fn withhold(&mut self, me: NodeId, setting: u64) -> Option<u64>;

    /// Cancels all timers of a node.
    fn forget_timers(&mut self, me: NodeId);
}

impl dyn Nodes + '_ {
    /// Returns the pending timer of a node with this label. White space and the order of fields do not matter.
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
