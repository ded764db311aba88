//! The banker's state: the lent units, the waiting requests, and whether a state is safe.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::Policy;
use super::message::Unit;
use super::safety::{Step, Unsafe, safe_order};
use super::tables::Tables;
use crate::flat::{FlatMap, FlatSet};
use crate::identity::{LockId, NodeId};

/// A request of a process for units. The banker grants all of these units or none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Request {
    pub process: NodeId,
    pub units: Vec<Unit>,
}

impl Request {
    /// Returns the number of units of each resource.
    pub fn counts(&self) -> FlatMap<LockId, u32> {
        let mut counts = FlatMap::new();
        for unit in &self.units {
            *counts.entry(unit.lock).or_default() += 1;
        }
        counts
    }

    /// Whether the request is valid: it names at least one unit, none twice, and only existing resources.
    pub fn can_be(&self, tables: &Tables) -> bool {
        let each_once: FlatSet<&Unit> = self.units.iter().collect();
        let exists = |unit: &Unit| (unit.lock.0 as usize) < tables.existing.len();
        !self.units.is_empty() && each_once.len() == self.units.len() && self.units.iter().all(exists)
    }
}

/// The banker's state. It is empty at other processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Office {
    lent: FlatSet<(NodeId, Unit)>,
    queue: VecDeque<Request>,
}

/// The banker's answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The request is granted: all processes can finish in this order.
    Granted(Vec<Step>),
    /// The request is granted, although some processes could not finish afterwards.
    GrantedUnsafely(Unsafe),
    /// With this request, the process would hold more units of this resource than it may claim. The process has
    /// released units, but their RELEASE messages have not arrived yet.
    NotGivenBack(LockId),
    /// Too few units of this resource are free. The second value is the number of free units.
    NotAvailable(LockId, u32),
    /// The grant would be unsafe: some processes could not finish afterwards.
    Unsafe(Unsafe),
}

impl Answer {
    pub const fn is_grant(&self) -> bool {
        matches!(self, Self::Granted(_) | Self::GrantedUnsafely(_))
    }
}

impl Office {
    /// Whether the requesting process already has some of the requested units.
    pub fn has_lent(&self, request: &Request) -> bool {
        request.units.iter().any(|unit| self.lent.contains(&(request.process, *unit)))
    }

    /// Whether the requesting process already waits for some of the requested units.
    pub fn is_waiting(&self, request: &Request) -> bool {
        self.of(request.process).any(|unit| request.units.contains(&unit))
    }

    /// Returns the resource of which the process would wait for more units than it may claim; none if there is no
    /// such resource.
    pub fn waits_for_its_claim(&self, tables: &Tables, request: &Request) -> Option<LockId> {
        let above = |(lock, units): (LockId, u32)| {
            let waits = self.of(request.process).filter(|unit| unit.lock == lock).count();
            (waits + units as usize > tables.claim(request.process, lock) as usize).then_some(lock)
        };
        request.counts().into_iter().find_map(above)
    }

    fn of(&self, process: NodeId) -> impl Iterator<Item = Unit> + '_ {
        self.queue.iter().filter(move |request| request.process == process).flat_map(|request| &request.units).copied()
    }

    /// Grants a request if the policy allows it. Returns the answer with its reason.
    pub fn decide(&mut self, tables: &Tables, policy: Policy, request: &Request) -> Answer {
        let (free, counts) = (self.free(tables), request.counts());
        for (&lock, &units) in &counts {
            let has =
                self.lent.iter().filter(|(process, unit)| (*process, unit.lock) == (request.process, lock)).count();
            if has + units as usize > tables.claim(request.process, lock) as usize {
                return Answer::NotGivenBack(lock);
            }
        }
        let short = counts.iter().find_map(|(&lock, &units)| {
            let free = free.get(lock.0 as usize).copied().unwrap_or(0);
            (free < units).then_some((lock, free))
        });
        if let Some((lock, free)) = short {
            return Answer::NotAvailable(lock, free);
        }
        self.lent.extend(request.units.iter().map(|&unit| (request.process, unit)));
        match self.order(tables) {
            Ok(order) => Answer::Granted(order),
            Err(found) if policy == Policy::GrantsFree => Answer::GrantedUnsafely(found),
            Err(found) => {
                for unit in &request.units {
                    self.lent.remove(&(request.process, *unit));
                }
                Answer::Unsafe(found)
            }
        }
    }

    pub fn queue(&mut self, request: Request) {
        self.queue.push_back(request);
    }

    /// Handles the release of a unit. Returns false if the unit was not lent.
    pub fn take_back(&mut self, process: NodeId, unit: Unit) -> bool {
        self.lent.remove(&(process, unit))
    }

    /// Examines the waiting requests again, in order, and grants those that the policy now allows. Returns each request
    /// with its answer.
    pub fn look_again(&mut self, tables: &Tables, policy: Policy) -> Vec<(Request, Answer)> {
        let mut answers = Vec::new();
        for request in core::mem::take(&mut self.queue) {
            let answer = self.decide(tables, policy, &request);
            if !answer.is_grant() {
                self.queue.push_back(request.clone());
            }
            answers.push((request, answer));
        }
        answers
    }

    /// Returns an order in which all processes can finish.
    pub fn order(&self, tables: &Tables) -> Result<Vec<Step>, Unsafe> {
        safe_order(&self.free(tables), &self.held(tables), &self.needed(tables))
    }

    /// Returns how much of each resource each process may still request: its claim minus what it holds.
    pub fn needed(&self, tables: &Tables) -> Vec<Vec<u32>> {
        let rows = tables.claims.iter().zip(self.held(tables));
        rows.map(|(claims, held)| claims.iter().zip(held).map(|(claim, held)| claim.saturating_sub(held)).collect())
            .collect()
    }

    /// Returns how much of each resource each process holds.
    pub fn held(&self, tables: &Tables) -> Vec<Vec<u32>> {
        let mut held: Vec<Vec<u32>> = tables.claims.iter().map(|row| row.iter().map(|_| 0).collect()).collect();
        for (process, unit) in &self.lent {
            if let Some(count) = held.get_mut(process.index()).and_then(|row| row.get_mut(unit.lock.0 as usize)) {
                *count += 1;
            }
        }
        held
    }

    /// Returns how much of each resource is free.
    pub fn free(&self, tables: &Tables) -> Vec<u32> {
        let mut free = tables.existing.clone();
        for (_, unit) in &self.lent {
            if let Some(count) = free.get_mut(unit.lock.0 as usize) {
                *count = count.saturating_sub(1);
            }
        }
        free
    }

    /// Returns the waiting processes, in order.
    pub fn waiting(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.queue.iter().map(|request| request.process)
    }
}
