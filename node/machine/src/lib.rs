//! One node as a pure machine. The node handles an input at a given time, and returns a record of the step. It has
//! no clock and no socket.
//!
//! The machine consists of the algorithm, its client, the pending timers, and the checks of inputs for the
//! algorithm. [`LiveNode`] hides the type of the algorithm, so that the code of a run does not depend on this type.

pub mod application;
#[cfg(test)]
#[path = "../../../tests/support/arbitrary.rs"]
mod arbitrary;
pub mod channel;
pub mod client;
mod delay;
pub mod detector;
pub mod distribution;
pub mod draw;
pub mod followed;
pub mod ledger;
pub mod lock_choice;
pub mod message_id;
pub mod node;
mod normal;
pub mod quantity;
pub mod recipients;
mod record;
pub mod service;
#[cfg(any(test, feature = "test-support"))]
pub mod test_support;
#[cfg(test)]
mod tests;
mod text_node;
pub mod timers;
pub mod visible;
pub mod wire;
pub mod wording;
pub mod workload;

use interlock_algorithm::{Algorithm, Configuration, Refusal, Visitor, catalogue};

use self::text_node::TextNode;
use crate::wire::Initialization;

pub use self::record::Steps;

/// Callback with which a node notifies its driver that the next due time of the node may have changed.
pub type Wake = std::sync::Arc<dyn Fn() + Send + Sync>;

/// A node whose algorithm may have any type.
pub trait LiveNode: Send {
    /// Handles one input, and appends the step record to `out`. `item` is the text of an
    /// [`InputItem`](crate::wire::InputItem). An invalid input is also a step, in which the node refuses the input.
    fn take(&mut self, item: &str, now_us: u64, out: &mut Steps);

    /// Sets whether the client must stop beginning rounds by itself. Before the first call, the client may begin
    /// rounds.
    fn exhaust(&mut self, exhausted: bool);

    /// Makes the earliest timer that is due at `now_us` expire, and appends the step record. Returns whether a
    /// timer was due.
    fn fire(&mut self, now_us: u64, out: &mut Steps) -> bool;

    /// Returns the time at which the next timer expires, in microseconds since the run began. Returns `None` if no
    /// timer will expire by itself.
    fn due_us(&self) -> Option<u64>;

    /// Appends the view of the node as JSON. The view is the form of the state that users see.
    fn write_view(&self, out: &mut Vec<u8>);

    /// Sets the callback that the node calls if it becomes due without an input. The node may call it from any
    /// thread. Most nodes never call it.
    fn wake_with(&mut self, _wake: Wake) {}

    /// Returns the reason why the node can no longer take part, as a sentence; `None` if it can still take part.
    fn failure(&self) -> Option<&str> {
        None
    }
}

/// Creates a node of algorithm `A` from an initialization.
#[must_use]
pub fn live_node<A: Algorithm>(setting: A::Setting, initialization: &Initialization) -> Box<dyn LiveNode> {
    Box::new(TextNode::<A>::new(setting, initialization))
}

/// Creates a node from an initialization that names an algorithm of the catalogue.
///
/// # Errors
/// The invalid field of the configuration, with its valid values.
pub fn catalogue_node(initialization: &Initialization) -> Result<Box<dyn LiveNode>, Refusal> {
    struct Live<'a>(&'a Initialization);
    impl Visitor for Live<'_> {
        type Output = Box<dyn LiveNode>;
        fn visit<A: Algorithm>(self, setting: A::Setting) -> Box<dyn LiveNode> {
            live_node::<A>(setting, self.0)
        }
    }
    let Initialization { algorithm, variant, parameters, nodes, locks, .. } = initialization;
    let configuration =
        Configuration { algorithm, variant: variant.as_deref(), parameters, nodes: *nodes, locks: *locks };
    catalogue::instantiate_erased(&configuration, Live(initialization))
}
