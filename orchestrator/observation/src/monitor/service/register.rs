//! All orders in which the operations on one key may have taken effect, each at one moment between its beginning and its
//! end.
//!
//! Wing and Gong 1993, "Testing and Verifying Concurrent Objects", look for one such order; remembered here are all, as far
//! as they differ in what may come next (Lowe 2017, "Testing for linearizability", section 4, which does so as operations
//! end). So it is known at once when there is none any more.

use std::collections::BTreeMap;

use interlock_algorithm::{Operation, Response};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// How many possibilities are remembered: of a key with more of them nothing is judged any more.
const MOST_POSSIBILITIES: usize = 100_000;

/// The number of an operation on the key.
pub type Number = u32;

/// What may be so: the value that is there, and what those operations that have not ended and taken effect have found.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Possibility {
    value: Option<i64>,
    /// In the order of their numbers.
    effective: SmallVec<[(Number, Effect); 4]>,
}

/// What an operation did when it took effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Effect {
    /// It has changed what is there.
    Changed,
    /// It has found this there.
    Found(Option<i64>),
}

/// The operations on one key, in the order in which they began and ended.
#[derive(Clone, Debug)]
pub struct Register {
    possible: FxHashSet<Possibility>,
    /// What has begun and not ended.
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
    /// An operation begins.
    pub fn begin(&mut self, number: Number, operation: &Operation) {
        self.open.insert(number, operation.clone());
    }

    /// An operation has ended: whether there still is an order in which all have taken effect.
    pub fn end(&mut self, number: Number, response: &Response) -> bool {
        let Some(operation) = self.open.get(&number).cloned() else { return true };
        match response {
            // It may take effect at any time from now on.
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

    /// Keeps what may be so if this operation has taken this effect by now.
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
    /// The effect of an operation, if it has taken any.
    fn effect(&self, number: Number) -> Option<Effect> {
        self.effective.iter().find(|(effective, _)| *effective == number).map(|(_, effect)| *effect)
    }

    fn without(&self, number: Number) -> Self {
        let mut other = self.clone();
        other.effective.retain(|(effective, _)| *effective != number);
        other
    }

    /// The same after an operation that has not taken effect does so, if it can.
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
