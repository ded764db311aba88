//! What clients order.

use interlock_algorithm::{Algorithm, LockId, NodeId};
use interlock_model::choice::Choice;

use super::run::Run;

/// What the client of a node would order next; none while it wants nothing. It is asked anew before each step, and what
/// cannot be followed now is not ordered.
pub type Client<A> = Box<dyn Fn(&Run<'_, A>, NodeId) -> Option<Choice>>;

/// Nobody wants anything.
pub fn nobody<A: Algorithm>() -> Client<A> {
    Box::new(|_, _| None)
}

/// These orders, to each node in the order in which they are listed.
pub fn listed<A: Algorithm>(orders: Vec<Choice>) -> Client<A> {
    Box::new(move |run, node| {
        let is_its = |choice: &&Choice| choice.order().is_some_and(|(whose, _)| whose == node);
        orders.iter().filter(is_its).nth(run.ordered(node).len()).cloned()
    })
}

/// Everybody takes the first lock and leaves it again, `entries` times. What a crash interrupts is not asked for again.
pub fn lockers<A: Algorithm>(entries: u64) -> Client<A> {
    first_lockers(u32::MAX, entries)
}

/// The same, where only the clients of the first nodes ever ask.
pub fn first_lockers<A: Algorithm>(askers: u32, entries: u64) -> Client<A> {
    Box::new(move |run, node| {
        let client = run.node(node).client();
        let (lock, hold) = (LockId(0), None);
        if client.inside().next().is_some() {
            return Some(Choice::Release { node, lock });
        }
        let asks = node.0 < askers && client.next_request().0 <= entries;
        asks.then_some(Choice::Acquire { node, lock, hold })
    })
}
