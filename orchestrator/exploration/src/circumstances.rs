//! What is known of a process that is explored besides its node and what that has stored: the same for all algorithms.

use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{Entry, LockId, LockUse, NodeId, Outcome};
use interlock_machine::wire::Order;

use super::arrival::Requests;
use super::environment::Environment;
use super::past::Past;
use super::promise::Promise;
use super::voting::Voting;

/// How it stands with a process.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Circumstances {
    pub dead: bool,
    /// Whether it stands still: it does nothing, and what comes to it waits.
    pub paused: bool,
    /// How many orders its client was given.
    pub ordered: u8,
    /// How many times it has asked again after an abort, where that is bounded.
    again: u8,
    /// The elections of each lock in its present incarnation.
    pub elections: Vec<Voting>,
    /// What it has learnt to be chosen, by instance.
    pub decided: Vec<(u64, String)>,
    /// Which requests it has heard of, if their order is looked for.
    pub past: Option<Past>,
    /// Its requests, if it is looked for how often others enter first.
    pub requests: Option<Requests>,
    /// What it has promised, if it is looked for whether promises are kept.
    pub promise: Option<Promise>,
}

impl Circumstances {
    /// Before the first step of a process of so many, of which is known what is looked for.
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

    /// Whether it lives and has asked again as often as it may.
    pub fn may_not_ask_again(&self, environment: &Environment) -> bool {
        !self.dead && environment.again.is_some_and(|most| self.again >= most)
    }

    /// The orders that its client may be given, whether or not it can follow them now, in a run of so many nodes and locks
    /// and with so many states to come into.
    pub fn orders(
        &self,
        entry: &Entry,
        environment: &Environment,
        (nodes, locks): (u32, u32),
        me: NodeId,
        states: u64,
    ) -> Vec<Order> {
        let has_locks = entry.locks != LockUse::None;
        // Who takes locks in rounds asks for them by itself.
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

    /// Counts what its client begins, if that is limited.
    pub fn count_order(&mut self, environment: &Environment, begins: bool) {
        self.ordered += u8::from(begins && !environment.unlimited);
    }

    /// Counts what its client begins, or asks again, when a timer runs out.
    pub fn count_timer(&mut self, environment: &Environment, begins: bool, is_again: bool) {
        self.count_order(environment, begins);
        self.again += u8::from(is_again && environment.again.is_some());
    }

    /// It hears of requests with a message.
    pub fn hear(&mut self, heard: Option<&[u32]>) {
        if let (Some(past), Some(heard)) = (&mut self.past, heard) {
            past.hear(heard);
        }
    }

    /// Takes what has come about; says whether it is a request.
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

    /// Its life is over.
    pub fn die(&mut self) {
        self.dead = true;
        self.paused = false;
        self.elections.clear();
        if let Some(past) = &mut self.past {
            past.crash();
        }
    }
}
