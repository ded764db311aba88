//! The nodes of a world behind an interface that does not depend on the type of their algorithm.

use interlock_algorithm::{NodeId, RequestId};
use interlock_machine::client::Client;
use interlock_machine::node::Refused;
use interlock_machine::wire::{Order, TimerName};

use super::kernel::Kernel;
use super::process::Input;
use interlock_model::event::{Json, RestartState, StepId, TimerLabel};

/// A pending timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Layer that owns the timer, and the name of the timer. The name of an algorithm's timer is missing here: only
    /// the [label](Nodes::label) contains it.
    pub name: TimerName<()>,
    /// Time at which the timer expires by itself, in microseconds since the run began. `None` means that the timer
    /// expires only by an action.
    pub due_us: Option<u64>,
    /// Number of timers that the node had set in this incarnation before it set this timer. This number identifies
    /// the timer.
    pub setting: u64,
}

impl Timer {
    /// Whether the timer is due at `now_us`.
    #[must_use]
    pub fn is_due(&self, now_us: u64) -> bool {
        self.due_us.is_some_and(|due_us| due_us <= now_us)
    }
}

/// The nodes of a run, each in its current incarnation. A node affects other nodes, and the rest of the world, only
/// through the `Kernel`.
///
/// Every method must be called with the number of a node of the run.
pub trait Nodes {
    /// Executes one step of a node: the node handles the input, and the effects of the step are executed.
    fn step(&mut self, kernel: &mut Kernel<'_>, me: NodeId, input: Input);

    /// Counts a step whose input does not reach the node, and returns the identity of this step.
    fn refuse(&mut self, me: NodeId) -> StepId;

    /// Begins another incarnation of a node, whose first request has the number `next`. Returns whether the new
    /// incarnation has a stored state.
    fn begin_incarnation(&mut self, me: NodeId, state: RestartState, next: RequestId) -> bool;

    /// Returns the incarnation and the number of the latest step of a node. If the node has crashed, this is the
    /// last step of its last incarnation.
    fn latest_step(&self, me: NodeId) -> StepId;

    /// Returns the client of a node.
    fn client(&self, me: NodeId) -> &Client;

    /// Whether a node takes part in the algorithm. A node takes no part if it has restarted without state and may
    /// have forgotten promises.
    fn takes_part(&self, me: NodeId) -> bool;

    /// Returns the reason why a node would refuse an order now; `None` if the node would execute the order.
    fn refusal(&self, me: NodeId, order: &Order) -> Option<Refused>;

    /// Returns the state of a node in the form that users see.
    fn view(&self, me: NodeId) -> Json;

    /// Whether the timer with this setting number is still pending in this incarnation of a node.
    fn awaits(&self, me: NodeId, incarnation: u32, setting: u64) -> bool;

    /// Returns the first pending timer of a node for which `is_it` returns true. Timers are in the order of their
    /// names.
    fn find_timer(&self, me: NodeId, is_it: &mut dyn FnMut(&Timer) -> bool) -> Option<Timer>;

    /// Returns the name of the pending timer with this setting number, in the form that is used in events.
    fn label(&self, me: NodeId, setting: u64) -> Option<TimerLabel>;

    /// Replaces the pending timer with this setting number with a timer without a due time, which expires only by
    /// an order. Returns the setting number of the new timer, or none if the old timer is not pending. The setting
    /// number of a timer is the number of times that the node had set a timer before.
    fn withhold(&mut self, me: NodeId, setting: u64) -> Option<u64>;

    /// Cancels all timers of a node.
    fn forget_timers(&mut self, me: NodeId);
}

impl dyn Nodes + '_ {
    /// Returns the pending timer of a node with this label. The comparison ignores white space and the order of
    /// fields.
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
