//! The commands that clients give to their nodes in tests ("orders").

use interlock_algorithm::{Algorithm, LockId, NodeId};
use interlock_model::choice::Choice;

use super::run::Run;

/// A function that returns the next order of a node's client, or none if the client wants nothing. The driver calls
/// it before each step. If an order cannot be executed now, the driver skips it.
pub type Client<A> = Box<dyn Fn(&Run<'_, A>, NodeId) -> Option<Choice>>;

/// Returns clients that want nothing.
pub fn nobody<A: Algorithm>() -> Client<A> {
    Box::new(|_, _| None)
}

/// Returns clients that give these orders, each to its node in the listed order.
pub fn listed<A: Algorithm>(orders: Vec<Choice>) -> Client<A> {
    Box::new(move |run, node| {
        let is_its = |choice: &&Choice| choice.order().is_some_and(|(whose, _)| whose == node);
        orders.iter().filter(is_its).nth(run.ordered(node).len()).cloned()
    })
}

/// Returns clients that acquire and release the first lock, `entries` times each. If a crash interrupts a request,
/// the client does not repeat it.
pub fn lockers<A: Algorithm>(entries: u64) -> Client<A> {
    first_lockers(u32::MAX, entries)
}

/// Returns clients like those of [`lockers`], but only the first `askers` nodes request the lock.
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
