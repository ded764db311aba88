//! Clients of tests: each client gives commands ("orders") to its node.

use interlock_algorithm::{Algorithm, LockId, NodeId};
use interlock_model::choice::Choice;

use super::run::Run;

/// A function that returns the next order for a node, or `None` if the node's client wants nothing. The driver
/// calls the function before each step, and skips an order that cannot be executed now.
pub type Client<A> = Box<dyn Fn(&Run<'_, A>, NodeId) -> Option<Choice>>;

/// Returns clients that never give an order.
pub fn nobody<A: Algorithm>() -> Client<A> {
    Box::new(|_, _| None)
}

/// Returns clients that give the listed orders. Each order goes to the node that it names. The orders for one node
/// keep the order of the list.
pub fn listed<A: Algorithm>(orders: Vec<Choice>) -> Client<A> {
    Box::new(move |run, node| {
        let is_its = |choice: &&Choice| choice.order().is_some_and(|(whose, _)| whose == node);
        orders.iter().filter(is_its).nth(run.ordered(node).len()).cloned()
    })
}

/// Returns clients that acquire and release lock 0, `entries` times each. If a crash interrupts a request, the
/// client does not repeat the request.
pub fn lockers<A: Algorithm>(entries: u64) -> Client<A> {
    first_lockers(u32::MAX, entries)
}

/// Returns the same clients as [`lockers`], but only the first `askers` nodes request the lock.
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
