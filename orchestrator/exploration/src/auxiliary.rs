//! The part of an explored process that is the same for all algorithms: its state except that of its node and its
//! storage.

use std::sync::Arc;

use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{Entry, LockId, LockUse, NodeId, Outcome};
use interlock_machine::wire::Order;

use super::arrival::Requests;
use super::environment::Environment;
use super::past::Past;
use super::promise::Promise;
use super::voting::Voting;

/// Auxiliary state of a process: facts that the process itself does not know, and the history that the properties
/// need.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Auxiliary {
    pub dead: bool,
    /// Whether the process is paused. A paused process takes no steps, and messages to it wait.
    pub paused: bool,
    /// Number of requests, elections and proposals that the client has begun, either by an order or when one of its
    /// timers expired. A round of requests for several locks counts once. Nothing is counted if clients request
    /// without limit.
    pub ordered: u8,
    /// Number of the client's new requests after aborts. Counted only if the environment limits this number.
    again: u8,
    /// For each lock, the elections that the process has seen in its present incarnation.
    pub elections: Vec<Voting>,
    /// Chosen values that the process has learnt, by instance.
    pub decided: Vec<(u64, Arc<str>)>,
    /// Requests of which the process has learnt; none if the order of entries is not checked.
    pub past: Option<Past>,
    /// Requests of the process; none if bypasses are not checked.
    pub requests: Option<Requests>,
    /// Whether the process is in a critical section, although it overtook a request with a smaller timestamp. False if
    /// timestamps are not checked.
    pub overtook: bool,
    /// Promises of the process; none if promises are not checked.
    pub promise: Option<Promise>,
}

impl Auxiliary {
    /// Creates the auxiliary state of a process before its first step, in a run of `nodes` processes. The flags say
    /// which properties are checked.
    pub fn new(nodes: u32, order: bool, bypass: bool, promises: bool) -> Self {
        Self {
            dead: false,
            paused: false,
            ordered: 0,
            again: 0,
            elections: Vec::new(),
            decided: Vec::new(),
            past: order.then(|| Past::new(nodes)),
            requests: bypass.then(Requests::default),
            overtook: false,
            promise: promises.then(Promise::default),
        }
    }

    /// Returns whether the process is live and its client has already made the maximum number of new requests after
    /// aborts.
    pub fn may_not_ask_again(&self, environment: &Environment) -> bool {
        !self.dead && environment.again.is_some_and(|most| self.again >= most)
    }

    /// Returns the orders that the client of the process may receive, including orders that cannot be carried out
    /// now. `states` is the number of states to which the process can be corrupted.
    pub fn orders(
        &self,
        entry: &Entry,
        environment: &Environment,
        (nodes, locks): (u32, u32),
        me: NodeId,
        states: u64,
    ) -> Vec<Order> {
        let has_locks = entry.locks != LockUse::None;
        // Clients that acquire their locks in rounds request them by themselves, without orders.
        let locks = if has_locks && environment.take.is_none() { locks } else { 0 };
        let mut orders: Vec<Order> = (0..locks).map(|lock| Order::Release { lock: LockId(lock) }).collect();
        if environment.tell > 0 {
            let others = NodeId::all(nodes).filter(|other| *other != me);
            orders.extend(others.map(|to| Order::Tell { to, asks: false, hold_us: None }));
        }
        orders.extend((0..states).map(|choice| Order::Corrupt { choice }));
        if environment.has_asked(me, self.ordered) {
            return orders;
        }
        orders.extend((0..locks).map(|lock| Order::Acquire { lock: LockId(lock), hold_us: None }));
        if entry.commands.contains(&"elect") && !has_locks {
            orders.push(Order::Elect {});
        }
        if entry.commands.contains(&"propose") {
            orders.push(Order::Propose { instance: 0, value: format!("v{}", me.0) });
        }
        orders
    }

    /// Counts an order if `begins` is true (the client begins something with the order) and the number of such
    /// orders is limited.
    pub fn count_order(&mut self, environment: &Environment, begins: bool) {
        self.ordered += u8::from(begins && !environment.unlimited);
    }

    /// Counts what the client does when a timer expires: it begins something, or requests again after an abort.
    pub fn count_timer(&mut self, environment: &Environment, begins: bool, is_again: bool) {
        self.count_order(environment, begins);
        self.again += u8::from(is_again && environment.again.is_some());
    }

    /// Adds the requests of which the process learns from a received message.
    pub fn hear(&mut self, heard: Option<&[u32]>) {
        if let (Some(past), Some(heard)) = (&mut self.past, heard) {
            past.hear(heard);
        }
    }

    /// Updates the state with an outcome of a step. If bypasses are checked, returns whether the outcome is a
    /// request.
    pub fn learn(&mut self, arrival: Arrival, me: NodeId, outcome: Outcome) -> bool {
        let requested = self.requests.as_mut().is_some_and(|requests| requests.learn(&outcome, arrival));
        if let Some(past) = &mut self.past {
            past.learn(me, &outcome);
        }
        if let Some(promise) = &mut self.promise {
            promise.learn(&outcome);
        }
        match outcome {
            Outcome::Exited { .. } => self.overtook = false,
            Outcome::Called { .. } | Outcome::Elected { .. } => Voting::learn(&mut self.elections, &outcome),
            Outcome::Decided { instance, value } => {
                self.decided.push((instance, value));
                self.decided.sort();
                self.decided.dedup();
            }
            _ => {}
        }
        requested
    }

    /// Updates the state after a crash, which ends the incarnation of the process.
    pub fn die(&mut self) {
        self.dead = true;
        self.paused = false;
        self.overtook = false;
        self.elections.clear();
        if let Some(past) = &mut self.past {
            past.crash();
        }
    }
}
