//! All orders in which the operations on one key may have taken effect, each at one moment between its invocation
//! and its end.
//!
//! Wing and Gong 1993, "Testing and Verifying Concurrent Objects", search for one such order. This register keeps all
//! such orders, and merges those that allow the same further events. Lowe 2017, "Testing for linearizability",
//! section 4, merges them as operations end. The register therefore detects at once when no order is left.

use std::collections::BTreeMap;

use interlock_algorithm::{Operation, Response};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Maximum number of possibilities that are remembered. If a key has more, the monitor stops judging it.
const MOST_POSSIBILITIES: usize = 100_000;

/// The number of an operation on the key.
pub type Number = u32;

/// A possible state: the current value, and the effects of those open operations that have already taken effect.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Possibility {
    value: Option<i64>,
    /// Effects, ordered by the numbers of the operations.
    effective: SmallVec<[(Number, Effect); 4]>,
}

/// The effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Effect {
    /// The operation has changed the value.
    Changed,
    /// The operation has found this value.
    Found(Option<i64>),
}

/// The operations on one key, in the order in which they began and ended.
#[derive(Clone, Debug)]
pub struct Register {
    possible: FxHashSet<Possibility>,
    /// Operations that have begun and not ended.
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

    /// Records that an operation has ended. Returns whether an order is left that explains all operations.
    pub fn end(&mut self, number: Number, response: &Response) -> bool {
        let Some(operation) = self.open.get(&number).cloned() else { return true };
        match response {
            // An operation without a known result may take effect at any later time.
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

    /// Keeps the possibilities in which this operation has had this effect by now.
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
    /// Returns the effect of an operation in this possibility, if it has taken effect.
    fn effect(&self, number: Number) -> Option<Effect> {
        self.effective.iter().find(|(effective, _)| *effective == number).map(|(_, effect)| *effect)
    }

    fn without(&self, number: Number) -> Self {
        let mut other = self.clone();
        other.effective.retain(|(effective, _)| *effective != number);
        other
    }

    /// Returns the possibility after an operation takes effect. Returns `None` if the operation cannot take effect,
    /// or already has.
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
