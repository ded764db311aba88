//! The transaction of one process: the resources that it wants and holds.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::places::Places;
use crate::contract::{Algorithm, Effects};
use crate::flat::FlatMap;
use crate::identity::{LockId, NodeId, RequestId};
use crate::outcome::{AbortCause, Outcome};
use crate::view::{Value, View};

/// A resource, and the request by which the transaction wants or holds the resource.
pub(super) type Item = (LockId, RequestId);

/// The transaction of one process. Each request gets a ticket. The ticket distinguishes messages about this request
/// from messages about earlier requests that were aborted or released.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Transaction {
    /// The latest ticket.
    ticket: u64,
    wanted: FlatMap<u64, Vec<Item>>,
    held: FlatMap<u64, Vec<Item>>,
    /// Whether the transaction has begun to release resources. From then on, it requests no further resources.
    is_leaving: bool,
}

impl Transaction {
    /// Requests resources, and returns the ticket.
    pub fn ask<A: Algorithm>(&mut self, locks: &[LockId], request: RequestId, out: &mut Effects<A>) -> u64 {
        self.ticket = self.ticket.saturating_add(1);
        for &lock in locks {
            out.outcome(Outcome::requested(lock, request));
        }
        self.wanted.insert(self.ticket, locks.iter().map(|&lock| (lock, request)).collect());
        self.ticket
    }

    /// Records that the request with `ticket` is granted. Returns false if there is no such pending request.
    pub fn granted<A: Algorithm>(&mut self, ticket: u64, out: &mut Effects<A>) -> bool {
        let Some(items) = self.wanted.remove(&ticket) else { return false };
        for &(lock, request) in &items {
            out.outcome(Outcome::Entered { lock, request, fence: None });
        }
        self.held.insert(ticket, items);
        true
    }

    /// Releases a resource, and returns the ticket by which it was held. Returns none if the process did not hold it.
    pub fn release<A: Algorithm>(&mut self, lock: LockId, request: RequestId, out: &mut Effects<A>) -> Option<u64> {
        let item = (lock, request);
        let (&ticket, items) = self.held.iter_mut().find(|(_, items)| items.contains(&item))?;
        items.retain(|&held| held != item);
        if items.is_empty() {
            self.held.remove(&ticket);
        }
        self.is_leaving = !self.is_over();
        out.outcome(Outcome::Exited { lock, request });
        Some(ticket)
    }

    /// Gives up everything. Returns all resources that the transaction held or wanted, each with its ticket, so that
    /// the caller can notify their homes.
    pub fn abort<A: Algorithm>(&mut self, cause: AbortCause, out: &mut Effects<A>) -> Vec<(LockId, u64)> {
        let request = self.request();
        let (held, wanted) = (core::mem::take(&mut self.held), core::mem::take(&mut self.wanted));
        self.is_leaving = false;
        for (lock, request, _) in items(&held) {
            out.outcome(Outcome::Exited { lock, request });
        }
        if let Some(request) = request {
            out.outcome(Outcome::Aborted { request, cause });
        }
        items(&held).chain(items(&wanted)).map(|(lock, _, ticket)| (lock, ticket)).collect()
    }

    /// Returns the current request, if there is one.
    pub fn request(&self) -> Option<RequestId> {
        self.wanted.values().chain(self.held.values()).flatten().map(|&(_, request)| request).next()
    }

    fn is_over(&self) -> bool {
        self.wanted.is_empty() && self.held.is_empty()
    }

    /// Whether the transaction has begun to release resources.
    pub const fn is_leaving(&self) -> bool {
        self.is_leaving
    }

    /// Whether the transaction wants the resource `lock` by `ticket`.
    pub fn wants(&self, lock: LockId, ticket: u64) -> bool {
        self.wanted().any(|(wanted, _, by)| (wanted, by) == (lock, ticket))
    }

    /// Whether the transaction holds the resource `lock` by `ticket`.
    pub fn holds(&self, lock: LockId, ticket: u64) -> bool {
        self.held().any(|(held, _, by)| (held, by) == (lock, ticket))
    }

    /// Returns the resources for which the transaction waits, each with its request and ticket.
    pub fn wanted(&self) -> impl Iterator<Item = (LockId, RequestId, u64)> + '_ {
        items(&self.wanted)
    }

    /// Returns the resources that the transaction holds, each with its request and ticket.
    pub fn held(&self) -> impl Iterator<Item = (LockId, RequestId, u64)> + '_ {
        items(&self.held)
    }

    /// Adds the held resources, the wanted resources, and the homes of the wanted resources to the view.
    pub fn show(&self, view: &mut View, home: impl Fn(LockId) -> NodeId) {
        let locks = |items: &mut dyn Iterator<Item = (LockId, RequestId, u64)>| {
            Value::Numbers(items.map(|(lock, ..)| lock.0.into()).collect())
        };
        view.variables.insert("has".into(), locks(&mut self.held()));
        view.variables.insert("wants".into(), locks(&mut self.wanted()));
        view.waits_for = self.wanted().map(|(lock, ..)| home(lock)).collect();
    }

    /// Returns the objection to a request for the resources `locks`. For algorithms in which only one process at a
    /// time can hold a resource.
    pub fn objection(&self, places: Places, locks: &[LockId], request: RequestId) -> Option<String> {
        let waits = || {
            let (lock, ..) = self.wanted().next()?;
            Some(format!("it still waits for resource {lock}; it requests one at a time"))
        };
        unknown(places, locks).or_else(waits).or_else(|| self.objection_to_more(places, locks, request))
    }

    /// Returns the objection to an additional request for the resources `locks`. For algorithms in which a process
    /// may wait for several resources at the same time.
    pub fn objection_to_more(&self, places: Places, locks: &[LockId], request: RequestId) -> Option<String> {
        if let Some(unknown) = unknown(places, locks) {
            return Some(unknown);
        }
        let (first, by, _) = self.held().chain(self.wanted()).next()?;
        let has = |lock| if self.held().any(|(held, ..)| held == lock) { "has" } else { "waits for" };
        if by != request {
            let has = has(first);
            return Some(format!("it {has} resource {first} with request {by}; it has one transaction at a time"));
        }
        if self.is_leaving {
            return Some(format!(
                "it has begun to release; it can request again when it has released resource {first}"
            ));
        }
        let twice = self.held().chain(self.wanted()).find(|(lock, ..)| locks.contains(lock));
        twice.map(|(lock, ..)| format!("it {} resource {lock} already", has(lock)))
    }
}

fn unknown(places: Places, locks: &[LockId]) -> Option<String> {
    let lock = locks.iter().find(|lock| lock.0 >= places.locks)?;
    Some(format!("there is no resource {lock}; the resources are 0 … {}", places.locks.saturating_sub(1)))
}

fn items(by_ticket: &FlatMap<u64, Vec<Item>>) -> impl Iterator<Item = (LockId, RequestId, u64)> + '_ {
    by_ticket.iter().flat_map(|(&ticket, items)| items.iter().map(move |&(lock, request)| (lock, request, ticket)))
}
