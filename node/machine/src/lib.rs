//! One node as a pure machine: it takes an input and the time, and returns the record of a step. No clock, no
//! socket.
//!
//! The machine consists of the algorithm, its client, the pending timers, and the checks that an input must pass
//! to reach the algorithm. The type of the algorithm is erased here, once for a whole run: see [`LiveNode`].

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

/// Callback that asks the driver of a node to check again when the node is due.
pub type Wake = std::sync::Arc<dyn Fn() + Send + Sync>;

/// A node that runs an algorithm of any type.
pub trait LiveNode: Send {
    /// Takes one input, the text of an [`InputItem`](crate::wire::InputItem), and appends the record of its step
    /// to `out`. An invalid input also gives a step, which refuses it.
    fn take(&mut self, item: &str, now_us: u64, out: &mut Steps);

    /// Sets whether the client may no longer begin rounds by itself. Initially it may.
    fn exhaust(&mut self, exhausted: bool);

    /// Expires the earliest timer that is due at `now_us`, and appends the record of its step. Returns whether
    /// there was such a timer.
    fn fire(&mut self, now_us: u64, out: &mut Steps) -> bool;

    /// Returns the time at which the next timer expires, in microseconds since the run began.
    fn due_us(&self) -> Option<u64>;

    /// Appends the view of the node for people, as JSON.
    fn write_view(&self, out: &mut Vec<u8>);

    /// Sets the callback that the node calls, from any thread, when it becomes due without an input. Most nodes
    /// never call it.
    fn wake_with(&mut self, _wake: Wake) {}

    /// Returns why the node can no longer take part, as a sentence; `None` as long as it can.
    fn failure(&self) -> Option<&str> {
        None
    }
}

/// Creates the node for an initialization, with algorithm `A`.
#[must_use]
pub fn live_node<A: Algorithm>(setting: A::Setting, initialization: &Initialization) -> Box<dyn LiveNode> {
    Box::new(TextNode::<A>::new(setting, initialization))
}

/// Creates the node for an initialization, with the algorithm of the catalogue that it names.
///
/// # Errors
/// The part of the configuration that is not possible, and the possible alternatives.
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
