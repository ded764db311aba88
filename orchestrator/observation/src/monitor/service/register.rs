//! All possible orders of the operations on one key. In such an order, each operation takes effect at one moment
//! between its invocation and its end.
//!
//! Wing and Gong 1993, "Testing and Verifying Concurrent Objects", search for one such order. This register stores all
//! such orders, and merges orders after which the same further events are possible. Lowe 2017, "Testing for
//! linearizability", section 4, merges orders in this way whenever operations end. As soon as no order is possible, the
//! register detects it.

use std::collections::BTreeMap;

use interlock_algorithm::{Operation, Response};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Maximum number of possibilities that are stored for one key. If there are more, the monitor stops judging the key.
const MOST_POSSIBILITIES: usize = 100_000;

/// Number of an operation within the history of its key.
pub type Number = u32;

/// A possible state of the key: its value, and the effects of those open operations that have already taken effect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Possibility {
    value: Option<i64>,
    /// The operations that have taken effect and their effects, ordered by the numbers of the operations.
    effective: SmallVec<[(Number, Effect); 4]>,
}

/// The effect that an operation has when it takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Effect {
    /// The operation changed the value.
    Changed,
    /// The operation read this value.
    Found(Option<i64>),
}

/// The possible states of one key, after the operations that have begun and ended so far.
#[derive(Clone, Debug)]
pub struct Register {
    possible: FxHashSet<Possibility>,
    /// Operations that have begun and have not ended.
    open: BTreeMap<Number, Operation>,
    given_up: bool,
}

impl Default for Register {
    fn default() -> Self {
        let nothing = Possibility { value: None, effective: SmallVec::new() };
        Self { possible: FxHashSet::from_iter([nothing]), open: BTreeMap::new(), given_up: false }
    }
}

impl Register {
    /// Records that an operation begins.
    pub fn begin(&mut self, number: Number, operation: &Operation) {
        self.open.insert(number, operation.clone());
    }

    /// Records that an operation has ended. Returns whether some order still explains all results.
    pub fn end(&mut self, number: Number, response: &Response) -> bool {
        let Some(operation) = self.open.get(&number).cloned() else { return true };
        match response {
            // If the result of an operation is unknown, the operation may take effect at any later time.
            Response::Unknown {} if operation.changes_something() => return true,
            Response::Unknown {} => {
                self.possible = self.possible.drain().map(|before| before.without(number)).collect();
            }
            Response::Refused { .. } => self.possible.retain(|before| before.effect(number).is_none()),
            Response::Value(value) => self.take_effect(number, Effect::Found(*value)),
            _ => self.take_effect(number, Effect::Changed),
        }
        self.open.remove(&number);
        self.given_up |= self.possible.len() > MOST_POSSIBILITIES;
        self.given_up || !self.possible.is_empty()
    }

    /// Removes the possibilities in which the operation `number` cannot have had the effect `effect` yet.
    fn take_effect(&mut self, number: Number, effect: Effect) {
        if self.given_up {
            return;
        }
        let mut seen: FxHashSet<Possibility> = self.possible.drain().collect();
        let mut next: Vec<Possibility> = seen.iter().cloned().collect();
        while let Some(possibility) = next.pop() {
            if let Some(taken) = possibility.effect(number) {
                if taken == effect {
                    self.possible.insert(possibility.without(number));
                }
                continue;
            }
            for (&other, operation) in &self.open {
                let after = possibility.after(other, operation);
                next.extend(after.filter(|after| seen.insert(after.clone())));
            }
            if seen.len() > MOST_POSSIBILITIES {
                self.given_up = true;
                return;
            }
        }
    }
}

impl Possibility {
    /// In this possibility, returns the effect that an operation has had, or `None` if it has not taken effect yet.
    fn effect(&self, number: Number) -> Option<Effect> {
        self.effective.iter().find(|(effective, _)| *effective == number).map(|(_, effect)| *effect)
    }

    fn without(&self, number: Number) -> Self {
        let mut other = self.clone();
        other.effective.retain(|(effective, _)| *effective != number);
        other
    }

    /// Returns the possibility that results when an operation takes effect. Returns `None` if the operation cannot
    /// take effect, or has already taken effect.
    fn after(&self, number: Number, operation: &Operation) -> Option<Self> {
        let place = self.effective.binary_search_by_key(&number, |(effective, _)| *effective).err()?;
        let (value, effect) = match operation {
            Operation::Write { value, .. } => (Some(*value), Effect::Changed),
            Operation::CompareAndSet { from, to, .. } if self.value == Some(*from) => (Some(*to), Effect::Changed),
            Operation::Read { .. } => (self.value, Effect::Found(self.value)),
            _ => return None,
        };
        let mut after = Self { value, effective: self.effective.clone() };
        after.effective.insert(place, (number, effect));
        Some(after)
    }
}
