//! What the banker knows: who has what, who waits, and whether that is safe.

use alloc::collections::{BTreeSet, VecDeque};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::safety::{Step, Unsafe, safe_order};
use super::tables::Tables;
use crate::identity::{LockId, NodeId, RequestId};

/// One unit of a resource, wanted or had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Unit {
    pub process: NodeId,
    pub lock: LockId,
    pub request: RequestId,
}

/// What the banker knows; empty elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Office {
    lent: BTreeSet<Unit>,
    queue: VecDeque<Unit>,
}

/// What the banker says to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It is granted: all can finish in this order.
    Granted(Vec<Step>),
    /// The process has as much as it may. It has given some back, and that has not arrived yet.
    NotGivenBack,
    /// No unit is free.
    NotAvailable,
    /// Not all could finish.
    Unsafe(Unsafe),
}

/// Whether these units are as much of the resource as the process may have.
fn at_its_claim<'a>(tables: &Tables, unit: Unit, units: impl Iterator<Item = &'a Unit>) -> bool {
    let count = units.filter(|other| (other.process, other.lock) == (unit.process, unit.lock)).count();
    count >= tables.claim(unit.process, unit.lock) as usize
}

impl Office {
    pub fn has_lent(&self, unit: Unit) -> bool {
        self.lent.contains(&unit)
    }

    pub fn is_waiting(&self, unit: Unit) -> bool {
        self.queue.contains(&unit)
    }

    /// Whether a process waits for as much of a resource as it may have at most.
    pub fn waits_for_its_claim(&self, tables: &Tables, unit: Unit) -> bool {
        at_its_claim(tables, unit, self.queue.iter())
    }

    /// Grants a unit if that is safe, and says why or why not.
    pub fn decide(&mut self, tables: &Tables, unit: Unit) -> Answer {
        if at_its_claim(tables, unit, self.lent.iter()) {
            return Answer::NotGivenBack;
        }
        if self.free(tables).get(unit.lock.0 as usize).is_none_or(|&free| free == 0) {
            return Answer::NotAvailable;
        }
        self.lent.insert(unit);
        match self.order(tables) {
            Ok(order) => Answer::Granted(order),
            Err(found) => {
                self.lent.remove(&unit);
                Answer::Unsafe(found)
            }
        }
    }

    pub fn queue(&mut self, unit: Unit) {
        self.queue.push_back(unit);
    }

    /// A unit comes back. False if it was not lent.
    pub fn take_back(&mut self, unit: Unit) -> bool {
        self.lent.remove(&unit)
    }

    /// Looks at those who wait, in order, and says what came of each.
    pub fn look_again(&mut self, tables: &Tables) -> Vec<(Unit, Answer)> {
        let mut answers = Vec::new();
        for unit in core::mem::take(&mut self.queue) {
            let answer = self.decide(tables, unit);
            if !matches!(answer, Answer::Granted(_)) {
                self.queue.push_back(unit);
            }
            answers.push((unit, answer));
        }
        answers
    }

    /// An order in which all can finish.
    pub fn order(&self, tables: &Tables) -> Result<Vec<Step>, Unsafe> {
        safe_order(&self.free(tables), &self.held(tables), &self.needed(tables))
    }

    /// What each process may still ask for of each resource: its claim without what it has.
    pub fn needed(&self, tables: &Tables) -> Vec<Vec<u32>> {
        let rows = tables.claims.iter().zip(self.held(tables));
        rows.map(|(claims, held)| claims.iter().zip(held).map(|(claim, held)| claim.saturating_sub(held)).collect())
            .collect()
    }

    /// What each process has of each resource.
    pub fn held(&self, tables: &Tables) -> Vec<Vec<u32>> {
        let mut held: Vec<Vec<u32>> = tables.claims.iter().map(|row| row.iter().map(|_| 0).collect()).collect();
        for unit in &self.lent {
            if let Some(count) = held.get_mut(unit.process.index()).and_then(|row| row.get_mut(unit.lock.0 as usize)) {
                *count += 1;
            }
        }
        held
    }

    /// What is free of each resource.
    pub fn free(&self, tables: &Tables) -> Vec<u32> {
        let mut free = tables.existing.clone();
        for unit in &self.lent {
            if let Some(count) = free.get_mut(unit.lock.0 as usize) {
                *count = count.saturating_sub(1);
            }
        }
        free
    }

    /// Those who wait, in order.
    pub fn waiting(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.queue.iter().map(|unit| unit.process)
    }
}
