//! One node as a pure machine: it handles an input at a given time, and returns the record of the step. It has no
//! clock and no socket.
//!
//! The machine consists of the algorithm, its client, the pending timers, and the checks that an input must pass
//! before it reaches the algorithm. [`LiveNode`] hides the type of the algorithm, so that code for a run does not
//! depend on it.

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

/// Callback by which a node notifies its driver that its next due time may have changed.
pub type Wake = std::sync::Arc<dyn Fn() + Send + Sync>;

/// A node that runs an algorithm of any type.
pub trait LiveNode: Send {
    /// Handles one input, the text of an [`InputItem`](crate::wire::InputItem), and appends the record of the step
    /// to `out`. An invalid input is also a step: the node refuses the input.
    fn take(&mut self, item: &str, now_us: u64, out: &mut Steps);

    /// Sets whether the client stops beginning rounds by itself. Before the first call, the client begins rounds.
    fn exhaust(&mut self, exhausted: bool);

    /// Makes the earliest timer that is due at `now_us` expire, and appends the record of the step. Returns whether
    /// there was such a timer.
    fn fire(&mut self, now_us: u64, out: &mut Steps) -> bool;

    /// Returns the time at which the next timer expires, in microseconds since the run began; none if no timer will
    /// expire.
    fn due_us(&self) -> Option<u64>;

    /// Appends the view of the node, which is shown to people, as JSON.
    fn write_view(&self, out: &mut Vec<u8>);

    /// Sets the callback for a node that becomes due without an input. The node may call it from any thread. Most
    /// nodes never call it.
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
