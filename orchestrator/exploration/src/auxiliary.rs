//! The state of an explored process outside its node and its stored state: the same for all algorithms.

use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{Entry, LockId, LockUse, NodeId, Outcome};
use interlock_machine::wire::Order;

use super::arrival::Requests;
use super::environment::Environment;
use super::past::Past;
use super::promise::Promise;
use super::voting::Voting;

/// The auxiliary state of a process: what it does not know itself, and its history as far as properties need it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Auxiliary {
    pub dead: bool,
    /// Whether the process is paused. A paused process takes no steps, and its messages wait.
    pub paused: bool,
    /// Number of orders that its client has received.
    pub ordered: u8,
    /// Number of times that it has requested again after an abort, if the environment limits them.
    again: u8,
    /// The elections of each lock that the process has seen in its present incarnation.
    pub elections: Vec<Voting>,
    /// The chosen values that it has learnt, by instance.
    pub decided: Vec<(u64, String)>,
    /// The requests that it has learnt of, if their order is checked.
    pub past: Option<Past>,
    /// Its requests, if bypasses are checked.
    pub requests: Option<Requests>,
    /// Its promises, if promises are checked.
    pub promise: Option<Promise>,
}

impl Auxiliary {
    /// Creates the state before the first step of a process in a run of `nodes` processes. The flags say what is
    /// checked.
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
            promise: promises.then(Promise::default),
        }
    }

    /// Returns whether the process is live and may not request again after a further abort.
    pub fn may_not_ask_again(&self, environment: &Environment) -> bool {
        !self.dead && environment.again.is_some_and(|most| self.again >= most)
    }

    /// Returns the orders that its client may receive, whether or not it can carry them out now. `states` is the
    /// number of states to which it may be corrupted.
    pub fn orders(
        &self,
        entry: &Entry,
        environment: &Environment,
        (nodes, locks): (u32, u32),
        me: NodeId,
        states: u64,
    ) -> Vec<Order> {
        let has_locks = entry.locks != LockUse::None;
        // Clients that acquire their locks in rounds need no orders to request them.
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

    /// Counts an order with which the client begins something, if the number of such orders is limited.
    pub fn count_order(&mut self, environment: &Environment, begins: bool) {
        self.ordered += u8::from(begins && !environment.unlimited);
    }

    /// Counts what its client begins, or requests again, when a timer expires.
    pub fn count_timer(&mut self, environment: &Environment, begins: bool, is_again: bool) {
        self.count_order(environment, begins);
        self.again += u8::from(is_again && environment.again.is_some());
    }

    /// Adds the requests of which the process learns from a message.
    pub fn hear(&mut self, heard: Option<&[u32]>) {
        if let (Some(past), Some(heard)) = (&mut self.past, heard) {
            past.hear(heard);
        }
    }

    /// Adds an outcome, and returns whether it is a request.
    pub fn learn(&mut self, arrival: Arrival, me: NodeId, outcome: Outcome) -> bool {
        let requested = self.requests.as_mut().is_some_and(|requests| requests.learn(&outcome, arrival));
        if let Some(past) = &mut self.past {
            past.learn(me, &outcome);
        }
        if let Some(promise) = &mut self.promise {
            promise.learn(&outcome);
        }
        match outcome {
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

    /// Notes a crash: the incarnation ends.
    pub fn die(&mut self) {
        self.dead = true;
        self.paused = false;
        self.elections.clear();
        if let Some(past) = &mut self.past {
            past.crash();
        }
    }
}
