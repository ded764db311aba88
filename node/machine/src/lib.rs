//! One node as a pure machine: an input and the time come in, a step record comes out. No clock, no socket.
//!
//! Around the algorithm stand the client, the timers that are pending, and the checks without which an input does not
//! reach the algorithm. The type of the algorithm is erased here, once for a whole run: see [`LiveNode`].

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

/// Tells the driver of a node to look again when the node is due.
pub type Wake = std::sync::Arc<dyn Fn() + Send + Sync>;

/// A node that runs some algorithm, whatever its type.
pub trait LiveNode: Send {
    /// Takes one input, the text of an [`InputItem`](crate::wire::InputItem), and appends the record of its step to `out`. An input that makes
    /// no sense gives a step too, which refuses it.
    fn take(&mut self, item: &str, now_us: u64, out: &mut Steps);

    /// Says whether the client may begin something by itself from now on; it may until told otherwise.
    fn exhaust(&mut self, exhausted: bool);

    /// Lets the earliest timer that is due at `now_us` run out, if there is one, and appends the record of its step.
    fn fire(&mut self, now_us: u64, out: &mut Steps) -> bool;

    /// When the next timer runs out, in microseconds since the run began.
    fn due_us(&self) -> Option<u64>;

    /// Appends what people look at, as JSON.
    fn write_view(&self, out: &mut Vec<u8>);

    /// What it calls, from whatever thread, when it has become due without having been given anything; most nodes never do.
    fn wake_with(&mut self, _wake: Wake) {}

    /// Why it can take part no more, as a sentence; none as long as it can.
    fn failure(&self) -> Option<&str> {
        None
    }
}

/// The node that an initialization describes, running algorithm `A`.
#[must_use]
pub fn live_node<A: Algorithm>(setting: A::Setting, initialization: &Initialization) -> Box<dyn LiveNode> {
    Box::new(TextNode::<A>::new(setting, initialization))
}

/// The node that an initialization describes, running the algorithm of the catalogue that it names.
///
/// # Errors
/// Says what of the configuration cannot be, and what could be instead.
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
