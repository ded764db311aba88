//! The nodes of a world, whatever their algorithm is: all that anybody else has to know of them.

use interlock_algorithm::{NodeId, RequestId};
use interlock_machine::client::Client;
use interlock_machine::wire::{CommandItem, Order, TimerName};

use super::content::Content;
use super::surroundings::Surroundings;
use interlock_model::event::{Json, RestartState, StepId, TimerLabel};
use interlock_model::network::InFlight;

/// What a node is given, one at a time.
pub enum Input {
    /// The run begins.
    Start,
    /// The node is back after a crash, with what was kept of what it had stored.
    Restart,
    /// Something that has come through the network.
    Message(InFlight<Content>),
    /// The timer that it has set by this setting runs out, if it is still pending.
    Timer(u64),
    /// An order to the client.
    Order(CommandItem),
}

/// A pending timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer {
    /// Whose it is, and which if it is none of the algorithm: those have a [label](Nodes::label).
    pub name: TimerName<()>,
    /// When it runs out by itself, in microseconds since the run began; none means only by order.
    pub due_us: Option<u64>,
    /// By which setting of its life the node has set it, from 0.
    pub setting: u64,
}

impl Timer {
    /// Whether its time has come.
    #[must_use]
    pub fn is_due(&self, now_us: u64) -> bool {
        self.due_us.is_some_and(|due_us| due_us <= now_us)
    }
}

/// The nodes of a run, each in one of its lives. What they do to others, they do to what is around them.
///
/// Each method is called with a node of the run.
pub trait Nodes {
    /// One step of a node: it takes the input, and what follows from it is done.
    fn step(&mut self, around: &mut Surroundings<'_>, me: NodeId, input: Input);

    /// Counts an input that does not come to the node, and says which step that is.
    fn refuse(&mut self, me: NodeId) -> StepId;

    /// Begins another life of a node, whose requests are numbered on from this one, and says whether anything is kept of
    /// what it had stored.
    fn begin_another_life(&mut self, me: NodeId, state: RestartState, next: RequestId) -> bool;

    /// Which life a node is in, or was in before it died, and how many steps it has taken in it.
    fn latest_step(&self, me: NodeId) -> StepId;

    /// The client of a node.
    fn client(&self, me: NodeId) -> &Client;

    /// Whether a node takes part in the algorithm: it may have forgotten what it had promised.
    fn takes_part(&self, me: NodeId) -> bool;

    /// Why a node would refuse an order now; none if it would follow it.
    fn refusal(&self, me: NodeId, order: &Order) -> Option<String>;

    /// What people look at.
    fn view(&self, me: NodeId) -> Json;

    /// Whether the timer is pending that a life of a node has set by this setting.
    fn awaits(&self, me: NodeId, incarnation: u32, setting: u64) -> bool;

    /// The first pending timer of a node, in the order of their names, that is the one.
    fn find_timer(&self, me: NodeId, is_it: &mut dyn FnMut(&Timer) -> bool) -> Option<Timer>;

    /// How events call the pending timer of this setting.
    fn label(&self, me: NodeId, setting: u64) -> Option<TimerLabel>;

    /// Takes the time from a pending timer, which is set again so and stays, and says by which setting.
    fn withhold(&mut self, me: NodeId, setting: u64) -> Option<u64>;

    /// Forgets the timers of a node.
    fn forget_timers(&mut self, me: NodeId);
}

impl dyn Nodes + '_ {
    /// The pending timer of a node that events call so. White space and the order of fields do not matter.
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
